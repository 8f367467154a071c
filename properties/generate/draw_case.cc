// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/properties/generate/draw_case.h"
#include <algorithm>
#include <array>
#include <iterator>
#include <utility>
#include "layoutcheck/core/hlo/parser.h"
#include "layoutcheck/core/tiling/sizes.h"
#include "layoutcheck/properties/generate/size_target.h"

namespace layoutcheck {
namespace {

constexpr uint64_t kHugeEvery = 5;
// The first rounds have small sizes, because a slow subject gets few cases.
constexpr uint64_t kSmallRounds = 3;
// A family has a turn per round for each so many patterns.
constexpr size_t kPatternsPerTurn = 120;
// A pattern without a layout within the scope leaves its turn to one of the next.
constexpr size_t kOtherPatterns = 8;

constexpr int64_t kTileSizes[] = {64, 2, 128, 3, 64, 1, 5, 16};
constexpr int kAttempts = 8;

// The sizes that a pattern's names are drawn from. One or two dimensions are past a tile, the others are small.
enum class DrawnSizes {
  kSmall,  // a tile's size, its neighbors, 1, 2 and 3
  kAny,    // also multiples of a tile and their neighbors, primes, and 0
  kHuge,   // one dimension is so large that the array has about a target's size, the others are as for kSmall
};

// A layout of a pattern.
struct PatternLayout {
  std::vector<int64_t> values;  // one per name
  Shape shape;
};

// Draws a size about one of the tiles that cut the dimension.
int64_t DrawNearTile(Choices& choices, const std::vector<int64_t>& periods, bool any) {
  const int64_t tile = periods[choices.Choose(4) == 3 ? choices.Choose(periods.size()) : 0];
  const int64_t off = std::array{1, -1, 1, 0}[choices.Choose(4)];
  const int64_t tiles = any && choices.Choose(4) == 3 ? 2 + static_cast<int64_t>(choices.Choose(2)) : 1;
  return tile * tiles + off;
}

// Draws a size of a dimension without regard to tiles.
int64_t DrawFree(Choices& choices, bool any) {
  if (!any || choices.Choose(2) == 0) return 1 + static_cast<int64_t>(choices.Choose(3));
  const uint64_t kind = choices.Choose(8);
  if (kind == 7) return 0;
  if (kind >= 4) return 1 + static_cast<int64_t>(choices.Choose(9));
  return kPrimes[choices.Choose(std::size(kPrimes))];
}

// Returns the periods of a name. Those of a dimension that a named tile cuts are only known once the tile has its
// value.
std::vector<int64_t> PeriodsOf(const LayoutPattern& pattern, std::span<const int64_t> values, size_t name) {
  std::vector<int64_t> periods = pattern.names()[name].periods;
  if (!periods.empty()) return periods;
  for (size_t tile = 0; tile < pattern.names().size(); ++tile) {
    if (pattern.names()[tile].is_tile) periods.push_back(std::max<int64_t>(values[tile], 1));
  }
  return periods;
}

// Returns the names of dimensions that are to be near a tile: one, or half of the time all of them.
std::vector<bool> DrawFocus(Choices& choices, const LayoutPattern& pattern, std::span<const int64_t> values) {
  std::vector<bool> focus(pattern.names().size());
  std::vector<size_t> tiled;
  for (size_t n = 0; n < focus.size(); ++n) {
    if (!pattern.names()[n].is_tile && !PeriodsOf(pattern, values, n).empty()) tiled.push_back(n);
  }
  if (tiled.empty()) return focus;
  const size_t one = tiled[choices.Choose(tiled.size())];
  const bool all = choices.Choose(2) == 1;
  for (const size_t n : tiled) focus[n] = all || n == one;
  return focus;
}

// Sets one dimension so that the array has about the target's size.
void MakeHuge(Choices& choices, const LayoutPattern& pattern, const SizeTarget& target, std::vector<int64_t>& values) {
  std::vector<size_t> dimensions;
  for (size_t n = 0; n < values.size(); ++n) {
    if (!pattern.names()[n].is_tile) dimensions.push_back(n);
  }
  if (dimensions.empty()) return;
  for (const size_t n : dimensions) values[n] = std::max<int64_t>(values[n], 1);  // an element is asked for
  const size_t large = dimensions[choices.Choose(dimensions.size())];
  const std::vector<int64_t> periods = PeriodsOf(pattern, values, large);
  const int64_t tile = periods.empty() ? 1 : periods[0];
  values[large] = tile;
  const Expected<Shape> one_tile = pattern.ShapeWith(values);
  if (!one_tile) return;
  const Expected<LayoutSizes> sizes = SizesOf(*one_tile);
  if (sizes) values[large] = DimensionNear(choices, target, *sizes, tile);
}

// Makes the largest dimension smaller: it becomes what the other dimensions leave of `most_elements`, or is halved.
// Returns false if all are 1.
bool Reduce(const LayoutPattern& pattern, int64_t elements, int64_t most_elements, std::vector<int64_t>& values) {
  size_t largest = values.size();
  for (size_t n = 0; n < values.size(); ++n) {
    if (values[n] > 1 && (largest == values.size() || values[n] > values[largest])) largest = n;
  }
  if (largest == values.size()) return false;
  int64_t& value = values[largest];
  const int64_t others = elements / value;
  const int64_t most = std::max<int64_t>(most_elements / std::max<int64_t>(others, 1), 1);
  const bool too_many = !pattern.names()[largest].is_tile && value > most;
  value = too_many ? 1 + value % most : value / 2;
  return true;
}

// Draws a value per name. `target` counts for kHuge alone.
std::vector<int64_t> DrawValues(Choices& choices, const LayoutPattern& pattern, DrawnSizes sizes,
                                const SizeTarget& target) {
  const bool any = sizes == DrawnSizes::kAny;
  std::vector<int64_t> values(pattern.names().size(), 1);
  for (size_t n = 0; n < values.size(); ++n) {
    if (pattern.names()[n].is_tile) values[n] = kTileSizes[choices.Choose(std::size(kTileSizes))];
  }
  const std::vector<bool> focus = DrawFocus(choices, pattern, values);
  for (size_t n = 0; n < values.size(); ++n) {
    if (pattern.names()[n].is_tile) continue;
    values[n] = focus[n] ? DrawNearTile(choices, PeriodsOf(pattern, values, n), any) : DrawFree(choices, any);
  }
  if (sizes == DrawnSizes::kHuge) MakeHuge(choices, pattern, target, values);
  return values;
}

// Draws a layout of the pattern within the scope's elements and padded elements; for kHuge within its limits of arrays.
// Returns nothing if it finds none, because no XLA layout is the same map or the pattern has no layout so small.
std::optional<PatternLayout> DrawFromPattern(Choices& choices, const LayoutPattern& pattern, DrawnSizes sizes,
                                             const SizeTarget& target, const LayoutScope& scope) {
  const int64_t most_elements = sizes == DrawnSizes::kHuge ? INT64_MAX : scope.max_elements;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    std::vector<int64_t> values = DrawValues(choices, pattern, sizes, target);
    for (;;) {
      Expected<Shape> shape = pattern.ShapeWith(values);
      if (!shape) break;
      const Expected<LayoutSizes> drawn = SizesOf(*shape);
      const bool fits = drawn && (sizes == DrawnSizes::kHuge ? IsWithinArrayLimits(*drawn, scope)
                                                             : drawn->elements <= scope.max_elements &&
                                                                   drawn->padded_elements <= scope.max_padded_elements);
      if (fits) return PatternLayout{std::move(values), *std::move(shape)};
      if (!drawn || !Reduce(pattern, drawn->elements, most_elements, values)) break;
    }
  }
  return std::nullopt;
}

// Returns true if some layout of the pattern is an XLA layout within the scope.
bool IsUsable(const LayoutPattern& pattern, const LayoutScope& scope) {
  if (pattern.rank() > scope.max_rank || pattern.tiles() > scope.max_tiles) return false;
  if (!pattern.is_shape_stride()) return true;
  const Expected<Shape> shape = pattern.ShapeWith(std::vector<int64_t>(pattern.names().size(), 2));
  return shape && shape->rank() <= scope.max_rank &&
         static_cast<int64_t>(shape->layout->tiles.size()) <= scope.max_tiles;
}

bool IsLimited(const LayoutScope& scope) {
  return scope.max_array_elements < INT64_MAX || scope.max_array_bytes < INT64_MAX;
}

// Returns true if the huge case is near the ends of the integer types of 32 and 64 bits. Every other one is near a
// power of two up to 2^40.
bool IsNarrow(uint64_t huge_draw) { return huge_draw % 2 == 0; }

// Returns what the huge case number `huge_draw` is near to.
SizeTarget TargetOf(Choices& choices, uint64_t huge_draw, const LayoutScope& scope) {
  if (IsLimited(scope)) return TargetOfDraw(huge_draw, scope);
  if (IsNarrow(huge_draw)) {
    const int64_t size = int64_t{1} << (31 + choices.Choose(2));
    return {size, choices.Choose(4) == 3, false};
  }
  return TargetOfDraw(huge_draw / 2, scope);
}

constexpr const char* kOpening[] = {
    "f32[4,5]{1,0:T(3,2)}",                  // padding of a tile in both dimensions; a size that is no power of two
    "s8[2,3,4]{0,2,1}",                      // an order that is not its own inverse
    "bf16[5,7]{0,1:T(4,4)(2,1)}",            // a second tile, in another order
    "s4[3,5]{1,0:T(2,4)L(16)E(4)S(1)}",      // elements in parts of a byte; tail padding; a memory space
    "s8[2147483649,3]{0,1:T(2)}",            // offsets, sizes and coordinates of 33 bits
    "f32[]",                                 // no dimension
    "f32[5]{0:T(3,2)}",                      // a tile of more dimensions than the array
    "pred[3,<=5]{1,0:T(4)}",                 // a tile of fewer dimensions than the array; a dynamic dimension
    "f32[2,3,2,3,2]{1,3,0,4,2:T(2,2)}",      // five dimensions
    "s16[6,5]{1,0:T(4,4)(2,4)(2,2)}",        // a third tile
    "f32[3,2,5]{2,1,0:T(*,2)}",              // dimensions combined by *
    "f32[0,3]{1,0:T(2,2)}",                  // no element
    "f32[7]{0:T(4)L(6)S(2)}",                // a tile of one dimension
    "u4[4,6]{1,0:L(5)E(4)SC(1:2,4)M(300)}",  // splits, and a prefix of more than 8 bits
    "f32[1,3,1]{0,2,1:T(2,128)}",            // dimensions of size 1, and tiles that are longer than they are
    "f32[]{:T(4)}",                          // a tiled scalar
    "s8[9007199254740994]{0}",               // offsets of 54 bits
    "f32[4,4]{1,0:T(2,2)(2,2)}",             // two equal tiles
    "s8[9]{0:T(8)(4)(2)(3)}",                // four tiles
    "s8[2,1,2,1,2,1,2,2]{0,2,4,6,1,3,5,7}",  // eight dimensions
};

}  // namespace

std::span<const Shape> OpeningLayouts() {
  static const std::vector<Shape> shapes = [] {
    std::vector<Shape> parsed;
    for (const char* text : kOpening) parsed.push_back(ParseShape(text).value());
    return parsed;
  }();
  return shapes;
}

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
  std::optional<DrawnCase> drawn = IsFamilyCase(number) ? DrawFromFamily(seed, number, number / 3) : Opening(number);
  return drawn ? std::move(drawn) : DrawRandom(seed, number);
}

std::optional<DrawnCase> CaseSource::Opening(uint64_t number) const {
  const std::span<const Shape> layouts = OpeningLayouts();
  // One of three cases is a family's.
  if (number >= 3 * (layouts.size() + 1) / 2) return std::nullopt;
  size_t at = 0;
  for (uint64_t before = 0; before < number; ++before) at += IsFamilyCase(before) ? 0u : 1u;
  if (at >= layouts.size() || !scope_.combine || !scope_.attributes) return std::nullopt;
  const Shape& shape = layouts[at];
  const Expected<LayoutSizes> sizes = SizesOf(shape);
  const bool is_within = sizes && shape.rank() <= scope_.max_rank &&
                         std::ssize(shape.layout->tiles) <= scope_.max_tiles && IsWithinArrayLimits(*sizes, scope_);
  if (!is_within) return std::nullopt;
  const bool is_huge = sizes->elements > scope_.max_elements || sizes->padded_elements > scope_.max_padded_elements;
  return DrawnCase{.shape = shape, .is_huge = is_huge};
}

// `draw` counts the draws from families.
std::optional<DrawnCase> CaseSource::DrawFromFamily(uint64_t seed, uint64_t number, uint64_t draw) const {
  if (turns_.empty()) return std::nullopt;
  // The order rotates, so that a share of the cases has all families for any number of shares.
  const uint64_t round = draw / turns_.size();
  const Turn& turn = turns_[(draw + round) % turns_.size()];
  const bool huge = round % kHugeEvery == kHugeEvery - 1;
  const uint64_t huge_draw = draw / (kHugeEvery * turns_.size()) * turns_.size() + draw % turns_.size();
  const DrawnSizes sizes = huge ? DrawnSizes::kHuge : round < kSmallRounds ? DrawnSizes::kSmall : DrawnSizes::kAny;
  RandomChoices choices(seed, number);
  // Every pattern has its turn. Seed 1, the default, begins with the most usual one.
  const size_t first = (round + 7 * (seed - 1)) % turn.patterns.size();
  const auto draw_with = [&](DrawnSizes drawn, const LayoutScope& scope) -> std::optional<DrawnCase> {
    const SizeTarget target = drawn == DrawnSizes::kHuge ? TargetOf(choices, huge_draw, scope) : SizeTarget{};
    for (size_t k = 0; k < turn.patterns.size() && k < kOtherPatterns; ++k) {
      const LayoutPattern& pattern = *turn.patterns[(first + k) % turn.patterns.size()];
      auto layout = DrawFromPattern(choices, pattern, drawn, target, scope);
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
  std::optional<DrawnCase> drawn = draw_with(sizes, scope_);
  if (!drawn && patterns_only_) drawn = draw_with(DrawnSizes::kHuge, scope_);
  // A user's pattern is asked about, whatever the subject is known to decline.
  if (!drawn && patterns_only_ && IsLimited(scope_)) drawn = draw_with(DrawnSizes::kHuge, LayoutScope{});
  return drawn;
}

DrawnCase CaseSource::DrawRandom(uint64_t seed, uint64_t number) const {
  RandomChoices choices(seed, number);
  if (number % kHugeEvery != kHugeEvery - 1) return {.shape = DrawLayout(choices, scope_)};
  const uint64_t huge_draw = number / kHugeEvery;
  const bool is_narrow = IsNarrow(huge_draw) && !IsLimited(scope_);
  return {.shape = is_narrow ? DrawHugeLayout(choices, scope_)
                             : DrawLayoutNear(choices, scope_, TargetOf(choices, huge_draw, scope_)),
          .is_huge = true};
}

}  // namespace layoutcheck
