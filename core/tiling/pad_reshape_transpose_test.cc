// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/tiling/pad_reshape_transpose.h"
#include <gtest/gtest.h>
#include <algorithm>
#include <array>
#include <cstdio>
#include <fstream>
#include <numeric>
#include <random>
#include <string>
#include "layoutcheck/core/hlo/parser.h"
#include "layoutcheck/core/testing/tiled_layouts.h"
#include "layoutcheck/json/json.h"

namespace layoutcheck {
namespace {

constexpr int32_t kPad = -1;

int64_t Elements(const TiledLayout& layout) {
  return std::accumulate(layout.dimensions.begin(), layout.dimensions.end(), int64_t{1}, std::multiplies<>());
}

// Returns the memory of the array whose elements are 0, 1, 2, ... in logical order.
std::vector<int32_t> Memory(const TiledLayout& layout) {
  std::vector<int32_t> elements(static_cast<size_t>(Elements(layout)));
  std::iota(elements.begin(), elements.end(), 0);
  return PadReshapeTranspose<int32_t>(layout, elements, kPad).value();
}

std::vector<int64_t> LogicalIndex(const TiledLayout& layout, int64_t element) {
  std::vector<int64_t> index(layout.dimensions.size());
  for (size_t d = index.size(); d > 0; --d) {
    index[d - 1] = element % layout.dimensions[d - 1];
    element /= layout.dimensions[d - 1];
  }
  return index;
}

struct Placement {
  TiledLayout layout;
  std::vector<int64_t> index;
  int64_t offset;
  int64_t padded_elements;
};

// Known placements from the documents and tests of XLA.
std::vector<Placement> KnownPlacements() {
  const TiledLayout bf16 = MakeTiled({2048}, {0}, {{1024}, {128}, {2, 1}});
  return {
      {MakeTiled({3, 5}, {1, 0}, {{2, 2}}), {2, 3}, 17, 24},
      {bf16, {0}, 0, 2048},
      {bf16, {128}, 1, 2048},
      {bf16, {1}, 2, 2048},
      {MakeTiled({8}, {0}, {{2, 2}}), {5}, 9, 16},
      {MakeTiled({2, 3, 1004}, {2, 1, 0}, {{2, kStar, 128}}), {1, 2, 1003}, 6083, 6144},
      {MakeTiled({2, 7, 8, 11, 10}, {4, 3, 2, 1, 0}, {{kStar, kStar, 2, kStar, 3}}), {0, 0, 0, 0, 0}, 0, 12432},
      {MakeTiled({}, {}, {}), {}, 0, 1},
      {MakeTiled({}, {}, {{128}}), {}, 0, 128},
      {MakeTiled({}, {}, {{8, 128}}), {}, 0, 1024},
      {MakeTiled({2, 3}, {0, 1}, {}), {1, 2}, 5, 6},
      {MakeTiled({8, 8}, {1, 0}, {{2, 2}, {2, 2, 2, 2, 2}}), {0, 0}, 0, 128},
  };
}

TEST(PadReshapeTranspose, KnownPlacements) {
  for (const Placement& known : KnownPlacements()) {
    int64_t element = 0;
    for (size_t d = 0; d < known.index.size(); ++d) element = element * known.layout.dimensions[d] + known.index[d];
    const std::vector<int32_t> memory = Memory(known.layout);
    EXPECT_EQ(memory.size(), known.padded_elements);
    EXPECT_EQ(memory[static_cast<size_t>(known.offset)], element);
    EXPECT_EQ(PadReshapeTransposeIndex<int64_t>(known.layout, known.index), known.offset);
  }
}

TEST(PadReshapeTranspose, FourByEightInTilesOfTwoByFourThenTwoByOne) {
  const std::vector<int32_t> memory = Memory(MakeTiled({4, 8}, {1, 0}, {{2, 4}, {2, 1}}));
  std::vector<int32_t> offset_of(32);
  for (size_t cell = 0; cell < memory.size(); ++cell) {
    offset_of[static_cast<size_t>(memory[cell])] = static_cast<int32_t>(cell);
  }
  std::vector<int32_t> expected;
  for (const int32_t row_start : {0, 1, 16, 17}) {
    for (int32_t column = 0; column < 8; ++column) expected.push_back(row_start + 2 * column);
  }
  EXPECT_EQ(offset_of, expected);
}

TEST(PadReshapeTranspose, CombinedDimensionsAreOneDimension) {
  const TiledLayout combined = MakeTiled({2, 7, 8, 11, 10}, {4, 3, 2, 1, 0}, {{kStar, kStar, 2, kStar, 3}});
  EXPECT_EQ(Memory(combined), Memory(MakeTiled({112, 110}, {1, 0}, {{2, 3}})));
  EXPECT_EQ(MakePadReshapeTransposeSteps(combined)->memory_sizes, (std::vector<int64_t>{56, 37, 2, 3}));
  EXPECT_EQ(MakePadReshapeTransposeSteps(MakeTiled({2, 3, 1004}, {2, 1, 0}, {{2, kStar, 128}}))->memory_sizes,
            (std::vector<int64_t>{1, 24, 2, 128}));
}

TEST(PadReshapeTranspose, WholePicturesOfSmallArrays) {
  // The array is 0 1 2 3 4 / 5 6 7 8 9 / 10 11 12 13 14, in tiles of 2x2.
  EXPECT_EQ(Memory(MakeTiled({3, 5}, {1, 0}, {{2, 2}})),
            (std::vector<int32_t>{0,  1,  5,    6,    2,  3,  7,    8,    4,  kPad, 9,    kPad,
                                  10, 11, kPad, kPad, 12, 13, kPad, kPad, 14, kPad, kPad, kPad}));
  // The tile has one dimension more than the array, which is one row of a 2x2 tiling.
  EXPECT_EQ(Memory(MakeTiled({3}, {0}, {{2, 2}})), (std::vector<int32_t>{0, 1, kPad, kPad, 2, kPad, kPad, kPad}));
  // A tile with one dimension less than the array tiles the minor dimension; the array is column major.
  EXPECT_EQ(Memory(MakeTiled({3, 2}, {0, 1}, {{2}})), (std::vector<int32_t>{0, 2, 4, kPad, 1, 3, 5, kPad}));
  // The second tile pads the first again.
  EXPECT_EQ(Memory(MakeTiled({4}, {0}, {{3}, {2}})), (std::vector<int32_t>{0, 1, 2, kPad, 3, kPad, kPad, kPad}));
  EXPECT_EQ(Memory(MakeTiled({}, {}, {{2, 2}})), (std::vector<int32_t>{0, kPad, kPad, kPad}));
  EXPECT_EQ(Memory(MakeTiled({}, {}, {})), (std::vector<int32_t>{0}));
}

TEST(PadReshapeTranspose, KnownTablesThroughTheArray) {
  std::ifstream file(LAYOUTCHECK_CORPUS "/vectors/xla.jsonl");
  int tables = 0;
  int64_t elements = 0;
  for (std::string line; std::getline(file, line);) {
    const auto row = Json::Parse(line).value();
    if (row.value("op", "") != "table") continue;
    const auto text = row.at("layout").text();
    const TiledLayout layout = TiledLayoutOf(ParseShape(text).value()).value();
    const auto offsets = row.at("expect").at("offsets").get<std::vector<size_t>>();
    const std::vector<int32_t> memory = Memory(layout);
    if (row.contains("padded_elements")) {
      EXPECT_EQ(memory.size(), row.at("padded_elements").get<size_t>()) << text;
    }
    ASSERT_EQ(static_cast<size_t>(Elements(layout)), offsets.size()) << text;
    for (size_t element = 0; element < offsets.size(); ++element) {
      ASSERT_LT(offsets[element], memory.size()) << text;
      ASSERT_EQ(memory[offsets[element]], static_cast<int32_t>(element)) << text;
      ASSERT_EQ(PadReshapeTransposeIndex<int64_t>(layout, LogicalIndex(layout, static_cast<int64_t>(element))),
                static_cast<int64_t>(offsets[element]))
          << text;
    }
    ++tables;
    elements += Elements(layout);
  }
  EXPECT_GT(tables, 0);
  std::printf("%d tables of corpus/vectors, %lld elements\n", tables, static_cast<long long>(elements));
}

TEST(PadReshapeTranspose, ArraysWithoutElements) {
  constexpr int64_t kHuge = int64_t{1} << 62;
  for (const TiledLayout& layout :
       {MakeTiled({0}, {0}, {}), MakeTiled({0}, {0}, {{8, 128}}),
        MakeTiled({3, 0, 5}, {0, 2, 1}, {{2, kStar, 3}, {2, 1}}), MakeTiled({kHuge, 8, 0}, {2, 1, 0}, {}),
        MakeTiled({kHuge, 8, 0}, {1, 2, 0}, {{2, 3}})}) {
    const auto memory = PadReshapeTranspose<int32_t>(layout, {}, kPad);
    ASSERT_TRUE(memory.has_value()) << memory.error().message;
    EXPECT_TRUE(memory->empty());
  }
}

TEST(PadReshapeTranspose, AnyTriviallyCopyableElement) {
  struct Cell {
    std::array<char, 3> text;
  };
  const std::vector<Cell> elements = {{{'a', 'b', 'c'}}, {{'d', 'e', 'f'}}, {{'g', 'h', 'i'}}};
  const auto memory = PadReshapeTranspose<Cell>(MakeTiled({3}, {0}, {{2}}), elements, Cell{{'-', '-', '-'}}).value();
  std::string text;
  for (const Cell& cell : memory) text.append(cell.text.begin(), cell.text.end());
  EXPECT_EQ(text, "abcdefghi---");
}

TEST(PadReshapeTranspose, ErrorsNameThePlace) {
  const auto error = [](const TiledLayout& layout) { return MakePadReshapeTransposeSteps(layout).error(); };
  EXPECT_EQ(error(MakeTiled({2, 3}, {0}, {})).kind, ErrorKind::kInvalidLayout);
  EXPECT_EQ(error(MakeTiled({2, 3}, {0, 0}, {})).message, "minor_to_major is not a permutation: entry 0");
  EXPECT_EQ(error(MakeTiled({2, 3}, {0, 2}, {})).message, "minor_to_major is not a permutation: entry 2");
  EXPECT_EQ(error(MakeTiled({2, -3}, {0, 1}, {})).message, "dimension 1 has size -3, expected a size >= 0");
  EXPECT_EQ(error(MakeTiled({2}, {0}, {{2}, {}})).message, "tile 1 is empty");
  EXPECT_EQ(error(MakeTiled({2}, {0}, {{0}})).message, "tile 0 has size 0, expected a size >= 1");
  EXPECT_EQ(error(MakeTiled({2, 2}, {1, 0}, {{2, kStar}})).message,
            "tile 0 ends in `*`, which has nothing to combine with");

  constexpr int64_t kHuge = int64_t{1} << 62;
  EXPECT_EQ(error(MakeTiled({kHuge, 2}, {1, 0}, {})).message, "the element count does not fit int64");
  EXPECT_EQ(error(MakeTiled({kHuge, 2, 0}, {2, 1, 0}, {{kStar, 1, 1}})).kind, ErrorKind::kOverflow);
  EXPECT_EQ(error(MakeTiled({kHuge + 1}, {0}, {{kHuge}})).message, "a dimension padded by tile 0 does not fit int64");
  EXPECT_EQ(error(MakeTiled({2, 2}, {1, 0}, {{2, 2}, {kHuge, kHuge}})).message,
            "the element count padded by tile 1 does not fit int64");

  const std::vector<int32_t> three(3);
  EXPECT_EQ(PadReshapeTranspose<int32_t>(MakeTiled({3}, {0}, {{kHuge}}), three, 0).error().kind,
            ErrorKind::kUnsupported);
  EXPECT_EQ(PadReshapeTranspose<int32_t>(MakeTiled({4}, {0}, {}), three, 0).error().kind, ErrorKind::kInvalidArgument);
}

TEST(PadReshapeTranspose, CheckedIntegersReportOverflow) {
  constexpr int64_t kLarge = int64_t{1} << 40;
  const auto layout = ConvertTiledLayout<CheckedInt64>(MakeTiled({kLarge, 1}, {1, 0}, {{1, kLarge}}));
  const std::vector<CheckedInt64> near = {3, 0};
  EXPECT_EQ(PadReshapeTransposeIndex<CheckedInt64>(layout, near).value, 3 * kLarge);
  EXPECT_FALSE(PadReshapeTransposeIndex<CheckedInt64>(layout, near).overflow);
  const std::vector<CheckedInt64> far = {kLarge - 1, 0};
  EXPECT_TRUE(PadReshapeTransposeIndex<CheckedInt64>(layout, far).overflow);
}

// An integer without comparisons. PadReshapeTransposeIndex compiles for it, so it never branches on a value.
struct Opaque {
  explicit Opaque(int64_t v) : value(v) {}
  Opaque() = default;
  int64_t value = 0;
};
Opaque operator+(const Opaque& a, const Opaque& b) { return Opaque(a.value + b.value); }
Opaque operator*(const Opaque& a, const Opaque& b) { return Opaque(a.value * b.value); }
Opaque FloorDiv(const Opaque& a, const Opaque& b) { return Opaque(layoutcheck::FloorDiv(a.value, b.value)); }
Opaque Mod(const Opaque& a, const Opaque& b) { return Opaque(layoutcheck::Mod(a.value, b.value)); }
Opaque CeilDiv(const Opaque& a, const Opaque& b) { return Opaque(layoutcheck::CeilDiv(a.value, b.value)); }

TEST(PadReshapeTranspose, IndexRunsOnAnIntegerWithoutComparisons) {
  for (const Placement& known : KnownPlacements()) {
    const auto layout = ConvertTiledLayout<Opaque>(known.layout);
    std::vector<Opaque> index;
    for (const int64_t i : known.index) index.emplace_back(i);
    EXPECT_EQ(PadReshapeTransposeIndex<Opaque>(layout, index).value, known.offset);
  }
}

// Checks that memory holds each element once and padding elsewhere, and that PadReshapeTransposeIndex agrees.
void ExpectLaws(const TiledLayout& layout) {
  const int64_t elements = Elements(layout);
  const std::vector<int32_t> memory = Memory(layout);
  std::vector<int32_t> cells;
  for (const int32_t cell : memory) {
    if (cell != kPad) cells.push_back(cell);
  }
  std::ranges::sort(cells);
  std::vector<int32_t> all(static_cast<size_t>(elements));
  std::iota(all.begin(), all.end(), 0);
  ASSERT_EQ(cells, all);

  for (int64_t element = 0; element < elements; ++element) {
    const int64_t offset = PadReshapeTransposeIndex<int64_t>(layout, LogicalIndex(layout, element));
    ASSERT_GE(offset, 0);
    ASSERT_LT(offset, static_cast<int64_t>(memory.size()));
    ASSERT_EQ(memory[static_cast<size_t>(offset)], element);
  }
}

TEST(PadReshapeTranspose, LawsOnRandomLayouts) {
  constexpr int kLayouts = 20000;
  std::mt19937_64 random(20260801);
  const auto below = [&random](int64_t n) { return static_cast<int64_t>(random() % static_cast<uint64_t>(n)); };
  int64_t cells = 0;
  for (int i = 0; i < kLayouts; ++i) {
    TiledLayout layout;
    const int64_t rank = below(5);
    for (int64_t d = 0; d < rank; ++d) {
      layout.dimensions.push_back(below(8) == 0 ? below(2) : 1 + below(6));
      layout.minor_to_major.push_back(d);
    }
    std::ranges::shuffle(layout.minor_to_major, random);
    for (int64_t t = below(4); t > 0; --t) {
      auto& tile = layout.tiles.emplace_back();
      for (int64_t k = below(4); k > 0; --k) {
        const bool combine = below(4) == 0;
        tile.push_back({combine, combine ? 0 : 1 + below(4)});
      }
      tile.push_back({false, 1 + below(4)});
    }
    const auto steps = MakePadReshapeTransposeSteps(layout);
    ASSERT_TRUE(steps.has_value());
    if (steps->padded_elements > 20000) continue;
    cells += steps->padded_elements;
    ExpectLaws(layout);
    ASSERT_FALSE(testing::Test::HasFatalFailure()) << Describe(layout);
  }
  std::printf(
      "%d random layouts (seed 20260801): rank <= 4, sizes <= 6, up to 3 tiles of up to 4 entries, %lld cells\n",
      kLayouts, static_cast<long long>(cells));
}

}  // namespace
}  // namespace layoutcheck
