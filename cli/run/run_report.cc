// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/run/run_report.h"
#include <algorithm>
#include <bit>
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <span>
#include <system_error>
#include "layoutcheck/cli/base/count.h"
#include "layoutcheck/cli/base/terminal.h"
#include "layoutcheck/cli/reports/finding_text.h"
#include "layoutcheck/cli/reports/next_steps.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/json/json.h"
#include "layoutcheck/properties/model/law.h"
#include "layoutcheck/properties/model/shell_word.h"

namespace layoutcheck {

std::string DirectoryOfFindings(const RunArguments& arguments) {
  if (arguments.out) return *arguments.out;
  constexpr size_t kMostCharacters = 64;
  const std::string& subject = arguments.subject;
  std::string_view rest = subject;
  for (const std::string_view scheme : {"exec:", "lib:"}) {
    if (rest.starts_with(scheme)) rest.remove_prefix(scheme.size());
  }
  std::string folder;
  size_t word = 0;  // begin of the current word
  for (const char c : rest) {
    const bool is_plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
    const bool is_inner = !folder.empty() && folder.back() != '-';
    if (c == '/') {
      folder.resize(word);  // only the last part of a path
    } else if (is_plain || (c == '.' && is_inner)) {
      folder += c;
    } else if (is_inner) {
      folder += '-';
    }
    if (c == ' ') word = folder.size();
  }
  folder.resize(std::min(folder.size(), kMostCharacters));
  while (!folder.empty() && (folder.back() == '-' || folder.back() == '.')) folder.pop_back();
  return StrCat("layoutcheck-out/", folder.empty() ? "subject" : folder);
}

Expected<void> RunReport::Open() {
  LAYOUTCHECK_TRY(auto file, FindingsFile::Open(directory_));
  file_.emplace(std::move(file));
  return {};
}

Expected<void> RunReport::BeginShare(Work work, const Shard& shard) {
  share_ = Manifest{.work = std::move(work), .shard = shard};
  if (auto begun = layoutcheck::BeginShare(directory_, *share_); !begun) return begun;
  return KeepEarlierFindings(directory_);
}

void RunReport::AddDetail(const char* name, Json detail) { share_->details[name] = std::move(detail); }

void SetDirectory(Finding& finding) {
  const bool is_relative = finding.subject.starts_with("exec:") || finding.subject.starts_with("lib:");
  if (!is_relative || !finding.directory.empty()) return;
  std::error_code code;
  finding.directory = std::filesystem::current_path(code).string();
}

void RunReport::Add(Finding& finding) {
  if (!file_ && !error_) {
    if (auto opened = Open(); !opened) error_ = opened.error();
  }
  if (error_) return;
  SetDirectory(finding);
  const auto line = file_->Add(finding);
  if (!line) {
    error_ = line.error();
    return;
  }
  saved_.push_back({finding, file_->path(), *line});
}

void RunReport::WriteDocuments(const std::string& junit, const std::string& sarif, const RunOutcome& outcome) {
  const auto write = [this](const std::string& file, const std::string& text) {
    if (auto written = WriteFile(file, text); !written && !error_) error_ = written.error();
  };
  if (!junit.empty()) write(junit, JunitReportOfRun(outcome, saved_));
  if (!sarif.empty()) write(sarif, SarifReport(saved_));
}

void RunReport::Print(const Finding& finding) const {
  if (json_) {
    Json document = ToJson(finding);
    AddNextSteps(document, NextSteps(finding));
    PrintJson(document);
  } else {
    PrintText(FindingText(finding, StyleOfTerminal()) + "\n");
  }
  std::fflush(stdout);
}

void RunReport::AddCounts(const std::vector<Finding>& findings) {
  if (file_ && !error_) {
    if (auto set = file_->SetCounts(findings); !set) error_ = set.error();
  }
  for (const Finding& finding : findings) {
    const auto saved =
        std::ranges::find(saved_, finding.Key(), [](const SavedFinding& one) { return one.finding.Key(); });
    if (saved != saved_.end()) saved->finding.count = finding.count;
  }
  if (json_) return;
  for (const Finding& finding : findings) {
    if (finding.count == 1) continue;
    PrintText(StrCat(finding.count, " failing cases have the cause of: ", OneLine(finding.law), " on ",
                     OneLine(finding.layout), "\n"));
  }
}

void RunReport::PrintTotals(const Json& totals) {
  if (share_) {
    share_->complete = !error_ && totals.value("complete", true);
    share_->totals = totals;
    if (auto written = WriteManifest(directory_, *share_); !written && !error_) error_ = written.error();
  }
  if (json_) return PrintJson(totals);
  std::vector<std::string> counts;
  for (const char* name : {"cases", "laws", "findings", "known", "declined"}) {
    counts.push_back(StrCat(totals[name].Dump(), " ", name));
  }
  // The largest array that was answered about, rounded down to a power of two.
  if (const auto bytes = totals.value("largest_bytes", uint64_t{0}); bytes > 0) {
    counts.push_back(StrCat("arrays up to 2^", std::bit_width(bytes) - 1, " bytes"));
  }
  PrintText(StrJoin(counts, ", ") + "\n");
}

void RunReport::Warn(std::string_view message) const {
  if (quiet_) return;
  PrintDiagnostic(command_, StrCat("warning: ", message));
}

void RunReport::WarnOfUnseen(const KnownDifferences& known, std::string_view known_file,
                             const std::function<bool(std::string_view law)>& asked) {
  const auto unseen = known.UnseenClasses(asked);
  if (share_) {
    share_->details["unseen_known"] = unseen;
    share_->details["seen_known"] = known.SeenLines();
  } else {
    WarnOfUnseenLines(known_file, unseen);
  }
}

void RunReport::WarnOfUnanswered(const std::vector<std::string>& unanswered) {
  constexpr size_t kShown = 8;
  if (is_share()) {
    share_->details["unanswered"] = unanswered;
  } else if (!unanswered.empty()) {
    const std::span shown(unanswered.begin(), std::min(unanswered.size(), kShown));
    const size_t rest = unanswered.size() - shown.size();
    Warn(StrCat("undecided, because it was never answered: ", StrJoin(shown, ", "),
                rest > 0 ? StrCat(" and ", rest, " more") : ""));
  }
}

void RunReport::WarnOfEarlierFindings(std::string_view subject, const std::vector<Finding>& findings) const {
  const std::string path = (std::filesystem::path(directory_) / "findings.jsonl").string();
  std::ifstream file(path);
  size_t earlier = 0;
  for (std::string line; std::getline(file, line);) {
    const auto saved = FindingFromJson(line);
    if (!saved || saved->subject != subject) continue;
    if (std::ranges::find(findings, saved->Key(), &Finding::Key) == findings.end()) ++earlier;
  }
  if (earlier == 0) return;
  Warn(StrCat(path, " keeps ", Counted(earlier, "finding"), " about ", subject,
              " from earlier runs that this run did not find; layoutcheck replay asks again: layoutcheck replay ",
              ShellWord(path)));
}

void RunReport::WarnOfUnseenLines(std::string_view known_file, const std::vector<int64_t>& lines) const {
  if (!lines.empty()) Warn(StrCat(known_file, ": no failure in this run matched line ", StrJoin(lines, ", ")));
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
