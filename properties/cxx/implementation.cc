// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/properties/cxx/implementation.h"

namespace layoutcheck {
namespace {

void AppendFinding(std::string& message, const Finding& finding) {
  StrAppend(message, message.empty() ? "" : "\n", "FOUND: ", finding.subject, " breaks ", finding.law, "\n");
  if (const Law* law = FindLaw(finding.law)) StrAppend(message, "  law        ", law->statement, "\n");
  StrAppend(message, "  layout     ", finding.layout, "\n");
  if (finding.coordinate) StrAppend(message, "  at element (", StrJoin(*finding.coordinate, ","), ")\n");
  if (finding.offset) StrAppend(message, "  at offset  ", *finding.offset, "\n");
  if (finding.text && *finding.text != finding.layout) StrAppend(message, "  with       ", *finding.text, "\n");
  StrAppend(message, "  expected   ", finding.expected, "\n  actual     ", finding.actual, "\n");
  if (!finding.shrinking.empty()) StrAppend(message, "  shrinking  ", finding.shrinking, "\n");
  if (finding.count > 1) StrAppend(message, "  count      ", finding.count, " failing cases have this cause\n");
}

}  // namespace

CheckResult ResultOf(const CheckSummary& summary) {
  std::string message;
  for (const Finding& finding : summary.findings) AppendFinding(message, finding);
  if (message.empty() && !summary.AnythingChecked()) message = "nothing was checked: every question was declined\n";
  return message.empty() ? CheckResult::Passed(summary.index_evaluations)
                         : CheckResult::Found(std::move(message), summary.index_evaluations);
}

}  // namespace layoutcheck
