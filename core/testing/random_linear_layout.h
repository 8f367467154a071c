// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random linear layouts for tests.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <string_view>
#include <utility>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/linear/linear_layout.h"

namespace layoutcheck {

struct RandomLinearOptions {
  size_t max_bits = 8;  // largest number of bits of all inputs together, and of all outputs together
  std::string_view input_letter = "i";
  std::string_view output_letter = "o";
  std::optional<std::vector<size_t>> input_bits = std::nullopt;  // bits per input; random if absent
};

// Returns up to three sizes in bits whose sum is at most `bits`.
inline std::vector<size_t> RandomBits(std::mt19937_64& random, size_t bits) {
  std::vector<size_t> parts(random() % 4);
  for (size_t& part : parts) {
    part = random() % (bits + 1);
    bits -= part;
  }
  return parts;
}

// Returns the sizes of the outputs in bits.
inline std::vector<size_t> OutputBits(const LinearLayout& layout) {
  std::vector<size_t> bits;
  for (const LinearOutput& output : layout.outputs()) bits.push_back(output.bits);
  return bits;
}

// Returns a layout with images that are single bits, zero, or any.
inline LinearLayout RandomLinearLayout(std::mt19937_64& random, const RandomLinearOptions& options) {
  std::vector<LinearOutput> outputs;
  size_t output_bits = 0;
  for (const size_t bits : RandomBits(random, options.max_bits)) {
    outputs.push_back({StrCat(options.output_letter, outputs.size()), bits});
    output_bits += bits;
  }
  std::vector<LinearInput> inputs;
  const std::vector<size_t> input_bits = options.input_bits.value_or(RandomBits(random, options.max_bits));
  for (const size_t bits : input_bits) {
    std::vector<uint64_t> images(bits);
    for (uint64_t& image : images) {
      const uint64_t any = random() & ((uint64_t{1} << output_bits) - 1);
      const uint64_t single = output_bits == 0 ? 0 : uint64_t{1} << random() % output_bits;
      image = random() % 2 == 0 ? any : random() % 5 == 0 ? 0 : single;
    }
    inputs.push_back({StrCat(options.input_letter, inputs.size()), std::move(images)});
  }
  return LinearLayout::Create(std::move(inputs), std::move(outputs)).value();
}

}  // namespace layoutcheck
