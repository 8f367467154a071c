// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/properties/generate/threefish.h"
#include <array>
#include <cstring>
#include <vector>

namespace layoutcheck {
namespace {

// Encrypts the blocks (0, counter, 0, 0), (0, counter + 4, 0, 0), ... and writes one after another to `out`. A Word has
// the same word of several blocks, which are computed side by side. `kWords` of them are under way at once, because
// each step waits for the one before it. Names and constants are the specification's.
template <class Word, size_t kWords>
[[gnu::always_inline]] inline size_t Threefish256(const uint64_t* key, uint64_t counter, uint64_t* out) {
  constexpr int kRotations[8][2] = {{14, 16}, {52, 57}, {23, 40}, {5, 37}, {25, 33}, {46, 12}, {58, 22}, {32, 32}};
  // Any tweak is good. This one gives the streams of rc::Random, so that seeds of earlier versions keep their meaning.
  constexpr uint64_t kTweak[3] = {13, 37, 13 ^ 37};
  constexpr uint64_t kParity = 0x1bd11bdaa9fc1a22;
  constexpr size_t kLanes = sizeof(Word) / sizeof(uint64_t);
  constexpr size_t kBlocks = kLanes * kWords;
  const uint64_t k[5] = {key[0], key[1], key[2], key[3], kParity ^ key[0] ^ key[1] ^ key[2] ^ key[3]};
  uint64_t counters[kBlocks];
  for (size_t block = 0; block < kBlocks; ++block) counters[block] = counter + 4 * block;
  Word v[4][kWords] = {};
  std::memcpy(v[1], counters, sizeof(counters));
#pragma GCC unroll 20
  for (size_t s = 0; s < 19; ++s) {  // number of the subkey
#pragma GCC unroll 2
    for (size_t w = 0; w < kWords; ++w) {
      v[0][w] += k[s % 5];
      v[1][w] += k[(s + 1) % 5] + kTweak[s % 3];
      v[2][w] += k[(s + 2) % 5] + kTweak[(s + 1) % 3];
      v[3][w] += k[(s + 3) % 5] + s;
    }
    if (s == 18) break;
#pragma GCC unroll 4
    for (size_t round = 0; round < 4; ++round) {
      const auto [left, right] = kRotations[4 * (s % 2) + round];
#pragma GCC unroll 2
      for (size_t w = 0; w < kWords; ++w) {
        v[0][w] += v[1][w];
        v[2][w] += v[3][w];
        const Word turned = v[1][w] << left | v[1][w] >> (64 - left);
        v[1][w] = (v[3][w] << right | v[3][w] >> (64 - right)) ^ v[2][w];
        v[3][w] = turned ^ v[0][w];
      }
    }
  }
  uint64_t words[4][kBlocks];
  std::memcpy(words, v, sizeof(v));
  for (size_t block = 0; block < kBlocks; ++block) {
    for (size_t i = 0; i < 4; ++i) out[4 * block + i] = words[i][block];
  }
  return 4 * kBlocks;
}

size_t EncryptOne(const uint64_t* key, uint64_t counter, uint64_t* out) {
  return Threefish256<uint64_t, 1>(key, counter, out);
}

#if defined(__x86_64__) && defined(__GNUC__)
using Word4 [[gnu::vector_size(32)]] = uint64_t;
using Word8 [[gnu::vector_size(64)]] = uint64_t;

[[gnu::target("avx2")]] size_t EncryptWithAvx2(const uint64_t* key, uint64_t counter, uint64_t* out) {
  return Threefish256<Word4, 2>(key, counter, out);
}
[[gnu::target("avx512f")]] size_t EncryptWithAvx512(const uint64_t* key, uint64_t counter, uint64_t* out) {
  return Threefish256<Word8, 2>(key, counter, out);
}
#endif

}  // namespace

std::span<const EncryptBlocks> ThreefishFunctions() {
  static const std::vector<EncryptBlocks> functions = [] {
    std::vector<EncryptBlocks> usable;
#if defined(__x86_64__) && defined(__GNUC__)
    if (__builtin_cpu_supports("avx512f")) usable.push_back(EncryptWithAvx512);
    if (__builtin_cpu_supports("avx2")) usable.push_back(EncryptWithAvx2);
#endif
    usable.push_back(EncryptOne);
    return usable;
  }();
  return functions;
}

}  // namespace layoutcheck
