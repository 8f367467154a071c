// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/properties/generate/draw_case.h"
#include <utility>
#include "layoutcheck/properties/generate/draw_pattern.h"

namespace layoutcheck {
namespace {

constexpr uint64_t kHugeEvery = 8;
// The first rounds have small sizes, because a slow subject gets few cases.
constexpr uint64_t kSmallRounds = 3;
// A family has a turn per round for each so many patterns.
constexpr size_t kPatternsPerTurn = 120;
// A pattern without a layout within the scope leaves its turn to one of the next.
constexpr size_t kOtherPatterns = 8;

// Returns true if some layout of the pattern is an XLA layout within the scope.
bool IsUsable(const LayoutPattern& pattern, const LayoutScope& scope) {
  if (pattern.rank() > scope.max_rank || pattern.tiles() > scope.max_tiles) return false;
  if (!pattern.is_shape_stride()) return true;
  const Expected<Shape> shape = pattern.ShapeWith(std::vector<int64_t>(pattern.names().size(), 2));
  return shape && shape->rank() <= scope.max_rank &&
         static_cast<int64_t>(shape->layout->tiles.size()) <= scope.max_tiles;
}

}  // namespace

bool IsFamilyCase(uint64_t number) {
  uint64_t digits = 0;  // sum of the digits in base 3
  for (; number > 0; number /= 3) digits += number % 3;
  return digits % 3 == 2;
}

CaseSource::CaseSource(const LayoutScope& scope) : scope_(scope) {
  for (const LayoutFamily& family : AllFamilies()) Add(family.name, family.patterns);
}

CaseSource::CaseSource(const LayoutScope& scope, std::span<const LayoutPattern> patterns, std::string_view family)
    : scope_(scope), patterns_only_(true) {
  Add(family, patterns);
}

void CaseSource::Add(std::string_view name, std::span<const LayoutPattern> patterns) {
  const size_t turns = 1 + patterns.size() / kPatternsPerTurn;
  for (size_t turn = 0; turn < turns; ++turn) {
    Turn added{name, {}};
    for (size_t k = turn; k < patterns.size(); k += turns) {
      // As a layout that a user gives, so a user's pattern is asked about in any rank.
      if (name.empty() || IsUsable(patterns[k], scope_)) added.patterns.push_back(&patterns[k]);
    }
    if (!added.patterns.empty()) turns_.push_back(std::move(added));
  }
}

std::optional<DrawnCase> CaseSource::Draw(uint64_t seed, uint64_t number) const {
  if (patterns_only_) return DrawFromFamily(seed, number, number);
  std::optional<DrawnCase> drawn;
  if (IsFamilyCase(number)) drawn = DrawFromFamily(seed, number, number / 3);
  return drawn ? std::move(drawn) : DrawRandom(seed, number);
}

// `draw` counts the draws from families.
std::optional<DrawnCase> CaseSource::DrawFromFamily(uint64_t seed, uint64_t number, uint64_t draw) const {
  if (turns_.empty()) return std::nullopt;
  // The order rotates, so that a share of the cases has all families for any number of shares.
  const uint64_t round = draw / turns_.size();
  const Turn& turn = turns_[(draw + round) % turns_.size()];
  const bool huge = round % kHugeEvery == kHugeEvery - 1;
  const DrawnSizes sizes = huge ? DrawnSizes::kHuge : round < kSmallRounds ? DrawnSizes::kSmall : DrawnSizes::kAny;
  RandomChoices choices(seed, number);
  // Every pattern has its turn. Seed 1, the default, begins with the most usual one.
  const size_t first = (round + 7 * (seed - 1)) % turn.patterns.size();
  const auto draw_with = [&](DrawnSizes drawn) -> std::optional<DrawnCase> {
    for (size_t k = 0; k < turn.patterns.size() && k < kOtherPatterns; ++k) {
      const LayoutPattern& pattern = *turn.patterns[(first + k) % turn.patterns.size()];
      auto layout = DrawFromPattern(choices, pattern, drawn, scope_);
      if (!layout) continue;
      return DrawnCase{.shape = std::move(layout->shape),
                       .is_huge = drawn == DrawnSizes::kHuge,
                       .pattern = &pattern,
                       .values = std::move(layout->values),
                       .family = turn.family,
                       .keeps_pattern = patterns_only_ && turn.family.empty()};
    }
    return std::nullopt;
  };
  std::optional<DrawnCase> drawn = draw_with(sizes);
  if (!drawn && patterns_only_) drawn = draw_with(DrawnSizes::kHuge);
  return drawn;
}

DrawnCase CaseSource::DrawRandom(uint64_t seed, uint64_t number) const {
  RandomChoices choices(seed, number);
  const bool huge = number % kHugeEvery == kHugeEvery - 1;
  return {huge ? DrawHugeLayout(choices, scope_) : DrawLayout(choices, scope_), huge, nullptr, {}, {}};
}

}  // namespace layoutcheck
