// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The LAYOUT argument of the commands: a layout in any notation as one value. notations.h lists the notations.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/cli/pictures/fact.h"
#include "layoutcheck/cli/pictures/memory_boxes.h"
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/hlo/shape.h"
#include "layoutcheck/core/linear/linear_layout.h"
#include "layoutcheck/core/shape_stride/composed_layout.h"
#include "layoutcheck/core/shape_stride/swizzle.h"
#include "layoutcheck/json/json.h"

namespace layoutcheck {

// The memory that a layout takes.
struct AllocationSizes {
  int64_t elements = 0;
  int64_t padded_elements = 0;   // elements allocated, padding included
  std::optional<int64_t> bytes;  // bytes allocated; absent if the notation has no element type
  int64_t first_offset = 0;      // linear index of the first allocated element; below 0 only for negative strides
};

// A layout in core's types, from which conversions and proofs start. At least one member is present; a notation that is
// both by definition, such as a fractal tag, has both.
struct CoreForms {
  std::optional<Expected<Shape>> shape;               // an XLA shape with layout, or the reason why there is none
  std::optional<ComposedLayout> strided;              // strides, perhaps with a swizzle and an offset
  std::optional<LinearLayout> linear = std::nullopt;  // for a layout in bits, also where it has strides
};

// Returns the strides, also those of an XLA shape that has some. Errors: those of the shape, and of ShapeStrideOfHlo.
Expected<ComposedLayout> StridesOf(const CoreForms& forms);

// A valid layout of one notation. All of its sizes are known and fit int64.
class AnyLayout {
 public:
  virtual ~AnyLayout() = default;

  // Returns the canonical text in the layout's own notation.
  virtual std::string Text() const = 0;
  virtual AllocationSizes Sizes() const = 0;
  virtual CoreForms Forms() const = 0;

  // Returns the sizes of the logical dimensions, in elements.
  virtual std::vector<int64_t> Dimensions() const = 0;
  // Returns the linear index of the element at `coordinate`, which must be within Dimensions().
  virtual int64_t Index(std::span<const int64_t> coordinate) const = 0;
  // Returns the linear index of the element that the COORD text names. Errors: a text that is no coordinate; a
  // coordinate outside its dimension, which the message names.
  virtual Expected<int64_t> IndexOf(std::string_view coordinate) const;

  // Returns the coordinate at a linear index, with one integer per dimension, or nothing for padding. Errors: an index
  // outside the allocation; kUnsupported if the search takes too long (shape:stride layouts with many overlapping
  // modes).
  Expected<std::optional<std::vector<int64_t>>> CoordinateAt(int64_t offset) const;
  // Returns the same as JSON, nested where the layout is.
  Expected<std::optional<Json>> ElementAt(int64_t offset) const;

  // Returns the layout of which this is a view, in whose memory it lies, or null.
  virtual const AnyLayout* Whole() const { return nullptr; }
  // Returns further members of JSON results, for a view.
  virtual Json Details() const;

  // Explains step by step how the order in memory comes about.
  virtual std::vector<Fact> Facts() const = 0;
  // Returns the sizes after all tiles, major to minor, over which the linear index is row major, or nothing.
  virtual std::optional<std::vector<int64_t>> ExpandedSizes() const = 0;

  // Returns the boxes that show the allocation, or nothing if it cannot be drawn. The result refers to this layout.
  virtual std::optional<MemoryBoxes> Boxes() const = 0;
  // Returns the letter for padding: '.' unless the padding has a known value.
  virtual char PaddingSymbol() const { return '.'; }

  // Returns the part of the allocation that holds no element, in [0, 1]; 0 for an empty allocation.
  double Waste() const;

 private:
  // Implements CoordinateAt for an index inside the allocation.
  virtual Expected<std::optional<std::vector<int64_t>>> FindCoordinate(int64_t offset) const = 0;
  // Implements ElementAt for an index inside the allocation, unless that is the coordinate as a list.
  virtual Expected<std::optional<Json>> FindElement(int64_t offset) const;
};

// Reads a LAYOUT in any notation. Errors: text in no notation; no linear index (tuple, unbounded dimension, overflow).
Expected<std::unique_ptr<AnyLayout>> ReadLayout(std::string_view text);

// Returns the coordinate with one integer per mode at an offset of strides, or nothing if there is no element.
Expected<std::optional<std::vector<int64_t>>> ModesAt(const ComposedLayout& composed, int64_t offset);

// Returns "2 x 3", or "scalar" if there are no sizes.
std::string SizesText(std::span<const int64_t> sizes);

// Returns the members elements, padded_elements and bytes (if known) of JSON results.
Json SizesJson(const AnyLayout& layout);

// Returns the facts for `show`: elements, padded elements, bytes (also rounded if large), waste, and those of its
// notation.
std::vector<Fact> SummaryOf(const AnyLayout& layout);

}  // namespace layoutcheck
