// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attributes of Triton by other definitions of the same places: fragments of PTX, formulas per element, and attributes
// within each other. What Triton answers for many attributes is in corpus/vectors/linear.jsonl.
#include <gtest/gtest.h>
#include <array>
#include <random>
#include <string>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/linear/fragment_layout.h"
#include "layoutcheck/core/linear/linear_text.h"
#include "layoutcheck/core/linear/triton_layout.h"
#include "layoutcheck/core/shape_stride/text.h"

namespace layoutcheck {
namespace {

std::string TextOfEncoding(std::string_view attribute) {
  const Expected<TritonLayout> layout = ParseTritonLayout(attribute);
  if (!layout) return layout.error().ToString();
  return std::visit([](const auto& value) { return ToString(value); }, *layout);
}

LinearLayout LayoutOf(const std::string& attribute) {
  const Expected<TritonLayout> layout = ParseTritonLayout(attribute);
  EXPECT_TRUE(layout) << attribute << ": " << layout.error().ToString();
  return layout ? std::get<LinearLayout>(*layout) : LinearLayout();
}

std::string Mma(std::string_view warps, std::string_view shape) {
  return StrCat("#ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [", warps, "], instrShape = [",
                shape, "]}>");
}
std::string Wgmma(std::string_view shape) {
  return StrCat("#ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [", shape,
                "]}>");
}
std::string Operand(int index, std::string_view parent, int width) {
  return StrCat("#ttg.dot_op<{opIdx = ", index, ", parent = ", parent, ", kWidth = ", width, "}>");
}

// The fragments have been measured on hardware; an attribute says the same of an array of one instruction.
TEST(TritonEncodings, ElementsOfOneInstructionAreItsFragment) {
  const std::string mma = Mma("1, 1", "16, 8");
  const std::pair<std::string, const char*> rows[] = {
      {StrCat(mma, " [16,8]"), "mma.m16n8k16.f16.D"},
      {StrCat(Operand(0, mma, 2), " [16,16]"), "mma.m16n8k16.f16.A"},
      {StrCat(Operand(1, mma, 2), " [16,8]"), "mma.m16n8k16.f16.B"},
      {StrCat(Operand(0, mma, 1), " [16,8]"), "mma.m16n8k8.tf32.A"},
      {StrCat(Operand(1, mma, 1), " [8,8]"), "mma.m16n8k8.tf32.B"},
      {StrCat(Operand(0, mma, 4), " [16,32]"), "mma.m16n8k32.s8.A"},
      {StrCat(Operand(1, mma, 4), " [32,8]"), "mma.m16n8k32.s8.B"},
      {StrCat(Operand(0, Mma("1, 1", "8, 8"), 1), " [8,4]"), "mma.m8n8k4.f64.A"},
      {StrCat(Operand(1, Mma("1, 1", "8, 8"), 1), " [4,8]"), "mma.m8n8k4.f64.B"},
      {StrCat(Mma("1, 1", "8, 8"), " [8,8]"), "mma.m8n8k4.f64.D"},
      {StrCat(Wgmma("16, 128, 16"), " [64,128]"), "wgmma.m64n128k16.f16.D"},
      {StrCat(Operand(0, Wgmma("16, 128, 16"), 2), " [64,16]"), "wgmma.m64n128k16.f16.A"},
      {StrCat(Operand(0, Wgmma("16, 64, 32"), 4), " [64,32]"), "wgmma.m64n64k32.e4m3.A"},
  };
  for (const auto& [attribute, name] : rows) {
    const LinearLayout layout = LayoutOf(attribute);
    const LinearLayout fragment = std::get<LinearLayout>(ParseFragmentName(name).value());
    EXPECT_EQ(layout.images(), fragment.images()) << attribute << " " << name;
    EXPECT_EQ(layout.outputs(), fragment.outputs()) << attribute << " " << name;
  }
}

// Calls check(offset, index) for every offset of an attribute of shared memory.
template <class Check>
void ForEachOffset(const std::string& attribute, Check check) {
  const LinearLayout layout = LayoutOf(attribute);
  for (uint64_t offset = 0; offset < uint64_t{1} << layout.input_bits(); ++offset) {
    check(offset, layout.OutputParts(layout.Apply(offset)));
  }
}

// PTX ISA, section "Swizzling Modes" of the tensor memory accelerator: within 8 rows, chunks of 16 bytes are exchanged
// by the exclusive or of their number and that of the row, counted in units of 128 bytes.
TEST(TritonEncodings, NvmmaSharedExchangesChunksOf16Bytes) {
  for (const uint64_t swizzle : {32U, 64U, 128U}) {
    for (const uint64_t bits : {8U, 16U, 32U}) {
      const uint64_t columns = 8 * swizzle / bits;
      const uint64_t chunk = 128 / bits;
      for (const bool is_transposed : {false, true}) {
        const std::string shape = is_transposed ? StrCat(" [", columns, ",32]") : StrCat(" [32,", columns, "]");
        const std::string attribute =
            StrCat("#ttg.nvmma_shared<{swizzlingByteWidth = ", swizzle,
                   ", transposed = ", is_transposed ? "true" : "false", ", elementBitWidth = ", bits, "}>", shape);
        ForEachOffset(attribute, [&](uint64_t offset, std::vector<int64_t> index) {
          if (is_transposed) std::swap(index[0], index[1]);
          const uint64_t line = offset * bits / 8 / 128;  // lines of 128 bytes
          const uint64_t column = offset % columns ^ line % (swizzle / 16) * chunk;
          EXPECT_EQ(index, (std::vector{static_cast<int64_t>(offset / columns), static_cast<int64_t>(column)}))
              << attribute << " " << offset;
        });
      }
    }
  }
}

TEST(TritonEncodings, RotatingSharedBeginsEachBlockOfRowsWithAnotherPhase) {
  using Swizzle = std::array<int64_t, 3>;
  for (const Swizzle& swizzle : {Swizzle{1, 1, 4}, Swizzle{2, 2, 4}, Swizzle{4, 1, 2}}) {
    const int64_t vec = swizzle[0];
    const int64_t per_phase = swizzle[1];
    const int64_t max_phase = swizzle[2];
    const std::string attribute = StrCat("#ttg.amd_rotating_shared<{vec = ", vec, ", perPhase = ", per_phase,
                                         ", maxPhase = ", max_phase, ", order = [1, 0]}> [64,16]");
    ForEachOffset(attribute, [&](uint64_t offset, const std::vector<int64_t>& index) {
      const int64_t row = static_cast<int64_t>(offset) / 16;
      const int64_t phase = row / per_phase % max_phase ^ row / (per_phase * max_phase) % max_phase;
      EXPECT_EQ(index, (std::vector{row, static_cast<int64_t>(offset) % 16 ^ vec * phase})) << attribute << " " << row;
    });
  }
}

// A slice of an array has each thread's elements at the place of the parent's with the dimension left out.
TEST(TritonEncodings, SliceLeavesOutADimensionOfItsParent) {
  const std::string parents[] = {
      "#ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>",
      Mma("2, 2", "16, 8"), Operand(0, Mma("2, 2", "16, 8"), 2)};
  for (const std::string& parent : parents) {
    for (const int dim : {0, 1}) {
      const LinearLayout whole = LayoutOf(StrCat(parent, dim == 0 ? " [1,64]" : " [64,1]"));
      const LinearLayout slice = LayoutOf(StrCat("#ttg.slice<{dim = ", dim, ", parent = ", parent, "}> [64]"));
      for (size_t k = 0; k < whole.inputs().size(); ++k) {
        std::vector<uint64_t> images = whole.inputs()[k].images;
        if (whole.inputs()[k].name == "register") std::erase(images, uint64_t{0});
        EXPECT_EQ(slice.inputs()[k].images, images) << parent << " " << dim << " " << whole.inputs()[k].name;
      }
    }
  }
}

// Partitions take turns along the dimension, and each piece has the layout within.
TEST(TritonEncodings, PartitionedSharedHasItsPiecesInTurns) {
  const std::string within = "#ttg.swizzled_shared<{vec = 2, perPhase = 1, maxPhase = 4, order = [1, 0]}>";
  const LinearLayout piece = LayoutOf(StrCat(within, " [8,32]"));
  const LinearLayout whole = LayoutOf(
      StrCat("#ttg.partitioned_shared<{numPartitions = 2, numGroups = 4, partitionDim = 0, partitionLayout = ", within,
             "}> [64,32]"));
  ASSERT_EQ(whole.inputs().size(), 3U);
  EXPECT_EQ(whole.inputs()[2].name, "partition");
  for (int64_t offset = 0; offset < 1024; ++offset) {
    for (int64_t partition = 0; partition < 2; ++partition) {
      const std::vector<int64_t> found =
          whole.OutputParts(static_cast<uint64_t>(whole.Index(std::vector<int64_t>{offset, 0, partition})));
      std::vector<int64_t> expected = piece.OutputParts(piece.Apply(static_cast<uint64_t>(offset) % 256));
      expected[0] += 8 * (offset / 256 * 2 + partition);
      EXPECT_EQ(found, expected) << offset << " " << partition;
    }
  }
}

// Tensor memory has 128 rows. A block of 64 rows lies in the first 16 lanes of each warp, and the next block in the
// other ones.
TEST(TritonEncodings, TensorMemoryHas128Rows) {
  const LinearLayout whole =
      LayoutOf("#ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 2> [128,128]");
  for (int64_t row = 0; row < 128; ++row) {
    for (int64_t column = 0; column < 256; ++column) {
      EXPECT_EQ(whole.Index(std::vector<int64_t>{row, column, 0}), row * 128 + column / 2);
    }
  }
  const LinearLayout halves =
      LayoutOf("#ttng.tensor_memory_encoding<blockM = 64, blockN = 32, colStride = 1> [128,32]");
  for (int64_t row = 0; row < 128; ++row) {
    const int64_t in_block = row / 32 * 16 + row % 16;
    EXPECT_EQ(halves.Index(std::vector<int64_t>{row, 5, 0}), (row % 32 < 16 ? in_block : 64 + in_block) * 32 + 5);
  }
}

TEST(TritonEncodings, OperandsOfABlockedResultHaveTheWholeSum) {
  const std::string parent =
      "#ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0], CGALayout "
      "= "
      "[[0, 1]]}>";
  const std::string operand = StrCat("#ttg.dot_op<{opIdx = 0, parent = ", parent, "}> [32,16]");
  EXPECT_EQ(
      TextOfEncoding(operand),
      "ll{register:[(0,1),(0,2),(0,4),(0,8)],lane:[(0,0),(0,0),(1,0),(2,0),(4,0)],warp:[(8,0),(16,0)],block:[(0,0)]} "
      "-> [32,16]");
}

TEST(TritonEncodings, ErrorsNameTheirColumn) {
  const std::string mma = Mma("2, 2", "16, 8");
  const std::pair<std::string, const char*> rows[] = {
      {"#ttg.mma<{}> [4,4]",
       "column 6: expected one of the attributes blocked, nvidia_mma, amd_mfma, amd_wmma, dot_op, slice, linear, "
       "generic_linear, swizzled_shared, amd_rotating_shared, nvmma_shared, partitioned_shared, shared_linear, "
       "padded_shared, tensor_memory_encoding, tensor_memory_scales_encoding, found 'mma'"},
      {mma, "column 98: expected the shape of the array after the attribute, such as [128,64]"},
      {StrCat(mma, " [4]"), "column 68: expected 1 integer in 'warpsPerCTA', one per dimension, found 2"},
      {"#ttg.nvidia_mma<{versionMajor = 5, warpsPerCTA = [4, 1], instrShape = [16, 8]}> [64,64]",
       "column 33: expected one of 2, 3 in 'versionMajor', found 5"},
      {"#ttg.nvidia_mma<{versionMajor = 2, versionMinor = x, warpsPerCTA = [4, 1], instrShape = [16, 8]}> [64,64]",
       "column 51: expected an integer from 0 to 2147483648 in 'versionMinor', found 'x'"},
      {"#ttg.shared_linear<{offset = [[1]], block = []}, alignment = 3> [2]",
       "column 62: expected a power of two in 'alignment', found 3"},
      {"#ttg.shared_linear<{offset = [[1]], block = []}, alignment = 16> [4]",
       "expected the shape of the images, 2 in dimension 0, found 4"},
      {"#ttg.shared_linear<{offset = [[1], [1]], block = []}, alignment = 16>",
       "column 20: expected images of which none is a sum of others"},
      {"#ttg.generic_linear<{lane = [[1, 1]], warp = [[1, 0]]}>",
       "column 29: expected images of one dimension in 'lane'"},
      {StrCat(Mma("3, 2", "16, 8"), " [64,64]"), "column 69: expected a power of two in 'warpsPerCTA', found 3"},
      {StrCat(Mma("2, 2", "16, 4"), " [64,64]"), "column 89: expected at least 8 rows and columns, found 16 and 4"},
      {StrCat(Mma("2, 2", "16, 8, 16"), " [64,64]"),
       "column 89: expected 2 sizes for version 2 and 2 dimensions, found 3"},
      {StrCat(Wgmma("16, 24, 16"), " [64,24]"), "column 108: expected a power of two in the shape, found 24"},
      {StrCat(Operand(0, mma, 0), " [64,64]"), "column 142: expected a power of two in 'kWidth', found 0"},
      {StrCat(Operand(2, mma, 2), " [64,64]"), "column 22: expected one of 0, 1 in 'opIdx', found 2"},
      {StrCat(Operand(1, Wgmma("16, 64, 16"), 2), " [64,64]"),
       "column 66: expected version 2 for operand B, which version 3 has in shared memory"},
      {StrCat(Operand(0, Operand(0, mma, 2), 2), " [64,64]"),
       "column 39: expected one of the parents blocked, nvidia_mma, amd_mfma, amd_wmma of dot_op, found 'dot_op'"},
      {"#ttg.dot_op<{opIdx = 0, parent = 4}> [64,64]", "column 34: expected an attribute as 'parent', found 4"},
      {StrCat("#ttg.slice<{dim = 2, parent = ", mma, "}> [64]"),
       "column 19: expected a dimension from 0 to 2 (excluded) in 'dim', found 2"},
      {StrCat("#ttg.slice<{dim = 0, parent = ", mma, "}> []"),
       "column 31: expected a parent of at least 2 dimensions for an array of at least 1"},
      {"#ttg.slice<{dim = 0, parent = #ttg.nvmma_shared<{swizzlingByteWidth = 0, elementBitWidth = 8}>}> [4]",
       "column 36: expected an attribute of registers, found 'nvmma_shared'"},
      {"#ttg.blocked<{sizePerThread = [1], threadsPerWarp = [4], warpsPerCTA = [1], order = [0], CGALayout = [[2]]}> "
       "[16]",
       "column 102: expected an image for each bit of a number of parts"},
      {"#ttg.blocked<{sizePerThread = [1], threadsPerWarp = [4], warpsPerCTA = [1], order = [0], CGALayout = [[1], "
       "[1]]}> "
       "[16]",
       "column 102: expected images of one bit each, no two the same, besides those of copies"},
      {"#ttg.nvmma_shared<{swizzlingByteWidth = 16, elementBitWidth = 8}> [8,8]",
       "column 41: expected one of 0, 32, 64, 128 in 'swizzlingByteWidth', found 16"},
      {"#ttg.nvmma_shared<{swizzlingByteWidth = 32, transposed = 1, elementBitWidth = 8}> [8,8]",
       "column 58: expected one of false, true in 'transposed', found 1"},
      {"#ttg.nvmma_shared<{swizzlingByteWidth = 32, elementBitWidth = 16}> [8,8]",
       "expected at least 16 contiguous elements in a block for a swizzle of 32 bytes, found 8"},
      {"#ttg.nvmma_shared<{swizzlingByteWidth = 32, elementBitWidth = 16}> [4,16]",
       "expected at least 8 rows and 16 columns in the block that is copied at a time, found 4 and 16"},
      {"#ttg.nvmma_shared<{swizzlingByteWidth = 0, elementBitWidth = 16}> [4,16,16]",
       "column 19: expected rank = 3 for an array of 3 dimensions"},
      {"#ttg.amd_mfma<{version = 3, warpsPerCTA = [2, 2], instrShape = [4, 4, 4], isTransposed = true}> [64,64]",
       "column 64: expected a result of 32 x 32, 16 x 16, 64 x 4 or 4 x 64 elements"},
      {"#ttg.amd_mfma<{version = 3, warpsPerCTA = [2, 2], instrShape = [64, 4, 4], isTransposed = false}> [64,64]",
       "column 64: expected isTransposed = true for a result of 64 x 4 elements"},
      {"#ttg.amd_wmma<{version = 3, ctaLayout = {warp = [[0, 1]]}}> [64,64]",
       "column 15: expected one of [16, 16, 4], [16, 16, 32], [16, 16, 64], [16, 16, 128], [32, 16, 64], [32, 16, 128] "
       "for version 3"},
      {"#ttg.amd_wmma<{version = 2, ctaLayout = {warp = [[0, 2]]}}> [64,64]",
       "column 41: expected images that reach each tile up to the last one"},
      {"#ttg.amd_wmma<{version = 2, ctaLayout = {lane = [[0, 1]]}}> [64,64]",
       "column 49: expected the entries register, warp of ctaLayout, found 'lane'"},
      {"#ttg.partitioned_shared<{numPartitions = 4, numGroups = 4, partitionDim = 0, partitionLayout = "
       "#ttg.padded_shared<[4:+4] {order = [0], shape = [4]}>}> [8]",
       "column 42: expected at most 8 pieces of dimension 0, found 4 partitions of 4 groups"},
      {"#ttg.partitioned_shared<{numPartitions = 2, numGroups = 1, partitionDim = 0, partitionLayout = "
       "#ttg.padded_shared<[4:+4] {order = [0], shape = [4]}>}> [8]",
       "column 101: expected an attribute of shared memory without padding, found 'padded_shared'"},
      {"#ttng.tensor_memory_encoding<{blockM = 128}> [128,64]", "column 30: expected the name of an entry, found '{'"},
      {"#ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1> [64,64]",
       "column 39: expected at least 128 rows in a block, found 64"},
      {"#ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1, twoCTAs = true> [256,64]",
       "column 82: expected [1, 0] as the first image of CGALayout with twoCTAs"},
      {"#ttng.tensor_memory_scales_encoding<blockRepOrder = nThenK> [128,4]",
       "column 53: expected one of mnThenK, kThenMn in 'blockRepOrder', found 'nThenK'"},
      {"#ttng.tensor_memory_scales_encoding<CGALayout = [[0, 1]]> [128,1]",
       "expected a size of at least 2 in dimension 1, found 1"},
      {"#ttng.tensor_memory_scales_encoding<> [128]", "expected an array of 2 dimensions in tensor memory, found 1"},
  };
  for (const auto& [text, message] : rows) EXPECT_EQ(TextOfEncoding(text), message) << text;
}

// A text with one byte changed is a layout, or an error.
TEST(TritonEncodings, ChangedTextsAreReadOrRejected) {
  std::mt19937_64 random(8);
  const std::string mma = Mma("2, 2", "16, 8");
  const std::string texts[] = {
      "#ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0], CTAsPerCGA "
      "= "
      "[2, 2], CTASplitNum = [2, 1], CTAOrder = [1, 0]}> [128, 16]",
      "#ttg.swizzled_shared<{vec = 2, perPhase = 2, maxPhase = 4, order = [1, 0]}> [32, 32]",
      "#ttg.linear<{register = [[0, 1], [8, 0]], lane = [[0, 2], [1, 0]], warp = [[2, 0]], block = [[4, 0]]}> [32, 32]",
      "#ttg.padded_shared<[16:+8] {order = [1, 0], shape = [4, 64]}>",
      StrCat("#ttg.slice<{dim = 0, parent = ", Operand(0, mma, 2), "}> [64]"),
      StrCat(Operand(1, mma, 4), " [64, 32]"),
      "#ttg.amd_mfma<{version = 3, warpsPerCTA = [2, 2], instrShape = [32, 32, 8], isTransposed = true, tilesPerWarp = "
      "[1, 2]}> [64, 64]",
      "#ttg.amd_wmma<{version = 3, isTranspose = true, ctaLayout = {register = [[0, 1]], warp = [[0, 2], [1, 0]]}, "
      "instrShape = [16, 16, 32]}> [64, 64]",
      "#ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = true, elementBitWidth = 16}> [64, 64]",
      "#ttg.partitioned_shared<{numPartitions = 2, numGroups = 2, partitionDim = 1, partitionLayout = "
      "#ttg.amd_rotating_shared<{vec = 2, perPhase = 1, maxPhase = 4, order = [1, 0]}>}> [32, 64]",
      "#ttng.tensor_memory_encoding<blockM = 64, blockN = 32, colStride = 2, CGALayout = [[1, 0]], twoCTAs = true> "
      "[128, "
      "64]",
      "#ttng.tensor_memory_scales_encoding<CGALayout = [[0, 1]], blockRepOrder = kThenMn> [256, 16]",
  };
  std::vector<int> accepted(std::size(texts));
  for (size_t n = 0; n < 12000; ++n) {
    std::string text = texts[n % std::size(texts)];
    const std::string alphabet = "<>{}[]=,:+-#.0123456789 aorder";
    text[random() % text.size()] = alphabet[random() % alphabet.size()];
    const std::string answer = TextOfEncoding(text);
    accepted[n % std::size(texts)] += answer.starts_with("ll{") || answer.starts_with("(") ? 1 : 0;
  }
  for (size_t k = 0; k < std::size(texts); ++k) EXPECT_GT(accepted[k], 10) << texts[k];
}

}  // namespace
}  // namespace layoutcheck
