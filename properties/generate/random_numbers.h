// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random numbers that are the same on every machine and with every standard library.
#ifndef LAYOUTCHECK_PROPERTIES_GENERATE_RANDOM_NUMBERS_H_
#define LAYOUTCHECK_PROPERTIES_GENERATE_RANDOM_NUMBERS_H_

#include <array>
#include <cstdint>

namespace layoutcheck {

// A stream of random 64-bit numbers: the block cipher Threefish-256 (The Skein Hash Function Family, version 1.3,
// section 3.3) applied to a counter. Different keys give unrelated streams, so a test case needs no state of the case
// before it.
class RandomNumbers {
 public:
  RandomNumbers(uint64_t seed, uint64_t number) : key_{seed, number, 0, 0} {}

  uint64_t Next();

 private:
  std::array<uint64_t, 4> key_;
  std::array<uint64_t, 4> block_{};  // the numbers from the last multiple of 4 on
  uint64_t counter_ = 0;             // numbers drawn so far
};

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_PROPERTIES_GENERATE_RANDOM_NUMBERS_H_
