// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The conditions that the evaluation of a formula meets on one path. A certificate says how each goes.
#pragma once

#include <cstdint>
#include <expected>
#include <utility>
#include "layoutcheck/verify/formulas/formula.h"
#include "layoutcheck/verify/formulas/outcomes.h"
#include "layoutcheck/verify/proof/lines.h"
#include "layoutcheck/verify/proof/statement.h"

namespace layoutcheck::verify {

template <class T>
std::unexpected<Refusal> Refused(Checked<T>& failed) {
  return std::unexpected(std::move(failed.error()));
}

// Requires 0 <= exponent <= 126.
inline Int128 PowerOfTwo(int64_t exponent) { return Int128{1} << exponent; }

// Asks conditions about polynomials: numbers answer them, and outcomes the others.
class Conditions {
 public:
  // Adds hypotheses and goals to the statement.
  Conditions(Statement& statement, Outcomes& outcomes) : statement_(statement), outcomes_(outcomes) {}

  // Return true if the relation holds on this path, as an outcome says or as two constants do.
  Checked<bool> IsLessEqual(Polynomial a, Polynomial b) { return Ask(a, b, /*is_strict=*/false); }
  Checked<bool> IsLess(Polynomial a, Polynomial b) { return Ask(a, b, /*is_strict=*/true); }
  Checked<bool> IsEqual(Polynomial a, Polynomial b);
  // Requires the operator of a comparison.
  Checked<bool> Compare(Operator op, Polynomial a, Polynomial b);
  // Returns true if least <= x <= most; does not ask the second if the first does not hold.
  Checked<bool> IsBetween(Polynomial least, Polynomial x, Polynomial most);

  // Returns the number that x is, which is one from `least` to `most`.
  Checked<int64_t> NumberBetween(Polynomial x, int64_t least, int64_t most);
  // Returns the number that x is, which an outcome says, or a search among up to 2^bits numbers.
  Checked<int64_t> NumberOf(Polynomial x, int bits);

 private:
  Checked<bool> Ask(Polynomial a, Polynomial b, bool is_strict);
  Polynomial Number(Int128 value) { return statement_.Number(value); }

  Statement& statement_;
  Outcomes& outcomes_;
};

}  // namespace layoutcheck::verify
