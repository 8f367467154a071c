// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <array>
#include <bit>
#include <limits>
#include <numeric>
#include <random>
#include <ranges>
#include <set>
#include "layoutcheck/solver/formula_proof/formula_search.h"

namespace layoutcheck {
namespace {

// Neighbors and midpoints of sizes up to 2^62 fit int64.
constexpr int kMaxSizeBits = 62;
constexpr int64_t kFreeIndexLimit = int64_t{1} << 40;  // bound for an index without a dimension
constexpr int64_t kFreeSmallIndexLimit = 6;            // bound where every index is tried
// Larger tile sizes and constants are rare, and only few shapes around them can be tried.
constexpr int64_t kLargestUsualTile = 4096;
constexpr int64_t kLargestRandomTile = 300;

int64_t SizeOf(const FormulaIndex& index, const FormulaPoint& point) {
  return index.size ? index.size->At(point) : kFreeIndexLimit;
}

// Calls visit() for all choices of sizes; a name that may be negative takes each number with both signs.
template <class Visit>
bool ForAllShapes(PointSearch& search, const std::vector<int64_t>& sizes, const Visit& visit) {
  std::vector<int64_t> both_signs;
  for (const int64_t size : sizes) {
    both_signs.push_back(size);
    if (size != 0) both_signs.push_back(-size);
  }
  const auto values_of = [&](size_t k) -> const auto& { return search.IsSigned(k) ? both_signs : sizes; };
  return ForAll(search.point, 0, search.name_count, values_of, visit);
}

template <class ValuesOf>
bool TryIndices(PointSearch& search, const ValuesOf& values_of) {
  const auto values_of_variable = [&](size_t k) { return values_of(search.question.indices[k - search.name_count]); };
  return ForAll(search.point, search.name_count, search.point.size(), values_of_variable, [&] { return search.Try(); });
}

// Tries all indices of all shapes with sizes up to 3, or up to 2 for more than three names.
void TrySmallShapes(PointSearch& search) {
  const auto sizes = search.name_count <= 3 ? std::vector<int64_t>{1, 2, 3, 0} : std::vector<int64_t>{1, 2};
  const auto all_indices = [&](const FormulaIndex& index) {
    return std::views::iota(int64_t{0}, index.size ? SizeOf(index, search.point) : kFreeSmallIndexLimit);
  };
  ForAllShapes(search, sizes, [&] { return TryIndices(search, all_indices); });
}

// Tries names that may be negative at the ends of the usual types and next to 0, beside small sizes: what is right for
// small numbers of either sign may overflow at an end, where the least number has no negative.
void TrySigns(PointSearch& search) {
  std::vector<int64_t> ends = {-1, 0, 1};
  for (const int bits : {8, 16, 32, 64}) {
    const int64_t most = std::numeric_limits<int64_t>::max() >> (64 - bits);
    ends.insert(ends.end(), {-most - 1, most, -most, most - 1});
  }
  const std::vector<int64_t> sizes = {1, 2};
  const auto values_of = [&](size_t k) -> const auto& { return search.IsSigned(k) ? ends : sizes; };
  const auto corners_of = [&](const FormulaIndex& index) {
    return index.size ? std::vector{SizeOf(index, search.point) - 1, int64_t{0}} : std::vector{int64_t{0}, int64_t{1}};
  };
  if (std::ranges::none_of(search.question.variables, &FormulaVariable::IsSigned)) return;
  ForAll(search.point, 0, search.name_count, values_of, [&] { return TryIndices(search, corners_of); });
}

// Tries the last index of every shape of a grid, because conditions on sizes alone often hold far from any constant.
void TryShapeGrid(PointSearch& search) {
  constexpr size_t kGridSizes[] = {0, 0, 48, 16, 8};  // by the number of names; at most 8^4 shapes
  if (search.name_count < 2 || search.name_count >= std::size(kGridSizes)) return;
  std::vector<int64_t> sizes(kGridSizes[search.name_count]);
  std::iota(sizes.begin(), sizes.end(), 1);
  const auto last_index = [&](const FormulaIndex& index) { return std::array{SizeOf(index, search.point) - 1}; };
  ForAllShapes(search, sizes, [&] { return TryIndices(search, last_index); });
}

// Tries the corners of shapes whose sizes are near constants and their doubles: in every dimension the first and the
// last element and, for up to three dimensions, the middle, the neighbors of the ends and the elements around tiles.
void TryTileShapes(PointSearch& search) {
  constexpr size_t kEnoughTileSizes = 12;  // no further constant is used after these
  constexpr size_t kEnoughCorners = 9;
  std::vector<int64_t> sizes;
  for (const int64_t constant : search.dictionary.constants) {
    if (constant > kLargestUsualTile || sizes.size() > kEnoughTileSizes) continue;
    for (const int64_t size : {constant + 1, constant, constant - 1, 2 * constant + 1}) {
      if (std::ranges::find(sizes, size) == sizes.end()) sizes.push_back(size);
    }
  }
  if (sizes.empty()) sizes = {4, 5, 7, 16};
  const auto corners_of = [&](const FormulaIndex& index) {
    const int64_t size = SizeOf(index, search.point);
    std::vector<int64_t> corners = {size - 1, 0};
    if (search.question.indices.size() <= 3) {
      corners.insert(corners.end(), {size / 2, size - 2, 1});
      for (const int64_t tile : search.dictionary.tiles) {
        if (tile >= size || corners.size() >= kEnoughCorners) continue;
        corners.insert(corners.end(), {(size - 1) / tile * tile, tile - 1});
      }
    }
    std::erase_if(corners, [&](int64_t i) { return i < 0 || i >= size; });
    return corners;
  };
  ForAllShapes(search, sizes, [&] { return TryIndices(search, corners_of); });
}

class RandomShapes {
 public:
  explicit RandomShapes(PointSearch& search) : search_(search), point_(search.point) {}

  void Run() {
    constexpr int kIndicesPerShape = 12;
    while (!search_.IsOver()) {
      DrawNames();
      for (int k = 0; k < kIndicesPerShape && !search_.IsOver(); ++k) {
        DrawIndices();
        search_.Try();
      }
      search_.budget.SpendPoint();  // ends the search even if no index can be drawn
    }
  }

 private:
  int64_t Below(int64_t bound) {
    return static_cast<int64_t>(random_() % static_cast<uint64_t>(std::max<int64_t>(bound, 1)));
  }
  int64_t Pick(std::span<const int64_t> values) { return values[static_cast<size_t>(Below(std::ssize(values)))]; }
  int64_t PickTile() { return Pick(search_.dictionary.tiles); }

  // Draws sizes with a product below about 2^62, so that offsets fit int64. At most one is huge.
  void DrawNames() {
    int bits = kMaxSizeBits;  // number of bits left for the other sizes
    const auto large = static_cast<size_t>(Below(static_cast<int64_t>(search_.name_count) + 1));
    for (size_t k = 0; k < search_.name_count; ++k) {
      int64_t value = DrawSize(k, bits, k == large);
      if (search_.question.variables[k].kind == FormulaVariable::Kind::kTileSize && value > kLargestUsualTile) {
        value = 1 + value % kLargestRandomTile;
      }
      if (value >= int64_t{1} << std::min(bits, kMaxSizeBits - 1)) value = 1 + Below(4);
      point_[k] = std::max(value, search_.least[k]);
      bits = std::max(bits - static_cast<int>(std::bit_width(MagnitudeOf(point_[k]))) + 1, 2);
      if (search_.IsSigned(k) && Below(2) == 0) point_[k] = -point_[k];
    }
  }

  // Draws the size of the k-th name. Separate statements give every compiler the same order of draws.
  int64_t DrawSize(size_t k, int bits, bool is_large) {
    switch (Below(8)) {
      case 0: return 1 + Below(5);
      case 1: {
        const int64_t tile = PickTile();
        const int64_t multiple = tile * (1 + Below(4));
        return multiple + Below(3) - 1;
      }
      case 2: return Pick(search_.dictionary.values);
      case 3: {  // one in four plus 1
        if (k == 0) return 7;
        const int64_t earlier = Pick(std::span(point_).first(k));
        return earlier + Below(4) / 3;
      }
      case 4: return PickTile() << Below(is_large ? 24 : 8);
      case 5: {
        if (k == 0) return Pick(search_.dictionary.values);
        const int64_t earlier = Pick(std::span(point_).first(k));
        return earlier * (1 + Below(4));
      }
      default: {  // any size with about its share of the bits; a large one has up to 20 bits more
        const int64_t share = std::max<int64_t>(bits / static_cast<int64_t>(search_.name_count - k), 1);
        const int64_t max_bits = is_large ? std::min<int64_t>(share + 20, 40) : std::min<int64_t>(share, 32);
        const int64_t power = int64_t{1} << Below(max_bits);
        return power + Below(power);
      }
    }
  }

  void DrawIndices() {
    int64_t previous = 0;
    for (const FormulaIndex& index : search_.question.indices) {
      const int64_t size = SizeOf(index, point_);
      if (size < 1) return;
      previous = std::clamp<int64_t>(DrawIndex(size, previous), 0, size - 1);
      point_[index.variable] = previous;
    }
  }

  int64_t DrawIndex(int64_t size, int64_t previous) {
    switch (Below(8)) {
      case 0: return Below(3);
      case 1: return size - 1 - Below(2);
      case 2: return Pick(search_.dictionary.values);
      case 3: {  // first or last element of any tile
        const int64_t tile = PickTile();
        int64_t tile_number = Below(size) / tile;
        tile_number += Below(2);
        return tile_number * tile - Below(2);
      }
      case 4: {  // start of the last tile
        const int64_t tile = PickTile();
        return (size - 1) / tile * tile - Below(2);
      }
      case 5: return previous;
      default: return Below(size);
    }
  }

  PointSearch& search_;
  FormulaPoint& point_;
  std::mt19937_64 random_{20261121};  // fixed seed for a reproducible search
};

void TryRandomShapes(PointSearch& search) { RandomShapes(search).Run(); }

// Tries the largest shapes in a bounded scope: all names but one are small, or all are equal. Tries the first and last
// index of every dimension, of each alone if there are many. These points are few and do not count against the budget.
class LargestShapes {
 public:
  explicit LargestShapes(PointSearch& search) : search_(search), point_(search.point), names_(search.name_count) {}

  void Run() {
    if (names_ == 0) {
      TryCorners();
      return;
    }
    const std::set<int64_t> small_sizes = SmallSizes();
    const std::set<int64_t> unset = {0};
    for (size_t large = 0; names_ <= kMaxNames && large < names_; ++large) {
      const auto sizes_of = [&](size_t k) -> const auto& { return k == large ? unset : small_sizes; };
      const auto set_size = [&](int64_t size) { point_[large] = size; };
      if (ForAll(point_, 0, names_, sizes_of, [&] { return TryLargest(set_size); })) return;
    }
    TryLargest([&](int64_t size) { std::fill_n(point_.begin(), names_, size); });
  }

 private:
  static constexpr size_t kMaxNames = 3;              // more names allow too many choices for all but one
  static constexpr size_t kEnoughTileSizes = 8;       // no further tile is used after these
  static constexpr size_t kMaxCornerDimensions = 10;  // every corner is tried up to this rank

  std::set<int64_t> SmallSizes() const {
    std::set<int64_t> sizes = {1, 2, 3};
    for (const int64_t tile : search_.dictionary.tiles) {
      if (sizes.size() < kEnoughTileSizes) sizes.insert({tile, tile + 1});
    }
    // Powers of two up to 2^40, but every sixth only if pairs are tried.
    for (int k = 2; k <= 40; k += names_ <= 2 ? 1 : 6) sizes.insert(int64_t{1} << k);
    return sizes;
  }

  // Tries the largest size within the scope that `set_size` can give the shape.
  template <class SetSize>
  bool TryLargest(const SetSize& set_size) {
    std::fill(point_.begin() + static_cast<std::ptrdiff_t>(names_), point_.end(), 0);
    const int64_t largest = FirstWhere(int64_t{0}, int64_t{1} << kMaxSizeBits, [&](int64_t size) {
      set_size(size + 1);
      return !IsInScope();
    });
    set_size(largest);
    return largest > 0 && TryCorners();
  }

  bool TryCorners() {
    if (point_.size() - names_ <= kMaxCornerDimensions) {
      const auto corners = [&](size_t k) { return std::array{LastIndex(k), int64_t{0}}; };
      return ForAll(point_, names_, point_.size(), corners, [&] { return TryPoint(); });
    }
    return TryNearCorner(true) || TryNearCorner(false);
  }

  // Tries the last or first index of all dimensions and those that differ in one dimension: there are too many corners.
  bool TryNearCorner(bool is_last) {
    const auto set = [&](size_t k, bool to_last) { point_[k] = to_last ? LastIndex(k) : 0; };
    for (size_t k = names_; k < point_.size(); ++k) set(k, is_last);
    if (TryPoint()) return true;
    for (size_t k = names_; k < point_.size(); ++k) {
      set(k, !is_last);
      if (TryPoint()) return true;
      set(k, is_last);
    }
    return false;
  }

  int64_t LastIndex(size_t k) const { return search_.question.indices[k - names_].size->At(point_) - 1; }
  bool IsInScope() const { return search_.goal.IsInDomain(point_) && search_.goal.IsInScope(); }

  bool TryPoint() {
    if (!IsInScope() || !search_.budget.Fails(point_)) return false;
    search_.result.found = point_;
    return true;
  }

  PointSearch& search_;
  FormulaPoint& point_;
  size_t names_;
};

void TryLargestShapes(PointSearch& search) {
  const auto has_size = [](const FormulaIndex& index) { return index.size.has_value(); };
  if (!search.goal.HasLargestShapes() || !std::ranges::all_of(search.question.indices, has_size)) return;
  LargestShapes(search).Run();
}

constexpr SearchStrategy kStrategies[] = {
    {"largest shapes", 1, /*first_round_only=*/true, TryLargestShapes},
    {"collisions", 2, /*first_round_only=*/false, TryCollisions},
    {"small shapes", 4, /*first_round_only=*/false, TrySmallShapes},
    {"signs", 4, /*first_round_only=*/true, TrySigns},
    {"shape grid", 4, /*first_round_only=*/false, TryShapeGrid},
    {"tile shapes", 3, /*first_round_only=*/false, TryTileShapes},
    {"random shapes", 1, /*first_round_only=*/false, TryRandomShapes},
};

}  // namespace

std::span<const SearchStrategy> SearchStrategies() { return kStrategies; }

}  // namespace layoutcheck
