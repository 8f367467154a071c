// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/sharding/sharding.h"
#include <gtest/gtest.h>
#include <algorithm>
#include <functional>
#include <numeric>
#include <random>
#include "layoutcheck/core/sharding/shard_arrays.h"

namespace layoutcheck {
namespace {

using Integers = std::vector<int64_t>;
using Cut = DimensionCut<int64_t>;

Sharding MakeRandomOrder(ShardCuts<int64_t> cuts, int64_t replicas, ShardSizes sizes, std::mt19937& random) {
  int64_t count = replicas;
  for (const Cut& cut : cuts.cuts) count *= cut.parts;
  Integers devices(static_cast<size_t>(count));
  std::iota(devices.begin(), devices.end(), 0);
  std::ranges::shuffle(devices, random);
  return *Sharding::Create(std::move(cuts), replicas, std::move(devices), sizes);
}

// Returns the combinations of the indices in the ranges, in row-major order.
std::vector<Integers> Combinations(const std::vector<std::vector<IndexRange>>& ranges) {
  std::vector<Integers> result{{}};
  for (const std::vector<IndexRange>& dimension : ranges) {
    std::vector<Integers> longer;
    for (const Integers& begin : result) {
      for (const IndexRange& range : dimension) {
        for (int64_t index = range.begin; index < range.end; ++index) {
          longer.push_back(begin);
          longer.back().push_back(index);
        }
      }
    }
    result = std::move(longer);
  }
  return result;
}

Integers CoordinateOf(int64_t element, const Integers& sizes) {
  Integers coordinate(sizes.size());
  for (size_t d = sizes.size(); d-- > 0;) {
    coordinate[d] = element % sizes[d];
    element /= sizes[d];
  }
  return coordinate;
}

int64_t NumberOf(const Integers& coordinate, const Integers& sizes) {
  int64_t number = 0;
  for (size_t d = 0; d < sizes.size(); ++d) number = number * sizes[d] + coordinate[d];
  return number;
}

// Holds the formulas to the arrays that are cut.
void ExpectDefinitionsAgree(const Sharding& sharding) {
  const Integers& sizes = sharding.cuts().dimensions;
  const auto shards = CutArray(sharding);
  ASSERT_TRUE(shards) << shards.error().ToString();
  int64_t held = 0;
  for (const ShardElements& shard : *shards) {
    const Integers local_sizes = *sharding.LocalSizes(shard.device);
    std::vector<Integers> expected;
    for (const int64_t element : shard.elements) expected.push_back(CoordinateOf(element, sizes));
    EXPECT_EQ(Combinations(*sharding.RangesOf(shard.device)), expected);
    for (size_t k = 0; k < shard.elements.size(); ++k) {
      const Integers local = CoordinateOf(static_cast<int64_t>(k), shard.sizes);
      EXPECT_EQ(std::ranges::count(sharding.DevicesOf(expected[k]), shard.device), 1);
      EXPECT_EQ(sharding.LocalCoordinate(expected[k]), local);
      EXPECT_EQ(sharding.GlobalCoordinate(shard.device, local), expected[k]);
    }
    held += static_cast<int64_t>(shard.elements.size());
    if (sharding.sizes() == ShardSizes::kExact) {
      EXPECT_EQ(local_sizes, shard.sizes);
      continue;
    }
    // The other places of the device's array are padding.
    const int64_t places = std::accumulate(local_sizes.begin(), local_sizes.end(), int64_t{1}, std::multiplies<>());
    int64_t elements = 0;
    for (int64_t place = 0; place < places; ++place) {
      const auto found = sharding.GlobalCoordinate(shard.device, CoordinateOf(place, local_sizes));
      elements += found ? 1 : 0;
      if (found) {
        EXPECT_EQ(std::ranges::count(shard.elements, NumberOf(*found, sizes)), 1);
      }
    }
    EXPECT_EQ(elements, static_cast<int64_t>(shard.elements.size()));
  }
  const int64_t elements = std::accumulate(sizes.begin(), sizes.end(), int64_t{1}, std::multiplies<>());
  EXPECT_EQ(held, elements * sharding.replicas());
}

TEST(Sharding, DefinitionsAgreeOnEverySmallCut) {
  std::mt19937 random(1);
  int64_t shardings = 0;
  for (int64_t size = 0; size <= 13; ++size) {
    for (int64_t parts = 1; parts <= 5; ++parts) {
      for (int64_t blocks = 1; blocks <= 5; ++blocks) {
        for (const ShardSizes sizes : {ShardSizes::kPadded, ShardSizes::kExact}) {
          if (sizes == ShardSizes::kPadded && blocks > 1) continue;
          ExpectDefinitionsAgree(MakeRandomOrder({{size}, {{0, parts, blocks}}}, 1, sizes, random));
          ++shardings;
        }
      }
    }
  }
  std::printf("%jd shardings\n", intmax_t{shardings});
}

TEST(Sharding, DefinitionsAgreeOnPartsOfAnyLength) {
  std::mt19937 random(3);
  for (int64_t size = 0; size <= 9; ++size) {
    for (int64_t parts = 1; parts <= 4; ++parts) {
      for (int64_t length = std::max<int64_t>(1, (size + parts - 1) / parts); length <= 5; ++length) {
        const Sharding sharding =
            MakeRandomOrder({{size, 2}, {{0, parts, 1, length}, {1, 2, 1}}}, 2, ShardSizes::kPadded, random);
        ExpectDefinitionsAgree(sharding);
        EXPECT_EQ(sharding.LocalSizes(0), (Integers{length, 1}));
      }
    }
  }
}

TEST(Sharding, DefinitionsAgreeOnRandomSequencesOfCuts) {
  std::mt19937 random(2);
  const auto draw = [&](int64_t least, int64_t most) {
    return std::uniform_int_distribution<int64_t>(least, most)(random);
  };
  for (int k = 0; k < 2000; ++k) {
    ShardCuts<int64_t> cuts;
    const ShardSizes sizes = draw(0, 1) == 0 ? ShardSizes::kPadded : ShardSizes::kExact;
    const int64_t rank = draw(1, 3);
    const int64_t replicas = draw(1, 2);
    for (int64_t d = 0; d < rank; ++d) cuts.dimensions.push_back(draw(0, 9));
    for (int64_t count = draw(0, 3); count > 0; --count) {
      DimensionCut<int64_t>& cut = cuts.cuts.emplace_back();
      cut.dimension = draw(0, rank - 1);
      cut.parts = draw(1, 4);
      if (sizes == ShardSizes::kExact) cut.blocks = draw(1, 3);
    }
    ExpectDefinitionsAgree(MakeRandomOrder(std::move(cuts), replicas, sizes, random));
    if (testing::Test::HasFailure()) return;
  }
}

TEST(Sharding, KnownAnswers) {
  // torch.chunk of 10 into 4: 3, 3, 3, 1; of 5 into 4: 2, 2, 1, 0.
  const auto sizes_of = [](int64_t size, int64_t parts, int64_t blocks) {
    Integers sizes;
    for (int64_t part = 0; part < parts; ++part) sizes.push_back(SizeOfPart<int64_t>(size, {0, parts, blocks}, part));
    return sizes;
  };
  EXPECT_EQ(sizes_of(10, 4, 1), (Integers{3, 3, 3, 1}));
  EXPECT_EQ(sizes_of(5, 4, 1), (Integers{2, 2, 1, 0}));
  EXPECT_EQ(sizes_of(3, 5, 1), (Integers{1, 1, 1, 0, 0}));
  // Two blocks of 4 and 3: parts of 2 + 2 and 2 + 1.
  EXPECT_EQ(sizes_of(7, 2, 2), (Integers{4, 3}));
  // The example of FSDP and tensor parallelism in DTensor: rank (0, 1) has rows 4 and 5 of 8.
  const auto sharding = Sharding::Create({{8}, {{0, 2, 2}, {0, 2, 1}}}, 1, {0, 1, 2, 3}, ShardSizes::kExact);
  ASSERT_TRUE(sharding);
  EXPECT_EQ((*sharding->RangesOf(0))[0], (std::vector<IndexRange>{{0, 2}}));
  EXPECT_EQ((*sharding->RangesOf(1))[0], (std::vector<IndexRange>{{4, 6}}));
  EXPECT_EQ((*sharding->RangesOf(2))[0], (std::vector<IndexRange>{{2, 4}}));
  EXPECT_EQ((*sharding->RangesOf(3))[0], (std::vector<IndexRange>{{6, 8}}));
}

TEST(Sharding, LargeSizesNeedNoTable) {
  const int64_t size = Sharding::kMaxSize;
  const auto sharding = Sharding::Create({{size}, {{0, 3, 1}, {0, 2, 5}}}, 1, {5, 4, 3, 2, 1, 0}, ShardSizes::kExact);
  ASSERT_TRUE(sharding);
  for (const int64_t index : {int64_t{0}, size / 3, size / 3 + 1, size / 2, size - 1}) {
    const int64_t device = sharding->DevicesOf(Integers{index})[0];
    EXPECT_EQ(sharding->GlobalCoordinate(device, sharding->LocalCoordinate(Integers{index})), Integers{index});
  }
}

TEST(Sharding, WrongOnesAreRefused) {
  const auto refused = [](ShardCuts<int64_t> cuts, int64_t replicas, Integers devices) {
    const auto made = Sharding::Create(std::move(cuts), replicas, std::move(devices), ShardSizes::kPadded);
    return made ? "" : made.error().message;
  };
  EXPECT_EQ(refused({{-1}, {}}, 1, {0}), "expected sizes from 0 to 2^62, found -1");
  EXPECT_EQ(refused({{4}, {{1, 2, 1}}}, 1, {0, 1}), "dimension 1 is cut, and the array has 1 dimensions");
  EXPECT_EQ(refused({{4}, {{0, 0, 1}}}, 1, {}), "dimension 0 is cut into 0 parts of 1 blocks; expected at least 1");
  EXPECT_EQ(refused({{4}, {{0, 2, 1}}}, 2, {0, 1}),
            "expected one device per part and replica, 4 in all, found 2 devices");
  EXPECT_EQ(refused({{4}, {{0, 2, 1}}}, 1, {0, 0}), "device 0 occurs twice");
  EXPECT_EQ(refused({{4}, {{0, 2, 1}}}, 1, {0, -1}), "expected device numbers >= 0, found -1");
  EXPECT_EQ(refused({{4}, {{0, 2, 2}}}, 1, {0, 1}), "a padded sharding has no blocks");
  EXPECT_EQ(refused({{4}, {{0, 1, 65537}}}, 1, {0}), "expected at most 65536 blocks in all");
  EXPECT_EQ(refused({{5}, {{0, 2, 1, 2}}}, 1, {0, 1}), "dimension 0 has 5 elements, and 2 shards of 2 have room for 4");
  EXPECT_EQ(refused({{4}, {{0, 2, 1, Sharding::kMaxSize}}}, 1, {0, 1}),
            "expected at most 2^62 elements in the parts of dimension 0");
  const std::string_view lengths = "; expected at least 1, one cut without blocks, and arrays with padding";
  EXPECT_EQ(refused({{4}, {{0, 2, 1, 0}}}, 1, {0, 1}), StrCat("dimension 0 is cut into parts of 0 elements", lengths));
  EXPECT_EQ(refused({{4}, {{0, 2, 1, 4}, {0, 1, 1}}}, 1, {0, 1}),
            StrCat("dimension 0 is cut into parts of 4 elements", lengths));
  const auto sharding = Sharding::Create({{4}, {}}, 1, {3}, ShardSizes::kPadded);
  EXPECT_FALSE(sharding->LocalSizes(0));
  EXPECT_FALSE(sharding->RangesOf(0));
}

}  // namespace
}  // namespace layoutcheck
