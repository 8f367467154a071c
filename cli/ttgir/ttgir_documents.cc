// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <string>
#include <utility>
#include <vector>
#include "layoutcheck/cli/scan/scan_documents.h"
#include "layoutcheck/cli/ttgir/ttgir_report.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/llvm/ttgir/ttgir_scan.h"

namespace layoutcheck {

std::string TtgirSarif(const TtgirResults& results) {
  std::vector<ScanRule> rules;
  for (const TtgirRule& rule : TtgirRules()) rules.push_back({rule.name, rule.statement});
  return FindingsSarif(std::move(rules), results.findings.findings);
}

std::string TtgirJunit(const TtgirResults& results) {
  std::vector<JunitSuite> suites;
  for (const TtgirRows& rows : results.functions) {
    const Json& function = rows.function;
    JunitSuite& suite =
        suites.emplace_back(JunitSuite{StrCat(function["file"].text(), ": ", function["name"].text()), {}});
    AddTestcase(rows.findings, "unreadable", suite);
    for (const TtgirRule& rule : TtgirRules()) AddTestcase(rows.findings, std::string(rule.name), suite);
  }
  return JunitDocument("layoutcheck scan", suites);
}

}  // namespace layoutcheck
