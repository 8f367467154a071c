// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/algebra/left_operand.h"
#include <algorithm>
#include <cstdlib>
#include <limits>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {

Expected<LeftOperand> LeftOperand::Create(const ShapeStrideLayout& layout, Simplification simplification) {
  if (auto ordinary = RequireOrdinaryStrides(layout); !ordinary) return std::unexpected(ordinary.error());
  const std::vector<IntTuple> extents = Leaves(layout.shape);
  const std::vector<IntTuple> strides = Leaves(layout.stride);
  const bool full = simplification == Simplification::kFull;
  LeftOperand left;
  std::vector<Mode>& modes = left.modes_;  // from the last to the first, reversed at the end
  std::vector<bool> stride_known;
  for (size_t i = extents.size(); i-- > 0;) {
    const Mode mode{{extents[i].value(), full || extents[i].is_static()}, strides[i].value()};
    if (mode.extent.value < 1) {
      return MakeError(ErrorKind::kInvalidArgument, StrCat(ToString(layout), " has no coordinate"));
    }
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

std::vector<int64_t> LeftOperand::Digits(int64_t index) const {
  std::vector<int64_t> digits(modes_.size(), 0);
  for (size_t i = 0; i + 1 < modes_.size(); ++i) {
    digits[i] = index % modes_[i].extent.value;
    index /= modes_[i].extent.value;
  }
  digits.back() = index;
  return digits;
}

CheckedInt64 LeftOperand::ValueOf(const std::vector<int64_t>& digits) const {
  CheckedInt64 value = 0;
  for (size_t i = 0; i < modes_.size(); ++i) value = value + CheckedInt64(digits[i]) * modes_[i].stride;
  return value;
}

CheckedInt64 LeftOperand::At(int64_t index) const {
  if (index == std::numeric_limits<int64_t>::min()) return {0, true};
  const CheckedInt64 value = ValueOf(Digits(std::abs(index)));
  return index < 0 ? 0 - value : value;
}

bool LeftOperand::RecordMode(int64_t extent, const std::vector<int64_t>& digits, int64_t sign) {
  if (sign != 0 && sign_ != 0 && sign != sign_) is_additive_ = false;
  if (sign != 0) sign_ = sign;
  for (size_t i = 0; i + 1 < modes_.size(); ++i) {
    reach_[i] = reach_[i] + (CheckedInt64(extent) - 1) * digits[i];
    if (reach_[i].overflow || reach_[i].value >= modes_[i].extent.value) is_additive_ = false;
  }
  return is_additive_ || is_linear();
}

}  // namespace layoutcheck
