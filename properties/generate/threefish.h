// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The block cipher Threefish-256 in counter mode. Source: The Skein Hash Function Family, version 1.3, section 3.3.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace layoutcheck {

// Encrypts the plain texts (0, counter, 0, 0), (0, counter + 4, 0, 0), ... with a key of four words. Writes the blocks
// of four words one after another to `out`, and returns the number of words, at most kMostEncrypted.
using EncryptBlocks = size_t (*)(const uint64_t* key, uint64_t counter, uint64_t* out);
inline constexpr size_t kMostEncrypted = 64;

// Returns the functions that this machine can run, the fastest one first. They differ in the number of blocks only.
std::span<const EncryptBlocks> ThreefishFunctions();

}  // namespace layoutcheck
