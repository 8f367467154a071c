// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads polynomials as numbers in mixed radix: 128 * a + b with 0 <= b < 128 has the digits a and b.
#pragma once

#include <optional>
#include <vector>
#include "layoutcheck/solver/terms/polynomial.h"

namespace layoutcheck {

// A number with 0 <= value < bound. The derivation bounds `known_as`, which equals `value` in coarser digits.
struct BoundedDigit {
  Polynomial value;
  Polynomial bound;
  Polynomial known_as;
};

// The number major * radix + minor, where 0 <= major < major_size and 0 <= minor < radix.
struct RadixStep {
  Polynomial major;
  Polynomial major_size;
  Polynomial minor;
  Polynomial radix;
};

struct MixedRadixReading {
  std::vector<RadixStep> steps;  // from the most minor digit to the most major one
  Polynomial bound;              // product of the sizes of the digits; the number is below it
};

// Returns a reading of `number` in the given digits, or nothing. With `limit`, the reading also shows number < limit.
std::optional<MixedRadixReading> ReadMixedRadix(Ring& ring, const Polynomial& number,
                                                const std::vector<BoundedDigit>& digits,
                                                const std::optional<Polynomial>& limit);

}  // namespace layoutcheck
