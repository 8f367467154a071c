// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Questions about few points: if the sizes are numbers and the assumptions bound every name, a goal is decided at every
// point. Trusted where checkers of certificates do not evaluate the points themselves.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>
#include "layoutcheck/solver/formula_proof/formula_goal.h"

namespace layoutcheck {

// The least and the largest value of each variable of a question. No point outside of the box is in its domain.
struct FiniteBox {
  std::vector<int64_t> least;
  std::vector<int64_t> most;
};

// Returns a box of at most `max_points` points, or nothing if the question gives none. The bounds are those of indices
// with sizes, and comparisons of a name with a number that an assumption requires ("0 <= x && x < 32").
std::optional<FiniteBox> FiniteBoxOf(const FormulaQuestion& question, int64_t max_points);
// Returns the box, however many points it has, if it bounds every variable.
std::optional<FiniteBox> BoundedBoxOf(const FormulaQuestion& question);

struct BoxResult {
  std::optional<FormulaPoint> found;  // the goal fails here
  // True if no point failed and every point was decided: it is outside of the domain or scope, or the goal holds there.
  bool holds = false;
  bool has_point = false;  // a point is in the domain and in scope
};

// Decides the goal at the points of the box, in order, until one fails or cannot be decided.
BoxResult DecideBox(FormulaGoal& goal, const FiniteBox& box);

}  // namespace layoutcheck
