// A symbolic integer for the code that runs: a function template over its integer type, instantiated with it, is run as
// it runs on int64_t, and what it computes is proved for all values (prove_function.h). It has the arithmetic of C++ on
// signed integers without bound: / and % truncate, >> rounds down, comparisons are branches of the program.
//
//   template <class Int>
//   Int Offset(std::span<const Int> index, std::span<const Int> dimensions) {
//     return index[0] * dimensions[1] + index[1];
//   }
#ifndef LAYOUTCHECK_SOLVER_FORMULA_PROOF_SYMBOLIC_INTEGER_H_
#define LAYOUTCHECK_SOLVER_FORMULA_PROOF_SYMBOLIC_INTEGER_H_

#include <concepts>
#include <cstdint>
#include <limits>
#include <utility>

#include "layoutcheck/core/formula/formula.h"
#include "layoutcheck/solver/terms/term.h"

namespace layoutcheck {

// A small value: a number, or an expression that belongs to the run of the function that computed it. Operations on
// expressions are for functions that are being proved; outside of one they throw std::logic_error, as arithmetic
// without a value does (division by zero). Inside, the run ends there, and what it could not do is said in the result.
class SymbolicInteger {
 public:
  SymbolicInteger() = default;  // 0
  template <std::integral T>
  SymbolicInteger(T value) : term_(TermOf(value)) {  // NOLINT(google-explicit-constructor): mixes with literals in code
    Note();
  }

  // The number, where it is one or takes few values, each of which is tried: for subscripts of tables. The run ends
  // where it takes many, or where T does not hold it.
  template <std::integral T>
  explicit operator T() const {
    if constexpr (std::same_as<T, bool>) {
      return IsTrue();
    } else {
      return static_cast<T>(Number(std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
    }
  }

  SymbolicInteger& operator+=(const SymbolicInteger& b) { return *this = *this + b; }
  SymbolicInteger& operator-=(const SymbolicInteger& b) { return *this = *this - b; }
  SymbolicInteger& operator*=(const SymbolicInteger& b) { return *this = *this * b; }
  SymbolicInteger& operator/=(const SymbolicInteger& b) { return *this = *this / b; }
  SymbolicInteger& operator%=(const SymbolicInteger& b) { return *this = *this % b; }
  SymbolicInteger& operator<<=(const SymbolicInteger& b) { return *this = *this << b; }
  SymbolicInteger& operator>>=(const SymbolicInteger& b) { return *this = *this >> b; }
  SymbolicInteger& operator&=(const SymbolicInteger& b) { return *this = *this & b; }
  SymbolicInteger& operator|=(const SymbolicInteger& b) { return *this = *this | b; }
  SymbolicInteger& operator^=(const SymbolicInteger& b) { return *this = *this ^ b; }
  SymbolicInteger& operator++() { return *this += 1; }
  SymbolicInteger& operator--() { return *this -= 1; }
  SymbolicInteger operator++(int) { return std::exchange(*this, *this + 1); }
  SymbolicInteger operator--(int) { return std::exchange(*this, *this - 1); }

  friend SymbolicInteger operator+(const SymbolicInteger& a) { return a; }
  friend SymbolicInteger operator-(const SymbolicInteger& a) { return Apply(FormulaOp::kSubtract, {}, a); }
  friend SymbolicInteger operator~(const SymbolicInteger& a) { return -1 - a; }
  friend SymbolicInteger operator+(const SymbolicInteger& a, const SymbolicInteger& b) {
    return Apply(FormulaOp::kAdd, a, b);
  }
  friend SymbolicInteger operator-(const SymbolicInteger& a, const SymbolicInteger& b) {
    return Apply(FormulaOp::kSubtract, a, b);
  }
  friend SymbolicInteger operator*(const SymbolicInteger& a, const SymbolicInteger& b) {
    return Apply(FormulaOp::kMultiply, a, b);
  }
  friend SymbolicInteger operator/(const SymbolicInteger& a, const SymbolicInteger& b) {
    return Apply(FormulaOp::kDivide, a, b);
  }
  friend SymbolicInteger operator%(const SymbolicInteger& a, const SymbolicInteger& b) {
    return Apply(FormulaOp::kRemainder, a, b);
  }
  friend SymbolicInteger operator<<(const SymbolicInteger& a, const SymbolicInteger& b) {
    return Apply(FormulaOp::kShiftLeft, a, b);
  }
  friend SymbolicInteger operator>>(const SymbolicInteger& a, const SymbolicInteger& b) {
    return Apply(FormulaOp::kShiftRight, a, b);
  }
  friend SymbolicInteger operator&(const SymbolicInteger& a, const SymbolicInteger& b) {
    return Apply(FormulaOp::kBitAnd, a, b);
  }
  friend SymbolicInteger operator|(const SymbolicInteger& a, const SymbolicInteger& b) {
    return Apply(FormulaOp::kBitOr, a, b);
  }
  friend SymbolicInteger operator^(const SymbolicInteger& a, const SymbolicInteger& b) {
    return Apply(FormulaOp::kBitXor, a, b);
  }
  // As core/base/integer.h has them: divisors are >= 1.
  friend SymbolicInteger FloorDiv(const SymbolicInteger& a, const SymbolicInteger& b) {
    return Apply(FormulaOp::kFloorDiv, a, b);
  }
  friend SymbolicInteger Mod(const SymbolicInteger& a, const SymbolicInteger& b) {
    return Apply(FormulaOp::kMod, a, b);
  }
  friend SymbolicInteger CeilDiv(const SymbolicInteger& a, const SymbolicInteger& b) {
    return Apply(FormulaOp::kCeilDiv, a, b);
  }

  friend bool operator<(const SymbolicInteger& a, const SymbolicInteger& b) { return Compare(FormulaOp::kLess, a, b); }
  friend bool operator<=(const SymbolicInteger& a, const SymbolicInteger& b) {
    return Compare(FormulaOp::kLessEqual, a, b);
  }
  friend bool operator>(const SymbolicInteger& a, const SymbolicInteger& b) {
    return Compare(FormulaOp::kGreater, a, b);
  }
  friend bool operator>=(const SymbolicInteger& a, const SymbolicInteger& b) {
    return Compare(FormulaOp::kGreaterEqual, a, b);
  }
  friend bool operator==(const SymbolicInteger& a, const SymbolicInteger& b) {
    return Compare(FormulaOp::kEqual, a, b);
  }
  friend bool operator!=(const SymbolicInteger& a, const SymbolicInteger& b) {
    return Compare(FormulaOp::kNotEqual, a, b);
  }

 private:
  friend class FunctionRun;

  SymbolicInteger(const Term& term, uint64_t run) : term_(term), run_(run) {}

  template <std::integral T>
  static Term TermOf(T value) {
    if constexpr (std::same_as<T, bool>) {
      return Term(value ? 1 : 0);
    } else {
      return Term(WideInteger(Int128{value}));
    }
  }

  static SymbolicInteger Apply(FormulaOp op, const SymbolicInteger& a, const SymbolicInteger& b);
  static bool Compare(FormulaOp op, const SymbolicInteger& a, const SymbolicInteger& b);
  bool IsTrue() const;
  Int128 Number(Int128 least, Int128 largest) const;
  // Tells the run, if there is one, which number the code speaks of.
  void Note() const;

  Term term_;
  uint64_t run_ = 0;  // which run the expression belongs to
};

}  // namespace layoutcheck

// Integers without bound have no largest one: code that asks for it does not compile.
template <>
class std::numeric_limits<layoutcheck::SymbolicInteger> {
 public:
  static constexpr bool is_specialized = true;
  static constexpr bool is_integer = true;
  static constexpr bool is_signed = true;
  static constexpr bool is_exact = true;
  static constexpr bool is_bounded = false;
  static layoutcheck::SymbolicInteger min() = delete;
  static layoutcheck::SymbolicInteger max() = delete;
  static layoutcheck::SymbolicInteger lowest() = delete;
};

#endif  // LAYOUTCHECK_SOLVER_FORMULA_PROOF_SYMBOLIC_INTEGER_H_
