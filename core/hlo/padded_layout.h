// The padded layout of XLA in 2017 and 2018: a dimension order and, for each logical dimension, the size that it is
// padded to at its end. Source: docs/shapes.md before 2025-03-10 (padded_dimensions, padding_value).
//
// Text: an HLO array shape, `pad` and the padded dimensions in logical order, and the value that the padding holds:
// `f32[2,3]{0,1}pad[3,5]=0`. The values are `0`, `1`, `lowest`, `highest` (of the element type) and `unknown`; without
// `=` there is none. `pad[]` leaves every dimension as it is. White space and comments may stand between the parts.
#ifndef LAYOUTCHECK_CORE_HLO_PADDED_LAYOUT_H_
#define LAYOUTCHECK_CORE_HLO_PADDED_LAYOUT_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/hlo/shape.h"

namespace layoutcheck {

// Values are the numbers of XLA's PaddingValue of that time.
enum class PaddingValue { kInvalid = 0, kZero = 1, kOne = 2, kLowest = 3, kHighest = 4, kUnknown = 5 };

// A valid padded layout of one array.
class PaddedLayout {
 public:
  // `padded_dimensions` has one size a logical dimension, each at least the dimension's, or is empty. A shape without a
  // layout is row major. Errors (invalid layout): a shape that is no array, has dynamic dimensions or a layout with
  // anything but a dimension order, since layouts had nothing else then; a number of padded dimensions other than said,
  // or one that is smaller than its dimension. Overflow of the padded element count or byte size is an error.
  static Expected<PaddedLayout> Create(Shape shape, std::vector<int64_t> padded_dimensions, PaddingValue padding_value);

  // Reads the text described above; the whole text must be one layout. Errors: kSyntax with the column; otherwise as
  // Create and ParseShape.
  static Expected<PaddedLayout> Parse(std::string_view text);

  // The canonical text: Parse(ToString()) gives this layout again.
  std::string ToString() const;

  const Shape& shape() const { return shape_; }
  // As given: empty, or one size a logical dimension.
  const std::vector<int64_t>& padded_dimensions() const { return padded_dimensions_; }
  PaddingValue padding_value() const { return padding_value_; }

  // Whether a dimension is larger with its padding (XLA's IsPadded).
  bool IsPadded() const { return sizes_ != shape_.dimensions; }

  int64_t elements() const { return elements_; }
  int64_t padded_elements() const { return padded_elements_; }
  // padded_elements() times the byte width of the element type.
  int64_t bytes() const { return bytes_; }

  // Where the element of a logical index lies, in elements: the linear index in the padded sizes. Errors (invalid
  // argument): an index of another rank or outside the unpadded dimensions.
  Expected<int64_t> LinearIndex(std::span<const int64_t> index) const;

  // The logical index of the element at an offset, or nothing where that cell is padding. Errors (invalid argument): an
  // offset outside [0, padded_elements()).
  Expected<std::optional<std::vector<int64_t>>> IndexAt(int64_t offset) const;

  // Memory, cell by cell: the number of the element (counted in logical row-major order) that lies there, or nothing
  // for padding. Errors (unsupported): more than 2^26 cells.
  Expected<std::vector<std::optional<int64_t>>> MemoryPicture() const;

  // The same map as a tiled layout: one tile of the padded sizes, from the first padded dimension on; f32[2,3]{0,1}
  // padded to [3,5] is f32[2,3]{0,1:T(5,3)}. What the padding holds is not part of it. Error (unsupported): a dimension
  // of size 0 that is padded, where tiles allocate nothing.
  Expected<Shape> ToTiledShape() const;

  bool operator==(const PaddedLayout&) const = default;

 private:
  PaddedLayout() = default;

  Shape shape_;
  std::vector<int64_t> padded_dimensions_;
  PaddingValue padding_value_ = PaddingValue::kInvalid;
  std::vector<int64_t> sizes_;  // padded, one a logical dimension
  int64_t elements_ = 0;
  int64_t padded_elements_ = 0;
  int64_t bytes_ = 0;
};

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_CORE_HLO_PADDED_LAYOUT_H_
