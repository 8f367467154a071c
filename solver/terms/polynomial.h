// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Polynomials over atoms: variables, quotients and remainders. A term's normal form is the polynomial that its + - *
// make, so terms that are equal by the laws of a ring have the same polynomial.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>
#include "layoutcheck/core/base/wide_integer.h"

namespace layoutcheck {

using AtomId = uint32_t;
// The number of a product of atoms; 0 is the empty product.
using MonomialId = uint32_t;

// A sum of addends coefficient * monomial, sorted by monomial, without repetition and zeros, of the Ring that made it.
struct Polynomial {
  std::vector<std::pair<MonomialId, Int128>> addends;

  bool IsZero() const { return addends.empty(); }
  bool IsConstant() const { return addends.empty() || (addends.size() == 1 && addends[0].first == 0); }
  // Returns the addend without atoms.
  Int128 Constant() const { return !addends.empty() && addends[0].first == 0 ? addends[0].second : Int128{0}; }

  bool operator==(const Polynomial&) const = default;
  auto operator<=>(const Polynomial&) const = default;
};

enum class AtomKind : uint8_t { kVariable, kFloorDiv, kMod };

// The atoms and monomials of one proof and the arithmetic of its polynomials. Numbers of atoms and monomials follow
// their first use, so a proof has the same numbers on every machine.
class Ring {
 public:
  struct Atom {
    AtomKind kind;
    std::string name;     // name of a variable
    Polynomial dividend;  // dividend of a quotient or remainder
    Polynomial divisor;
  };

  Ring();
  Ring(const Ring&) = delete;
  Ring& operator=(const Ring&) = delete;

  // Returns the same atom for the same name.
  AtomId Variable(const std::string& name);
  // Returns the quotient (kFloorDiv) or remainder (kMod): a number for two numbers, else one atom per pair of
  // arguments.
  Polynomial Division(AtomKind kind, const Polynomial& dividend, const Polynomial& divisor);

  const std::vector<Atom>& atoms() const { return atoms_; }
  const std::vector<AtomId>& monomial(MonomialId id) const { return monomials_[id]; }

  Polynomial FromConstant(Int128 value) const { return FromMonomial(0, value); }
  Polynomial FromAtom(AtomId atom);
  // Returns coefficient * monomial, which is the zero polynomial if the coefficient is 0.
  Polynomial FromMonomial(MonomialId monomial, Int128 coefficient) const;

  Polynomial Add(const Polynomial& a, const Polynomial& b) { return AddScaled(a, b, 1); }
  Polynomial Subtract(const Polynomial& a, const Polynomial& b) { return AddScaled(a, b, -1); }
  Polynomial Multiply(const Polynomial& a, const Polynomial& b);
  Polynomial Plus(const Polynomial& polynomial, Int128 constant) { return Add(polynomial, FromConstant(constant)); }
  Polynomial Times(const Polynomial& polynomial, Int128 factor) { return Multiply(polynomial, FromConstant(factor)); }

  // Returns the atom if the polynomial is a single atom with coefficient 1.
  std::optional<AtomId> AsAtom(const Polynomial& polynomial) const;
  // Returns the monomial with one factor `atom` less, if it has that factor.
  std::optional<MonomialId> DivideByAtom(MonomialId monomial, AtomId atom);
  std::optional<MonomialId> DivideMonomial(MonomialId monomial, MonomialId divisor);

  // Returns the polynomial's value, or an overflow if it does not fit 128 bits or a variable has no value. `atoms`
  // caches the values of the first atoms at the same point and is extended.
  WideInteger ValueAt(const std::map<std::string, int64_t>& variables, std::vector<WideInteger>& atoms,
                      const Polynomial& polynomial) const;

  // True after a coefficient did not fit 126 bits or a product was too long. Later results are then meaningless.
  bool overflow() const { return overflow_; }
  void SetOverflow() { overflow_ = true; }

  // Returns "2*N*div!3 + i0 - 1", with the atoms as AtomName or `name` spells them.
  std::string ToString(const Polynomial& polynomial) const;
  std::string ToString(const Polynomial& polynomial, const std::function<std::string(AtomId)>& name) const;
  // Returns the variable's name, or div!5 or mod!6.
  std::string AtomName(AtomId atom) const;

 private:
  struct MonomialHash {
    size_t operator()(const std::vector<AtomId>& atoms) const;
  };

  WideInteger SumOf(const Polynomial& polynomial, const std::vector<WideInteger>& atoms) const;
  Polynomial AddScaled(const Polynomial& a, const Polynomial& b, Int128 scale);
  MonomialId Intern(std::vector<AtomId> atoms);
  MonomialId MultiplyMonomials(MonomialId a, MonomialId b);
  Int128 Checked(WideInteger value);

  std::vector<Atom> atoms_;
  std::unordered_map<std::string, AtomId> variables_;
  std::map<std::pair<AtomKind, std::pair<Polynomial, Polynomial>>, AtomId> divisions_;
  std::vector<std::vector<AtomId>> monomials_;  // sorted atoms of each monomial, with repetition
  std::unordered_map<std::vector<AtomId>, MonomialId, MonomialHash> monomial_ids_;
  std::unordered_map<uint64_t, MonomialId> products_;
  bool overflow_ = false;
};

}  // namespace layoutcheck
