// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A symbolic integer. A function template instantiated with it runs as it does on int64_t; its result is then proved
// for all values (prove_function.h). The arithmetic is that of C++ on unbounded signed integers: / and % truncate, >>
// rounds down, and comparisons are branches of the program.
//
//   template <class Int>
//   Int Offset(std::span<const Int> index, std::span<const Int> dimensions) {
//     return index[0] * dimensions[1] + index[1];
//   }
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include "layoutcheck/core/formula/formula.h"
#include "layoutcheck/solver/terms/term.h"

namespace layoutcheck {

// An unsigned type to which int64_t is converted in arithmetic.
template <class T>
concept WideUnsigned = std::unsigned_integral<T> && sizeof(T) >= sizeof(int64_t);

// A number, or an expression that belongs to one run of a function. An impossible operation (division by zero) ends the
// run, whose result says why. Outside of a run, impossible operations and all operations on expressions throw
// std::logic_error.
class SymbolicInteger {
 public:
  using Arg = const SymbolicInteger&;
  using Op = FormulaOp;

  SymbolicInteger() = default;
  template <std::integral T>
    requires(!WideUnsigned<T>)
  SymbolicInteger(T value) : term_(TermOf(value)) {  // NOLINT(google-explicit-constructor): mixes with literals in code
    RecordLiteral();
  }
  // An operand of an unsigned 64-bit type would make an int64_t unsigned, too: convert it to int64_t.
  template <WideUnsigned T>
  SymbolicInteger(T value) = delete;
  // Returns a number up to 2^64 - 1.
  static SymbolicInteger FromUnsigned(uint64_t value) { return {Term(WideInteger(Int128{value})), 0}; }

  // Returns the number, as a subscript of a table needs it. An expression with few possible values takes each of them
  // on a path of its own. Ends the run if there are many, or if T cannot hold the value.
  template <std::integral T>
  explicit operator T() const {
    if constexpr (std::same_as<T, bool>) {
      return Compare(Op::kNotEqual, *this, {});
    } else {
      return static_cast<T>(ToNumber(std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
    }
  }

  // Returns the number, or nothing for an expression.
  std::optional<Int128> number() const;

  // Returns the value of the type of `width` bits that is equal to `a` modulo 2^width as one expression, if the run is
  // one that does not decide first whether `a` fits the type; nothing for other runs and for numbers.
  static std::optional<SymbolicInteger> WholeCast(bool is_signed, int width, Arg a);

  // Returns true if both are the same number, or the same expression of one run. Decides nothing.
  static bool AreSame(Arg a, Arg b);

  // Returns the number of branches of the present run, so far, that depend on names.
  static size_t DecisionsOfRun();

  SymbolicInteger& operator+=(Arg b) { return *this = *this + b; }
  SymbolicInteger& operator-=(Arg b) { return *this = *this - b; }
  SymbolicInteger& operator*=(Arg b) { return *this = *this * b; }
  SymbolicInteger& operator/=(Arg b) { return *this = *this / b; }
  SymbolicInteger& operator%=(Arg b) { return *this = *this % b; }
  SymbolicInteger& operator<<=(Arg b) { return *this = *this << b; }
  SymbolicInteger& operator>>=(Arg b) { return *this = *this >> b; }
  SymbolicInteger& operator&=(Arg b) { return *this = *this & b; }
  SymbolicInteger& operator|=(Arg b) { return *this = *this | b; }
  SymbolicInteger& operator^=(Arg b) { return *this = *this ^ b; }
  SymbolicInteger& operator++() { return *this += 1; }
  SymbolicInteger& operator--() { return *this -= 1; }
  SymbolicInteger operator++(int) { return std::exchange(*this, *this + 1); }
  SymbolicInteger operator--(int) { return std::exchange(*this, *this - 1); }

  friend SymbolicInteger operator+(Arg a) { return a; }
  friend SymbolicInteger operator-(Arg a) { return Apply(Op::kSubtract, {}, a); }
  // -1 - a, or 2^32 - 1 - a in a proof that uint32 does not overflow.
  friend SymbolicInteger operator~(Arg a) { return Complement(a); }
  friend SymbolicInteger operator+(Arg a, Arg b) { return Apply(Op::kAdd, a, b); }
  friend SymbolicInteger operator-(Arg a, Arg b) { return Apply(Op::kSubtract, a, b); }
  friend SymbolicInteger operator*(Arg a, Arg b) { return Apply(Op::kMultiply, a, b); }
  friend SymbolicInteger operator/(Arg a, Arg b) { return Apply(Op::kDivide, a, b); }
  friend SymbolicInteger operator%(Arg a, Arg b) { return Apply(Op::kRemainder, a, b); }
  friend SymbolicInteger operator<<(Arg a, Arg b) { return Apply(Op::kShiftLeft, a, b); }
  friend SymbolicInteger operator>>(Arg a, Arg b) { return Apply(Op::kShiftRight, a, b); }
  friend SymbolicInteger operator&(Arg a, Arg b) { return Apply(Op::kBitAnd, a, b); }
  friend SymbolicInteger operator|(Arg a, Arg b) { return Apply(Op::kBitOr, a, b); }
  friend SymbolicInteger operator^(Arg a, Arg b) { return Apply(Op::kBitXor, a, b); }
  // As in core/base/integer.h, for divisors >= 1.
  friend SymbolicInteger FloorDiv(Arg a, Arg b) { return Apply(Op::kFloorDiv, a, b); }
  friend SymbolicInteger Mod(Arg a, Arg b) { return Apply(Op::kMod, a, b); }
  friend SymbolicInteger CeilDiv(Arg a, Arg b) { return Apply(Op::kCeilDiv, a, b); }

  friend bool operator<(Arg a, Arg b) { return Compare(Op::kLess, a, b); }
  friend bool operator<=(Arg a, Arg b) { return Compare(Op::kLessEqual, a, b); }
  friend bool operator>(Arg a, Arg b) { return Compare(Op::kGreater, a, b); }
  friend bool operator>=(Arg a, Arg b) { return Compare(Op::kGreaterEqual, a, b); }
  friend bool operator==(Arg a, Arg b) { return Compare(Op::kEqual, a, b); }

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

  // Returns a op b for numbers, 0 or 1 for a comparison.
  static Int128 ApplyOutsideRun(FormulaOp op, Arg a, Arg b);
  static SymbolicInteger Apply(FormulaOp op, Arg a, Arg b);
  static SymbolicInteger Complement(Arg a);
  static bool Compare(FormulaOp op, Arg a, Arg b);
  // Ends the run if the number is not in [least, largest].
  Int128 ToNumber(Int128 least, Int128 largest) const;
  void RecordLiteral() const;

  Term term_;
  uint64_t run_ = 0;  // the run that the expression belongs to; 0 for a number
};

}  // namespace layoutcheck

// Unbounded integers have no largest value, so code that asks for one does not compile.
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
