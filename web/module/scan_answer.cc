// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdint>
#include <string_view>
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
  const auto add = [&](ModuleText module) {
    ModuleScan scan = ScanModule(std::move(module));
    if (IsHlo(scan)) report.Add(scan);
  };
  ModuleSplitter splitter(file, is_log);
  std::string_view rest = text;
  if (rest.starts_with(kByteOrderMark)) rest.remove_prefix(kByteOrderMark.size());
  for (int64_t number = 1; !rest.empty(); ++number) {
    const size_t end = rest.find('\n');
    std::string_view line = rest.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (auto complete = splitter.Add({number, line, false, end != std::string_view::npos})) add(*std::move(complete));
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  }
  add(splitter.TakeLast());
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
