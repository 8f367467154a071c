// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/solver/formula_proof/formula_search.h"

namespace layoutcheck {
namespace {

constexpr int64_t kFirstPoints = 20'000;
constexpr int64_t kLongPoints = 1'000'000;
// A usual formula has at most 100 nodes, a usual function at most 50 operations.
constexpr int64_t kUsualNodes = 100;
constexpr int64_t kUsualOperations = 50;
// Functions get fewer points than formulas, because a call takes longer.
constexpr int64_t kMaxFunctionCalls = 100'000;
// The first points, which have the smallest shapes, become samples, then one point in 37. A prime step does not fall in
// step with the loops over sizes.
constexpr int64_t kFirstSamples = 50;
constexpr int64_t kSampleStep = 37;
constexpr size_t kMaxSamples = 400;
// Each sample of a certificate is evaluated for each relation to be shown, so more samples take longer.
constexpr size_t kMaxCertificateSamples = 60;

}  // namespace

SearchBudget::SearchBudget(FormulaGoal& goal, int64_t points)
    : goal_(goal),
      limit_(points / std::max<int64_t>(std::ssize(goal.question().formula.formula.nodes) / kUsualNodes, 1)),
      max_operations_(goal.operations() + std::min(points, kMaxFunctionCalls) * kUsualOperations) {}

bool PointSearch::Try() {
  budget.SpendPoint();
  if (!goal.IsInDomain(point)) return budget.IsSpent();
  ++result.points;
  const bool is_sample = budget.spent() < kFirstSamples || budget.spent() % kSampleStep == 0;
  if (is_sample && result.samples.size() < kMaxSamples) result.samples.push_back(point);
  // A function with a state may be right only the first time.
  if (budget.Fails(point) || (is_sample && budget.Fails(point))) result.found = point;
  return IsOver();
}

SearchResult SearchPoints(FormulaGoal& goal, SearchRound round) {
  PointSearch search(goal, round == SearchRound::kFirst ? kFirstPoints : kLongPoints);
  for (const SearchStrategy& strategy : SearchStrategies()) {
    if (search.IsOver()) break;
    if (strategy.first_round_only && round != SearchRound::kFirst) continue;
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
    int64_t largest = 0;
    for (const auto& [name, value] : values) largest = std::max(largest, value);
    return largest;
  });
  return samples;
}

}  // namespace layoutcheck
