// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/shape_stride/tla.h"
#include <algorithm>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

// In the order of TlaTag.
constexpr std::string_view kTagNames[] = {"RowMajor", "ColumnMajor", "VectorLayout", "zN",          "nZ",
                                          "zZ",       "nN",          "L0C",          "Weight4BitnZ"};

// Returns true if the layout of the tag depends on the width of an element.
bool DependsOnElement(TlaTag tag) {
  return tag != TlaTag::kL0C && tag != TlaTag::kWeight4BitnZ && tag != TlaTag::kVectorLayout;
}

Expected<int64_t> ColumnsOfTag(TlaTag tag, int64_t element_bits) {
  return DependsOnElement(tag) ? FractalColumns(element_bits) : Expected<int64_t>(1);
}

Expected<ShapeStrideLayout> LayoutOf(const BasicStridedLayout<CheckedInt64>& modes, IntTuple origin) {
  bool overflow = false;
  std::vector<ShapeStrideLayout> parts;
  for (const auto& mode : modes.modes) {
    std::vector<StridedMode> leaves;
    for (const auto& [extent, stride] : mode) {
      overflow = overflow || extent.overflow || stride.overflow;
      leaves.push_back({extent.value, stride.value});
    }
    parts.push_back(LayoutOfModes(leaves));
  }
  if (overflow) return MakeError(ErrorKind::kOverflow, "an extent or a stride of the layout does not fit int64");
  ShapeStrideLayout layout = ConcatenateModes(parts);
  layout.origin_shape = std::move(origin);
  return layout;
}

Expected<void> CheckSizes(int64_t rows, int64_t columns) {
  if (rows >= 0 && columns >= 0) return {};
  return MakeError(ErrorKind::kInvalidArgument,
                   StrCat("size ", rows, " x ", columns, ": expected sizes of at least 0"));
}

// Returns the integers of an argument, which must have one integer >= 0 per mode of the layout.
Expected<std::vector<int64_t>> OnePerMode(const ShapeStrideLayout& layout, const IntTuple& numbers,
                                          std::string_view what) {
  if (auto valid = ValidateLayout(layout); !valid) return std::unexpected(valid.error());
  if (Depth(numbers) > 1 || numbers.is_leaf() != layout.shape.is_leaf() || Rank(numbers) != Rank(layout)) {
    return MakeError(ErrorKind::kInvalidArgument,
                     StrCat(what, " ", ToString(numbers), ": expected one integer for each of the ", Rank(layout),
                            " modes of ", ToString(layout)));
  }
  std::vector<int64_t> result;
  for (const IntTuple& number : Leaves(numbers)) {
    if (number.value() < 0) {
      return MakeError(ErrorKind::kInvalidArgument, StrCat(what, " ", ToString(numbers), " has an integer below 0"));
    }
    result.push_back(number.value());
  }
  return result;
}

Expected<IntTuple> TileShapeOf(const ShapeStrideLayout& layout, const std::vector<int64_t>& tile) {
  std::vector<IntTuple> shape;
  for (size_t i = 0; i < tile.size(); ++i) {
    const IntTuple mode = *Get(layout.shape, static_cast<int64_t>(i));
    if (mode.is_leaf()) {
      shape.emplace_back(tile[i]);
      continue;
    }
    if (Depth(mode) != 1 || Rank(mode) != 2 || mode.elements()[0].value() < 1) {
      return MakeError(ErrorKind::kUnsupported,
                       StrCat("mode ", i, " is ", ToString(mode), ": expected an integer or (inner,outer)"));
    }
    const IntTuple& inner = mode.elements()[0];
    shape.push_back(IntTuple::Tuple({inner, CeilDiv(tile[i], inner.value())}));
  }
  return layout.shape.is_leaf() ? shape[0] : IntTuple::Tuple(std::move(shape));
}

}  // namespace

std::string_view TlaTagName(TlaTag tag) { return kTagNames[static_cast<size_t>(tag)]; }

std::optional<TlaTag> TlaTagFromName(std::string_view name) {
  const auto* const found = std::ranges::find(kTagNames, name);
  return found == std::end(kTagNames) ? std::nullopt : std::optional(static_cast<TlaTag>(found - kTagNames));
}

Expected<int64_t> FractalColumns(int64_t element_bits) {
  for (const int64_t bits : {4, 8, 16, 32, 64}) {
    if (element_bits == bits) return 256 / bits;
  }
  return MakeError(ErrorKind::kInvalidArgument,
                   StrCat("elements of ", element_bits, " bits: expected 4, 8, 16, 32 or 64"));
}

Expected<ShapeStrideLayout> MakeTlaLayout(TlaTag tag, int64_t element_bits, int64_t rows, int64_t columns) {
  if (auto sizes = CheckSizes(rows, columns); !sizes) return std::unexpected(sizes.error());
  const Expected<int64_t> c0 = ColumnsOfTag(tag, element_bits);
  if (!c0) return std::unexpected(c0.error());
  IntTuple origin = tag == TlaTag::kVectorLayout ? IntTuple::Tuple({columns}) : IntTuple::Tuple({rows, columns});
  return LayoutOf(TlaModes<CheckedInt64>(tag, *c0, element_bits == 4, rows, columns), std::move(origin));
}

Expected<ShapeStrideLayout> MakeMxScaleLayout(TlaTag tag, bool is_b, int64_t rows, int64_t columns) {
  if (auto sizes = CheckSizes(rows, columns); !sizes) return std::unexpected(sizes.error());
  const BasicStridedLayout<CheckedInt64> modes = MxScaleModes<CheckedInt64>(tag, is_b, rows, columns);
  if (modes.modes.empty()) {
    return MakeError(ErrorKind::kInvalidArgument,
                     StrCat(TlaTagName(tag), " has no layout of scales: expected RowMajor, ColumnMajor, zZ or nN"));
  }
  return LayoutOf(modes, IntTuple::Tuple({rows, columns}));
}

Expected<ShapeStrideLayout> MakePaddingLayout(TlaTag tag, int64_t block_rows, int64_t block_columns, int64_t rows,
                                              int64_t columns) {
  const Expected<void> sizes = CheckSizes(rows, columns);
  if (!sizes) return std::unexpected(sizes.error());
  if (block_rows < 1 || block_columns < 1 || (tag != TlaTag::kRowMajor && tag != TlaTag::kColumnMajor)) {
    return MakeError(ErrorKind::kInvalidArgument,
                     StrCat("blocks of ", block_rows, " x ", block_columns, " in ", TlaTagName(tag),
                            ": expected sizes above 0, row or column major"));
  }
  using Int = CheckedInt64;
  const Int down = CeilDiv(Int(rows), Int(block_rows));
  const Int across = CeilDiv(Int(columns), Int(block_columns));
  const Int block = Int(block_rows) * block_columns;
  const bool row_major = tag == TlaTag::kRowMajor;
  const BasicStridedLayout<Int> modes = {
      {{{block_rows, row_major ? Int(block_columns) : Int(1)}, {down, row_major ? block * across : block}},
       {{block_columns, row_major ? Int(1) : Int(block_rows)}, {across, row_major ? block : block * down}}}};
  return LayoutOf(modes, IntTuple::Tuple({rows, columns}));
}

Expected<ShapeStrideLayout> GetTileLayout(const ShapeStrideLayout& layout, const IntTuple& tile_shape,
                                          const IntTuple& coordinate) {
  const Expected<std::vector<int64_t>> tile = OnePerMode(layout, tile_shape, "tile shape");
  if (!tile) return std::unexpected(tile.error());
  const Expected<std::vector<int64_t>> start = OnePerMode(layout, coordinate, "coordinate");
  if (!start) return std::unexpected(start.error());
  Expected<std::vector<int64_t>> origin = LogicalSizes(layout);
  if (!origin) return std::unexpected(origin.error());
  Expected<IntTuple> shape = TileShapeOf(layout, *tile);
  if (!shape) return std::unexpected(shape.error());
  for (size_t i = 0; i < origin->size(); ++i) {
    (*origin)[i] = std::min((*tile)[i], std::max<int64_t>((*origin)[i] - (*start)[i], 0));
  }
  const std::vector<IntTuple> sizes(origin->begin(), origin->end());
  return ShapeStrideLayout{*std::move(shape), layout.stride,
                           layout.shape.is_leaf() ? sizes[0] : IntTuple::Tuple(sizes)};
}

template <class T>
Expected<std::optional<int64_t>> FirstWrappingRows(TlaTag tag, int64_t element_bits, int64_t columns) {
  const Expected<int64_t> c0 = ColumnsOfTag(tag, element_bits);
  if (!c0) return std::unexpected(c0.error());
  if (columns < 1) return MakeError(ErrorKind::kInvalidArgument, StrCat("columns ", columns, ": expected at least 1"));
  using Int = WrappingInt<T>;
  // Every number in the computation grows with the rows, and the last element has the largest offset, so bisection
  // finds the first number of rows that wraps.
  const auto wraps = [&](int64_t rows) {
    const BasicStridedLayout<Int> layout = TlaModes<Int>(tag, Int(*c0), element_bits == 4, Int(rows), Int(columns));
    std::vector<Int> last = {Int(rows - 1), Int(columns - 1)};
    if (layout.modes.size() == 1) last.erase(last.begin());
    bool wrapped = StridedOffset<Int>(layout, last).overflow;
    for (const auto& mode : layout.modes) {
      for (const auto& leaf : mode) wrapped |= leaf.extent.overflow || leaf.stride.overflow;
    }
    return wrapped;
  };
  int64_t fine = 0;
  int64_t wrong = int64_t{1} << 40;
  if (!wraps(wrong)) return std::nullopt;
  while (wrong - fine > 1) {
    const int64_t middle = fine + (wrong - fine) / 2;
    (wraps(middle) ? wrong : fine) = middle;
  }
  return wrong;
}
template Expected<std::optional<int64_t>> FirstWrappingRows<int32_t>(TlaTag, int64_t, int64_t);
template Expected<std::optional<int64_t>> FirstWrappingRows<uint32_t>(TlaTag, int64_t, int64_t);

}  // namespace layoutcheck
