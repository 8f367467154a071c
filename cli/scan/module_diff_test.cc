// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/scan/module_diff.h"
#include <gtest/gtest.h>
#include <string>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/json/json.h"

namespace layoutcheck {
namespace {

DiffModule ScannedModule(const std::string& text, const std::string& file = "a.txt") {
  return DiffModuleOf(ScanModule({.file = file, .first_line = 1, .text = text}));
}

// Returns a scheduled module with this body.
std::string Module(const std::string& body, const std::string& entry = "main") {
  return StrCat("HloModule m, is_scheduled=true\nENTRY %", entry, " {\n", body, "}\n");
}

// Returns "before -> after" for each change, by instruction names; "-" where there is none.
std::vector<std::string> Changes(const ModuleDiff& diff) {
  std::vector<std::string> changes;
  for (const ArrayChange& change : diff.changes) {
    changes.push_back(StrCat(change.before == nullptr ? "-" : change.before->instruction, " -> ",
                             change.after == nullptr ? "-" : change.after->instruction));
  }
  return changes;
}
using Strings = std::vector<std::string>;

const std::string kOld = Module(
    "  %x = f32[100,3]{1,0:T(8,128)} parameter(0)\n  %copy.1 = f32[100,3]{0,1:T(8,128)} copy(%x)\n"
    "  ROOT %neg.2 = f32[100,3]{0,1:T(8,128)} negate(%copy.1)\n");

TEST(ModuleDiff, AModuleIsTheSameAsItself) {
  const DiffModule module = ScannedModule(kOld);
  const ModuleDiff diff = DiffModules(module, module);
  EXPECT_EQ(diff.changes.size(), 0u);
  EXPECT_EQ(diff.unchanged, 3);
}

TEST(ModuleDiff, RenamedInstructionsAreTheSame) {
  const DiffModule before = ScannedModule(kOld);
  const DiffModule after = ScannedModule(
      Module("  %p = f32[100,3]{1,0:T(8,128)} parameter(0)\n  %copy.9 = f32[100,3]{0,1:T(8,128)} copy(%p)\n"
             "  ROOT %n = f32[100,3]{0,1:T(8,128)} negate(%copy.9)\n",
             "another_name"));
  EXPECT_EQ(Changes(DiffModules(before, after)), Strings{});
}

TEST(ModuleDiff, AChangedLayoutIsAChange) {
  const DiffModule before = ScannedModule(kOld);
  // The parameter has the other order now, under another name, so the copy is gone.
  const DiffModule after = ScannedModule(
      Module("  %p = f32[100,3]{0,1:T(8,128)} parameter(0)\n  ROOT %neg.2 = f32[100,3]{0,1:T(8,128)} negate(%p)\n"));
  const ModuleDiff diff = DiffModules(before, after);
  // 13 * 8 * 128 * 4 bytes became 8 * 128 * 4. The operand of neg.2 is a parameter, so its structure differs.
  EXPECT_EQ(Changes(diff), (Strings{"x -> p", "copy.1 -> -"}));
  EXPECT_EQ(diff.changes[0].MoreBytes(), 4096 - 53248);
  EXPECT_EQ(diff.changes[1].MoreBytes(), -4096);
  EXPECT_EQ(diff.unchanged, 1);
}

// Of several renamed arrays of one structure, those of equal layouts are paired first: one inserted copy is one change.
TEST(ModuleDiff, AnInsertedArrayIsOneChange) {
  std::string body = "  %x = f32[100,3]{1,0:T(8,128)} parameter(0)\n";
  std::string longer = body + "  %c = f32[100,3]{1,0:T(4,128)} copy(%x)\n";
  for (int k = 0; k < 5; ++k) {
    const std::string tile = std::to_string(8 << k);
    body += StrCat("  %copy.", k, " = f32[100,3]{0,1:T(", tile, ")} copy(%x)\n");
    longer += StrCat("  %copy.", k + 10, " = f32[100,3]{0,1:T(", tile, ")} copy(%x)\n");
  }
  EXPECT_EQ(Changes(DiffModules(ScannedModule(Module(body)), ScannedModule(Module(longer)))), Strings{"- -> c"});
  EXPECT_EQ(Changes(DiffModules(ScannedModule(Module(longer)), ScannedModule(Module(body)))), Strings{"c -> -"});
}

TEST(ModuleDiff, ChangedDimensionsArePairedByName) {
  const DiffModule before = ScannedModule(Module("  ROOT %x = f32[100,3]{1,0} parameter(0)\n"));
  const DiffModule after = ScannedModule(Module("  ROOT %x = f32[200,3]{1,0} parameter(0)\n"));
  const ModuleDiff diff = DiffModules(before, after);
  EXPECT_EQ(Changes(diff), Strings{"x -> x"});
  EXPECT_EQ(diff.changes[0].MoreBytes(), 1200);
}

TEST(ModuleDiff, PartsOfTuplesAreArraysOfTheirOwn) {
  const std::string old_body = "  ROOT %x = (f32[8]{0}, f32[8]{0}) custom-call(), custom_call_target=\"t\"\n";
  const std::string new_body = "  ROOT %x = (f32[8]{0}, f32[8]{0:T(16)}) custom-call(), custom_call_target=\"t\"\n";
  const DiffModule before = ScannedModule(Module(old_body));
  const DiffModule after = ScannedModule(Module(new_body));
  const ModuleDiff diff = DiffModules(before, after);
  ASSERT_EQ(diff.changes.size(), 1u);
  EXPECT_EQ(diff.changes[0].after->shape, "f32[8]{0:T(16)}");
  EXPECT_EQ(diff.unchanged, 1);
}

TEST(ModuleDiff, ModulesArePairedByNameAndFile) {
  const auto module = [](std::string file, std::string name, bool is_scheduled) {
    return DiffModule{.file = std::move(file), .name = std::move(name), .is_scheduled = is_scheduled};
  };
  const std::vector<DiffModule> before = {module("old/1.before.txt", "f", false), module("old/1.txt", "f", true),
                                          module("old/2.txt", "g", true), module("old/3.txt", "gone", true)};
  const std::vector<DiffModule> after = {module("new/added.txt", "h", true), module("new/7.txt", "f", true),
                                         module("new/2.txt", "g", true), module("new/1.before.txt", "f", false)};
  const auto pairs = PairModules(before, after);
  ASSERT_EQ(pairs.size(), 5u);
  const auto name = [](const DiffModule* of) { return of == nullptr ? std::string("-") : of->file; };
  Strings texts;
  for (const auto& [a, b] : pairs) texts.push_back(name(a) + " " + name(b));
  EXPECT_EQ(texts, (Strings{"- new/added.txt", "old/1.txt new/7.txt", "old/2.txt new/2.txt",
                            "old/1.before.txt new/1.before.txt", "old/3.txt -"}));
  // Two single modules are versions of one whatever their names.
  const auto single = PairModules(std::span(before).first(1), std::span(after).first(1));
  ASSERT_EQ(single.size(), 1u);
  EXPECT_EQ(name(single[0].first), "old/1.before.txt");
}

TEST(ModuleDiff, JsonHasALinePerPairAndPerChange) {
  const std::vector<DiffModule> before = {ScannedModule(kOld, "old.txt")};
  std::vector<DiffModule> after = {
      ScannedModule(Module("  ROOT %x = f32[100,3]{0,1:T(8,128)} parameter(0)\n"), "new.txt")};
  const std::vector<Json> lines = DiffJson(before, after);
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_EQ(lines[0], Json({{"type", "diff"},
                            {"file", "new.txt"},
                            {"name", "m"},
                            {"bytes", 4096},
                            {"needed_bytes", 1200},
                            {"copied_bytes", 0},
                            {"peak_bytes", 4096},
                            {"old_file", "old.txt"},
                            {"old_name", "m"},
                            {"old_bytes", 61440},
                            {"old_needed_bytes", 3600},
                            {"old_copied_bytes", 4096},
                            {"old_peak_bytes", *before[0].peak_bytes},
                            {"changes", 3},
                            {"unchanged", 0}}));
  EXPECT_EQ(lines[1], Json({{"type", "change"},
                            {"file", "new.txt"},
                            {"line", 3},
                            {"computation", "main"},
                            {"instruction", "x"},
                            {"opcode", "parameter"},
                            {"shape", "f32[100,3]{0,1:T(8,128)}"},
                            {"bytes", 4096},
                            {"old_file", "old.txt"},
                            {"old_line", 3},
                            {"old_computation", "main"},
                            {"old_instruction", "x"},
                            {"old_opcode", "parameter"},
                            {"old_shape", "f32[100,3]{1,0:T(8,128)}"},
                            {"old_bytes", 53248}}));
  EXPECT_FALSE(lines[2].contains("file"));
}

TEST(ModuleDiff, TextNamesWhatChanged) {
  const std::vector<DiffModule> before = {ScannedModule(kOld, "old.txt"),
                                          ScannedModule("HloModule gone\nENTRY e {\n}\n", "gone.txt")};
  const std::vector<DiffModule> after = {
      ScannedModule(Module("  ROOT %p = f32[100,3]{0,1:T(8,128)} parameter(0)\n"), "new.txt")};
  EXPECT_EQ(DiffText(before, after, 2),
            "m in old.txt -> m in new.txt\n"
            "\n"
            "      before        after       change\n"
            "      60 KiB        4 KiB      -56 KiB  allocated\n"
            "   3.516 KiB    1.172 KiB   -2.344 KiB  needed\n"
            "       4 KiB          0 B       -4 KiB  written by copies, transposes and reshapes\n"
            "      60 KiB        4 KiB      -56 KiB  alive at the peak\n"
            "\n"
            "3 arrays differ, 0 are the same\n"
            "      52 KiB        4 KiB      -48 KiB  main/p parameter (was main/x) f32[100,3]{1,0:T(8,128)} -> "
            "f32[100,3]{0,1:T(8,128)}\n"
            "       4 KiB            -       -4 KiB  main/copy.1 copy f32[100,3]{0,1:T(8,128)}, only in OLD\n"
            "1 more: see --top and --json\n"
            "\n"
            "gone in gone.txt is only in OLD: 0 B allocated\n");
}

TEST(ModuleDiff, AChangedShardingIsAChange) {
  const auto module = [](const std::string& sharding) {
    return ScannedModule(
        "HloModule m\nENTRY e {\n  a = f32[64]{0} parameter(0), sharding={devices=[8]<=[8]}\n"
        "  ROOT b = f32[64]{0} parameter(1), sharding=" +
        sharding + "\n}\n");
  };
  const DiffModule before = module("{replicated}");
  const DiffModule after = module("{devices=[8]<=[8]}");
  const ModuleDiff diff = DiffModules(before, after);
  EXPECT_EQ(Changes(diff), Strings{"b -> b"});
  EXPECT_EQ(diff.unchanged, 1);
  EXPECT_EQ(diff.changes[0].MoreBytes(), 0);
  EXPECT_EQ(diff.changes[0].MoreDeviceBytes(), 32 - 256);
  const std::string text = DiffText(std::span(&before, 1), std::span(&after, 1), 10);
  EXPECT_NE(text.find("       288 B         64 B       -224 B  on a device, by the largest parts\n"), std::string::npos)
      << text;
  EXPECT_NE(text.find("  e/b parameter f32[64]{0} {replicated} -> f32[64]{0} {devices=[8]<=[8]}, on a device 256 B -> "
                      "32 B\n"),
            std::string::npos)
      << text;
  const std::vector<Json> lines = DiffJson(std::span(&before, 1), std::span(&after, 1));
  EXPECT_EQ(lines[0]["device_bytes"], 64);
  EXPECT_EQ(lines[0]["old_device_bytes"], 288);
  EXPECT_EQ(lines[1]["sharding"], "{devices=[8]<=[8]}");
  EXPECT_EQ(lines[1]["old_sharding"], "{replicated}");
  EXPECT_EQ(lines[1]["old_device_bytes"], 256);
}

}  // namespace
}  // namespace layoutcheck
