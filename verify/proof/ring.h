// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The polynomials of a certificate: integer coefficients over atoms, which are variables, quotients, remainders
// and the common bits of two polynomials.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/core/base/wide_integer.h"
#include "layoutcheck/verify/proof/hash_index.h"

namespace layoutcheck::verify {

// A product of atoms, as its number in the ring. Equal products have one number.
using Monomial = uint32_t;
inline constexpr Monomial kOne = 0;  // the empty product

// A coefficient times a product of atoms.
struct Addend {
  Int128 coefficient;
  Monomial monomial;
  bool operator==(const Addend&) const = default;
};

// A polynomial, as a place in the memory of its ring: addends with nonzero coefficients, in the order of monomials.
struct Polynomial {
  uint32_t begin = 0;
  uint32_t size = 0;
};

enum class AtomKind : uint8_t { kVariable, kFloorDiv, kMod, kCommonBits };

// The ring of one statement. Polynomials are computed in one sum at a time: StartSum(), then additions, then the end of
// the sum by FinishSum() or ConstantSum(). Where a result is too large, fault() says so and results mean nothing.
class Ring {
 public:
  Ring();

  // Makes room for the polynomials of many steps, so that they are not copied while their number grows.
  void ReserveForSteps();
  // Returns a new variable.
  Polynomial NewVariable(std::string name);
  Polynomial Constant(Int128 value);
  Polynomial Sum(Polynomial a, Polynomial b);
  Polynomial Difference(Polynomial a, Polynomial b);
  Polynomial Product(Polynomial a, Polynomial b);
  // Return the quotient and the remainder of two constants with a positive divisor as constants, others as atoms.
  Polynomial FloorDiv(Polynomial a, Polynomial b) { return Divide(AtomKind::kFloorDiv, a, b); }
  Polynomial Mod(Polynomial a, Polynomial b) { return Divide(AtomKind::kMod, a, b); }
  // Returns a & b in two's complement: computed for two constants, otherwise an atom, the same for b & a.
  Polynomial CommonBits(Polynomial a, Polynomial b);
  // Returns (a + b - 1) floordiv b.
  Polynomial CeilDiv(Polynomial a, Polynomial b);

  std::optional<Int128> ConstantValue(Polynomial a) const;
  bool Equal(Polynomial a, Polynomial b) const;
  // Returns the monomial of a polynomial that is one atom, or nothing.
  std::optional<Monomial> AsAtom(Polynomial a) const;
  std::string ToText(Polynomial a) const;

  void StartSum();
  void Add(Polynomial a, Int128 factor = 1);
  void AddProduct(Polynomial a, Polynomial b, Int128 factor = 1);
  void AddMonomial(Monomial monomial, Int128 coefficient);
  Polynomial FinishSum();
  // Returns the value of the sum if it is a constant, or nothing. The sum has ended then.
  std::optional<Int128> ConstantSum() const;
  // Ends the sum and returns it as text, for messages.
  std::string SumText();

  Monomial Product(Monomial a, Monomial b);

  // Returns the name of the limit that was passed; empty if none was.
  std::string_view fault() const { return fault_; }

 private:
  struct Atom {
    AtomKind kind;
    uint32_t name;     // index in names_; only for a variable
    Polynomial a;      // dividend, or the operand that is less in the order of polynomials
    Polynomial b;      // divisor, or the other operand
    Polynomial value;  // the atom itself
  };
  struct Factors {
    uint32_t begin;  // index in factors_
    uint32_t size;
    uint64_t hash;  // sum of the hashes of the factors, so that a product's hash is the sum of its operands' hashes
  };
  // A coefficient of the present sum. It counts if `sum` is the number of the present sum, and is 0 otherwise.
  struct Slot {
    Int128 coefficient = 0;
    uint64_t sum = 0;
  };

  std::span<const Addend> AddendsOf(Polynomial a) const { return std::span(addends_).subspan(a.begin, a.size); }
  std::span<const uint32_t> FactorsOf(Monomial m) const {
    return std::span(factors_).subspan(monomials_[m].begin, monomials_[m].size);
  }
  Polynomial Divide(AtomKind kind, Polynomial a, Polynomial b);
  // Returns the atom with these operands, a new one only if there is none.
  Polynomial AtomOf(AtomKind kind, Polynomial a, Polynomial b);
  Polynomial NewAtom(Atom atom);
  // Returns the monomial of sorted_, a sorted list of atoms whose hashes have this sum.
  Monomial Intern(uint64_t hash);
  Int128 Times(Int128 a, Int128 b);
  uint64_t HashOf(Polynomial a) const;
  void AppendText(std::string& out, Polynomial a) const;
  void AppendAtom(std::string& out, uint32_t atom) const;

  std::vector<Addend> addends_;     // addends of all polynomials
  std::vector<uint32_t> factors_;   // atoms of all monomials, sorted per monomial
  std::vector<Factors> monomials_;  // one per monomial
  std::vector<Atom> atoms_;
  std::vector<std::string> names_;
  HashIndex monomial_index_;
  HashIndex atom_index_;           // finds atoms with operands
  HashIndex products_;             // finds the product of two monomials
  std::vector<Slot> slots_;        // one per monomial
  std::vector<Monomial> touched_;  // monomials of the present sum, without repetition
  uint64_t sum_ = 0;               // number of the present sum
  std::vector<uint32_t> sorted_;
  std::string_view fault_;
};

}  // namespace layoutcheck::verify
