// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// illegal-sharding and uneven-sharding on small modules with known answers. What is illegal is what XLA's verifier or
// parser refuses (jaxlib 0.10.2).
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/properties/testing/module_findings.h"

namespace layoutcheck {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<std::string> FoundWith(std::string_view shape, std::string_view sharding,
                                   std::string_view header = ", num_partitions=8") {
  return FoundIn(StrCat("HloModule m", header, "\n\nENTRY e {\n  p = ", shape, " parameter(0), sharding=", sharding,
                        "\n  ROOT n = ", shape, " copy(p)\n}\n"));
}

TEST(IllegalSharding, WhatXlaAcceptsIsNoFinding) {
  for (const std::string sharding :
       {"{devices=[2,4]<=[8]}", "{devices=[4,2]<=[2,4]T(1,0)}", "{replicated}", "{manual}", "{maximal device=7}",
        "{{replicated}}", "{devices=[2,4]0,1,2,3,4,5,6,7}", "{devices=[1,1,8]<=[8] last_tile_dim_replicate}",
        "{devices=[2,4,1]<=[8] last_tile_dims={manual}}"}) {
    EXPECT_THAT(FoundWith("f32[8,16]", sharding), IsEmpty()) << sharding;
  }
  EXPECT_THAT(FoundWith("(f32[8,16], s32[])", "{{devices=[2,4]<=[8]}, {replicated}}"), IsEmpty());
  EXPECT_THAT(FoundWith("(f32[8,16], s32[])", "{replicated}"), IsEmpty());
  EXPECT_THAT(FoundWith("f32[8,16]", "{devices=[2,2]<=[4]}", ""), IsEmpty());
}

TEST(IllegalSharding, WhatXlaRefusesIsAnError) {
  const auto expect = [](std::string_view shape, std::string_view sharding, std::string_view message) {
    EXPECT_THAT(FoundWith(shape, sharding), ElementsAre(StrCat("4 illegal-sharding: ", message))) << sharding;
  };
  expect("f32[8,16]", "{devices=[2,2]<=[4]}", "the tile assignment has 4 devices, and num_partitions is 8");
  expect("f32[8,16]", "{devices=[3,2]0,1,2,3,4,4}", "device 4 occurs twice");
  expect("f32[8,16]", "{devices=[2,2]<=[16]}", "the tile dimensions have 4 places, and there are 16 devices");
  expect("f32[8,16]", "{devices=[8]<=[8]}", "the tile assignment has 1 dimensions, and f32[8,16] has 2");
  expect("f32[8,16]", "{devices=[2,4]<=[8] last_tile_dim_replicate}",
         "the tile assignment has 1 dimensions, and f32[8,16] has 2");
  expect("f32[8,16]", "{devices=[2,4]8,1,2,3,4,5,6,7}", "device 8 is none of the 8 of num_partitions");
  expect("f32[8,16]", "{maximal device=9}", "device 9 is none of the 8 of num_partitions");
  expect("f32[8,16]", "{devices=[1,1]0}",
         "the tile assignment has one device; XLA writes {replicated} or {maximal device=...}");
  expect("f32[8,16]", "{devices=[2,4]<=[4,2]T(1,1)}", "expected a permutation of 2 axes");
  expect("(f32[8,16], s32[])", "{{replicated}}", "the tuple has 1 shardings, and the result is (f32[8,16], s32[])");
}

TEST(IllegalSharding, IsLocatedInTheText) {
  const HloModule module = ReadModule(
      "HloModule m\n\nENTRY e {\n  p = f32[8]{0} parameter(0),\n    sharding={devices=[2]0,0}, "
      "metadata={op_name=\"p\"}\n"
      "  ROOT n = f32[8]{0} copy(p)\n}\n");
  ModuleFacts facts(module);
  const ModuleVerdict verdict = CheckModule(facts);
  ASSERT_EQ(verdict.findings.size(), 1u);
  EXPECT_EQ(verdict.findings[0].place, (TextPlace{5, 28}));
}

TEST(UnevenSharding, NamesThePaddingOfAllParts) {
  EXPECT_THAT(FoundWith("f32[10,6]", "{devices=[4,2]<=[8]}"),
              ElementsAre("4 uneven-sharding (advice): f32[10,6] is cut unevenly, 10 elements into 4 parts: 48 of 288 "
                          "bytes over all parts are padding"));
  EXPECT_THAT(FoundWith("f32[3]", "{devices=[8]<=[8]}"),
              ElementsAre(HasSubstr("3 elements into 8 parts: 20 of 32 bytes")));
  EXPECT_THAT(FoundWith("f32[8,6]", "{devices=[4,2]<=[8]}"), IsEmpty());
}

TEST(UnevenSharding, DoesNotApplyToPartitionedModules) {
  const HloModule module = ReadModule(
      "HloModule m, is_scheduled=true\n\nENTRY e {\n  ROOT p = f32[3]{0} parameter(0), "
      "sharding={devices=[8]<=[8]}\n}\n");
  ModuleFacts facts(module);
  const ModuleVerdict verdict = CheckModule(facts);
  EXPECT_THAT(verdict.findings, IsEmpty());
  const std::string why = "shapes are those of the devices' parts";
  EXPECT_THAT(verdict.not_applied, ElementsAre(std::pair("uneven-sharding", why), std::pair("sharding-mismatch", why),
                                               std::pair("operand-resharded", why)));
}

}  // namespace
}  // namespace layoutcheck
