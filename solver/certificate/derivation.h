// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The part of a certificate that the untrusted room `rewrite` may write: normal forms and lemma instances. No function
// here adds a hypothesis or a goal, so a wrong call can make a certificate useless but not its statement weaker.
#pragma once

#include <cstdint>
#include <set>
#include <utility>
#include <vector>
#include "layoutcheck/solver/certificate/lemma.h"
#include "layoutcheck/solver/terms/polynomial.h"
#include "layoutcheck/solver/terms/term.h"

namespace layoutcheck {

struct Relation {
  TermRelation::Kind kind;
  Polynomial left;
  Polynomial right;
};

// A lemma with polynomials in place of its parameters.
struct LemmaInstance {
  const Lemma* lemma;
  std::vector<Polynomial> arguments;
  std::vector<Relation> premises;
  std::vector<Relation> conclusions;
};

// The terms and polynomials of one proof, and the lemma instances that it uses.
class Derivation {
 public:
  Derivation() = default;
  Derivation(const Derivation&) = delete;
  Derivation& operator=(const Derivation&) = delete;

  // Returns the context that owns the terms of the statement.
  TermContext& terms() { return terms_; }
  const TermContext& terms() const { return terms_; }
  Ring& ring() { return ring_; }
  const Ring& ring() const { return ring_; }

  // Returns the normal form of a term of terms().
  Polynomial Normalize(const Term& term);
  // The normal forms of the first nodes of terms(), as many as were needed.
  const std::vector<Polynomial>& normal_forms() const { return node_polynomials_; }

  // Adds the lemma instance with these arguments unless it is there.
  void Apply(LemmaId lemma, std::vector<Polynomial> arguments);
  const std::vector<LemmaInstance>& instances() const { return instances_; }
  // Adds a polynomial that follows to be >= 0 from hypotheses, instances and earlier suggestions by linear arithmetic.
  // It only helps to find the steps of the proof.
  void Suggest(const Polynomial& not_negative) { suggestions_.push_back(not_negative); }
  const std::vector<Polynomial>& suggestions() const { return suggestions_; }
  // Returns a node of LemmaTerms() with `arguments` in place of the parameters of the lemma.
  Polynomial Instantiate(const Lemma& lemma, const std::vector<Polynomial>& arguments, uint32_t node);

 protected:
  ~Derivation() = default;
  Polynomial InstantiateTerm(const Lemma& lemma, const std::vector<Polynomial>& arguments, const Term& term);
  std::vector<Relation> InstantiateAll(const Lemma& lemma, const std::vector<Polynomial>& arguments,
                                       const std::vector<TermRelation>& relations);

 private:
  TermContext terms_;
  Ring ring_;
  std::vector<Polynomial> node_polynomials_;  // normal form of each node of terms_
  std::vector<LemmaInstance> instances_;
  std::set<std::pair<LemmaId, std::vector<Polynomial>>> applied_;
  std::vector<Polynomial> suggestions_;
};

}  // namespace layoutcheck
