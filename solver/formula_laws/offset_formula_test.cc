// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>
#include <cstdint>
#include <string>
#include <vector>
#include "layoutcheck/core/formula/formula.h"
#include "layoutcheck/core/formula/formula_value.h"
#include "layoutcheck/core/linear/linear_notation.h"
#include "layoutcheck/core/shape_stride/text.h"
#include "layoutcheck/solver/formula_laws/law_goals.h"
#include "layoutcheck/solver/formula_laws/strided_formula.h"
#include "layoutcheck/solver/formula_proof/prove_formula.h"

namespace layoutcheck {
namespace {

// Returns the value of a formula over i0, i1, ... at the index.
int64_t ValueAt(const std::string& text, const std::vector<int64_t>& index) {
  const Expected<Formula> formula = ParseFormula(text);
  EXPECT_TRUE(formula.has_value()) << text;
  std::vector<int64_t> values;
  for (const std::string& name : formula->names) values.push_back(index.at(static_cast<size_t>(name[1] - '0')));
  const FormulaValue<int64_t> value = FormulaEvaluator<int64_t>(*formula)(values);
  EXPECT_TRUE(value.ok()) << text;
  return value.value;
}

TEST(OffsetFormula, OfASwizzleIsCuTesValue) {
  for (const std::string text :
       {"Sw<3,3,3> o 0 o (8,64):(64,1)", "S<2,0,-3>o 5 o(4,8):(1,4)", "7 o (3,5):(5,1)", "Sw<0,4,3> o (4,4):(4,1)"}) {
    const auto formula = ReadOffsetFormula(text, 1);
    const auto layout = ParseComposedLayout(text);
    ASSERT_TRUE(formula && layout) << text;
    const auto modes = layout->layout.shape.elements();
    for (int64_t row = 0; row < modes[0].value(); ++row) {
      for (int64_t column = 0; column < modes[1].value(); ++column) {
        const auto coordinate = IntTuple::Tuple({row, column});
        EXPECT_EQ(ValueAt(formula->offset, {row, column}), Crd2Idx(coordinate, *layout)) << text;
      }
    }
  }
}

TEST(OffsetFormula, OfALayoutInBitsIsItsIndexOrItsOutputs) {
  for (const std::string text : {"mma.m16n8k16.f16.D", "ldmatrix.x4.trans", "ll{a:[1,2,12],b:[3,8]} -> [16]",
                                 "ll{a:[(0,0),(1,0)],b:[(3,1)]} -> [4,2]",
                                 "#ttg.swizzled_shared<{vec = 2, perPhase = 1, maxPhase = 4, order = [1, 0]}> [4,8]"}) {
    const Expected<LinearLayout> layout = ReadLinearLayout(text);
    ASSERT_TRUE(layout.has_value()) << text << ": " << layout.error().ToString();
    const auto index = ReadOffsetFormula(text, 1);
    const auto outputs = ReadOffsetFormula(text, layout->outputs().size());
    ASSERT_TRUE(index && outputs) << text;
    const bool is_tuple = layout->outputs().size() > 1;
    const auto parts =
        ParseFormulas(is_tuple ? outputs->offset.substr(1, outputs->offset.size() - 2) : outputs->offset);
    ASSERT_TRUE(parts && parts->size() == layout->outputs().size()) << outputs->offset;
    for (uint64_t number = 0; number < uint64_t{1} << layout->input_bits(); ++number) {
      const std::vector<int64_t> coordinate = layout->InputCoordinate(number);
      const uint64_t value = layout->Apply(number);
      ASSERT_EQ(static_cast<uint64_t>(ValueAt(index->offset, coordinate)), value) << text;
      for (size_t k = 0; k < parts->size(); ++k) {
        ASSERT_EQ(ValueAt(FormulaText((*parts)[k]), coordinate), layout->OutputParts(value)[k]) << text;
      }
    }
  }
}

ProofVerdict VerdictOf(const std::string& layout, const std::string& formula) {
  const auto request = WithOffsetFormula({layout, formula, {}, {}});
  EXPECT_TRUE(request.has_value()) << layout << ": " << (request ? "" : request.error().ToString());
  const Expected<ProofResult> result = ProveFormula(*request);
  EXPECT_TRUE(result.has_value()) << layout << ": " << (result ? "" : result.error().ToString());
  return result ? result->verdict : ProofVerdict::kUnknown;
}

TEST(OffsetFormula, IsComparedWithAFormula) {
  const std::string swizzled = "i0*64 + (i1/8 ^ i0%8)*8 + i1%8";
  EXPECT_EQ(VerdictOf("Sw<3,3,3> o 0 o (8,64):(64,1)", swizzled), ProofVerdict::kProved);
  EXPECT_EQ(VerdictOf("Sw<3,3,3> o 0 o (M,64):(64,1)", swizzled), ProofVerdict::kProved);
  EXPECT_EQ(VerdictOf("Sw<2,3,3> o 0 o (M,64):(64,1)", swizzled), ProofVerdict::kRefuted);
  EXPECT_EQ(VerdictOf("9 o (M,N):(N,1)", "i0*N + i1 + 9"), ProofVerdict::kProved);
  EXPECT_EQ(VerdictOf("ldmatrix.x1", "i1*2 + i0"), ProofVerdict::kProved);
  EXPECT_EQ(VerdictOf("ldmatrix.x1", "i1 + i0*2"), ProofVerdict::kRefuted);
}

TEST(OffsetFormula, ErrorsNameThePlace) {
  const auto error = [](const std::string& text) {
    const auto formula = ReadOffsetFormula(text, 1);
    return formula ? "" : formula.error().ToString();
  };
  EXPECT_EQ(error("Sw<3,3,3> o 0 o (M,64:(64,1)").substr(0, 10), "column 22:");
  EXPECT_EQ(ReadOffsetFormula("ldmatrix.x1", 3).error().message, "expected one formula or one per output (2), found 3");
  EXPECT_FALSE(IsOffsetText("Sw<3,3> o 0 o (M,64):(64,1)"));
  EXPECT_FALSE(IsOffsetText("zN:f16[M,N]"));
  EXPECT_FALSE(IsOffsetText("f32[M,N]{1,0}"));
}

}  // namespace
}  // namespace layoutcheck
