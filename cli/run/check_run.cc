// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <span>
#include <utility>
#include "layoutcheck/cli/base/terminal.h"
#include "layoutcheck/cli/run/check_stages.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/bridges/text_to_hlo.h"
#include "layoutcheck/fuzz/differential/judge.h"
#include "layoutcheck/properties/algebra/algebra_runner.h"

namespace layoutcheck {
namespace {

// Checks the law of a known difference on its layout or arguments. Returns nothing if it has no such law or layout.
std::optional<CheckSummary> CheckKnown(const KnownDifference& difference, Subject& subject) {
  if (const AlgebraLaw* const law = FindAlgebraLaw(difference.law)) {
    const std::vector<std::string> arguments = ReadArguments(*difference.layout);
    return CheckArguments(subject, std::span(&law, 1), std::span(&arguments, 1), {});
  }
  const auto shape = HloOfText(*difference.layout);
  const Law* const law = FindLaw(difference.law);
  if (!shape || law == nullptr) return std::nullopt;
  CheckOptions options;
  options.laws = {law};
  return CheckLayouts(subject, std::span(&*shape, 1), options);
}

// Adds the summary of other cases.
void Append(CheckSummary& summary, CheckSummary more) {
  for (auto& [name, tally] : more.laws) {
    LawTally& sum = summary.laws[name];
    sum.agreed += tally.agreed;
    sum.disagreed += tally.disagreed;
    sum.known += tally.known;
    sum.outside_domain += tally.outside_domain;
    sum.declined += tally.declined;
    sum.seconds += tally.seconds;
  }
  more.laws.clear();
  const uint64_t cases = summary.cases + more.cases;
  Merge(summary, std::move(more));
  summary.cases = cases;
}

}  // namespace

CheckSummary RunCheck(CheckPlan& plan, Subject& subject, RunReport& report) {
  ProgressLine progress;
  CheckOptions options = plan.options;
  options.known = &plan.known;
  options.on_finding = [&](Finding& finding) { report.Add(finding); };
  options.on_case = [&](uint64_t cases) {
    progress.Show(StrCat(cases, " cases"));
    return true;
  };
  std::vector<const AlgebraLaw*> algebra_laws = plan.algebra_laws;
  // Without --law, laws of the algebra are checked only if the subject knows the algebra.
  if (plan.every_law && !plan.scope && TakesAlgebra(subject)) {
    algebra_laws.assign(AlgebraLaws().begin(), AlgebraLaws().end());
  }
  if (options.time && plan.checks_tiled_laws() && !algebra_laws.empty()) *options.time /= 2;
  CheckSummary summary;
  if (plan.checks_tiled_laws()) {
    if (plan.scope) {
      summary = CheckExhaustive(subject, *plan.scope, options);
    } else {
      if (plan.draws_layouts) summary = CheckRandom(subject, options);
      if (!plan.shapes.empty()) Append(summary, CheckLayouts(subject, plan.shapes, options));
    }
  }
  if (algebra_laws.empty()) return summary;
  CheckSummary algebra;
  if (!plan.algebra_arguments.empty()) {
    algebra = CheckArguments(subject, algebra_laws, plan.algebra_arguments, options);
  }
  if (plan.draws_layouts) Append(algebra, CheckAlgebra(subject, algebra_laws, options));
  Merge(summary, std::move(algebra));
  return summary;
}

std::vector<Finding> GoneDifferences(const CheckCommandLine& arguments, const KnownDifferences& known, Subject& subject,
                                     const RunReport& report) {
  std::vector<Finding> gone;
  for (const KnownDifference& difference : known.all()) {
    if (difference.times_seen > 0 || !difference.layout || TextFaultFromName(difference.law)) continue;
    const std::optional<CheckSummary> summary = CheckKnown(difference, subject);
    if (!summary) {
      report.Warn(StrCat(arguments.known, ":", difference.line, ": no such law or layout"));
      continue;
    }
    if (!summary->findings.empty() || !summary->AnythingChecked()) continue;
    Finding finding;
    finding.subject = arguments.subject;
    finding.law = difference.law;
    finding.layout = *difference.layout;
    finding.expected = StrCat("the known difference of ", arguments.known, ":", difference.line, " (",
                              difference.reason, ", ", difference.version, ", ", difference.reference, ")");
    finding.actual = "the law holds: the entry can be removed";
    finding.seed = arguments.seed;
    gone.push_back(std::move(finding));
  }
  return gone;
}

}  // namespace layoutcheck
