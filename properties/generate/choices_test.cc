// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/properties/generate/choices.h"
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <array>
#include <limits>
#include <set>

namespace layoutcheck {
namespace {

// Draws a list of up to three numbers below 4. Like a generator, it may end early.
std::vector<uint64_t> DrawList(Choices& choices) {
  std::vector<uint64_t> list;
  while (list.size() < 3 && choices.Choose(2) == 1) list.push_back(choices.Choose(4));
  return list;
}

TEST(Choices, TheCounterDrawsEveryValueOnce) {
  CountedChoices counter;
  std::set<std::vector<uint64_t>> seen;
  int drawn = 0;
  do {
    seen.insert(DrawList(counter));
    ++drawn;
  } while (counter.Advance());
  EXPECT_EQ(drawn, 1 + 4 + 16 + 64);
  EXPECT_EQ(seen.size(), 85u);
}

RC_GTEST_PROP(Choices, ReplayingWhatWasTakenDrawsTheSame, (uint64_t seed, uint64_t number)) {
  RandomChoices random(seed, number);
  const std::vector<uint64_t> first = DrawList(random);
  ReplayedChoices replayed(random.taken());
  RC_ASSERT(DrawList(replayed) == first);
  RC_ASSERT(replayed.taken() == random.taken());
  RandomChoices again(seed, number);
  RC_ASSERT(DrawList(again) == first);
}

RC_GTEST_PROP(Choices, RandomOnesAreThoseOfRapidCheck, (uint64_t seed, uint64_t number)) {
  constexpr uint64_t kBound = std::numeric_limits<uint64_t>::max();
  RandomChoices ours(seed, number);
  rc::Random theirs(rc::Random::Key{{seed, number, 0, 0}});
  for (int k = 0; k < 150; ++k) RC_ASSERT(ours.Choose(kBound) == theirs.next() % kBound);
}

RC_GTEST_PROP(Choices, EveryMachineHasTheSameNumbers, (uint64_t seed, uint64_t number, uint64_t counter)) {
  const uint64_t key[4] = {seed, number, 0, 0};
  uint64_t first[kMostEncrypted];
  const size_t most = ThreefishFunctions().front()(key, counter, first);
  for (const EncryptBlocks encrypt : ThreefishFunctions()) {
    for (size_t begin = 0; begin < most;) {
      uint64_t numbers[kMostEncrypted];
      const size_t count = encrypt(key, counter + begin, numbers);
      for (size_t k = 0; k < count && begin + k < most; ++k) RC_ASSERT(numbers[k] == first[begin + k]);
      begin += count;
    }
  }
}

TEST(Choices, AnExhaustedStreamChoosesTheSimplest) {
  ReplayedChoices nothing({});
  ByteChoices no_bytes({});
  for (const uint64_t bound : {1u, 2u, 1000u}) {
    EXPECT_EQ(nothing.Choose(bound), 0u);
    EXPECT_EQ(no_bytes.Choose(bound), 0u);
  }
}

TEST(Choices, BytesReachEveryChoice) {
  std::set<uint64_t> small;
  for (int byte = 0; byte < 256; ++byte) {
    const std::array<uint8_t, 1> bytes = {static_cast<uint8_t>(byte)};
    ByteChoices choices(bytes);
    small.insert(choices.Choose(200));
  }
  EXPECT_EQ(small.size(), 200u);
  const std::array<uint8_t, 2> two = {0x12, 0x34};
  ByteChoices wide(two);
  EXPECT_EQ(wide.Choose(65536), 0x1234u);
}

TEST(Choices, SeedsAndCaseNumbersGiveDifferentStreams) {
  std::set<uint64_t> first;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    for (uint64_t number = 0; number < 20; ++number)
      first.insert(RandomChoices(seed, number).Choose(uint64_t{1} << 62));
  }
  EXPECT_EQ(first.size(), 400u);
}

}  // namespace
}  // namespace layoutcheck
