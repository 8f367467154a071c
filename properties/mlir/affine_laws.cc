// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The law of index arithmetic. Its expressions are derived from the layout of the case.
#include <algorithm>
#include <optional>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/properties/mlir/affine_expression.h"
#include "layoutcheck/properties/model/law.h"
#include "layoutcheck/properties/model/laws_internal.h"

namespace layoutcheck {
namespace {

class AffineValue {
 public:
  static LawResult Check(Subject& subject, const LayoutCase& layout_case) {
    LawResult agreement = LawResult::OutsideDomain();  // until an expression with a value is asked about
    for (uint64_t k = 0; k < kExpressions; ++k) {
      RandomChoices choices(HashValue(layout_case.shape), k);
      AffineExpression expression = AffineExpression::Draw(choices, kDepth);
      const AffinePoint point{{static_cast<int64_t>(choices.Choose(20)), static_cast<int64_t>(choices.Choose(20))},
                              {1 + static_cast<int64_t>(choices.Choose(9))}};
      auto result = Ask(subject, expression, point);
      if (!result) continue;
      agreement = LawResult::Agree();
      if (result->verdict == LawResult::Verdict::kAgree) continue;
      if (result->verdict == LawResult::Verdict::kDisagree) Minimize(subject, expression, point, *result);
      return *std::move(result);
    }
    return agreement;
  }

 private:
  static constexpr uint64_t kExpressions = 8;
  static constexpr int kDepth = 3;
  // Maximum number of questions for minimizing; fewer after a crash, because each crash costs a process start.
  static constexpr int kMostAsked = 200;
  static constexpr int kMostCrashes = 24;

  // Asks for the value at a point. Returns nothing if there is none.
  static std::optional<LawResult> Ask(Subject& subject, const AffineExpression& expression, const AffinePoint& point) {
    const auto expected = expression.Evaluate(point);
    if (!expected) return std::nullopt;
    std::vector<std::string> arguments = point.ToStrings();
    arguments.insert(arguments.begin(), expression.ToString());
    const auto answer = subject.Apply("affine", arguments);
    if (const auto* declined = std::get_if<Declined>(&answer)) return NotAnswered(*declined);
    LawResult result = LawResult::Agree();
    if (const auto* failed = std::get_if<Failed>(&answer)) {
      result = NotAnswered(*failed);
    } else {
      const auto& applied = std::get<ApplyAnswer>(answer);
      if (applied.rejected || applied.value == *expected) return result;
      result = LawResult::Disagree(StrCat(*expected), applied.value ? StrCat(*applied.value) : "a layout");
    }
    std::string at;
    for (size_t k = 1; k < arguments.size(); ++k) StrAppend(at, k == 1 ? " at " : ", ", arguments[k]);
    result.text = StrCat(arguments[0], at);
    return result;
  }

  // Replaces parts of the expression by an operand or by 1 while it fails in the same way.
  static void Minimize(Subject& subject, AffineExpression& expression, const AffinePoint& point, LawResult& result) {
    int asked = 0;
    const auto try_at = [&](AffineExpression& part, const auto& descend) -> bool {
      std::vector<AffineExpression> simpler = part.operands;
      if (!part.operands.empty()) simpler.push_back({AffineExpression::Kind::kConstant, 1, {}});
      for (AffineExpression& candidate : simpler) {
        if (++asked > (result.why.empty() ? kMostAsked : kMostCrashes)) return false;
        AffineExpression before = std::move(part);
        part = candidate;
        auto again = Ask(subject, expression, point);
        if (again && again->verdict == LawResult::Verdict::kDisagree && again->why == result.why) {
          result = *std::move(again);
          return true;
        }
        part = std::move(before);
      }
      return std::ranges::any_of(part.operands, [&](AffineExpression& operand) { return descend(operand, descend); });
    };
    while (try_at(expression, try_at)) {
    }
  }
};

}  // namespace

std::span<const Law> AffineLaws() {
  static constexpr Law kLaws[] = {
      {"affine-value", "An expression of index arithmetic keeps its value, whatever it is simplified to.",
       "expressions over two indices and a size, drawn for each layout", AffineValue::Check},
  };
  return kLaws;
}

}  // namespace layoutcheck
