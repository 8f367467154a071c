// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/fuzz/text/formula_properties.h"
#include <gtest/gtest.h>
#include <string>
#include "layoutcheck/core/formula/formula.h"
#include "layoutcheck/fuzz/text/formula_tokens.h"
#include "layoutcheck/fuzz/text/random.h"

namespace layoutcheck {
namespace {

TEST(FormulaPropertiesTest, HoldForNestingUpToAndPastTheLimit) {
  for (const size_t depth : {size_t{1}, size_t{399}, size_t{400}, size_t{401}, size_t{100000}}) {
    for (const std::string part : {"(", "-", "!", "+", "min(", "1 ? ", "1 ? 2 : ", "1 - ", "1 - (", "1 || ", "~", "[",
                                   "int8(", "let x = ", "let x = 1 in x + "}) {
      std::string text;
      for (size_t i = 0; i < depth; ++i) text += part;
      text += "1";
      EXPECT_EQ(BrokenFormulaProperty(text), std::nullopt) << part << ", " << depth << " times";
      if (part.ends_with('(')) text.append(depth, ')');
      EXPECT_EQ(BrokenFormulaProperty(text), std::nullopt) << part << ", " << depth << " times";
    }
  }
}

TEST(FormulaPropertiesTest, HoldForRandomSequencesOfTokens) {
#ifdef LAYOUTCHECK_SANITIZED
  constexpr int kTexts = 100000;
#else
  constexpr int kTexts = 500000;
#endif
  Random random(4);
  const std::span<const std::string_view> tokens = FormulaTokens();
  int accepted = 0;
  for (int i = 0; i < kTexts; ++i) {
    std::string text;
    for (uint64_t n = random.Below(10); n > 0; --n) {
      text += random.Pick(tokens);
      // Half of the words need a blank, and an operator most often follows an operand.
      if (random.OneIn(2)) text += ' ';
    }
    const auto broken = BrokenFormulaProperty(text);
    ASSERT_EQ(broken, std::nullopt) << *broken << ": '" << text << "'";
    accepted += ParseFormula(text).has_value() ? 1 : 0;
  }
  std::printf("%d random formulas, %d accepted\n", kTexts, accepted);
  EXPECT_GT(accepted, kTexts / 50);
}

}  // namespace
}  // namespace layoutcheck
