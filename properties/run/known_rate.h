// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reports laws under which a run checked nearly nothing, because accepted differences or refusals hide the answers.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>
#include "layoutcheck/properties/run/runner.h"

namespace layoutcheck {

// The largest share of a law's answered cases that may be known, unless a matching line states its own "rate".
inline constexpr double kMostKnown = 0.5;
// A law with fewer cases is not judged.
inline constexpr int64_t kFewestCases = 20;

// The lines that made failures of one law known.
struct KnownLines {
  double allowed = kMostKnown;  // largest share of the cases that may be known
  std::vector<int64_t> lines;

  bool operator==(const KnownLines&) const = default;
};
// Returns the lines that matched, by the law's name in findings.
std::map<std::string, KnownLines> SeenLines(const KnownDifferences& known);

// Returns one finding for each law of at least kFewestCases cases of which more than the allowed share are known, or
// which the subject refuses, although the reference answers, unless the answer is known. The layout of the finding is
// that of the first such case.
std::vector<Finding> HiddenLaws(const std::map<std::string, LawTally>& laws,
                                const std::map<std::string, KnownLines>& seen);

}  // namespace layoutcheck
