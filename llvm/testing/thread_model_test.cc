// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random kernels with barriers, shuffles and atomic operations in the model of threads, compared with what they do by
// definition: in all small orders of the threads' accesses between barriers. LAYOUTCHECK_KERNELS sets their number,
// 10000 in nightly runs; LAYOUTCHECK_KERNEL asks about the one of a seed.
#include <gtest/gtest.h>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <random>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/testing/share.h"
#include "layoutcheck/llvm/testing/kernel_comparison.h"

namespace layoutcheck {
namespace {

constexpr size_t kKernelsOfFile = 25;
constexpr uint64_t kFirstSeed = 20261127;

std::vector<SeededKernel> DrawKernels(uint64_t first, size_t count) {
  std::vector<SeededKernel> kernels;
  for (size_t k = 0; k < count; ++k) kernels.emplace_back(first + k);
  return kernels;
}

// Returns the first seed and the number of kernels to ask about.
std::pair<uint64_t, size_t> AskedKernels(size_t count) {
  if (const char* const seed = std::getenv("LAYOUTCHECK_KERNEL")) return {std::strtoull(seed, nullptr, 10), 1};
  const char* const asked = std::getenv("LAYOUTCHECK_KERNELS");
  return {kFirstSeed, asked == nullptr ? count : static_cast<size_t>(std::atoll(asked))};
}

TEST(ThreadModel, KernelsDoOnNumbersWhatTheyDoByDefinition) {
  const auto [first, count] = AskedKernels(4 * kKernelsOfFile / EveryNth(1, 4));
  int64_t races = 0;
  int64_t race_free = 0;
  int64_t excluded = 0;
  int64_t orders = 0;
  int64_t values = 0;
  int64_t unknown_values = 0;
  int64_t differ_in_order = 0;
  size_t done = 0;
  size_t failures = 0;
  for (; done < count && failures < 5; done += kKernelsOfFile) {
    const std::vector<SeededKernel> kernels = DrawKernels(first + done, std::min(kKernelsOfFile, count - done));
    const KernelFile file(kernels, ModelMistake::kNone);
    for (const SeededKernel& seeded : kernels) {
      const KernelTruth& truth = seeded.truth;
      const KernelComparison found = CompareOnNumbers(seeded, file);
      for (const std::string& text : found.verdicts) ADD_FAILURE() << text << "\n" << seeded.Text();
      for (const std::string& text : found.accesses) ADD_FAILURE() << text << "\n" << seeded.Text();
      EXPECT_TRUE(truth.are_orders_alike || !truth.races.empty()) << "orders give different results\n" << seeded.Text();
      failures += found.verdicts.size() + found.accesses.size();
      ++(truth.races.empty() ? race_free : races);
      excluded += found.is_race_excluded && truth.races.empty() ? 1 : 0;
      orders += truth.orders_tried;
      differ_in_order += truth.are_orders_alike ? 0 : 1;
      values += found.values;
      unknown_values += found.unknown_values;
    }
  }
  std::printf(
      "%zu kernels: %jd race, of which %jd give different results in different orders; %jd do not race, of which %jd "
      "are "
      "shown not to; %jd orders, %jd values that the model knows and %jd that it does not\n",
      std::min(done, count), intmax_t{races}, intmax_t{differ_in_order}, intmax_t{race_free}, intmax_t{excluded},
      intmax_t{orders}, intmax_t{values}, intmax_t{unknown_values});
}

// Asks every law of the kernel. With `is_symbolic`, the number of blocks and the argument are names.
void ExpectRightProofs(const SeededKernel& seeded, bool is_symbolic, std::map<std::string, int64_t>& verdicts) {
  const TemporaryDirectory directory;
  const std::string path = directory.path() + "/kernel.cu";
  std::ofstream(path) << SourceOf(seeded.kernel);
  KernelRequest request = RequestOf(seeded, path, ModelMistake::kNone, is_symbolic);
  const int64_t elements = seeded.kernel.elements;
  const std::string column = StrCat("(i mod ", elements, ")");
  const std::array<std::string, 6> columns{
      column,
      StrCat("(", column, " ^ 1)"),
      StrCat("(", elements - 1, " - ", column, ")"),
      StrCat("((", column, " + 1) mod ", elements, ")"),
      StrCat("((", column, " * 2) mod ", elements, ")"),
      StrCat("((", column, " + 2) mod ", elements, ")"),
  };
  std::vector<KernelLaunch> launches;
  if (!is_symbolic) launches.push_back(seeded.launch);
  for (int64_t blocks = 1; blocks <= 3 && is_symbolic; ++blocks) {
    for (const int64_t argument : {0, 1, 2, 3, 5}) launches.push_back({.blocks = blocks, .argument = argument});
  }
  // The source that most stores have, if any fits.
  size_t best = 0;
  int64_t most = -1;
  for (size_t k = 0; k < columns.size(); ++k) {
    const std::string source = StrCat("out[i]=in[i - ", column, " + ", columns[k], "]");
    const int64_t fitting = StoresThatFit(seeded, source);
    if (fitting > most) {
      most = fitting;
      best = k;
    }
  }
  if (best > 0) request.sources = {StrCat("out[i]=in[i - ", column, " + ", columns[best], "]")};
  const auto proofs = ProveKernel(request);
  ASSERT_TRUE(proofs.has_value()) << proofs.error().ToString() << "\n" << seeded.Text();
  for (const KernelProof& proof : *proofs) {
    if (!proof.not_asked.empty()) continue;
    ++verdicts[StrCat(proof.result.law, " ", ProofVerdictName(proof.result.verdict))];
  }
  for (const std::string& text : WrongProofs(seeded, request, *proofs, launches)) {
    ADD_FAILURE() << text << "\n" << (request.sources.empty() ? "" : request.sources[0]) << "\n" << seeded.Text();
  }
}

TEST(ThreadModel, ProofsHoldByDefinition) {
  constexpr size_t kEvery = 50;  // kernel that is asked about
  const auto [first, count] = AskedKernels(100 / EveryNth(2, 2));
  for (const bool is_symbolic : {false, true}) {
    std::map<std::string, int64_t> verdicts;
    for (size_t k = 0; k < count; k += kEvery) {
      ExpectRightProofs(SeededKernel(first + k + (is_symbolic && count > 1 ? 1u : 0u)), is_symbolic, verdicts);
    }
    std::printf("%s:", is_symbolic ? "with names" : "with numbers");
    for (const auto& [verdict, times] : verdicts) std::printf(" %s %jd,", verdict.c_str(), intmax_t{times});
    std::printf("\n");
  }
}

// A model of threads with a mistake is found. The mistake is seeded into the source that it reads.
TEST(ThreadModel, FindsEveryMistake) {
  std::vector<ModelMistake> left;
  const auto mistakes = static_cast<size_t>(ModelMistake::kMistakes);
  for (size_t k = 1; k < mistakes; k += EveryNth(1, 4)) left.push_back(static_cast<ModelMistake>(k));
  size_t kernels_asked = 0;
  for (uint64_t first = 1; first < 400 && !left.empty(); first += kKernelsOfFile) {
    const std::vector<SeededKernel> kernels = DrawKernels(first, kKernelsOfFile);
    kernels_asked += kernels.size();
    std::erase_if(left, [&](ModelMistake mistake) {
      const KernelFile file(kernels, mistake);
      return std::ranges::any_of(
          kernels, [&](const SeededKernel& seeded) { return !CompareOnNumbers(seeded, file).verdicts.empty(); });
    });
  }
  std::printf("%zu kernels find all mistakes\n", kernels_asked);
  for (const ModelMistake mistake : left) ADD_FAILURE() << "not found: mistake " << static_cast<int>(mistake);
}

}  // namespace
}  // namespace layoutcheck
