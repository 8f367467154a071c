// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/xla_util/bitcast.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <utility>

#include "layoutcheck/core/hlo/parser.h"
#include "layoutcheck/core/hlo/printer.h"
#include "layoutcheck/core/testing/small_scopes.h"
#include "layoutcheck/core/tiling/same_positions.h"
#include "layoutcheck/core/tiling/sizes.h"
#include "layoutcheck/core/tiling/tiled_index.h"
#include "layoutcheck/core/xla_util/permutation.h"
#include "layoutcheck/core/xla_util/shape_edits.h"

namespace layoutcheck {
namespace {

using Numbers = std::vector<int64_t>;

constexpr int64_t kStar = Tile::kCombineDimension;

Shape Parse(const char* text) { return *ParseShape(text); }

int64_t Product(const Numbers& sizes) {
  int64_t product = 1;
  for (const int64_t size : sizes) product *= size;
  return product;
}

// The properties of an array that a bitcast keeps: the positions of its elements, which are listed in row-major order,
// and its bytes.
struct Memory {
  Numbers positions;
  int64_t bytes = 0;

  bool operator==(const Memory&) const = default;
};

Memory MemoryOf(const Shape& shape) {
  Memory memory{{}, SizesOf(shape)->bytes};
  const TiledIndex index = *MakeTiledIndex(shape);
  for (int64_t n = 0; n < Product(shape.dimensions); ++n) {
    Numbers at(shape.dimensions.size());
    int64_t rest = n;
    for (size_t d = at.size(); d-- > 0;) {
      at[d] = rest % shape.dimensions[d];
      rest /= shape.dimensions[d];
    }
    memory.positions.push_back(index(at));
  }
  return memory;
}

// Returns the memory of transpose(shape, permutation) if no element moves: the positions in the transposed order.
Memory TransposedMemoryOf(const Shape& shape, const Numbers& permutation) {
  Memory memory{{}, SizesOf(shape)->bytes};
  const TiledIndex index = *MakeTiledIndex(shape);
  for (int64_t n = 0; n < Product(shape.dimensions); ++n) {
    Numbers at(shape.dimensions.size());
    int64_t rest = n;
    for (size_t i = at.size(); i-- > 0;) {
      const auto d = static_cast<size_t>(permutation[i]);
      at[d] = rest % shape.dimensions[d];
      rest /= shape.dimensions[d];
    }
    memory.positions.push_back(index(at));
  }
  return memory;
}

template <class Visitor>
void ForEachUntiled(size_t max_rank, const Numbers& sizes, const Visitor& visit) {
  for (size_t rank = 0; rank <= max_rank; ++rank) {
    for (const Numbers& order : AllPermutations(rank)) {
      ForEachTuple(rank, sizes, [&](const Numbers& dimensions) {
        visit(Shape::Array(ElementType::kF32, dimensions, Layout(order)));
      });
    }
  }
}

const std::vector<std::vector<Tile>>& TileLists() {
  static const auto* lists = new std::vector<std::vector<Tile>>{
      {},
      {{{2}}},
      {{{3}}},
      {{{4}}},
      {{{2, 2}}},
      {{{1, 4}}},
      {{{3, 2}}},
      {{{4, 1}}},
      {{{kStar, 2}}},
      {{{kStar, 4}}},
      {{{kStar, 3}}},
      {{{2, kStar, 3}}},
      {{{2, 1, 2}}},
      {{{2, 3}}, {{2, 1}}},
      {{{4, 2}}, {{2, 1}}},
      {{{4}}, {{3}}},
      {{{2, 2}}, {{kStar, 4}}},
      {{{2, 4}}, {{kStar, kStar, 3}}},
  };
  return *lists;
}

TEST(ReshapeIsBitcast, UntiledExhaustively) {
  std::map<int64_t, std::vector<std::pair<Shape, Memory>>> by_elements;
  ForEachUntiled(3, {0, 1, 2, 3, 4, 6}, [&](const Shape& shape) {
    const int64_t elements = Product(shape.dimensions);
    if (elements == 0 && shape.rank() == 3) return;  // there are thousands of these, all alike
    if (elements <= 12) by_elements[elements].emplace_back(shape, MemoryOf(shape));
  });
  int64_t pairs = 0;
  int64_t bitcasts = 0;
  for (const auto& [elements, shapes] : by_elements) {
    for (const auto& [input, input_memory] : shapes) {
      for (const auto& [output, output_memory] : shapes) {
        const auto answer = ReshapeIsBitcast(input, output);
        ASSERT_TRUE(answer.has_value());
        ASSERT_EQ(*answer, input_memory == output_memory) << ToString(input) << " -> " << ToString(output);
        ++pairs;
        bitcasts += *answer;
      }
    }
  }
  EXPECT_FALSE(*ReshapeIsBitcast(Parse("f32[2]"), Parse("f32[3]")));
  std::printf("%lld pairs, %lld bitcasts\n", static_cast<long long>(pairs), static_cast<long long>(bitcasts));
}

TEST(ReshapeIsBitcast, TiledPairsOfOneElementCount) {
  std::map<int64_t, std::vector<std::pair<Shape, Memory>>> by_elements;
  ForEachUntiled(3, {1, 2, 3, 4, 6, 8}, [&](const Shape& shape) {
    const int64_t elements = Product(shape.dimensions);
    if (elements != 1 && elements != 6 && elements != 8 && elements != 12) return;
    for (const std::vector<Tile>& tiles : TileLists()) {
      Shape tiled = shape;
      tiled.layout->tiles = tiles;
      by_elements[elements].emplace_back(tiled, MemoryOf(tiled));
    }
  });
  int64_t pairs = 0;
  int64_t bitcasts = 0;
  for (const auto& [elements, shapes] : by_elements) {
    // Checks all pairs with the same memory (a sample of them if there are many) and a fixed sample of all pairs.
    std::map<Numbers, std::vector<size_t>> same;
    for (size_t i = 0; i < shapes.size(); ++i) same[shapes[i].second.positions].push_back(i);
    const auto check = [&, &all = shapes](size_t i, size_t j) {
      const auto answer = ReshapeIsBitcast(all[i].first, all[j].first);
      ASSERT_TRUE(answer.has_value()) << answer.error().message;
      ASSERT_EQ(*answer, all[i].second == all[j].second) << ToString(all[i].first) << " -> " << ToString(all[j].first);
      ++pairs;
      bitcasts += *answer;
    };
    for (size_t i = 0; i < shapes.size(); ++i) {
      const std::vector<size_t>& group = same[shapes[i].second.positions];
      for (size_t k = i % 11; k < group.size(); k += 11) check(i, group[k]);
      for (size_t j = i % 23; j < shapes.size(); j += 23) check(i, j);
    }
  }
  EXPECT_GT(bitcasts, 10000);
  std::printf("%lld pairs, %lld bitcasts\n", static_cast<long long>(pairs), static_cast<long long>(bitcasts));
}

TEST(TransposeIsBitcast, UntiledExhaustivelyAndDeduced) {
  int64_t questions = 0;
  int64_t bitcasts = 0;
  int64_t deduced = 0;
  ForEachUntiled(3, {0, 1, 2, 3}, [&](const Shape& input) {
    // Goes through every output whose sizes are a permutation of the input's, in every order.
    Numbers sizes = input.dimensions;
    std::ranges::sort(sizes);
    do {
      for (const Numbers& order : AllPermutations(sizes.size())) {
        const Shape output = Shape::Array(ElementType::kF32, sizes, Layout(order));
        const Memory output_memory = MemoryOf(output);
        bool any = false;
        for (const Numbers& permutation : AllPermutations(sizes.size())) {
          const bool expected = *Permute(input.dimensions, permutation) == sizes &&
                                TransposedMemoryOf(input, permutation) == output_memory;
          const auto answer = TransposeIsBitcast(input, output, permutation);
          ASSERT_TRUE(answer.has_value());
          ASSERT_EQ(*answer, expected) << ToString(input) << " -> " << ToString(output)
                                       << testing::PrintToString(permutation);
          any = any || expected;
          bitcasts += expected;
          ++questions;
        }
        const auto found = DeduceTransposeDimensionsForBitcast(input, output);
        ASSERT_TRUE(found.has_value());
        ASSERT_EQ(found->has_value(), any) << ToString(input) << " -> " << ToString(output);
        if (any) {
          ASSERT_TRUE(*TransposeIsBitcast(input, output, **found));
          ++deduced;
        }
        ASSERT_EQ(*IsReshapeOrTransposeBitcast(input, output), any || *ReshapeIsBitcast(input, output));
      }
    } while (std::next_permutation(sizes.begin(), sizes.end()));
  });
  std::printf("%lld questions, %lld bitcasts, %lld pairs with a permutation\n", static_cast<long long>(questions),
              static_cast<long long>(bitcasts), static_cast<long long>(deduced));
}

TEST(TransposeIsBitcast, TiledAndDeduced) {
  int64_t questions = 0;
  int64_t bitcasts = 0;
  ForEachUntiled(3, {1, 2, 3, 5}, [&](const Shape& untiled) {
    if (untiled.rank() == 3 && std::ranges::find(untiled.dimensions, 5) != untiled.dimensions.end()) return;
    for (size_t list = 0; list < TileLists().size(); ++list) {
      // For rank 3, each array takes a third of the lists, so that every list is taken by some array.
      if (untiled.rank() == 3 && static_cast<int64_t>(list % 3) != untiled.dimensions[0] % 3) continue;
      const std::vector<Tile>& tiles = TileLists()[list];
      Shape input = untiled;
      input.layout->tiles = tiles;
      for (const Numbers& permutation : AllPermutations(untiled.dimensions.size())) {
        const Memory expected = TransposedMemoryOf(input, permutation);
        // Goes through the same tiles in every order, and one other list of tiles.
        for (const Numbers& order : AllPermutations(untiled.dimensions.size())) {
          for (const std::vector<Tile>& output_tiles : {tiles, TileLists()[(tiles.size() * 7 + order.size()) % 18]}) {
            const Shape output =
                Shape::Array(ElementType::kF32, *Permute(untiled.dimensions, permutation), Layout(order, output_tiles));
            const bool same = MemoryOf(output) == expected;
            const auto answer = TransposeIsBitcast(input, output, permutation);
            ASSERT_TRUE(answer.has_value()) << answer.error().message;
            ASSERT_EQ(*answer, same) << ToString(input) << " -> " << ToString(output)
                                     << testing::PrintToString(permutation);
            ++questions;
            bitcasts += same;
            const auto found = DeduceTransposeDimensionsForBitcast(input, output);
            ASSERT_TRUE(found.has_value());
            if (same) {
              ASSERT_TRUE(found->has_value()) << ToString(input) << " -> " << ToString(output);
            }
            if (*found) {
              ASSERT_EQ(TransposedMemoryOf(input, **found), MemoryOf(output));
            }
          }
        }
      }
    }
  });
  EXPECT_GT(bitcasts, 10000);
  std::printf("%lld questions, %lld bitcasts\n", static_cast<long long>(questions), static_cast<long long>(bitcasts));
}

TEST(TransposeIsBitcast, PermuteDimensionsMakesOne) {
  int64_t transposes = 0;
  ForEachUntiled(4, {1, 3}, [&](const Shape& untiled) {
    for (const auto& tiles :
         {std::vector<Tile>{}, std::vector<Tile>{{{kStar, 2}}}, std::vector<Tile>{{{2, 2}}, {{2, 1}}}}) {
      Shape shape = untiled;
      shape.layout->tiles = tiles;
      for (const Numbers& permutation : AllPermutations(shape.dimensions.size())) {
        ASSERT_TRUE(*TransposeIsBitcast(shape, *PermuteDimensions(permutation, shape), permutation))
            << ToString(shape) << testing::PrintToString(permutation);
        ++transposes;
      }
      const Shape descending = *MakeShapeWithDescendingLayoutAndSamePhysicalLayout(shape);
      const Numbers major_to_minor(shape.layout->minor_to_major.rbegin(), shape.layout->minor_to_major.rend());
      ASSERT_TRUE(*TransposeIsBitcast(shape, descending, major_to_minor));
    }
  });
  std::printf("%lld transposes\n", static_cast<long long>(transposes));
}

// Checks with tables that the steps together leave memory as it is.
void ExpectDecomposes(const Shape& input, const Shape& output, const BitcastDecomposition& decomposition) {
  if (std::holds_alternative<BitcastReshape>(decomposition)) {
    EXPECT_EQ(MemoryOf(input), MemoryOf(output));
  } else if (const auto* transpose = std::get_if<BitcastTranspose>(&decomposition)) {
    ASSERT_EQ(*Permute(input.dimensions, transpose->permutation), output.dimensions);
    EXPECT_EQ(TransposedMemoryOf(input, transpose->permutation), MemoryOf(output));
  } else {
    const auto& trt = std::get<BitcastTransposeReshapeTranspose>(decomposition);
    ASSERT_EQ(*Permute(input.dimensions, trt.transpose1), trt.transpose1_shape.dimensions);
    EXPECT_EQ(TransposedMemoryOf(input, trt.transpose1), MemoryOf(trt.transpose1_shape));
    EXPECT_EQ(MemoryOf(trt.transpose1_shape), MemoryOf(trt.reshape_shape));
    ASSERT_EQ(*Permute(trt.reshape_shape.dimensions, trt.transpose2), output.dimensions);
    EXPECT_EQ(TransposedMemoryOf(trt.reshape_shape, trt.transpose2), MemoryOf(output));
    EXPECT_EQ(trt.IsTranspose1Identity(), std::ranges::is_sorted(trt.transpose1));
    EXPECT_EQ(trt.IsTranspose2Identity(), std::ranges::is_sorted(trt.transpose2));
  }
}

TEST(DecomposeBitcast, EveryUntiledPairOfOneElementCount) {
  std::map<int64_t, std::vector<Shape>> by_elements;
  ForEachUntiled(3, {0, 1, 2, 3, 4, 6}, [&](const Shape& shape) {
    const int64_t elements = Product(shape.dimensions);
    if (elements == 0 ? shape.rank() < 3 : elements == 1 || elements == 6 || elements == 12) {
      by_elements[elements].push_back(shape);
    }
  });
  int64_t counts[3] = {};
  for (const auto& [elements, shapes] : by_elements) {
    for (const Shape& input : shapes) {
      for (const Shape& output : shapes) {
        const auto decomposition = DecomposeBitcast(input, output);
        ASSERT_TRUE(decomposition.has_value() && decomposition->has_value());
        ExpectDecomposes(input, output, **decomposition);
        ++counts[(*decomposition)->index()];
      }
    }
  }
  std::printf("%lld reshapes, %lld transposes, %lld transpose-reshape-transposes\n", static_cast<long long>(counts[0]),
              static_cast<long long>(counts[1]), static_cast<long long>(counts[2]));
}

TEST(DecomposeBitcast, TiledPairs) {
  std::vector<Shape> shapes;
  ForEachUntiled(3, {1, 2, 3, 4, 6}, [&](const Shape& shape) {
    if (Product(shape.dimensions) != 12) return;
    for (const std::vector<Tile>& tiles : TileLists()) {
      shapes.push_back(shape);
      shapes.back().layout->tiles = tiles;
    }
  });
  int64_t found = 0;
  int64_t none = 0;
  for (size_t i = 0; i < shapes.size(); ++i) {
    for (size_t j = i % 61; j < shapes.size(); j += 61) {
      const auto decomposition = DecomposeBitcast(shapes[i], shapes[j]);
      ASSERT_TRUE(decomposition.has_value()) << decomposition.error().message;
      if (*decomposition) {
        ExpectDecomposes(shapes[i], shapes[j], **decomposition);
        ++found;
      } else {
        ++none;
      }
    }
  }
  EXPECT_GT(found, 1000);
  std::printf("%lld decompositions, %lld pairs without one\n", static_cast<long long>(found),
              static_cast<long long>(none));
}

TEST(DecomposeBitcast, KnownAnswers) {
  using Some = std::optional<BitcastDecomposition>;
  const auto decompose = [](const char* input, const char* output) {
    return *DecomposeBitcast(Parse(input), Parse(output));
  };
  EXPECT_EQ(decompose("f32[17,3,1,16]{1,0,3,2}", "f32[51,16]{0,1}"), Some(BitcastReshape{}));
  EXPECT_EQ(decompose("f32[5,3]{1,0}", "f32[3,5]{0,1}"), Some(BitcastTranspose{{1, 0}}));
  EXPECT_EQ(decompose("f32[16,17,3]{2,1,0}", "f32[51,16]{0,1}"),
            Some(BitcastTransposeReshapeTranspose{
                {0, 1, 2}, Parse("f32[16,17,3]{2,1,0}"), Parse("f32[16,51]{1,0}"), {1, 0}}));
  EXPECT_EQ(decompose("f32[16,17,3,7]{3,2,1,0}", "f32[7,16,51]{0,2,1}"),
            Some(BitcastTransposeReshapeTranspose{
                {0, 1, 2, 3}, Parse("f32[16,17,3,7]{3,2,1,0}"), Parse("f32[16,51,7]{2,1,0}"), {2, 0, 1}}));
  EXPECT_EQ(decompose("f32[16,3,17]{1,2,0}", "f32[51,16]{1,0}"),
            Some(BitcastTransposeReshapeTranspose{
                {0, 2, 1}, Parse("f32[16,17,3]{2,1,0}"), Parse("f32[51,16]{1,0}"), {0, 1}}));
  EXPECT_EQ(decompose("s4[3,2]{1,0}", "s8[3]{0}"), std::nullopt);
  EXPECT_EQ(decompose("f32[8]", "f16[8]"), std::nullopt);
  EXPECT_EQ(decompose("f32[8]", "s32[2,4]"), Some(BitcastReshape{}));
  EXPECT_EQ(decompose("f32[16,256]{1,0:T(8,128)}", "f32[4096]"), std::nullopt);
  EXPECT_EQ(*DecomposeBitcast(Shape::Array(ElementType::kF32, {2}), Parse("f32[2]")), std::nullopt);
  EXPECT_FALSE(DecomposeBitcast(Parse("token[]"), Parse("f32[]")).has_value());
}

TEST(AlignLayouts, FindsAnOrderExactlyIfThereIsOne) {
  int64_t pairs = 0;
  int64_t aligned = 0;
  ForEachUntiled(3, {0, 1, 2, 3, 4, 6}, [&](const Shape& input) {
    const int64_t elements = Product(input.dimensions);
    if (elements > 12 || elements == 1) return;
    for (size_t rank = 0; rank <= 3; ++rank) {
      ForEachTuple(rank, {0, 1, 2, 3, 4, 6}, [&](const Numbers& dimensions) {
        if (Product(dimensions) != elements) return;
        Shape output = Shape::Array(ElementType::kF32, dimensions);
        const auto result = AlignLayouts(input, output);
        ASSERT_TRUE(result.has_value()) << result.error().message;
        bool any = false;
        const Memory memory = MemoryOf(input);
        for (const Numbers& order : AllPermutations(rank)) {
          output.layout = Layout(order);
          any = any || MemoryOf(output) == memory;
        }
        ASSERT_EQ(result->has_value(), any) << ToString(input) << " -> " << testing::PrintToString(dimensions);
        if (any) {
          EXPECT_EQ(MemoryOf(**result), memory);
        }
        ++pairs;
        aligned += any;
      });
    }
  });
  std::printf("%lld pairs, %lld aligned\n", static_cast<long long>(pairs), static_cast<long long>(aligned));
}

TEST(AlignLayouts, KnownAnswers) {
  const auto align = [](const char* input, const char* output) {
    const auto aligned = *AlignLayouts(Parse(input), Parse(output));
    return aligned ? ToString(*aligned) : "none";
  };
  EXPECT_EQ(align("f32[3,8,5,7,11]{3,2,1,0,4}", "f32[4,3,2,7,5,11]"), "f32[4,3,2,7,5,11]{4,3,2,1,0,5}");
  EXPECT_EQ(align("f32[3,8,5,7,11]{3,2,1,0,4}", "f32[4,3,2,5,77]"), "none");
  const Shape ones = Parse("f32[1,3,8,1,5,7,1,11,1,1]{5,0,4,2,1,3,6,7,9,8}");
  const auto aligned = *AlignLayouts(ones, Parse("f32[1,4,1,3,2,7,5,11,1]"));
  ASSERT_TRUE(aligned.has_value());
  EXPECT_EQ(ToString(*aligned), "f32[1,4,1,3,2,7,5,11,1]{6,5,4,3,1,7,8,2,0}");
  EXPECT_TRUE(*ReshapeIsBitcast(ones, *aligned));
  // Tiles stay if the reshape does not disturb them.
  EXPECT_EQ(align("f32[6,8,128]{2,1,0:T(8,128)}", "f32[2,3,8,128]"), "f32[2,3,8,128]{3,2,1,0:T(8,128)}");
  EXPECT_EQ(align("f32[2,7,128]{2,1,0:T(8,128)}", "f32[14,128]"), "none");
  EXPECT_FALSE(AlignLayouts(Parse("f32[2]"), Parse("f32[3]")).has_value());
}

TEST(Bitcast, KnownAnswers) {
  const auto reshape = [](const char* input, const char* output, ElementTypes types = ElementTypes::kSame) {
    return *ReshapeIsBitcast(Parse(input), Parse(output), types);
  };
  EXPECT_FALSE(reshape("f32[3,4]{0,1}", "f32[6,2]{0,1}"));
  EXPECT_FALSE(reshape("f32[3,2,2]{0,1,2}", "f32[6,2]{0,1}"));
  EXPECT_TRUE(reshape("f32[3,2,2]{1,0,2}", "f32[6,2]{0,1}"));
  EXPECT_FALSE(reshape("f32[3,2,2]{1,0,2}", "f16[6,2]{0,1}"));
  EXPECT_TRUE(reshape("f32[3,2,2]{1,0,2}", "f16[6,2]{0,1}", ElementTypes::kIgnored));
  // Tiles, E, L, S and M count.
  EXPECT_FALSE(reshape("f32[8]{0:T(4)}", "f32[2,4]{1,0:T(2,2)}"));
  EXPECT_TRUE(reshape("f32[8]{0:T(4)}", "f32[2,4]{1,0:T(2,4)}"));
  EXPECT_FALSE(reshape("f32[3]{0:T(4)}", "f32[3]{0}"));
  EXPECT_FALSE(reshape("s4[8]{0:E(4)}", "s4[8]{0}"));
  EXPECT_FALSE(reshape("f32[6]{0:L(8)}", "f32[2,3]{1,0}"));
  EXPECT_FALSE(reshape("f32[6]{0:L(8)}", "f32[2,3]{1,0:T(2,4)}"));
  EXPECT_TRUE(reshape("f32[6]{0:L(8)}", "f32[2,3]{1,0:L(4)}"));
  EXPECT_FALSE(reshape("f32[6]{0:S(1)}", "f32[2,3]{1,0}"));
  EXPECT_FALSE(reshape("f32[<=6]{0:M(8)}", "f32[2,3]{1,0}"));
  EXPECT_TRUE(reshape("f32[<=6]", "f32[2,3]{1,0}"));
  // These arrays are far too large to enumerate.
  EXPECT_TRUE(reshape("bf16[8,1,1280,16384]{3,2,0,1:T(8,128)(2,1)}", "bf16[10240,16384]{1,0:T(8,128)(2,1)}"));
  EXPECT_FALSE(reshape("bf16[8,1,1281,16384]{3,2,0,1:T(8,128)(2,1)}", "bf16[10248,16384]{1,0:T(8,128)(2,1)}"));
  EXPECT_TRUE(reshape("f32[1009,10007]{1,0:T(*,128)}", "f32[10097063]{0:T(128)}"));
  EXPECT_TRUE(reshape("f32[1009,10007]{0,1:T(*,128)}", "f32[1009,1,10007]{0,2,1:T(*,128)}"));
  EXPECT_FALSE(reshape("f32[1009,10007]{1,0:T(8,128)}", "f32[1009,10007]{0,1:T(8,128)}"));
  EXPECT_EQ(*DeduceTransposeDimensionsForBitcast(Parse("f32[5,3]{1,0}"), Parse("f32[3,5]{0,1}")), (Numbers{1, 0}));
  EXPECT_EQ(*DeduceTransposeDimensionsForBitcast(Parse("f32[5,3]{1,0}"), Parse("f32[3,5]{1,0}")), std::nullopt);
  EXPECT_EQ(*DeduceTransposeDimensionsForBitcast(Parse("f32[5,3]"), Parse("f32[15]")), std::nullopt);
  EXPECT_TRUE(*IsReshapeOrTransposeBitcast(Parse("f32[10,5]{1,0}"), Parse("f32[5,10]{0,1}")));
  // This permutation is not its own inverse: output dimension 0 is input dimension 1.
  EXPECT_TRUE(*IsReshapeOrTransposeBitcast(Parse("f32[2,3,5]{2,1,0}"), Parse("f32[3,5,2]{1,0,2}")));
  EXPECT_TRUE(*TransposeIsBitcast(Parse("f32[2,3,5]{2,1,0}"), Parse("f32[3,5,2]{1,0,2}"), Numbers{1, 2, 0}));
  EXPECT_FALSE(*TransposeIsBitcast(Parse("f32[2,3,5]{2,1,0}"), Parse("f32[3,5,2]{1,0,2}"), Numbers{2, 0, 1}));
}

TEST(Bitcast, BadInputIsAnError) {
  const Shape array = Parse("f32[2,3]");
  EXPECT_FALSE(ReshapeIsBitcast(array, Parse("(f32[6])")).has_value());
  EXPECT_FALSE(ReshapeIsBitcast(array, Shape::Array(ElementType::kF32, {6})).has_value());
  EXPECT_EQ(ReshapeIsBitcast(array, Parse("f32[?]")).error().kind, ErrorKind::kUnsupported);
  EXPECT_EQ(ReshapeIsBitcast(array, Shape::Array(ElementType::kF32, {6}, Layout({1}))).error().kind,
            ErrorKind::kInvalidLayout);
  EXPECT_FALSE(TransposeIsBitcast(array, array, Numbers{0, 0}).has_value());
  EXPECT_FALSE(TransposeIsBitcast(array, array, Numbers{0}).has_value());
  const Shape split = Parse("f32[6]{0:SC(0:2)}");
  EXPECT_TRUE(*ReshapeIsBitcast(split, split));
  EXPECT_EQ(ReshapeIsBitcast(split, Parse("f32[6,1]{1,0:SC(0:2)}")).error().kind, ErrorKind::kUnsupported);
  EXPECT_EQ(AlignLayouts(split, Parse("f32[6,1]")).error().kind, ErrorKind::kUnsupported);
}

TEST(SamePositions, ComparesPositionsThatAreNoSumOfDigits) {
  // The second tile combines numbers of tiles with places in a tile, and the third one cuts the result.
  const auto layout = [](const char* text) { return *TiledLayoutOf(Parse(text)); };
  std::vector<DimensionGroup> groups;
  for (int64_t d = 0; d < 4; ++d) groups.push_back({{d}, {d}});
  const TiledLayout small = layout("f32[3,5,3,5]{3,2,1,0:T(2,2)(*,*,2,2)(*,*,3)}");
  EXPECT_TRUE(*SamePositions(small, small, groups));
  EXPECT_FALSE(*SamePositions(small, layout("f32[3,5,3,5]{3,2,1,0:T(2,2)(*,*,2,2)(*,*,4)}"), groups));
  const TiledLayout large = layout("f32[3003,5,3005,5]{3,2,1,0:T(2,2)(*,*,2,2)(*,*,3)}");
  EXPECT_EQ(SamePositions(large, large, groups).error().kind, ErrorKind::kUnsupported);
  EXPECT_FALSE(*SamePositions(large, layout("f32[3003,5,3005,5]{3,2,1,0:T(2,2)(*,*,2,2)(*,*,4)}"), groups));
}

}  // namespace
}  // namespace layoutcheck
