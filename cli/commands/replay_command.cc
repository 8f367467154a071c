// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// layoutcheck replay FINDING...
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include "layoutcheck/cli/base/terminal.h"
#include "layoutcheck/cli/commands/commands.h"
#include "layoutcheck/cli/reports/finding_text.h"
#include "layoutcheck/cli/run/subject_arguments.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/bridges/text_to_hlo.h"
#include "layoutcheck/fuzz/differential/judge.h"
#include "layoutcheck/properties/algebra/algebra_runner.h"
#include "layoutcheck/properties/run/findings_file.h"
#include "layoutcheck/properties/run/runner.h"
#include "layoutcheck/subjects/factory/subject_factory.h"

namespace layoutcheck {
namespace {

struct Options {
  std::vector<std::string> findings;
  std::string subject;
  // A library always runs in its own process, because the finding may be a crash.
  SubjectArguments subject_arguments{.isolate = true};
  bool json = false;
};

// Checks a finding about a text again. Returns the present finding, or nothing if the subject is right.
std::optional<Finding> ReplayText(const Finding& finding, TextKind kind, Subject& subject) {
  const std::optional<Disagreement> now = JudgeText(subject, kind, *finding.text);
  if (!now) return std::nullopt;
  Finding result = finding;
  result.law = TextFaultName(now->fault);
  result.expected = now->expected;
  result.actual = now->actual;
  return result;
}

// Checks a finding again. Returns the present finding, or nothing if the law holds. Errors: no such subject, law or
// layout; kUnsupported if the subject declines the question.
Expected<std::optional<Finding>> Replay(const Finding& finding, const SubjectOptions& subject_options) {
  auto created = CreateSubject(finding.subject, subject_options);
  if (const auto* error = std::get_if<Error>(&created)) return std::unexpected(*error);
  if (const auto* failed = std::get_if<Failed>(&created)) {
    Finding now = finding;
    now.law = NotAnswered(*failed).why;
    now.actual = failed->what;
    return now;
  }
  if (finding.layout.empty()) return std::nullopt;  // about hello, which the subject now answers
  if (const auto kind = finding.kind && finding.text ? TextKindFromName(*finding.kind) : std::nullopt) {
    return ReplayText(finding, *kind, *std::get<std::unique_ptr<Subject>>(created));
  }
  CheckOptions options;
  options.subject_name = finding.subject;
  options.seed = finding.seed;
  if (const AlgebraLaw* const law = FindAlgebraLaw(finding.law)) {
    const std::vector<std::string> arguments = ReadArguments(finding.layout);
    const CheckSummary summary = CheckArguments(*std::get<std::unique_ptr<Subject>>(created), std::span(&law, 1),
                                                std::span(&arguments, 1), options);
    if (!summary.AnythingChecked()) {
      return MakeError(ErrorKind::kUnsupported, StrCat("the subject declines what ", finding.law, " asks"));
    }
    if (summary.findings.empty()) return std::nullopt;
    Finding result = summary.findings.front();
    result.reproduce = finding.reproduce;
    return result;
  }
  const auto shape = HloOfText(finding.layout);
  if (!shape) return std::unexpected(shape.error());
  const bool subject_failed = finding.law.starts_with("subject-");
  if (const Law* law = FindLaw(finding.law)) {
    options.laws = {law};
  } else if (!subject_failed) {
    return MakeError(ErrorKind::kInvalidArgument, StrCat("no law '", finding.law, "'"));
  }
  const CheckSummary summary =
      CheckLayouts(*std::get<std::unique_ptr<Subject>>(created), std::span(&*shape, 1), options);
  if (!summary.AnythingChecked()) {
    return MakeError(ErrorKind::kUnsupported, StrCat("the subject declines what ", finding.law, " asks"));
  }
  // A failure of the subject itself is reported by the law whose question caused it.
  const auto now =
      subject_failed ? std::ranges::find(summary.findings, finding.law, &Finding::law) : summary.findings.begin();
  if (now == summary.findings.end()) return std::nullopt;
  Finding result = *now;
  result.reproduce = finding.reproduce;
  return result;
}

ExitCode Run(const Options& options) {
  const auto subject_options = ToSubjectOptions(options.subject_arguments, "");
  if (!subject_options) return Unusable("replay", subject_options.error().message);
  std::vector<Finding> findings;
  for (const std::string& argument : options.findings) {
    auto read = ReadFindings(argument);
    if (!read) return Unusable("replay", "FINDING", read.error());
    for (SavedFinding& saved : *read) findings.push_back(std::move(saved.finding));
  }
  size_t still = 0;
  bool undecided = false;
  for (Finding& finding : findings) {
    if (!options.subject.empty()) finding.subject = options.subject;
    const auto now = Replay(finding, *subject_options);
    if (!now) {
      if (now.error().kind != ErrorKind::kUnsupported) return Unusable("replay", finding.law, now.error());
      Unusable("replay", finding.law, now.error());
      undecided = true;
      continue;
    }
    if (*now) ++still;
    if (options.json) {
      Json document{{"law", finding.law}, {"layout", finding.layout}, {"found", now->has_value()}};
      if (*now) document["finding"] = ToJson(**now);
      PrintJson(document);
    } else if (*now) {
      std::fputs((FindingText(**now, StyleOfTerminal()) + "\n").c_str(), stdout);
    } else {
      std::puts(StrCat("no longer found: ", finding.law, " on ", finding.layout).c_str());
    }
  }
  if (!options.json) std::puts(StrCat(findings.size(), " findings replayed, ", still, " found again").c_str());
  if (still > 0) return ExitCode::kRejected;
  return undecided ? ExitCode::kUndecided : ExitCode::kAccepted;
}

}  // namespace

void AddReplayCommand(CLI::App& program, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      AddCommand(program, "replay",
                 "check saved findings again, each alone\n\n"
                 "Starts the subject that each finding names and checks its law on its layout. The exit "
                 "code is 1 if any finding is found again.",
                 "  $ layoutcheck replay layoutcheck-out/findings.jsonl:1\n"
                 "  $ layoutcheck replay layoutcheck-out/findings.jsonl --subject exec:./fixed");
  command->add_option("FINDING", options->findings, "FILE, FILE:LINE, or the JSON text of a finding")->required();
  command->add_option("--subject", options->subject, "use this subject instead of the one that the finding names")
      ->type_name("S");
  AddSubjectTimeout(*command, options->subject_arguments);
  command->add_flag("--json", options->json, "print one JSON line per finding: law, layout, found, finding");
  command->callback([options, &action] { action = [options] { return Run(*options); }; });
}

}  // namespace layoutcheck
