// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests the LLVM IR of Triton kernels: which operations have barriers between them, and texts that do not fit.
#include "layoutcheck/llvm/triton/ttir_lowering.h"
#include <gtest/gtest.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

Expected<CodeModule> Lowered(const std::string& body) {
  return LowerTtir(StrCat("module {\n  tt.func @f(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>, %n: i32) {\n"
                          "    %c = arith.constant 1.0 : f32\n    %i = arith.constant 1 : i32\n"
                          "    %b = arith.cmpi slt, %n, %i : i32\n",
                          body, "    tt.return\n  }\n}\n"),
                   "f.ttir");
}

// Returns the barriers of the function; -1 if it is left out.
int64_t BarriersOf(const std::string& body) {
  const auto module = Lowered(body);
  EXPECT_TRUE(module.has_value()) << module.error().ToString();
  const auto function = module->Find("f");
  if (!function) return -1;
  return std::ranges::count_if(llvm::instructions(**function), [](const llvm::Instruction& instruction) {
    const auto* const call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    return call != nullptr && call->getIntrinsicID() == llvm::Intrinsic::nvvm_barrier0;
  });
}

std::string Load(const std::string& pointer) { return StrCat("    %v = tt.load ", pointer, " : !tt.ptr<f32>\n"); }
std::string Store(const std::string& pointer) { return StrCat("    tt.store ", pointer, ", %c : !tt.ptr<f32>\n"); }

TEST(LowerTtir, BarriersStandBetweenOperationsOnTheSameMemory) {
  EXPECT_EQ(BarriersOf(Load("%p") + Store("%q")), 0);
  EXPECT_EQ(BarriersOf(Store("%p") + Load("%q")), 0);
  EXPECT_EQ(BarriersOf(Load("%p") + Store("%p")), 1);
  EXPECT_EQ(BarriersOf(Store("%p") + Load("%p")), 1);
  EXPECT_EQ(BarriersOf(Load("%p") + Load("%p") + Store("%q") + Store("%q")), 0);
  const std::string moved = "    %m = tt.addptr %p, %n : !tt.ptr<f32>, i32\n";
  EXPECT_EQ(BarriersOf(moved + Store("%m") + Load("%p")), 1);
  const std::string chosen = "    %m = arith.select %b, %p, %q : !tt.ptr<f32>\n";
  EXPECT_EQ(BarriersOf(chosen + Store("%m") + Load("%q")), 1);
}

// A barrier in one branch is none in the other, and a loop may have no iteration.
TEST(LowerTtir, BarriersOfWaysThatAreNotTakenDoNotCount) {
  const auto branch = [](const std::string& then, const std::string& other) {
    return StrCat("    scf.if %b {\n", then, "    } else {\n", other, "    }\n");
  };
  EXPECT_EQ(BarriersOf(Store("%p") + branch(Load("%p"), Load("%p"))), 2);
  EXPECT_EQ(BarriersOf(Store("%p") + branch(Load("%p"), "") + Load("%p")), 2);
  const auto loop = [](const std::string& body) {
    return StrCat("    scf.for %k = %i to %n step %i  : i32 {\n", body, "    }\n");
  };
  EXPECT_EQ(BarriersOf(loop(Load("%p") + Store("%q"))), 0);
  EXPECT_EQ(BarriersOf(loop(Load("%p") + Store("%p"))), 2);  // one between them, one for the next iteration
  EXPECT_EQ(BarriersOf(Store("%p") + loop(Load("%p")) + Load("%p")), 2);
}

TEST(LowerTtir, PointersThatALoopMovesKeepTheirArgument) {
  const auto loop = [](const std::string& body, const std::string& yielded) {
    return StrCat("    %e = scf.for %k = %i to %n step %i iter_args(%m = %p) -> (!tt.ptr<f32>)  : i32 {\n", body,
                  "      %next = tt.addptr %m, %i : !tt.ptr<f32>, i32\n      scf.yield ", yielded,
                  " : !tt.ptr<f32>\n    }\n");
  };
  EXPECT_EQ(BarriersOf(loop(Load("%m"), "%next") + Store("%q")), 0);
  EXPECT_EQ(BarriersOf(loop(Load("%m"), "%next") + Store("%p")), 1);
  EXPECT_EQ(BarriersOf(loop("", "%next") + Store("%e") + Load("%p")), 1);
  // A pointer that may be one of two arguments may be either.
  EXPECT_EQ(BarriersOf(loop(Load("%m"), "%q") + Store("%q")), 1);
  EXPECT_EQ(BarriersOf(loop(Load("%m"), "%q") + Store("%p")), 1);
}

TEST(LowerTtir, DescriptorsStandForTheirPointers) {
  const auto made = [](const std::string& name, const std::string& pointer) {
    return StrCat("    ", name, " = tt.make_tensor_descriptor ", pointer, ", [%n], [%w] : <f32>, <8xf32>\n");
  };
  const std::string wide = "    %w = arith.constant 1 : i64\n";
  const std::string load = "    %v = tt.descriptor_load %d[%n] : !tt.tensordesc<8xf32> -> tensor<8xf32>\n";
  const std::string store = "    tt.descriptor_store %e[%n], %v : !tt.tensordesc<8xf32>, tensor<8xf32>\n";
  const std::string add = "    tt.descriptor_reduce add, %e[%n], %v : !tt.tensordesc<8xf32>, tensor<8xf32>\n";
  EXPECT_EQ(BarriersOf(wide + made("%d", "%p") + made("%e", "%q") + load + store), 0);
  EXPECT_EQ(BarriersOf(wide + made("%d", "%p") + made("%e", "%p") + load + store), 1);
  const auto module = Lowered(wide + made("%d", "%p") + made("%e", "%q") + load + add);
  ASSERT_TRUE(module.has_value()) << module.error().ToString();
  const auto function = module->Find("f");
  ASSERT_TRUE(function.has_value()) << function.error().message;
  EXPECT_EQ(std::ranges::count_if(
                llvm::instructions(**function),
                [](const llvm::Instruction& instruction) { return llvm::isa<llvm::AtomicRMWInst>(instruction); }),
            1);
  // A descriptor that is one of two is not followed, and neither is one that a loop passes on.
  EXPECT_EQ(
      BarriersOf(wide + made("%a", "%p") +
                 "    %e = scf.for %k = %i to %n step %i iter_args(%d = %a) -> (!tt.tensordesc<8xf32>)  : i32 {\n" +
                 load + "      scf.yield %d : !tt.tensordesc<8xf32>\n    }\n"),
      -1);
  EXPECT_EQ(BarriersOf(wide + made("%a", "%p") + made("%z", "%q") +
                       "    %d = arith.select %b, %a, %z : !tt.tensordesc<8xf32>\n" + load),
            -1);
  EXPECT_EQ(BarriersOf(wide + made("%d", "%p") +
                       "    %v = tt.descriptor_load %d[%n, %n] : !tt.tensordesc<8xf32> -> tensor<8xf32>\n"),
            -1);
}

TEST(LowerTtir, OperationsThatDoNotFitAreErrors) {
  EXPECT_EQ(BarriersOf("    tt.call @g(%p) : (!tt.ptr<f32>) -> ()\n"), -1);
  EXPECT_EQ(BarriersOf("    scf.for %k = %i to %n step %i : i32\n"), -1);
  EXPECT_EQ(BarriersOf("    scf.if %b\n"), -1);
  EXPECT_EQ(BarriersOf("    %r = tt.make_range {end = 4 : i32, start = 0 : i32} : i32\n"), 0);
  EXPECT_EQ(BarriersOf("    %r = tt.join %c, %c : f32 -> f32\n"), 0);
  EXPECT_FALSE(Lowered("    %a = arith.addi %n, %c : i32\n" + Store("%p")).has_value());
}

// A damaged text is a module or an error with a message, whatever the damage makes of the types and numbers of
// operands.
TEST(LowerTtir, DamagedTextsAreErrorsOrModules) {
  for (const std::string name : {"row_sums", "interleave"}) {
    std::ifstream file(StrCat(LAYOUTCHECK_CORPUS, "/triton/", name, ".ttir"));
    const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    ASSERT_TRUE(LowerTtir(text, "f").has_value());
    const auto expect_answer = [](const std::string& damaged) {
      const auto module = LowerTtir(damaged, "f");
      EXPECT_TRUE(module.has_value() || !module.error().message.empty());
    };
    const size_t end = text.find("tt.return");
    for (size_t at = 0; at < end; at += 23) {
      std::string damaged = text;
      damaged.erase(at, 1 + at % 5);
      expect_answer(damaged);
      damaged.insert(at, 1, "0x1%"[at % 4]);
      expect_answer(damaged);
      // A line less, so that operations have other operands.
      const size_t line = text.find('\n', at);
      expect_answer(text.substr(0, at - std::min(at, at - text.rfind('\n', at) - 1)) + text.substr(line + 1));
    }
  }
}

TEST(LowerTtir, LongChainsOfOperationsAreErrorsOrModules) {
  for (const int count : {900, 5000}) {
    std::string chain = "    %x0 = tt.splat %n : i32 -> tensor<4xi32>\n";
    for (int k = 1; k <= count; ++k) {
      StrAppend(chain, "    %x", k, " = arith.addi %x", k - 1, ", %x", k - 1, " : tensor<4xi32>\n");
    }
    StrAppend(chain, "    %s = tt.splat %p : !tt.ptr<f32> -> tensor<4x!tt.ptr<f32>>\n    %t = tt.addptr %s, %x", count,
              " : tensor<4x!tt.ptr<f32>>, tensor<4xi32>\n    %w = tt.load %t : tensor<4x!tt.ptr<f32>>\n");
    EXPECT_EQ(BarriersOf(chain), count < 1000 ? 0 : -1);
  }
}

}  // namespace
}  // namespace layoutcheck
