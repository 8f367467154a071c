// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace layoutcheck {

// The hash SHA-256 (FIPS 180-4) of bytes that come piece by piece. Equal hashes stand for equal contents.
class Sha256 {
 public:
  void Add(std::string_view bytes);
  // Ends the text and returns its hash as 64 lower-case hexadecimal digits.
  std::string Digits();

 private:
  static constexpr size_t kBlock = 64;  // in bytes

  void AddBlock(const char* bytes);

  std::array<uint32_t, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<char, kBlock> rest_{};  // bytes that fill no block yet
  size_t rest_size_ = 0;
  uint64_t size_ = 0;  // of the whole text, in bytes
};

// Returns the hash of a text as 64 hexadecimal digits.
inline std::string Sha256Digits(std::string_view text) {
  Sha256 hash;
  hash.Add(text);
  return hash.Digits();
}

}  // namespace layoutcheck
