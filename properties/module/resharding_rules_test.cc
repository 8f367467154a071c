// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sharding-mismatch and operand-resharded, and the bytes on a device, with known answers. XLA's partitioner
// fails at each mismatch here, and takes the other pairs (jaxlib 0.10.2). Bytes are counted by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/properties/module/instruction_sharding.h"
#include "layoutcheck/properties/testing/module_findings.h"

namespace layoutcheck {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::string_view kRows = "{devices=[8,1]<=[8]}";
constexpr std::string_view kColumns = "{devices=[1,8]<=[8]}";
constexpr std::string_view kManual = "{manual}";
// Groups of the devices g and g + 4.
constexpr std::string_view kGroups = "{devices=[2,1,4]<=[8] last_tile_dims={manual}}";

std::string ModuleWith(std::string_view opcode, std::string_view operand, std::string_view result,
                       std::string_view header = ", num_partitions=8") {
  return StrCat("HloModule m", header, "\n\nENTRY e {\n  p = f32[8,16] parameter(0), sharding=", operand,
                "\n  ROOT n = f32[8,16] ", opcode, "(p), sharding=", result, "\n}\n");
}

std::vector<std::string> FoundFor(std::string_view operand, std::string_view result,
                                  std::string_view opcode = "negate") {
  return FoundIn(ModuleWith(opcode, operand, result));
}

TEST(ShardingMismatch, WhatXlaFailsAtIsAnError) {
  const std::pair<std::string_view, std::string_view> refused[] = {
      {kManual, kRows},
      {kManual, "{replicated}"},
      {kManual, "{maximal device=0}"},
      {kManual, kGroups},
      {kGroups, kManual},
      {kGroups, kRows},
      {kGroups, "{replicated}"},
      {kGroups, "{maximal device=0}"},
      {kRows, kGroups},
      {"{replicated}", kGroups},
      {"{maximal device=0}", kGroups},
      {kGroups, "{devices=[4,1,2]<=[8] last_tile_dims={manual}}"},
      {kGroups, "{devices=[2,1,4]<=[4,2]T(1,0) last_tile_dims={manual}}"},
      {kGroups, "{devices=[1,1,8]<=[8] last_tile_dims={manual}}"},
      {kGroups, "{devices=[1,1,4,2]<=[8] last_tile_dims={manual, replicated}}"},
  };
  for (const auto& [operand, result] : refused) {
    for (const std::string_view opcode : {"negate", "copy"}) {
      EXPECT_THAT(FoundFor(operand, result, opcode),
                  ElementsAre(StrCat("5 sharding-mismatch: operand 0, p, has ", operand, ", and the result ", result,
                                     ": they are manual over different devices, where XLA's partitioner fails")));
    }
  }
}

TEST(ShardingMismatch, WhatXlaTakesIsNoError) {
  const std::pair<std::string_view, std::string_view> taken[] = {
      {kManual, kManual},
      {kRows, kManual},
      {"{replicated}", kManual},
      {kGroups, kGroups},
      {kGroups, "{devices=[1,2,4]<=[8] last_tile_dims={manual}}"},
      {kGroups, "{devices=[1,1,2,4]<=[8] last_tile_dims={replicated,manual}}"},
      {"{unknown}", kRows},
  };
  for (const auto& [operand, result] : taken) EXPECT_THAT(FoundFor(operand, result), IsEmpty()) << operand << result;
  // Only an elementwise operation or copy needs the same devices here; a custom call changes between them.
  EXPECT_THAT(FoundFor(kManual, kRows, "sort"), IsEmpty());
}

TEST(OperandResharded, NamesTheCollectiveAndItsBytes) {
  const auto expect = [](std::string_view operand, std::string_view result, std::string_view cost) {
    EXPECT_THAT(FoundFor(operand, result),
                ElementsAre(StrCat("5 operand-resharded (advice): operand 0, p, has ", operand, ", and the result ",
                                   result, ": XLA reshards the operand (", cost, " bytes")));
  };
  // Each of 8 devices has 16 of 128 elements, and keeps 2 of them.
  expect(kRows, kColumns, "all-to-all), and all devices together receive 448");
  expect(kRows, "{devices=[8,1]7,6,5,4,3,2,1,0}", "collective-permute), and all devices together receive 512");
  // Each device receives the 112 elements of the others.
  expect(kRows, "{replicated}", "all-gather), and all devices together receive 3584");
  EXPECT_THAT(FoundFor("{replicated}", kRows), IsEmpty());
  EXPECT_THAT(FoundFor(kRows, "{devices=[8,1]0,1,2,3,4,5,6,7}"), IsEmpty());
  // A copy with another sharding is a reshard that somebody asked for.
  EXPECT_THAT(FoundFor(kRows, kColumns, "copy"), IsEmpty());
}

TEST(OperandResharded, AnOperandThatOccursTwiceCountsOnce) {
  EXPECT_THAT(FoundIn(StrCat("HloModule m\n\nENTRY e {\n  p = f32[8] parameter(0), sharding={devices=[2]<=[2]}\n",
                             "  ROOT n = f32[8] add(p, p), sharding={devices=[2]1,0}\n}\n")),
              ElementsAre("5 operand-resharded (advice): operand 0, p, has {devices=[2]<=[2]}, and the result "
                          "{devices=[2]1,0}: XLA reshards the operand (collective-permute), and all devices together "
                          "receive 32 bytes"));
}

TEST(OperandResharded, IsAnErrorIfItIsRequired) {
  const HloModule module = ReadModule(ModuleWith("negate", kRows, kColumns));
  ModuleFacts facts(module);
  const std::string required[] = {"operands-keep-sharding"};
  const ModuleVerdict verdict = CheckModule(facts, required);
  ASSERT_EQ(verdict.findings.size(), 1u);
  EXPECT_EQ(verdict.findings[0].severity, Severity::kError);
  EXPECT_EQ(verdict.findings[0].place, (TextPlace{5, 42}));
}

TEST(ShardingMismatch, DoesNotApplyToPartitionedModules) {
  EXPECT_THAT(FoundIn(ModuleWith("negate", kManual, kRows, ", is_scheduled=true")), IsEmpty());
  EXPECT_THAT(FoundIn(ModuleWith("negate", kRows, kColumns, ", is_scheduled=true")), IsEmpty());
}

TEST(ShardingMismatch, AppliesToManualPartsWithCollectives) {
  constexpr std::string_view kPart =
      "\n\nadd {\n  x = f32[] parameter(0)\n  y = f32[] parameter(1)\n  ROOT s = f32[] add(x, y)\n}\n\nENTRY e {\n"
      "  p = f32[8] parameter(0), sharding={devices=[2]<=[2]}\n"
      "  m = f32[4] custom-call(p), custom_call_target=\"SPMDFullToShardShape\", sharding={manual}\n"
      "  r = f32[4] all-reduce(m), to_apply=add, sharding={manual}\n";
  EXPECT_THAT(FoundIn(StrCat("HloModule m", kPart, "  ROOT n = f32[4] negate(r), sharding={manual}\n}\n")), IsEmpty());
  EXPECT_THAT(
      FoundIn(StrCat("HloModule m", kPart, "  ROOT n = f32[4] negate(r), sharding={devices=[2]<=[2]}\n}\n")),
      ElementsAre("13 sharding-mismatch: operand 0, r, has {manual}, and the result {devices=[2]<=[2]}: they are "
                  "manual over different devices, where XLA's partitioner fails"));
}

// Returns "bytes sharding" of each array, or "-" without bytes on a device.
std::vector<std::string> BytesOnDevices(std::string_view header, std::string_view instructions) {
  const HloModule module = ReadModule(StrCat("HloModule m", header, "\n\nENTRY e {\n", instructions, "}\n"));
  ModuleFacts facts(module);
  std::vector<ArrayCost> arrays = ArraysOf(facts);
  AddBytesOnDevice(facts, arrays);
  std::vector<std::string> found;
  for (const ArrayCost& array : arrays) {
    found.push_back(array.on_device ? StrCat(array.on_device->bytes, " ", array.on_device->sharding) : "-");
  }
  return found;
}

TEST(BytesOnDevice, AreThoseOfTheLargestPart) {
  EXPECT_THAT(BytesOnDevices("",
                             "  a = f32[10,6]{1,0} parameter(0), sharding={devices=[4,2]<=[8]}\n"
                             "  b = f32[10,6]{1,0} parameter(1), sharding={devices=[4,1,2]<=[8] "
                             "last_tile_dim_replicate}\n"
                             "  c = f32[10,6]{1,0} parameter(2), sharding={replicated}\n"
                             "  d = f32[10,6]{1,0} parameter(3), sharding={maximal device=1}\n"
                             "  e = f32[10,6]{1,0} parameter(4)\n"
                             "  f = (s4[5]{0:E(4)}, f32[]) rng-bit-generator(a), sharding={{devices=[2]<=[2]}, "
                             "{replicated}}\n"
                             "  g = f32[10,6]{1,0} parameter(5), sharding={devices=[8]<=[8]}\n"
                             "  h = f32[10,6]{1,0} parameter(6), sharding={devices=[3]1}\n"),
              ElementsAre("36 {devices=[4,2]<=[8]}", "72 {devices=[4,1,2]<=[8] last_tile_dim_replicate}",
                          "240 {replicated}", "240 {maximal device=1}", "240 ", "2 {devices=[2]<=[2]}",
                          "4 {replicated}", "240 {devices=[8]<=[8]}", "240 "));
}

TEST(BytesOnDevice, PackedElementsHaveThePaddingOfTheirBytes) {
  const HloModule module = ReadModule(
      "HloModule m\n\nENTRY e {\n  ROOT a = s4[5,2]{1,0:E(4)} parameter(0), sharding={devices=[2,1]<=[2]}\n}\n");
  ModuleFacts facts(module);
  std::vector<ArrayCost> arrays = ArraysOf(facts);
  AddBytesOnDevice(facts, arrays);
  ASSERT_EQ(arrays.size(), 1u);
  EXPECT_EQ(arrays[0].on_device->bytes, 3);
  EXPECT_EQ(arrays[0].on_device->needed_bytes, 3);
}

TEST(BytesOnDevice, AreUnknownWithoutShardingsAndOfPartitionedModules) {
  constexpr std::string_view kPlain = "  a = f32[8]{0} parameter(0)\n";
  constexpr std::string_view kSharded = "  a = f32[8]{0} parameter(0), sharding={devices=[8]<=[8]}\n";
  EXPECT_THAT(BytesOnDevices("", kPlain), ElementsAre("-"));
  EXPECT_THAT(BytesOnDevices("", kSharded), ElementsAre("4 {devices=[8]<=[8]}"));
  EXPECT_THAT(BytesOnDevices(", is_scheduled=true", kSharded), ElementsAre("-"));
}

}  // namespace
}  // namespace layoutcheck
