// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The search for a point at which a goal fails.
#ifndef LAYOUTCHECK_SOLVER_FORMULA_PROOF_FORMULA_SEARCH_H_
#define LAYOUTCHECK_SOLVER_FORMULA_PROOF_FORMULA_SEARCH_H_

#include <optional>
#include <vector>

#include "layoutcheck/solver/formula_proof/formula_goal.h"

namespace layoutcheck {

struct SearchResult {
  std::optional<FormulaPoint> found;  // a point at which the goal fails
  // Some of the points of the domain that were tried, all different.
  std::vector<FormulaPoint> samples;
};

// A short search comes before a proof is tried, a long one after none was found.
enum class SearchRound : uint8_t { kFirst, kLong };

// Tries points by one strategy after another (see search_strategies.cc) until the goal fails at one or the budget of
// the round is spent. The same goal is searched in the same way every time.
SearchResult SearchPoints(FormulaGoal& goal, SearchRound round);

// Returns a point at which the goal fails, too, and which is at most as large as `point`: first each dimension as small
// as it can be, then each tile size, then each index.
FormulaPoint MinimizePoint(FormulaGoal& goal, FormulaPoint point);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_SOLVER_FORMULA_PROOF_FORMULA_SEARCH_H_
