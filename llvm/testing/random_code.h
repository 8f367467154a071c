// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random functions of C over integers, for tests that compare what is made of them.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace layoutcheck {

struct RandomType {
  int bits = 32;  // 8, 16, 32 or 64
  bool is_signed = true;

  std::string Text() const;  // "uint8_t"
};

struct RandomFunction {
  std::string name;
  std::vector<RandomType> parameters;  // integers
  std::vector<RandomType> elements;    // of the array to which the last parameter points; empty for no such parameter
  RandomType result;
  std::string text;

  size_t arguments() const { return parameters.size() + elements.size(); }
};

enum class CodeSize : uint8_t {
  kSmall,  // a few operations and at most one branch or loop, for proofs
  kLarge,
};

// The beginning of a file with random functions: includes, tables and functions that they call.
std::string RandomCodePrelude();

// Returns a function that ends for all arguments: integers of all widths, conversions, shifts, divisions, bounded
// loops, tables, switches, local arrays and structs, calls. Some arguments lead to undefined behavior, most do not.
RandomFunction DrawFunction(const std::string& name, std::mt19937& random, CodeSize size = CodeSize::kLarge);

}  // namespace layoutcheck
