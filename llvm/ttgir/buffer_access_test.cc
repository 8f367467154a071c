// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/ttgir/buffer_access.h"
#include <gtest/gtest.h>
#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <vector>
#include "layoutcheck/core/linear/linear_algebra.h"
#include "layoutcheck/core/linear/triton_layout.h"

namespace layoutcheck {
namespace {

LinearLayout LayoutOf(const std::string& text) {
  const auto layout = ParseTritonLayout(text);
  EXPECT_TRUE(layout.has_value()) << text << ": " << layout.error().ToString();
  return layout ? std::get<LinearLayout>(*layout) : LinearLayout();
}

BufferAccess AccessOf(const LinearLayout& registers, const std::string& shared, int64_t bytes, AccessKind kind,
                      bool may_use_matrices = false) {
  const auto access = FindBufferAccess(registers, LayoutOf(shared), bytes, kind, may_use_matrices);
  EXPECT_TRUE(access.has_value()) << access.error().ToString();
  return access.value_or(BufferAccess());
}

// Returns the passes of each warp's instructions, one after another, each with the addresses of its 32 lanes.
int64_t CountedPasses(const LinearLayout& registers, const LinearLayout& shared, int64_t element_bytes,
                      int64_t lane_bytes, AccessKind kind) {
  const LinearLayout places = *InvertAndCompose(registers, shared);
  const std::vector<int64_t> sizes = places.InputSizes();
  const auto address = [&](int64_t r, int64_t lane, int64_t warp) {
    const auto index = static_cast<uint64_t>(places.Index(std::vector<int64_t>{r, lane, warp, 0}));
    return places.OutputParts(index)[0] * element_bytes;
  };
  int64_t passes = 0;
  for (int64_t warp = 0; warp < sizes[2]; ++warp) {
    std::set<int64_t> done;  // the runs that lane 0 has accessed
    for (int64_t r = 0; r < sizes[0]; ++r) {
      if (!done.insert(address(r, 0, warp) / lane_bytes).second) continue;
      std::vector<int64_t> addresses;
      for (int64_t lane = 0; lane < sizes[1]; ++lane) {
        addresses.push_back(address(r, lane, warp) / lane_bytes * lane_bytes);
      }
      passes += FindBankConflicts(addresses, lane_bytes, kind)->passes;
    }
  }
  return passes;
}

TEST(FindBufferAccess, PassesAreThoseOfEachInstruction) {
  std::mt19937 random(3);
  std::set<int64_t> widths;
  for (int round = 0; round < 300; ++round) {
    // A permutation of the bits of 2^11 elements among registers, lanes and warps, perhaps with exclusive ors.
    std::vector<uint64_t> images;
    for (size_t bit = 0; bit < 11; ++bit) images.push_back(uint64_t{1} << bit);
    const bool has_vectors = round % 2 == 0;
    std::shuffle(images.begin() + (has_vectors ? 2 : 0), images.end(), random);
    if (round % 3 == 0) images[7] ^= images[random() % 7];
    if (round % 5 == 0) images[3] = 0;
    const auto part = [&](size_t begin, size_t end) {
      return std::vector<uint64_t>(images.begin() + static_cast<std::ptrdiff_t>(begin),
                                   images.begin() + static_cast<std::ptrdiff_t>(end));
    };
    const LinearLayout registers =
        *LinearLayout::Create({{"register", part(0, 4)}, {"lane", part(4, 9)}, {"warp", part(9, 11)}, {"block", {}}},
                              {{"dim0", 5}, {"dim1", 6}});
    const LinearLayout shared = LayoutOf(
        round % 2 == 0 ? "#ttg.swizzled_shared<{vec = 4, perPhase = 2, maxPhase = 8, order = [1, 0]}> [32,64]"
                       : "#ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0, 1]}> [32,64]");
    const int64_t element_bytes = int64_t{1} << (random() % 4);
    const AccessKind kind = random() % 2 == 0 ? AccessKind::kLoad : AccessKind::kStore;
    const auto access = FindBufferAccess(registers, shared, element_bytes, kind, false);
    ASSERT_TRUE(access.has_value()) << access.error().ToString();
    EXPECT_EQ(access->passes, CountedPasses(registers, shared, element_bytes, access->lane_bytes, kind));
    EXPECT_LE(access->least_passes, access->passes);
    EXPECT_LE(access->conflict_free_passes, access->passes);
    widths.insert(access->lane_bytes);
  }
  EXPECT_GE(widths.size(), 4U);
}

// A column of 32 words in rows of 128 bytes lies in one bank; with a swizzle it lies in 32.
TEST(FindBufferAccess, ColumnsConflictUnlessTheyAreSwizzled) {
  const LinearLayout columns = LayoutOf(
      "#ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32, 1], warpsPerCTA = [1, 4], order = [0, 1]}> [32,32]");
  const BufferAccess plain =
      AccessOf(columns, "#ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}> [32,32]", 4,
               AccessKind::kStore);
  EXPECT_EQ(plain.lane_bytes, 4);
  EXPECT_EQ(plain.passes, 32 * 32);
  EXPECT_EQ(plain.conflict_free_passes, 32);
  EXPECT_EQ(plain.least_passes, 32);
  const BufferAccess swizzled =
      AccessOf(columns, "#ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 32, order = [1, 0]}> [32,32]", 4,
               AccessKind::kStore);
  EXPECT_EQ(swizzled.passes, 32);
}

// Rows of 64 f16 with Triton's swizzle: ldmatrix reads the operand A as it is, and B transposed, both without
// conflicts.
TEST(FindBufferAccess, OperandsOfMmaAreReadInMatrices) {
  const std::string shared = "#ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}> [64,64]";
  const std::string parent =
      "#ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>";
  const LinearLayout a = LayoutOf("#ttg.dot_op<{opIdx = 0, parent = " + parent + ", kWidth = 2}> [64,64]");
  const BufferAccess of_a = AccessOf(a, shared, 2, AccessKind::kLoad, true);
  EXPECT_FALSE(of_a.has_matrices);
  EXPECT_EQ(of_a.lane_bytes, 4);
  EXPECT_EQ(of_a.passes, of_a.least_passes);
  const LinearLayout b = LayoutOf("#ttg.dot_op<{opIdx = 1, parent = " + parent + ", kWidth = 2}> [64,64]");
  const BufferAccess of_b = AccessOf(b, shared, 2, AccessKind::kLoad, true);
  EXPECT_TRUE(of_b.has_matrices);
  EXPECT_EQ(of_b.lane_bytes, 16);
  EXPECT_EQ(of_b.passes, of_b.least_passes);
  // Without such instructions, an element is loaded at a time.
  const BufferAccess slow = AccessOf(b, shared, 2, AccessKind::kLoad);
  EXPECT_EQ(slow.lane_bytes, 2);
  EXPECT_GE(slow.passes, 2 * of_b.passes);
  // Without a swizzle, the 8 rows of a matrix, 128 bytes apart, lie in the same banks.
  const BufferAccess conflicts =
      AccessOf(b, "#ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}> [64,64]", 2,
               AccessKind::kLoad, true);
  EXPECT_GT(conflicts.passes, conflicts.conflict_free_passes);
}

// Each block of a cluster has the access of a block alone, to its half of the array or to its copy of the whole.
TEST(FindBufferAccess, BlocksOfAClusterAccessTheirOwnMemory) {
  const auto columns_of = [](const std::string& cluster, const std::string& sizes) {
    return LayoutOf(
        "#ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32, 1], warpsPerCTA = [1, 4], order = [0, 1]" +
        cluster + "}> " + sizes);
  };
  const auto rows_of = [](const std::string& cluster, const std::string& sizes) {
    return "#ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 4, order = [1, 0]" + cluster + "}> " + sizes;
  };
  const BufferAccess alone = AccessOf(columns_of("", "[32,32]"), rows_of("", "[32,32]"), 4, AccessKind::kLoad);
  const std::string halves = ", CGALayout = [[1, 0]]";
  const std::string copies = ", CGALayout = [[0, 0]]";
  const BufferAccess of_halves =
      AccessOf(columns_of(halves, "[64,32]"), rows_of(halves, "[64,32]"), 4, AccessKind::kLoad);
  const BufferAccess of_copies =
      AccessOf(columns_of(copies, "[32,32]"), rows_of(copies, "[32,32]"), 4, AccessKind::kLoad);
  for (const BufferAccess& access : {of_halves, of_copies}) {
    EXPECT_EQ(access.lane_bytes, alone.lane_bytes);
    EXPECT_EQ(access.passes, 2 * alone.passes);
    EXPECT_EQ(access.conflict_free_passes, 2 * alone.conflict_free_passes);
    EXPECT_EQ(access.least_passes, 2 * alone.least_passes);
  }
  // A half of a block's own copy of the whole is its own, too; the whole of a buffer in halves is not.
  const BufferAccess of_half =
      AccessOf(columns_of(halves, "[64,32]"), rows_of(copies, "[64,32]"), 4, AccessKind::kLoad);
  EXPECT_EQ(of_half.passes, 2 * alone.passes);
  EXPECT_EQ(
      FindBufferAccess(columns_of(copies, "[64,32]"), LayoutOf(rows_of(halves, "[64,32]")), 4, AccessKind::kLoad, false)
          .error()
          .message,
      "expected accesses to the block's own shared memory, because others have no known passes");
}

TEST(FindBufferAccess, RejectsWhatIsNotKnown) {
  const LinearLayout wide = LayoutOf(
      "#ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [64, 1], warpsPerCTA = [1, 4], order = [0, 1]}> [64,64]");
  const LinearLayout shared =
      LayoutOf("#ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}> [64,64]");
  EXPECT_EQ(FindBufferAccess(wide, shared, 4, AccessKind::kLoad, false).error().message,
            "expected 32 lanes, because passes are known for these alone");
  const LinearLayout lanes = LayoutOf(
      "#ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32, 1], warpsPerCTA = [1, 4], order = [0, 1]}> [64,64]");
  EXPECT_EQ(FindBufferAccess(lanes, shared, 3, AccessKind::kLoad, false).error().message,
            "expected elements of 1, 2, 4, 8 or 16 bytes, found 3");
}

}  // namespace
}  // namespace layoutcheck
