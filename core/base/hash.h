// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Hashes that are the same on every platform and standard library, for reproducible choices and file names.
#pragma once

#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>

namespace layoutcheck {

// Returns the 64-bit FNV-1a hash of the text. To hash several texts as one, pass the hash of the earlier ones.
constexpr uint64_t HashText(std::string_view text, uint64_t hash = 0xcbf29ce484222325u) {
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return hash;
}

// Returns the 16 lower-case hexadecimal digits of a hash.
inline std::string HashDigits(uint64_t hash) {
  std::string digits;
  for (int shift = 60; shift >= 0; shift -= 4) digits.push_back("0123456789abcdef"[(hash >> shift) & 15]);
  return digits;
}

// Returns `seed` with `hash` mixed in, in an order-dependent way. The multiplier is SplitMix64's.
constexpr uint64_t HashCombine(uint64_t seed, uint64_t hash) {
  uint64_t mixed = seed ^ (hash + 0x9e3779b97f4a7c15u + (seed << 6) + (seed >> 2));
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
  return mixed ^ (mixed >> 31);
}

// Returns `seed` with the length and every item of a range of integers mixed in.
template <class Range>
uint64_t HashCombineRange(uint64_t seed, const Range& items) {
  seed = HashCombine(seed, std::size(items));
  for (const auto item : items) seed = HashCombine(seed, static_cast<uint64_t>(item));
  return seed;
}

}  // namespace layoutcheck
