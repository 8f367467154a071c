// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Linear inequalities between monomials, each taken for an unknown of its own: which follow from which. Decided over
// the rationals, by Z3's simplex, and rounded once: quick, and never stuck. Used to find proofs; what is found is
// checked again where it matters.
#ifndef LAYOUTCHECK_SOLVER_REWRITE_LINEAR_FACTS_H_
#define LAYOUTCHECK_SOLVER_REWRITE_LINEAR_FACTS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "layoutcheck/solver/terms/polynomial.h"

namespace layoutcheck {

class LinearFacts {
 public:
  // `rlimit` is Z3's budget for one question, in its units of work.
  explicit LinearFacts(uint64_t rlimit);
  ~LinearFacts();
  LinearFacts(const LinearFacts&) = delete;
  LinearFacts& operator=(const LinearFacts&) = delete;

  // From now on, `not_negative` >= 0.
  void Add(const Polynomial& not_negative);

  // Whether the facts leave no rational values with polynomial <= -1: for integers, polynomial >= 0 then. False where
  // that is not so or the budget ran out.
  bool Imply(const Polynomial& polynomial);
  // The same where the `candidates`, too, are >= 0. Returns those that are needed, as indices.
  std::optional<std::vector<size_t>> ImplyWith(const Polynomial& polynomial, std::span<const Polynomial> candidates);

  // How many questions were asked.
  int64_t questions() const;

 private:
  struct Z3;
  std::unique_ptr<Z3> z3_;
};

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_SOLVER_REWRITE_LINEAR_FACTS_H_
