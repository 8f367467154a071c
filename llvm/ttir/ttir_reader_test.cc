// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests the reader of TTIR: what it keeps of each operation, places, and errors with line and column.
#include <gtest/gtest.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/llvm/ttir/ttir.h"
#include "layoutcheck/llvm/ttir/ttir_types.h"

namespace layoutcheck {
namespace {

std::string WithBody(const std::string& body) {
  return StrCat("module {\n  tt.func public @f(%p: !tt.ptr<f32>, %n: i32 {tt.divisibility = 16 : i32}) {\n", body,
                "\n    tt.return\n  }\n}\n");
}

TtirModule Parsed(const std::string& body) {
  auto module = ParseTtir(WithBody(body), "f.ttir");
  EXPECT_TRUE(module.has_value()) << module.error().ToString();
  return *std::move(module);
}

std::string WhyNot(const std::string& text) {
  const auto module = ParseTtir(text, "f.ttir");
  return module ? "" : module.error().message;
}

TEST(ParseTtir, OperationsHaveOperandsTypesAttributesAndWords) {
  const TtirModule module = Parsed(
      "    %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>\n"
      "    %s = tt.splat %n : i32 -> tensor<64xi32>\n"
      "    %m = arith.cmpi slt, %r, %s : tensor<64xi32>\n"
      "    %q = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>\n"
      "    %a = tt.addptr %q, %r : tensor<64x!tt.ptr<f32>>, tensor<64xi32>\n"
      "    %v = tt.load %a, %m evictionPolicy = evict_last : tensor<64x!tt.ptr<f32>>");
  const auto& ops = module.functions[0].blocks[0].ops;
  ASSERT_EQ(ops.size(), 7U);
  EXPECT_EQ(ops[0]->attributes.at("end"), "64 : i32");
  EXPECT_EQ(ops[2]->words[0], "slt");
  EXPECT_EQ(TypeText(ops[2]->results[0]->type), "tensor<64xi1>");
  EXPECT_EQ(TypeText(ops[4]->results[0]->type), "tensor<64x!tt.ptr<f32>>");
  EXPECT_EQ(ops[5]->operands[1], ops[2]->results[0]);
  EXPECT_EQ(TypeText(ops[5]->results[0]->type), "tensor<64xf32>");
  EXPECT_EQ(ops[5]->place, "f.ttir:8");
}

TEST(ParseTtir, LoopsHaveArgumentsAndSeveralResults) {
  const TtirModule module = Parsed(
      "    %c:2 = scf.for %i = %n to %n step %n iter_args(%a = %n, %b = %p) -> (i32, !tt.ptr<f32>)  : i32 {\n"
      "      %d = tt.addptr %b, %i : !tt.ptr<f32>, i32\n"
      "      scf.yield %a, %d : i32, !tt.ptr<f32>\n"
      "    } {tt.num_stages = 3 : i32}\n"
      "    %e = tt.addptr %c#1, %c#0 : !tt.ptr<f32>, i32");
  const auto& ops = module.functions[0].blocks[0].ops;
  ASSERT_EQ(ops.size(), 3U);
  EXPECT_EQ(ops[0]->operands.size(), 5U);
  EXPECT_EQ(ops[0]->regions[0][0].arguments.size(), 3U);
  EXPECT_EQ(ops[1]->operands[0], ops[0]->results[1]);
  EXPECT_EQ(ops[0]->attributes.at("tt.num_stages"), "3 : i32");
}

TEST(ParseTtir, PlacesAreThoseOfTheSourceAndOfInlinedCalls) {
  const std::string text =
      "#loc1 = loc(\"/home/k.py\":7:3)\n#loc2 = loc(\"lib.py\":1:1)\nmodule {\n  tt.func @f() {\n"
      "    %a = arith.constant 1 : i32 loc(#loc3)\n"
      "    %b = arith.constant 1 : i32 loc(\"x\"(callsite(#loc2 at #loc1)))\n"
      "    %c = arith.constant 1 : i32 loc(unknown)\n    tt.return\n  }\n}\n#loc3 = loc(\"name\"(#loc2))\n";
  const auto module = ParseTtir(text, "f.ttir");
  ASSERT_TRUE(module.has_value()) << module.error().ToString();
  const auto& ops = module->functions[0].blocks[0].ops;
  EXPECT_EQ(ops[0]->place, "lib.py:1");
  EXPECT_EQ(ops[1]->place, "k.py:7");
  EXPECT_EQ(ops[2]->place, "f.ttir:7");
}

TEST(ParseTtir, BranchesNameTheirBlocks) {
  const TtirModule module = Parsed(
      "    %b = arith.constant true\n    cf.cond_br %b, ^bb1(%n : i32), ^bb2\n"
      "  ^bb1(%k: i32):  // pred: ^bb0\n    cf.br ^bb2\n  ^bb2:  // 2 preds: ^bb0, ^bb1");
  const auto& blocks = module.functions[0].blocks;
  ASSERT_EQ(blocks.size(), 3U);
  const TtirOp& branch = *blocks[0].ops[1];
  ASSERT_EQ(branch.successors.size(), 2U);
  EXPECT_EQ(branch.successors[0].block, "bb1");
  EXPECT_EQ(branch.successors[0].arguments, std::vector{module.functions[0].arguments[1]});
  EXPECT_EQ(branch.successors[1].block, "bb2");
  EXPECT_EQ(branch.operands.size(), 1U);
}

TEST(ParseTtir, BothResultsOfASplitHaveItsOneType) {
  const std::string split =
      "    %t = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>\n"
      "    %r = tt.reshape %t : tensor<8xi32> -> tensor<4x2xi32>\n"
      "    %a, %b = tt.split %r : tensor<4x2xi32> -> tensor<4xi32>\n"
      "    %c = arith.addi %a, %b : tensor<4xi32>\n";
  EXPECT_EQ(WhyNot(WithBody(split)), "");
}

TEST(ParseTtir, ModulesOfTtgirHaveAliasesAttributesAndLayouts) {
  const auto module = ParseTtir(
      "#blocked = #ttg.blocked<{order = [0]}>\n#loc = loc(\"k.py\":1:1)\n#smem = #ttg.shared_memory\n"
      "module attributes {\"ttg.num-warps\" = 4 : i32, ttg.target = \"cuda:90\"} {\n"
      "  tt.func @f(%x: tensor<8xf32, #blocked>) {\n"
      "    %b = ttg.local_alloc : () -> !ttg.memdesc<8xf32, #shared, #smem, mutable>\n"
      "    ttg.local_store %x, %b : tensor<8xf32, #blocked> -> !ttg.memdesc<8xf32, #shared, #smem, mutable>\n"
      "    %t = ttg.async_wait {num = 0 : i32}\n"
      "    %w:2 = ttng.warp_group_dot_wait %x, %b {pendings = 0 : i32} : tensor<8xf32, #blocked>, "
      "!ttg.memdesc<8xf32, #shared, #smem, mutable>\n"
      "    tt.return\n  }\n}\n",
      "f.ttgir");
  ASSERT_TRUE(module.has_value()) << module.error().message;
  EXPECT_EQ(module->aliases,
            (TtirAttributes{{"#blocked", "#ttg.blocked<{order = [0]}>"}, {"#smem", "#ttg.shared_memory"}}));
  EXPECT_EQ(module->attributes.at("ttg.num-warps"), "4 : i32");
  EXPECT_EQ(module->functions[0].line, 5U);
  const auto& ops = module->functions[0].blocks[0].ops;
  ASSERT_EQ(ops.size(), 5U);
  EXPECT_EQ(ops[0]->line, 6U);
  EXPECT_EQ(ops[0]->column, 10U);
  EXPECT_EQ(ops[1]->operands[0]->type.encoding, "#blocked");
  EXPECT_TRUE(ops[1]->results.empty());
  EXPECT_EQ(ops[2]->results[0]->type.element, "!ttg.async.token");
  EXPECT_EQ(ops[3]->results[0]->type.encoding, "#blocked");
  EXPECT_EQ(ops[3]->results[1]->type.element, "!ttg.memdesc<8xf32, #shared, #smem, mutable>");
}

TEST(ParseTtir, PartitionsOfWarpsAreRegions) {
  const std::string body =
      "    ttg.warp_specialize(%p, %n) attributes {requestedRegisters = array<i32: 24>}\n"
      "    default {\n      ttg.warp_yield\n    }\n"
      "    partition0(%q: !tt.ptr<f32>, %m: i32) num_warps(2) {\n"
      "      %k = arith.addi %m, %m : i32\n      ttg.warp_return\n    } : (!tt.ptr<f32>, i32) -> ()\n"
      "    %l = arith.addi %n, %n : i32";
  const TtirModule module = Parsed(body);
  const auto& ops = module.functions[0].blocks[0].ops;
  ASSERT_EQ(ops.size(), 3U);
  ASSERT_EQ(ops[0]->regions.size(), 2U);
  EXPECT_EQ(ops[0]->regions[0][0].ops.size(), 1U);
  EXPECT_EQ(ops[0]->regions[1][0].arguments.size(), 2U);
  EXPECT_EQ(ops[0]->regions[1][0].ops[0]->operands[0], ops[0]->regions[1][0].arguments[1]);
  EXPECT_EQ(WhyNot(WithBody("    ttg.warp_specialize(%p)\n    partition0() num_warps(1) {\n")),
            "line 4: column 5: expected 'default' and the partitions of ttg.warp_specialize");
}

TEST(ParseTtir, ErrorsNameLineAndColumn) {
  EXPECT_EQ(WhyNot(""), "line 1: column 1: expected a module with a function tt.func");
  EXPECT_EQ(WhyNot(WithBody("    %a = arith.addi %n, %k : i32")), "line 3: column 26: '%k' is not defined before");
  EXPECT_EQ(WhyNot(WithBody("    %a, %b = arith.addi %n, %n : i32")),
            "line 3: column 14: expected 2 types of results of arith.addi, found 0");
  EXPECT_EQ(WhyNot(WithBody("    %a = tt.splat %n : i32 -> tensor<?xi32>")),
            "line 3: column 31: expected a tensor of constant sizes, found 'tensor<?xi32>'");
  EXPECT_EQ(WhyNot(WithBody("    %a:x = arith.addi %n, %n : i32")), "line 3: column 8: expected a number of results");
  EXPECT_EQ(WhyNot("module {\n  tt.func @f() {\n"), "line 3: column 1: expected an operation");
  EXPECT_EQ(WhyNot("module {\n  func.func @f() {\n"), "line 2: column 3: expected tt.func or '}'");
  std::string deep;
  for (int k = 0; k < 100; ++k) deep += "scf.if %n {\n";
  EXPECT_NE(WhyNot(WithBody(deep)).find("more than 64 regions one inside another"), std::string::npos);
}

// A prefix of a text, and a text with one byte more or less, is a module or an error that names a line.
TEST(ParseTtir, DamagedTextsAreErrorsOrModules) {
  std::ifstream file(std::string(LAYOUTCHECK_CORPUS) + "/triton/row_sums.ttir");
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  ASSERT_TRUE(ParseTtir(text, "f").has_value());
  const auto expect_answer = [](const std::string& damaged) {
    const Expected<TtirModule> module = ParseTtir(damaged, "f");
    EXPECT_TRUE(module.has_value() || module.error().message.starts_with("line ")) << module.error().message;
  };
  for (size_t at = 0; at < text.size(); at += 7) {
    expect_answer(text.substr(0, at));
    std::string damaged = text;
    damaged.erase(at, 1);
    expect_answer(damaged);
    damaged.insert(at, 1, "(<{\"%#:"[at % 7]);
    expect_answer(damaged);
  }
}

TEST(TtirType, TextsAreReadAndPrinted) {
  for (const char* const text : {"i32", "tensor<4x8xf16>", "!tt.ptr<f8E4M3FN>", "tensor<2x!tt.ptr<i1>>"}) {
    EXPECT_EQ(TypeText(ParseTtirType(text).value()), text);
  }
  const TtirType with_layout = ParseTtirType("tensor<8xi32, #ttg.slice<{dim = 1, parent = #blocked}>>").value();
  EXPECT_EQ(with_layout.encoding, "#ttg.slice<{dim = 1, parent = #blocked}>");
  EXPECT_EQ(TypeText(with_layout), "tensor<8xi32, #ttg.slice<{dim = 1, parent = #blocked}>>");
  EXPECT_EQ(TypeText(ParseTtirType("!tt.ptr<f32, 3>").value()), "!tt.ptr<f32>");
  EXPECT_FALSE(ParseTtirType("tensor<2000000x2000000xf32>").has_value());
  EXPECT_FALSE(ParseTtirType("tensor<0xf32>").has_value());
}

}  // namespace
}  // namespace layoutcheck
