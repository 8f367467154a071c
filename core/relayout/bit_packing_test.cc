// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/relayout/bit_packing.h"
#include <gtest/gtest.h>
#include <cstdio>
#include <random>
#include <vector>

namespace layoutcheck {
namespace {

std::vector<std::byte> BytesOf(const std::vector<int>& values) {
  std::vector<std::byte> bytes;
  for (const int value : values) bytes.push_back(static_cast<std::byte>(value));
  return bytes;
}

std::vector<std::byte> Pack(int64_t bits, const std::vector<std::byte>& unpacked) {
  std::vector<std::byte> packed((unpacked.size() * static_cast<size_t>(bits) + 7) / 8, std::byte{0xA5});
  EXPECT_TRUE(PackIntN(bits, unpacked, packed).has_value());
  return packed;
}

TEST(BitPacking, Element0IsInTheLowBitsAndTheLastByteIsZeroPadded) {
  EXPECT_EQ(Pack(4, BytesOf({0, 1, 2})), BytesOf({0x10, 0x02}));
  EXPECT_EQ(Pack(2, BytesOf({0, 1, 2, 3, 3})), BytesOf({0xE4, 0x03}));
  EXPECT_EQ(Pack(1, BytesOf({1, 0, 0, 0, 0, 0, 0, 1, 1})), BytesOf({0x81, 0x01}));
  EXPECT_EQ(Pack(4, {}), BytesOf({}));
}

TEST(BitPacking, HighBitsAreDropped) {
  EXPECT_EQ(Pack(4, BytesOf({0xFF, 0x71})), BytesOf({0x1F}));
  std::vector<std::byte> unpacked(1);
  EXPECT_TRUE(UnpackIntN(4, BytesOf({0xF9}), unpacked).has_value());
  EXPECT_EQ(unpacked, BytesOf({9}));
}

TEST(BitPacking, UnpackIsTheInverse) {
  std::mt19937 random(7);
  int cases = 0;
  for (const int64_t bits : {1, 2, 4}) {
    for (size_t size = 0; size < 70; ++size, ++cases) {
      std::vector<std::byte> elements(size);
      for (std::byte& element : elements) element = static_cast<std::byte>(random() & ((1U << bits) - 1));
      std::vector<std::byte> back(size, std::byte{0xA5});
      EXPECT_TRUE(UnpackIntN(bits, Pack(bits, elements), back).has_value());
      EXPECT_EQ(back, elements);
    }
  }
  std::printf("%d random arrays (seed 7): 0 to 69 elements of 1, 2 and 4 bits\n", cases);
}

TEST(BitPacking, ErrorsSayWhatWasExpected) {
  std::vector<std::byte> bytes(4);
  for (const int64_t bits : {-1, 0, 3, 5, 6, 7, 8, 64}) {
    EXPECT_EQ(PackIntN(bits, bytes, bytes).error().kind, ErrorKind::kInvalidArgument);
    EXPECT_EQ(UnpackIntN(bits, bytes, bytes).error().kind, ErrorKind::kInvalidArgument);
  }
  EXPECT_EQ(PackIntN(3, bytes, bytes).error().message, "packing 3 bits, expected 1, 2 or 4");
  std::vector<std::byte> three(3);
  EXPECT_EQ(PackIntN(4, bytes, three).error().message, "4 elements of 4 bits take 2 packed bytes, not 3");
  EXPECT_EQ(UnpackIntN(4, three, bytes).error().message, "4 elements of 4 bits take 2 packed bytes, not 3");
}

}  // namespace
}  // namespace layoutcheck
