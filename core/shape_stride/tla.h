// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Layouts of CATLASS TLA for the matrix unit, by tag, and their tiles.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/shape_stride/shape_stride_layout.h"
#include "layoutcheck/core/shape_stride/strided_index.h"

namespace layoutcheck {

// Tags of tla::MakeLayout, and nN of the older catlass/layout. The first letter is the order inside a fractal, the
// second the order of the fractals: z is row major, n column major.
enum class TlaTag { kRowMajor, kColumnMajor, kVectorLayout, kZN, kNZ, kZZ, kNN, kL0C, kWeight4BitnZ };

// Returns the name of a tag, e.g. "zN" or "RowMajor".
std::string_view TlaTagName(TlaTag tag);
// Returns the tag with that name, or nothing.
std::optional<TlaTag> TlaTagFromName(std::string_view name);

// Returns C0 = 256 / element_bits, the elements per 32-byte row of a fractal; a fractal is 16 x C0 elements. Error:
// bits other than 4, 8, 16, 32 and 64.
Expected<int64_t> FractalColumns(int64_t element_bits);

// Returns the modes of tla::MakeLayout<Element, Tag>(rows, columns) over any integer, with extents and strides made of
// ceil(x / k) and ceil(x / k) * k as in TLA. There are two modes (VectorLayout: one); the leaf inside a fractal comes
// first. `c0` is FractalColumns. `packs_two`: the element has 4 bits, so RowMajor and ColumnMajor round their pitch up
// to 2.
template <class Int>
BasicStridedLayout<Int> TlaModes(TlaTag tag, Int c0, bool packs_two, Int rows, Int columns) {
  const Int one(1);
  const Int fractal_rows(16);
  const auto up = [](Int x, Int k) { return CeilDiv(x, k) * k; };
  // Fractals have `height` x `width` elements. `row` and `column` are the strides inside a fractal, `down` and `across`
  // the strides between fractals.
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

// Returns the modes of tla::MakeMxScaleLayout<float8_e8m0, Tag, isB>(rows, columns), scales in pairs. zZ and nN do not
// depend on is_b. Returns no mode for a tag other than RowMajor, ColumnMajor, zZ and nN.
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

// Returns tla::MakeLayout<Element, Tag>(rows, columns) with the origin shape (rows, columns). VectorLayout uses only
// `columns` and is "(columns):(1)"; nN is that of the older catlass/layout, because TLA rejects it. Errors: sizes below
// 0, an element width without C0 for a tag that needs it (invalid argument); overflow.
Expected<ShapeStrideLayout> MakeTlaLayout(TlaTag tag, int64_t element_bits, int64_t rows, int64_t columns);

// Returns tla::MakeMxScaleLayout<float8_e8m0, Tag, isB>(rows, columns) with the origin shape (rows, columns). Errors: a
// tag that MxScaleModes does not take, sizes below 0 (invalid argument); overflow.
Expected<ShapeStrideLayout> MakeMxScaleLayout(TlaTag tag, bool is_b, int64_t rows, int64_t columns);

// Returns PaddingRowMajor or PaddingColumnMajor of the older catlass/layout: blocks of block_rows x block_columns,
// ordered inside and among each other by the tag, with the matrix padded to whole blocks. The origin shape is (rows,
// columns). Errors: another tag, a block below 1, sizes below 0 (invalid argument); overflow.
Expected<ShapeStrideLayout> MakePaddingLayout(TlaTag tag, int64_t block_rows, int64_t block_columns, int64_t rows,
                                              int64_t columns);

// Returns the layout of the parent's tile that starts at `coordinate` (tla::GetTileLayout): the parent's strides and
// inner blocks, as many blocks as the tile needs, and the origin shape min(tile, max(origin - coordinate, 0)). TLA
// computes the latter in uint32, this function in int64. Law: at the parent's own coordinates the tile has the parent's
// offsets; relative to its start it has them if the start begins an inner block in each mode. Errors: a tile shape or
// coordinate that is not one integer >= 0 per mode (invalid argument); a mode nested deeper than (inner,outer)
// (unsupported).
Expected<ShapeStrideLayout> GetTileLayout(const ShapeStrideLayout& layout, const IntTuple& tile_shape,
                                          const IntTuple& coordinate);

// Returns the smallest number of rows up to 2^40 for which a stride or an offset of an element of a rows x columns
// layout leaves T (int32_t or uint32_t) in TLA's arithmetic, or nothing. Errors: those of MakeTlaLayout; columns below
// 1 (invalid argument).
template <class T>
Expected<std::optional<int64_t>> FirstWrappingRows(TlaTag tag, int64_t element_bits, int64_t columns);

}  // namespace layoutcheck
