// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/verify/formulas/conditions.h"
#include <algorithm>
#include <limits>
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck::verify {

Checked<bool> Conditions::Ask(Polynomial a, Polynomial b, bool is_strict) {
  const std::optional<Int128> x = statement_.ring().ConstantValue(a);
  const std::optional<Int128> y = statement_.ring().ConstantValue(b);
  if (x && y) return is_strict ? *x < *y : *x <= *y;
  Checked<std::string_view> outcome = outcomes_.Take();
  if (!outcome) return Refused(outcome);
  const bool holds = *outcome == "+" || *outcome == "Y";
  if (!holds && *outcome != "-" && *outcome != "N") {
    return outcomes_.RefuseTaken(StrCat("expected '+', '-', 'Y' or 'N', for the condition ",
                                        statement_.ring().ToText(a),
                                        is_strict ? " < " : " <= ", statement_.ring().ToText(b)));
  }
  const bool is_strict_now = is_strict == holds;
  const Polynomial left = holds ? a : b;
  const Polynomial right = holds ? b : a;
  const Relation relation = is_strict_now ? statement_.Less(left, right) : statement_.LessEqual(left, right);
  if (*outcome == "+" || *outcome == "-") {
    statement_.AddGoal(relation);
  } else {
    statement_.Assume(relation);
  }
  return holds;
}

Checked<bool> Conditions::IsEqual(Polynomial a, Polynomial b) {
  const Ring& ring = statement_.ring();
  if (ring.ConstantValue(a) && ring.ConstantValue(b)) return ring.Equal(a, b);
  if (outcomes_.Next() == "=") {
    Checked<std::string_view> outcome = outcomes_.Take();
    if (!outcome) return Refused(outcome);
    statement_.AddGoal(statement_.Equal(a, b));
    return true;
  }
  LAYOUTCHECK_TRY(bool is_less, IsLess(a, b));
  if (is_less) return false;
  Checked<bool> is_greater = IsLess(b, a);
  if (is_greater) *is_greater = !*is_greater;
  return is_greater;
}

Checked<bool> Conditions::Compare(Operator op, Polynomial a, Polynomial b) {
  switch (op) {
    case Operator::kLess: return IsLess(a, b);
    case Operator::kLessEqual: return IsLessEqual(a, b);
    case Operator::kGreater: return IsLess(b, a);
    case Operator::kGreaterEqual: return IsLessEqual(b, a);
    default: break;
  }
  Checked<bool> is_equal = IsEqual(a, b);
  if (is_equal && op == Operator::kNotEqual) *is_equal = !*is_equal;
  return is_equal;
}

Checked<bool> Conditions::IsBetween(Polynomial least, Polynomial x, Polynomial most) {
  Checked<bool> is_large = IsLessEqual(least, x);
  return is_large && *is_large ? IsLessEqual(x, most) : is_large;
}

Checked<int64_t> Conditions::NumberBetween(Polynomial x, int64_t least, int64_t most) {
  while (least < most) {
    const int64_t middle = (least + most) / 2;
    Checked<bool> is_low = IsLessEqual(x, Number(middle));
    if (!is_low) return Refused(is_low);
    (*is_low ? most : least) = *is_low ? middle : middle + 1;
  }
  return least;
}

Checked<int64_t> Conditions::NumberOf(Polynomial x, int bits) {
  std::optional<Int128> number = statement_.ring().ConstantValue(x);
  if (!number) {
    Checked<std::string_view> outcome = outcomes_.Take();
    if (!outcome) return Refused(outcome);
    std::string_view text = outcome->substr(std::min<size_t>(2, outcome->size()));
    const bool is_negative = text.starts_with('-');
    if (is_negative) text.remove_prefix(1);
    number = TakeNumber(text);
    const bool is_width = outcome->starts_with("# ");
    if (!number || !text.empty() || !(is_width || outcome->starts_with("= ")) ||
        (is_width && (is_negative || *number > bits))) {
      return outcomes_.RefuseTaken(
          StrCat("expected '= NUMBER' or '# BITS' with at most ", bits, " bits, for ", statement_.ring().ToText(x)));
    }
    if (is_width) {
      const auto count = static_cast<int64_t>(PowerOfTwo(static_cast<int64_t>(*number)));
      statement_.AddGoal(statement_.LessEqual(Number(0), x));
      statement_.AddGoal(statement_.Less(x, Number(count)));
      return NumberBetween(x, 0, count - 1);
    }
    if (is_negative) *number = -*number;
    statement_.AddGoal(statement_.Equal(x, Number(*number)));
  }
  if (*number < std::numeric_limits<int64_t>::min() || *number > std::numeric_limits<int64_t>::max()) {
    return outcomes_.RefuseTaken(StrCat(ToDecimal(*number), " does not fit 64 bits"));
  }
  return static_cast<int64_t>(*number);
}

}  // namespace layoutcheck::verify
