// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the multipliers by which inequalities add up to another one (Farkas), with Z3's simplex on the dual question.
// Not trusted: a checker adds them up again.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>
#include "layoutcheck/solver/steps/rational.h"
#include "layoutcheck/solver/terms/polynomial.h"

namespace layoutcheck {

// A polynomial with rational coefficients, as a vector over the monomials; that of 0 is its constant.
using LinearForm = SparseVector<MonomialId>;

class MultiplierSearch {
 public:
  // `rlimit` is Z3's budget per question, in its units of work.
  explicit MultiplierSearch(uint64_t rlimit);
  ~MultiplierSearch();
  MultiplierSearch(const MultiplierSearch&) = delete;
  MultiplierSearch& operator=(const MultiplierSearch&) = delete;

  // Returns a multiplier >= 0 for each form such that target - sum of multiplier * form is a constant > -1, or nothing
  // if there are none or the budget is spent.
  std::optional<std::vector<Rational>> Find(const LinearForm& target, std::span<const LinearForm* const> forms);

 private:
  struct Z3;
  std::unique_ptr<Z3> z3_;
};

}  // namespace layoutcheck
