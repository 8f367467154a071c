// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of C are proved to be the same before and after optimization: for all arguments in a box for which the
// unoptimized function has a value, that of -O1 and -O2 is equal to it. LAYOUTCHECK_CODE_FUNCTIONS sets the number of
// random functions.
#include <gtest/gtest.h>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <random>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/testing/share.h"
#include "layoutcheck/llvm/testing/code_batch.h"
#include "layoutcheck/llvm/testing/code_equality.h"

namespace layoutcheck {
namespace {

constexpr size_t kFunctions = 12;  // per file
constexpr size_t kPoints = 50;     // per function, at which a proof is confirmed

size_t WantedFunctions() {
  const char* const asked = std::getenv("LAYOUTCHECK_CODE_FUNCTIONS");
  return asked == nullptr ? kFunctions : static_cast<size_t>(std::atoll(asked));
}

// Returns a few values, or all that the type has and that differ by at most 2^63 - 1.
ArgumentRange DrawRange(const RandomType& type, bool is_bounded, std::mt19937& random) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  if (is_bounded) {
    const auto drawn = static_cast<int64_t>(random() % 20);
    const int64_t least = type.is_signed ? -drawn : drawn;
    return {least, least + static_cast<int64_t>(random() % 24)};
  }
  if (type.bits == 64) return type.is_signed ? ArgumentRange{-(kMost / 2), kMost / 2} : ArgumentRange{0, kMost};
  const int64_t half = int64_t{1} << (type.bits - 1);
  return type.is_signed ? ArgumentRange{-half, half - 1} : ArgumentRange{0, 2 * half - 1};
}

std::vector<ArgumentRange> DrawBox(const RandomFunction& function, std::mt19937& random) {
  const bool is_bounded = random() % 2 == 0;
  std::vector<ArgumentRange> box;
  for (const RandomType& type : function.parameters) box.push_back(DrawRange(type, is_bounded, random));
  for (const RandomType& type : function.elements) {
    box.push_back({-(type.is_signed ? 1 : 0), static_cast<int64_t>(random() % 3)});
  }
  return box;
}

// Returns points of the box.
std::vector<CodePoint> DrawPoints(size_t function, const std::vector<ArgumentRange>& box, std::mt19937& random) {
  std::vector<CodePoint> points;
  for (size_t count = 0; count < kPoints; ++count) {
    CodePoint point = DrawPoint(function, random);
    for (size_t k = 0; k < box.size(); ++k) {
      const auto size = static_cast<uint64_t>(box[k].largest) - static_cast<uint64_t>(box[k].least);
      const auto drawn = static_cast<uint64_t>(point.values[k]) - static_cast<uint64_t>(box[k].least);
      point.values[k] = static_cast<int64_t>(static_cast<uint64_t>(box[k].least) + drawn % (size + 1));
    }
    points.push_back(point);
  }
  return points;
}

uint64_t Bits(int64_t value, const RandomType& type) {
  return static_cast<uint64_t>(value) & ~uint64_t{0} >> (64 - type.bits);
}

// Returns the number of points at which the machine gives the same value for the source and the target, or nothing if
// it gives different ones somewhere.
std::optional<size_t> AgreeOnMachine(const CodeBatch& batch, const std::string& target,
                                     const std::vector<CodePoint>& points) {
  const std::vector<CodeOutcome> before = batch.Run("checked", points);
  // Optimized code may do anything, such as trap, where the behavior of the source is undefined.
  std::vector<CodePoint> defined;
  std::vector<int64_t> expected;
  for (size_t k = 0; k < points.size(); ++k) {
    if (before[k].is_undefined != 0) continue;
    defined.push_back(points[k]);
    expected.push_back(before[k].value);
  }
  if (defined.empty()) return 0;
  const std::vector<CodeOutcome> after = batch.Run(target, defined);
  const RandomType type = batch.function(points[0]).result;
  for (size_t k = 0; k < defined.size(); ++k) {
    if (Bits(expected[k], type) != Bits(after[k].value, type)) return std::nullopt;
  }
  return defined.size();
}

struct Sums {
  size_t proved = 0;
  size_t refuted = 0;
  size_t unknown = 0;
  size_t wrong = 0;    // functions that differ on the machine at one of the points
  size_t defined = 0;  // points at which proofs were confirmed
};

void Show(const RandomFunction& function, const ProofResult& result, double seconds) {
  if (std::getenv("LAYOUTCHECK_SHOW_CODE") == nullptr) return;
  std::printf("%s: %s %s %.2f s %s\n%s", function.name.c_str(), ProofVerdictName(result.verdict), result.method.c_str(),
              seconds, result.reason.c_str(), result.verdict == ProofVerdict::kUnknown ? function.text.c_str() : "");
}

CodeBatch DrawBatch(std::mt19937& random) {
  std::vector<RandomFunction> functions;
  for (size_t k = 0; k < kFunctions; ++k) functions.push_back(DrawFunction(StrCat("f", k), random, CodeSize::kSmall));
  return CodeBatch(std::move(functions));
}

// Counts the verdict on one function, and confirms a proof at points.
void Ask(const CodeBatch& batch, size_t k, InterpretedFile& source, InterpretedFile& target, const std::string& program,
         std::mt19937& random, Sums& sums) {
  const RandomFunction& function = batch.functions()[k];
  const std::vector<ArgumentRange> box = DrawBox(function, random);
  const auto start = std::chrono::steady_clock::now();
  const ProofResult result = ProveSameValue(source.CodeOf(function), target.CodeOf(function), box);
  Show(function, result, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  const auto confirmed = AgreeOnMachine(batch, program, DrawPoints(k, box, random));
  sums.wrong += confirmed ? 0u : 1u;
  switch (result.verdict) {
    case ProofVerdict::kUnknown: ++sums.unknown; return;
    case ProofVerdict::kRefuted: ++sums.refuted; return;
    case ProofVerdict::kProved: break;
  }
  ++sums.proved;
  EXPECT_TRUE(confirmed.has_value()) << "proved, and the machine differs: " << program << "\n" << function.text;
  sums.defined += confirmed.value_or(0);
}

void Print(const char* title, const Sums& sums) {
  std::printf("%s: %zu proved, %zu refuted, %zu unknown; %zu differ at points, proofs hold at %zu points\n", title,
              sums.proved, sums.refuted, sums.unknown, sums.wrong, sums.defined);
}

TEST(OptimizationLevels, KeepRandomFunctions) {
  std::mt19937 random(20261125);
  Sums sums;
  for (size_t done = 0; done < WantedFunctions() && !HasFailure(); done += kFunctions) {
    const CodeBatch batch = DrawBatch(random);
    InterpretedFile source(batch.Path("functions.c"));
    const std::string level = random() % 2 == 0 ? "O1" : "O2";
    InterpretedFile target(batch.Path(level + ".ll"));
    for (size_t k = 0; k < kFunctions; k += EveryNth(2, 3)) Ask(batch, k, source, target, level, random, sums);
  }
  Print("optimized", sums);
  EXPECT_EQ(sums.refuted, 0u) << "LAYOUTCHECK_SHOW_CODE=1 shows which";
  EXPECT_EQ(sums.wrong, 0u);
  EXPECT_GE(sums.proved * 2, sums.unknown);
  EXPECT_GE(sums.defined, sums.proved) << "proofs are about points";
}

std::string WithFault(std::string text, std::string_view from, std::string_view to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

// A mistake of the optimizer is seeded into its result. No function that differs on the machine is proved.
TEST(OptimizationLevels, FindSeededMistakes) {
  // None of them is the step of a loop.
  const std::pair<const char*, const char*> faults[] = {
      {"= mul ", "= add "}, {"= lshr ", "= ashr "}, {"= xor ", "= or "}, {"= sub ", "= add "}, {"= sext ", "= zext "}};
  std::mt19937 random(20261126);
  const CodeBatch batch = DrawBatch(random);
  InterpretedFile source(batch.Path("functions.c"));
  Sums sums;
  const size_t step = EveryNth(5, 5);
  for (size_t fault = 0; fault < std::size(faults); fault += step) {
    const auto& [from, to] = faults[fault];
    const std::string text = batch.Text("O1.ll");
    batch.Write("wrong.ll", WithFault(text, from, to));
    batch.Link("wrong", {"-O0", batch.Path("wrong.ll")});
    InterpretedFile target(batch.Path("wrong.ll"));
    for (size_t k = 0; k < kFunctions; k += 2) Ask(batch, k, source, target, "wrong", random, sums);
  }
  Print("with mistakes", sums);
  EXPECT_GE(sums.refuted, 1u);
  if (step != 1) return;  // these are too few for a ratio
  EXPECT_GE(sums.wrong, 3u);
  EXPECT_GE(sums.refuted * 4, sums.wrong * 3) << "the others are unknown";
}

}  // namespace
}  // namespace layoutcheck
