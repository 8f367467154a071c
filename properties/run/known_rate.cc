// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/properties/run/known_rate.h"
#include <fmt/format.h>
#include <algorithm>
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {

std::map<std::string, KnownLines> SeenLines(const KnownDifferences& known) {
  std::map<std::string, KnownLines> seen;
  for (const KnownDifference& difference : known.all()) {
    if (difference.times_seen == 0) continue;
    KnownLines& lines = seen[difference.law];
    lines.allowed = std::max(lines.allowed, difference.rate.value_or(0));
    lines.lines.push_back(difference.line);
  }
  return seen;
}

std::vector<Finding> HiddenLaws(const std::map<std::string, LawTally>& laws,
                                const std::map<std::string, KnownLines>& seen) {
  std::vector<Finding> findings;
  const auto add = [&](const Finding& example, std::string expected, std::string actual) {
    Finding& finding = findings.emplace_back(example);
    finding.expected = std::move(expected);
    finding.actual = std::move(actual);
  };
  for (const auto& [law, tally] : laws) {
    const int64_t answered = tally.agreed + tally.disagreed;
    if (tally.first_refused && answered == tally.known && tally.refused >= kFewestCases) {
      add(*tally.first_refused, "a result for some of the arguments that the reference takes",
          fmt::format("all {} are refused, the first with '{}'", tally.refused, tally.first_refused->actual));
    }
    if (!tally.first_known || answered < kFewestCases) continue;
    // A failure of the subject itself is known under its own name.
    const auto found = seen.find(tally.first_known->law);
    const KnownLines lines = found == seen.end() ? KnownLines() : found->second;
    if (static_cast<double>(tally.known) <= lines.allowed * static_cast<double>(answered)) continue;
    add(*tally.first_known,
        fmt::format("at most {:.0f}% of the cases known, so that the law checks something", 100 * lines.allowed),
        fmt::format("{} of {} cases of {} are known, by line {}: narrow it, or state a \"rate\"", tally.known, answered,
                    law, StrJoin(lines.lines, ", ")));
  }
  return findings;
}

}  // namespace layoutcheck
