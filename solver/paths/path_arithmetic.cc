// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/solver/paths/path_arithmetic.h"
#include <algorithm>
#include <bit>
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

// An unknown mask or amount with up to 2^bits values is split into a path per value. Amounts have at most 64 values.
constexpr int kMaxMaskBits = 4;
constexpr int kMaxShiftBits = 6;

// Returns x & mask for a mask >= 0 as a sum over its runs of ones. Holds for negative x in two's complement.
Term MaskBits(const Term& x, int64_t mask) {
  Term sum = 0;
  auto rest = static_cast<uint64_t>(mask);
  while (rest != 0) {
    const int low = std::countr_zero(rest);
    const int length = std::countr_one(rest >> low);
    const Term bits = Mod(low == 0 ? x : FloorDiv(x, TwoToThe(low)), TwoToThe(length));
    sum = sum + (low == 0 ? bits : bits * TwoToThe(low));
    rest &= ~(((uint64_t{1} << length) - 1) << low);
  }
  return sum;
}

}  // namespace

Term WrappedTerm(bool is_signed, int width, const Term& a) {
  if (!is_signed) return Mod(a, TwoToThe(width));
  const Term below = TwoToThe(width - 1);
  return Mod(a + below, TwoToThe(width)) - below;
}

PathValue PathArithmetic::Apply(FormulaOp op, const Term& a, const Term& b) {
  switch (op) {
    case FormulaOp::kAdd: return {a + b};
    case FormulaOp::kSubtract: return {a - b};
    case FormulaOp::kMultiply: return {a * b};
    case FormulaOp::kFloorDiv:
    case FormulaOp::kCeilDiv:
    case FormulaOp::kMod:
      if (!decisions_.Decide(LessEqual(1, b))) return {{}, FormulaFault::kDivisorNotPositive};
      return {op == FormulaOp::kFloorDiv ? FloorDiv(a, b) : op == FormulaOp::kCeilDiv ? CeilDiv(a, b) : Mod(a, b)};
    case FormulaOp::kDivide: return DivideTruncating(/*remainder=*/false, a, b);
    case FormulaOp::kRemainder: return DivideTruncating(/*remainder=*/true, a, b);
    case FormulaOp::kShiftLeft: return Shift(/*left=*/true, a, b);
    case FormulaOp::kShiftRight: return Shift(/*left=*/false, a, b);
    case FormulaOp::kMin: return {decisions_.Decide(LessEqual(a, b)) ? a : b};
    case FormulaOp::kMax: return {decisions_.Decide(LessEqual(a, b)) ? b : a};
    case FormulaOp::kBitAnd:
    case FormulaOp::kBitOr:
    case FormulaOp::kBitXor: return bits_.Apply(op, a, b);
    default: return {Compare(op, a, b) ? 1 : 0};
  }
}

bool PathArithmetic::Compare(FormulaOp op, const Term& a, const Term& b) {
  switch (op) {
    case FormulaOp::kLess: return decisions_.Decide(Less(a, b));
    case FormulaOp::kLessEqual: return decisions_.Decide(LessEqual(a, b));
    case FormulaOp::kGreater: return decisions_.Decide(Less(b, a));
    case FormulaOp::kGreaterEqual: return decisions_.Decide(LessEqual(b, a));
    case FormulaOp::kEqual: return decisions_.DecideEqual(a, b);
    default: return !decisions_.DecideEqual(a, b);
  }
}

// Returns C's a / b or a % b, which truncate.
PathValue PathArithmetic::DivideTruncating(bool remainder, const Term& a, const Term& b) {
  const bool positive = decisions_.Decide(Less(0, b));
  if (!positive && !decisions_.Decide(Less(b, 0))) return {{}, FormulaFault::kDivisionByZero};
  const bool not_negative = decisions_.Decide(LessEqual(0, a));
  const Term size = positive ? b : Term(0) - b;
  const Term magnitude = not_negative ? a : Term(0) - a;
  if (remainder) return {not_negative ? Mod(magnitude, size) : Term(0) - Mod(magnitude, size)};
  return {positive == not_negative ? FloorDiv(magnitude, size) : Term(0) - FloorDiv(magnitude, size)};
}

PathValue PathArithmetic::Shift(bool left, const Term& a, const Term& b) {
  if (!decisions_.Decide(LessEqual(0, b)) || !decisions_.Decide(LessEqual(b, 63))) {
    return {{}, FormulaFault::kShiftOutOfRange};
  }
  if (!rewriter_.Canonical(b).IsConstant()) {
    has_unknown_shifts_ = true;
    if (shifts_ == ShiftMode::kPowers) {
      decisions_.RecordUntraced("it has a power of two for each shift by an unknown amount");
      const Term power = bits_.powers().Of(b);
      return {left ? a * power : FloorDiv(a, power)};
    }
  }
  const std::optional<int64_t> amount = decisions_.DecideNumber(b, kMaxShiftBits);
  if (!amount) return {.unsupported = "a shift by an unknown that takes many values"};
  const Term power = TwoToThe(static_cast<int>(*amount));
  return {left ? a * power : FloorDiv(a, power)};
}

Term PathArithmetic::Cast(bool is_signed, int width, const Term& a) {
  const Term below = is_signed ? TwoToThe(width - 1) : Term(0);  // number of values below 0
  const Term all = TwoToThe(width);
  const std::vector<TermRelation> fits = {LessEqual(Term(0) - below, a), Less(a, all - below)};
  if (decisions_.Claim(fits[0]) && decisions_.Claim(fits[1])) {
    decisions_.Record("fit", fits);
    return a;
  }
  if (!decisions_.IsNumber(a)) decisions_.Record("wrap", {});
  return WrappedTerm(is_signed, width, a);
}

// Returns true if a can be shown to be a multiple of a power of two that is greater than b >= 0.
bool PathBits::HaveNoCommonBits(const Term& a, const Term& b, const char* side) {
  const Polynomial multiple = rewriter_.Canonical(a);
  int zeros = 63;
  for (const auto& [monomial, coefficient] : multiple.addends) {
    zeros = std::min(zeros, std::countr_zero(static_cast<uint64_t>(coefficient)));
  }
  if (multiple.IsZero() || zeros == 0) return false;
  const Term power = TwoToThe(zeros);
  const std::vector<TermRelation> goals = {LessEqual(0, b), Less(b, power), Equal(Mod(a, power), 0)};
  const bool is_below = rewriter_.Show(goals[0]) && rewriter_.Show(goals[1]);
  if (!is_below || !std::ranges::all_of(goals, [&](const TermRelation& goal) { return decisions_.Claim(goal); })) {
    return false;
  }
  decisions_.Record(StrCat("disjoint ", side, " ", zeros), goals);
  return true;
}

// Returns true if a is shown to be a multiple of a power of two, of unknown exponent, that is greater than b >= 0.
bool PathBits::HaveNoCommonBitsByPowers(const Term& a, const Term& b) {
  return std::ranges::any_of(powers_.all(), [&](const Term& power) {
    const std::vector<TermRelation> goals = {Equal(Mod(a, power), 0), LessEqual(0, b), Less(b, power)};
    return std::ranges::all_of(goals, [&](const TermRelation& goal) { return rewriter_.Show(goal); }) &&
           std::ranges::all_of(goals, [&](const TermRelation& goal) { return decisions_.Claim(goal); });
  });
}

PathValue PathBits::Apply(FormulaOp op, const Term& a, const Term& b) {
  if (const std::optional<Term> common = And(a, b)) {
    return {op == FormulaOp::kBitAnd ? *common : op == FormulaOp::kBitOr ? a + b - *common : a + b - Term(2) * *common};
  }
  decisions_.Record("common", {});
  if (const std::optional<Term> term = functions_.Apply(op, a, b)) return {term};
  return {.unsupported = "the bits of too many operands are unknown"};
}

// Returns a & b if one is a number or a known kind of mask, or if they share no bit.
std::optional<Term> PathBits::And(const Term& a, const Term& b) {
  const bool is_left_a_number = decisions_.IsNumber(a) && !decisions_.IsNumber(b);
  for (const bool is_right : {!is_left_a_number, is_left_a_number}) {
    const Term& x = is_right ? a : b;
    const Term& mask = is_right ? b : a;
    if (const auto rest = AndWithPowerMask(x, mask)) return rest;
    if (!rewriter_.Canonical(mask).IsConstant()) continue;
    if (const auto rest = AndWithNumber(x, mask, is_right)) return rest;
  }
  if (HaveNoCommonBits(a, b, "left") || HaveNoCommonBits(b, a, "right")) return Term(0);
  if (HaveNoCommonBitsByPowers(a, b) || HaveNoCommonBitsByPowers(b, a)) return Term(0);
  if (masks_ != MaskMode::kSplit) return std::nullopt;
  const auto rest = AndWithNumber(a, b, /*is_right=*/true);
  return rest ? rest : AndWithNumber(b, a, /*is_right=*/false);
}

// Returns x & mask if the mask can be decided to be a number.
std::optional<Term> PathBits::AndWithNumber(const Term& x, const Term& mask, bool is_right) {
  const size_t before = decisions_.trace().outcomes.size();
  const std::optional<int64_t> value = decisions_.DecideNumber(mask, kMaxMaskBits);
  if (!value) return std::nullopt;
  if (!decisions_.IsNumber(mask)) decisions_.RecordBefore(before, is_right ? "mask right" : "mask left");
  return *value >= 0 ? MaskBits(x, *value) : x - MaskBits(x, -1 - *value);
}

std::optional<Term> PathBits::AndWithPowerMask(const Term& x, const Term& mask) {
  std::vector<Term> powers = powers_.all();
  powers.insert(powers.end(), assumed_powers_.begin(), assumed_powers_.end());
  for (const Term& power : powers) {
    const bool low = rewriter_.Canonical(mask + 1 - power).IsZero();
    if (!low && !rewriter_.Canonical(mask + power).IsZero()) continue;
    if (!decisions_.Claim(LessEqual(1, power))) continue;
    certificate_.AddGoal(Equal(mask, low ? power - 1 : Term(0) - power));
    const Term common = functions_.CommonVariable(x, mask);
    const Term rest = Mod(x, power);
    const auto normal = [&](const Term& term) { return certificate_.Normalize(term); };
    functions_.steps().AddMask(normal(x), normal(mask), normal(power), normal(rest), !low);
    functions_.AssumeDerived(Equal(common, low ? rest : x - rest));
    decisions_.Record("common", {});
    return common;
  }
  return std::nullopt;
}

std::optional<bool> PathBits::AssumeNoCommonBits(const Term& a, const Term& b, bool is_zero_left) {
  for (const bool swapped : {true, false}) {
    const Term& x = swapped ? a : b;
    const Term& other = swapped ? b : a;
    if (!rewriter_.Canonical(x - 1 - other).IsZero()) continue;
    certificate_.AddGoal(Equal(x - 1, other));
    decisions_.Record("common", {});
    const Term common = functions_.CommonVariable(x, other);
    functions_.steps().AddRange(certificate_.Normalize(x), certificate_.Normalize(other));
    if (rewriter_.Show(LessEqual(0, x))) functions_.AssumeDerived(LessEqual(0, common));
    if (!(is_zero_left ? decisions_.DecideEqual(0, common) : decisions_.DecideEqual(common, 0))) return false;
    assumed_powers_.push_back(x);
    return true;
  }
  return std::nullopt;
}

}  // namespace layoutcheck
