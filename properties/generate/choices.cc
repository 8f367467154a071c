// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/properties/generate/choices.h"
#include <bit>

namespace layoutcheck {
namespace {

using Block = std::array<uint64_t, 4>;

// Encrypts one block. Names and constants are the specification's.
Block Threefish256(const Block& key, const Block& plain) {
  constexpr int kRotations[8][2] = {{14, 16}, {52, 57}, {23, 40}, {5, 37}, {25, 33}, {46, 12}, {58, 22}, {32, 32}};
  // Any tweak is good. This one gives the streams of rc::Random, so that seeds of earlier versions keep their meaning.
  constexpr uint64_t kTweak[3] = {13, 37, 13 ^ 37};
  constexpr uint64_t kParity = 0x1bd11bdaa9fc1a22;
  const uint64_t k[5] = {key[0], key[1], key[2], key[3], kParity ^ key[0] ^ key[1] ^ key[2] ^ key[3]};
  Block v = plain;
  const auto add_subkey = [&](size_t s) {
    for (size_t i = 0; i < 4; ++i) v[i] += k[(s + i) % 5];
    v[1] += kTweak[s % 3];
    v[2] += kTweak[(s + 1) % 3];
    v[3] += s;
  };
  for (size_t round = 0; round < 72; ++round) {
    if (round % 4 == 0) add_subkey(round / 4);
    const auto [left, right] = kRotations[round % 8];
    v[0] += v[1];
    v[2] += v[3];
    v = {v[0], std::rotl(v[3], right) ^ v[2], v[2], std::rotl(v[1], left) ^ v[0]};
  }
  add_subkey(18);
  return v;
}

}  // namespace

uint64_t RandomChoices::NextNumber() {
  if (counter_ % 4 == 0) block_ = Threefish256(key_, {0, counter_, 0, 0});
  return block_[counter_++ % 4];
}

}  // namespace layoutcheck
