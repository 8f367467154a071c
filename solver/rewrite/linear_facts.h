// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decides which linear inequalities follow from which, with each monomial as an unknown. Decides over the rationals by
// Z3's simplex and rounds once, so it is quick. Not trusted: it only finds proofs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>
#include "layoutcheck/solver/terms/polynomial.h"

namespace layoutcheck {

// Facts of the form polynomial >= 0.
class LinearFacts {
 public:
  // `rlimit` is Z3's budget per question, in its units of work.
  explicit LinearFacts(uint64_t rlimit);
  ~LinearFacts();
  LinearFacts(const LinearFacts&) = delete;
  LinearFacts& operator=(const LinearFacts&) = delete;

  void Add(const Polynomial& not_negative);

  // Returns true if polynomial <= -1 contradicts the facts over the rationals, so that polynomial >= 0 for integers;
  // false if not or if the budget is spent.
  bool Imply(const Polynomial& polynomial);
  // Decides the same with the additional facts candidates[k] >= 0. Returns the indices of those that are needed.
  std::optional<std::vector<size_t>> ImplyWith(const Polynomial& polynomial, std::span<const Polynomial> candidates);

  int64_t questions() const;

 private:
  struct Z3;
  std::unique_ptr<Z3> z3_;
};

}  // namespace layoutcheck
