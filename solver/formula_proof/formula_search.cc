// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/solver/formula_proof/formula_search.h"
#include <cmath>
#include <map>
#include <set>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

constexpr int64_t kShortPoints = 2'000;
constexpr int64_t kFirstPoints = 20'000;
constexpr int64_t kLongPoints = 1'000'000;
// A usual formula has at most 100 nodes, a usual function at most 50 operations.
constexpr int64_t kUsualNodes = 100;
constexpr int64_t kUsualOperations = 50;
// Functions get fewer points than formulas, because a call takes longer.
constexpr int64_t kMaxFunctionCalls = 100'000;
// The first points, with the smallest shapes, become samples, then one in 37: a prime step is out of step with the
// loops.
constexpr int64_t kFirstSamples = 50;
constexpr int64_t kSampleStep = 37;
constexpr size_t kMaxSamples = 400;
constexpr size_t kPointsPerLength = 8;  // of SearchResult::varied
// Each sample of a certificate is evaluated for each relation to be shown, so more samples take longer.
constexpr size_t kMaxCertificateSamples = 60;

// Fails at every point of the domain, so that a search finds one.
class AnyPointGoal final : public FormulaGoal {
 public:
  using FormulaGoal::FormulaGoal;

  const char* law() const override { return "any point"; }
  std::optional<bool> IsTrueAt(const FormulaPoint& /*point*/) override { return false; }
  void DescribeFailure(const FormulaPoint& /*point*/, ProofResult& /*result*/) override {}
  void AddGoals(FormulaPath& /*path*/) const override {}
  std::string Predicate() const override { return "has no point"; }
};

}  // namespace

SearchBudget::SearchBudget(FormulaGoal& goal, int64_t points)
    : goal_(goal),
      limit_(points / std::max<int64_t>(std::ssize(goal.question().formula.formula.nodes) / kUsualNodes, 1)),
      max_operations_(goal.operations() + std::min(points, kMaxFunctionCalls) * kUsualOperations) {}

bool PointSearch::Try() {
  budget.SpendPoint();
  if (!goal.IsInDomain(point)) return budget.IsSpent();
  const bool is_sample = budget.spent() < kFirstSamples || budget.spent() % kSampleStep == 0;
  if (is_sample && result.samples.size() < kMaxSamples) result.samples.push_back(point);
  // A function with a state may be right only the first time.
  const int64_t before = goal.operations();
  const bool fails = budget.Fails(point);
  const int64_t operations = goal.operations() - before;
  if (fails || (is_sample && budget.Fails(point))) result.found = point;
  if (operations > 0 && result.varied.size() < kMaxSamples && lengths[operations] < kPointsPerLength) {
    ++lengths[operations];
    result.varied.push_back(point);
  }
  return IsOver();
}

SearchResult SearchPoints(FormulaGoal& goal, SearchRound round) {
  PointSearch search(goal, round == SearchRound::kShort   ? kShortPoints
                           : round == SearchRound::kFirst ? kFirstPoints
                                                          : kLongPoints);
  for (const SearchStrategy& strategy : SearchStrategies()) {
    if (search.IsOver()) break;
    if (strategy.first_round_only && round == SearchRound::kLong) continue;
    const SearchBudget::Share share(search.budget, strategy.divisor);
    strategy.run(search);
  }
  return std::move(search.result);
}

std::vector<NamedValues> PickSamples(const FormulaQuestion& question, const std::vector<FormulaPoint>& points) {
  std::vector<NamedValues> samples;
  const size_t step = std::max<size_t>(points.size() / kMaxCertificateSamples, 1);
  for (size_t k = 0; k < points.size(); k += step) {
    NamedValues& values = samples.emplace_back();
    for (size_t v = 0; v < question.variables.size(); ++v) values[question.variables[v].name] = points[k][v];
  }
  std::ranges::stable_sort(samples, {}, [](const NamedValues& values) {
    uint64_t largest = 0;
    for (const auto& [name, value] : values) largest = std::max(largest, MagnitudeOf(value));
    return largest;
  });
  return samples;
}

std::optional<FormulaPoint> GoalSearch::Begin(std::vector<NamedValues>* shared) {
  if (shared != nullptr && !shared->empty()) {
    samples_ = *shared;
    for (const NamedValues& values : samples_) {
      const std::optional<FormulaPoint> point = DomainPoint(values);
      if (point && goal_.FailsAt(*point)) return point;
    }
    return std::nullopt;
  }
  std::optional<FormulaPoint> found;
  if (goal_.question().formula.function.is_pure) {
    SearchResult search = SearchPoints(goal_, SearchRound::kShort);
    KeepSamples(search);
    found = std::move(search.found);
  }
  // The first search finds a better counterexample, and more samples.
  if (found || samples_.empty()) {
    if (auto better = First()) found = std::move(better);
  }
  if (shared != nullptr) *shared = samples_;
  return found;
}

std::optional<FormulaPoint> GoalSearch::First() {
  if (std::exchange(is_searched_, true)) return std::nullopt;
  SearchResult search = SearchPoints(goal_, SearchRound::kFirst);
  KeepSamples(search);
  return std::move(search.found);
}

void GoalSearch::KeepSamples(const SearchResult& search) {
  samples_ = PickSamples(goal_.question(), search.samples);
  const std::vector<NamedValues> varied = PickSamples(goal_.question(), search.varied);
  samples_.insert(samples_.end(), varied.begin(), varied.end());
}

std::optional<FormulaPoint> GoalSearch::DomainPoint(const NamedValues& values) {
  FormulaPoint point;
  for (const FormulaVariable& variable : goal_.question().variables) {
    const auto value = values.find(variable.name);
    if (value == values.end()) return std::nullopt;
    point.push_back(value->second);
  }
  return goal_.IsInDomain(point) ? std::optional(point) : std::nullopt;
}

std::string HintAboutSigns(const FormulaQuestion& question) {
  FormulaQuestion with_signs = question;
  for (FormulaVariable& variable : with_signs.variables) {
    if (variable.kind == FormulaVariable::Kind::kDimension && variable.least == 0) {
      variable.least = FormulaVariable::kNoLeast;
    }
  }
  AnyPointGoal goal(with_signs);
  const std::optional<FormulaPoint> found = SearchPoints(goal, SearchRound::kFirst).found;
  if (!found) return "";
  const FormulaPoint point = MinimizePoint(goal, *found);
  std::vector<std::string> names;
  for (size_t k = 0; k < point.size(); ++k) {
    if (point[k] < question.variables[k].least) names.push_back(question.variables[k].name);
  }
  if (names.empty()) return "";
  return StrCat("; ", StrJoin(names, ", "), names.size() == 1 ? " is" : " are", " >= 0 unless --signed ",
                StrJoin(names, " --signed "), names.size() == 1 ? " says" : " say", " otherwise");
}

namespace {

constexpr int64_t kMaxValue = int64_t{1} << 62;
constexpr int64_t kMaxTile = int64_t{1} << 16;
// Number of constants whose pairwise products and quotients are taken.
constexpr size_t kMaxConstants = 24;
// Bounds the search for divisors to milliseconds for a large prime.
constexpr int64_t kMaxTrialDivisor = int64_t{1} << 20;
constexpr size_t kMaxDivisors = 64;
// Smaller constants have small divisors, which are tried in any case.
constexpr int64_t kLeastFactoredConstant = 4096;

std::vector<int64_t> DivisorsOf(int64_t constant) {
  std::vector<int64_t> divisors;
  for (int64_t d = 2; d <= kMaxTrialDivisor && d <= constant / d && divisors.size() < kMaxDivisors; ++d) {
    if (constant % d == 0) divisors.insert(divisors.end(), {d, constant / d});
  }
  return divisors;
}

// Returns the numbers >= 2 in the layout's tiles and dimensions and in the formulas.
std::set<int64_t> ConstantsOf(const FormulaQuestion& question) {
  std::set<int64_t> constants;
  const auto add_formula = [&](const FormulaQuestion::BoundFormula& bound) {
    for (const FormulaNode& node : bound.formula.nodes) {
      if (node.op == FormulaOp::kLiteral) constants.insert(node.value);
      if (node.op == FormulaOp::kTable) constants.insert(node.operands[2]);
      const bool is_cast = node.op == FormulaOp::kToSigned || node.op == FormulaOp::kToUnsigned;
      // The values of the type, and for a signed one those that are not negative, are fewer than this.
      if (is_cast && node.value < 64) constants.insert({int64_t{1} << (node.value - 1), int64_t{1} << node.value});
    }
    constants.insert(bound.function_numbers.begin(), bound.function_numbers.end());
  };
  if (question.layout) {
    for (const auto& tile : question.layout->layout.tiles) {
      for (const auto& entry : tile) constants.insert(entry.size.value);
    }
    for (const auto& size : question.layout->layout.dimensions) constants.insert(size.value);
  }
  add_formula(question.formula);
  if (question.equals) add_formula(*question.equals);
  for (const auto& [one, other] : question.more_components) add_formula(one);
  for (const auto& assumption : question.assumptions) add_formula(assumption);
  constants.erase(constants.begin(), constants.lower_bound(2));
  return constants;
}

}  // namespace

SearchDictionary MakeSearchDictionary(const FormulaQuestion& question) {
  const std::set<int64_t> constants = ConstantsOf(question);
  SearchDictionary result;
  result.constants.assign(constants.begin(), constants.end());
  if (result.constants.size() > kMaxConstants) result.constants.resize(kMaxConstants);

  std::set<int64_t> values;
  const auto add = [&](Int128 value) {
    for (const int step : {-1, 0, 1}) {
      if (value + step >= 0 && value + step <= kMaxValue) values.insert(static_cast<int64_t>(value + step));
    }
  };
  for (const int64_t a : constants) {
    add(a);
    for (const int64_t b : {2, 3, 5, 10}) add(Int128{a} * b);
    add(a / 2);
    add(std::llround(std::sqrt(static_cast<double>(a))));
    if (a > kLeastFactoredConstant) {
      for (const int64_t divisor : DivisorsOf(a)) add(divisor);
    }
    for (const int64_t b : result.constants) {
      add(Int128{a} * b);
      if (b < a) add(a / b);
    }
  }
  for (int k = 1; k <= 33; ++k) add(Int128{1} << k);
  for (const int64_t prime : {5, 7, 11, 13, 97, 101, 251, 1009, 10007, 65537, 104729, 1000003, 1299709}) add(prime);
  for (const int64_t ten : {10, 100, 1000, 10000, 100000, 1000000}) add(ten);
  for (const int64_t root : {46341, 65536, 92682}) add(root);  // roots of 2^31, 2^32 and 2^33
  result.values.assign(values.begin(), values.end());

  std::set<int64_t> tiles;
  for (const int64_t a : result.constants) {
    for (const int64_t b : {1, 2, 3, 4}) {
      if (a <= kMaxTile / b) tiles.insert(a * b);
    }
  }
  if (tiles.empty()) tiles = {2, 3, 8};
  result.tiles.assign(tiles.begin(), tiles.end());
  return result;
}

namespace {

constexpr int64_t kMaxElements = 4096;            // elements of a shape that has names
constexpr int64_t kMaxNumericElements = 400'000;  // elements of the only shape
constexpr int64_t kUnboundedSize = 12;            // tried for an index without a size
constexpr size_t kEnoughSizes = 16;

// The search for two indices with the same value: all indices of a shape are evaluated once, not in pairs.
class CollisionSearch {
 public:
  explicit CollisionSearch(PointSearch& search) : search_(search), rank_(search.question.indices.size() / 2) {}

  // Visits the indices of the shape in `point`. Returns true if the search is over.
  bool TryShape() {
    int64_t elements = 1;
    for (size_t k = 0; k < rank_; ++k) {
      const int64_t size = SizeOf(k);
      if (size < 1 || size > (search_.name_count == 0 ? kMaxNumericElements : kMaxElements) / elements) return false;
      elements *= size;
    }
    seen_.clear();
    return TryIndices(0);
  }

 private:
  int64_t SizeOf(size_t k) const {
    const FormulaIndex& index = search_.question.indices[k];
    return index.size ? index.size->At(search_.point) : kUnboundedSize;
  }
  int64_t& First(size_t k) { return search_.point[search_.question.indices[k].variable]; }
  int64_t& Second(size_t k) { return search_.point[search_.question.indices[rank_ + k].variable]; }

  bool TryIndices(size_t k) {
    if (k == rank_) return TryIndex();
    const int64_t size = SizeOf(k);
    for (int64_t i = 0; i < size; ++i) {
      First(k) = i;
      if (TryIndices(k + 1)) return true;
    }
    return false;
  }

  // Tries the pair of this index and an earlier one with the same value, or of twice this index.
  bool TryIndex() {
    search_.budget.SpendPoint();
    for (size_t k = 0; k < rank_; ++k) Second(k) = First(k);
    if (search_.budget.IsSpent() || !search_.goal.IsInDomain(search_.point)) return search_.budget.IsSpent();
    std::vector<Int128> values;
    if (!search_.goal.AppendDistinctValues(search_.point, values)) return search_.Try();
    std::vector<int64_t> index;
    for (size_t k = 0; k < rank_; ++k) index.push_back(First(k));
    const auto [place, is_new] = seen_.try_emplace(std::move(values), std::move(index));
    if (is_new) return false;
    for (size_t k = 0; k < rank_; ++k) Second(k) = place->second[k];
    return search_.Try();
  }

  PointSearch& search_;
  size_t rank_;
  std::map<std::vector<Int128>, std::vector<int64_t>> seen_;
};

}  // namespace

void TryCollisions(PointSearch& search) {
  if (!search.goal.HasDistinctValues()) return;
  std::set<int64_t> sizes = {1, 2, 3, 4, 5, 8};
  for (const int64_t constant : search.dictionary.constants) {
    if (sizes.size() < kEnoughSizes) sizes.insert({constant - 1, constant, constant + 1});
  }
  CollisionSearch collisions(search);
  ForAll(
      search.point, 0, search.name_count, [&](size_t) -> const auto& { return sizes; },
      [&] { return collisions.TryShape(); });
}

}  // namespace layoutcheck
