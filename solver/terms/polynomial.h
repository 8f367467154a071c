// Polynomials with integer coefficients over atoms: variables, and quotients and remainders that are not worked out.
// The normal form of a term as far as + - * go: terms that are equal by the laws of a ring have the same polynomial.
#ifndef LAYOUTCHECK_SOLVER_TERMS_POLYNOMIAL_H_
#define LAYOUTCHECK_SOLVER_TERMS_POLYNOMIAL_H_

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "layoutcheck/core/base/wide_integer.h"

namespace layoutcheck {

using AtomId = uint32_t;
// A product of atoms; 0 is the empty product.
using MonomialId = uint32_t;

// A sum of coefficient * monomial, no monomial twice, no coefficient 0, sorted by monomial. Belongs to the Ring that
// made it.
struct Polynomial {
  std::vector<std::pair<MonomialId, Int128>> addends;

  bool IsZero() const { return addends.empty(); }
  bool IsConstant() const { return addends.empty() || (addends.size() == 1 && addends[0].first == 0); }
  // The constant term.
  Int128 Constant() const { return !addends.empty() && addends[0].first == 0 ? addends[0].second : Int128{0}; }

  bool operator==(const Polynomial&) const = default;
  auto operator<=>(const Polynomial&) const = default;
};

enum class AtomKind : uint8_t { kVariable, kFloorDiv, kMod };

// The atoms, monomials and polynomials of one proof, numbered in the order in which they are first met: the same proof
// gives the same numbers on every machine.
class Ring {
 public:
  struct Atom {
    AtomKind kind;
    std::string name;     // of a variable
    Polynomial dividend;  // of the others
    Polynomial divisor;
  };

  Ring();
  Ring(const Ring&) = delete;
  Ring& operator=(const Ring&) = delete;

  // The variable of that name, the same atom for the same name.
  AtomId Variable(const std::string& name);
  // The quotient (kFloorDiv) or remainder (kMod) of two polynomials: computed where both are constants, otherwise an
  // atom, the same one for the same arguments.
  Polynomial Division(AtomKind kind, const Polynomial& dividend, const Polynomial& divisor);

  const std::vector<Atom>& atoms() const { return atoms_; }
  const std::vector<AtomId>& monomial(MonomialId id) const { return monomials_[id]; }
  size_t monomial_count() const { return monomials_.size(); }

  Polynomial FromConstant(Int128 value) const;
  Polynomial FromAtom(AtomId atom);
  // coefficient * monomial; zero where the coefficient is.
  Polynomial FromMonomial(MonomialId monomial, Int128 coefficient) const;

  Polynomial Add(const Polynomial& a, const Polynomial& b) { return AddScaled(a, b, 1); }
  Polynomial Subtract(const Polynomial& a, const Polynomial& b) { return AddScaled(a, b, -1); }
  Polynomial Multiply(const Polynomial& a, const Polynomial& b);
  // polynomial + constant
  Polynomial Plus(const Polynomial& polynomial, Int128 constant) { return Add(polynomial, FromConstant(constant)); }
  // polynomial * factor
  Polynomial Times(const Polynomial& polynomial, Int128 factor) { return Multiply(polynomial, FromConstant(factor)); }

  // The atom where the polynomial is one, alone and with coefficient 1.
  std::optional<AtomId> AsAtom(const Polynomial& polynomial) const;
  // The monomial with one `atom` less, where it has one.
  std::optional<MonomialId> DivideByAtom(MonomialId monomial, AtomId atom);
  // monomial / divisor where that is a monomial.
  std::optional<MonomialId> DivideMonomial(MonomialId monomial, MonomialId divisor);

  // The value where the variables have these values; overflow where it does not fit 128 bits or a variable has none.
  // `atoms` are the values of the first atoms there, and get those of the others.
  WideInteger ValueAt(const std::map<std::string, int64_t>& variables, std::vector<WideInteger>& atoms,
                      const Polynomial& polynomial) const;

  // A coefficient did not fit 128 bits, or a product had too many terms: nothing that was computed since may be relied
  // on.
  bool overflow() const { return overflow_; }
  void SetOverflow() { overflow_ = true; }

  // "2*N*div!3 + i0 - 1", with atoms as AtomName gives them.
  std::string ToString(const Polynomial& polynomial) const;
  // The variable's name, div!5 or mod!6.
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
  std::vector<std::vector<AtomId>> monomials_;  // sorted atoms, with repetition
  std::unordered_map<std::vector<AtomId>, MonomialId, MonomialHash> monomial_ids_;
  std::unordered_map<uint64_t, MonomialId> products_;
  bool overflow_ = false;
};

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_SOLVER_TERMS_POLYNOMIAL_H_
