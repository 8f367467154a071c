// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// layoutcheck replay FINDING...
#include <algorithm>
#include <cstdio>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>
#include "layoutcheck/cli/base/count.h"
#include "layoutcheck/cli/base/stop_signals.h"
#include "layoutcheck/cli/base/terminal.h"
#include "layoutcheck/cli/commands/commands.h"
#include "layoutcheck/cli/reports/finding_text.h"
#include "layoutcheck/cli/reports/next_steps.h"
#include "layoutcheck/cli/run/proof_output.h"
#include "layoutcheck/cli/run/run_report.h"
#include "layoutcheck/cli/run/subject_arguments.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/bridges/text_to_hlo.h"
#include "layoutcheck/fuzz/differential/judge.h"
#include "layoutcheck/json/json.h"
#include "layoutcheck/properties/algebra/algebra_runner.h"
#include "layoutcheck/properties/run/findings_file.h"
#include "layoutcheck/properties/run/runner.h"
#include "layoutcheck/subjects/factory/subject_factory.h"

namespace layoutcheck {
namespace {

struct ReplayCommandLine {
  std::vector<std::string> findings;
  std::string subject;
  // A library always runs in its own process, because the finding may be a crash.
  SubjectArguments subject_arguments{.isolate = true};
  bool json = false;
};

// A subject is asked this many times, to tell an answer that varies.
constexpr int kAnswers = 4;

// Checks a finding about a text. Returns the present finding, or nothing if the subject is right.
std::optional<Finding> AskText(const Finding& finding, TextKind kind, Subject& subject) {
  const std::optional<Disagreement> now = JudgeText(subject, kind, *finding.text);
  Finding result = finding;
  if (!now) {
    const auto failed = subject.Finish();  // which may be what the text leads to
    if (!failed) return std::nullopt;
    const Finding end = EndFinding(finding.subject, finding.seed, *failed);
    result.law = end.law;
    result.expected = end.expected;
    result.actual = end.actual;
    return result;
  }
  result.law = TextFaultName(now->fault);
  result.expected = now->expected;
  result.actual = now->actual;
  return result;
}

// Checks the law of a finding on its layout or arguments. If the subject itself had failed, that is the law that asked.
Expected<CheckSummary> AskLaws(const Finding& finding, Subject& subject) {
  CheckOptions options;
  options.subject_name = finding.subject;
  options.seed = finding.seed;
  options.stop_requested = StopSignals::Requested;
  const std::string& name = finding.asked_by.empty() ? finding.law : finding.asked_by;
  if (const AlgebraLaw* const law = FindAlgebraLaw(name)) {
    const std::vector<std::string> arguments = ReadArguments(finding.layout);
    return CheckArguments(subject, std::span(&law, 1), std::span(&arguments, 1), options);
  }
  LAYOUTCHECK_TRY(const auto shape, HloOfText(finding.asked_about.empty() ? finding.layout : finding.asked_about));
  // Findings of older versions do not say which law asked: then every law does.
  if (const Law* const law = FindLaw(name)) {
    options.laws = {law};
  } else if (!name.starts_with("subject-")) {
    return MakeError(ErrorKind::kInvalidArgument, StrCat("no law '", name, "'"));
  }
  return CheckLayouts(subject, std::span(&shape, 1), options);
}

// Asks the question of a finding once. Returns the present finding, or nothing if the subject is right. Errors: no such
// law or layout; kUnsupported if the subject declines the question.
Expected<std::optional<Finding>> AskOnce(const Finding& finding, Subject& subject) {
  if (finding.layout.empty()) {  // about hello, which the subject has answered, or about its end
    const auto failed = subject.Finish();
    if (!failed) return std::nullopt;
    Finding result = EndFinding(finding.subject, finding.seed, *failed);
    result.reproduce = finding.reproduce;
    return result;
  }
  if (const auto kind = finding.kind && finding.text ? TextKindFromName(*finding.kind) : std::nullopt) {
    return AskText(finding, *kind, subject);
  }
  LAYOUTCHECK_TRY(const auto summary, AskLaws(finding, subject));
  if (!summary.AnythingChecked()) {
    return MakeError(ErrorKind::kUnsupported, StrCat("the subject declines what ", finding.law, " asks"));
  }
  // A failure of the subject itself is reported by the law whose question caused it.
  const auto now = finding.law.starts_with("subject-") ? std::ranges::find(summary.findings, finding.law, &Finding::law)
                                                       : summary.findings.begin();
  if (now == summary.findings.end()) return std::nullopt;
  Finding result = *now;
  result.count = finding.count;
  result.reproduce = finding.reproduce;
  return result;
}

// The answer to a finding that was checked again.
struct Replayed {
  ExitCode code = ExitCode::kAccepted;
  std::optional<Finding> now;  // if it is found again
  std::string why;             // it is not known whether it is found again
};

Replayed Replay(const Finding& finding, const SubjectOptions& subject_options) {
  auto created = CreateSubject(finding.subject, subject_options);
  if (const auto* error = std::get_if<Error>(&created)) {
    return {ExitCode::kUnusable, std::nullopt, StrCat("the subject does not start: ", error->message)};
  }
  if (const auto* failed = std::get_if<Failed>(&created)) {
    Finding now = finding;
    now.law = NotAnswered(*failed).why;
    now.actual = failed->what;
    // Without hello, only a finding about hello can be checked.
    if (finding.layout.empty() && now.law == finding.law) return {ExitCode::kRejected, std::move(now), ""};
    return {ExitCode::kUnusable, std::nullopt, StrCat("the subject does not start: ", failed->what)};
  }
  Subject& subject = *std::get<std::unique_ptr<Subject>>(created);
  subject.EndWith([] { return StopSignals::Requested() ? RunEnd::kInterrupted : RunEnd::kNone; });
  std::optional<Finding> found;
  bool is_always_found = true;
  for (int k = 0; k < kAnswers; ++k) {
    auto now = AskOnce(finding, subject);
    if (StopSignals::Requested()) return {ExitCode::kUndecided, std::nullopt, "the run was interrupted"};
    if (!now) {
      const bool is_declined = now.error().kind == ErrorKind::kUnsupported;
      return {is_declined ? ExitCode::kUndecided : ExitCode::kUnusable, std::nullopt, now.error().ToString()};
    }
    is_always_found &= now->has_value();
    if (*now && !found) found = *std::move(now);
    // A process that died or hung would do so each time, at the same cost.
    if (found && (!is_always_found || found->law.starts_with("subject-"))) break;
  }
  if (found) {
    if (!is_always_found) found->repeats = "flaky";
    return {ExitCode::kRejected, std::move(found), ""};
  }
  const bool is_end = finding.layout.empty() && !finding.text;
  if (finding.repeats.empty() && !is_end) return {};
  return {ExitCode::kUndecided, std::nullopt,
          StrCat("replay asks only this question, and asked alone, the subject is right; it was found as: ",
                 is_end ? "at the end of a run" : finding.repeats, "; a run like that one with --jobs 1 --seed ",
                 finding.seed, " asks again what came before")};
}

void Print(const Finding& finding, const Replayed& replayed, bool as_json) {
  if (as_json) {
    Json document{{"law", finding.law}, {"layout", finding.layout}, {"found", replayed.now.has_value()}};
    if (replayed.now) {
      document["finding"] = ToJson(*replayed.now);
      AddNextSteps(document, NextSteps(*replayed.now));
    }
    if (!replayed.why.empty()) {
      document["found"] = nullptr;
      document["reason"] = replayed.why;
    }
    PrintJson(document);
  } else if (replayed.now) {
    std::fputs((FindingText(*replayed.now, StyleOfTerminal()) + "\n").c_str(), stdout);
  } else if (replayed.why.empty()) {
    std::puts(StrCat("no longer found: ", OneLine(finding.law), " on ", OneLine(finding.layout)).c_str());
  }
  if (replayed.why.empty()) return;
  const std::string why = StrCat(finding.law, finding.layout.empty() ? "" : " on ", finding.layout, ": ", replayed.why);
  if (replayed.code == ExitCode::kUnusable) {
    Unusable("replay", UnavailableError(why).error());
  } else {
    PrintDiagnostic("replay", why);
  }
}

ExitCode RunReplayCommand(const ReplayCommandLine& options) {
  const StopSignals signals({.patience = kTimeToReport, .command = "replay"});
  auto subject_options = ToSubjectOptions(options.subject_arguments, "");
  if (!subject_options) return Unusable("replay", subject_options.error());
  std::vector<Finding> findings;
  for (const std::string& argument : options.findings) {
    auto read = ReadFindings(argument);
    if (!read) return Unusable("replay", "FINDING", read.error());
    for (SavedFinding& saved : *read) findings.push_back(std::move(saved.finding));
  }
  size_t found = 0;
  size_t undecided = 0;
  ExitCode code = ExitCode::kAccepted;
  for (Finding& finding : findings) {
    if (StopSignals::Requested()) {
      ++undecided;
      continue;
    }
    subject_options->directory = finding.directory;
    if (!options.subject.empty()) {
      finding.subject = options.subject;
      subject_options->directory.clear();
    }
    const Replayed replayed = Replay(finding, *subject_options);
    Print(finding, replayed, options.json);
    if (replayed.now) ++found;
    if (!replayed.why.empty()) ++undecided;
    code = WorseExitCode(code, replayed.code);
  }
  if (!options.json) {
    const std::string rest = undecided == 0 ? "" : StrCat(", ", undecided, " undecided");
    std::puts(StrCat(Counted(findings.size(), "finding"), " replayed, ", found, " found again", rest).c_str());
  }
  return code;
}

}  // namespace

Command ReplayCommand() {
  auto options = std::make_shared<ReplayCommandLine>();
  return {
      .name = "replay",
      .description = R"(check saved findings again, each alone

Starts the subject that each finding names, in the directory of its run, and checks its law on its layout. The
exit code is 1 if any finding is found again, 2 if a subject does not start, and 3 if a finding that needs more
than its own question is not found again.)",
      .example = R"(
  $ layoutcheck replay layoutcheck-out/mine/findings.jsonl:1
  $ layoutcheck replay layoutcheck-out/mine/findings.jsonl --subject exec:./fixed)",
      .options = {{"FINDING", "FILE, FILE:LINE, a folder, or the JSON text of a finding", &options->findings,
                   kRequired},
                  SubjectOption("use this subject instead of the one that the finding names, started here",
                                &options->subject),
                  SubjectTimeoutOption(options->subject_arguments),
                  {"--json", "print one JSON line per finding: law, layout, found, finding, reason", &options->json}},
      .run = [options] { return RunReplayCommand(*options); },
      .reports_interruption = true};
}

}  // namespace layoutcheck
