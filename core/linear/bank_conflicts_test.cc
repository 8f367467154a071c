// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/linear/bank_conflicts.h"
#include <gtest/gtest.h>
#include <functional>
#include <numeric>
#include <string>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/shape_stride/text.h"

namespace layoutcheck {
namespace {

std::vector<int64_t> Addresses(int64_t lanes, const std::function<int64_t(int64_t)>& address) {
  std::vector<int64_t> addresses;
  for (int64_t lane = 0; lane < lanes; ++lane) addresses.push_back(address(lane));
  return addresses;
}

// Returns the byte addresses of the elements (lane, 0) of a layout in elements.
std::vector<int64_t> ColumnOf(std::string_view text, int64_t lanes, int64_t element_bytes) {
  const ComposedLayout layout = ParseComposedLayout(text).value();
  return Addresses(lanes,
                   [&](int64_t lane) { return Crd2Idx(IntTuple::Tuple({lane, 0}), layout).value() * element_bytes; });
}

int64_t Degree(const std::vector<int64_t>& addresses, int64_t bytes) {
  return FindBankConflicts(addresses, bytes, AccessKind::kStore).value().degree;
}

// Known answers: the columns of a row-major tile of 32 x 32 floats, as in NVIDIA's sample of a matrix transpose and its
// padding by one column.
TEST(BankConflicts, ColumnsOfATile) {
  EXPECT_EQ(Degree(ColumnOf("(32,32):(32,1)", 32, 4), 4), 32);
  EXPECT_EQ(Degree(ColumnOf("(32,32):(33,1)", 32, 4), 4), 1);
  EXPECT_EQ(Degree(ColumnOf("Sw<5,0,5> o 0 o (32,32):(32,1)", 32, 4), 4), 1);
  // A swizzle of 16-byte vectors has 8 places for 32 rows.
  EXPECT_EQ(Degree(ColumnOf("Sw<3,2,3> o 0 o (32,32):(32,1)", 32, 4), 4), 4);
}

// Known answers: 8 rows of 128 bytes, whose 16-byte vectors one ldmatrix reads, without a swizzle and with those of 32,
// 64 and 128 bytes, which CuTe has as Sw<1,4,3>, Sw<2,4,3> and Sw<3,4,3> of bytes.
TEST(BankConflicts, VectorsOfRows) {
  EXPECT_EQ(Degree(ColumnOf("(8,128):(128,1)", 8, 1), 16), 8);
  EXPECT_EQ(Degree(ColumnOf("Sw<1,4,3> o 0 o (8,128):(128,1)", 8, 1), 16), 4);
  EXPECT_EQ(Degree(ColumnOf("Sw<2,4,3> o 0 o (8,128):(128,1)", 8, 1), 16), 2);
  EXPECT_EQ(Degree(ColumnOf("Sw<3,4,3> o 0 o (8,128):(128,1)", 8, 1), 16), 1);
  EXPECT_EQ(Degree(ColumnOf("(8,64):(64,1)", 8, 2), 16), 8);
  EXPECT_EQ(Degree(ColumnOf("Sw<3,3,3> o 0 o (8,64):(64,1)", 8, 2), 16), 1);  // the same in elements of 2 bytes
}

TEST(BankConflicts, PhasesAndWords) {
  // Neighbors conflict in no width: a phase is as many lanes as fill all banks.
  for (const int64_t bytes : {1, 2, 4, 8, 16}) {
    const std::vector<int64_t> addresses = Addresses(32, [&](int64_t i) { return i * bytes; });
    for (const AccessKind kind : {AccessKind::kLoad, AccessKind::kStore}) {
      const BankConflicts result = FindBankConflicts(addresses, bytes, kind).value();
      EXPECT_EQ(result.degree, 1) << bytes;
      EXPECT_EQ(result.phases.size(), static_cast<size_t>(bytes <= 4 ? 1 : bytes / 4)) << bytes;
      EXPECT_EQ(result.passes, static_cast<int64_t>(result.phases.size()));
    }
  }
  // One word for all lanes is read once.
  EXPECT_EQ(Degree(Addresses(32, [](int64_t) { return 64; }), 4), 1);
  // A stride of 2 words: lanes k and k + 16 meet.
  const BankConflicts result =
      FindBankConflicts(Addresses(32, [](int64_t i) { return 8 * i; }), 4, AccessKind::kLoad).value();
  EXPECT_EQ(result.degree, 2);
  ASSERT_EQ(result.phases[0].conflicts.size(), 16u);
  const BankConflict& second = result.phases[0].conflicts[1];
  EXPECT_EQ(second.bank, 2);
  EXPECT_EQ(second.words, (std::vector<int64_t>{2, 34}));
  EXPECT_EQ(second.lanes, (std::vector<std::vector<int64_t>>{{1}, {17}}));
  EXPECT_EQ(LaneBitsWithinBanks(Addresses(32, [](int64_t i) { return 8 * i; })), (std::vector<int64_t>{4}));
  EXPECT_EQ(LaneBitsWithinBanks(Addresses(32, [](int64_t i) { return 128 * i; })),
            (std::vector<int64_t>{0, 1, 2, 3, 4}));
  EXPECT_TRUE(LaneBitsWithinBanks(Addresses(32, [](int64_t) { return 0; })).empty());
}

// The stride decides the degree: gcd(stride in words, 32) lanes meet.
TEST(BankConflicts, OfStrides) {
  for (int64_t stride = 1; stride <= 70; ++stride) {
    EXPECT_EQ(Degree(Addresses(32, [&](int64_t i) { return 4 * stride * i; }), 4), std::gcd(stride, 32)) << stride;
  }
}

// Returns "LANES^MERGED_BY:PASSES" per phase, without "^..." where nothing is merged.
std::string Phases(const std::vector<int64_t>& addresses, int64_t bytes, AccessKind kind) {
  const BankConflicts conflicts = FindBankConflicts(addresses, bytes, kind).value();
  std::string text;
  for (const AccessPhase& phase : conflicts.phases) {
    StrAppend(text, text.empty() ? "" : " ", phase.lane_count);
    if (phase.merged_by != 0) StrAppend(text, "^", phase.merged_by);
    StrAppend(text, ":", phase.passes);
  }
  return text;
}

// The rule of loads in patterns that can be checked by hand. bank_conformance_test holds it against measured ones.
TEST(BankConflicts, LoadsMergePhases) {
  constexpr AccessKind kLoad = AccessKind::kLoad;
  constexpr AccessKind kStore = AccessKind::kStore;
  const auto pairs = [](int64_t bytes, int64_t lanes) {  // lanes l and l^1
    return Addresses(lanes, [=](int64_t i) { return i / 2 * bytes; });
  };
  const auto halves = [](int64_t bytes, int64_t bit) {  // lanes l and l^bit
    return Addresses(32, [=](int64_t i) { return (i & ~bit) * bytes; });
  };
  EXPECT_EQ(Phases(pairs(8, 32), 8, kLoad), "32^1:1");
  EXPECT_EQ(Phases(pairs(8, 32), 8, kStore), "16:1 16:1");
  EXPECT_EQ(Phases(pairs(16, 32), 16, kLoad), "16^1:1 16^1:1");
  EXPECT_EQ(Phases(pairs(16, 32), 16, kStore), "8:1 8:1 8:1 8:1");
  EXPECT_EQ(Phases(pairs(4, 32), 4, kLoad), "32:1");
  EXPECT_EQ(Phases(halves(8, 2), 8, kLoad), "32^2:2");
  EXPECT_EQ(Phases(halves(8, 4), 8, kLoad), "16:1 16:1");
  EXPECT_EQ(Phases(halves(8, 16), 8, kLoad), "16:1 16:1");
  // All lanes of a warp must agree on the neighbor. (An H200 counts 4 passes of the loads of 16 bytes.)
  std::vector<int64_t> mixed = pairs(8, 32);
  for (size_t lane = 16; lane < 32; ++lane) mixed[lane] = halves(8, 2)[lane];
  EXPECT_EQ(Phases(mixed, 8, kLoad), "16:1 16:1");
  mixed = pairs(16, 32);
  for (size_t lane = 16; lane < 32; ++lane) mixed[lane] = static_cast<int64_t>(lane) * 16;
  EXPECT_EQ(Phases(mixed, 16, kLoad), "8:1 8:1 8:1 8:1");
  mixed[0] = 512;
  EXPECT_EQ(Phases(mixed, 16, kLoad), "8:2 8:1 8:1 8:1");
  // A second warp is on its own, and a part of a warp is not merged.
  EXPECT_EQ(Phases(pairs(8, 64), 8, kLoad), "32^1:1 32^1:1");
  EXPECT_EQ(Phases(pairs(8, 28), 8, kLoad), "16:1 12:1");
  EXPECT_EQ(Phases(pairs(16, 20), 16, kLoad), "8:1 8:1 4:1");
}

TEST(BankConflicts, Errors) {
  const auto message = [](const std::vector<int64_t>& addresses, int64_t bytes) {
    return FindBankConflicts(addresses, bytes, AccessKind::kLoad).error().message;
  };
  EXPECT_EQ(message({0, 4}, 3), "expected 1, 2, 4, 8 or 16 bytes per lane, found 3");
  EXPECT_EQ(message({0, 4}, 8), "lane 1 accesses 8 bytes at byte 4: expected a multiple of 8");
  EXPECT_EQ(message({}, 4), "expected at least one lane");
}

}  // namespace
}  // namespace layoutcheck
