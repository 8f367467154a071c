// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/shape_stride/composed_layout.h"
#include "layoutcheck/core/shape_stride/evaluate.h"
#include "layoutcheck/core/shape_stride/text.h"
#include "layoutcheck/properties/run/known_differences.h"

namespace layoutcheck {
namespace {

// Returns the text with each memory space S(n) replaced by what `change` makes of n: S(change(n)), or nothing for 0.
// Numbers outside int64 stay.
template <class Change>
std::string WithMemorySpaces(std::string_view text, const Change& change) {
  std::string result;
  while (!text.empty()) {
    int64_t space = 0;
    const char* const end = text.data() + text.size();
    const bool is_space = text.starts_with("S(");
    const auto read = is_space ? std::from_chars(text.data() + 2, end, space) : std::from_chars_result{};
    if (!is_space || read.ec != std::errc() || read.ptr == end || *read.ptr != ')') {
      result += text.front();
      text.remove_prefix(1);
      continue;
    }
    text.remove_prefix(static_cast<size_t>(read.ptr + 1 - text.data()));
    if (const int64_t changed = change(space); changed != 0) {
      StrAppend(result, "S(", changed, ")");
    } else if (result.ends_with(':') && text.starts_with('}')) {
      result.pop_back();  // the attributes were this memory space alone
      if (!result.ends_with("]{")) continue;
      result.pop_back();  // a scalar, whose layout is not printed without attributes
      text.remove_prefix(1);
    }
  }
  return result;
}

bool IsEightBitMemorySpace(const Difference& difference) {
  return difference.actual == WithMemorySpaces(difference.expected, [](int64_t n) { return static_cast<int8_t>(n); });
}

bool IsWithoutMemorySpace(const Difference& difference) {
  return difference.actual == WithMemorySpaces(difference.expected, [](int64_t) { return int64_t{0}; });
}

bool IsCosizeWithoutSwizzle(const Difference& difference) {
  const auto composed = ParseComposedLayout(difference.layout);
  if (!composed) return false;
  const auto cosize = Cosize(composed->layout);
  return cosize && difference.actual == StrCat(*cosize);
}

bool IsCosizeOfLastCoordinate(const Difference& difference) {
  const auto layout = ParseShapeStrideLayout(difference.layout);
  const auto size = layout ? Size(*layout) : Expected<int64_t>(0);
  if (!layout || !size || *size < 1) return false;
  const auto last = Crd2Idx(IntTuple(*size - 1), *layout);
  return last && difference.actual == StrCat(*last + 1);
}

// Returns the first of the arguments in the text of a case.
std::string_view FirstArgumentText(std::string_view layout) { return layout.substr(0, layout.find(';')); }

// Returns true if a stride of the first layout is no multiple of the next smaller one, or with `whole_modes`, of all
// that the mode of that stride spans.
template <bool whole_modes>
bool HasStridesThatDoNotDivide(const Difference& difference) {
  const auto layout = ParseShapeStrideLayout(FirstArgumentText(difference.layout));
  if (!layout) return false;
  const std::vector<IntTuple> extents = Leaves(layout->shape);
  const std::vector<IntTuple> strides = Leaves(layout->stride);
  std::vector<std::pair<int64_t, int64_t>> modes;  // stride and extent of those with more than one value
  for (size_t k = 0; k < extents.size(); ++k) {
    if (extents[k].value() > 1 && strides[k].value() > 0) modes.emplace_back(strides[k].value(), extents[k].value());
  }
  std::ranges::sort(modes);
  for (size_t k = 1; k < modes.size(); ++k) {
    const CheckedInt64 span = CheckedInt64(modes[k - 1].first) * (whole_modes ? modes[k - 1].second : 1);
    if (span.overflow || modes[k].first % span.value != 0) return true;
  }
  return false;
}

// Returns true if a mode of B divides through the modes of A, or they through it, one after the other, as CuTe
// composes.
bool DividesThrough(const std::vector<IntTuple>& extents_of_a, int64_t extent, int64_t stride) {
  for (size_t k = 0; k + 1 < extents_of_a.size() && stride > 0; ++k) {
    const int64_t of_a = extents_of_a[k].value();
    if (of_a < 1 || (of_a % stride != 0 && stride % of_a != 0)) return false;
    const int64_t part = std::min(std::max<int64_t>(1, of_a / stride), extent);
    if (extent % part != 0) return false;
    extent /= part;
    stride = stride / of_a + (stride % of_a != 0 ? 1 : 0);
  }
  return true;
}

bool HasModesThatDoNotDivide(const Difference& difference) {
  const std::string_view first = FirstArgumentText(difference.layout);
  if (first.size() == difference.layout.size()) return false;
  const auto a = ParseShapeStrideLayout(first);
  const auto b = ParseShapeStrideLayout(difference.layout.substr(first.size() + 1));
  if (!a || !b) return false;
  const std::vector<IntTuple> of_a = Leaves(a->shape);
  const std::vector<IntTuple> extents = Leaves(b->shape);
  const std::vector<IntTuple> strides = Leaves(b->stride);
  for (size_t k = 0; k < extents.size(); ++k) {
    if (!DividesThrough(of_a, extents[k].value(), strides[k].value())) return true;
  }
  return false;
}

bool IsOfShapesOfOneSize(const Difference& difference) {
  const std::string_view first = FirstArgumentText(difference.layout);
  if (first.size() == difference.layout.size()) return false;
  const auto a = ParseIntTuple(first);
  const auto b = ParseIntTuple(difference.layout.substr(first.size() + 1));
  return a && b && CheckedProduct(*a).value == CheckedProduct(*b).value;
}

std::optional<int64_t> Number(std::string_view text) {
  int64_t number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size()) return std::nullopt;
  return number;
}

bool WrapsAt32Bits(const Difference& difference) {
  const auto expected = Number(difference.expected);
  const auto actual = Number(difference.actual);
  return expected && actual && static_cast<uint32_t>(*expected) == static_cast<uint32_t>(*actual);
}

}  // namespace

std::span<const KnownPredicate> KnownPredicates() {
  static constexpr KnownPredicate kPredicates[] = {
      {"memory-space-of-8-bits", "The actual text is the expected one with each memory space cut to its low 8 bits.",
       IsEightBitMemorySpace},
      {"without-memory-space", "The actual text is the expected one without its memory space.", IsWithoutMemorySpace},
      {"cosize-without-swizzle", "The actual cosize is that of the composed layout's inner layout.",
       IsCosizeWithoutSwizzle},
      {"cosize-of-last-coordinate", "The actual cosize is 1 + the value at the layout's last coordinate.",
       IsCosizeOfLastCoordinate},
      {"strides-do-not-divide", "A stride of the first layout is no multiple of the next smaller one.",
       HasStridesThatDoNotDivide<false>},
      {"modes-leave-holes",
       "A stride of the first layout is no multiple of what the mode of the next smaller stride spans.",
       HasStridesThatDoNotDivide<true>},
      {"modes-do-not-divide",
       "A mode of the second layout is cut by modes of the first one that it does not divide, as they are written.",
       HasModesThatDoNotDivide},
      {"shapes-of-one-size", "Both shapes have the same number of elements.", IsOfShapesOfOneSize},
      {"wraps-at-32-bits", "The actual number differs from the expected one by a multiple of 2^32.", WrapsAt32Bits},
  };
  return kPredicates;
}

}  // namespace layoutcheck
