// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/properties/algebra/algebra_reference.h"
#include <gtest/gtest.h>
#include <string>
#include <string_view>
#include <variant>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

// Returns the layout, or "rejected", or why there is no answer.
std::string Apply(std::string_view function, const std::vector<std::string>& arguments) {
  const auto answer = ApplyReference(function, arguments);
  if (const auto* declined = std::get_if<Declined>(&answer)) return declined->why;
  if (const auto* failed = std::get_if<Failed>(&answer)) return failed->what;
  return std::get<ApplyAnswer>(answer).layout.value_or("rejected");
}

TEST(AlgebraReference, ASwizzleAndAnOffsetStayBeforeTheResult) {
  for (const char* function : {"composition", "logical_divide", "zipped_divide", "tiled_divide", "flat_divide"}) {
    const std::string plain = Apply(function, {"(8,8):(8,1)", "(2,4)"});
    EXPECT_EQ(Apply(function, {"Sw<2,1,3> o 16 o (8,8):(8,1)", "(2,4)"}), StrCat("Sw<2,1,3> o 16 o ", plain))
        << function;
  }
  EXPECT_EQ(Apply("logical_product", {"Sw<1,0,1> o 0 o 4:1", "2:1"}), "Sw<1,0,1> o 0 o (4,2):(1,4)");
}

TEST(AlgebraReference, ATilerHasATilerPerMode) {
  EXPECT_EQ(Apply("zipped_divide", {"(8,64):(64,1)", "(4,16)"}), "((4,16),(2,4)):((64,1),(256,16))");
  EXPECT_EQ(Apply("composition", {"(8,8):(8,1)", "<4:2;2:1>"}), "(4,2):(16,1)");
  EXPECT_EQ(Apply("logical_divide", {"(8,8):(8,1)", "(_,2)"}), "(8,(2,4)):(8,(1,2))");
  EXPECT_EQ(Apply("zipped_divide", {"(8,64):(64,1)", "(3,"}),
            "argument 2, '(3,': column 4: expected an integer, found the end of the text");
}

TEST(AlgebraReference, NamesWhatIsNearest) {
  EXPECT_EQ(Apply("composision", {"4:1", "2:1"}), "no function composision (did you mean 'composition'?)");
  EXPECT_EQ(Apply("linear_free_variables", {"ll{lane:[1]} -> [2]", "lan"}),
            "expected an input, found 'lan' (did you mean 'lane'?)");
}

}  // namespace
}  // namespace layoutcheck
