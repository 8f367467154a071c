// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks every measured pattern of corpus/vectors/bank_passes.jsonl.
#include <gtest/gtest.h>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>
#include "layoutcheck/core/linear/bank_conflicts.h"
#include "layoutcheck/core/shape_stride/text.h"
#include "layoutcheck/json/json.h"

namespace layoutcheck {
namespace {

int64_t Passes(const std::vector<int64_t>& addresses, int64_t bytes, AccessKind kind) {
  const Expected<BankConflicts> conflicts = FindBankConflicts(addresses, bytes, kind);
  return conflicts ? conflicts->passes : -1;
}

TEST(BankConformance, MeasuredPasses) {
  std::ifstream in(LAYOUTCHECK_CORPUS "/vectors/bank_passes.jsonl");
  ASSERT_TRUE(in.is_open());
  int patterns = 0;
  int merged = 0;
  int layouts = 0;
  for (std::string line; std::getline(in, line); ++patterns) {
    const Json row = Json::Parse(line).value();
    const auto addresses = row.at("addresses").get<std::vector<int64_t>>();
    const auto bytes = row.at("bytes").get<int64_t>();
    ASSERT_EQ(addresses.size(), 32u) << line;
    EXPECT_EQ(Passes(addresses, bytes, AccessKind::kLoad), row.at("load_passes")) << line;
    EXPECT_EQ(Passes(addresses, bytes, AccessKind::kStore), row.at("store_passes")) << line;
    if (row.at("load_passes") != row.at("store_passes")) ++merged;
    if (!row.contains("layout")) continue;
    ++layouts;
    const auto layout = ParseComposedLayout(row.at("layout").text());
    ASSERT_TRUE(layout) << line;
    for (int64_t lane = 0; lane < 32; ++lane) {
      EXPECT_EQ(Crd2Idx(IntTuple::Tuple({lane, 0}), *layout).value() * bytes, addresses[static_cast<size_t>(lane)])
          << line;
    }
  }
  std::printf("%d measured patterns, %d with fewer passes of the load, %d of a layout\n", patterns, merged, layouts);
  EXPECT_EQ(patterns, 506);
  EXPECT_GE(merged, 90);
}

}  // namespace
}  // namespace layoutcheck
