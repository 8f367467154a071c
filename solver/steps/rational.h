// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Exact rational numbers of 128-bit integers, which remember overflow, and sparse vectors of them.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/base/wide_integer.h"

namespace layoutcheck {

// A fraction in lowest terms with a positive denominator. After an overflow its value is meaningless.
class Rational {
 public:
  Rational(Int128 value = 0) : numerator_(value) {}  // NOLINT(google-explicit-constructor): mixes with literals
  // Requires denominator != 0.
  Rational(WideInteger numerator, WideInteger denominator) {
    overflow_ = numerator.overflow || denominator.overflow;
    if (overflow_) return;
    const Int128 divisor = Gcd(numerator.value, denominator.value) * (denominator.value < 0 ? -1 : 1);
    numerator_ = numerator.value / divisor;
    denominator_ = denominator.value / divisor;
  }

  Int128 numerator() const { return numerator_; }
  Int128 denominator() const { return denominator_; }
  bool overflow() const { return overflow_; }
  bool IsZero() const { return numerator_ == 0 && !overflow_; }

  // Returns 3 or -2/3.
  std::string ToString() const {
    return denominator_ == 1 ? ToDecimal(numerator_) : StrCat(ToDecimal(numerator_), "/", ToDecimal(denominator_));
  }

  friend Rational operator+(const Rational& a, const Rational& b) {
    if (a.denominator_ == 1 && b.denominator_ == 1) return {a.Top() + b.Top(), WideInteger(Int128{1})};
    return {a.Top() * b.Bottom() + b.Top() * a.Bottom(), a.Bottom() * b.Bottom()};
  }
  friend Rational operator*(const Rational& a, const Rational& b) {
    return {a.Top() * b.Top(), a.Bottom() * b.Bottom()};
  }
  friend Rational operator/(const Rational& a, const Rational& b) {
    return {a.Top() * b.Bottom(), a.Bottom() * b.Top()};
  }
  friend Rational operator-(const Rational& a) { return a * Rational(-1); }
  friend Rational operator-(const Rational& a, const Rational& b) { return a + -b; }
  bool operator==(const Rational&) const = default;
  // An order for containers, not that of the numbers.
  auto operator<=>(const Rational&) const = default;

 private:
  WideInteger Top() const { return {numerator_, overflow_}; }
  WideInteger Bottom() const { return {denominator_, overflow_}; }

  Int128 numerator_ = 0;
  Int128 denominator_ = 1;
  bool overflow_ = false;
};

// A vector with few coordinates that are not 0, sorted by their keys.
template <class Key>
class SparseVector {
 public:
  using Entry = std::pair<Key, Rational>;

  SparseVector() = default;
  explicit SparseVector(std::vector<Entry> sorted) : entries_(std::move(sorted)) {}

  const std::vector<Entry>& entries() const { return entries_; }
  bool IsZero() const { return entries_.empty(); }
  Rational At(Key key) const {
    const auto found = std::ranges::lower_bound(entries_, key, {}, &Entry::first);
    return found != entries_.end() && found->first == key ? found->second : Rational();
  }
  bool HasOverflow() const {
    return std::ranges::any_of(entries_, [](const Entry& entry) { return entry.second.overflow(); });
  }

  SparseVector Plus(const SparseVector& other, const Rational& factor) const {
    SparseVector sum;
    sum.entries_.reserve(entries_.size() + other.entries_.size());
    auto left = entries_.begin();
    for (const auto& [key, value] : other.entries_) {
      while (left != entries_.end() && left->first < key) sum.entries_.push_back(*left++);
      Rational total = value * factor;
      if (left != entries_.end() && left->first == key) total = total + (left++)->second;
      if (!total.IsZero()) sum.entries_.emplace_back(key, total);
    }
    sum.entries_.insert(sum.entries_.end(), left, entries_.end());
    return sum;
  }

  bool operator==(const SparseVector&) const = default;
  auto operator<=>(const SparseVector&) const = default;

 private:
  std::vector<Entry> entries_;
};

}  // namespace layoutcheck
