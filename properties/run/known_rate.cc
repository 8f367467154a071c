// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/properties/run/known_rate.h"
#include <fmt/format.h>
#include <algorithm>
#include <string_view>
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

// Returns the largest share that the lines which matched failures of this law allow.
double AllowedShare(const KnownDifferences& known, std::string_view law) {
  double allowed = kMostKnown;
  for (const KnownDifference& difference : known.all()) {
    if (difference.law == law && difference.times_seen > 0) allowed = std::max(allowed, difference.rate.value_or(0));
  }
  return allowed;
}

std::string SeenLines(const KnownDifferences& known, std::string_view law) {
  std::vector<int64_t> lines;
  for (const KnownDifference& difference : known.all()) {
    if (difference.law == law && difference.times_seen > 0) lines.push_back(difference.line);
  }
  return StrJoin(lines, ", ");
}

}  // namespace

std::vector<Finding> HiddenLaws(const CheckSummary& summary, const KnownDifferences& known) {
  std::vector<Finding> findings;
  const auto add = [&](const Finding& example, std::string expected, std::string actual) {
    Finding& finding = findings.emplace_back(example);
    finding.expected = std::move(expected);
    finding.actual = std::move(actual);
  };
  for (const auto& [law, tally] : summary.laws) {
    const int64_t answered = tally.agreed + tally.disagreed;
    if (tally.first_refused && answered == tally.known && tally.refused >= kFewestCases) {
      add(*tally.first_refused, "a result for some of the arguments that the reference takes",
          fmt::format("all {} are refused, the first with '{}'", tally.refused, tally.first_refused->actual));
    }
    if (!tally.first_known || answered < kFewestCases) continue;
    // A failure of the subject itself is known under its own name.
    const std::string_view name = tally.first_known->law;
    const double allowed = AllowedShare(known, name);
    if (static_cast<double>(tally.known) <= allowed * static_cast<double>(answered)) continue;
    add(*tally.first_known,
        fmt::format("at most {:.0f}% of the cases known, so that the law checks something", 100 * allowed),
        fmt::format("{} of {} cases of {} are known, by line {}: narrow it, or state a \"rate\"", tally.known, answered,
                    law, SeenLines(known, name)));
  }
  return findings;
}

}  // namespace layoutcheck
