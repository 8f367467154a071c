// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/algebra/composition.h"
#include <algorithm>
#include <cstdlib>
#include <limits>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/shape_stride/evaluate.h"

namespace layoutcheck {
namespace {

// An integer of a layout. It is known if it is static or every number counts as static.
struct KnownInteger {
  int64_t value = 0;
  bool known = true;
};

// The left operand as a map on integers in the mixed radix of its extents. Records how far the modes of the result
// reach in each digit, to decide if digits add without a carry.
class LeftOperand {
 public:
  struct Mode {
    KnownInteger extent;
    int64_t stride = 0;
  };

  // Coalesces the layout from its last mode to its first, but keeps a last mode of extent 1, through which the operand
  // continues beyond its domain. Errors: basis strides (unsupported); no coordinate (invalid argument).
  static Expected<LeftOperand> Create(const ShapeStrideLayout& layout, Simplification simplification) {
    LAYOUTCHECK_RETURN_IF_ERROR(RequireOrdinaryStrides(layout));
    const std::vector<IntTuple> extents = Leaves(layout.shape);
    const std::vector<IntTuple> strides = Leaves(layout.stride);
    const bool full = simplification == Simplification::kFull;
    LeftOperand left;
    std::vector<Mode>& modes = left.modes_;  // from the last to the first, reversed at the end
    std::vector<bool> stride_known;
    for (size_t i = extents.size(); i-- > 0;) {
      const Mode mode{{extents[i].value(), full || extents[i].is_static()}, strides[i].value()};
      if (mode.extent.value < 1) return ArgumentError(ToString(layout), " has no coordinate");
      const bool known = full || strides[i].is_static();
      if (!modes.empty()) {
        if (mode.extent.value == 1 && mode.extent.known) continue;
        Mode& front = modes.back();
        const CheckedInt64 end = CheckedInt64(mode.extent.value) * mode.stride;
        // The extent of the last mode is never used, so any value that does not overflow will do.
        const CheckedInt64 extent =
            modes.size() == 1 ? CheckedInt64(front.extent.value) : CheckedInt64(mode.extent.value) * front.extent.value;
        if (mode.extent.known && known && front.extent.known && stride_known.back() && !end.overflow &&
            !extent.overflow && end.value == front.stride) {
          front = {{extent.value, true}, mode.stride};
          continue;
        }
      }
      modes.push_back(mode);
      stride_known.push_back(known);
    }
    if (modes.empty()) modes.push_back({{1, true}, 0});
    std::ranges::reverse(modes);
    left.reach_.assign(modes.size(), 0);
    return left;
  }

  const std::vector<Mode>& modes() const { return modes_; }
  bool is_linear() const { return modes_.size() == 1; }

  // Returns the digits of index >= 0. Digit i is below the extent of mode i; the last digit is unbounded.
  std::vector<int64_t> Digits(int64_t index) const {
    std::vector<int64_t> digits(modes_.size(), 0);
    for (size_t i = 0; i + 1 < modes_.size(); ++i) {
      digits[i] = index % modes_[i].extent.value;
      index /= modes_[i].extent.value;
    }
    digits.back() = index;
    return digits;
  }

  CheckedInt64 ValueOf(const std::vector<int64_t>& digits) const {
    CheckedInt64 value = 0;
    for (size_t i = 0; i < modes_.size(); ++i) value = value + CheckedInt64(digits[i]) * modes_[i].stride;
    return value;
  }

  // Returns the value at any index. At(-i) == -At(i), because C++ division truncates.
  CheckedInt64 At(int64_t index) const {
    if (index == std::numeric_limits<int64_t>::min()) return {0, true};
    const CheckedInt64 value = ValueOf(Digits(std::abs(index)));
    return index < 0 ? 0 - value : value;
  }

  // Records that a mode of the result takes `extent` steps of `digits` in direction `sign` (-1, 0 or 1). Returns true
  // if all modes recorded so far add without a carry.
  bool RecordMode(int64_t extent, const std::vector<int64_t>& digits, int64_t sign) {
    if (sign != 0 && sign_ != 0 && sign != sign_) is_additive_ = false;
    if (sign != 0) sign_ = sign;
    for (size_t i = 0; i + 1 < modes_.size(); ++i) {
      reach_[i] = reach_[i] + (CheckedInt64(extent) - 1) * digits[i];
      if (reach_[i].overflow || reach_[i].value >= modes_[i].extent.value) is_additive_ = false;
    }
    return is_additive_ || is_linear();
  }

 private:
  std::vector<Mode> modes_;
  std::vector<CheckedInt64> reach_;  // per mode: the largest digit that the recorded modes sum up to
  int64_t sign_ = 0;                 // the direction of the recorded modes, 0 if there is none yet
  bool is_additive_ = true;
};

// largest right operand that is enumerated to decide exactly if a composition exists although digits carry
constexpr int64_t kMaxEnumeratedOperand = int64_t{1} << 16;

std::unexpected<Error> NoLayout(const ShapeStrideLayout& a, const IntTuple& extent, const IntTuple& stride,
                                std::string_view why) {
  return ArgumentError("no layout is ", ToString(a), " o ", ToString(extent), ":", ToString(stride), ": ", why);
}

// The modes of the result that refine one integer of B.
struct RefinedLeaf {
  std::vector<StridedMode> modes;
  bool fits = true;  // false if the modes do not give the values of A o B, or if digits carry
};

// Returns the stride that CuTe gives a mode of extent 1, where any stride would be right.
CheckedInt64 UnusedStride(const LeftOperand& left, int64_t stride) {
  const int64_t sign = stride < 0 ? -1 : 1;
  int64_t rest = std::abs(stride);
  for (size_t i = 0; i + 1 < left.modes().size(); ++i) rest = CeilDiv(rest, left.modes()[i].extent.value);
  return CheckedInt64(rest) * sign * left.modes().back().stride;
}

// Returns the shortest list of modes for extent:stride, each as long as possible without a carry. The first extent is
// the length of the first run, so a run that does not end at a divisor of the extent has no layout (unless carries
// cancel).
Expected<RefinedLeaf> RefineFully(LeftOperand& left, int64_t extent, int64_t stride) {
  RefinedLeaf result;
  const int64_t sign = stride < 0 ? -1 : 1;
  int64_t rest = extent;
  CheckedInt64 step = std::abs(stride);
  while (true) {
    const std::vector<int64_t> digits = left.Digits(step.value);
    int64_t run = std::numeric_limits<int64_t>::max();
    for (size_t i = 0; i + 1 < digits.size(); ++i) {
      if (digits[i] > 0) run = std::min(run, CeilDiv(left.modes()[i].extent.value, digits[i]));
    }
    const int64_t length = std::min(run, rest);
    const CheckedInt64 value = left.ValueOf(digits) * sign;
    if (value.overflow) return OverflowError("a stride of the composition does not fit int64");
    if (rest % length != 0) {
      result.fits = false;
      return result;
    }
    result.modes.push_back({length, value.value});
    if (!left.RecordMode(length, digits, sign)) result.fits = false;
    if (length == rest) return result;
    rest /= length;
    step = step * length;
    if (step.overflow) return OverflowError("an index of the composition does not fit int64");
  }
}

// Returns modes in CuTe's form for numbers that are partly run-time values, checked as in RefineFully.
Expected<RefinedLeaf> RefineAsAtRunTime(LeftOperand& left, KnownInteger extent, KnownInteger stride) {
  RefinedLeaf result;
  const int64_t sign = stride.value < 0 ? -1 : 1;
  KnownInteger rest = extent;
  KnownInteger step{std::abs(stride.value), stride.known};
  const auto emit = [&](int64_t length, const LeftOperand::Mode& mode) {
    const CheckedInt64 value = CheckedInt64(step.value) * sign * mode.stride;
    if (value.overflow) return false;
    result.modes.push_back({length, value.value});
    return true;
  };
  const std::unexpected<Error> overflow = OverflowError("a stride of the composition does not fit int64");
  for (size_t i = 0; i + 1 < left.modes().size(); ++i) {
    const LeftOperand::Mode& mode = left.modes()[i];
    const KnownInteger next_extent{step.value == 0 ? mode.extent.value : CeilDiv(mode.extent.value, step.value),
                                   mode.extent.known && step.known};
    const KnownInteger next_step{CeilDiv(step.value, mode.extent.value), mode.extent.known && step.known};
    const bool skipped = (next_extent.known && next_extent.value == 1) || (rest.known && rest.value == 1);
    if (!skipped) {
      const KnownInteger length{std::min(next_extent.value, rest.value), next_extent.known && rest.known};
      if (rest.value % length.value != 0) {
        result.fits = false;
        return result;
      }
      if (!emit(length.value, mode)) return overflow;
      rest = {rest.value / length.value, rest.known && length.known};
    }
    step = next_step;
  }
  if ((result.modes.empty() || !rest.known || rest.value != 1) && !emit(rest.value, left.modes().back()))
    return overflow;

  CheckedInt64 index = std::abs(stride.value);
  for (const StridedMode& mode : result.modes) {
    if (mode.extent == 1) continue;
    const std::vector<int64_t> digits = left.Digits(index.value);
    const CheckedInt64 value = left.ValueOf(digits) * sign;
    if (value.overflow || value.value != mode.stride || !left.RecordMode(mode.extent, digits, sign))
      result.fits = false;
    index = index * mode.extent;
    if (index.overflow) return OverflowError("an index of the composition does not fit int64");
  }
  return result;
}

// Decides by enumeration if A o B is a layout, and returns its modes per integer of B. Without mergeable modes, the
// first extent is the length of the run before the values leave the line through the first two; each next extent is
// found likewise from every length-th value.
Expected<std::vector<std::vector<StridedMode>>> RefineByEnumeration(const ShapeStrideLayout& a,
                                                                    const ShapeStrideLayout& b) {
  LAYOUTCHECK_TRY(const LeftOperand left, LeftOperand::Create(a, Simplification::kFull));
  LAYOUTCHECK_TRY(const std::vector<StridedMode> leaves, FlatModes(b));
  LAYOUTCHECK_TRY(const std::vector<int64_t> inner, StridedOffsetTable(b, kMaxEnumeratedOperand));
  std::vector<std::vector<StridedMode>> refined;
  std::vector<StridedMode> all;
  for (const StridedMode& leaf : leaves) {
    std::vector<StridedMode> modes;
    int64_t rest = leaf.extent;
    int64_t step = leaf.stride;  // step * k is below a value of B, so it fits int64
    do {
      const CheckedInt64 stride = rest == 1 ? UnusedStride(left, leaf.stride) : left.At(step);
      int64_t length = std::min<int64_t>(rest, 2);
      while (length < rest) {
        const CheckedInt64 value = left.At(step * length);
        const CheckedInt64 expected = stride * length;
        if (value.overflow || expected.overflow || value.value != expected.value) break;
        ++length;
      }
      if (stride.overflow) return OverflowError("a stride of the composition does not fit int64");
      if (rest % length != 0) {
        return NoLayout(a, leaf.extent, leaf.stride,
                        StrCat("the values go on evenly for ", length, " of ", rest, " steps of ", step));
      }
      modes.push_back({length, stride.value});
      rest /= length;
      if (rest > 1) step *= length;
    } while (rest > 1);
    all.insert(all.end(), modes.begin(), modes.end());
    refined.push_back(std::move(modes));
  }
  LAYOUTCHECK_TRY(const std::vector<int64_t> values, StridedOffsetTable(LayoutOfModes(all), kMaxEnumeratedOperand));
  for (size_t i = 0; i < inner.size(); ++i) {
    const CheckedInt64 expected = left.At(inner[i]);
    if (expected.overflow || expected.value != values[i]) {
      return ArgumentError("no layout is ", ToString(a), " o ", ToString(b), ": its value at coordinate ", i,
                           " is not the sum of the values along the modes");
    }
  }
  return refined;
}

struct BasisTarget {
  std::vector<int64_t> path;
  LeftOperand left;
};

// Returns the part of A that a stride of B reaches into. `targets` has one entry per path.
Expected<LeftOperand*> TargetOf(const ShapeStrideLayout& a, const std::vector<int64_t>& path,
                                Simplification simplification, std::vector<BasisTarget>& targets) {
  for (BasisTarget& target : targets) {
    if (target.path == path) return &target.left;
    const size_t common = std::min(target.path.size(), path.size());
    if (std::equal(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(common), target.path.begin())) {
      return ArgumentError("the right layout's strides name a mode and a part of the same mode");
    }
  }
  LAYOUTCHECK_TRY(const IntTuple shape, Get(a.shape, path));
  LAYOUTCHECK_TRY(LeftOperand left, LeftOperand::Create({shape, *Get(a.stride, path)}, simplification));
  targets.push_back({path, std::move(left)});
  return &targets.back().left;
}

}  // namespace

Expected<ShapeStrideLayout> Composition(const ShapeStrideLayout& a, const ShapeStrideLayout& b,
                                        Simplification simplification) {
  for (const ShapeStrideLayout* layout : {&a, &b}) {
    const Expected<void> valid = ValidateLayout(*layout);
    if (!valid) return std::unexpected(valid.error());
    LAYOUTCHECK_TRY(const int64_t size, Size(*layout));
    if (size == 0) return ArgumentError(ToString(*layout), " has no coordinate");
  }
  const bool full = simplification == Simplification::kFull;
  const std::vector<IntTuple> extents = Leaves(b.shape);
  const std::vector<IntTuple> strides = Leaves(b.stride);
  std::vector<BasisTarget> targets;
  targets.reserve(extents.size());  // keeps pointers to its entries valid
  std::vector<std::vector<StridedMode>> refined;
  bool fits = true;
  std::optional<size_t> culprit;
  for (size_t i = 0; i < extents.size() && fits; ++i) {
    const KnownInteger extent{extents[i].value(), full || extents[i].is_static()};
    const KnownInteger stride{strides[i].value(), full || strides[i].is_static()};
    LAYOUTCHECK_TRY(LeftOperand* const left, TargetOf(a, strides[i].basis(), simplification, targets));
    if (stride.value == std::numeric_limits<int64_t>::min()) {
      return OverflowError("stride ", stride.value, " has no absolute value in int64");
    }
    if (stride.value == 0 && stride.known) {
      refined.push_back({{extent.value, 0}});
      continue;
    }
    if (left->is_linear() || (extent.value == 1 && extent.known)) {
      const CheckedInt64 value =
          left->is_linear() ? CheckedInt64(stride.value) * left->modes()[0].stride : UnusedStride(*left, stride.value);
      if (value.overflow) return OverflowError("a stride of the composition does not fit int64");
      refined.push_back({{extent.value, value.value}});
      continue;
    }
    LAYOUTCHECK_TRY(RefinedLeaf leaf,
                    full ? RefineFully(*left, extent.value, stride.value) : RefineAsAtRunTime(*left, extent, stride));
    if (!leaf.fits) culprit = i;
    fits = leaf.fits;
    refined.push_back(std::move(leaf.modes));
  }
  if (!fits) {
    const CheckedInt64 size = CheckedProduct(b.shape);
    if (HasBasis(b.stride) || size.value > kMaxEnumeratedOperand) {
      return NoLayout(a, extents[*culprit], strides[*culprit], "its values carry between the modes of the left layout");
    }
    LAYOUTCHECK_TRY(refined, RefineByEnumeration(a, b));
  }
  std::vector<IntTuple> shape;
  std::vector<IntTuple> stride;
  for (const std::vector<StridedMode>& modes : refined) {
    ShapeStrideLayout part = LayoutOfModes(modes);
    shape.push_back(std::move(part.shape));
    stride.push_back(std::move(part.stride));
  }
  ShapeStrideLayout result{Unflatten(b.shape, shape), Unflatten(b.shape, stride)};
  LAYOUTCHECK_RETURN_IF_ERROR(RangeOfOffsets(result));
  return WithStatic(result, IsStatic(a) && IsStatic(b));
}

Expected<ShapeStrideLayout> Composition(const ShapeStrideLayout& a, const Tiler& b) {
  switch (b.kind) {
    case Tiler::Kind::kLayout: return Composition(a, b.layout);
    // Unlike Divide, Composition reads the integer n as n:1 even if n is 1.
    case Tiler::Kind::kExtent: return Composition(a, ShapeStrideLayout{b.layout.shape, 1});
    case Tiler::Kind::kKeep: return ShapeStrideLayout{a.shape, a.stride};
    case Tiler::Kind::kModes: break;
  }
  const std::vector<ShapeStrideLayout> modes = Modes(a);
  if (b.modes.size() > modes.size()) return ArgumentError("tiler ", ToString(b), " has more modes than ", ToString(a));
  std::vector<ShapeStrideLayout> result;
  for (size_t i = 0; i < b.modes.size(); ++i) {
    LAYOUTCHECK_TRY(ShapeStrideLayout mode, Composition(modes[i], b.modes[i]));
    result.push_back(std::move(mode));
  }
  return ConcatenateModes(result);
}

Expected<ComposedLayout> Composition(const ComposedLayout& a, const ShapeStrideLayout& b) {
  LAYOUTCHECK_RETURN_IF_ERROR(ValidateComposedLayout(a));
  LAYOUTCHECK_TRY(ShapeStrideLayout inner, Composition(a.layout, b));
  return ComposedLayout{a.swizzle, a.offset, std::move(inner)};
}

}  // namespace layoutcheck
