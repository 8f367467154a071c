// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the steps that lead from a sequent's hypotheses to its goals: which lemma instances, in which order, and by
// which facts each premise and each goal follows. Not trusted: a checker follows each step again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>
#include "layoutcheck/solver/certificate/certificate.h"
#include "layoutcheck/solver/steps/rational.h"

namespace layoutcheck {

// A polynomial with rational coefficients, as a vector over the monomials; that of 0 is its constant.
using LinearForm = SparseVector<MonomialId>;

// Finds the multipliers by which inequalities add up to another one (Farkas), with Z3's simplex on the dual question.
class MultiplierSearch {
 public:
  // `rlimit` is Z3's budget per question, in its units of work.
  explicit MultiplierSearch(uint64_t rlimit);
  ~MultiplierSearch();

  // Returns a multiplier >= 0 for each form such that target - sum of multiplier * form is a constant > -1, or nothing
  // if none are found.
  std::optional<std::vector<Rational>> Find(const LinearForm& target, std::span<const LinearForm* const> forms);

 private:
  struct Z3;
  std::unique_ptr<Z3> z3_;
};

// The number of a fact, from 0.
using FactNumber = uint32_t;
// Multipliers of facts.
using Combination = SparseVector<FactNumber>;

// The statement polynomial >= 0 or polynomial = 0.
struct PolynomialFact {
  Polynomial polynomial;
  bool is_equation = false;
};

// Returns b - a >= 0 for a <= b, b - a - 1 >= 0 for a < b, and a - b = 0 for a = b.
PolynomialFact FactOf(Ring& ring, const Relation& relation);

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

// The facts that a sequent's steps have established, and how others follow from them by linear arithmetic over the
// rationals with one rounding (docs/certificates.md, "Polynomials and facts").
class KnownFacts {
 public:
  // `rlimit` is Z3's budget per question, in its units of work.
  KnownFacts(const Ring& ring, uint64_t rlimit) : ring_(ring), search_(rlimit) {}

  // Adds a fact under the next number.
  void Add(const PolynomialFact& fact);

  // Returns how the statement follows from the facts, or nothing if it was not found to.
  std::optional<Justification> Show(const PolynomialFact& statement, Effort effort = Effort::kSearch);
  // Returns the polynomial, with monomials replaced that an equation determines, times a factor that makes it integral.
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
  std::map<MonomialId, Row> equations_;  // equations by their pivot, the last monomial, whose coefficient is 1
  std::vector<Row> inequalities_;        // inequalities without pivots; a form without entries is one that was replaced
  std::map<MonomialId, std::vector<size_t>> places_;     // inequalities that have or had this monomial
  std::map<LinearForm, std::vector<size_t>> parallels_;  // inequalities by their form without constant, scaled
};

// One step, which adds facts: the conclusions of a lemma instance, whose premises follow from earlier facts, or the
// fact `cut` >= 0, which itself follows from earlier facts.
struct ProofStep {
  const LemmaInstance* instance = nullptr;  // null for a cut
  Polynomial cut = {};
  std::vector<Justification> premises;

  size_t FactCount() const { return instance == nullptr ? 1 : instance->conclusions.size(); }
};

// Facts are numbered from 0: the hypotheses, then the conclusions of each step in order.
struct ProofSteps {
  std::vector<ProofStep> steps;
  std::vector<Justification> goals;
  // The combination of facts that is a contradiction. If there is one, `goals` is empty.
  std::optional<Combination> contradiction;
};

// A statement whose steps are wanted, over the ring of a certificate.
struct Sequent {
  std::vector<Relation> hypotheses;
  std::vector<Relation> goals;
  std::vector<LemmaInstance> instances = {};  // instances besides those of the certificate
};

// Returns the steps that are needed from the hypotheses and lemma instances of the certificate to the goals, or why
// there are none. `rlimit` is Z3's budget per question, in its units of work.
std::expected<ProofSteps, std::string> FindProofSteps(Certificate& certificate, const Sequent& sequent,
                                                      uint64_t rlimit);

}  // namespace layoutcheck
