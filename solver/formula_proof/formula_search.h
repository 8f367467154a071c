// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The search for a point at which a goal fails: its dictionary, budget, state and strategies.
#ifndef LAYOUTCHECK_SOLVER_FORMULA_PROOF_FORMULA_SEARCH_H_
#define LAYOUTCHECK_SOLVER_FORMULA_PROOF_FORMULA_SEARCH_H_

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "layoutcheck/solver/formula_proof/formula_goal.h"

namespace layoutcheck {

// Numbers near which a formula is likely to behave differently.
struct SearchDictionary {
  // The constants >= 2 of the layout's tiles and dimensions and of the formulas, ascending.
  std::vector<int64_t> constants;
  // The constants up to 2^16 and their small multiples: sizes of tiles, as the formulas see them. Never empty.
  std::vector<int64_t> tiles;
  // Values for sizes and indices, ascending: the constants, their products, quotients, divisors and roots, powers of
  // two and of ten, primes, each with its neighbors. All are in [0, 2^62].
  std::vector<int64_t> values;
};

SearchDictionary MakeSearchDictionary(const FormulaQuestion& question);

// The work that a search may do: a number of points and, as a function may take long at large points, a number of
// operations.
class SearchBudget {
 public:
  // The budget of `points` points of a usual formula: a long one gets fewer.
  SearchBudget(FormulaGoal& goal, int64_t points);

  bool IsSpent() const { return spent_ >= limit_; }
  int64_t spent() const { return spent_; }
  void SpendPoint() { ++spent_; }
  // Returns true if the goal fails at the point, for which IsInDomain() just returned true. A function is not run any
  // more once its operations are spent.
  bool Fails(const FormulaPoint& point) { return goal_.operations() < max_operations_ && goal_.FailsAt(point); }

  // Limits a budget to 1/divisor of its points as long as the object lives.
  class Share {
   public:
    Share(SearchBudget& budget, int64_t divisor)
        : budget_(budget),
          limit_(std::exchange(budget.limit_, std::min(budget.limit_, budget.spent_ + budget.limit_ / divisor))) {}
    ~Share() { budget_.limit_ = limit_; }
    Share(const Share&) = delete;
    Share& operator=(const Share&) = delete;

   private:
    SearchBudget& budget_;
    int64_t limit_;
  };

 private:
  FormulaGoal& goal_;
  int64_t limit_;
  int64_t spent_ = 0;
  int64_t max_operations_;
};

struct SearchResult {
  std::optional<FormulaPoint> found;  // a point at which the goal fails
  // Some of the points of the domain that were tried, all different.
  std::vector<FormulaPoint> samples;
};

// One search while it runs. Strategies write a point into `point` and try it.
struct PointSearch {
  PointSearch(FormulaGoal& searched, int64_t points)
      : goal(searched),
        question(searched.question()),
        dictionary(MakeSearchDictionary(question)),
        name_count(question.names().size()),
        budget(searched, points),
        point(question.variables.size()) {}

  // Tries `point`. Returns true if the search is over: the goal fails there or the budget is spent.
  bool Try();
  bool IsOver() const { return result.found.has_value() || budget.IsSpent(); }

  FormulaGoal& goal;
  const FormulaQuestion& question;
  const SearchDictionary dictionary;
  const size_t name_count;  // the first variables are names of dimensions and tile sizes, the others indices
  SearchBudget budget;
  FormulaPoint point;
  SearchResult result;
};

// Calls visit(), until it returns true, for every choice of one of values_of(k) for each variable k of [k, end).
template <class ValuesOf, class Visit>
bool ForAll(FormulaPoint& point, size_t k, size_t end, const ValuesOf& values_of, const Visit& visit) {
  if (k == end) return visit();
  for (const int64_t value : values_of(k)) {
    point[k] = value;
    if (ForAll(point, k + 1, end, values_of, visit)) return true;
  }
  return false;
}

// A way to choose points.
struct SearchStrategy {
  const char* name;
  int64_t divisor;        // its share of the search's points is 1/divisor
  bool first_round_only;  // a longer search would repeat it
  void (*run)(PointSearch& search);
};

// Returns all strategies in the order in which they are tried.
std::span<const SearchStrategy> SearchStrategies();

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
