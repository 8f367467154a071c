// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reports laws under which a run checked nearly nothing, because accepted differences or refusals hide the answers.
#pragma once

#include <cstdint>
#include <vector>
#include "layoutcheck/properties/run/runner.h"

namespace layoutcheck {

// largest share of a law's answered cases that may be known, unless a matching line states its own "rate"
inline constexpr double kMostKnown = 0.5;
// A law with fewer cases is not judged.
inline constexpr int64_t kFewestCases = 20;

// Returns one finding for each law of at least kFewestCases cases of which more than the allowed share are known, or
// which the subject refuses, although the reference answers, unless the answer is known. The layout of the finding is
// that of the first such case.
std::vector<Finding> HiddenLaws(const CheckSummary& summary, const KnownDifferences& known);

}  // namespace layoutcheck
