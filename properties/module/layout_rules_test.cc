// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// illegal-layout and layout-mismatch on small modules with known answers, and the modules to which rules do not apply.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/properties/testing/module_findings.h"

namespace layoutcheck {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::StartsWith;

constexpr const char* kLayouts[] = {
    "f32[6,4]{1,0}",         // as elsewhere
    "f32[6,4]{0,1}",         // another order
    "f32[6,4]{1,0:T(2,2)}",  // tiles
    "f32[6,4]{1,0:L(16)}",   // padding at the end
    "s32[6,4]{1,0}",         // another element type
    "f32[4,6]{1,0}",         // other sizes
};

// Expects that the module, with `$` in place of one shape, is clean if that shape is f32[6,4]{1,0}, and that any other
// layout there is one mismatch, in the given line.
void ExpectMismatch(const std::string& with_shape, int64_t line) {
  for (const char* const layout : kLayouts) {
    std::string computations = with_shape;
    computations.replace(computations.find('$'), 1, layout);
    const auto found = RulesBrokenIn(computations);
    if (layout == kLayouts[0]) {
      EXPECT_THAT(found, IsEmpty()) << computations;
    } else {
      EXPECT_THAT(found, ElementsAre(StrCat(line, " layout-mismatch"))) << computations;
    }
  }
}

TEST(LayoutMismatch, Operand) {
  ExpectMismatch("ENTRY %e {\n  %p = f32[6,4]{1,0} parameter(0)\n  ROOT %n = f32[6,4]{1,0} negate($ %p)\n}\n", 4);
}

TEST(LayoutMismatch, GetTupleElement) {
  ExpectMismatch(
      "ENTRY %e {\n  %p = (s8[2]{0}, f32[6,4]{1,0}) parameter(0)\n"
      "  ROOT %g = $ get-tuple-element(%p), index=1\n}\n",
      4);
}

TEST(LayoutMismatch, Tuple) {
  ExpectMismatch(
      "ENTRY %e {\n  %p = f32[6,4]{1,0} parameter(0)\n"
      "  ROOT %t = (f32[6,4]{1,0}, $) tuple(%p, %p)\n}\n",
      4);
}

TEST(LayoutMismatch, FusionParameter) {
  ExpectMismatch(
      "%f {\n  %a = $ parameter(0)\n  ROOT %c = s8[] constant(0)\n}\n"
      "ENTRY %e {\n  %p = f32[6,4]{1,0} parameter(0)\n"
      "  ROOT %r = s8[] fusion(%p), kind=kLoop, calls=%f\n}\n",
      8);
}

TEST(LayoutMismatch, FusionRoot) {
  ExpectMismatch(
      "%f {\n  ROOT %a = $ iota(), iota_dimension=0\n}\n"
      "ENTRY %e {\n  ROOT %r = f32[6,4]{1,0} fusion(), kind=kLoop, calls=%f\n}\n",
      6);
}

TEST(LayoutMismatch, CallParameterAndRoot) {
  ExpectMismatch(
      "%f {\n  %a = $ parameter(0)\n  ROOT %c = s8[] constant(0)\n}\n"
      "ENTRY %e {\n  %p = f32[6,4]{1,0} parameter(0)\n  ROOT %r = s8[] call(%p), to_apply=%f\n}\n",
      8);
  ExpectMismatch(
      "%f {\n  ROOT %a = $ iota(), iota_dimension=0\n}\n"
      "ENTRY %e {\n  ROOT %r = f32[6,4]{1,0} call(), to_apply=%f\n}\n",
      6);
}

// Returns a module with a while loop: `parameter` is the shape of the body's parameter, `result` of its root.
std::string While(const std::string& condition, const std::string& parameter, const std::string& result) {
  return StrCat(
      "%c {\n  %p = ", condition, " parameter(0)\n  ROOT %t = pred[] constant(true)\n}\n%b {\n  %p = ", parameter,
      " parameter(0)\n  ROOT %i = ", result,
      " iota(), iota_dimension=0\n}\nENTRY %e {\n  %p = f32[6,4]{1,0} parameter(0)\n  ROOT %w = f32[6,4]{1,0} "
      "while(%p), condition=%c, body=%b\n}\n");
}

TEST(LayoutMismatch, While) {
  const std::string same = "f32[6,4]{1,0}";
  ExpectMismatch(While("$", same, same), 12);
  ExpectMismatch(While(same, "$", same), 12);
  ExpectMismatch(While(same, same, "$"), 12);
}

TEST(LayoutMismatch, ConditionalBranches) {
  const auto conditional = [](const char* parameter, const char* root, const char* attributes) {
    return StrCat("%t {\n  %a = f32[6,4]{1,0} parameter(0)\n  ROOT %b = f32[6,4]{1,0} iota(), iota_dimension=0\n}\n",
                  "%f {\n  %a = ", parameter, " parameter(0)\n  ROOT %b = ", root, " iota(), iota_dimension=0\n}\n",
                  "ENTRY %e {\n  %i = s32[] parameter(0)\n  %p = f32[6,4]{1,0} parameter(1)\n",
                  "  ROOT %r = f32[6,4]{1,0} conditional(%i, %p, %p), ", attributes, "\n}\n");
  };
  for (const char* attributes : {"branch_computations={%t, %f}", "true_computation=%t, false_computation=%f"}) {
    ExpectMismatch(conditional("$", "f32[6,4]{1,0}", attributes), 13);
    ExpectMismatch(conditional("f32[6,4]{1,0}", "$", attributes), 13);
  }
}

TEST(LayoutMismatch, ComputationHeads) {
  ExpectMismatch("ENTRY %e (p: $) -> f32[6,4] {\n  ROOT %p = f32[6,4]{1,0} parameter(0)\n}\n", 2);
  ExpectMismatch("ENTRY %e (p: f32[6,4]) -> $ {\n  ROOT %p = f32[6,4]{1,0} parameter(0)\n}\n", 2);
}

TEST(LayoutMismatch, UpdatesInPlace) {
  ExpectMismatch(
      "ENTRY %e {\n  %p = $ parameter(0)\n  %u = f32[1,4]{1,0} parameter(1)\n  %i = s32[] parameter(2)\n"
      "  ROOT %r = f32[6,4]{1,0} dynamic-update-slice(%p, %u, %i, %i)\n}\n",
      6);
  ExpectMismatch(
      "%a {\n  %x = f32[] parameter(0)\n  ROOT %y = f32[] parameter(1)\n}\n"
      "ENTRY %e {\n  %p = $ parameter(0)\n  %i = s32[1,1]{1,0} parameter(1)\n"
      "  %u = f32[1,4]{1,0} parameter(2)\n  ROOT %r = f32[6,4]{1,0} scatter(%p, %i, %u), "
      "update_window_dims={1}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, "
      "index_vector_dim=1, to_apply=%a\n}\n",
      10);
}

std::vector<std::string> AsyncStart(const std::string& parameter) {
  return RulesBrokenIn(StrCat(
      "%a {\n  %p = ", parameter, " parameter(0)\n  ROOT %n = f32[6,4]{1,0:T(2,2)} iota(), iota_dimension=0\n}\n",
      "ENTRY %e {\n  %p = f32[6,4]{1,0:T(2,2)} parameter(0)\n",
      "  %s = ((f32[6,4]{1,0:T(2,2)}), f32[6,4]{1,0:T(2,2)}, s32[]) async-start(%p), calls=%a\n",
      "  ROOT %d = f32[6,4]{1,0:T(2,2)} async-done(%s)\n}\n"));
}

TEST(LayoutMismatch, AsyncStart) {
  EXPECT_THAT(AsyncStart("f32[6,4]{1,0:T(2,2)}"), IsEmpty());
  EXPECT_THAT(AsyncStart("f32[6,4]{1,0}"), IsEmpty()) << "computations on the host have no tiles";
  EXPECT_THAT(AsyncStart("f32[6,4]{0,1}"), ElementsAre("8 layout-mismatch"));
  EXPECT_THAT(AsyncStart("f32[6,4]{1,0:T(4,2)}"), ElementsAre("8 layout-mismatch"));
}

TEST(LayoutMismatch, ElementwiseOrders) {
  const auto add = [](const char* a, const char* b, const char* result) {
    return RulesBrokenIn(StrCat("ENTRY %e {\n  %a = ", a, " parameter(0)\n  %b = ", b,
                                " parameter(1)\n  ROOT %r = ", result, " add(%a, %b)\n}\n"));
  };
  EXPECT_THAT(add("f32[6,4]{1,0}", "f32[6,4]{1,0}", "f32[6,4]{1,0}"), IsEmpty());
  EXPECT_THAT(add("f32[6,4]{1,0}", "f32[6,4]{0,1}", "f32[6,4]{1,0}"), ElementsAre("5 layout-mismatch"));
  EXPECT_THAT(add("f32[6,4]{1,0}", "f32[6,4]{1,0}", "f32[6,4]{0,1}"),
              ElementsAre("5 layout-mismatch", "5 layout-mismatch"));
  // XLA's verifier compares neither tiles nor memory spaces here.
  EXPECT_THAT(add("f32[6,4]{1,0:T(2,2)}", "f32[6,4]{1,0:S(1)}", "f32[6,4]{1,0:T(4,4)}"), IsEmpty());
  EXPECT_THAT(add("f32[6,1]{1,0}", "f32[6,1]{0,1}", "f32[6,1]{1,0}"), IsEmpty()) << "the same memory";
  EXPECT_THAT(RulesBrokenIn("ENTRY %e {\n  %p = f32[6,4]{1,0} parameter(0)\n"
                            "  %c = bf16[6,4]{1,0} convert(%p)\n"
                            "  ROOT %s = bf16[4,4]{0,1} slice(%c), slice={[0:4], [0:4]}\n}\n"),
              IsEmpty());
  EXPECT_THAT(RulesBrokenIn("%f {\n  %a = f32[6,4]{0,1} parameter(0)\n  ROOT %n = f32[6,4]{1,0} negate(%a)\n}\n"
                            "ENTRY %e {\n  %p = f32[6,4]{0,1} parameter(0)\n"
                            "  ROOT %r = f32[6,4]{1,0} fusion(%p), kind=kLoop, calls=%f\n}\n"),
              IsEmpty())
      << "the values of a fusion are nowhere in memory";
}

// Returns the findings of a module with this header whose entry returns its parameter, which has this shape.
std::vector<std::string> Entry(const std::string& attributes, const std::string& shape) {
  return FoundIn(StrCat("HloModule m, is_scheduled=true, ", attributes, "\nENTRY %e {\n  ROOT %p = ", shape,
                        " parameter(0)\n}\n"));
}

TEST(LayoutMismatch, EntryLayout) {
  const auto entry = [](const char* parameter, const char* result) {
    return Entry(StrCat("entry_computation_layout={(", parameter, ")->", result, "}"), "f32[6,4]{1,0:T(2,2)}");
  };
  EXPECT_THAT(entry("f32[6,4]{1,0:T(2,2)}", "f32[6,4]{1,0:T(2,2)}"), IsEmpty());
  EXPECT_THAT(entry("f32[6,4]{1,0}", "f32[6,4]{1,0:S(5)}"), IsEmpty()) << "XLA does not compare tiles or memory spaces";
  EXPECT_THAT(entry("f32[6,4]{0,1:T(2,2)}", "f32[6,4]{1,0:T(2,2)}"),
              ElementsAre("1 layout-mismatch: parameter 0 in entry_computation_layout is f32[6,4]{0,1:T(2,2)}, and the "
                          "instruction is f32[6,4]{1,0:T(2,2)}"));
  EXPECT_THAT(entry("f32[6,4]{1,0:T(2,2)}", "f32[6,4]{1,0:T(4,2)}"),
              ElementsAre(StartsWith("1 layout-mismatch: the result in entry_computation_layout")));
}

TEST(LayoutMismatch, Aliases) {
  const auto alias = [](const char* kind, const char* result) {
    return FoundIn(StrCat("HloModule m, is_scheduled=true, input_output_alias={ {}: (0, {}, ", kind,
                          ") }\nENTRY %e {\n  %p = f32[6,4]{1,0} parameter(0)\n  ROOT %r = ", result,
                          " custom-call(%p), custom_call_target=\"f\"\n}\n"));
  };
  EXPECT_THAT(alias("must-alias", "f32[6,4]{1,0}"), IsEmpty());
  EXPECT_THAT(
      alias("must-alias", "f32[6,4]{0,1}"),
      ElementsAre("1 layout-mismatch: output {} is f32[6,4]{0,1}, and parameter 0 {}, which has the same buffer, "
                  "is f32[6,4]{1,0}"));
  EXPECT_THAT(alias("may-alias", "f32[6,4]{0,1}"), ElementsAre(StartsWith("1 layout-mismatch: output {} is")));
  // A buffer that may be used again is written anew: XLA compares sizes alone.
  EXPECT_THAT(alias("may-alias", "f32[3,8]{1,0}"), IsEmpty());
  EXPECT_THAT(alias("may-alias", "f32[3,9]{1,0}"), ElementsAre(StartsWith("1 layout-mismatch: output {} is")));
}

TEST(LayoutMismatch, ResultsThatAreAliasedToOperands) {
  const auto alias = [](const char* operand) {
    return FoundIn(
        StrCat("HloModule m, is_scheduled=true\nENTRY %e {\n  %p = f32[6,4]{1,0} parameter(0)\n  %q = ", operand,
               " parameter(1)\n  ROOT %r = (s8[3]{0}, f32[6,4]{1,0}) custom-call(%p, %q), "
               "custom_call_target=\"f\", output_to_operand_aliasing={{1}: (1, {})}\n}\n"));
  };
  EXPECT_THAT(alias("f32[6,4]{1,0}"), IsEmpty());
  EXPECT_THAT(
      alias("f32[6,4]{0,1}"),
      ElementsAre("5 layout-mismatch: output {1} is f32[6,4]{1,0}, and operand 1 {}, which has the same buffer, "
                  "is f32[6,4]{0,1}"));
}

TEST(LayoutMismatch, MemorySpacesAreNotCompared) {
  EXPECT_THAT(RulesBrokenIn("%f {\n  %a = f32[6,4]{1,0} parameter(0)\n  ROOT %n = f32[6,4]{1,0} negate(%a)\n}\n"
                            "ENTRY %e {\n  %p = f32[6,4]{1,0} parameter(0)\n  %c = f32[6,4]{1,0:S(1)} copy(%p)\n"
                            "  ROOT %r = f32[6,4]{1,0:S(1)} fusion(%c), kind=kLoop, calls=%f\n}\n"),
              IsEmpty());
}

TEST(LayoutMismatch, ScalarsWithoutLayoutAgreeWithAll) {
  EXPECT_THAT(
      RulesBrokenIn("%a (x: f32[]) -> f32[] {\n  ROOT %x = f32[]{:T(128)} parameter(0)\n}\n"
                    "ENTRY %e {\n  %p = f32[]{:T(128)} parameter(0)\n  ROOT %c = f32[] call(%p), to_apply=%a\n}\n"),
      IsEmpty());
}

TEST(LayoutMismatch, AppliedComputationsHaveScalars) {
  EXPECT_THAT(
      RulesBrokenIn("%a {\n  %x = f32[] parameter(0)\n  %y = f32[] parameter(1)\n  ROOT %s = f32[] add(%x, %y)\n}\n"
                    "ENTRY %e {\n  %p = f32[6,4]{1,0} parameter(0)\n  %z = f32[] constant(0)\n"
                    "  ROOT %r = f32[6]{0} reduce(%p, %z), dimensions={1}, to_apply=%a\n}\n"),
      IsEmpty());
}

TEST(IllegalLayout, WhereverAShapeStands) {
  constexpr const char* kIllegal = "f32[6,4]{1,1}";
  const auto illegal = [](const std::string& module) { return FoundIn(module); };
  EXPECT_THAT(illegal(StrCat("HloModule m, entry_computation_layout={(", kIllegal,
                             ")->f32[6,4]{1,0}}\nENTRY %e {\n"
                             "  ROOT %p = f32[6,4]{1,0} parameter(0)\n}\n")),
              Contains(StartsWith("1 illegal-layout: parameter f32[6,4]{1,1}: ")));
  EXPECT_THAT(illegal(StrCat("HloModule m\nENTRY %e (p: f32[6,4]) -> ", kIllegal,
                             " {\n  ROOT %p = f32[6,4] parameter(0)\n}\n")),
              Contains(StartsWith("2 illegal-layout: result f32[6,4]{1,1}: ")));
  EXPECT_THAT(illegal(StrCat("HloModule m\nENTRY %e {\n  ROOT %p = ", kIllegal, " parameter(0)\n}\n")),
              Contains(StartsWith("3 illegal-layout: result f32[6,4]{1,1}: ")));
  EXPECT_THAT(illegal(StrCat("HloModule m\nENTRY %e {\n  %p = f32[6,4] parameter(0)\n  ROOT %n = f32[6,4] negate(",
                             kIllegal, " %p)\n}\n")),
              Contains(StartsWith("4 illegal-layout: operand f32[6,4]{1,1}: ")));
  EXPECT_THAT(
      illegal(StrCat("HloModule m\nENTRY %e {\n  %p = f32[6,4] parameter(0)\n  ROOT %c = f32[] custom-call(%p), "
                     "custom_call_target=\"f\", operand_layout_constraints={",
                     kIllegal, "}\n}\n")),
      Contains(StartsWith("4 illegal-layout: operand_layout_constraints f32[6,4]{1,1}: ")));
}

// Returns the rules that were not applied.
size_t NotApplied(const std::string& text) {
  const HloModule module = ReadModule(text);
  ModuleFacts facts(module);
  return CheckModule(facts).not_applied.size();
}

TEST(BeforeLayoutAssignment, DefaultLayoutsMeanNothing) {
  const std::string entry = "ENTRY %e {\n  %p = f32[6,4]{1,0} parameter(0)\n  ROOT %n = f32[6,4]{1,0} negate(%p)\n}\n";
  EXPECT_EQ(NotApplied("HloModule m\n" + entry), 7U);
  // These are layouts that the program asks for.
  EXPECT_EQ(NotApplied("HloModule m, entry_computation_layout={(f32[6,4]{0,1:T(8,128)S(5)})->f32[6,4]{0,1}}\n" + entry),
            7U);
  EXPECT_THAT(FoundIn("HloModule m, entry_computation_layout={(f32[6,4]{0,1})->f32[6,4]{0,1}}\n" + entry), IsEmpty());
  EXPECT_EQ(NotApplied("HloModule m\nENTRY %e {\n  ROOT %p = f32[6,4]{1,0:S(5)} parameter(0)\n}\n"), 7U);
  EXPECT_EQ(NotApplied("HloModule m, is_scheduled=true\n" + entry), 0U);
  EXPECT_EQ(NotApplied("HloModule m\nENTRY %e {\n  ROOT %p = f32[6,4]{1,0:T(8,128)} parameter(0)\n}\n"), 0U);
  EXPECT_EQ(NotApplied("HloModule m\nENTRY %e {\n  ROOT %p = f32[6,4]{1,0:S(1)} parameter(0)\n}\n"), 0U);
  EXPECT_EQ(
      NotApplied("HloModule m\nENTRY %e {\n  %p = f32[4]{0} parameter(0)\n  ROOT %b = f32[4]{0} bitcast(%p)\n}\n"), 0U);
}

}  // namespace
}  // namespace layoutcheck
