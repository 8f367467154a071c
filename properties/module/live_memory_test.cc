// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The live bytes of small modules, computed by hand, and bounds that hold for random ones.
#include "layoutcheck/properties/module/live_memory.h"
#include <gtest/gtest.h>
#include <algorithm>
#include <random>
#include <string>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/module/module_reader.h"

namespace layoutcheck {
namespace {

struct Measured {
  std::vector<int64_t> curve;
  std::string peak;                      // the instruction
  std::vector<std::string> peak_arrays;  // their instructions
  int64_t peak_padding = 0;
};

Measured Measure(const std::string& text) {
  const HloModule module = ReadModule(text);
  EXPECT_TRUE(module.problems.empty()) << module.problems.front().message;
  ModuleFacts facts(module);
  const auto live = LiveMemoryOf(facts);
  if (!live) return {};
  Measured measured;
  for (const LiveBytes& point : live->curve) measured.curve.push_back(point.bytes);
  measured.peak = module.Entry()->instructions[live->peak].name;
  for (const ArrayCost& array : live->peak_arrays) measured.peak_arrays.emplace_back(array.instruction->name);
  measured.peak_padding = live->curve[live->peak].padding();
  return measured;
}

std::vector<int64_t> CurveOf(const std::string& text) { return Measure(text).curve; }

std::string Scheduled(std::string_view attributes, std::string_view body) {
  return StrCat("HloModule m, is_scheduled=true", attributes, "\n\n", body);
}

using Curve = std::vector<int64_t>;

TEST(LiveMemory, AnArrayIsAliveFromItsInstructionToItsLastUse) {
  const Measured measured = Measure(Scheduled("", R"(ENTRY main {
  p = f32[10]{0} parameter(0)
  a = f32[100]{0} broadcast(p), dimensions={}
  b = f32[20]{0} slice(a), slice={[0:20]}
  c = f32[30]{0} pad(b, b), padding=0_10
  ROOT d = f32[5]{0} slice(c), slice={[0:5]}
})"));
  EXPECT_EQ(measured.curve, (Curve{40, 440, 520, 240, 180}));
  EXPECT_EQ(measured.peak, "b");
  EXPECT_EQ(measured.peak_arrays, (std::vector<std::string>{"a", "b", "p"}));
}

TEST(LiveMemory, PaddingIsApart) {
  const Measured measured = Measure(Scheduled("", R"(ENTRY main {
  ROOT p = f32[8,1]{1,0:T(8,128)} parameter(0)
})"));
  EXPECT_EQ(measured.curve, Curve{4096});
  EXPECT_EQ(measured.peak_padding, 4096 - 32);
}

TEST(LiveMemory, NoScheduleNoCurve) {
  EXPECT_TRUE(CurveOf("HloModule m\n\nENTRY main {\n  ROOT p = f32[8]{0} parameter(0)\n}\n").empty());
  // The last computation is the entry if none is marked.
  EXPECT_EQ(CurveOf(Scheduled("", "c {\n  ROOT p = f32[8]{0} parameter(0)\n}\n")), Curve{32});
}

TEST(LiveMemory, BitcastsAndTuplesNameBuffersAndAreNoUseOfThem) {
  EXPECT_EQ(CurveOf(Scheduled("", R"(ENTRY main {
  p = f32[1]{0} parameter(0)
  a = f32[100]{0} negate(p)
  b = f32[200]{0} negate(p)
  t = (f32[100]{0}, f32[200]{0}) tuple(a, b)
  g = f32[200]{0} get-tuple-element(t), index=1
  c = f32[10,20]{1,0} bitcast(g)
  d = f32[1]{0} negate(c)
  ROOT e = f32[1]{0} negate(d)
})")),
            (Curve{4, 404, 804, 804, 804, 804, 808, 12}));
}

TEST(LiveMemory, ConstantsLiveThroughoutAndScalarsCount) {
  EXPECT_EQ(CurveOf(Scheduled("", R"(ENTRY main {
  p = f32[] parameter(0)
  n = f32[] negate(p)
  c = f32[2]{0} constant({1, 2})
  ROOT r = f32[] add(n, n)
})")),
            (Curve{12, 16, 16, 20}));
}

TEST(LiveMemory, OtherMemorySpacesDoNotCount) {
  EXPECT_EQ(CurveOf(Scheduled("", R"(ENTRY main {
  p = f32[8]{0} parameter(0)
  f = f32[8]{0:S(1)} copy(p)
  ROOT r = f32[8]{0} copy(f)
})")),
            (Curve{32, 32, 64}));
}

TEST(LiveMemory, AnAliasedOutputIsTheParameter) {
  const std::string_view body = R"(ENTRY main {
  p = f32[8]{0} parameter(0)
  n = f32[8]{0} negate(p)
  m = f32[8]{0} negate(n)
  ROOT t = (f32[8]{0}, f32[8]{0}) tuple(n, m)
})";
  EXPECT_EQ(CurveOf(Scheduled("", body)), (Curve{32, 64, 96, 96}));
  EXPECT_EQ(CurveOf(Scheduled(", input_output_alias={ {1}: (0, {}, may-alias) }", body)), (Curve{32, 64, 64, 64}));
}

TEST(LiveMemory, AResultThatIsAliasedToAnOperandIsTheOperand) {
  const auto curve = [](const std::string& aliases) {
    return CurveOf(Scheduled("",
                             "ENTRY main {\n  p = f32[8]{0} parameter(0)\n  n = f32[8]{0} negate(p)\n"
                             "  c = (f32[4]{0}, f32[8]{0}) custom-call(p, n), custom_call_target=\"f\"" +
                                 aliases + "\n  ROOT r = f32[8]{0} get-tuple-element(c), index=1\n}\n"));
  };
  EXPECT_EQ(curve(""), (Curve{32, 64, 112, 64}));
  EXPECT_EQ(curve(", output_to_operand_aliasing={{1}: (1, {})}"), (Curve{32, 64, 80, 64}));
}

constexpr std::string_view kLoop = R"(body {
  s = (s32[], f32[100]{0}) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  x = f32[100]{0} get-tuple-element(s), index=1
  one = s32[] constant(1)
  next = s32[] add(i, one)
  y = f32[300]{0} broadcast(x), dimensions={}
  z = f32[100]{0} slice(y), slice={[0:100]}
  ROOT r = (s32[], f32[100]{0}) tuple(next, z)
}

condition {
  s.1 = (s32[], f32[100]{0}) parameter(0)
  i.1 = s32[] get-tuple-element(s.1), index=0
  ROOT lt = pred[] compare(i.1, i.1), direction=LT
}

)";

TEST(LiveMemory, AWhileHasTheBuffersOfItsOperandAndAddsItsBody) {
  const Measured measured = Measure(Scheduled("", StrCat(kLoop, R"(ENTRY main {
  p = f32[100]{0} parameter(0)
  zero = s32[] constant(0)
  c = f32[100]{0} copy(p)
  i = s32[] copy(zero)
  t = (s32[], f32[100]{0}) tuple(i, c)
  w = (s32[], f32[100]{0}) while(t), condition=condition, body=body
  ROOT g = f32[100]{0} get-tuple-element(w), index=1
})")));
  // The parameter and the constants `zero` and `one` are alive throughout. Of the body, y is neither carried nor
  // constant.
  EXPECT_EQ(measured.curve, (Curve{408, 408, 808, 812, 812, 2012, 808}));
  EXPECT_EQ(measured.peak, "w");
  EXPECT_EQ(measured.peak_arrays, (std::vector<std::string>{"y", "p", "c", "zero", "i", "one"}));
}

TEST(LiveMemory, AConditionalAddsItsLargestBranch) {
  EXPECT_EQ(CurveOf(Scheduled("", R"(small {
  ROOT a = f32[10]{0} parameter(0)
}

large {
  a.1 = f32[10]{0} parameter(0)
  b = f32[50]{0} pad(a.1, a.1), padding=0_40
  ROOT c = f32[10]{0} slice(b), slice={[0:10]}
}

ENTRY main {
  p = pred[] parameter(0)
  x = f32[10]{0} parameter(1)
  ROOT r = f32[10]{0} conditional(p, x, x), true_computation=small, false_computation=large
})")),
            (Curve{41, 41, 41 + 40 + 200}));
}

TEST(LiveMemory, ACallReturnsTheBufferOfItsArgument) {
  EXPECT_EQ(CurveOf(Scheduled("", R"(f {
  a = f32[10]{0} parameter(0)
  b = f32[20]{0} parameter(1)
  n = f32[30]{0} negate(a)
  ROOT t = (f32[20]{0}, f32[30]{0}) tuple(b, n)
}

ENTRY main {
  x = f32[10]{0} parameter(0)
  y = f32[20]{0} parameter(1)
  c = (f32[20]{0}, f32[30]{0}) call(x, y), to_apply=f
  g = f32[20]{0} get-tuple-element(c), index=0
  ROOT n = f32[20]{0} negate(g)
})")),
            (Curve{120, 120, 240, 120, 200}));
}

TEST(LiveMemory, AsynchronousOperationsHoldOperandAndResult) {
  EXPECT_EQ(CurveOf(Scheduled("", R"(ENTRY main {
  p = f32[1]{0} parameter(0)
  a = f32[10]{0} negate(p)
  s = (f32[10]{0}, f32[10]{0}, u32[]) copy-start(a)
  b = f32[1]{0} negate(p)
  d = f32[10]{0} copy-done(s)
  ROOT r = f32[1]{0} negate(d)
})")),
            (Curve{4, 44, 88, 92, 88, 48}));
  EXPECT_EQ(CurveOf(Scheduled("", R"(ENTRY main {
  p = f32[1]{0} parameter(0)
  a = f32[10]{0} negate(p)
  s = (f32[10]{0}, f32[40]{0}) all-gather-start(a), dimensions={0}
  b = f32[1]{0} negate(p)
  d = f32[40]{0} all-gather-done(s)
  ROOT r = f32[1]{0} negate(d)
})")),
            (Curve{4, 44, 204, 208, 204, 168}));
  EXPECT_EQ(CurveOf(Scheduled("", R"(add {
  x = f32[] parameter(0)
  y = f32[] parameter(1)
  ROOT z = f32[] add(x, y)
}

ENTRY main {
  p = f32[1]{0} parameter(0)
  a = f32[10]{0} negate(p)
  s = f32[10]{0} all-reduce-start(a), to_apply=add
  b = f32[1]{0} negate(p)
  d = f32[10]{0} all-reduce-done(s)
  ROOT r = f32[1]{0} negate(d)
})")),
            (Curve{4, 44, 84, 88, 84, 48}));
}

TEST(LiveMemory, AnUpdateIsInPlaceUnlessItsOperandIsUsedLater) {
  const auto module = [](std::string_view last) {
    return Scheduled("", StrCat(R"(ENTRY main {
  i = s32[] parameter(0)
  u = f32[1]{0} parameter(1)
  a = f32[100]{0} broadcast(u), dimensions={}
  d = f32[100]{0} dynamic-update-slice(a, u, i)
  e = f32[100]{0} dynamic-update-slice(d, u, i)
  ROOT r = f32[1]{0} slice()",
                                last, "), slice={[0:1]}\n}\n"));
  };
  EXPECT_EQ(CurveOf(module("e")), (Curve{8, 8, 408, 408, 408, 412}));
  EXPECT_EQ(CurveOf(module("a")), (Curve{8, 8, 408, 808, 808, 412}));
}

TEST(LiveMemory, AFusionWithAnUpdateAtItsRootIsInPlace) {
  EXPECT_EQ(CurveOf(Scheduled("", R"(fused {
  i = s32[] parameter(0)
  u = f32[1]{0} parameter(1)
  a = f32[100]{0} parameter(2)
  b = f32[1,100]{1,0} bitcast(a)
  c = f32[1,1]{1,0} bitcast(u)
  d = f32[1,100]{1,0} dynamic-update-slice(b, c, i, i)
  ROOT e = f32[100]{0} bitcast(d)
}

ENTRY main {
  i = s32[] parameter(0)
  u = f32[1]{0} parameter(1)
  a = f32[100]{0} broadcast(u), dimensions={}
  f = f32[100]{0} fusion(i, u, a), kind=kLoop, calls=fused
  ROOT r = f32[1]{0} slice(f), slice={[0:1]}
})")),
            (Curve{8, 8, 408, 408, 412}));
}

TEST(LiveMemory, AnUpdateOfAParameterTakesAPlaceOfItsOwn) {
  EXPECT_EQ(CurveOf(Scheduled("", R"(ENTRY main {
  i = s32[] parameter(0)
  a = f32[100]{0} parameter(1)
  u = f32[1]{0} parameter(2)
  ROOT d = f32[100]{0} dynamic-update-slice(a, u, i)
})")),
            (Curve{408, 408, 408, 808}));
}

TEST(LiveMemory, SumsThatLeaveInt64HaveNoCurve) {
  EXPECT_TRUE(CurveOf(Scheduled("", R"(ENTRY main {
  a = u8[6000000000000000000]{0} parameter(0)
  ROOT b = u8[6000000000000000000]{0} negate(a)
})"))
                  .empty());
}

TEST(LiveMemory, AComputationThatCallsItselfEnds) {
  EXPECT_EQ(CurveOf(Scheduled("", R"(f {
  a = f32[10]{0} parameter(0)
  ROOT c = f32[10]{0} call(a), to_apply=f
}

ENTRY main {
  x = f32[10]{0} parameter(0)
  ROOT c = f32[10]{0} call(x), to_apply=f
})")),
            (Curve{40, 80}));
}

// Draws modules of arrays, tuples, updates and names of memory.
std::string RandomModule(std::mt19937_64& random) {
  const auto draw = [&](size_t bound) { return static_cast<size_t>(random() % bound); };
  std::string body = "ENTRY main {\n  i = s32[] parameter(0)\n  v0 = f32[4]{0} parameter(1)\n";
  std::vector<std::string> shapes = {"f32[4]{0}"};
  const size_t count = 2 + draw(30);
  for (size_t k = 1; k <= count; ++k) {
    const size_t operand = draw(shapes.size());
    std::string shape = shapes[operand];
    std::string text;
    switch (draw(4)) {
      case 0: text = StrCat("bitcast(v", operand, ")"); break;
      case 1: text = StrCat("dynamic-update-slice(v", operand, ", v0, i)"); break;
      default:
        shape = StrCat("f32[", 1 + draw(500), "]{0}");
        text = StrCat("custom-call(v", operand, ", v", draw(shapes.size()), "), custom_call_target=\"f\"");
    }
    StrAppend(body, k == count ? "  ROOT v" : "  v", k, " = ", shape, " ", text, "\n");
    shapes.push_back(shape);
  }
  return Scheduled("", body + "}\n");
}

TEST(LiveMemory, IsAtLeastTheLargestArrayAndAtMostTheSumOfAll) {
  std::mt19937_64 random(17);
  for (int k = 0; k < 500; ++k) {
    const std::string text = RandomModule(random);
    const HloModule module = ReadModule(text);
    ModuleFacts facts(module);
    const auto live = LiveMemoryOf(facts);
    ASSERT_TRUE(live) << text;
    int64_t sum = 4;  // the scalar, which has no layout
    int64_t largest = 0;
    for (const ArrayCost& array : ArraysOf(facts)) {
      sum += array.bytes;
      largest = std::max(largest, array.bytes);
    }
    for (const LiveBytes& point : live->curve) {
      ASSERT_LE(point.bytes, live->curve[live->peak].bytes) << text;
      ASSERT_GE(point.bytes, 4 + 16) << text;
    }
    ASSERT_LE(live->curve[live->peak].bytes, sum) << text;
    ASSERT_GE(live->curve[live->peak].bytes, largest) << text;
    int64_t at_peak = 0;
    for (const ArrayCost& array : live->peak_arrays) at_peak += array.bytes;
    ASSERT_EQ(at_peak, live->curve[live->peak].bytes) << text;
  }
}

}  // namespace
}  // namespace layoutcheck
