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
#include "layoutcheck/core/tiling/sizes.h"
#include "layoutcheck/core/tiling/tiled_index.h"
#include "layoutcheck/core/xla_util/permutation.h"
#include "layoutcheck/core/xla_util/shape_edits.h"

namespace layoutcheck {
namespace {

using Numbers = std::vector<int64_t>;

constexpr int64_t kStar = Tile::kCombineDimension;

int64_t Product(const Numbers& sizes) {
  int64_t product = 1;
  for (const int64_t size : sizes) product *= size;
  return product;
}

// Properties of an array that a bitcast keeps: its bytes and the positions of its elements, listed in row-major order.
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
  EXPECT_FALSE(*ReshapeIsBitcast(*ParseShape("f32[2]"), *ParseShape("f32[3]")));
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
    // Visits every output whose sizes are a permutation of the input's, in every order.
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
        // Visits the same tiles in every order, and one other list of tiles.
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

}  // namespace
}  // namespace layoutcheck
