// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A small, fast random number generator for mutators, which call it millions of times. A seed gives the same numbers
// with every compiler and standard library, which the distributions of <random> do not promise.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>

namespace layoutcheck {

// The generator splitmix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, OOPSLA 2014).
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}

  uint64_t Next() {
    state_ += 0x9e3779b97f4a7c15u;
    uint64_t mixed = state_;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
    return mixed ^ (mixed >> 31);
  }
  // Returns a number in [0, bound). Requires bound >= 1. The bias is below bound / 2^64.
  uint64_t Below(uint64_t bound) { return Next() % bound; }
  size_t Index(size_t size) { return static_cast<size_t>(Below(size)); }
  // Returns a number in [first, last].
  int64_t Between(int64_t first, int64_t last) {
    return first + static_cast<int64_t>(Below(static_cast<uint64_t>(last - first) + 1));
  }
  // Returns true with a chance of one in n.
  bool OneIn(uint64_t n) { return Below(n) == 0; }
  // Requires that the list is not empty.
  template <class List>
  auto& Pick(List& list) {
    return list[Index(std::size(list))];
  }

 private:
  uint64_t state_;
};

}  // namespace layoutcheck
