// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shows inequalities between polynomials by linear arithmetic over all known facts and, if needed, their products.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>
#include "layoutcheck/solver/rewrite/linear_facts.h"
#include "layoutcheck/solver/rewrite/replace_atom.h"

namespace layoutcheck {

using NamedValues = std::map<std::string, int64_t>;

// Evaluates polynomials at sample points. A claim that is false at one does not follow, which saves most questions to
// Z3.
class AtomSamples {
 public:
  // Each point has a value for every variable of the polynomials, except for those that are defined below.
  AtomSamples(const Ring& ring, const std::vector<NamedValues>& points);

  // Each gives a new variable a value at each point, and drops points at which that does not fit int64: the bits common
  // to all polynomials, or two to the power of the polynomial.
  void DefineConjunction(const std::string& variable, const std::vector<Polynomial>& conjuncts);
  void DefinePower(const std::string& variable, const Polynomial& exponent);
  // Gives a new variable >= 0 a small value at some points and a large one at others. Copies points where they are few.
  void DefineCount(const std::string& variable);

  // Keep the points at which the polynomial is >= 0, or zero.
  void KeepNotNegative(const Polynomial& polynomial);
  void KeepZero(const Polynomial& polynomial);

  // Return true if the polynomial is known to be negative, or other than zero, at a point.
  bool FindNegative(const Polynomial& polynomial);
  bool FindNonzero(const Polynomial& polynomial);

  size_t size() const { return points_.size(); }
  // Returns the first of the points that are left. Requires size() > 0.
  const NamedValues& first() const { return points_.front().names; }
  std::vector<NamedValues> all() const;

 private:
  struct Point {
    NamedValues names;
    std::vector<WideInteger> atoms;
  };

  // Returns nothing where the value is not known.
  std::optional<Int128> Value(Point& point, const Polynomial& polynomial) const;

  const Ring& ring_;
  std::vector<Point> points_;
};

// The facts that are known on one path. All polynomials in its interface are canonical.
class InequalityProver {
 public:
  // `rlimit` is Z3's budget per question; `samples` are points at which the statement's variables may be.
  InequalityProver(Derivation& derivation, uint64_t rlimit, const std::vector<NamedValues>& samples);

  // Adds the fact `not_negative` >= 0, which the derivation implies.
  void AddFact(const Polynomial& not_negative);
  // Records a product that occurs in a hypothesis: proofs may multiply other facts until they contain it.
  void AddWantedProduct(MonomialId product) { wanted_products_.insert(product); }
  // Derives that a product of at most 8 atoms >= 0 is at least each product of some that leaves out positive ones only.
  void AddPartsOfProduct(MonomialId product);
  // Derives that the atoms of a product >= 1 are at least 1, if they are known to be >= 0.
  void AddFactorsOfPositive(MonomialId product);

  // Each returns true if it showed the claim; the derivation implies it then.
  bool ShowNotNegative(const Polynomial& polynomial);
  bool ShowZero(const Polynomial& polynomial);
  // 0 <= polynomial < bound.
  bool ShowInRange(const Polynomial& polynomial, const Polynomial& bound);

  // Divides by the common factor of the unknowns' coefficients. The result is >= 0 if and only if the argument is.
  Polynomial DivideOutFactor(const Polynomial& not_negative);

  const std::vector<Polynomial>& facts() const { return facts_; }
  // The points that agree with all hypotheses.
  AtomSamples& samples() { return samples_; }
  const AtomSamples& samples() const { return samples_; }
  int64_t questions() const { return linear_.questions(); }

 private:
  // A fact times a product of atoms that are >= 0.
  struct Product {
    size_t fact;  // its number among the facts
    MonomialId factor;
    Polynomial value;
    size_t unwanted = 0;  // number of its addends that no question and no candidate has yet
  };

  std::vector<Product> FindProducts(std::span<const MonomialId> sought, size_t degree,
                                    const std::set<MonomialId>& wanted, std::set<std::pair<MonomialId, size_t>>& seen);
  // Shows that the polynomial is >= 0 without memory of earlier questions.
  bool ShowAfresh(const Polynomial& polynomial);
  // Uses products of facts whose monomials have at most `degree` atoms.
  bool ShowByProducts(const Polynomial& polynomial, size_t degree);
  // Derives that the product of a product and an atom that are >= 0 is, too, and returns it.
  Polynomial MultiplyNotNegative(const Polynomial& product, const Polynomial& atom);
  bool KnownNotNegative(MonomialId monomial) const;

  Derivation& derivation_;
  Ring& ring_;
  LinearFacts linear_;
  AtomSamples samples_;
  std::vector<Polynomial> facts_;  // polynomials >= 0
  std::set<MonomialId> wanted_products_;
  std::set<MonomialId> positive_products_;  // products whose factors were derived to be at least 1
  std::set<AtomId> not_negative_;
  // Polynomials that were shown to be >= 0, and those that were not, each with the number of facts and wanted products
  // at that time: code asks the same of a value once per operation that uses it.
  std::set<Polynomial> shown_;
  std::map<Polynomial, size_t> not_shown_;
};

}  // namespace layoutcheck
