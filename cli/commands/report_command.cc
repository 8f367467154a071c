// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// layoutcheck report FINDINGS... --html FILE | --junit FILE | --sarif FILE
#include <cstdio>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>
#include "layoutcheck/cli/base/count.h"
#include "layoutcheck/cli/base/overwriting.h"
#include "layoutcheck/cli/commands/commands.h"
#include "layoutcheck/cli/reports/report.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/json/json.h"

namespace layoutcheck {
namespace {

struct ReportCommandLine {
  std::vector<std::string> findings;
  std::string html;
  std::string junit;
  std::string sarif;
  bool json = false;
};

ExitCode RunReportCommand(const ReportCommandLine& options) {
  if (options.html.empty() && options.junit.empty() && options.sarif.empty()) {
    return Unusable("report", "expected at least one of --html FILE, --junit FILE and --sarif FILE");
  }
  std::vector<SavedFinding> findings;
  for (const std::string& argument : options.findings) {
    auto read = ReadFindings(argument);
    if (!read) return Unusable("report", "FINDINGS", read.error());
    std::ranges::move(*read, std::back_inserter(findings));
  }
  const struct {
    const std::string& file;
    std::string (*render)(std::span<const SavedFinding>);
  } reports[] = {{options.html, HtmlReport}, {options.junit, JunitReport}, {options.sarif, SarifReport}};
  for (const auto& [option, file] :
       {NamedFile{"--html", options.html}, {"--junit", options.junit}, {"--sarif", options.sarif}}) {
    for (const std::string& argument : options.findings) {
      for (const std::string& input : {argument, argument.substr(0, argument.rfind(':'))}) {  // FILE or FILE:LINE
        auto other = RequireNotOverwritten({"FINDINGS", input}, {option, file});
        if (!other) return Unusable("report", other.error());
      }
    }
  }
  std::vector<std::string> written;
  for (const auto& [file, render] : reports) {
    if (file.empty()) continue;
    if (auto done = WriteFile(file, render(findings)); !done) return Unusable("report", done.error());
    written.push_back(file);
  }
  if (options.json) {
    PrintJson({{"findings", findings.size()}, {"files", written}});
  } else {
    std::puts(StrCat(Counted(findings.size(), "finding"), " in ", StrJoin(written, ", ")).c_str());
  }
  return ExitCode::kAccepted;
}

}  // namespace

Command ReportCommand() {
  auto options = std::make_shared<ReportCommandLine>();
  return {
      .name = "report",
      .description = R"(write saved findings as a page or for CI systems

Runs nothing: it renders the findings that check and fuzz saved in findings.jsonl. At least one of --html,
--junit and --sarif is required.)",
      .example = R"(
  $ layoutcheck report layoutcheck-out --html findings.html
  $ layoutcheck report */findings.jsonl --junit junit.xml --sarif layouts.sarif)",
      .options = {{"FINDINGS", "FILE, FILE:LINE, a folder, or the JSON text of a finding", &options->findings,
                   kRequired},
                  {"--html FILE", "write a self-contained page with pictures of memory to this file", &options->html},
                  {"--junit FILE", "write JUnit's XML, one testsuite per subject, to this file", &options->junit},
                  {"--sarif FILE", "write SARIF 2.1.0 to this file", &options->sarif},
                  {"--json", "print one JSON document: findings (their number), files", &options->json}},
      .run = [options] { return RunReportCommand(*options); }};
}

}  // namespace layoutcheck
