// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/fitting/offset_line.h"

namespace layoutcheck {
namespace {

// Subtracts modulo 2^64.
int64_t Minus(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) - static_cast<uint64_t>(b));
}

}  // namespace

std::vector<int64_t> LineOf(const ElementOffsets& table, size_t dimension) {
  std::vector<int64_t> line;
  std::vector<int64_t> coordinate(table.sizes.size(), 0);
  for (int64_t x = 0; x < table.sizes[dimension]; ++x) {
    coordinate[dimension] = x;
    line.push_back(Minus(table.At(coordinate), table.offsets.front()));
  }
  return line;
}

std::vector<LineDigit> DigitsOf(std::vector<int64_t> line) {
  std::vector<LineDigit> digits;
  while (line.size() > 1) {
    const int64_t stride = line[1];
    size_t radix = 2;
    while (radix < line.size() && Minus(line[radix], line[radix - 1]) == stride) ++radix;
    if (radix == line.size()) {
      digits.push_back({std::nullopt, stride});
      break;
    }
    digits.push_back({static_cast<int64_t>(radix), stride});
    std::vector<int64_t> rest;
    for (size_t x = 0; x < line.size(); x += radix) rest.push_back(line[x]);
    line = std::move(rest);
  }
  return digits;
}

}  // namespace layoutcheck
