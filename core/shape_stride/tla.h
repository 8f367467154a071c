// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Layouts of CATLASS TLA for the matrix unit and their tiles, by tags, each with the order in which the elements of its
// arrays lie in memory.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/shape_stride/shape_stride_layout.h"
#include "layoutcheck/core/shape_stride/strided_index.h"

namespace layoutcheck {

// The tags of tla::MakeLayout, tla::MakeMxScaleLayout and the classes of catlass/layout, in the order of kTagOrders.
// FractalZ, the name in CANN, is the filter of tla::MakeLayoutFilter in L1.
enum class TlaTag {
  kRowMajor,
  kColumnMajor,
  kVectorLayout,
  kZN,
  kNZ,
  kZZ,
  kNN,
  kL0C,
  kWeight4BitnZ,
  kMxScaleRowMajorA,
  kMxScaleColumnMajorA,
  kMxScaleRowMajorB,
  kMxScaleColumnMajorB,
  kMxScaleZZ,
  kMxScaleNN,
  kPaddingRowMajor,
  kPaddingColumnMajor,
  kNC1HWC0,
  kNDC1HWC0,
  kCI1KHKWCOCI0,
  kFractalZ,
  kKDC1KHKWN1N0C0,
};

// Sizes of blocks that a tag does not fix: the elements in 32 bytes, and one that the text must give.
inline constexpr int64_t kC0 = 0;
inline constexpr int64_t kGivenBlock = -1;

// An array of a tag has one capital letter per dimension. Its offset is a number in mixed radix whose digits, most
// major first, are the letters of `order`: a capital letter is the coordinate in that dimension or, if the dimension is
// cut into blocks, the number of the block; the small letter is the place in the block. So zN, "NMmn", has blocks in
// which the column n is faster than the row m; of the numbers of the blocks, that of the rows, M, is faster than that
// of the columns, N. `blocks` are the sizes of the blocks of the dimensions that are cut, in the order of `dimensions`.
struct TagOrder {
  std::string_view name;
  std::string_view dimensions;
  std::string_view order;
  std::array<int64_t, 2> blocks = {};

  constexpr size_t rank() const { return dimensions.size(); }
  // Returns the number of dimensions that are cut into blocks.
  constexpr size_t cuts() const { return order.size() - rank(); }
  // Returns the dimension of a digit.
  constexpr size_t DimensionOf(char digit) const { return dimensions.find(IsInBlock(digit) ? Capital(digit) : digit); }
  // Returns the place in `blocks` of a dimension, or nothing if it is not cut.
  constexpr std::optional<size_t> CutOf(size_t dimension) const {
    size_t cut = 0;
    for (size_t d = 0; d < rank(); ++d) {
      const bool is_cut = order.find(Small(dimensions[d])) != std::string_view::npos;
      if (d == dimension) return is_cut ? std::optional(cut) : std::nullopt;
      cut += is_cut ? 1 : 0;
    }
    return std::nullopt;
  }
  static constexpr bool IsInBlock(char digit) { return digit >= 'a'; }
  static constexpr char Capital(char letter) { return static_cast<char>(letter - 'a' + 'A'); }
  static constexpr char Small(char letter) { return static_cast<char>(letter - 'A' + 'a'); }
};

// Dimensions of matrices are M rows and N columns. Dimensions of tensors are batch N, channels C, depth D, height H,
// width W and output channels O. Comments name the header of CATLASS that defines the layouts below or beside them.
inline constexpr std::array<TagOrder, 22> kTagOrders = {{
    // tla/layout.hpp, MakeLayout, and the classes of the same names in catlass/layout/matrix.hpp, vector.hpp
    {"RowMajor", "MN", "MN"},
    {"ColumnMajor", "MN", "NM"},
    {"VectorLayout", "N", "N"},
    {"zN", "MN", "NMmn", {16, kC0}},
    {"nZ", "MN", "MNnm", {kC0, 16}},
    {"zZ", "MN", "MNmn", {16, kC0}},
    {"nN", "MN", "NMnm", {kC0, 16}},  // layout of the class nN; MakeLayout rejects the tag
    {"L0C", "MN", "NMmn", {16, 16}},
    {"Weight4BitnZ", "MN", "MNnm", {32, 16}},  // layout of MakeLayout; the blocks of the class overlap
    // tla/layout.hpp, MakeMxScaleLayout<float8_e8m0, Tag, isB>; zZ and nN do not depend on isB
    {"MxScaleRowMajorA", "MN", "MNn", {2}},
    {"MxScaleColumnMajorA", "MN", "NMn", {2}},
    {"MxScaleRowMajorB", "MN", "MNm", {2}},
    {"MxScaleColumnMajorB", "MN", "NMm", {2}},
    {"MxScalezZ", "MN", "MNmn", {16, 2}},
    {"MxScalenN", "MN", "NMnm", {2, 16}},
    // catlass/layout/matrix.hpp
    {"PaddingRowMajor", "MN", "MNmn", {kGivenBlock, kGivenBlock}},
    {"PaddingColumnMajor", "MN", "NMnm", {kGivenBlock, kGivenBlock}},
    {"NC1HWC0", "NCHW", "NCHWc", {kC0}},                // catlass/layout/tensor.hpp; tla::MakeLayoutFmap
    {"NDC1HWC0", "NCDHW", "NDCHWc", {kC0}},             // catlass/layout/matrix.hpp
    {"CI1KHKWCOCI0", "OCHW", "CHWOc", {kC0}},           // catlass/layout/tensor.hpp; tla::MakeLayoutFilter in GM
    {"FractalZ", "OCHW", "CHWOoc", {16, kC0}},          // tla::MakeLayoutFilter in L1
    {"KDC1KHKWN1N0C0", "OCDHW", "DCHWOoc", {16, kC0}},  // catlass/layout/matrix.hpp
}};

// Returns true for the tags whose pitch is rounded up to whole bytes if elements have 4 bits.
constexpr bool HasPitch(TlaTag tag) { return tag == TlaTag::kRowMajor || tag == TlaTag::kColumnMajor; }

constexpr const TagOrder& OrderOf(TlaTag tag) { return kTagOrders[static_cast<size_t>(tag)]; }

// Returns the name of a tag, e.g. "zN" or "RowMajor".
constexpr std::string_view TlaTagName(TlaTag tag) { return OrderOf(tag).name; }
// Returns the tag with that name, or nothing.
std::optional<TlaTag> TlaTagFromName(std::string_view name);

// Returns C0 = 256 / element_bits, the elements per 32-byte row of a fractal; a fractal is 16 x C0 elements. Error:
// bits other than 4, 8, 16, 32 and 64.
Expected<int64_t> FractalColumns(int64_t element_bits);

// Returns the modes of an array of a tag over any integer, one per dimension, with the leaf inside a block first.
// `sizes` has one size per dimension and `blocks` one per dimension that is cut. `packs_two`: the element has 4 bits,
// so RowMajor and ColumnMajor round their pitch up to 2.
template <class Int>
BasicStridedLayout<Int> TagModes(TlaTag tag, std::span<const Int> blocks, bool packs_two, std::span<const Int> sizes) {
  const TagOrder& order = OrderOf(tag);
  BasicStridedLayout<Int> layout;
  layout.modes.resize(order.rank());
  const bool pads_pitch = packs_two && HasPitch(tag);
  Int stride(1);
  for (size_t k = order.order.size(); k-- > 0;) {
    const char digit = order.order[k];
    const size_t d = order.DimensionOf(digit);
    const std::optional<size_t> cut = order.CutOf(d);
    const Int count = cut ? CeilDiv(sizes[d], blocks[*cut]) : sizes[d];
    const Int extent = TagOrder::IsInBlock(digit) ? blocks[*cut] : count;
    layout.modes[d].push_back({extent, stride});
    if (k > 0) stride = stride * (pads_pitch ? CeilDiv(extent, Int(2)) * Int(2) : extent);
  }
  return layout;
}

// Returns the sizes of the blocks of a tag: those in `given`, or if there are none the tag's own. Errors (invalid
// argument): another number of blocks than the tag has, or one below 1; none for a tag that has no blocks of its own;
// an element width without C0 for a tag that needs it.
Expected<std::vector<int64_t>> BlocksOf(TlaTag tag, int64_t element_bits, std::span<const int64_t> given);

// Returns the layout of an array of a tag, with `sizes` as the origin shape, in blocks of the sizes BlocksOf. Errors:
// those of BlocksOf; another number of sizes than the tag has dimensions, sizes below 0 (invalid argument); overflow.
Expected<ShapeStrideLayout> MakeTagLayout(TlaTag tag, int64_t element_bits, std::span<const int64_t> sizes,
                                          std::span<const int64_t> blocks);

// Returns MakeTagLayout of a matrix in the tag's own blocks: tla::MakeLayout<Element, Tag>(rows, columns). VectorLayout
// uses only `columns` and is "(columns):(1)".
Expected<ShapeStrideLayout> MakeTlaLayout(TlaTag tag, int64_t element_bits, int64_t rows, int64_t columns);

// Returns the layout of the parent's tile that starts at `coordinate` (tla::GetTileLayout): the parent's strides and
// inner blocks, as many blocks as the tile needs, and the origin shape min(tile, max(origin - coordinate, 0)). TLA
// computes the latter in uint32, this function in int64. Law: at the parent's own coordinates the tile has the parent's
// offsets; relative to its start it has them if the start begins an inner block in each mode. Errors: a tile shape or
// coordinate that is not one integer >= 0 per mode (invalid argument); a mode nested deeper than (inner,outer)
// (unsupported).
Expected<ShapeStrideLayout> GetTileLayout(const ShapeStrideLayout& layout, const IntTuple& tile_shape,
                                          const IntTuple& coordinate);

// Returns the smallest number of rows up to 2^40 for which a stride or an offset of an element of a rows x columns
// layout leaves T (int32_t or uint32_t) in TLA's arithmetic, or nothing. Errors: those of BlocksOf; a tag of another
// rank, columns below 1 (invalid argument).
template <class T>
Expected<std::optional<int64_t>> FirstWrappingRows(TlaTag tag, int64_t element_bits, int64_t columns,
                                                   std::span<const int64_t> blocks = {});

}  // namespace layoutcheck
