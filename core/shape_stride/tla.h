// CATLASS TLA's layouts for the matrix unit: fractal tags, tiles and views.
#ifndef LAYOUTCHECK_CORE_SHAPE_STRIDE_TLA_H_
#define LAYOUTCHECK_CORE_SHAPE_STRIDE_TLA_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/hlo/element_type.h"
#include "layoutcheck/core/shape_stride/shape_stride_layout.h"
#include "layoutcheck/core/shape_stride/strided_index.h"

namespace layoutcheck {

// The tags of tla::MakeLayout (and nN of the older catlass/layout). The first letter is the order inside a fractal (z
// row major, n column major), the second the order of the fractals.
enum class TlaTag { kRowMajor, kColumnMajor, kVectorLayout, kZN, kNZ, kZZ, kNN, kL0C, kWeight4BitnZ };

// "zN", "RowMajor", ...; and back, or nothing.
std::string_view TlaTagName(TlaTag tag);
std::optional<TlaTag> TlaTagFromName(std::string_view name);

// C0 = 256 / element_bits: the elements of the 32 bytes that one row of a fractal holds. A fractal is 16 x C0 elements.
// Error: bits other than 4, 8, 16, 32 and 64.
Expected<int64_t> FractalColumns(int64_t element_bits);

// The modes of tla::MakeLayout<Element, Tag>(rows, columns) over any integer, in TLA's own terms: extents and strides
// from ceil(x / k) and ceil(x / k) * k. Two modes (VectorLayout: one), each its leaves, the one inside a fractal first.
// c0 is FractalColumns; packs_two is whether the element has 4 bits, where the pitch of RowMajor and ColumnMajor is
// rounded up to 2.
template <class Int>
BasicStridedLayout<Int> TlaModes(TlaTag tag, Int c0, bool packs_two, Int rows, Int columns) {
  const Int one(1);
  const Int fractal_rows(16);
  const auto up = [](Int x, Int k) { return CeilDiv(x, k) * k; };
  // Fractals of `height` x `width`; inside, `row` and `column` are the strides; `down` and `across` those of fractals.
  const auto fractals = [&](Int height, Int width, Int row, Int column, Int down, Int across) {
    return BasicStridedLayout<Int>{
        {{{height, row}, {CeilDiv(rows, height), down}}, {{width, column}, {CeilDiv(columns, width), across}}}};
  };
  switch (tag) {
    case TlaTag::kRowMajor: return {{{{rows, packs_two ? up(columns, Int(2)) : columns}}, {{columns, one}}}};
    case TlaTag::kColumnMajor: return {{{{rows, one}}, {{columns, packs_two ? up(rows, Int(2)) : rows}}}};
    case TlaTag::kVectorLayout: return {{{{columns, one}}}};
    case TlaTag::kZN: return fractals(fractal_rows, c0, c0, one, fractal_rows * c0, up(rows, fractal_rows) * c0);
    case TlaTag::kNZ: return fractals(c0, fractal_rows, one, c0, up(columns, fractal_rows) * c0, fractal_rows * c0);
    case TlaTag::kZZ: return fractals(fractal_rows, c0, c0, one, up(columns, c0) * fractal_rows, fractal_rows * c0);
    case TlaTag::kNN: return fractals(c0, fractal_rows, one, c0, fractal_rows * c0, up(rows, c0) * fractal_rows);
    case TlaTag::kL0C:
      return fractals(fractal_rows, fractal_rows, fractal_rows, one, Int(256), up(rows, fractal_rows) * fractal_rows);
    case TlaTag::kWeight4BitnZ:
      return fractals(Int(32), fractal_rows, one, Int(32), up(columns, fractal_rows) * Int(32), Int(512));
  }
  return {};
}

// The same for tla::MakeMxScaleLayout<float8_e8m0, Tag, isB>(rows, columns): scales in pairs. No mode for other tags
// than RowMajor, ColumnMajor, and zZ and nN (where is_b is not looked at).
template <class Int>
BasicStridedLayout<Int> MxScaleModes(TlaTag tag, bool is_b, Int rows, Int columns) {
  const Int one(1);
  const Int two(2);
  const Int fractal_rows(16);
  const Int fractal(32);
  const Int row_pairs = CeilDiv(rows, two);
  const Int column_pairs = CeilDiv(columns, two);
  switch (tag) {
    case TlaTag::kRowMajor:
      if (is_b) return {{{{two, one}, {row_pairs, two * columns}}, {{columns, two}}}};
      return {{{{rows, column_pairs * two}}, {{two, one}, {column_pairs, two}}}};
    case TlaTag::kColumnMajor:
      if (is_b) return {{{{two, one}, {row_pairs, two}}, {{columns, row_pairs * two}}}};
      return {{{{rows, two}}, {{two, one}, {column_pairs, two * rows}}}};
    case TlaTag::kZZ:
      return {{{{fractal_rows, two}, {CeilDiv(rows, fractal_rows), column_pairs * fractal}},
               {{two, one}, {column_pairs, fractal}}}};
    case TlaTag::kNN:
      return {{{{two, one}, {row_pairs, fractal}},
               {{fractal_rows, two}, {CeilDiv(columns, fractal_rows), row_pairs * fractal}}}};
    default: return {};
  }
}

// tla::MakeLayout<Element, Tag>(rows, columns), with the origin shape (rows, columns); VectorLayout uses `columns` only
// and is "(columns):(1)". nN as in the older catlass/layout, TLA itself rejects it. Errors: sizes below 0, an element
// width without C0 (for the tags that need it: not L0C and Weight4BitnZ), overflow.
Expected<ShapeStrideLayout> MakeTlaLayout(TlaTag tag, int64_t element_bits, int64_t rows, int64_t columns);

// tla::MakeMxScaleLayout<float8_e8m0, Tag, isB>(rows, columns) as a layout, with the origin shape (rows, columns).
// Errors: another tag than MxScaleModes takes, sizes below 0, overflow.
Expected<ShapeStrideLayout> MakeMxScaleLayout(TlaTag tag, bool is_b, int64_t rows, int64_t columns);

// The older catlass/layout's PaddingRowMajor and PaddingColumnMajor: blocks of block_rows x block_columns, inside and
// among each other in that order, the matrix padded to whole blocks; origin shape (rows, columns). Errors: another tag,
// a block below 1, sizes below 0, overflow.
Expected<ShapeStrideLayout> MakePaddingLayout(TlaTag tag, int64_t block_rows, int64_t block_columns, int64_t rows,
                                              int64_t columns);

// tla::GetTileLayout(layout, tile_shape, coordinate): the layout of a tile of the parent that starts at `coordinate`,
// with the parent's strides and inner blocks, as many blocks as the tile needs, and the origin shape cropped where the
// parent ends: min(tile, max(origin - coordinate, 0)). TLA computes the origin in uint32, this in int64. Law: at the
// parent's own coordinates the tile has the parent's offsets (TensorView). Relative to the tile's start it has them
// only where CheckBlockAligned holds. Errors: a tile shape or coordinate that is not one integer for each mode, or
// below 0; a mode nested deeper than (inner, outer).
Expected<ShapeStrideLayout> GetTileLayout(const ShapeStrideLayout& layout, const IntTuple& tile_shape,
                                          const IntTuple& coordinate);
// The older MakeLayoutTile(layout, tile_shape): the same without a place, its origin shape is the tile shape.
Expected<ShapeStrideLayout> MakeLayoutTile(const ShapeStrideLayout& layout, const IntTuple& tile_shape);
// Whether a tile that starts at `coordinate` starts inner blocks in every mode, so that offset(coordinate + c) =
// offset(coordinate) + offset(c) for all c >= 0. The error names the mode and the block.
Expected<void> CheckBlockAligned(const ShapeStrideLayout& layout, const IntTuple& coordinate);

// tla::Tensor: a layout, where its data starts, and where the view starts in the coordinates of the layout.
struct TensorView {
  ShapeStrideLayout layout;
  IntTuple coordinate;      // one integer for each mode
  int64_t base_offset = 0;  // of the data pointer
};

// The offset of an element of the view: base + layout(coordinate + c), the layout taken at the absolute coordinate.
Expected<int64_t> OffsetIn(const TensorView& view, const IntTuple& coordinate);
// tla::GetTile: the view of `tile_shape` elements that starts at `coordinate` of the view.
Expected<TensorView> GetTile(const TensorView& view, const IntTuple& coordinate, const IntTuple& tile_shape);
// tla::TileView: GetTile of the tile with this number in each mode.
Expected<TensorView> TileAt(const TensorView& view, const IntTuple& tile_number, const IntTuple& tile_shape);
// tensor(c) with `_` for the modes that are kept: the view of those modes where the others have the given coordinates.
// `keep` has an entry for each mode; coordinates of kept modes are not looked at. Law: its element at c is the view's
// at the merged coordinate. Rejected where the view starts inside an inner block of a kept mode (TLA then answers wrong
// offsets: it restarts the coordinate at 0 there). Errors: no mode kept, and as above.
Expected<TensorView> SliceView(const TensorView& view, const IntTuple& coordinate, const std::vector<bool>& keep);

// The smallest number of rows for which TLA's arithmetic, done in T (int32_t or uint32_t) throughout, leaves T for some
// element of the layout of rows x columns, in its strides or in an offset; nothing if no number of rows up to 2^40
// does. Errors: as for MakeTlaLayout, columns below 1.
template <class T>
Expected<std::optional<int64_t>> FirstWrappingRows(TlaTag tag, int64_t element_bits, int64_t columns);

// The notation "zN:f16[20,40]": a tag, an element type, rows and columns.
struct FractalLayout {
  TlaTag tag = TlaTag::kRowMajor;
  ElementType element_type = ElementType::kF16;
  int64_t rows = 0;
  int64_t columns = 0;

  bool operator==(const FractalLayout&) const = default;
};

// Whether a text is meant in this notation, judged by its first marks; it may still be wrong.
bool IsFractalText(std::string_view text);
// Errors: syntax with its column; an element type that TLA's fractals have no width for (invalid layout).
Expected<FractalLayout> ParseFractalLayout(std::string_view text);
std::string ToString(const FractalLayout& fractal);
// The bits of one stored element: pred takes a byte. Error: no width of 4, 8, 16, 32 or 64.
Expected<int64_t> FractalElementBits(ElementType type);
// MakeTlaLayout of the notation's parts.
Expected<ShapeStrideLayout> ShapeStrideOf(const FractalLayout& fractal);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_CORE_SHAPE_STRIDE_TLA_H_
