// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The layout of the array of a device that a text names behind `local=`: strides of CuTe or TLA, also behind a swizzle
// and an offset, or a layout in bits. It has one mode or one input per dimension of the array, and may have more
// coordinates than the array has elements: the others are padding.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/linear/linear_layout.h"
#include "layoutcheck/core/shape_stride/composed_layout.h"
#include "layoutcheck/core/shape_stride/strided_index.h"

namespace layoutcheck {

class LocalLayout {
 public:
  // Parses a layout that stands at this column of a longer text. Errors, with the column in the longer text: those of
  // ParseComposedLayout and ParseLinearLayout; text in neither notation (syntax); an offset below 0, or a layout in
  // bits that gives two coordinates one offset (invalid layout); more than 2^22 coordinates under a swizzle, and
  // strides that name axes (unsupported); an offset that does not fit int64 (overflow).
  static Expected<LocalLayout> Parse(std::string_view text, int64_t column);

  // Returns the canonical text.
  const std::string& text() const { return text_; }
  // Returns the number of coordinates per dimension.
  const std::vector<int64_t>& sizes() const { return sizes_; }
  // Returns 1 + the largest offset, or 0 if there is no coordinate.
  int64_t allocation() const { return allocation_; }
  // Returns the strides, or null for a layout in bits.
  const ComposedLayout* strides() const;

  // Returns an error (invalid layout, at the column of the layout) unless each element of an array of these sizes has a
  // coordinate.
  Expected<void> RequireRoomFor(std::span<const int64_t> array_sizes) const;
  // Returns the layout, as a view (core/shape_stride/view.h) if the array has fewer elements. Requires room for it.
  std::string TextOf(std::span<const int64_t> array_sizes) const;

  // Returns the offset of an element. Requires a coordinate within sizes().
  int64_t OffsetOf(std::span<const int64_t> coordinate) const;
  // Returns the coordinate at an offset in an array of these sizes, or nothing for padding. If several elements have
  // the offset, it is one of theirs. Requires room for the array. Error (unsupported): the search among overlapping
  // modes takes too long.
  Expected<std::optional<std::vector<int64_t>>> CoordinateOf(int64_t offset,
                                                             std::span<const int64_t> array_sizes) const;

 private:
  struct Strides {
    ComposedLayout layout;
    StridedLayout modes;  // modes of `layout`; empty if it has no coordinate
  };

  LocalLayout(std::variant<Strides, LinearLayout> map, int64_t column) : map_(std::move(map)), column_(column) {}

  static Expected<LocalLayout> OfStrides(ComposedLayout layout, int64_t column);
  static Expected<LocalLayout> OfBits(LinearLayout layout, int64_t column);

  std::variant<Strides, LinearLayout> map_;
  int64_t column_ = 0;
  std::string text_;
  std::vector<int64_t> sizes_;
  int64_t allocation_ = 0;
};

}  // namespace layoutcheck
