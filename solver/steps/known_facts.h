// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The facts that a sequent's steps have established, and how others follow from them by linear arithmetic over the
// rationals with one rounding (docs/certificates.md, section 3). Not trusted: a checker follows each step again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>
#include "layoutcheck/solver/certificate/derivation.h"
#include "layoutcheck/solver/steps/multipliers.h"
#include "layoutcheck/solver/steps/rational.h"
#include "layoutcheck/solver/terms/polynomial.h"

namespace layoutcheck {

// The number of a fact, from 0.
using FactNumber = uint32_t;
// Multipliers of facts.
using Combination = SparseVector<FactNumber>;

// The statement polynomial >= 0 or polynomial = 0.
struct Fact {
  Polynomial polynomial;
  bool is_equation = false;
};

// Returns b - a >= 0 for a <= b, b - a - 1 >= 0 for a < b, and a - b = 0 for a = b.
Fact FactOf(Ring& ring, const Relation& relation);

// The reason why a statement follows from facts. `above` shows p >= 0. For p = 0, either `above` has equations alone,
// or `below` shows -p >= 0.
struct Justification {
  Combination above;
  std::optional<Combination> below;
};

// The combinations of facts that a search tries.
enum class Effort : uint8_t {
  kDirect,  // equations and one inequality
  kSearch,  // any combination
};

class KnownFacts {
 public:
  // `rlimit` is Z3's budget per question, in its units of work.
  KnownFacts(const Ring& ring, uint64_t rlimit) : ring_(ring), search_(rlimit) {}

  // Adds a fact under the next number.
  void Add(const Fact& fact);
  size_t size() const { return count_; }

  // Returns how the statement follows from the facts, or nothing if it was not found to.
  std::optional<Justification> Show(const Fact& statement, Effort effort = Effort::kSearch);
  // Returns the polynomial with each monomial replaced that an equation determines, times a positive factor that makes
  // the coefficients integers.
  std::optional<Polynomial> Reduced(const Polynomial& polynomial) const;
  // Returns how -1 >= 0 follows from the facts.
  std::optional<Combination> ShowContradiction();

 private:
  // Monomials are sorted by these keys, and equations replace the last one: a remainder if there is one, and a quotient
  // only if there is nothing else. So a division replaces its remainder, which has no factor.
  uint32_t KeyOf(MonomialId monomial) const;
  LinearForm FormOf(const Polynomial& polynomial, Int128 factor = 1) const;
  // A form that is the combination of facts, and 0 or, in an inequality, >= 0.
  struct Row {
    LinearForm form;
    Combination combination;
  };

  // Returns the form with the equations' pivots replaced, and `combination` with the equations that replaced them.
  Row Reduce(LinearForm form, Combination combination) const;
  void AddEquation(const Row& row);
  void AddInequality(Row row);
  std::optional<Combination> ShowNotNegative(const LinearForm& form, Effort effort);
  // Finds one inequality that differs from the target by a factor and a constant.
  std::optional<Combination> ShowByParallel(const Row& target) const;
  std::optional<Combination> ShowBySearch(const Row& target);
  // Returns the inequalities that share a monomial with the target, with one of these and so on, `radius` times.
  std::vector<size_t> Neighbors(const LinearForm& target, int radius) const;

  const Ring& ring_;
  MultiplierSearch search_;
  size_t count_ = 0;
  std::map<MonomialId, Row> equations_;  // by their pivot, the last monomial, whose coefficient is 1
  std::vector<Row> inequalities_;        // without pivots; a form without entries stands for one that was replaced
  std::map<MonomialId, std::vector<size_t>> places_;     // inequalities that have or had this monomial
  std::map<LinearForm, std::vector<size_t>> parallels_;  // inequalities by their form without constant, scaled
};

}  // namespace layoutcheck
