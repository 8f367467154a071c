// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations on linear layouts. The known answers are those of Triton's unittest/Tools/LinearLayoutTest.cpp; a comment
// names the test.
#include "layoutcheck/core/linear/linear_algebra.h"
#include <gtest/gtest.h>
#include <bit>
#include <random>
#include <string>
#include "layoutcheck/core/linear/linear_text.h"
#include "layoutcheck/core/testing/random_linear_layout.h"

namespace layoutcheck {
namespace {

LinearLayout Parse(std::string_view text) {
  const Expected<LinearLayout> layout = ParseLinearLayout(text);
  EXPECT_TRUE(layout.has_value()) << text << ": " << layout.error().ToString();
  return layout.value_or(LinearLayout());
}

template <class Result>
std::string Text(const Result& result) {
  if constexpr (requires { result.error(); }) {
    return result ? ToString(*result) : "error: " + result.error().message;
  } else {
    return result ? ToString(*result) : "none";
  }
}

LinearLayout Identity(uint64_t size, const char* in = "in", const char* out = "out") {
  return IdentityLayout(size, in, out).value();
}
LinearLayout Zero(uint64_t size, const char* in = "in", const char* out = "out") {
  return ZeroLayout(size, in, out).value();
}
LinearLayout Times(const LinearLayout& a, const LinearLayout& b) { return Product(a, b).value(); }

TEST(LinearAlgebra, IdentityAndZero) {
  EXPECT_EQ(ToString(Identity(32)), "ll{in:[1,2,4,8,16]} -> [out:32]");  // Identity1D
  EXPECT_EQ(ToString(Identity(1)), "ll{in:[]} -> [out:1]");              // Identity1DSize1
  EXPECT_EQ(ToString(Zero(32)), "ll{in:[0,0,0,0,0]} -> [out:1]");        // Zeros1D
  EXPECT_EQ(Text(IdentityLayout(3, "in", "out")), "error: expected a power of two as the size of 'in', found 3");
  EXPECT_EQ(Text(ZeroLayout(0, "in", "out")), "error: expected a power of two as the size of 'in', found 0");
}

TEST(LinearAlgebra, Product) {
  // MultiplyIdentity
  EXPECT_EQ(Times(Identity(16), Identity(32)), Identity(512));
  // MultiplyDisjoint
  EXPECT_EQ(ToString(Times(Identity(32, "in1", "out1"), Identity(16, "in2", "out2"))),
            "ll{in1:[(1,0),(2,0),(4,0),(8,0),(16,0)],in2:[(0,1),(0,2),(0,4),(0,8)]} -> [out1:32,out2:16]");
  // MultiplyByEmpty, TimesEquals
  EXPECT_EQ(Times(LinearLayout(), Identity(32)), Identity(32));
  // MultiplyByZeros
  EXPECT_EQ(ToString(Times(Identity(8), Zero(16))), "ll{in:[1,2,4,0,0,0,0]} -> [out:8]");
  // MultiplyZerosByDegenerate
  EXPECT_EQ(ToString(Times(Zero(16, "in", "out1"), Parse("ll{in:[]} -> [out2:1]"))),
            "ll{in:[(0,0),(0,0),(0,0),(0,0)]} -> [out1:1,out2:1]");
  // MultiplyOverlapping
  EXPECT_EQ(ToString(Times(Identity(4, "in", "out1"), Identity(8, "in", "out2"))),
            "ll{in:[(1,0),(2,0),(0,1),(0,2),(0,4)]} -> [out1:4,out2:8]");
  // SupremumTest: the order of names.
  const auto names = [](const char* a, const char* b) { return Text(Product(Parse(a), Parse(b))); };
  EXPECT_EQ(names("ll{a:[],b:[]} -> []", "ll{b:[],c:[]} -> []"), "ll{a:[],b:[],c:[]} -> []");
  EXPECT_EQ(names("ll{a:[],b:[]} -> []", "ll{a:[],c:[]} -> []"), "ll{a:[],b:[],c:[]} -> []");
  EXPECT_EQ(names("ll{a:[],b:[],c:[]} -> []", "ll{a:[],d:[]} -> []"), "ll{a:[],b:[],c:[],d:[]} -> []");
  EXPECT_EQ(names("ll{b:[]} -> []", "ll{a:[],b:[]} -> []"), "ll{a:[],b:[]} -> []");
  EXPECT_EQ(names("ll{a:[],b:[]} -> []", "ll{b:[],a:[]} -> []"),
            "error: expected one order of the inputs, found 'a' before and after 'b'");
  EXPECT_EQ(names("ll{} -> [a:1073741824,b:1073741824]", "ll{} -> [a:1073741824,b:1073741824]"),
            "error: expected at most 62 bits of all outputs together, found 120");
}

TEST(LinearAlgebra, Transpose) {
  // TransposeOuts, TransposeOutsDegenerate
  EXPECT_EQ(Text(TransposeOutputs(Times(Identity(32, "in1", "out1"), Identity(16, "in2", "out2")), {"out2", "out1"})),
            "ll{in1:[(0,1),(0,2),(0,4),(0,8),(0,16)],in2:[(1,0),(2,0),(4,0),(8,0)]} -> [out2:16,out1:32]");
  EXPECT_EQ(Text(TransposeOutputs(Times(Identity(32, "in1", "out1"), Identity(1, "in2", "out2")), {"out2", "out1"})),
            "ll{in1:[(0,1),(0,2),(0,4),(0,8),(0,16)],in2:[]} -> [out2:1,out1:32]");
  EXPECT_EQ(Text(TransposeOutputs(Identity(2), {"x"})), "error: expected the name of an output (out), found 'x'");
  EXPECT_EQ(Text(TransposeOutputs(Identity(2), {})), "error: expected 1 names of outputs, found 0");
  EXPECT_EQ(Text(TransposeOutputs(Identity(2), {"out", "out"})), "error: expected 1 names of outputs, found 2");
}

TEST(LinearAlgebra, Compose) {
  // Compose
  const LinearLayout composition = Compose(Parse("ll{in1:[(1,1),(0,1)],in2:[(1,0),(1,2)]} -> [out1:2,out2:4]"),
                                           Parse("ll{out1:[(2,2),(1,0)],out2:[(1,1),(2,1)]} -> [out3:4,out4:4]"))
                                       .value();
  EXPECT_EQ(ToString(composition), "ll{in1:[(3,3),(1,1)],in2:[(2,2),(0,3)]} -> [out3:4,out4:4]");
  EXPECT_FALSE(composition.IsOnto());
  // Compose4D
  EXPECT_EQ(Text(Compose(Parse("ll{in0:[(1,0,0,0),(2,0,0,0)],in1:[(4,0,0,0),(8,0,0,0),(16,0,0,0),(32,0,0,0)],"
                               "in2:[(0,0,1,0),(0,0,0,1),(0,0,0,2)],in3:[]} -> [out3:64,out0:1,out1:2,out2:4]"),
                         Parse("ll{out3:[(1,0,0,0),(2,0,0,0),(0,0,0,0),(0,0,0,0),(0,0,0,0),(0,0,0,0)],"
                               "out0:[(0,1,0,0)],out1:[(0,0,1,0)],out2:[(0,0,0,1),(0,0,0,2)]} -> "
                               "[out3:4,out2:2,out1:2,out0:4]"))),
            "ll{in0:[(1,0,0,0),(2,0,0,0)],in1:[(0,0,0,0),(0,0,0,0),(0,0,0,0),(0,0,0,0)],"
            "in2:[(0,0,1,0),(0,0,0,1),(0,0,0,2)],in3:[]} -> [out3:4,out2:2,out1:2,out0:4]");
  EXPECT_EQ(Text(Compose(Identity(2, "a", "b"), Identity(2, "c", "d"))),
            "error: output 'b' is no input: expected the same names");
  EXPECT_EQ(Text(Compose(Identity(2, "a", "b"), Parse("ll{b:[1],c:[0]} -> [2]"))),
            "error: input 'c' is no output: expected the same names");
  EXPECT_EQ(Text(Compose(Identity(4, "a", "b"), Identity(2, "b", "c"))),
            "error: output 'b' of size 4 is larger than the input of size 2");
}

TEST(LinearAlgebra, Reshape) {
  // ReshapeIns and its degenerate cases, FlattenIns
  const LinearLayout layout = Parse("ll{in1:[1,4,8],in2:[2]} -> [out:16]");
  EXPECT_EQ(Text(ReshapeInputs(layout, {{"in3", 2}, {"in4", 8}})), "ll{in3:[1],in4:[4,8,2]} -> [out:16]");
  EXPECT_EQ(Text(ReshapeInputs(Parse("ll{in1:[1,4],in2:[2]} -> [out:8]"), {{"in3", 8}, {"in4", 1}})),
            "ll{in3:[1,4,2],in4:[]} -> [out:8]");
  EXPECT_EQ(Text(ReshapeInputs(Parse("ll{in1:[1,4],in2:[2]} -> [out:8]"), {{"in3", 1}, {"in4", 8}})),
            "ll{in3:[],in4:[1,4,2]} -> [out:8]");
  EXPECT_EQ(Text(FlattenInputs(layout)), "ll{in1:[1,4,8,2]} -> [out:16]");
  // ReshapeOuts and its degenerate cases, FlattenOuts
  EXPECT_EQ(Text(ReshapeOutputs(Parse("ll{in1:[1,4,8],in2:[3]} -> [out:16]"), {{"out2", 2}, {"out3", 8}})),
            "ll{in1:[(1,0),(0,2),(0,4)],in2:[(1,1)]} -> [out2:2,out3:8]");
  EXPECT_EQ(Text(ReshapeOutputs(Parse("ll{in1:[1,4,2],in2:[]} -> [out:8]"), {{"out1", 4}, {"out2", 2}})),
            "ll{in1:[(1,0),(0,1),(2,0)],in2:[]} -> [out1:4,out2:2]");
  EXPECT_EQ(Text(FlattenOutputs(Parse("ll{in1:[(1,0),(4,1),(8,4)],in2:[(3,2)]} -> [out1:16,out2:8]"))),
            "ll{in1:[1,20,72],in2:[35]} -> [out1:128]");
  // FlattenInsEdgeCases, FlattenOutsEdgeCases
  for (const char* text : {"ll{in1:[]} -> [out:1]", "ll{in1:[]} -> []", "ll{} -> [out:1]", "ll{} -> []"}) {
    EXPECT_EQ(Text(FlattenInputs(Parse(text))), text);
    EXPECT_EQ(Text(FlattenOutputs(Parse(text))), text);
  }
  EXPECT_EQ(Text(ReshapeInputs(layout, {{"a", 4}})), "error: expected inputs of 4 bits together, found 2");
  EXPECT_EQ(Text(ReshapeInputs(layout, {{"a", 16}, {"b", 2}})), "error: expected inputs of 4 bits together, found 5");
  EXPECT_EQ(Text(ReshapeOutputs(layout, {{"a", 3}})), "error: expected a power of two as the size of 'a', found 3");
}

TEST(LinearAlgebra, DivideLeft) {
  // DivideLeft_Basic
  EXPECT_EQ(DivideLeft(Times(Identity(8), Zero(16)), Identity(8)), Zero(16));
  EXPECT_EQ(DivideLeft(Times(Zero(16), Identity(8)), Zero(16)), Identity(8));
  // DivideLeft_NonMatchingDims
  EXPECT_EQ(DivideLeft(Identity(32), Parse("ll{in:[1,2,4,8],extra:[0]} -> [out:16]")), std::nullopt);
  // DivideLeft_Simple
  EXPECT_EQ(DivideLeft(Identity(8), Identity(4)), Identity(2));
  EXPECT_EQ(DivideLeft(Identity(8), Identity(8)), Identity(1));
  EXPECT_EQ(DivideLeft(Identity(4), Identity(8)), std::nullopt);
  // DivideLeft_2D, DivideLeft_EliminateInDim, DivideLeft_EliminateOutDim: product, divisor, quotient
  const char* const rows[][3] = {
      {"ll{in1:[(1,1),(2,2),(0,8),(0,4)],in2:[(0,2),(0,1)]} -> [out1:4,out2:16]",
       "ll{in1:[(1,1),(2,2)],in2:[(0,2),(0,1)]} -> [out1:4,out2:4]", "ll{in1:[(0,2),(0,1)],in2:[]} -> [out1:1,out2:4]"},
      {"ll{in2:[(0,1),(1,0)],in1:[(2,0),(0,2)]} -> [out1:4,out2:4]", "ll{in2:[(0,1),(1,0)]} -> [out1:2,out2:2]",
       "ll{in2:[],in1:[(1,0),(0,1)]} -> [out1:2,out2:2]"},
      {"ll{in1:[(0,1),(0,2)],in2:[]} -> [out1:1,out2:4]", "ll{in1:[(0,1),(0,2)]} -> [out1:1,out2:4]",
       "ll{in1:[],in2:[]} -> [out1:1,out2:1]"},
      {"ll{in1:[],in2:[(0,1)],in3:[]} -> [out1:1,out2:2]", "ll{in2:[(0,1)]} -> [out1:1,out2:2]",
       "ll{in1:[],in2:[],in3:[]} -> [out1:1,out2:1]"},
      {"ll{in2:[(1,0),(1,0)],in1:[(2,0),(0,1)]} -> [out1:4,out2:2]", "ll{in2:[(1,0),(1,0)]} -> [out1:2,out2:1]",
       "ll{in2:[],in1:[(1,0),(0,1)]} -> [out1:2,out2:2]"},
      {"ll{in1:[(0,1),(0,2)]} -> [out1:1,out2:4]", "ll{} -> [out1:1]", "ll{in1:[(0,1),(0,2)]} -> [out1:1,out2:4]"},
  };
  for (const auto& [product, divisor, quotient] : rows) {
    EXPECT_EQ(Text(Product(Parse(divisor), Parse(quotient))), product);
    EXPECT_EQ(Text(DivideLeft(Parse(product), Parse(divisor))), quotient);
  }
}

TEST(LinearAlgebra, InvertAndCompose) {
  // layout, outer, result; the tests InvertAndCompose_ Simple, NonInjective, BroadcastedInDim,
  // BroadcastAtBeginningOfSecond, BroadcastAtEndOfSecond, BroadcastBeginningAndEndOfSecond, BroadcastedDims,
  // BroadcastedDims2
  const char* const rows[][3] = {
      {"ll{in1:[2,1,4]} -> [out:8]", "ll{in2:[4,1,2]} -> [out:8]", "ll{in1:[4,2,1]} -> [in2:8]"},
      {"ll{in1:[2,1,4]} -> [out:8]", "ll{in2:[0,2,1,4]} -> [out:8]", "ll{in1:[2,4,8]} -> [in2:16]"},
      {"ll{in1:[2,1,4],in2:[0]} -> [out:8]", "ll{in:[4,1,2]} -> [out:8]", "ll{in1:[4,2,1],in2:[0]} -> [in:8]"},
      {"ll{in:[1,2,4]} -> [out:8]", "ll{in:[0,4,1,2]} -> [out:8]", "ll{in:[4,8,2]} -> [in:16]"},
      {"ll{in1:[1,2,4]} -> [out:8]", "ll{in2:[4,1,2,0]} -> [out:8]", "ll{in1:[2,4,1]} -> [in2:16]"},
      {"ll{in:[1,2,4]} -> [out:8]", "ll{in:[0,4,1,2,0]} -> [out:8]", "ll{in:[4,8,2]} -> [in:32]"},
      {"ll{in1:[1,2,4],in2:[0]} -> [out:8]", "ll{in3:[1,2,4],in4:[0]} -> [out:8]",
       "ll{in1:[(1,0),(2,0),(4,0)],in2:[(0,0)]} -> [in3:8,in4:2]"},
      {"ll{in1:[1,2],in2:[0]} -> [out:4]", "ll{in3:[2,1],in4:[0]} -> [out:4]",
       "ll{in1:[(2,0),(1,0)],in2:[(0,0)]} -> [in3:4,in4:2]"},
  };
  for (const auto& [layout, outer, result] : rows) {
    const Expected<LinearLayout> found = InvertAndCompose(Parse(layout), Parse(outer));
    EXPECT_EQ(Text(found), result);
    EXPECT_EQ(Text(Compose(found.value(), Parse(outer))), layout);
  }
  // InvertAndCompose_Multidim: outputs in another order
  const LinearLayout a = Parse("ll{in1:[(1,0),(0,1),(2,0),(3,2)],in2:[(2,2)]} -> [out1:4,out2:4]");
  const LinearLayout b = Parse("ll{in3:[(0,1),(1,0),(0,0),(0,2),(2,1)]} -> [out2:4,out1:4]");
  EXPECT_EQ(Compose(InvertAndCompose(a, b).value(), b).value(), TransposeOutputs(a, {"out2", "out1"}).value());
  EXPECT_EQ(Compose(InvertAndCompose(b, a).value(), a).value(), TransposeOutputs(b, {"out1", "out2"}).value());
  EXPECT_EQ(Text(InvertAndCompose(Identity(4), Parse("ll{x:[1]} -> [out:4]"))),
            "error: the value (2) of 'in' = 2 is no value of the other layout");
  EXPECT_EQ(Text(InvertAndCompose(Identity(8), Identity(4))),
            "error: output 'out' of size 8 is larger than the output of the other layout of size 4");
}

TEST(LinearAlgebra, NumConsecutive) {
  // NumConsecutiveInOut
  EXPECT_EQ(NumConsecutive(Identity(1)), 1u);
  EXPECT_EQ(NumConsecutive(Identity(4)), 4u);
  EXPECT_EQ(NumConsecutive(Times(Identity(4, "in1"), Identity(8, "in2"))), 4u);
  EXPECT_EQ(NumConsecutive(Times(Identity(4, "in", "out1"), Identity(8, "in", "out2"))), 4u);
  EXPECT_EQ(NumConsecutive(Times(Zero(4, "in", "out1"), Identity(4, "in", "out2"))), 1u);
  EXPECT_EQ(NumConsecutive(Parse("ll{in:[1,2,4,9]} -> [16]")), 1u);
  EXPECT_EQ(NumConsecutive(Parse("ll{in:[1,2,4,10]} -> [16]")), 2u);
  EXPECT_EQ(NumConsecutive(Parse("ll{in:[1,4,2]} -> [8]")), 2u);
  EXPECT_EQ(NumConsecutive(Parse("ll{in:[1,2,4],in2:[8,18]} -> [32]")), 2u);
  EXPECT_EQ(NumConsecutive(LinearLayout()), 1u);
}

TEST(LinearAlgebra, FreeVariableMasks) {
  // FreeVariableMasks
  const auto masks = [](const LinearLayout& layout) { return FreeVariableMasks(layout); };
  EXPECT_EQ(masks(Identity(4)), (std::vector<uint64_t>{0}));
  EXPECT_EQ(masks(Zero(16)), (std::vector<uint64_t>{0b1111}));
  EXPECT_EQ(masks(Times(Times(Times(Identity(2), Zero(4)), Identity(4)), Zero(2))), (std::vector<uint64_t>{0b100110}));
  EXPECT_EQ(masks(Parse("ll{in1:[(1,1),(2,2),(0,0)],in2:[(1,0),(0,1),(2,0)]} -> [out1:4,out2:4]")),
            (std::vector<uint64_t>{0b100, 0b10}));
}

// The laws of the operations on random layouts.
TEST(LinearAlgebra, Laws) {
  std::mt19937_64 random(7);
  int inverted = 0;
  for (int n = 0; n < 1000; ++n) {
    const LinearLayout a = RandomLinearLayout(random, {.max_bits = 10});
    const LinearLayout b = RandomLinearLayout(random, {.max_bits = 10});
    const LinearLayout c = RandomLinearLayout(random, {.max_bits = 10});
    // A product is associative, and its division gives back the factor, but for names that the factor lacks.
    EXPECT_EQ(Times(Times(a, b), c), Times(a, Times(b, c)));
    const std::optional<LinearLayout> quotient = DivideLeft(Times(a, b), a);
    ASSERT_TRUE(quotient.has_value());
    EXPECT_EQ(Times(a, *quotient), Times(a, b));
    EXPECT_EQ(quotient->images(), b.images());
    // Composition is associative, and is evaluation one after the other.
    const LinearLayout f = RandomLinearLayout(
        random, {.max_bits = 10, .input_letter = "o", .output_letter = "p", .input_bits = OutputBits(a)});
    const LinearLayout g = RandomLinearLayout(
        random, {.max_bits = 10, .input_letter = "p", .output_letter = "q", .input_bits = OutputBits(f)});
    const LinearLayout fa = Compose(a, f).value();
    for (int k = 0; k < 10; ++k) {
      const uint64_t x = random() & ((uint64_t{1} << a.input_bits()) - 1);
      EXPECT_EQ(fa.Apply(x), f.Apply(f.InputNumber(a.OutputParts(a.Apply(x)))));
    }
    EXPECT_EQ(Compose(fa, g).value(), Compose(a, Compose(f, g).value()).value());
    // An inverse exists exactly for what is onto, and undoes it; of a bijection it does so both ways.
    const Expected<LinearLayout> inverse = Inverse(a);
    EXPECT_EQ(inverse.has_value(), a.IsOnto());
    if (inverse) {
      ++inverted;
      const LinearLayout forth = Compose(*inverse, a).value();
      for (uint64_t y = 0; y < uint64_t{1} << a.output_bits(); ++y) {
        EXPECT_EQ(forth.Index(a.OutputParts(y)), static_cast<int64_t>(y));
      }
    }
    if (inverse && a.IsInjective()) {
      EXPECT_EQ(Inverse(*inverse), a);
    }
    // Reshaping changes no value.
    EXPECT_EQ(FlattenInputs(a).value().images(), a.images());
    const Expected<LinearLayout> flat = FlattenOutputs(a);
    std::vector<LinearDimension> outputs;
    for (const LinearOutput& output : a.outputs()) outputs.push_back({output.name, output.size()});
    EXPECT_EQ(ReshapeOutputs(flat.value(), outputs), a);
    // A free bit can be undone by bits that are not free.
    const F2Span span = a.Span();
    for (const uint64_t vector : span.kernel()) EXPECT_EQ(std::popcount(vector & span.dependent()), 1);
  }
  EXPECT_GT(inverted, 100);
}

}  // namespace
}  // namespace layoutcheck
