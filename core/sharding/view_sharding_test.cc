// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/sharding/view_sharding.h"
#include <gtest/gtest.h>
#include <algorithm>
#include <numeric>
#include <optional>
#include <random>
#include <string>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/sharding/shard_arrays.h"
#include "layoutcheck/core/sharding/sharded_array.h"

namespace layoutcheck {
namespace {

using Integers = std::vector<int64_t>;
using Cut = DimensionCut<int64_t>;

Sharding ShardingFrom(const std::string& text) {
  auto parsed = ParseSharded(text, 4);
  EXPECT_TRUE(parsed) << text << ": " << parsed.error().ToString();
  return parsed->array.sharding();
}

// Returns "dimension:parts" or "dimension:parts/blocks" per cut, or the error.
std::string CutsText(const Expected<Sharding>& sharding) {
  if (!sharding) return sharding.error().message;
  std::string text;
  for (const Cut& cut : sharding->cuts().cuts) {
    StrAppend(text, text.empty() ? "" : " ", cut.dimension, ":", cut.parts, cut.blocks == 1 ? "" : "/",
              cut.blocks == 1 ? "" : StrCat(cut.blocks));
  }
  return text;
}

std::string ViewOf(const std::string& text, const Integers& sizes) {
  return CutsText(ShardingOfView(ShardingFrom(text), sizes));
}

TEST(ViewSharding, KnownAnswers) {
  EXPECT_EQ(ViewOf("f32[8,4] mesh[2] S(0)", {32}), "0:2");
  EXPECT_EQ(ViewOf("f32[32] mesh[2] S(0)", {8, 4}), "0:2");
  EXPECT_EQ(ViewOf("f32[8,4] mesh[2] S(1)", {32}), "0:2/8");
  EXPECT_EQ(ViewOf("f32[32] mesh[2] _S(0,8)", {8, 4}), "1:2");
  // The last dimension may be uneven, and so may one that keeps its size.
  EXPECT_EQ(ViewOf("f32[3,5] mesh[2] S(1)", {15}), "0:2/3");
  EXPECT_EQ(ViewOf("f32[5,4] mesh[2] S(0)", {5, 2, 2}), "0:2");
  // Parts of one dimension become those of two.
  EXPECT_EQ(ViewOf("f32[6] sharding={devices=[6]<=[6]}", {2, 3}), "0:2 1:3");
  EXPECT_EQ(ViewOf("f32[2,3] mesh[2,3] S(0),S(1)", {6}), "0:2 0:3");
  // A part is whole rows, although parts and rows are uneven.
  EXPECT_EQ(ViewOf("f32[9] sharding={devices=[4]<=[4]}", {3, 3}), "0:4");
  EXPECT_EQ(ViewOf("f32[0,4] mesh[2] S(1)", {2, 0}), "0:2");
}

TEST(ViewSharding, ErrorsNameTheCut) {
  EXPECT_EQ(ViewOf("f32[8,4] mesh[2] S(0)", {31}), "expected a view of 32 elements, found 31");
  EXPECT_EQ(ViewOf("f32[5,4] mesh[2] S(0)", {20}),
            "dimension 0 is cut into 2 parts of 12 consecutive elements, the last one shorter, and no dimension of the "
            "view can be");
  EXPECT_EQ(ViewOf("f32[6] mesh[2] S(0)", {3, 2}),
            "dimension 0 is cut into 2 parts of 3 consecutive elements, and no dimension of the view can be");
  EXPECT_EQ(ViewOf("f32[9,2] mesh[2,2] S(0),S(0)", {18}),
            "dimension 0 is cut into 2 parts of 10 consecutive elements, the last one shorter, and no dimension of the "
            "view can be");
  // A sharding of JAX has no blocks.
  EXPECT_EQ(ViewOf("f32[8,4] mesh[x=2] P(None, 'x')", {32}),
            "dimension 1 is cut into 2 parts of 2 consecutive elements, and no dimension of the view can be");
}

TEST(ViewSharding, TextsAreReadBack) {
  const auto text_of = [](const std::string& array, const Integers& sizes) {
    const auto sharded = *ParseSharded(array, 4);
    const auto text = TextOfView(sharded.sharding, sharded.array.sharding(), sizes);
    return text ? *text : text.error().message;
  };
  EXPECT_EQ(text_of("f32[8,4] mesh[dp=2,tp=2] R,S(1)", {32}), "mesh[dp=2,tp=2] R,_StridedShard(0,sf=8)");
  EXPECT_EQ(text_of("f32[8,4] mesh[x=2,y=2] P('y',None)", {2, 4, 4}),
            "sharding={devices=[2,1,1,2]<=[2,2]T(1,0) last_tile_dim_replicate}");
  EXPECT_EQ(text_of("f32[6] mesh[6] S(0)", {2, 3}), "an axis of the mesh would cut two dimensions of the view");
}

TEST(ViewSharding, TransposesMoveNoElement) {
  const Sharding array = ShardingFrom("f32[5,4,3] mesh[2,2] S(0),_S(2,3)");
  EXPECT_EQ(CutsText(ShardingOfTranspose(array, Integers{2, 0, 1})), "1:2 0:2/3");
  const Sharding transposed = *ShardingOfTranspose(array, Integers{2, 0, 1});
  for (int64_t i = 0; i < 60; ++i) {
    const Integers coordinate{i / 12, i / 3 % 4, i % 3};
    EXPECT_EQ(array.DevicesOf(coordinate), transposed.DevicesOf(Integers{i % 3, i / 12, i / 3 % 4}));
  }
  EXPECT_FALSE(ShardingOfTranspose(array, Integers{0, 0, 1}));
}

// Returns the sharding over the devices 0, 1, ...
Expected<Sharding> InOrder(ShardCuts<int64_t> cuts, ShardSizes sizes) {
  int64_t parts = 1;
  for (const Cut& cut : cuts.cuts) parts *= cut.parts;
  Integers devices(static_cast<size_t>(parts));
  std::iota(devices.begin(), devices.end(), 0);
  return Sharding::Create(std::move(cuts), 1, std::move(devices), sizes);
}

// Returns the sharding over the devices 0, 1, ... with the first `count` cuts.
Sharding FirstCuts(const Sharding& sharding, size_t count) {
  ShardCuts<int64_t> cuts = sharding.cuts();
  cuts.cuts.resize(count);
  return *InOrder(std::move(cuts), sharding.sizes());
}

// Finds a free view by trying all cuts, and comparing the elements of all devices after each.
class ViewSearch {
 public:
  ViewSearch(const Sharding& array, Integers sizes) : array_(array), cuts_{std::move(sizes), {}} {}

  bool Find() {
    if (!FindFrom(0, 1)) return false;
    return *AreSameMemories(FirstCuts(array_, array_.cuts().cuts.size()), *View());
  }

 private:
  Expected<Sharding> View() const { return InOrder(cuts_, array_.sizes()); }

  // Finds the cuts of the view for the cuts of the array from number k on, if those before have the first
  // `parts_done` parts of cut k.
  bool FindFrom(size_t k, int64_t parts_done) {
    if (k == array_.cuts().cuts.size()) return true;
    const int64_t left = array_.cuts().cuts[k].parts / parts_done;
    if (left == 1) return FindFrom(k + 1, 1);
    for (int64_t parts = 2; parts <= left; ++parts) {
      if (left % parts != 0) continue;
      for (size_t d = 0; d < cuts_.dimensions.size(); ++d) {
        for (int64_t blocks = 1; blocks <= (array_.sizes() == ShardSizes::kPadded ? 1 : cuts_.dimensions[d]);
             ++blocks) {
          cuts_.cuts.push_back({static_cast<int64_t>(d), parts, blocks});
          if (AgreesUpTo(k, left / parts) && FindFrom(k, parts_done * parts)) return true;
          cuts_.cuts.pop_back();
        }
      }
    }
    return false;
  }

  // Compares the elements of the view's parts with those of the array after cut k, whose parts are joined in groups.
  bool AgreesUpTo(size_t k, int64_t group) {
    const auto of_array = *CutArray(FirstCuts(array_, k + 1));
    const auto view = View();
    if (!view) return false;  // too many blocks
    const auto of_view = *CutArray(*view);
    for (const ShardElements& part : of_view) {
      Integers joined;
      for (int64_t member = 0; member < group; ++member) {
        const auto& elements = of_array[static_cast<size_t>(part.device * group + member)].elements;
        joined.insert(joined.end(), elements.begin(), elements.end());
      }
      std::ranges::sort(joined);
      if (joined != part.elements) return false;
    }
    return true;
  }

  const Sharding& array_;
  ShardCuts<int64_t> cuts_;
};

// Returns true if a cut cuts parts of different sizes, has more parts than a block has elements, or a last block that
// is shorter.
bool IsIrregular(const Sharding& sharding) {
  const auto count = std::ssize(sharding.devices_by_part());
  Integers first_sizes;  // that each cut cuts of the first part
  for (int64_t part = 0; part < count; ++part) {
    Integers sizes = sharding.cuts().dimensions;
    int64_t behind = count;
    for (size_t k = 0; k < sharding.cuts().cuts.size(); ++k) {
      const Cut& cut = sharding.cuts().cuts[k];
      int64_t& size = sizes[static_cast<size_t>(cut.dimension)];
      if (part == 0) first_sizes.push_back(size);
      const int64_t block = CeilDiv(size, cut.blocks);
      if (size != first_sizes[k] || block < cut.parts || size % block != 0) return true;
      behind /= cut.parts;
      size = SizeOfPart(size, cut, part / behind % cut.parts);
    }
  }
  return false;
}

TEST(ViewSharding, FormulaAndSearchAgree) {
  std::mt19937 random(7);
  const auto draw = [&](int64_t least, int64_t most) {
    return std::uniform_int_distribution<int64_t>(least, most)(random);
  };
  const auto draw_sizes = [&](int64_t elements) {
    Integers sizes;
    for (int64_t d = draw(0, 2); d > 0; --d) {
      int64_t size = draw(1, elements);
      while (elements % size != 0) --size;
      sizes.push_back(size);
      elements /= size;
    }
    sizes.push_back(elements);
    return sizes;
  };
  int found = 0;
  int lost = 0;
  for (int k = 0; k < 1500; ++k) {
    const int64_t elements = draw(1, 16);
    const Integers before = draw_sizes(elements);
    const Integers after = draw_sizes(elements);
    const ShardSizes kind = draw(0, 2) == 0 ? ShardSizes::kPadded : ShardSizes::kExact;
    ShardCuts<int64_t> cuts{before, {}};
    for (int64_t count = draw(1, 3); count > 0; --count) {
      const int64_t dimension = draw(0, std::ssize(before) - 1);
      const int64_t parts = draw(1, 4);
      cuts.cuts.push_back({dimension, parts, kind == ShardSizes::kPadded ? 1 : draw(1, 4)});
    }
    std::string text = StrCat("[", StrJoin(before, ","), "] to [", StrJoin(after, ","), "]:");
    for (const Cut& cut : cuts.cuts) {
      StrAppend(text, " ", cut.dimension, ":", cut.parts, "/", cut.blocks);
    }
    const Sharding array = *InOrder(std::move(cuts), kind);
    const auto view = ShardingOfView(array, after);
    const bool is_free = ViewSearch(array, after).Find();
    if (view) {
      EXPECT_TRUE(*AreSameMemories(array, *view)) << text << " is not " << CutsText(view);
      EXPECT_TRUE(is_free) << text;
      ++found;
    } else if (is_free) {
      EXPECT_TRUE(IsIrregular(array)) << text << ": " << view.error().message;
      ++lost;
    }
  }
  EXPECT_GT(found, 1000);
  EXPECT_LT(lost, 100);
}

TEST(ViewSharding, TextsAreThoseOfShardingsThatExist) {
  const auto array = ParseSharded("f32[6,1,7] mesh[2,2,2] S(1),S(1),S(1)");
  ASSERT_TRUE(array);
  const auto view = TextOfView(array->sharding, array->array.sharding(), Integers{42});
  ASSERT_FALSE(view) << *view;
  EXPECT_EQ(view.error().message, "expected at most 65536 blocks in all");
}

}  // namespace
}  // namespace layoutcheck
