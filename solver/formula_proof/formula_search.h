// The search for a point at which a formula is wrong. What it finds was evaluated in numbers, and is minimized.
#ifndef LAYOUTCHECK_SOLVER_FORMULA_PROOF_FORMULA_SEARCH_H_
#define LAYOUTCHECK_SOLVER_FORMULA_PROOF_FORMULA_SEARCH_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "layoutcheck/solver/formula_proof/formula_point.h"

namespace layoutcheck {

// What is looked for: any property of points.
using PointPredicate = std::function<bool(const FormulaPoint&)>;

struct SearchResult {
  std::optional<FormulaPoint> found;
  // Some points of the domain that were met, all different: samples of what the question is about.
  std::vector<FormulaPoint> samples;
};

// Tries the small shapes exhaustively, the last element of all shapes of some more, then shapes and indices where
// mistakes are: around tile sizes, the constants of the formulas and their multiples, products and divisors, powers of
// two, 2^31 and 2^32, primes, equal dimensions, the first, the last and the middle element. `wrong` is asked of points
// of the domain, at most `budget` of them or so. The same question is searched in the same way every time.
SearchResult SearchPoints(const FormulaQuestion& question, PointEvaluator& evaluator, const PointPredicate& wrong,
                          int64_t budget);

// Tries the largest shapes of a bounded domain: all names small but one, or all equal, which is as large as `in_scope`
// lets it be, with the last index of each dimension and the first. For what goes wrong at the bound.
std::optional<FormulaPoint> SearchExtremes(const FormulaQuestion& question, const PointPredicate& in_scope,
                                           const PointPredicate& wrong);

// A point that is wrong, too, and smaller: first each dimension as small as it can be, then each tile size, then each
// index. `budget` is how many points are tried at most.
FormulaPoint MinimizePoint(const FormulaQuestion& question, PointEvaluator& evaluator, const PointPredicate& wrong,
                           FormulaPoint point, int64_t budget);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_SOLVER_FORMULA_PROOF_FORMULA_SEARCH_H_
