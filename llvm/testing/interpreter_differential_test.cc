// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random functions of C run in the interpreter as they run on the machine: compiled with -O0, -O1 and -O2, at random
// points. Where the unoptimized function has undefined behavior, the interpreter says so exactly where UBSan does; such
// points are not compared further. LAYOUTCHECK_CODE_POINTS sets the number of points, 1000000 in nightly runs.
#include <gtest/gtest.h>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <random>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/testing/share.h"
#include "layoutcheck/llvm/testing/code_batch.h"

namespace layoutcheck {
namespace {

constexpr size_t kFunctions = 60;  // per file
constexpr size_t kPoints = 40;     // per function of a file
// In a long run compilers would take most of the time.
constexpr size_t kPointsOfLongRun = 160;
constexpr size_t kLongRun = 100'000;  // points

CodeBatch DrawBatch(std::mt19937& random) {
  std::vector<RandomFunction> functions;
  for (size_t k = 0; k < kFunctions; ++k) functions.push_back(DrawFunction(StrCat("f", k), random));
  return CodeBatch(std::move(functions));
}

std::vector<CodePoint> DrawPoints(std::mt19937& random, size_t points_per_function = kPoints) {
  std::vector<CodePoint> points;
  for (size_t k = 0; k < kFunctions * points_per_function; ++k) points.push_back(DrawPoint(k % kFunctions, random));
  return points;
}

struct Counts {
  size_t points = 0;
  size_t undefined = 0;
  size_t unknown = 0;
  size_t differences = 0;
};

std::string PointText(const CodeBatch& batch, const CodePoint& point) {
  const RandomFunction& function = batch.function(point);
  std::string text = function.text + "at";
  for (size_t k = 0; k < function.arguments(); ++k) {
    StrAppend(text, " ", point.values[k]);
  }
  return text;
}

// Returns how the interpreter's result differs from the machine's, or nothing.
std::string Difference(const RandomFunction& function, const FunctionResult& result, const CodeOutcome& machine) {
  if (machine.is_undefined != 0) return result.value ? "undefined behavior was not seen" : "";
  if (!result.value) return "no value: " + result.fault;
  const uint64_t mask = ~uint64_t{0} >> (64 - function.result.bits);
  const uint64_t value = static_cast<uint64_t>(result.value->value().value) & mask;
  const uint64_t expected = static_cast<uint64_t>(machine.value) & mask;
  return value == expected ? "" : StrCat("the interpreter has ", value, ", the machine ", expected);
}

// Compares a file in the interpreter with the outcomes at the points: all of them, or up to the first difference.
Counts Compare(const CodeBatch& batch, const std::string& file, const std::vector<CodePoint>& points,
               const std::vector<CodeOutcome>& outcomes, bool show) {
  Counts counts;
  InterpretedFile interpreted(batch.Path(file));
  if (!interpreted.is_valid()) return counts;
  for (size_t k = 0; k < points.size(); ++k) {
    const FunctionResult result = interpreted.Call(batch.function(points[k]), points[k]);
    ++counts.points;
    counts.undefined += outcomes[k].is_undefined != 0 ? 1u : 0u;
    if (!result.unknown.empty()) {
      ++counts.unknown;
      if (show && std::getenv("LAYOUTCHECK_SHOW_CODE") != nullptr) std::printf("unknown: %s\n", result.unknown.c_str());
      continue;
    }
    const std::string difference = Difference(batch.function(points[k]), result, outcomes[k]);
    if (difference.empty()) continue;
    ++counts.differences;
    if (show && counts.differences < 3)
      ADD_FAILURE() << file << ": " << difference << "\n" << PointText(batch, points[k]);
  }
  return counts;
}

void Add(Counts& sum, const Counts& counts) {
  sum.points += counts.points;
  sum.undefined += counts.undefined;
  sum.unknown += counts.unknown;
  sum.differences += counts.differences;
}

TEST(InterpreterDifferential, AsOnTheMachine) {
  const char* const asked = std::getenv("LAYOUTCHECK_CODE_POINTS");
  const size_t wanted = asked == nullptr ? 2 * kFunctions * kPoints : static_cast<size_t>(std::atoll(asked));
  std::mt19937 random(20261123);
  std::map<std::string, Counts> sums;
  while (sums["O0"].points < wanted && !HasFailure()) {
    const CodeBatch batch = DrawBatch(random);
    const std::vector<CodePoint> points = DrawPoints(random, wanted < kLongRun ? kPoints : kPointsOfLongRun);
    const std::vector<CodeOutcome> checked = batch.Run("checked", points);
    Add(sums["O0"], Compare(batch, "functions.c", points, checked, /*show=*/true));
    std::vector<CodePoint> defined;
    for (size_t k = 0; k < checked.size(); ++k) {
      if (checked[k].is_undefined == 0) defined.push_back(points[k]);
    }
    for (const char* level : {"O1", "O2"}) {
      Add(sums[level], Compare(batch, StrCat(level, ".ll"), defined, batch.Run(level, defined), /*show=*/true));
    }
  }
  for (const auto& [level, counts] : sums) {
    std::printf("%s: %zu points: %zu undefined, %zu unknown, %zu differences\n", level.c_str(), counts.points,
                counts.undefined, counts.unknown, counts.differences);
    EXPECT_LE(counts.unknown * 20, counts.points) << level;
  }
  EXPECT_GE(sums["O1"].points * 2, sums["O0"].points) << "most points are defined";
  EXPECT_GE(sums["O0"].undefined * 100, sums["O0"].points) << "undefined behavior is drawn";
}

std::string WithFault(std::string text, std::string_view from, std::string_view to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

// An interpreter that takes one instruction for another is found. The fault is seeded into the file that it reads.
TEST(InterpreterDifferential, FindsEveryMistakenInstruction) {
  const std::pair<const char*, const char*> faults[] = {
      {"= sdiv ", "= udiv "},
      {"= udiv ", "= sdiv "},
      {"= srem ", "= urem "},
      {"= urem ", "= srem "},
      {"= ashr ", "= lshr "},
      {"= lshr ", "= ashr "},
      {"= shl ", "= lshr "},
      {"= sext ", "= zext "},
      {"= zext ", "= sext "},
      {"= and ", "= or "},
      {"= or ", "= xor "},
      {"= xor ", "= or "},
      {"icmp slt ", "icmp ult "},
      {"icmp ult ", "icmp slt "},
      {"icmp sgt ", "icmp sge "},
      {"icmp sle ", "icmp slt "},
      {"icmp eq ", "icmp ne "},
      {"add nsw ", "add "},
      {"sub nsw ", "sub "},
      {"mul nsw ", "mul "},
      {"= add i", "= add nsw i"},
      {"= mul i", "= mul nuw i"},
      {"= shl i", "= shl nuw i"},
      {"= ashr i", "= ashr exact i"},
      {"i64 16, i1 false)", "i64 8, i1 false)"},
      {"call i32 @llvm.ctpop.i32", "call i32 @llvm.bswap.i32"},
      {"@llvm.fshl.i32", "@llvm.fshr.i32"},
      {"sadd.with.overflow", "uadd.with.overflow"},
      {"getelementptr inbounds [4 x i32]", "getelementptr inbounds [4 x i16]"},
  };
  std::vector<std::pair<const char*, const char*>> left;
  for (size_t k = 0; k < std::size(faults); k += EveryNth(2, 5)) left.push_back(faults[k]);
  std::mt19937 random(20261124);
  for (int batches = 0; batches < 6 && !left.empty() && !HasFailure(); ++batches) {
    const CodeBatch batch = DrawBatch(random);
    const std::vector<CodePoint> points = DrawPoints(random);
    const std::vector<CodeOutcome> checked = batch.Run("checked", points);
    EXPECT_EQ(Compare(batch, "O0.ll", points, checked, /*show=*/true).differences, 0u);
    std::erase_if(left, [&](const auto& fault) {
      batch.Write("wrong.ll", WithFault(batch.Text("O0.ll"), fault.first, fault.second));
      return Compare(batch, "wrong.ll", points, checked, /*show=*/false).differences > 0;
    });
  }
  for (const auto& [from, to] : left) ADD_FAILURE() << "not found: '" << from << "' taken for '" << to << "'";
}

}  // namespace
}  // namespace layoutcheck
