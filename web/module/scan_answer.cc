// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <utility>
#include "layoutcheck/cli/scan/module_scan.h"
#include "layoutcheck/cli/scan/module_splitter.h"
#include "layoutcheck/cli/scan/scan_report.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/json/json.h"
#include "layoutcheck/web/module/answers.h"

namespace layoutcheck {

Json AnswerScan(const Json& request) {
  const std::string file = TextMember(request, "file");
  const std::string text = TextMember(request, "text");
  const bool is_log = request.value("log", false);
  const ScanOptions options;
  ScanReport report(options);
  ForEachModuleOf(file, text, is_log, [&](ModuleText module) {
    ModuleScan scan = ScanModule(std::move(module));
    if (IsHlo(scan)) report.Add(scan);
  });
  if (report.results().modules == 0) {
    return {{"ok", false},
            {"field", "scan"},
            {"column", 0},
            {"error", StrCat(file,
                             is_log ? ": expected shapes with layouts such as f32[8,128]{1,0}"
                                    : ": expected HLO text, a line 'HloModule NAME' and instructions",
                             "; found none")}};
  }
  report.Finish();
  Json errors = Json::object();
  for (const auto& [severity, rules] : report.results().counts) errors[severity] = report.results().CountOf(severity);
  return {{"ok", true},
          {"text", ScanText(report)},
          {"counts", errors},
          {"command", StrCat("layoutcheck scan ", ShellWord(file), is_log ? " --kind log" : "")}};
}

}  // namespace layoutcheck
