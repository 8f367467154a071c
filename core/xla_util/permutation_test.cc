// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/xla_util/permutation.h"
#include <gtest/gtest.h>
#include <algorithm>
#include <cstdio>
#include <numeric>
#include <string>
#include "layoutcheck/core/testing/small_scopes.h"

namespace layoutcheck {
namespace {

using Numbers = std::vector<int64_t>;

TEST(Permutation, KnownAnswers) {
  EXPECT_EQ(*Permute(std::vector<std::string>{"a", "b", "c"}, Numbers{2, 0, 1}),
            (std::vector<std::string>{"c", "a", "b"}));
  EXPECT_EQ(*Permute(std::vector<bool>{true, false, false}, Numbers{2, 0, 1}), (std::vector<bool>{false, true, false}));
  EXPECT_EQ(*ComposePermutations(Numbers{1, 3, 2, 0}, Numbers{2, 1, 3, 0}), (Numbers{2, 3, 0, 1}));
}

TEST(Permutation, EverySequenceIsAPermutationExactlyIfItSortsToTheIdentity) {
  int64_t sequences = 0;
  int64_t permutations = 0;
  for (size_t size = 0; size <= 4; ++size) {
    ForEachTuple(size, {-1, 0, 1, 2, 3, 4, 5}, [&](const Numbers& sequence) {
      Numbers sorted = sequence;
      std::sort(sorted.begin(), sorted.end());
      Numbers identity(size);
      std::iota(identity.begin(), identity.end(), 0);
      ASSERT_EQ(InversePermutation(sequence).has_value(), sorted == identity);
      ++sequences;
      permutations += sorted == identity;
    });
  }
  EXPECT_EQ(permutations, 1 + 1 + 2 + 6 + 24);
  std::printf("%lld sequences, %lld permutations\n", static_cast<long long>(sequences),
              static_cast<long long>(permutations));
}

TEST(Permutation, GroupLaws) {
  int64_t pairs = 0;
  for (size_t size = 0; size <= 5; ++size) {
    Numbers identity(size);
    std::iota(identity.begin(), identity.end(), 0);
    Numbers items = identity;
    for (int64_t& item : items) item = 100 + 7 * item;
    for (const Numbers& p : AllPermutations(size)) {
      const Numbers inverse = *InversePermutation(p);
      EXPECT_EQ(*ComposePermutations(inverse, p), identity);
      EXPECT_EQ(*ComposePermutations(p, inverse), identity);
      EXPECT_EQ(*Permute(*Permute(items, p), inverse), items);
      for (const Numbers& q : AllPermutations(size)) {
        EXPECT_EQ(*Permute(items, *ComposePermutations(p, q)), *Permute(*Permute(items, p), q));
        ++pairs;
      }
    }
  }
  std::printf("%lld pairs of permutations\n", static_cast<long long>(pairs));
}

TEST(Permutation, BadInputIsAnError) {
  EXPECT_EQ(InversePermutation(Numbers{0, 2}).error().message,
            "entry 1 of the permutation {0,2} is 2, expected a number in [0,2)");
  EXPECT_EQ(InversePermutation(Numbers{0, 0}).error().message, "the permutation {0,0} contains 0 twice");
  EXPECT_EQ(Permute(Numbers{5, 6}, Numbers{0}).error().message, "the permutation {0} has 1 entries, expected 2");
  EXPECT_FALSE(ComposePermutations(Numbers{0, 0}, Numbers{0, 1}).has_value());
  EXPECT_FALSE(ComposePermutations(Numbers{0, 1}, Numbers{0}).has_value());
}

}  // namespace
}  // namespace layoutcheck
