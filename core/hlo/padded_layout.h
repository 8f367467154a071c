// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// XLA's padded layout of 2017 and 2018: a dimension order, and the size to which each logical dimension is padded at
// its end. Source: XLA's docs/shapes.md before 2025-03-10 (padded_dimensions, padding_value).
//
// Its text is an HLO array shape, `pad` with the padded dimensions in logical order, and the value of the padding:
// `f32[2,3]{0,1}pad[3,5]=0`. The value is `0`, `1`, `lowest` or `highest` (of the element type) or `unknown`, and may
// be omitted with its `=`. `pad[]` pads no dimension. White space and comments may stand between the parts.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/hlo/shape.h"

namespace layoutcheck {

// The value of the padding. The numbers are those of XLA's PaddingValue of that time.
enum class PaddingValue { kInvalid = 0, kZero = 1, kOne = 2, kLowest = 3, kHighest = 4, kUnknown = 5 };

class PaddedLayout {
 public:
  // Makes a layout from a shape (row major if it has no layout) and padded sizes: none, or one per logical dimension
  // and at least the size of that dimension. Errors: kInvalidLayout if the shape is no array or has dynamic dimensions,
  // if its layout has more than a dimension order (layouts had nothing else then), or if the padded sizes are not as
  // described; kOverflow if an element count or the byte size does not fit int64.
  static Expected<PaddedLayout> Create(Shape shape, std::vector<int64_t> padded_dimensions, PaddingValue padding_value);

  // Parses the whole text as described above. Errors: kSyntax with the column, and those of Create and ParseShape.
  static Expected<PaddedLayout> Parse(std::string_view text);

  // Returns the canonical text: Parse(ToString()) == *this.
  std::string ToString() const;

  const Shape& shape() const { return shape_; }
  // Returns the padded sizes as given: none, or one per logical dimension.
  const std::vector<int64_t>& padded_dimensions() const { return padded_dimensions_; }
  PaddingValue padding_value() const { return padding_value_; }

  int64_t elements() const { return elements_; }
  int64_t padded_elements() const { return padded_elements_; }
  // Returns padded_elements() times the byte width of the element type.
  int64_t bytes() const { return bytes_; }

  // Returns the offset of an element in elements, the linear index in the padded sizes. Error (kInvalidArgument): an
  // index of another rank or outside the unpadded dimensions.
  Expected<int64_t> LinearIndex(std::span<const int64_t> index) const;

  // Returns the logical index at an offset, or nothing for padding. Error (kInvalidArgument): an offset outside [0,
  // padded_elements()).
  Expected<std::optional<std::vector<int64_t>>> IndexAt(int64_t offset) const;

  // Returns, per cell of memory, the element's number in logical row-major order, or nothing for padding. Error
  // (kUnsupported): more than 2^26 cells.
  Expected<std::vector<std::optional<int64_t>>> MemoryPicture() const;

  // Returns the same map as a tiled layout without the padding value. Its one tile has the padded sizes from the first
  // padded dimension on: f32[2,3]{0,1} padded to [3,5] is f32[2,3]{0,1:T(5,3)}. Error (kUnsupported): an array without
  // elements that is padded to some, because a tiled layout allocates nothing for it.
  Expected<Shape> ToTiledShape() const;

  bool operator==(const PaddedLayout&) const = default;

 private:
  PaddedLayout() = default;

  Shape shape_;
  std::vector<int64_t> padded_dimensions_;
  PaddingValue padding_value_ = PaddingValue::kInvalid;
  std::vector<int64_t> sizes_;  // padded size of each logical dimension, in elements
  int64_t elements_ = 0;
  int64_t padded_elements_ = 0;
  int64_t bytes_ = 0;
};

}  // namespace layoutcheck
