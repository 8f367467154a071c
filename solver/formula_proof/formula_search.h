// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The search for a point at which a goal fails: its dictionary, budget, state and strategies.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>
#include "layoutcheck/solver/formula_proof/bounded_question.h"
#include "layoutcheck/solver/formula_proof/formula_goal.h"

namespace layoutcheck {

// Returns |value|, also of the least integer.
constexpr uint64_t MagnitudeOf(int64_t value) {
  return value < 0 ? ~static_cast<uint64_t>(value) + 1 : static_cast<uint64_t>(value);
}

// Numbers near which a formula is likely to change its behavior.
struct SearchDictionary {
  std::vector<int64_t> constants;  // constants >= 2 of the layout's tiles and dimensions and of the formulas, ascending
  // The constants up to 2^16 and their small multiples, which may be sizes of tiles. Never empty.
  std::vector<int64_t> tiles;
  // Values in [0, 2^62] for sizes and indices, ascending: the constants, their products, quotients, divisors and roots,
  // powers of two and of ten, and primes, each with its neighbors.
  std::vector<int64_t> values;
};

SearchDictionary MakeSearchDictionary(const FormulaQuestion& question);

// The work that a search may do: a number of points and, because a function may be slow at large points, of operations.
class SearchBudget {
 public:
  // Gives the work that `points` points of a usual formula take. A long formula gets fewer points.
  SearchBudget(FormulaGoal& goal, int64_t points);

  bool IsSpent() const { return spent_ >= limit_; }
  int64_t spent() const { return spent_; }
  void SpendPoint() { ++spent_; }
  // Returns true if the goal fails at the point, for which IsInDomain() just returned true, and operations are left.
  bool Fails(const FormulaPoint& point) { return goal_.operations() < max_operations_ && goal_.FailsAt(point); }

  // Limits a budget to 1/divisor of its points while the object lives.
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
  std::optional<FormulaPoint> found;  // point at which the goal fails
  std::vector<FormulaPoint> samples;  // some of the tried points of the domain, all different
  // A few for each number of operations that a function took: most points have the same short path.
  std::vector<FormulaPoint> varied;
};

// The state of one search. Strategies write a point into `point` and call Try().
struct PointSearch {
  PointSearch(FormulaGoal& searched, int64_t points)
      : goal(searched),
        question(searched.question()),
        dictionary(MakeSearchDictionary(question)),
        name_count(question.names().size()),
        least(LeastValuesOf(question)),
        budget(searched, points),
        point(question.variables.size()) {}

  // Tries `point`. Returns true if the search is over: the goal fails there or the budget is spent.
  bool Try();
  bool IsSigned(size_t name) const { return question.variables[name].IsSigned(); }
  bool IsOver() const { return result.found.has_value() || budget.IsSpent(); }

  FormulaGoal& goal;
  const FormulaQuestion& question;
  const SearchDictionary dictionary;
  const size_t name_count;           // the first variables are dimensions and tile sizes, the others indices
  const std::vector<int64_t> least;  // LeastValuesOf(question)
  SearchBudget budget;
  FormulaPoint point;
  SearchResult result;
  std::map<int64_t, size_t> lengths;  // number of points in result.varied by the number of operations
};

// Calls visit() for every choice of one of values_of(k) for each variable k in [k, end), until it returns true.
template <class ValuesOf, class Visit>
bool ForAll(FormulaPoint& point, size_t k, size_t end, const ValuesOf& values_of, const Visit& visit) {
  if (k == end) return visit();
  for (const int64_t value : values_of(k)) {
    point[k] = value;
    if (ForAll(point, k + 1, end, values_of, visit)) return true;
  }
  return false;
}

struct SearchStrategy {
  const char* name;
  int64_t divisor;        // the strategy gets 1/divisor of the points
  bool first_round_only;  // a longer search would repeat it
  void (*run)(PointSearch& search);
};

std::span<const SearchStrategy> SearchStrategies();

// Tries pairs of indices with the same values, if the goal is that they have different ones.
void TryCollisions(PointSearch& search);

// The first search runs before a proof is tried, the long one if no proof is found. GoalSearch says when the short one
// runs.
enum class SearchRound : uint8_t { kShort, kFirst, kLong };

// Tries the points of one strategy after another, deterministically, until the goal fails or the budget is spent.
SearchResult SearchPoints(FormulaGoal& goal, SearchRound round);

// Returns some of the points, smallest first, for certificates, which are evaluated at the first that is left.
std::vector<NamedValues> PickSamples(const FormulaQuestion& question, const std::vector<FormulaPoint>& points);

// The searches of one proof.
class GoalSearch {
 public:
  explicit GoalSearch(FormulaGoal& goal) : goal_(goal) {}

  // The functions below return a point at which the goal fails, or nothing.

  // Searches before the proof by canonical forms. Tries the points in `shared` alone, if there are any; otherwise
  // writes its samples there. `shared` may be null. The search for a pure function is short: its points take long, and
  // First() is left to be called where the proof fails.
  std::optional<FormulaPoint> Begin(std::vector<NamedValues>* shared);
  // Runs the first search, unless it has been run.
  std::optional<FormulaPoint> First();
  std::optional<FormulaPoint> Long() { return SearchPoints(goal_, SearchRound::kLong).found; }

  // Points of the domain, for certificates and to save questions to solvers.
  const std::vector<NamedValues>& samples() const { return samples_; }
  // Returns the point with these values if it is in the domain.
  std::optional<FormulaPoint> DomainPoint(const NamedValues& values);

 private:
  void KeepSamples(const SearchResult& search);

  FormulaGoal& goal_;
  std::vector<NamedValues> samples_;
  bool is_searched_ = false;  // the first search was run
};

// Returns the end of the message that no point satisfies the assumptions: "; B is >= 0 unless --signed B says
// otherwise", for the names that are negative at a point that satisfies them. Empty if no such point is found.
std::string HintAboutSigns(const FormulaQuestion& question);

// Returns a point, no larger than `point`, at which the goal also fails. Minimizes dimensions, then tile sizes, then
// indices. If the goal fails at `point` only in a kShortened run, so are those of smaller points, and the result is a
// guess, which FailsInWholeRunAt() confirms.
FormulaPoint MinimizePoint(FormulaGoal& goal, FormulaPoint point);

}  // namespace layoutcheck
