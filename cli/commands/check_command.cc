// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// layoutcheck check [LAYOUT...] --subject S
#include <memory>
#include <utility>
#include "layoutcheck/cli/base/count.h"
#include "layoutcheck/cli/base/overwriting.h"
#include "layoutcheck/cli/base/stop_signals.h"
#include "layoutcheck/cli/commands/commands.h"
#include "layoutcheck/cli/run/check_share.h"
#include "layoutcheck/cli/run/check_stages.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/json/json.h"
#include "layoutcheck/properties/generate/exhaustive_scope.h"
#include "layoutcheck/properties/generate/layout_family.h"
#include "layoutcheck/properties/run/confirm.h"
#include "layoutcheck/properties/run/known_rate.h"
#include "layoutcheck/subjects/factory/subject_factory.h"
#include "layoutcheck/subjects/protocol/protocol.h"

namespace layoutcheck {
namespace {

// Reports the one finding about a subject that was started but does not answer hello. Starts it again once.
ExitCode ReportHello(const CheckCommandLine& arguments, const CheckPlan& plan, const Failed& failed,
                     RunReport& report) {
  Finding finding = HelloFinding(arguments.subject, arguments.seed, failed);
  if (!std::holds_alternative<Failed>(CreateSubject(arguments.subject, plan.fresh_options))) finding.repeats = "flaky";
  finding.text = HelloRequest();
  finding.text->pop_back();
  report.Add(finding);
  report.Print(finding);
  report.WriteDocuments(arguments.junit, arguments.sarif, {.subject = arguments.subject});
  report.PrintTotals({{"cases", 0},
                      {"laws", 0},
                      {"findings", 1},
                      {"known", 0},
                      {"declined", 0},
                      {"complete", false},
                      {"counts", Json::array({1})},
                      {"by_law", Json::object()}});
  return report.error() ? Unusable("check", *report.error()) : ExitCode::kRejected;
}

// Reports that a library ended the process of the run.
ExitCode ReportLibraryEnd(const CheckCommandLine& arguments, const GuardedRun& guarded, const std::string& how,
                          RunReport& report) {
  Finding finding = LibraryEndFinding(arguments.subject, arguments.seed, guarded, how);
  report.Add(finding);
  report.Print(finding);
  report.Warn("the library ended the run; with --isolate it goes on, and the layout of the finding is the smallest");
  report.WriteDocuments(
      arguments.junit, arguments.sarif,
      {.subject = arguments.subject,
       .undecided = StrCat("the library ended the run; ", Counted(guarded.findings.load(), "earlier finding"),
                           " of it in ", DirectoryOfFindings(arguments))});
  report.PrintTotals({{"cases", guarded.cases.load()},
                      {"laws", guarded.laws.load()},
                      {"findings", guarded.findings + 1},
                      {"known", 0},
                      {"declined", 0},
                      {"complete", false},
                      {"by_law", Json::object()}});
  return report.error() ? Unusable("check", *report.error()) : ExitCode::kRejected;
}

ExitCode CheckSubject(const CheckCommandLine& arguments, CheckPlan& plan, RunReport& report) {
  auto created = CreateSubject(arguments.subject, plan.subject_options);
  if (const auto* error = std::get_if<Error>(&created)) return Unusable("check", "--subject", *error);
  if (const auto* failed = std::get_if<Failed>(&created)) return ReportHello(arguments, plan, *failed, report);
  Subject& subject = *std::get<std::unique_ptr<Subject>>(created);
  const auto start = [&]() -> std::unique_ptr<Subject> {
    auto fresh = CreateSubject(arguments.subject, plan.fresh_options);
    auto* const started = std::get_if<std::unique_ptr<Subject>>(&fresh);
    return started == nullptr ? nullptr : std::move(*started);
  };
  SubjectPool pool(subject, plan.jobs, start);

  plan.options.for_merge = report.is_share();
  CheckSummary summary = RunCheck(plan, pool, report);
  const auto add = [&](Finding finding) {
    report.Add(finding);
    report.Print(finding);
    summary.findings.push_back(std::move(finding));
  };
  if (!StopSignals::Requested()) {
    for (Finding& finding : GoneDifferences(arguments, plan.known, subject, report)) add(std::move(finding));
  }
  if (report.is_share()) {
    for (auto& [law, tally] : summary.laws) {
      if (tally.first_known) SetDirectory(*tally.first_known);
      if (tally.first_refused) SetDirectory(*tally.first_refused);
    }
    report.AddDetail("check", ToJson(CheckShare{summary.failures, summary.laws, SeenLines(plan.known)}));
  } else if (!StopSignals::Requested()) {
    for (Finding& finding : HiddenLaws(summary.laws, SeenLines(plan.known))) add(std::move(finding));
  }
  const auto failed = pool.Finish();
  if (failed && !DiedWithTheRun(failed->what, StopSignals::Requested))
    add(EndFinding(arguments.subject, arguments.seed, *failed));
  return ReportCheck(arguments, plan, summary, pool.Warnings(), report);
}

ExitCode RunCheckCommand(const CheckCommandLine& arguments) {
  for (const NamedFile input : {NamedFile{"--known", arguments.known}, {"--layouts", arguments.layouts_file}}) {
    for (const NamedFile output : {NamedFile{"--junit", arguments.junit}, {"--sarif", arguments.sarif}}) {
      if (auto other = RequireNotOverwritten(input, output); !other) return Unusable("check", other.error());
    }
  }
  auto plan = PlanCheck(arguments);
  if (!plan) return Unusable("check", plan.error());
  RunReport report("check", DirectoryOfFindings(arguments), arguments.json, arguments.quiet);
  if (arguments.out && !arguments.shard.empty()) {
    if (auto begun = report.BeginShare(WorkOf("check", arguments.given), ShardOf(plan->options)); !begun) {
      return Unusable("check", "--out", begun.error());
    }
  }
  if (arguments.out) {
    if (auto opened = report.Open(); !opened) return Unusable("check", "--out", opened.error());
  }
  if (!plan->subject_options.LoadsLibrary(arguments.subject)) return CheckSubject(arguments, *plan, report);
  return GuardLibrary(
      "check",
      [&](GuardedRun& guarded) {
        plan->guarded = &guarded;
        plan->subject_options.call_record = &guarded.call;
        return CheckSubject(arguments, *plan, report);
      },
      [&](const GuardedRun& guarded, const std::string& how) {
        return ReportLibraryEnd(arguments, guarded, how, report);
      });
}

}  // namespace

Command CheckCommand() {
  auto options = std::make_shared<CheckCommandLine>();
  return {.name = "check",
          .description = R"(test an implementation of layouts against the laws

Draws layouts on which implementations tend to fail, asks the subject about each, and shrinks a failing layout
to the smallest that still fails. A third of the layouts is from families that real code has. With LAYOUT
arguments only those are checked; names for sizes are drawn. Each finding is asked again of a subject that was
just started, and saved in DIR/findings.jsonl before the run goes on; a run that was killed can be started again
with the same DIR. Ctrl-C ends the run and prints what there is.)",
          .example = R"(
  $ layoutcheck check --subject 'exec:python3 my_layout.py'
  $ layoutcheck check --subject exec:./mine 'f32[9,1]{1,0:T(8,128)}'
  $ layoutcheck check --subject exec:./mine 'bf16[A,M,N]{2,1,0:T(8,128)(2,1)}'
  $ layoutcheck check --subject lib:./mine.so --isolate)",
          .options = Joined(
              {{{"LAYOUT",
                 "check only these: layouts in any notation, without shrinking; layouts with names for sizes, such "
                 "as 'zN:f16[M,N]', whose values are drawn and shrunk; or the arguments of a function, such as "
                 "'(4,3):(3,1); 6:1' for --law composition",
                 &options->layouts},
                {"--layouts FILE",
                 "check the LAYOUT of each line of this file; # begins a comment; formulas of a tile set are not used",
                 &options->layouts_file},
                {.usage = "--family NAME",
                 .description = StrCat("draw layouts from this family only: ", FamilyNames()),
                 .target = &options->family,
                 .names = [] { return NamesOf(AllFamilies(), &LayoutFamily::name); }},
                SubjectOption(kSubjectOption, &options->subject),
                {.usage = "--law NAME",
                 .description = "check this law; see layoutcheck laws; can be repeated (default: all)",
                 .target = &options->laws,
                 .names = [] { return NamesOf(LawNames(), std::identity()); }},
                {"--cases N", "the number of layouts to draw (default: 1000; with --time as many as there is time for)",
                 &options->cases},
                {"--exhaustive N",
                 StrCat("check every layout of a scope, from 1, the smallest, to ", ExhaustiveLadder().size()),
                 &options->exhaustive, kDetail},
                {"--time DURATION", "end the run after this time: 30s, 5m, 2h", &options->time}},
               {{"--junit FILE", "write the outcome as JUnit's XML to this file", &options->junit},
                {"--sarif FILE", "write findings as SARIF 2.1.0 to this file", &options->sarif}},
               RunOptions("check", "layouts", *options)}),
          .run = [options] { return RunCheckCommand(*options); },
          .given = &options->given,
          .reports_interruption = true};
}

}  // namespace layoutcheck
