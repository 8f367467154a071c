// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/base/sha256.h"
#include <algorithm>
#include <bit>

namespace layoutcheck {
namespace {

// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
constexpr std::array<uint32_t, 64> kRoots{
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

// Returns the four bytes as an integer, the most significant one first.
uint32_t BigEndian(const char* bytes) {
  uint32_t word = 0;
  for (size_t k = 0; k < 4; ++k) word = word << 8 | static_cast<unsigned char>(bytes[k]);
  return word;
}

}  // namespace

void Sha256::Add(std::string_view bytes) {
  size_ += bytes.size();
  while (!bytes.empty()) {
    if (rest_size_ == 0 && bytes.size() >= kBlock) {
      AddBlock(bytes.data());
      bytes.remove_prefix(kBlock);
      continue;
    }
    const size_t taken = std::min(bytes.size(), kBlock - rest_size_);
    std::ranges::copy(bytes.substr(0, taken), rest_.begin() + static_cast<std::ptrdiff_t>(rest_size_));
    rest_size_ += taken;
    bytes.remove_prefix(taken);
    if (rest_size_ < kBlock) return;
    AddBlock(rest_.data());
    rest_size_ = 0;
  }
}

void Sha256::AddBlock(const char* bytes) {
  std::array<uint32_t, 64> words;
  for (size_t k = 0; k < 16; ++k) words[k] = BigEndian(bytes + 4 * k);
  for (size_t k = 16; k < 64; ++k) {
    const uint32_t a = words[k - 15];
    const uint32_t b = words[k - 2];
    words[k] = words[k - 16] + (std::rotr(a, 7) ^ std::rotr(a, 18) ^ a >> 3) + words[k - 7] +
               (std::rotr(b, 17) ^ std::rotr(b, 19) ^ b >> 10);
  }
  auto [a, b, c, d, e, f, g, h] = state_;
  for (size_t k = 0; k < 64; ++k) {
    const uint32_t choice = (e & f) ^ (~e & g);
    const uint32_t majority = (a & b) ^ (a & c) ^ (b & c);
    const uint32_t first = h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) + choice + kRoots[k] + words[k];
    const uint32_t second = (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + majority;
    h = g;
    g = f;
    f = e;
    e = d + first;
    d = c;
    c = b;
    b = a;
    a = first + second;
  }
  const std::array<uint32_t, 8> rounds{a, b, c, d, e, f, g, h};
  for (size_t k = 0; k < state_.size(); ++k) state_[k] += rounds[k];
}

std::string Sha256::Digits() {
  const uint64_t bits = size_ * 8;
  Add(std::string_view("\x80", 1));
  while (rest_size_ != kBlock - 8) Add(std::string_view("\0", 1));
  std::string length;
  for (int shift = 56; shift >= 0; shift -= 8) length += static_cast<char>(bits >> shift & 0xff);
  Add(length);
  std::string digits;
  for (const uint32_t word : state_) {
    for (int shift = 28; shift >= 0; shift -= 4) digits += "0123456789abcdef"[word >> shift & 15];
  }
  return digits;
}

}  // namespace layoutcheck
