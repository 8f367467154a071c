// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/relayout/relayout.h"
#include <gtest/gtest.h>
#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <random>
#include <span>
#include <string>
#include "layoutcheck/core/hlo/parser.h"
#include "layoutcheck/core/hlo/printer.h"
#include "layoutcheck/core/relayout/bit_packing.h"
#include "layoutcheck/core/testing/share.h"
#include "layoutcheck/core/tiling/pad_reshape_transpose.h"

namespace layoutcheck {
namespace {

using Bytes = std::vector<std::byte>;

Bytes RandomBytes(size_t size, std::mt19937_64& random) {
  Bytes bytes(size);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
  return bytes;
}

template <size_t kSize>
using Element = std::array<std::byte, kSize>;

// Returns memory by definition (b): one element per slot of kSize bytes, then the tail padding of L(n).
template <size_t kSize>
Bytes MemoryByDefinition(const Shape& shape, const Bytes& elements, const Bytes& padding) {
  std::vector<Element<kSize>> array(elements.size() / kSize);
  std::ranges::copy(elements, std::as_writable_bytes(std::span(array)).begin());
  Element<kSize> pad;
  std::ranges::copy_n(padding.begin(), kSize, pad.begin());
  auto cells = PadReshapeTranspose<Element<kSize>>(TiledLayoutOf(shape).value(), array, pad).value();
  const auto align = static_cast<size_t>(shape.layout->tail_padding_alignment_in_elements);
  cells.resize((cells.size() + align - 1) / align * align, pad);
  Bytes memory(cells.size() * kSize);
  std::ranges::copy(std::as_bytes(std::span(cells)), memory.begin());
  return memory;
}

int64_t StoredBits(const Shape& shape) {
  const int64_t bits = shape.layout->element_size_in_bits;
  return bits != 0 ? bits : 8 * ByteWidth(shape.element_type);
}

// Same for any width. `elements` has one element per slot of `slot` bytes; memory is packed if the layout says so.
Bytes Memory(const Shape& shape, size_t slot, const Bytes& elements, const Bytes& padding) {
  const int64_t bits = StoredBits(shape);
  if (bits < 8) {
    const Bytes unpacked = MemoryByDefinition<1>(shape, elements, padding);
    Bytes packed((unpacked.size() * static_cast<size_t>(bits) + 7) / 8);
    EXPECT_TRUE(PackIntN(bits, unpacked, packed).has_value());
    return packed;
  }
  switch (slot) {
    case 1: return MemoryByDefinition<1>(shape, elements, padding);
    case 2: return MemoryByDefinition<2>(shape, elements, padding);
    case 4: return MemoryByDefinition<4>(shape, elements, padding);
    case 8: return MemoryByDefinition<8>(shape, elements, padding);
    default: return MemoryByDefinition<16>(shape, elements, padding);
  }
}

std::string Describe(const Shape& from, const Shape& to) { return ToString(from) + " -> " + ToString(to); }

// Moves random elements from one layout to the other and back, and compares memory with definition (b).
// Arrays of `large_bytes` or more are written past the cache.
void ExpectMoves(const Shape& from, const Shape& to, std::mt19937_64& random, std::map<RelayoutBody, int>& bodies,
                 int64_t large_bytes = int64_t{4} << 20) {
  const auto there = Relayout::Create(from, to, large_bytes);
  ASSERT_TRUE(there.has_value()) << there.error().message;
  const auto back = Relayout::Create(to, from, large_bytes);
  ASSERT_TRUE(back.has_value()) << back.error().message;
  ++bodies[there->body()];
  ++bodies[back->body()];

  const int64_t bits = std::min(StoredBits(from), StoredBits(to));
  const auto slot = static_cast<size_t>(std::max<int64_t>(1, bits / 8));
  size_t count = 1;
  for (const int64_t size : from.dimensions) count *= static_cast<size_t>(size);
  Bytes elements = RandomBytes(count * slot, random);
  Bytes padding = RandomBytes(slot, random);
  if (bits < 8) {
    const auto mask = static_cast<std::byte>((1 << bits) - 1);
    for (std::byte& element : elements) element &= mask;
    padding[0] &= mask;
  }
  const Bytes source = Memory(from, slot, elements, padding);
  const Bytes expected = Memory(to, slot, elements, padding);
  ASSERT_EQ(there->source_bytes(), source.size());
  ASSERT_EQ(there->destination_bytes(), expected.size());

  // With a padding value every bit of the destination is determined.
  Bytes destination = RandomBytes(expected.size(), random);
  ASSERT_TRUE(there->Run(source, destination, padding).has_value());
  ASSERT_EQ(destination, expected);

  // Without a padding value, cells without an element keep what they held: here, one of two values in every bit.
  Bytes zeros(expected.size(), std::byte{0});
  Bytes ones(expected.size(), std::byte{0xFF});
  ASSERT_TRUE(there->Run(source, zeros).has_value());
  ASSERT_TRUE(there->Run(source, ones).has_value());
  const auto flip = [&](std::byte value) { return Memory(to, slot, elements, Bytes(slot, value)); };
  Bytes all_ones = flip(bits < 8 ? static_cast<std::byte>((1 << bits) - 1) : std::byte{0xFF});
  if (StoredBits(to) < 8) {  // the unused bits of the last byte are kept too
    ASSERT_EQ(zeros, flip(std::byte{0}));
    if (!ones.empty()) all_ones.back() |= ones.back() & ~zeros.back();
    ASSERT_EQ(ones, all_ones);
  } else if (StoredBits(to) == bits) {
    ASSERT_EQ(zeros, flip(std::byte{0}));
    ASSERT_EQ(ones, all_ones);
  }

  // Arrays may begin at any address.
  Bytes anywhere = RandomBytes(expected.size() + 64, random);
  const std::span<std::byte> shifted = std::span(anywhere).subspan(random() % 64, expected.size());
  Bytes source_anywhere(64);
  const auto shift = static_cast<std::ptrdiff_t>(random() % 64);
  source_anywhere.insert(source_anywhere.begin() + shift, source.begin(), source.end());
  const std::span<const std::byte> shifted_source(source_anywhere.data() + shift, source.size());
  ASSERT_TRUE(there->Run(shifted_source, shifted, padding).has_value());
  ASSERT_TRUE(std::ranges::equal(shifted, expected));

  Bytes returned = RandomBytes(source.size(), random);
  ASSERT_TRUE(back->Run(destination, returned, padding).has_value());
  ASSERT_EQ(returned, source);
}

Layout RandomLayout(int64_t rank, bool large, std::mt19937_64& random) {
  const auto below = [&random](int64_t n) { return static_cast<int64_t>(random() % static_cast<uint64_t>(n)); };
  static constexpr std::array<int64_t, 8> kSizes = {1, 2, 3, 4, 5, 8, 16, 32};
  Layout layout = MakeDescendingLayout(rank);
  std::ranges::shuffle(layout.minor_to_major, random);
  for (int64_t t = below(4); t > 0; --t) {
    Tile& tile = layout.tiles.emplace_back();
    for (int64_t k = below(rank + 2); k > 0; --k) {
      tile.dimensions.push_back(below(8) == 0 ? Tile::kCombineDimension
                                              : kSizes[static_cast<size_t>(below(large ? 8 : 4))]);
    }
    tile.dimensions.push_back(kSizes[static_cast<size_t>(below(large ? 8 : 4))]);
  }
  if (below(8) == 0) layout.tail_padding_alignment_in_elements = 1 + below(40);
  return layout;
}

TEST(Relayout, EqualsPadReshapeTransposeOnRandomLayouts) {
  const int pairs = 12000 / static_cast<int>(EveryNth(1, 4));
  constexpr ElementType kTypes[] = {ElementType::kU8,   ElementType::kBF16, ElementType::kF32, ElementType::kF64,
                                    ElementType::kC128, ElementType::kS4,   ElementType::kU2,  ElementType::kS1};
  std::mt19937_64 random(424242);
  std::map<RelayoutBody, int> bodies;
  int moved = 0;
  for (int i = 0; i < pairs; ++i) {
    const auto rank = static_cast<int64_t>(random() % 6);
    const bool large = rank <= 2 && i % 2 == 0;
    std::vector<int64_t> dimensions;
    for (int64_t d = 0; d < rank; ++d) {
      dimensions.push_back(random() % 32 == 0 ? 0 : 1 + static_cast<int64_t>(random() % (large ? 70 : 7)));
    }
    const ElementType type = kTypes[random() % std::size(kTypes)];
    Shape from = Shape::Array(type, dimensions, RandomLayout(rank, large, random));
    Shape to = Shape::Array(type, dimensions, RandomLayout(rank, large, random));
    if (IsSubByteNonPred(type)) {
      const int64_t packed = BitWidth(type);
      if (random() % 4 != 0) from.layout->element_size_in_bits = packed;
      if (random() % 4 != 0) to.layout->element_size_in_bits = packed;
    }
    const auto small = [](const Shape& shape) {
      const auto layout = TiledLayoutOf(shape);
      return layout && MakePadReshapeTransposeSteps(*layout)->padded_elements <= 60000;
    };
    if (!small(from) || !small(to)) continue;
    ++moved;
    ExpectMoves(from, to, random, bodies, i % 2 == 0 ? 1 : int64_t{4} << 20);
    ASSERT_FALSE(HasFatalFailure()) << Describe(from, to);
  }
  for (const RelayoutBody body :
       {RelayoutBody::kRuns, RelayoutBody::kStrided, RelayoutBody::kBlocks, RelayoutBody::kBits}) {
    EXPECT_GT(bodies[body], 100);
  }
  std::printf(
      "%d random pairs of layouts (seed 424242), there and back: rank <= 5, sizes <= 70, up to 3 tiles with `*` and L, "
      "widths 1 to 128 bits; %d by runs, %d strided, %d by blocks, %d past the cache, %d by bits\n",
      moved, bodies[RelayoutBody::kRuns], bodies[RelayoutBody::kStrided], bodies[RelayoutBody::kBlocks],
      bodies[RelayoutBody::kStreams], bodies[RelayoutBody::kBits]);
}

struct Known {
  std::string from;
  std::string to;
  RelayoutBody body;
};

TEST(Relayout, LayoutsThatOccur) {
  const std::vector<Known> pairs = {
      {"f32[256,384]{1,0}", "f32[256,384]{1,0:T(8,128)}", RelayoutBody::kRuns},
      {"f32[250,380]{1,0}", "f32[250,380]{1,0:T(8,128)}", RelayoutBody::kRuns},
      {"bf16[256,384]{1,0}", "bf16[256,384]{1,0:T(8,128)(2,1)}", RelayoutBody::kBlocks},
      {"bf16[251,381]{1,0}", "bf16[251,381]{1,0:T(8,128)(2,1)}", RelayoutBody::kBlocks},
      {"s8[256,384]{1,0}", "s8[256,384]{1,0:T(8,128)(4,1)}", RelayoutBody::kBlocks},
      {"s8[255,383]{1,0}", "s8[255,383]{1,0:T(8,128)(4,1)}", RelayoutBody::kBlocks},
      {"f32[96,200]{1,0}", "f32[96,200]{0,1}", RelayoutBody::kBlocks},
      {"f32[97,203]{1,0}", "f32[97,203]{0,1:T(8,128)}", RelayoutBody::kBlocks},
      {"f64[33,65]{1,0}", "f64[33,65]{0,1}", RelayoutBody::kBlocks},
      {"c128[33,65]{1,0}", "c128[33,65]{0,1}", RelayoutBody::kBlocks},
      {"bf16[64,48,2]{2,1,0}", "bf16[64,48,2]{2,0,1}", RelayoutBody::kBlocks},
      {"s4[128,256]{1,0:E(4)}", "s4[128,256]{1,0:T(64,128)(8,1)E(4)}", RelayoutBody::kBits},
      {"s4[129,255]{1,0}", "s4[129,255]{1,0:E(4)}", RelayoutBody::kBits},
      {"f32[2,7,8,11,10]{4,3,2,1,0}", "f32[2,7,8,11,10]{4,3,2,1,0:T(*,*,2,*,3)}", RelayoutBody::kRuns},
      {"bf16[8,1,40,384]{3,2,1,0}", "bf16[8,1,40,384]{3,2,0,1:T(8,128)(2,1)}", RelayoutBody::kBlocks},
      {"bf16[2048]{0}", "bf16[2048]{0:T(1024)(128)(2,1)}", RelayoutBody::kStrided},
      {"f32[]", "f32[]{:T(8,128)}", RelayoutBody::kStrided},
  };
  std::mt19937_64 random(5);
  std::map<RelayoutBody, int> bodies;
  for (const Known& known : pairs) {
    const Shape from = ParseShape(known.from).value();
    const Shape to = ParseShape(known.to).value();
    ExpectMoves(from, to, random, bodies);
    ASSERT_FALSE(HasFatalFailure()) << Describe(from, to);
    EXPECT_EQ(Relayout::Create(from, to)->body(), known.body) << Describe(from, to);
  }
}

// Blocks, bands and groups of arrays that are larger than each of them, with sizes that no block divides.
TEST(Relayout, LargeArraysAreWrittenPastTheCache) {
  const char* const kPairs[][2] = {
      {"s8[2051,2100]{1,0}", "s8[2051,2100]{0,1}"},
      {"s8[2048,2048]{1,0}", "s8[2048,2048]{0,1}"},
      {"bf16[1408,1536]{1,0}", "bf16[1408,1536]{0,1}"},
      {"f32[1024,1152]{1,0}", "f32[1024,1152]{0,1}"},
      {"f32[1031,1153]{1,0}", "f32[1031,1153]{0,1:T(8,128)}"},
      {"f32[3,20,28,640]{3,2,1,0}", "f32[3,20,28,640]{2,1,3,0}"},
      {"f64[700,769]{1,0}", "f64[700,769]{0,1}"},
  };
  std::mt19937_64 random(6);
  std::map<RelayoutBody, int> bodies;
  for (const auto& [from, to] : kPairs) {
    ExpectMoves(ParseShape(from).value(), ParseShape(to).value(), random, bodies);
    ASSERT_FALSE(HasFatalFailure()) << from << " -> " << to;
  }
  EXPECT_EQ(bodies[RelayoutBody::kStreams], 13);  // out of transposed tiles, only eight rows are neighbors
}

TEST(Relayout, TransposesOfAnySizePastTheCache) {
  constexpr ElementType kTypes[] = {ElementType::kU8, ElementType::kBF16, ElementType::kF32, ElementType::kF64};
  const std::vector<Tile> tilings[] = {{}, {}, {{{8, 128}}}, {{{48}}}, {{{2, 64}}, {{2, 16}}}};
  std::mt19937_64 random(7);
  std::map<RelayoutBody, int> bodies;
  for (int i = 0; i < 400; ++i) {
    const ElementType type = kTypes[random() % std::size(kTypes)];
    std::vector<int64_t> dimensions;
    for (int d = 0; d < 2; ++d) dimensions.push_back(1 + static_cast<int64_t>(random() % 300));
    if (i % 3 == 0) dimensions.insert(dimensions.begin() + 1, 1 + static_cast<int64_t>(random() % 3));
    const auto rank = static_cast<int64_t>(dimensions.size());
    const Shape from = Shape::Array(type, dimensions, Layout(MakeDescendingLayout(rank).minor_to_major, {}));
    const Shape to =
        Shape::Array(type, dimensions, Layout(MakeAscendingLayout(rank).minor_to_major, tilings[random() % 5]));
    ExpectMoves(from, to, random, bodies, /*large_bytes=*/1);
    ASSERT_FALSE(HasFatalFailure()) << Describe(from, to);
  }
  EXPECT_GT(bodies[RelayoutBody::kStreams], 400);
}

TEST(Relayout, RunsOfAnyLengthPastTheCache) {
  constexpr ElementType kTypes[] = {ElementType::kU8, ElementType::kBF16, ElementType::kF32, ElementType::kF64};
  const Layout kLayouts[] = {Layout({2, 1, 0}, {}), Layout({2, 0, 1}, {}), Layout({2, 1, 0}, {{{8, 128}}}),
                             Layout({2, 0, 1}, {{{3, 300}}})};
  std::mt19937_64 random(8);
  std::map<RelayoutBody, int> bodies;
  for (int i = 0; i < 400; ++i) {
    const ElementType type = kTypes[random() % std::size(kTypes)];
    const std::vector<int64_t> dimensions = {1 + static_cast<int64_t>(random() % 5),
                                             1 + static_cast<int64_t>(random() % 9),
                                             1 + static_cast<int64_t>(random() % 900)};
    const Shape from = Shape::Array(type, dimensions, kLayouts[random() % std::size(kLayouts)]);
    const Shape to = Shape::Array(type, dimensions, kLayouts[random() % std::size(kLayouts)]);
    ExpectMoves(from, to, random, bodies, /*large_bytes=*/1);
    ASSERT_FALSE(HasFatalFailure()) << Describe(from, to);
  }
  EXPECT_GT(bodies[RelayoutBody::kRunStreams], 300);
  EXPECT_GT(bodies[RelayoutBody::kRuns], 50);
}

TEST(Relayout, PlansOfHugeArraysAreSmall) {
  for (const char* tiles : {"", ":T(1024)", ":T(1024)(128)(4,1)"}) {
    const std::string to = std::string("s8[1073741824]{0") + tiles + "}";
    const auto plan = Relayout::Create(ParseShape("s8[1073741824]{0}").value(), ParseShape(to).value());
    ASSERT_TRUE(plan.has_value()) << to << plan.error().message;
    EXPECT_EQ(plan->destination_bytes(), 1073741824);
  }
  const auto refused = Relayout::Create(ParseShape("s8[4611686018427387904]{0}").value(),
                                        ParseShape("s8[4611686018427387904]{0:T(2)(2,1)}").value());
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().kind, ErrorKind::kUnsupported);
}

TEST(Relayout, ErrorsSayWhatDoesNotFit) {
  const auto error = [](const char* from, const char* to) {
    return Relayout::Create(ParseShape(from).value(), ParseShape(to).value()).error();
  };
  EXPECT_EQ(error("f32[2,3]", "f32[3,2]").message, "the dimensions differ: [2,3] and [3,2]");
  EXPECT_EQ(error("f32[2,3]", "s32[2,3]").message, "the element types differ: f32 and s32");
  EXPECT_EQ(error("f32[2]{0:E(6)}", "f32[2]{0:E(6)}").message, "moving elements of 6 bits to elements of 6 bits");
  EXPECT_EQ(error("f32[2]{0:E(4)}", "f32[2]{0:E(2)}").kind, ErrorKind::kUnsupported);
  EXPECT_EQ(error("f32[2]{0:E(16)}", "f32[2]{0}").kind, ErrorKind::kUnsupported);
  EXPECT_EQ(error("(f32[2])", "(f32[2])").kind, ErrorKind::kInvalidArgument);
  EXPECT_EQ(error("f32[?]", "f32[?]").kind, ErrorKind::kUnsupported);

  const auto plan = Relayout::Create(ParseShape("f32[3]").value(), ParseShape("f32[3]{0:T(2)}").value()).value();
  Bytes source(12);
  Bytes destination(16);
  EXPECT_EQ(plan.Run(destination, destination).error().message, "the source has 16 bytes, expected 12");
  EXPECT_EQ(plan.Run(source, source).error().message, "the destination has 12 bytes, expected 16");
  EXPECT_EQ(plan.Run(source, destination, Bytes(1)).error().message, "the padding value has 1 bytes, expected 4");
}

}  // namespace
}  // namespace layoutcheck
