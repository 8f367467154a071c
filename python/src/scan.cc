// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The work of `scan` and `verify` on texts, for layoutcheck/scanning.py and layoutcheck/certificates.py.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <string>
#include <utility>
#include <vector>
#include "errors.h"
#include "layoutcheck/cli/scan/budget.h"
#include "layoutcheck/cli/scan/module_scan.h"
#include "layoutcheck/cli/scan/module_splitter.h"
#include "layoutcheck/cli/scan/scan_report.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/json/json.h"
#include "layoutcheck/verify/verify_certificate.h"
#include "register.h"

namespace nb = nanobind;
using nb::literals::operator""_a;

namespace layoutcheck::python {
namespace {

// Returns {"text":REPORT,"modules":[...],"findings":[...]}, with rows as those of `scan --json`.
std::string Scan(const std::string& text, const std::string& file, bool is_log,
                 const std::vector<std::string>& budgets) {
  ScanOptions options;
  for (const std::string& budget : budgets) {
    auto read = ParseBudget(budget);
    if (!read) RaiseLayoutError({read.error().kind, StrCat("budgets: '", budget, "': ", read.error().message)});
    options.budgets.push_back(*std::move(read));
  }
  const nb::gil_scoped_release release;
  ScanReport report(options);
  ForEachModuleOf(file, text, is_log, [&](ModuleText module) {
    ModuleScan scan = ScanModule(std::move(module));
    if (IsHlo(scan)) report.Add(scan);
  });
  report.Finish();
  const ScanResults& results = report.results();
  return Json{{"text", ScanText(report)}, {"modules", results.module_rows}, {"findings", results.findings}}.Dump();
}

// Returns a list of objects, one per certificate, with members as those of `verify --json`.
std::string Verify(const std::string& text) {
  auto checked = [&] {
    const nb::gil_scoped_release release;
    return verify::VerifyCertificates(text);
  }();
  Json rows = Json::array();
  for (const verify::Verdict& verdict : ValueOrRaise(std::move(checked))) {
    rows.push_back({{"claim", verdict.claim},
                    {"law", verdict.law},
                    {"proved", verdict.proved},
                    {"scope", ForAllText(verdict.for_all, verdict.ranges)},
                    {"assume", verdict.assumptions},
                    {"steps", verdict.steps},
                    {"line", verdict.line},
                    {"reason", verdict.reason}});
  }
  return rows.Dump();
}

}  // namespace

void RegisterScan(nb::module_& module) {
  module.def("scan", &Scan, "text"_a, "file"_a, "is_log"_a, "budgets"_a);
  module.def("verify", &Verify, "text"_a);
}

}  // namespace layoutcheck::python
