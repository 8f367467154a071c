// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/solver/paths/path_arithmetic.h"

namespace layoutcheck {
namespace {

constexpr int kMostExponent = 63;

// Returns the value of a constant polynomial from 0 to 63, or nothing for another one.
std::optional<int> ExponentOf(const Polynomial& polynomial) {
  const bool is_exponent =
      polynomial.IsConstant() && polynomial.Constant() >= 0 && polynomial.Constant() <= kMostExponent;
  return is_exponent ? std::optional(static_cast<int>(polynomial.Constant())) : std::nullopt;
}

}  // namespace

Term PowersOfTwo::Of(const Term& exponent) {
  const Polynomial canonical = rewriter_.Canonical(exponent);
  if (const std::optional<Term> product = Product(exponent, canonical)) return Listed(*product);
  const std::string name = StrCat("power!", powers_.size() + 1);  // no name of a user has a '!'
  rewriter_.SamplePower(name, exponent);
  const Power added{canonical, exponent, certificate_.terms().Variable(name)};
  exponents_.emplace(name, exponent);
  AssumeRange(exponent, added.value);
  AssumeOrder(added);
  powers_.push_back(added);
  return Listed(added.value);
}

Term PowersOfTwo::Listed(const Term& power) {
  const auto is_same = [&](const Term& other) { return other.node() == power.node(); };
  if (!power.IsConstant() && std::ranges::none_of(all_, is_same)) all_.push_back(power);
  return power;
}

// Makes it a goal that the exponent is the sum of the terms and the number. Returns false if the goal is not shown.
bool PowersOfTwo::IsSum(const Term& exponent, const Term& terms, Int128 number) {
  return decisions_.Claim(Equal(exponent, terms + Term(WideInteger(number))));
}

// Returns the product of at most two earlier powers, and of a number, if the exponent is the sum of theirs.
std::optional<Term> PowersOfTwo::Product(const Term& exponent, const Polynomial& canonical) {
  Ring& ring = certificate_.ring();
  const auto product = [&](const Term& sum, const Term& powers, const Polynomial& rest) -> std::optional<Term> {
    const auto number = ExponentOf(rest);
    if (!number || !IsSum(exponent, sum, *number)) return std::nullopt;
    return powers * TwoToThe(*number);
  };
  if (const auto found = product(Term(0), Term(1), canonical)) return found;
  for (const Power& first : powers_) {
    const Polynomial rest = ring.Subtract(canonical, first.canonical);
    if (const auto found = product(first.exponent, first.value, rest)) return found;
    for (const Power& second : powers_) {
      const Polynomial rest_of_both = ring.Subtract(rest, second.canonical);
      if (const auto found = product(first.exponent + second.exponent, first.value * second.value, rest_of_both)) {
        return found;
      }
    }
  }
  return std::nullopt;
}

// Assumes the bounds of the power that those of its exponent give, and that it is greater than its exponent.
void PowersOfTwo::AssumeRange(const Term& exponent, const Term& value) {
  int most = FirstWhere(0, kMostExponent, [&](int number) { return rewriter_.Show(LessEqual(exponent, number)); });
  int least = FirstWhere(0, most, [&](int number) { return !rewriter_.Show(LessEqual(number + 1, exponent)); });
  // The path knows 0 <= exponent <= 63.
  if (!decisions_.Claim(LessEqual(exponent, most))) most = kMostExponent;
  if (!decisions_.Claim(LessEqual(least, exponent))) least = 0;
  decisions_.Assume(LessEqual(TwoToThe(least), value));
  decisions_.Assume(LessEqual(value, TwoToThe(most)));
  decisions_.Assume(LessEqual(exponent + 1, value));
}

// Assumes the order of the power and each earlier one, and each earlier power that is a product with this one.
void PowersOfTwo::AssumeOrder(const Power& added) {
  Ring& ring = certificate_.ring();
  for (const Power& other : powers_) {
    const Polynomial difference = ring.Subtract(other.canonical, added.canonical);
    if (const auto number = ExponentOf(difference)) {
      if (IsSum(other.exponent, added.exponent, *number)) {
        decisions_.Assume(Equal(other.value, added.value * TwoToThe(*number)));
      }
    } else if (decisions_.Claim(LessEqual(other.exponent, added.exponent))) {
      decisions_.Assume(LessEqual(other.value, added.value));
    } else if (decisions_.Claim(LessEqual(added.exponent, other.exponent))) {
      decisions_.Assume(LessEqual(added.value, other.value));
    }
    // 2^a = 2^(a - b) 2^b
    for (const Power& part : powers_) {
      const auto number = ExponentOf(ring.Subtract(difference, part.canonical));
      if (!number || !IsSum(other.exponent, added.exponent + part.exponent, *number)) continue;
      decisions_.Assume(Equal(other.value, added.value * part.value * TwoToThe(*number)));
    }
  }
}

}  // namespace layoutcheck
