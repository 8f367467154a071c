// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/shape_stride/coordinate.h"
#include <algorithm>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <utility>

namespace layoutcheck {
namespace {

// Returns the integral coordinate of a coordinate that fits the shape, by Horner's scheme.
CheckedInt64 Horner(const IntTuple& coordinate, const IntTuple& shape) {
  if (coordinate.is_leaf()) return coordinate.value();
  CheckedInt64 index = 0;
  for (size_t i = coordinate.elements().size(); i-- > 0;) {
    index = index * CheckedProduct(shape.elements()[i]) + Horner(coordinate.elements()[i], shape.elements()[i]);
  }
  return index;
}

Expected<void> CheckFits(const IntTuple& coordinate, const IntTuple& shape) {
  if (coordinate.is_leaf()) return {};
  if (shape.is_leaf() || Rank(shape) != Rank(coordinate)) {
    return ArgumentError("coordinate ", ToString(coordinate), " does not fit shape ", ToString(shape));
  }
  for (size_t i = 0; i < coordinate.elements().size(); ++i) {
    if (auto fits = CheckFits(coordinate.elements()[i], shape.elements()[i]); !fits) return fits;
  }
  return {};
}

Expected<void> CheckBounds(const IntTuple& coordinate, const IntTuple& shape) {
  if (coordinate.is_leaf()) {
    LAYOUTCHECK_TRY(const int64_t size, Product(shape));
    if (coordinate.value() < 0 || coordinate.value() >= size) {
      return ArgumentError("coordinate ", coordinate.value(), " is outside 0..", size - 1, " of the mode ",
                           ToString(shape));
    }
    return {};
  }
  for (size_t i = 0; i < coordinate.elements().size(); ++i) {
    if (auto inside = CheckBounds(coordinate.elements()[i], shape.elements()[i]); !inside) return inside;
  }
  return {};
}

// A depth-first search for digits with a given sum of digit * stride, by decreasing |stride|.
class DigitSearch {
 public:
  // Finds only coordinates below `limits`, which has one integer per mode or is empty for no limits.
  DigitSearch(const StridedLayout& layout, std::span<const int64_t> limits) : layout_(layout), limits_(limits) {
    for (const auto& mode : layout.modes) leaves_.insert(leaves_.end(), mode.begin(), mode.end());
    for (StridedMode& leaf : leaves_) {
      if (leaf.extent == 1) leaf.stride = 0;  // its digit is 0, and its stride may be the minimum of int64
    }
    order_.resize(leaves_.size());
    std::iota(order_.begin(), order_.end(), size_t{0});
    std::ranges::stable_sort(order_, std::ranges::greater{}, [this](size_t i) { return std::abs(leaves_[i].stride); });
    digits_.assign(leaves_.size(), 0);
    smallest_.assign(leaves_.size() + 1, 0);
    largest_.assign(leaves_.size() + 1, 0);
    for (size_t i = leaves_.size(); i-- > 0;) {
      const StridedMode& leaf = leaves_[order_[i]];
      const int64_t span = (leaf.extent - 1) * leaf.stride;  // fits, because RangeOfOffsets did not overflow
      smallest_[i] = smallest_[i + 1] + std::min<int64_t>(span, 0);
      largest_[i] = largest_[i + 1] + std::max<int64_t>(span, 0);
    }
  }

  // Returns true if digits() have the sum `offset`, and false if no digits do or the search gave up.
  bool Find(int64_t offset) { return offset >= smallest_[0] && offset <= largest_[0] && FindFrom(0, offset); }
  bool exhausted() const { return steps_ >= kMaxSteps; }
  const std::vector<int64_t>& digits() const { return digits_; }
  // Returns the coordinate of the digits, with one integer per mode.
  std::vector<int64_t> Coordinate() const {
    std::vector<int64_t> coordinate;
    size_t leaf = 0;
    for (const auto& mode : layout_.modes) {
      int64_t weight = 1;
      coordinate.push_back(0);
      for (const StridedMode& each : mode) {
        coordinate.back() += digits_[leaf++] * weight;
        weight *= each.extent;
      }
    }
    return coordinate;
  }

 private:
  static constexpr int64_t kMaxSteps = int64_t{1} << 20;

  bool AreWithinLimits() const { return limits_.empty() || std::ranges::equal(Coordinate(), limits_, std::less<>()); }

  bool FindFrom(size_t level, int64_t offset) {
    if (level == order_.size()) return offset == 0 && AreWithinLimits();
    if (++steps_ >= kMaxSteps) return false;
    const StridedMode& leaf = leaves_[order_[level]];
    int64_t first = 0;
    int64_t last = 0;
    if (leaf.stride != 0) {
      // The remaining modes must be able to reach the rest of the offset.
      const int64_t step = std::abs(leaf.stride);
      const int64_t low = leaf.stride > 0 ? offset - largest_[level + 1] : smallest_[level + 1] - offset;
      const int64_t high = leaf.stride > 0 ? offset - smallest_[level + 1] : largest_[level + 1] - offset;
      first = std::max<int64_t>(CeilDiv(low, step), 0);
      last = std::min(FloorDiv(high, step), leaf.extent - 1);
    }
    for (int64_t digit = first; digit <= last; ++digit) {
      digits_[order_[level]] = digit;
      if (FindFrom(level + 1, offset - digit * leaf.stride)) return true;
      if (steps_ >= kMaxSteps) return false;
    }
    return false;
  }

  const StridedLayout& layout_;
  std::span<const int64_t> limits_;
  std::vector<StridedMode> leaves_;
  std::vector<size_t> order_;
  std::vector<int64_t> digits_;
  std::vector<int64_t> smallest_;  // per level: the smallest sum that this level and the ones after it reach
  std::vector<int64_t> largest_;   // per level: the largest one
  int64_t steps_ = 0;
};

}  // namespace

Expected<int64_t> Crd2Integral(const IntTuple& coordinate, const IntTuple& shape) {
  LAYOUTCHECK_RETURN_IF_ERROR(CheckFits(coordinate, shape));
  return ValueOrOverflow(Horner(coordinate, shape), "the integral coordinate");
}

Expected<std::vector<int64_t>> IntegralModes(const IntTuple& coordinate, const IntTuple& shape) {
  std::vector<int64_t> integers;
  for (int64_t i = 0; i < Rank(shape); ++i) {
    LAYOUTCHECK_TRY(const IntTuple part, Get(coordinate, i));
    LAYOUTCHECK_TRY(const int64_t index, Crd2Integral(part, *Get(shape, i)));
    integers.push_back(index);
  }
  return integers;
}

Expected<IntTuple> Idx2Crd(int64_t index, const IntTuple& shape) {
  std::vector<IntTuple> digits;
  const std::vector<IntTuple> extents = Leaves(shape);
  int64_t rest = index;
  for (size_t i = 0; i < extents.size(); ++i) {
    if (i + 1 == extents.size()) {
      digits.emplace_back(rest);
      break;
    }
    const int64_t extent = extents[i].value();
    if (extent < 1) return ArgumentError("extent ", extent, " in ", ToString(shape), " takes no integral coordinate");
    digits.emplace_back(rest % extent);
    rest /= extent;
  }
  return Unflatten(shape, digits);
}

Expected<void> CheckCoordinate(const IntTuple& coordinate, const IntTuple& shape) {
  Expected<void> valid = CheckFits(coordinate, shape);
  if (valid) valid = CheckBounds(coordinate, shape);
  return valid;
}

Expected<bool> IsInOrigin(const ShapeStrideLayout& layout, const IntTuple& coordinate) {
  if (!layout.origin_shape) return true;
  LAYOUTCHECK_TRY(const IntTuple nested, coordinate.is_leaf() ? Idx2Crd(coordinate.value(), layout.shape) : coordinate);
  LAYOUTCHECK_RETURN_IF_ERROR(CheckFits(nested, layout.shape));
  for (int64_t i = 0; i < Rank(layout); ++i) {
    LAYOUTCHECK_TRY(const int64_t index, Crd2Integral(*Get(nested, i), *Get(layout.shape, i)));
    if (index >= Get(*layout.origin_shape, i)->value()) return false;
  }
  return true;
}

namespace {

// Returns found(search) if a search below the limits finds the offset, or nothing.
template <class Found>
auto SearchOffset(const ShapeStrideLayout& layout, int64_t offset, std::span<const int64_t> limits, Found found)
    -> Expected<std::optional<decltype(found(std::declval<const DigitSearch&>()))>> {
  LAYOUTCHECK_RETURN_IF_ERROR(ValidateLayout(layout));
  if (HasNoCoordinate(layout)) return std::nullopt;
  LAYOUTCHECK_TRY(const OffsetRange range, RangeOfOffsets(layout));
  if (offset < range.smallest || offset > range.largest) return std::nullopt;
  LAYOUTCHECK_TRY(const StridedLayout flat, StridedLayoutOf(layout));
  DigitSearch search(flat, limits);
  if (search.Find(offset)) return found(search);
  if (search.exhausted()) return UnsupportedError("too many overlapping modes in ", ToString(layout));
  return std::nullopt;
}

}  // namespace

Expected<std::optional<IntTuple>> FindCoordinate(const ShapeStrideLayout& layout, int64_t offset) {
  return SearchOffset(layout, offset, {}, [&](const DigitSearch& search) {
    const std::vector<IntTuple> digits(search.digits().begin(), search.digits().end());
    return Unflatten(layout.shape, digits);
  });
}

Expected<std::optional<std::vector<int64_t>>> FindCoordinateBelow(const ShapeStrideLayout& layout, int64_t offset,
                                                                  std::span<const int64_t> limits) {
  return SearchOffset(layout, offset, limits, [](const DigitSearch& search) { return search.Coordinate(); });
}

}  // namespace layoutcheck
