// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shows inequalities between polynomials by linear arithmetic over all known facts and, if needed, their products.
#pragma once

#include <cstdint>
#include <set>
#include <vector>
#include "layoutcheck/solver/rewrite/atom_samples.h"
#include "layoutcheck/solver/rewrite/linear_facts.h"
#include "layoutcheck/solver/rewrite/replace_atom.h"

namespace layoutcheck {

// The facts that are known on one path. All polynomials in its interface are canonical.
class InequalityProver {
 public:
  // `rlimit` is Z3's budget per question; `samples` are points at which the statement's variables may be.
  InequalityProver(Derivation& derivation, uint64_t rlimit, const std::vector<NamedValues>& samples);

  // Adds the fact `not_negative` >= 0, which the derivation implies.
  void AddFact(const Polynomial& not_negative);
  // Records a product that occurs in a hypothesis: proofs may multiply other facts until they contain it.
  void AddWantedProduct(MonomialId product) { wanted_products_.insert(product); }
  // Derives that a product of at most 8 atoms, none of them negative, is at least each product of some of them that
  // leaves out positive ones only.
  void AddPartsOfProduct(MonomialId product);

  // Each returns true if it showed the claim; the derivation implies it then.
  bool ShowNotNegative(const Polynomial& polynomial);
  bool ShowZero(const Polynomial& polynomial);
  // 0 <= polynomial < bound.
  bool ShowInRange(const Polynomial& polynomial, const Polynomial& bound);

  // Divides all coefficients by the common factor of the unknowns' coefficients. The result is >= 0 if and only if the
  // argument is.
  Polynomial DivideOutFactor(const Polynomial& not_negative);

  const std::vector<Polynomial>& facts() const { return facts_; }
  // The points that agree with all hypotheses.
  AtomSamples& samples() { return samples_; }
  const AtomSamples& samples() const { return samples_; }
  int64_t questions() const { return linear_.questions(); }

 private:
  // Uses products of facts whose monomials have at most `degree` atoms.
  bool ShowByProducts(const Polynomial& polynomial, size_t degree);
  // Derives that the product of a product and an atom that are >= 0 is, too, and returns it.
  Polynomial MultiplyNotNegative(const Polynomial& product, const Polynomial& atom);
  bool KnownNotNegative(MonomialId monomial) const;

  Derivation& derivation_;
  Ring& ring_;
  LinearFacts linear_;
  AtomSamples samples_;
  std::vector<Polynomial> facts_;  // all >= 0
  std::set<MonomialId> wanted_products_;
  std::set<AtomId> not_negative_;
};

}  // namespace layoutcheck
