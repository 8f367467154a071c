// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parts of a search: its budget, its state and its strategies.
#ifndef LAYOUTCHECK_SOLVER_FORMULA_PROOF_POINT_SEARCH_H_
#define LAYOUTCHECK_SOLVER_FORMULA_PROOF_POINT_SEARCH_H_

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>

#include "layoutcheck/solver/formula_proof/formula_dictionary.h"
#include "layoutcheck/solver/formula_proof/formula_search.h"

namespace layoutcheck {

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

// One search while it runs. Strategies write a point into `point` and try it.
struct PointSearch {
  PointSearch(FormulaGoal& searched, int64_t points)
      : goal(searched),
        question(searched.question()),
        dictionary(MakeFormulaDictionary(question)),
        name_count(question.names().size()),
        budget(searched, points),
        point(question.variables.size()) {}

  // Tries `point`. Returns true if the search is over: the goal fails there or the budget is spent.
  bool Try();
  bool IsOver() const { return result.found.has_value() || budget.IsSpent(); }

  FormulaGoal& goal;
  const FormulaQuestion& question;
  const FormulaDictionary dictionary;
  const size_t name_count;  // the first variables are names of dimensions and tile sizes, the others indices
  SearchBudget budget;
  FormulaPoint point;
  SearchResult result;
};

// A way to choose points.
struct SearchStrategy {
  const char* name;
  int64_t divisor;        // its share of the search's points is 1/divisor
  bool first_round_only;  // a longer search would repeat it
  void (*run)(PointSearch& search);
};

// Returns all strategies in the order in which they are tried.
std::span<const SearchStrategy> SearchStrategies();

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_SOLVER_FORMULA_PROOF_POINT_SEARCH_H_
