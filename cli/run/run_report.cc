// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/run/run_report.h"
#include <cstdio>
#include <nlohmann/json.hpp>
#include "layoutcheck/cli/base/terminal.h"
#include "layoutcheck/cli/reports/finding_text.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/properties/model/law.h"

namespace layoutcheck {

Expected<void> RunReport::Open() {
  auto file = FindingsFile::Open(directory_);
  if (!file) return std::unexpected(file.error());
  file_.emplace(*std::move(file));
  return {};
}

void RunReport::Add(Finding& finding) {
  if (!file_ && !error_) {
    if (auto opened = Open(); !opened) error_ = opened.error();
  }
  if (error_) return;
  if (auto added = file_->Add(finding); !added) error_ = added.error();
}

void RunReport::Print(const Finding& finding) const {
  if (json_) return PrintJson(ToJson(finding));
  const std::string text = FindingText(finding, StyleOfTerminal()) + "\n";
  std::fwrite(text.data(), 1, text.size(), stdout);
}

void RunReport::PrintTotals(const Json& totals) const {
  if (json_) return PrintJson(totals);
  std::vector<std::string> counts;
  for (const char* name : {"cases", "laws", "findings", "known", "declined"}) {
    counts.push_back(StrCat(totals[name].dump(), " ", name));
  }
  std::puts(StrJoin(counts, ", ").c_str());
}

void RunReport::Warn(std::string_view message) const {
  std::fputs(StrCat("layoutcheck ", command_, ": warning: ", OneLine(message), "\n").c_str(), stderr);
}

void RunReport::WarnOfUnseen(const KnownDifferences& known, std::string_view known_file,
                             const std::function<bool(std::string_view law)>& asked) const {
  const auto unseen = known.UnseenPatterns(asked);
  if (!unseen.empty()) Warn(StrCat(known_file, ": no failure in this run matched line ", StrJoin(unseen, ", ")));
}

namespace {

Finding FindingOfFailure(std::string_view subject, uint64_t seed, std::string_view expected, const Failed& failed) {
  Finding finding;
  finding.subject = subject;
  finding.law = NotAnswered(failed).why;
  finding.expected = expected;
  finding.actual = failed.what;
  finding.seed = seed;
  return finding;
}

}  // namespace

Finding HelloFinding(std::string_view subject, uint64_t seed, const Failed& failed) {
  return FindingOfFailure(subject, seed, "an answer to hello", failed);
}

Finding EndFinding(std::string_view subject, uint64_t seed, const Failed& failed) {
  return FindingOfFailure(subject, seed, "an end without an error after the end of its input", failed);
}

}  // namespace layoutcheck
