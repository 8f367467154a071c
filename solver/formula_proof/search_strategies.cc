// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <bit>
#include <numeric>
#include <random>
#include <set>

#include "layoutcheck/solver/formula_proof/point_search.h"

namespace layoutcheck {
namespace {

// Sizes are searched up to 2^62, so that one more than a size and the sum of two fit int64.
constexpr int kMaxSizeBits = 62;
// An index without a dimension is searched up to this bound.
constexpr int64_t kFreeIndexLimit = int64_t{1} << 40;
constexpr int64_t kFreeSmallIndexLimit = 6;  // where every index is tried
// Larger tile sizes and tile constants are rare, and few shapes around them can be tried.
constexpr int64_t kLargestUsualTile = 4096;

int64_t SizeOf(const FormulaIndex& index, const FormulaPoint& point) {
  return index.size ? index.size->At(point) : kFreeIndexLimit;
}

// Calls visit(), until it returns true, for every choice of one of `values` for each name from the k-th on.
template <class Visit>
bool ForAllNames(PointSearch& search, size_t k, std::span<const int64_t> values, const Visit& visit) {
  if (k == search.name_count) return visit();
  for (const int64_t value : values) {
    search.point[k] = value;
    if (ForAllNames(search, k + 1, values, visit)) return true;
  }
  return false;
}

// Tries every index of the shape that the point has.
bool TryAllIndices(PointSearch& search, size_t k) {
  if (k == search.question.indices.size()) return search.Try();
  const FormulaIndex& index = search.question.indices[k];
  const int64_t size = index.size ? SizeOf(index, search.point) : kFreeSmallIndexLimit;
  for (int64_t i = 0; i < size; ++i) {
    search.point[index.variable] = i;
    if (TryAllIndices(search, k + 1)) return true;
  }
  return false;
}

// Tries all indices of all shapes with sizes up to 3, or up to 2 if there are many names.
void TrySmallShapes(PointSearch& search) {
  const auto sizes = search.name_count <= 3 ? std::vector<int64_t>{1, 2, 3, 0} : std::vector<int64_t>{1, 2};
  ForAllNames(search, 0, sizes, [&] { return TryAllIndices(search, 0); });
}

// Tries the last index of every shape of a grid: conditions on sizes alone are often true of a size that is not near
// any constant.
void TryShapeGrid(PointSearch& search) {
  // The grid has 48^2, 16^3 or 8^4 shapes, each at most 4096.
  constexpr size_t kGridSizes[] = {0, 0, 48, 16, 8};  // by the number of names
  if (search.name_count < 2 || search.name_count >= std::size(kGridSizes)) return;
  std::vector<int64_t> sizes(kGridSizes[search.name_count]);
  std::iota(sizes.begin(), sizes.end(), 1);
  ForAllNames(search, 0, sizes, [&] {
    for (const FormulaIndex& index : search.question.indices) {
      search.point[index.variable] = SizeOf(index, search.point) - 1;
    }
    return search.Try();
  });
}

// Tries, in every dimension, the last and the first element and, in up to three dimensions, the middle one, the
// neighbors of the ends and the elements around tiles.
bool TryCornerIndices(PointSearch& search, size_t k) {
  constexpr size_t kMaxDimensions = 3;
  constexpr size_t kMaxCorners = 9;
  if (k == search.question.indices.size()) return search.Try();
  const FormulaIndex& index = search.question.indices[k];
  const int64_t size = SizeOf(index, search.point);
  std::vector<int64_t> corners = {size - 1, 0};
  if (search.question.indices.size() <= kMaxDimensions) {
    corners.insert(corners.end(), {size / 2, size - 2, 1});
    for (const int64_t tile : search.dictionary.tiles) {
      if (tile < size && corners.size() < kMaxCorners) {
        corners.insert(corners.end(), {(size - 1) / tile * tile, tile - 1});
      }
    }
  }
  for (const int64_t i : corners) {
    if (i < 0 || i >= size) continue;
    search.point[index.variable] = i;
    if (TryCornerIndices(search, k + 1)) return true;
  }
  return false;
}

// Tries the corners of shapes whose sizes are near constants and their doubles.
void TryTileShapes(PointSearch& search) {
  constexpr size_t kMaxSizes = 12;  // beyond which no further constant is used
  std::vector<int64_t> sizes;
  for (const int64_t constant : search.dictionary.constants) {
    if (constant > kLargestUsualTile || sizes.size() > kMaxSizes) continue;
    for (const int64_t size : {constant + 1, constant, constant - 1, 2 * constant + 1}) {
      if (std::ranges::find(sizes, size) == sizes.end()) sizes.push_back(size);
    }
  }
  if (sizes.empty()) sizes = {4, 5, 7, 16};
  ForAllNames(search, 0, sizes, [&] { return TryCornerIndices(search, 0); });
}

// Draws shapes and indices near tiles, constants, powers of two, primes and each other.
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
      search_.budget.SpendPoint();  // The search ends although no index can be drawn.
    }
  }

 private:
  int64_t Below(int64_t bound) {
    return static_cast<int64_t>(random_() % static_cast<uint64_t>(std::max<int64_t>(bound, 1)));
  }
  int64_t Pick(std::span<const int64_t> values) { return values[static_cast<size_t>(Below(std::ssize(values)))]; }
  int64_t PickTile() { return Pick(search_.dictionary.tiles); }

  // Draws sizes whose product is below about 2^62, so that offsets fit int64. One of them may be huge, but not all.
  void DrawNames() {
    int bits = kMaxSizeBits;  // that are left for the sizes that are not drawn yet
    const auto large = static_cast<size_t>(Below(static_cast<int64_t>(search_.name_count) + 1));
    for (size_t k = 0; k < search_.name_count; ++k) {
      int64_t value = DrawSize(k, bits, k == large);
      if (search_.question.variables[k].kind == FormulaVariable::Kind::kTileSize && value > kLargestUsualTile) {
        value = 1 + value % 300;
      }
      if (value >= int64_t{1} << std::min(bits, kMaxSizeBits - 1)) value = 1 + Below(4);
      point_[k] = std::max(value, search_.question.variables[k].least);
      bits = std::max(bits - static_cast<int>(std::bit_width(static_cast<uint64_t>(point_[k]))) + 1, 2);
    }
  }

  int64_t DrawSize(size_t k, int bits, bool is_large) {
    // Each draw is a statement of its own, so that every compiler draws in the same order.
    switch (Below(8)) {
      case 0: return 1 + Below(5);
      case 1: {
        const int64_t tile = PickTile();
        const int64_t multiple = tile * (1 + Below(4));
        return multiple + Below(3) - 1;
      }
      case 2: return Pick(search_.dictionary.values);
      case 3: {
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
      default: {
        const int64_t share = std::max<int64_t>(bits / static_cast<int64_t>(search_.name_count - k), 1);
        const int64_t power =
            int64_t{1} << Below(is_large ? std::min<int64_t>(share + 20, 40) : std::min<int64_t>(share, 32));
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
      case 3: {
        const int64_t tile = PickTile();
        int64_t tile_number = Below(size) / tile;
        tile_number += Below(2);
        return tile_number * tile - Below(2);
      }
      case 4: {
        const int64_t tile = PickTile();
        return (size - 1) / tile * tile - Below(2);
      }
      case 5: return previous;
      default: return Below(size);
    }
  }

  PointSearch& search_;
  FormulaPoint& point_;
  std::mt19937_64 random_{20261121};  // any number: the same search every time
};

void TryRandomShapes(PointSearch& search) { RandomShapes(search).Run(); }

// Tries the largest shapes of a bounded scope, for what goes wrong at the bound: shapes in which all names but one are
// small, or all are equal, and that are as large as the scope allows, each with the last and the first index of every
// dimension. These points are few, and not taken from the budget.
class LargestShapes {
 public:
  explicit LargestShapes(PointSearch& search)
      : search_(search), point_(search.question.variables.size()), name_count_(search.name_count) {
    constexpr size_t kMaxTileSizes = 8;  // beyond which no further tile is used
    std::set<int64_t> sizes = {1, 2, 3};
    for (const int64_t tile : search.dictionary.tiles) {
      if (sizes.size() < kMaxTileSizes) sizes.insert({tile, tile + 1});
    }
    // Powers of two up to 2^40; every sixth where two names take all pairs of them.
    for (int k = 2; k <= 40; k += name_count_ <= 2 ? 1 : 6) sizes.insert(int64_t{1} << k);
    small_sizes_.assign(sizes.begin(), sizes.end());
  }

  void Run() {
    constexpr size_t kMaxNames = 3;  // beyond which there are too many choices for all names but one
    if (TryAll(name_count_ <= kMaxNames)) search_.result.found = point_;
  }

 private:
  bool TryAll(bool one_large_size) {
    if (name_count_ == 0) return TryCorners(0);
    for (size_t large = 0; one_large_size && large < name_count_; ++large) {
      if (TrySmallSizes(0, large)) return true;
    }
    return TryLargest([&](int64_t size) { std::fill_n(point_.begin(), name_count_, size); });
  }

  bool TrySmallSizes(size_t k, size_t large) {
    if (k == name_count_) return TryLargest([&](int64_t size) { point_[large] = size; });
    if (k == large) return TrySmallSizes(k + 1, large);
    for (const int64_t size : small_sizes_) {
      point_[k] = size;
      if (TrySmallSizes(k + 1, large)) return true;
    }
    return false;
  }

  // Tries the largest size for which the shape is in scope.
  template <class SetSize>
  bool TryLargest(const SetSize& set_size) {
    for (const FormulaIndex& index : search_.question.indices) point_[index.variable] = 0;
    int64_t low = 0;
    int64_t high = int64_t{1} << kMaxSizeBits;
    while (low < high) {
      const int64_t middle = low + (high - low + 1) / 2;
      set_size(middle);
      if (IsInScope()) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    set_size(low);
    return low > 0 && TryCorners(0);
  }

  bool TryCorners(size_t k) {
    if (k == search_.question.indices.size()) return IsInScope() && search_.budget.Fails(point_);
    const FormulaIndex& index = search_.question.indices[k];
    if (!index.size) return false;
    const int64_t size = index.size->At(point_);
    for (const int64_t value : {size - 1, int64_t{0}}) {
      point_[index.variable] = value;
      if (TryCorners(k + 1)) return true;
    }
    return false;
  }

  bool IsInScope() { return search_.goal.IsInDomain(point_) && search_.goal.IsInScope(); }

  PointSearch& search_;
  FormulaPoint point_;
  size_t name_count_;
  std::vector<int64_t> small_sizes_;
};

void TryLargestShapes(PointSearch& search) {
  if (search.goal.HasLargestShapes()) LargestShapes(search).Run();
}

constexpr SearchStrategy kStrategies[] = {
    {"largest shapes", 1, /*first_round_only=*/true, TryLargestShapes},
    {"small shapes", 4, /*first_round_only=*/false, TrySmallShapes},
    {"shape grid", 4, /*first_round_only=*/false, TryShapeGrid},
    {"tile shapes", 3, /*first_round_only=*/false, TryTileShapes},
    {"random shapes", 1, /*first_round_only=*/false, TryRandomShapes},
};

}  // namespace

std::span<const SearchStrategy> SearchStrategies() { return kStrategies; }

}  // namespace layoutcheck
