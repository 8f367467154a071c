// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Results and operands of the matrix instructions of AMD: mfma of CDNA and wmma of RDNA, for amd_mfma and amd_wmma.
// Where the elements of an instruction lie is in AMD's instruction set documents; Triton says how they are repeated.
#include <algorithm>
#include <array>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/linear/linear_algebra.h"
#include "layoutcheck/core/linear/triton_encodings.h"

namespace layoutcheck {
namespace {

constexpr uint64_t kMfmaLanes = 64;
constexpr uint64_t kWmmaLanes = 32;
constexpr uint64_t kWmmaSize = 16;  // columns of a result, one per lane of half a warp

struct MfmaParameters {
  uint64_t rows = 0;
  uint64_t columns = 0;
  bool is_transposed = false;  // a lane has elements of a row, and otherwise of a column
  uint64_t height = 4;         // elements side by side in a lane
  TritonSizes warps;
  TritonSizes tiles;  // tiles of an instruction that a warp has side by side, per dimension

  // 64x4 and 4x64 have as many rows and columns as there are lanes.
  bool IsWide() const { return rows != columns; }
};

MfmaParameters ReadMfma(TritonEntries& entries, size_t rank) {
  static constexpr std::array<uint64_t, 5> kVersions = {0, 1, 2, 3, 4};
  static constexpr std::array<uint64_t, 2> kElementBits = {32, 64};
  static constexpr std::pair<uint64_t, uint64_t> kShapes[] = {{32, 32}, {16, 16}, {64, 4}, {4, 64}};
  entries.OneOf("version", kVersions);
  MfmaParameters mfma;
  mfma.is_transposed = entries.Flag("isTransposed");
  mfma.height = entries.OneOf("elementBitWidth", kElementBits, TritonEntries::Absent::kIsTheFirst) == 64 ? 1 : 4;
  mfma.warps = entries.PowersOfTwo("warpsPerCTA", rank);
  mfma.tiles = entries.Has("tilesPerWarp") ? entries.PowersOfTwo("tilesPerWarp", rank) : TritonSizes(rank, 1);
  if (rank != 2 && rank != 3) entries.Wrong("warpsPerCTA", StrCat("expected 2 or 3 dimensions, found ", rank));
  const TritonSizes shape = entries.PowersOfTwo("instrShape", std::nullopt);
  if (entries.error()) return mfma;
  if (shape.size() < 2 || std::ranges::find(kShapes, std::pair(shape[0], shape[1])) == std::end(kShapes)) {
    entries.Wrong("instrShape", "expected a result of 32 x 32, 16 x 16, 64 x 4 or 4 x 64 elements");
    return mfma;
  }
  mfma.rows = shape[0];
  mfma.columns = shape[1];
  if (mfma.rows == 64 && !mfma.is_transposed) {
    entries.Wrong("instrShape", "expected isTransposed = true for a result of 64 x 4 elements");
  }
  return mfma;
}

constexpr std::string_view kTileInputs[] = {"register", "warp"};

struct WmmaParameters {
  uint64_t version = 1;
  bool is_transposed = false;  // a lane has elements of a row, and otherwise of a column
  uint64_t rows = kWmmaSize;
  uint64_t inner = 16;  // the size of the sum
  LinearLayout tiles;   // from register and warp to the tile
};

// The sizes of an instruction of one version: rows, columns and those of the sum.
struct WmmaShape {
  uint64_t version;
  TritonSizes sizes;
};

Expected<WmmaParameters> ReadWmma(TritonEntries& entries, size_t rank) {
  static constexpr std::array<uint64_t, 3> kVersions = {1, 2, 3};
  static const WmmaShape kShapes[] = {{1, {16, 16, 16}},  {2, {16, 16, 16}}, {2, {16, 16, 32}},
                                      {3, {16, 16, 4}},   {3, {16, 16, 32}}, {3, {16, 16, 64}},
                                      {3, {16, 16, 128}}, {3, {32, 16, 64}}, {3, {32, 16, 128}}};
  WmmaParameters wmma;
  wmma.version = entries.OneOf("version", kVersions);
  wmma.is_transposed = entries.Flag("isTranspose");
  if (rank != 2 && rank != 3)
    entries.Wrong("ctaLayout", StrCat("expected an array of 2 or 3 dimensions, found ", rank));
  if (entries.Has("rank")) entries.OneOf("rank", std::array{uint64_t{rank}});
  const TritonSizes shape =
      entries.Has("instrShape") ? entries.PowersOfTwo("instrShape", std::nullopt) : TritonSizes{16, 16, 16};
  const TritonAttribute* const tiles = entries.Entries("ctaLayout");
  if (entries.error()) return std::unexpected(*entries.error());
  std::vector<std::string> known;
  bool exists = false;
  for (const WmmaShape& of_version : kShapes) {
    if (of_version.version != wmma.version) continue;
    exists = exists || of_version.sizes == shape;
    known.push_back(StrCat("[", StrJoin(of_version.sizes, ", "), "]"));
  }
  if (!exists) {
    entries.Wrong("instrShape", StrCat("expected one of ", StrJoin(known, ", "), " for version ", wmma.version));
    return std::unexpected(*entries.error());
  }
  wmma.rows = shape[0];
  wmma.inner = shape[2];
  TritonEntries images(*tiles);
  images.CheckKeys(kTileInputs, false);
  const Expected<LinearLayout> layout = LayoutOfImages(images, {"register", "warp"}, rank);
  if (images.error()) return std::unexpected(*images.error());
  LAYOUTCHECK_TRY(wmma.tiles, layout);
  if (!wmma.tiles.IsOnto()) {
    entries.Wrong("ctaLayout", "expected images that reach each tile up to the last one");
    return std::unexpected(*entries.error());
  }
  return wmma;
}

// Returns the tiles of an operand: those of the result, without the inner dimension and without registers that would
// hold an element again.
Expected<LinearLayout> OperandTiles(const LinearLayout& tiles, const TritonOperand& operand) {
  LAYOUTCHECK_TRY(const LinearLayout cut, WithoutDimension(tiles, operand.inner));
  const uint64_t copies = FreeVariableMasks(cut).front();
  std::vector<LinearInput> inputs = cut.inputs();
  std::vector<uint64_t> kept;
  for (size_t bit = 0; bit < inputs.front().images.size(); ++bit) {
    if ((copies >> bit & 1) == 0) kept.push_back(inputs.front().images[bit]);
  }
  inputs.front().images = std::move(kept);
  return LinearLayout::Create(std::move(inputs), cut.outputs());
}

}  // namespace

Expected<LinearLayout> AmdMfmaLayout(TritonEntries& entries, const TritonSizes& sizes) {
  const size_t rank = sizes.size();
  const MfmaParameters mfma = ReadMfma(entries, rank);
  const Expected<LinearLayout> cluster = ClusterLayout(entries, rank);
  if (entries.error() || !cluster) return cluster;
  const size_t row = rank - 2;
  const size_t column = rank - 1;
  // `along` is the dimension in which a lane has elements side by side.
  const size_t along = mfma.is_transposed ? column : row;
  const size_t across = mfma.is_transposed ? row : column;
  const uint64_t across_size = mfma.is_transposed ? mfma.rows : mfma.columns;
  Factors factors(RowMajorOrder(rank), "register");
  factors.MultiplyIdentity(mfma.height, "register", along);
  factors.MultiplyIdentity(across_size, "lane", across);
  factors.MultiplyIdentity(kMfmaLanes / across_size, "lane", along);
  const uint64_t repeats = mfma.rows * mfma.columns / (kMfmaLanes * mfma.height);
  factors.MultiplyIdentity(std::max(repeats, uint64_t{1}), "register", along);
  // A warp goes through all columns of the array before the next rows, across the blocks of a cluster as well.
  factors.MultiplyIdentity(mfma.tiles[column], "register", column);
  factors.MultiplyIdentity(mfma.warps[column], "warp", column);
  const uint64_t columns = sizes[column] / mfma.columns / mfma.warps[column] / mfma.tiles[column];
  factors.MultiplyIdentity(std::max(columns, uint64_t{1}), "register", column);
  factors.MultiplyIdentity(mfma.tiles[row], "register", row);
  factors.MultiplyIdentity(mfma.warps[row], "warp", row);
  if (rank == 3) factors.MultiplyIdentity(mfma.warps[0], "warp", 0);
  return Joined(factors.product(), *cluster, sizes);
}

Expected<LinearLayout> MfmaOperandLayout(TritonEntries& parent, const TritonSizes& sizes,
                                         const TritonOperand& operand) {
  const size_t rank = sizes.size();
  const MfmaParameters mfma = ReadMfma(parent, rank);
  // Triton shares the inner dimension between blocks as the result does, unlike for other operands.
  const Expected<LinearLayout> cluster = ClusterLayout(parent, rank);
  if (parent.error() || !cluster) return cluster;
  const uint64_t outer_size = operand.index == 0 ? mfma.rows : mfma.columns;
  Factors factors(operand.Order(rank), "register");
  factors.MultiplyIdentity(operand.width, "register", operand.inner);
  factors.MultiplyIdentity(outer_size, "lane", operand.outer);
  factors.MultiplyIdentity(kMfmaLanes / outer_size, "lane", operand.inner);
  uint64_t covered = kMfmaLanes / outer_size * operand.width;
  if (mfma.IsWide() && outer_size == kMfmaLanes) {
    constexpr uint64_t kRepeats = 16;  // the instruction takes 16 blocks of this operand
    factors.MultiplyIdentity(kRepeats, "register", operand.inner);
    covered *= kRepeats;
  }
  factors.MultiplyIdentity(std::max(sizes[operand.inner] / covered, uint64_t{1}), "register", operand.inner);
  factors.MultiplyIdentity(mfma.tiles[operand.outer], "register", operand.outer);
  // The registers have the whole inner dimension, so that warps next to each other in it have copies.
  for (const size_t d : RowMajorOrder(rank)) factors.MultiplyIdentity(mfma.warps[d], "warp", d);
  return Joined(factors.product(), *cluster, sizes);
}

Expected<LinearLayout> AmdWmmaLayout(TritonEntries& entries, const TritonSizes& sizes) {
  const size_t rank = sizes.size();
  LAYOUTCHECK_TRY(const WmmaParameters wmma, ReadWmma(entries, rank));
  const Expected<LinearLayout> cluster = ClusterLayout(entries, rank);
  if (entries.error() || !cluster) return cluster;
  const std::vector<size_t> order = wmma.is_transposed ? ColumnMajorOrder(rank) : RowMajorOrder(rank);
  const size_t across = order[0];  // one element per lane of half a warp
  const size_t along = order[1];
  Factors factors(RowMajorOrder(rank), "register");
  factors.MultiplyIdentity(kWmmaSize, "lane", across);
  if (wmma.version == 1) {  // halves of a warp take turns, row by row
    factors.MultiplyIdentity(2, "lane", along);
    factors.MultiplyIdentity(8, "register", along);
  } else {
    factors.MultiplyIdentity(8, "register", along);
    factors.MultiplyIdentity(2, "lane", along);
  }
  factors.MultiplyIdentity(wmma.rows / kWmmaSize, "register", along);
  factors.Multiply(InOrder(wmma.tiles, RowMajorOrder(rank)));
  return Joined(factors.product(), *cluster, sizes);
}

Expected<LinearLayout> WmmaOperandLayout(TritonEntries& parent, const TritonSizes& sizes,
                                         const TritonOperand& operand) {
  const size_t rank = sizes.size();
  LAYOUTCHECK_TRY(const WmmaParameters wmma, ReadWmma(parent, rank));
  const Expected<LinearLayout> cluster = OperandCluster(parent, operand, rank);
  if (parent.error() || !cluster) return cluster;
  const bool fits = wmma.version == 1   ? operand.width == 8 || operand.width == 16
                    : wmma.version == 2 ? operand.width == 4 || operand.width == 8 || operand.width == 16
                                        : true;
  if (!fits) {
    parent.Wrong("version", StrCat("expected kWidth = ", wmma.version == 1 ? "" : "4, ", "8 or 16 for version ",
                                   wmma.version, ", found ", operand.width));
    return std::unexpected(*parent.error());
  }
  // A transposed instruction swaps its operands.
  const uint64_t outer_size = (operand.index == 0) != wmma.is_transposed ? wmma.rows : kWmmaSize;
  constexpr uint64_t kHalves = kWmmaLanes / kWmmaSize;
  Factors factors(operand.Order(rank), "register");
  factors.MultiplyIdentity(operand.width, "register", operand.inner);
  factors.MultiplyIdentity(kWmmaSize, "lane", operand.outer);
  if (wmma.version == 1) {
    factors.MultiplyZero(kHalves, "lane", operand.inner);
  } else {
    factors.MultiplyIdentity(kHalves, "lane", operand.inner);
  }
  const uint64_t repeats = wmma.inner / (kHalves * operand.width);
  factors.MultiplyIdentity(std::max(repeats, uint64_t{1}), "register", operand.inner);
  factors.MultiplyIdentity(outer_size / kWmmaSize, "register", operand.outer);
  const Expected<LinearLayout> tiles = OperandTiles(wmma.tiles, operand);
  factors.Multiply(InOrder(tiles, operand.Order(rank)));
  return Joined(factors.product(), *cluster, sizes);
}

}  // namespace layoutcheck
