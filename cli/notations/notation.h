// The LAYOUT argument of the commands: a layout in any notation as one value.
//
// A notation is one class derived from AnyLayout and one line in notation.cc, which tells it from the others by a
// glance at the text.
#ifndef LAYOUTCHECK_CLI_NOTATIONS_NOTATION_H_
#define LAYOUTCHECK_CLI_NOTATIONS_NOTATION_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "layoutcheck/cli/base/command.h"
#include "layoutcheck/cli/pictures/fact.h"
#include "layoutcheck/cli/pictures/memory_boxes.h"
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/hlo/padded_layout.h"
#include "layoutcheck/core/hlo/shape.h"
#include "layoutcheck/core/shape_stride/shape_stride_layout.h"
#include "layoutcheck/core/shape_stride/swizzle.h"
#include "layoutcheck/core/shape_stride/tla.h"

namespace layoutcheck {

// How much memory a layout takes.
struct AllocationSizes {
  int64_t elements = 0;
  // Elements allocated, padding included.
  int64_t padded_elements = 0;
  // Bytes allocated; nothing where the notation has no element type.
  std::optional<int64_t> bytes;
  // The linear index of the first allocated element: below 0 only for negative strides.
  int64_t first_offset = 0;
};

// What a notation says, as the type of core that means it.
using LayoutValue = std::variant<Shape, PaddedLayout, ShapeStrideLayout, ComposedLayout, FractalLayout>;

class AnyLayout {
 public:
  virtual ~AnyLayout() = default;

  // The canonical text in its own notation.
  virtual std::string Text() const = 0;
  virtual LayoutValue Value() const = 0;
  virtual AllocationSizes Sizes() const = 0;

  // The linear index of the element that COORD text names. Errors: text that is no coordinate; a coordinate outside its
  // dimension, which is named.
  virtual Expected<int64_t> IndexOf(std::string_view coordinate) const = 0;

  // The coordinate stored at a linear index, nothing where there is padding. Errors: an index outside the allocation;
  // unsupported where finding it would take too long (shape:stride layouts with many overlapping modes).
  Expected<std::optional<Json>> ElementAt(int64_t offset) const;

  // How the layout comes to the order that it has in memory, step by step.
  virtual std::vector<Fact> Facts() const = 0;
  // The sizes, major to minor, that the linear index is row major over: those after all tiles. Nothing where there are
  // none.
  virtual std::optional<std::vector<int64_t>> ExpandedSizes() const = 0;

  // How the allocation is drawn; nothing where it cannot be. The result refers to this layout.
  virtual std::optional<MemoryBoxes> Boxes() const = 0;
  // What stands for padding where memory is drawn as letters: '.' unless the padding has a known value.
  virtual char PaddingSymbol() const { return '.'; }

  // The part of the allocation that holds no element, in [0, 1]; 0 for an empty allocation.
  double Waste() const;

 private:
  // ElementAt for an index inside of the allocation.
  virtual Expected<std::optional<Json>> FindElement(int64_t offset) const = 0;
};

// Reads a LAYOUT in any notation. The layout is usable afterwards: all of its sizes are known and fit int64. Errors:
// text in no notation, or a layout without a linear index (a tuple, an unbounded dimension, an overflow).
Expected<std::unique_ptr<AnyLayout>> ReadLayout(std::string_view text);

// "2 x 3"; "scalar" where there are no sizes.
std::string SizesText(std::span<const int64_t> sizes);

// The members elements, padded_elements and bytes (where known) of the JSON results.
Json SizesJson(const AnyLayout& layout);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_CLI_NOTATIONS_NOTATION_H_
