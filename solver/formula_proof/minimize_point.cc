// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <set>
#include "layoutcheck/solver/formula_proof/formula_search.h"

namespace layoutcheck {
namespace {

constexpr int64_t kMinimizePoints = 150'000;
// Number of other indices tried in a smaller shape: few per step of a bisection, more for a likely size.
constexpr int64_t kFewTries = 9;
constexpr int64_t kMoreTries = 60;
constexpr int64_t kSmallValues = 300;   // all smaller values are tried, larger ones only from the dictionary
constexpr int64_t kFewFreeIndices = 3;  // of an index without a size
constexpr int64_t kLastIndices = 8;     // number tried per dimension
constexpr int64_t kOtherValues = 1024;  // of another index: a block has so many threads
constexpr int64_t kOtherDivisor = 4;    // of the points, for the search for another index

class Minimizer {
 public:
  Minimizer(FormulaGoal& goal, FormulaPoint point)
      : goal_(goal),
        question_(goal.question()),
        budget_(goal, kMinimizePoints),
        dictionary_(MakeSearchDictionary(question_)),
        best_(std::move(point)) {}

  FormulaPoint Run() {
    using Kind = FormulaVariable::Kind;
    for (bool smaller = true; smaller && !budget_.IsSpent();) {
      smaller = false;
      for (const Kind kind : {Kind::kDimension, Kind::kTileSize}) {
        smaller = MinimizeEach(kind) || smaller;
        smaller = MinimizeEqual(kind) || smaller;
      }
      smaller = MinimizeEach(Kind::kIndex) || smaller;
      if (!smaller) smaller = MinimizeWithOtherIndex();
    }
    return best_;
  }

 private:
  bool Fails(const FormulaPoint& point) {
    budget_.SpendPoint();
    return goal_.IsInDomain(point) && budget_.Fails(point);
  }

  bool MinimizeEach(FormulaVariable::Kind kind) {
    bool smaller = false;
    for (size_t k = 0; k < best_.size(); ++k) {
      if (question_.variables[k].kind == kind) smaller = Minimize({k}) || smaller;
    }
    return smaller;
  }

  // Minimizes variables with equal values together, because the goal may fail only where they are equal.
  bool MinimizeEqual(FormulaVariable::Kind kind) {
    for (size_t a = 0; a < best_.size(); ++a) {
      if (question_.variables[a].kind != kind) continue;
      std::vector<size_t> equal;
      for (size_t b = a; b < best_.size(); ++b) {
        if (question_.variables[b].kind == kind && best_[b] == best_[a]) equal.push_back(b);
      }
      if (equal.size() >= 2 && Minimize(equal)) return true;
    }
    return false;
  }

  // Reduces sizes where the goal fails at a larger index: at a smaller size, another thread is the first that goes
  // wrong. Changes one index that has no size, and another variable by 1. Returns true if a size got smaller.
  bool MinimizeWithOtherIndex() {
    using Kind = FormulaVariable::Kind;
    const SearchBudget::Share share(budget_, kOtherDivisor);
    const FormulaPoint before = best_;
    // One value per power of two is enough: the search among smaller sizes, which follows, finds smaller indices.
    std::set<int64_t> values;
    for (int64_t power = 1; power <= kOtherValues; power *= 2) values.insert({power - 1, power});
    for (size_t k = 0; k < before.size(); ++k) {
      if (before[k] <= std::max<int64_t>(question_.variables[k].least, 0)) continue;
      for (const FormulaIndex& index : question_.indices) {
        if (index.size || index.variable == k) continue;
        FormulaPoint point = before;
        --point[k];
        const auto found = std::ranges::find_if(values, [&](int64_t value) {
          point[index.variable] = value;
          return !budget_.IsSpent() && Fails(point);
        });
        if (found == values.end()) continue;
        best_ = point;
        MinimizeEach(Kind::kDimension);
        MinimizeEach(Kind::kTileSize);
        if (HasSmallerSizeThan(before)) return true;
        best_ = before;
      }
    }
    return false;
  }

  bool HasSmallerSizeThan(const FormulaPoint& other) const {
    for (size_t k = 0; k < best_.size(); ++k) {
      if (question_.variables[k].kind != FormulaVariable::Kind::kIndex && best_[k] < other[k]) return true;
    }
    return false;
  }

  // Reduces `variables`, which have one common value, together. Returns true if a smaller value was found. A negative
  // value stays negative, and is reduced to one nearer to 0.
  bool Minimize(const std::vector<size_t>& variables) {
    const size_t first = variables[0];
    if (best_[first] == FormulaVariable::kNoLeast) return false;  // it has no magnitude
    const int64_t sign = best_[first] < 0 ? -1 : 1;
    const int64_t least = std::max<int64_t>(question_.variables[first].least, 0);
    const int64_t before = best_[first];
    const auto magnitude = [&] { return sign * best_[first]; };
    const auto try_value = [&](int64_t value, int64_t tries) {
      FormulaPoint point = best_;
      for (const size_t variable : variables) point[variable] = sign * value;
      return TryShape(std::move(point), question_.variables[first].kind, tries);
    };
    const auto bisect = [&] {
      for (int64_t step = (magnitude() - least + 1) / 2; step > 0 && !budget_.IsSpent();) {
        if (magnitude() - step < least || !try_value(magnitude() - step, kFewTries)) step /= 2;
      }
    };
    bisect();
    for (const int64_t value : LikelyValues(least, magnitude())) {
      if (budget_.IsSpent() || try_value(value, kMoreTries)) break;
    }
    bisect();
    return best_[first] != before;
  }

  // Returns the values to try in [least, end). Requires least <= end.
  std::set<int64_t> LikelyValues(int64_t least, int64_t end) const {
    std::set<int64_t> likely;
    for (int64_t value = least; value < std::min(end, kSmallValues); ++value) likely.insert(value);
    for (const std::vector<int64_t>& list : {dictionary_.values, dictionary_.tiles}) {
      likely.insert(std::ranges::lower_bound(list, least), std::ranges::lower_bound(list, end));
    }
    return likely;
  }

  // Keeps the point if the goal fails there with its indices or, if a size changed, with others.
  bool TryShape(FormulaPoint point, FormulaVariable::Kind changed, int64_t tries) {
    for (const FormulaIndex& index : question_.indices) {
      if (!index.size) continue;
      const int64_t size = index.size->At(point);
      if (size < 1) return false;
      point[index.variable] = std::min(point[index.variable], size - 1);
    }
    if (Fails(point)) {
      best_ = std::move(point);
      return true;
    }
    return changed != FormulaVariable::Kind::kIndex && TryOtherIndices(point, tries);
  }

  bool TryOtherIndices(const FormulaPoint& shape, int64_t tries) {
    FormulaPoint point = shape;
    const size_t names = point.size() - question_.indices.size();
    const auto values_of = [&](size_t k) {
      const FormulaIndex& index = question_.indices[k - names];
      std::vector<int64_t> values = {shape[k]};
      if (!index.size) {
        for (int64_t i = 0; i < kFewFreeIndices; ++i) values.push_back(i);
        return values;
      }
      const int64_t size = index.size->At(shape);
      values.insert(values.end(), {size - 1, 0});
      for (int64_t i = size - 2; i >= std::max<int64_t>(size - kLastIndices, 1); --i) values.push_back(i);
      return values;
    };
    bool found = false;
    ForAll(point, names, point.size(), values_of, [&] {
      if (--tries < 0 || budget_.IsSpent()) return true;
      found = Fails(point);
      return found;
    });
    if (found) best_ = std::move(point);
    return found;
  }

  FormulaGoal& goal_;
  const FormulaQuestion& question_;
  SearchBudget budget_;
  const SearchDictionary dictionary_;
  FormulaPoint best_;
};

}  // namespace

FormulaPoint MinimizePoint(FormulaGoal& goal, FormulaPoint point) {
  goal.SetRunLength(RunLength::kUsual);
  const bool fails_in_usual_run = goal.IsInDomain(point) && goal.FailsAt(point);
  if (!fails_in_usual_run) goal.SetRunLength(RunLength::kShortened);
  return Minimizer(goal, std::move(point)).Run();
}

}  // namespace layoutcheck
