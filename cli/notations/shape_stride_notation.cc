// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two notations: shape:stride layouts, and the tags of fractal layouts, which are shape:stride layouts by definition.
#include <algorithm>
#include <limits>
#include <map>
#include <utility>
#include "layoutcheck/cli/notations/notations.h"
#include "layoutcheck/core/base/integer.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/bridges/text_to_hlo.h"
#include "layoutcheck/core/shape_stride/composed_layout.h"
#include "layoutcheck/core/shape_stride/coordinate.h"
#include "layoutcheck/core/shape_stride/evaluate.h"
#include "layoutcheck/core/shape_stride/fractal_layout.h"
#include "layoutcheck/core/shape_stride/shape_stride_layout.h"
#include "layoutcheck/core/shape_stride/swizzle.h"
#include "layoutcheck/core/shape_stride/text.h"
#include "layoutcheck/core/shape_stride/tla.h"
#include "layoutcheck/core/tiling/sizes.h"
#include "layoutcheck/json/json.h"

namespace layoutcheck {
namespace {

// The maximum of elements and cells for drawing a layout whose elements share addresses or whose modes overlap.
constexpr int64_t kMostTabulated = 4096;

Json ToJson(const IntTuple& tuple) {
  if (tuple.is_leaf()) return tuple.value();
  Json array = Json::array();
  for (const IntTuple& element : tuple.elements()) array.push_back(ToJson(element));
  return array;
}

// Returns the allocation, without bytes: from offset 0 (below 0 for negative strides) to the largest offset.
Expected<AllocationSizes> SizesOfShapeStride(const ComposedLayout& composed) {
  const ShapeStrideLayout& layout = composed.layout;
  LAYOUTCHECK_TRY(const int64_t elements, layout.origin_shape ? Product(*layout.origin_shape) : Size(layout));
  AllocationSizes sizes{elements, 0, std::nullopt, 0};
  if (elements == 0) return sizes;
  if (composed.swizzle) {
    LAYOUTCHECK_TRY(sizes.padded_elements, Cosize(composed));
    return sizes;
  }
  LAYOUTCHECK_TRY(const OffsetRange range, RangeOfOffsets(layout));
  const CheckedInt64 smallest = CheckedInt64(range.smallest) + composed.offset;
  const CheckedInt64 largest = CheckedInt64(range.largest) + composed.offset;
  sizes.first_offset = std::min<int64_t>(smallest.value, 0);
  const CheckedInt64 span = largest - CheckedInt64(sizes.first_offset, smallest.overflow) + CheckedInt64(1);
  LAYOUTCHECK_TRY(sizes.padded_elements, ValueOrOverflow(span, "the size of the allocation"));
  return sizes;
}

// Returns the sizes, major to minor, over which memory is row major, or nothing if there are none: each stride, in
// increasing order, must be a multiple of the one before and at least its span. A larger stride leaves padding.
std::optional<std::vector<int64_t>> MemorySizes(const ComposedLayout& composed) {
  if (composed.swizzle || composed.offset != 0) return std::nullopt;
  const ShapeStrideLayout& layout = composed.layout;
  const std::vector<IntTuple> extents = Leaves(layout.shape);
  const std::vector<IntTuple> strides = Leaves(layout.stride);
  std::vector<std::pair<int64_t, int64_t>> modes;  // (stride, extent)
  for (size_t k = 0; k < extents.size(); ++k) {
    if (extents[k].value() > 1) modes.emplace_back(strides[k].value(), extents[k].value());
  }
  std::ranges::sort(modes);
  if (!modes.empty() && modes.front().first <= 0) return std::nullopt;
  std::vector<int64_t> sizes;  // minor to major
  if (!modes.empty() && modes.front().first > 1) sizes.push_back(modes.front().first);
  CheckedInt64 cells = sizes.empty() ? 1 : sizes.front();
  for (size_t k = 0; k < modes.size(); ++k) {
    const auto [stride, extent] = modes[k];
    int64_t size = extent;
    if (k + 1 < modes.size()) {
      const int64_t next = modes[k + 1].first;
      if (next % stride != 0 || next / stride < extent) return std::nullopt;
      size = next / stride;
    }
    sizes.push_back(size);
    cells = cells * size;
  }
  if (cells.overflow) return std::nullopt;
  std::ranges::reverse(sizes);
  return sizes;
}

// A layout with strides, perhaps with a swizzle and an offset.
class StridedText : public AnyLayout {
 public:
  StridedText(ComposedLayout composed, AllocationSizes sizes)
      : composed_(std::move(composed)), sizes_(sizes), memory_sizes_(MemorySizes(composed_)) {
    if (auto strided = StridedLayoutOf(composed_.layout)) strided_ = *std::move(strided);
  }

  AllocationSizes Sizes() const override { return sizes_; }
  CoreForms Forms() const override { return {std::nullopt, composed_}; }

  std::vector<int64_t> Dimensions() const override {
    std::vector<int64_t> sizes;
    for (const IntTuple& mode : Modes(layout().origin_shape.value_or(layout().shape))) {
      // Only an empty layout has a mode whose size does not fit.
      sizes.push_back(Product(mode).value_or(std::numeric_limits<int64_t>::max()));
    }
    return sizes;
  }

  int64_t Index(std::span<const int64_t> coordinate) const override {
    // The range of the offsets fits int64, and so do all partial sums.
    const int64_t offset = composed_.offset + StridedOffset<int64_t>(strided_, coordinate);
    return composed_.swizzle ? ApplySwizzle(*composed_.swizzle, offset) : offset;
  }

  std::vector<Fact> Facts() const override {
    if (!memory_sizes_) return {};
    return {{"memory order", SizesText(*memory_sizes_)}};
  }

  std::optional<std::vector<int64_t>> ExpandedSizes() const override { return memory_sizes_; }

  std::optional<MemoryBoxes> Boxes() const override {
    MemoryBoxes boxes;
    boxes.dimensions = Dimensions();
    for (size_t k = 0; k < boxes.dimensions.size(); ++k) boxes.names.push_back(ModeName(k, boxes.dimensions.size()));
    boxes.end = sizes_.padded_elements;
    boxes.first_offset = sizes_.first_offset;
    if (memory_sizes_) {
      SplitSizes(boxes);
      boxes.element = [this](int64_t offset) { return FindCoordinate(offset).value_or(std::nullopt); };
      return boxes;
    }
    if (sizes_.elements > kMostTabulated || sizes_.padded_elements > kMostTabulated) return std::nullopt;
    std::map<int64_t, std::vector<int64_t>> table;
    for (int64_t i = 0; i < sizes_.elements; ++i) {
      const Expected<int64_t> offset = Crd2Idx(i, composed_);
      const Expected<IntTuple> coordinate = Idx2Crd(i, layout().shape);
      if (!offset || !coordinate) return std::nullopt;
      const auto modes = IntegralModes(*coordinate, layout().shape);
      if (!modes) return std::nullopt;
      if (!table.try_emplace(*offset, *modes).second) boxes.shared = true;
    }
    boxes.groups = {sizes_.padded_elements};
    boxes.element = [table = std::move(table)](int64_t offset) -> std::optional<std::vector<int64_t>> {
      const auto found = table.find(offset);
      if (found == table.end()) return std::nullopt;
      return found->second;
    };
    return boxes;
  }

 protected:
  const ComposedLayout& composed() const { return composed_; }
  const ShapeStrideLayout& layout() const { return composed_.layout; }

 private:
  Expected<std::optional<std::vector<int64_t>>> FindCoordinate(int64_t offset) const override {
    return ModesAt(composed_, offset);
  }

  virtual std::string ModeName(size_t mode, size_t rank) const = 0;

  // Makes a box of the two innermost sizes, and rows and columns of boxes of the next two.
  void SplitSizes(MemoryBoxes& boxes) const {
    size_t count = memory_sizes_->size();
    const auto take = [&] { return count > 0 ? (*memory_sizes_)[--count] : 1; };
    boxes.tiled = count > 2;
    boxes.groups = {take()};
    boxes.lines = take();
    boxes.columns = take();
    boxes.rows = take();
    for (size_t k = 0; k < count; ++k) boxes.pages.push_back({(*memory_sizes_)[k], std::nullopt});
  }

  ComposedLayout composed_;
  StridedLayout strided_;  // of composed_; without modes if there is no coordinate
  AllocationSizes sizes_;
  std::optional<std::vector<int64_t>> memory_sizes_;
};

// A shape:stride layout, whose coordinates are nested as its shape is.
class ShapeStrideText final : public StridedText {
 public:
  using StridedText::StridedText;

  std::string Text() const override { return ToString(composed()); }

  Expected<int64_t> IndexOf(std::string_view text) const override {
    // "1,5" stands for "(1,5)".
    const bool bare = text.find(',') != std::string_view::npos && text.find('(') == std::string_view::npos;
    const Expected<IntTuple> coordinate = ParseIntTuple(bare ? StrCat("(", text, ")") : std::string(text));
    if (!coordinate) {
      Error error = coordinate.error();
      if (bare && error.column > 1) --error.column;
      return std::unexpected(error);
    }
    LAYOUTCHECK_RETURN_IF_ERROR(CheckCoordinate(*coordinate, layout().shape));
    return Crd2Idx(*coordinate, composed());
  }

 private:
  Expected<std::optional<Json>> FindElement(int64_t offset) const override {
    LAYOUTCHECK_TRY(const auto found, layoutcheck::FindCoordinate(composed(), offset));
    return found ? std::optional<Json>(ToJson(*found)) : std::nullopt;
  }

  std::string ModeName(size_t mode, size_t rank) const override {
    return rank == 2 ? std::string(1, "mn"[mode]) : StrCat("m", mode);
  }
};

// A fractal layout. It has an element type, and its coordinates are row,column for every nesting.
class FractalText final : public StridedText {
 public:
  FractalText(const FractalLayout& fractal, ShapeStrideLayout layout, AllocationSizes sizes)
      : StridedText({std::nullopt, 0, std::move(layout)}, sizes), fractal_(fractal) {}

  std::string Text() const override { return ToString(fractal_); }
  CoreForms Forms() const override { return {HloOfFractal(fractal_), composed()}; }

  std::vector<Fact> Facts() const override {
    std::vector<Fact> facts = StridedText::Facts();
    facts.insert(facts.begin(), {"shape:stride", ToString(layout())});
    const int64_t bits = FractalElementBits(fractal_.element_type).value_or(0);
    const std::string in_int32 = WrapText<int32_t>(bits);
    if (!in_int32.empty()) {
      facts.push_back({"32-bit offsets", StrCat("wrap from ", in_int32, " rows (int32), ", WrapText<uint32_t>(bits),
                                                " rows (uint32) of these columns on")});
    }
    return facts;
  }

 private:
  // Returns the first number of rows for which TLA's formula, computed in T, is wrong, or an empty text.
  template <class T>
  std::string WrapText(int64_t bits) const {
    const auto rows = FirstWrappingRows<T>(fractal_.tag, bits, fractal_.sizes.back(), fractal_.blocks);
    return rows && *rows ? StrCat(**rows) : std::string();
  }

  std::string ModeName(size_t mode, size_t rank) const override {
    return DimensionName(static_cast<int64_t>(mode), static_cast<int64_t>(rank));
  }

  FractalLayout fractal_;
};

Expected<std::unique_ptr<AnyLayout>> ReadShapeStrideLayout(std::string_view text) {
  LAYOUTCHECK_TRY(ComposedLayout layout, ParseComposedLayout(text));
  LAYOUTCHECK_TRY(const AllocationSizes sizes, SizesOfShapeStride(layout));
  return std::make_unique<ShapeStrideText>(std::move(layout), sizes);
}

Expected<std::unique_ptr<AnyLayout>> ReadFractalLayout(std::string_view text) {
  LAYOUTCHECK_TRY(const FractalLayout fractal, ParseFractalLayout(text));
  LAYOUTCHECK_TRY(ShapeStrideLayout layout, ShapeStrideOf(fractal));
  LAYOUTCHECK_TRY(const int64_t bits, FractalElementBits(fractal.element_type));
  LAYOUTCHECK_TRY(AllocationSizes sizes, SizesOfShapeStride({std::nullopt, 0, layout}));
  LAYOUTCHECK_TRY(sizes.bytes, PackedBytes(sizes.padded_elements, bits));
  return std::make_unique<FractalText>(fractal, std::move(layout), sizes);
}

}  // namespace

constinit const Notation kShapeStrideNotation = {"((4,2),(4,3)):((4,16),(1,32))",
                                                 "CuTe or CATLASS TLA: nested shape:stride", IsShapeStrideText,
                                                 ReadShapeStrideLayout};
constinit const Notation kFractalNotation = {"zN:f16[20,40]", "CATLASS: tag, element type, rows and columns",
                                             IsFractalText, ReadFractalLayout};

}  // namespace layoutcheck
