// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/bridges/fractal_to_hlo.h"
#include <utility>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/shape_stride/fractal_layout.h"

namespace layoutcheck {
namespace {

Layout MatrixLayout(bool row_major, std::vector<Tile> tiles) {
  return Layout(row_major ? std::vector<int64_t>{1, 0} : std::vector<int64_t>{0, 1}, std::move(tiles));
}

}  // namespace

Expected<Shape> HloOfFractal(const FractalLayout& fractal) {
  const Expected<int64_t> bits = FractalElementBits(fractal.element_type);
  if (!bits) return std::unexpected(bits.error());
  const Expected<ShapeStrideLayout> exists = MakeTlaLayout(fractal.tag, *bits, fractal.rows, fractal.columns);
  if (!exists) return std::unexpected(exists.error());
  const int64_t c0 = *FractalColumns(*bits);
  const bool packs_two = *bits == 4;
  Layout layout;
  std::vector<int64_t> dimensions = {fractal.rows, fractal.columns};
  switch (fractal.tag) {
    case TlaTag::kVectorLayout:
      dimensions = {fractal.columns};
      layout = Layout({0});
      break;
    case TlaTag::kRowMajor:
    case TlaTag::kColumnMajor:
      layout =
          MatrixLayout(fractal.tag == TlaTag::kRowMajor, packs_two ? std::vector{Tile{{1, 2}}} : std::vector<Tile>());
      break;
    case TlaTag::kZZ: layout = MatrixLayout(true, {Tile{{16, c0}}}); break;
    case TlaTag::kNN: layout = MatrixLayout(false, {Tile{{16, c0}}}); break;
    // The second tile makes the 16 the outer dimension inside the fractal; it pads nothing.
    case TlaTag::kZN: layout = MatrixLayout(false, {Tile{{c0, 16}}, Tile{{c0, 1}}}); break;
    case TlaTag::kNZ: layout = MatrixLayout(true, {Tile{{c0, 16}}, Tile{{c0, 1}}}); break;
    case TlaTag::kL0C: layout = MatrixLayout(false, {Tile{{16, 16}}, Tile{{16, 1}}}); break;
    case TlaTag::kWeight4BitnZ: layout = MatrixLayout(true, {Tile{{32, 16}}, Tile{{32, 1}}}); break;
  }
  if (packs_two) layout.element_size_in_bits = 4;
  return Shape::Array(fractal.element_type, std::move(dimensions), std::move(layout));
}

Expected<Layout> HloLayoutOfMxScale(TlaTag tag, bool is_b) {
  switch (tag) {
    case TlaTag::kRowMajor: return MatrixLayout(true, {is_b ? Tile{{2, 1}} : Tile{{1, 2}}});
    case TlaTag::kColumnMajor: return MatrixLayout(false, {is_b ? Tile{{1, 2}} : Tile{{2, 1}}});
    case TlaTag::kZZ: return MatrixLayout(true, {Tile{{16, 2}}});
    case TlaTag::kNN: return MatrixLayout(false, {Tile{{16, 2}}});
    default: return MakeError(ErrorKind::kInvalidArgument, StrCat(TlaTagName(tag), " has no layout of scales"));
  }
}

}  // namespace layoutcheck
