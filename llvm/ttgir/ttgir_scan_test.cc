// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/ttgir/ttgir_scan.h"
#include <gtest/gtest.h>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/llvm/ttgir/ttgir_types.h"

namespace layoutcheck {
namespace {

constexpr std::string_view kHead =
    "#wide = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>\n"
    "#tall = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [8, 4], warpsPerCTA = [1, 4], order = [0, 1]}>\n"
    "#same = #ttg.linear<{register = [[0, 1], [0, 2], [16, 0]], lane = [[0, 4], [0, 8], [0, 16], [1, 0], [2, 0]], "
    "warp = [[4, 0], [8, 0]], block = []}>\n"
    "#turned = #ttg.linear<{register = [[16, 0], [0, 2], [0, 1]], lane = [[0, 4], [0, 8], [0, 16], [1, 0], [2, 0]], "
    "warp = [[4, 0], [8, 0]], block = []}>\n"
    "#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>\n"
    "#padded = #ttg.padded_shared<[32:+4] {order = [1, 0], shape = [32, 32]}>\n"
    "#smem = #ttg.shared_memory\n"
    "module attributes {\"ttg.num-ctas\" = 1 : i32, \"ttg.num-warps\" = 4 : i32, ttg.target = \"cuda:90\", "
    "\"ttg.threads-per-warp\" = 32 : i32} {\n"
    "  tt.func public @f(%p: !tt.ptr<f32>, %x: tensor<32x32xf32, #wide>, %h: tensor<32x32xf16, #wide>) {\n";

// A module with its scan, which refers to it.
struct Scanned {
  TtirModule module;
  TtgirScan scan;

  const TtgirFunction& function() const { return scan.functions[0]; }
  // Returns the broken rules with the places and messages, one per line.
  std::string Findings() const {
    std::string text;
    for (const TtgirFinding& finding : function().findings) {
      StrAppend(text, finding.rule, " ", finding.op == nullptr ? "-" : OpText(*finding.op), ": ", finding.message,
                "\n");
    }
    return text;
  }
};

std::unique_ptr<Scanned> ScanText(const std::string& text) {
  auto scanned = std::make_unique<Scanned>();
  auto module = ParseTtir(text, "f.ttgir");
  EXPECT_TRUE(module.has_value()) << module.error().ToString();
  if (!module) return scanned;
  scanned->module = *std::move(module);
  auto scan = ScanTtgir(scanned->module);
  EXPECT_TRUE(scan.has_value()) << scan.error().ToString();
  if (scan) scanned->scan = *std::move(scan);
  return scanned;
}

std::unique_ptr<Scanned> ScanBody(const std::string& body) {
  return ScanText(StrCat(kHead, body, "    tt.return\n  }\n}\n"));
}

std::unique_ptr<Scanned> ScanFile(const std::string& name) {
  std::ifstream file(StrCat(LAYOUTCHECK_CORPUS, "/triton/layouts/", name));
  return ScanText({std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()});
}

// Returns a line that converts %x from #wide.
std::string Convert(const std::string& result, const std::string& operand, const std::string& from,
                    const std::string& to) {
  return StrCat("    ", result, " = ttg.convert_layout ", operand, " : tensor<32x32xf32, ", from,
                "> -> tensor<32x32xf32, ", to, ">\n");
}

TEST(ScanTtgir, TensorsOfOneTypeAreOneRow) {
  const auto scanned = ScanBody(
      "    %r = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, "
      "#ttg.slice<{dim = 1, parent = #wide}>>\n");
  const std::vector<TtgirTensors>& tensors = scanned->function().tensors;
  ASSERT_EQ(tensors.size(), 3U);
  EXPECT_EQ(tensors[0].type, "32x32xf32 #wide");
  EXPECT_EQ(tensors[0].registers, 8);
  EXPECT_EQ(tensors[0].thread_bytes(), 32);
  EXPECT_EQ(tensors[0].copies, Replication());
  // A column of 32 indices: each is held by 8 lanes, and each thread holds two of them.
  const TtgirTensors& rows = tensors[2];
  EXPECT_EQ(rows.layout,
            "#ttg.slice<{dim = 1, parent = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], "
            "warpsPerCTA = [4, 1], order = [1, 0]}>}>");
  EXPECT_EQ(rows.registers, 2);
  EXPECT_EQ(rows.copies, (Replication{.registers = 1, .lanes = 8}));
}

TEST(ScanTtgir, ConvertsThatMoveNothingAreFree) {
  const auto scanned = ScanBody(Convert("%a", "%x", "#wide", "#same") + Convert("%b", "%x", "#wide", "#turned"));
  EXPECT_EQ(scanned->function().converts[0].movement, (Movement{.kept = 1024, .has_same_registers = true}));
  EXPECT_EQ(scanned->function().converts[1].movement, Movement{.kept = 1024});
  EXPECT_EQ(
      scanned->Findings(),
      "convert-is-free %a: both layouts have each element in the same register of the same thread: nothing moves\n"
      "convert-is-free %b: each thread holds its elements before: at most the numbers of their registers change\n");
}

// A warp of #wide has 8 rows in two groups, one of #tall has 8 columns: of the 8 x 32 elements that a warp has before,
// it needs 8 x 8 afterwards, of its 32 x 8.
TEST(ScanTtgir, ConvertsBetweenWarpsGoThroughSharedMemory) {
  const auto scanned = ScanBody(Convert("%a", "%x", "#wide", "#tall"));
  const TtgirConvert& convert = scanned->function().converts[0];
  EXPECT_EQ(convert.movement.warps, 1024 * 3 / 4);
  EXPECT_EQ(convert.moved_bytes(), (convert.movement.lanes + 768) * 4);
  EXPECT_EQ(convert.shared_bytes, 4096);
  EXPECT_EQ(convert.store_passes, 32);
  EXPECT_EQ(convert.load_passes, 32);
  EXPECT_EQ(scanned->Findings(), "");
}

TEST(ScanTtgir, ConvertsOfConvertsAreFound) {
  const auto there_and_back = ScanBody(Convert("%a", "%x", "#wide", "#tall") + Convert("%b", "%a", "#tall", "#wide"));
  EXPECT_EQ(there_and_back->Findings(), "convert-of-convert %b: it goes back to the layout of %x, which would do\n");
}

TEST(ScanTtgir, ConvertsAreSmallestBeforeExtensionsAndBehindTruncations) {
  const auto scanned = ScanBody("    %e = arith.extf %h : tensor<32x32xf16, #wide> to tensor<32x32xf32, #wide>\n" +
                                Convert("%a", "%e", "#wide", "#tall") + Convert("%b", "%x", "#wide", "#tall") +
                                "    %t = arith.truncf %b : tensor<32x32xf32, #tall> to tensor<32x32xf16, #tall>\n");
  const int64_t moved = scanned->function().converts[0].moved_bytes();
  EXPECT_EQ(scanned->Findings(),
            StrCat("convert-not-smallest %a: a convert of %h before arith.extf moves ", moved / 2, " bytes, this one ",
                   moved, "\nconvert-not-smallest %b: a convert behind arith.truncf moves ", moved / 2,
                   " bytes, this one ", moved, "\n"));
}

TEST(ScanTtgir, ConvertsOfWhatEachThreadComputesAreFound) {
  const auto scanned = ScanBody(
      "    %c = arith.constant dense<2.0> : tensor<32x32xf32, #wide>\n"
      "    %d = arith.addf %c, %c : tensor<32x32xf32, #wide>\n"
      "    %e = arith.addf %x, %d : tensor<32x32xf32, #wide>\n" +
      Convert("%a", "%d", "#wide", "#tall") + Convert("%b", "%e", "#wide", "#tall"));
  const int64_t moved = scanned->function().converts[0].moved_bytes();
  EXPECT_EQ(
      scanned->Findings(),
      StrCat("convert-of-computed %a: 2 operations compute it from constants, ranges and scalars: in the new layout "
             "they would move no byte instead of ",
             moved, "; results needed in both layouts: 1\n"));
}

TEST(ScanTtgir, AccessesToBuffersHaveTheirPasses) {
  const auto scanned = ScanBody(
      "    %s = ttg.local_alloc %x : (tensor<32x32xf32, #wide>) -> !ttg.memdesc<32x32xf32, #shared, #smem>\n"
      "    %l = ttg.local_load %s : !ttg.memdesc<32x32xf32, #shared, #smem> -> tensor<32x32xf32, #tall>\n"
      "    %n = ttg.local_alloc : () -> !ttg.memdesc<2x32x32xf32, #padded, #smem, mutable>\n");
  const std::vector<TtgirAccess>& accesses = scanned->function().accesses;
  ASSERT_EQ(accesses.size(), 2U);
  EXPECT_EQ(accesses[0].access->lane_bytes, 16);
  EXPECT_EQ(accesses[0].access->passes, 32);
  // The 8 lanes of a column meet in a bank, and the 4 columns are in different banks.
  EXPECT_EQ(accesses[1].access->lane_bytes, 4);
  EXPECT_EQ(accesses[1].access->conflict_free_passes, 32);
  EXPECT_EQ(accesses[1].access->passes, 32 * 8);
  EXPECT_EQ(scanned->Findings(),
            "bank-conflicts %l: words of several lanes lie in one bank: 256 passes, without conflicts 32\n");
  const std::vector<TtgirBuffer>& buffers = scanned->function().buffers;
  ASSERT_EQ(buffers.size(), 2U);
  EXPECT_EQ(buffers[0].bytes, 4096);
  EXPECT_EQ(buffers[1].bytes, 2 * 4 * (32 * 36 - 4));  // the padding behind the last row is not needed
}

// Each of two blocks has half of the rows, and stores them in its own memory.
TEST(ScanTtgir, AccessesOfAClusterAreThoseOfItsBlocks) {
  const std::string text =
      "#halves = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0], "
      "CGALayout = [[1, 0]]}>\n"
      "#copies = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0], "
      "CGALayout = [[0, 0]]}>\n"
      "#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0], CGALayout = [[1, 0]]}>\n"
      "#smem = #ttg.shared_memory\n"
      "module attributes {\"ttg.num-ctas\" = 2 : i32, \"ttg.num-warps\" = 4 : i32, ttg.target = \"cuda:90\", "
      "\"ttg.threads-per-warp\" = 32 : i32} {\n"
      "  tt.func public @f(%x: tensor<64x32xf32, #halves>) {\n"
      "    %b = ttg.local_alloc %x : (tensor<64x32xf32, #halves>) -> !ttg.memdesc<64x32xf32, #shared, #smem>\n"
      "    %y = ttg.local_load %b : !ttg.memdesc<64x32xf32, #shared, #smem> -> tensor<64x32xf32, #copies>\n"
      "    tt.return\n  }\n}\n";
  const auto scanned = ScanText(text);
  const std::vector<TtgirAccess>& accesses = scanned->function().accesses;
  ASSERT_EQ(accesses.size(), 2U);
  EXPECT_EQ(accesses[0].access->passes, 2 * 32);
  EXPECT_FALSE(accesses[1].access.has_value());
  EXPECT_EQ(scanned->Findings(),
            "unreadable %y: expected accesses to the block's own shared memory, because others have no known passes\n");
}

TEST(ScanTtgir, WhatCannotBeReadIsUndecided) {
  const auto scanned = ScanBody(
      "    %a = tt.splat %p : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #missing>\n"
      "    %b = arith.constant dense<1> : tensor<64x64xi32, #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = "
      "[64, "
      "1], warpsPerCTA = [4, 1], order = [0, 1]}>>\n");
  EXPECT_EQ(
      scanned->Findings(),
      "unreadable %a: 32x!tt.ptr<f32> #missing: '#missing' is not defined\n"
      "unreadable %b: 64x64xi32 #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [64, 1], warpsPerCTA = [4, "
      "1], order = [0, 1]}>: expected 32 lanes per warp as the module has, found 64\n");
  EXPECT_TRUE(scanned->function().findings[0].is_undecided);
  const auto ttir = ParseTtir("module {\n  tt.func @f() {\n    tt.return\n  }\n}\n", "f.ttir");
  EXPECT_FALSE(ScanTtgir(*ttir).has_value());
}

TEST(TtgirLayouts, AliasesMayNotGrowWithoutBound) {
  TtirAttributes aliases;
  for (int k = 0; k < 7; ++k) aliases[StrCat("#a", k)] = StrCat("#a", k + 1, "#a", k + 1, "#a", k + 1, "#a", k + 1);
  aliases["#a7"] = std::string(100, 'x');
  aliases["#loop"] = "#loop";
  const TtgirLayouts layouts(aliases);
  EXPECT_NE(layouts.Expanded("#a0").error().message.find("at most 65536 bytes"), std::string::npos);
  EXPECT_NE(layouts.Expanded("#loop").error().message.find("more than 8 deep"), std::string::npos);
  EXPECT_EQ(layouts.Expanded("#ttg.slice<{parent = #a7}>").value(),
            StrCat("#ttg.slice<{parent = ", std::string(100, 'x'), "}>"));
}

TEST(ParseBufferType, ReadsShapesLayoutsAndParts) {
  const auto part = ParseBufferType("!ttg.memdesc<64x16xf16, #shared, #smem, mutable, 3x64x32>");
  ASSERT_TRUE(part.has_value()) << part.error().message;
  EXPECT_EQ(part->shape, (std::vector<int64_t>{64, 16}));
  EXPECT_EQ(part->whole_shape, (std::vector<int64_t>{64, 32}));
  EXPECT_EQ(part->element, "f16");
  EXPECT_EQ(part->encoding, "#shared");
  for (const char* const text :
       {"!ttg.memdesc<f16, #shared, #smem>", "!ttg.memdesc<0xf16, #shared, #smem>", "!ttg.memdesc<4xf16, #shared>",
        "!ttg.memdesc<4xf16, #shared, #smem, 8>", "f16", "!ttg.memdesc<99999999999x99999999999xf16, #shared, #smem>"}) {
    EXPECT_EQ(ParseBufferType(text).has_value(), std::string_view(text).ends_with("8>")) << text;
  }
}

// Triton's own kernels: what each moves is counted by hand above for the same layouts.
TEST(ScanTtgir, KernelsOfTheCorpusHaveKnownAnswers) {
  const auto twice = ScanFile("scale_twice.sm90.ttgir");
  EXPECT_EQ(twice->function().converts.size(), 5U);
  std::vector<std::string_view> rules;
  for (const TtgirFinding& finding : twice->function().findings) rules.push_back(finding.rule);
  EXPECT_EQ(rules, (std::vector<std::string_view>{"convert-not-smallest", "convert-of-convert", "convert-of-convert",
                                                  "convert-of-computed"}));
  const auto once = ScanFile("scale_once.sm90.ttgir");
  EXPECT_EQ(once->function().converts.size(), 1U);
  EXPECT_EQ(once->Findings(), "");
  const auto attention = ScanFile("attention.sm90.ttgir");
  ASSERT_EQ(attention->function().findings.size(), 1U);
  EXPECT_EQ(attention->function().findings[0].rule, "convert-is-free");
  for (const TtgirAccess& access : attention->function().accesses) {
    if (access.access) {
      EXPECT_EQ(access.access->passes, access.access->conflict_free_passes) << OpText(*access.op);
    }
  }
  const auto amd = ScanFile("attention.gfx942.ttgir");
  EXPECT_EQ(amd->scan.lanes, 64);
  EXPECT_EQ(amd->Findings(), "");
  ASSERT_FALSE(amd->function().accesses.empty());
  EXPECT_FALSE(amd->function().accesses[0].access.has_value());
}

}  // namespace
}  // namespace layoutcheck
