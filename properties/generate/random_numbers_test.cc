// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/properties/generate/random_numbers.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace layoutcheck {
namespace {

// RapidCheck's generator is another implementation of the same cipher.
RC_GTEST_PROP(RandomNumbers, AreThoseOfRapidCheck, (uint64_t seed, uint64_t number)) {
  RandomNumbers ours(seed, number);
  rc::Random theirs(rc::Random::Key{{seed, number, 0, 0}});
  for (int k = 0; k < 9; ++k) RC_ASSERT(ours.Next() == theirs.next());
}

}  // namespace
}  // namespace layoutcheck
