// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>
#include <random>
#include <set>
#include "layoutcheck/core/linear/linear_text.h"
#include "layoutcheck/core/testing/random_linear_layout.h"
#include "layoutcheck/solver/layout_proof/numeric_laws.h"
#include "layoutcheck/solver/layout_proof/prove.h"

namespace layoutcheck {
namespace {

using Counterexample = std::vector<std::pair<std::string, int64_t>>;

std::vector<ProofResult> ProveLinear(const std::string& text) {
  const auto results = ProveLayout(text);
  EXPECT_TRUE(results.has_value()) << text << ": " << (results ? "" : results.error().ToString());
  return results.value_or(std::vector<ProofResult>(2));
}

TEST(LinearLaws, NamesItsWitnesses) {
  const auto bijective = ProveLinear("ll{register:[1,2],lane:[4,8,16]} -> [32]");
  EXPECT_EQ(bijective[0].law, "injective");
  EXPECT_EQ(bijective[1].law, "onto");
  for (const ProofResult& result : bijective) {
    EXPECT_EQ(result.verdict, ProofVerdict::kProved);
    EXPECT_EQ(result.method, "f2-rank");
  }
  const auto of_numbers = ProveLinear("ll{register:[1,2],lane:[3,8]} -> [16]");
  EXPECT_EQ(of_numbers[0].verdict, ProofVerdict::kRefuted);
  EXPECT_EQ(of_numbers[0].counterexample, (Counterexample{{"i0", 3}, {"i1", 1}, {"j0", 0}, {"j1", 0}, {"offset", 0}}));
  EXPECT_EQ(of_numbers[1].verdict, ProofVerdict::kRefuted);
  EXPECT_EQ(of_numbers[1].counterexample, (Counterexample{{"offset", 4}, {"expected", 1}, {"actual", 0}}));
  EXPECT_EQ(ProveLayout("ll{} -> [1]", {"in-bounds"}).error().message,
            "expected the name of a law of layouts in bits (injective, onto), got 'in-bounds'");
}

// The verdicts and witnesses of random layouts are those of a look at every element.
TEST(LinearLaws, AreWhatEnumerationSays) {
  std::mt19937_64 random(9);
  for (int n = 0; n < 500; ++n) {
    const LinearLayout layout = RandomLinearLayout(random, {.max_bits = 7});
    const auto results = ProveLinear(ToString(layout));
    std::set<uint64_t> values;
    for (uint64_t x = 0; x < uint64_t{1} << layout.input_bits(); ++x) values.insert(layout.Apply(x));
    const bool injective = values.size() == uint64_t{1} << layout.input_bits();
    const bool onto = values.size() == uint64_t{1} << layout.output_bits();
    EXPECT_EQ(results[0].verdict, injective ? ProofVerdict::kProved : ProofVerdict::kRefuted);
    EXPECT_EQ(results[1].verdict, onto ? ProofVerdict::kProved : ProofVerdict::kRefuted);
    if (!onto) {
      EXPECT_FALSE(values.contains(static_cast<uint64_t>(results[1].counterexample[0].second)));
    }
    if (!injective) {
      std::vector<int64_t> coordinate;
      for (size_t k = 0; k < layout.inputs().size(); ++k) coordinate.push_back(results[0].counterexample[k].second);
      EXPECT_NE(layout.InputNumber(coordinate), 0u);
      EXPECT_EQ(layout.Index(coordinate), 0);
    }
  }
}

TEST(LinearLaws, Equality) {
  const auto prove = [](std::string_view a, std::string_view b) { return ProveLayoutsEqual(a, b).value(); };
  EXPECT_EQ(prove("ll{a:[1,2],b:[4]} -> [8]", "(4,2):(1,4)").verdict, ProofVerdict::kProved);
  EXPECT_EQ(prove("Sw<1,0,2> o 0 o (4,2):(2,1)", "ll{a:[2,5],b:[1]} -> [8]").verdict, ProofVerdict::kProved);
  EXPECT_EQ(prove("((2,2),8):((1,2),4)", "(4,8):(1,4)").verdict, ProofVerdict::kProved);
  const ProofResult refuted = prove("ll{a:[1,2],b:[4]} -> [8]", "(4,2):(2,1)");
  EXPECT_EQ(refuted.verdict, ProofVerdict::kRefuted);
  EXPECT_EQ(refuted.law, "equals");
  EXPECT_EQ(refuted.counterexample, (Counterexample{{"i0", 1}, {"i1", 0}, {"expected", 2}, {"actual", 1}}));
  EXPECT_EQ(ProveLayoutsEqual("ll{a:[1,2]} -> [4]", "(2,2):(1,2)").error().message,
            "expected two layouts with the same sizes of inputs, found 4 and 2 x 2");
  EXPECT_EQ(ProveLayoutsEqual("ll{a:[1,2]} -> [4]", "3:1").error().message,
            "3:1: 3:1 is not linear over bits: the extent 3 is no power of two");
  EXPECT_EQ(ProveLayoutsEqual("ll{a:[1,2]} -> [3]", "4:1").error().message,
            "ll{a:[1,2]} -> [3]: column 17: expected a power of two as the size of output 'dim0', found 3");
}

TEST(LinearLaws, HaveACertificate) {
  ProveOptions options;
  options.certificates = true;
  const std::vector<ProofResult> results = ProveLayout("ll{a:[1]} -> [2]", {}, options).value();
  for (const ProofResult& result : results) {
    EXPECT_EQ(result.certificate,
              "layoutcheck certificate 1\nlaw " + result.law + "\nlayout ll{a:[1]} -> [2]\nby elimination\nend\n");
    EXPECT_EQ(result.no_certificate, "");
  }
  // A text that no checker reads is the source of one that it reads.
  EXPECT_EQ(
      ProveLayout("ll{a: [1]} -> [2]", {"onto"}, options).value()[0].certificate,
      "layoutcheck certificate 1\nlaw onto\nlayout ll{a:[1]} -> [2]\nsource ll{a: [1]} -> [2]\nby elimination\nend\n");
  EXPECT_EQ(ProveLayout("#ttg.padded_shared<[4:+1] {order = [1, 0],\nshape = [4, 4]}>", {"inverse"}, options)
                .value()[0]
                .certificate,
            "layoutcheck certificate 1\nlaw inverse\nlayout (4,4):(5,1)\n"
            "source #ttg.padded_shared<[4:+1] {order = [1, 0], shape = [4, 4]}>\nby enumeration\nend\n");
  EXPECT_EQ(
      ProveLayoutsEqual("ll{a:[1]} -> [2]", "ll{b:[1]} -> [2]", options).value().certificate,
      "layoutcheck certificate 1\nlaw equals\nlayout ll{a:[1]} -> [2]\nequals ll{b:[1]} -> [2]\nby images\nend\n");
  EXPECT_EQ(ProveLayoutsEqual("2:1", "ll{b:[1]} -> [2]", options).value().certificate,
            "layoutcheck certificate 1\nlaw equals\nlayout ll{dim0:[1]} -> [2]\nequals ll{b:[1]} -> [2]\n"
            "source 2:1 == ll{b:[1]} -> [2]\nby images\nend\n");
}

// An attribute with padding is a layout of strides.
TEST(LinearLaws, PaddedAttribute) {
  const auto results = ProveLinear("#ttg.padded_shared<[4:+1] {order = [1, 0], shape = [4, 4]}>");
  ASSERT_EQ(results.size(), 4u);
  EXPECT_EQ(results[0].verdict, ProofVerdict::kProved);
  EXPECT_EQ(results[2].law, "onto");
  EXPECT_EQ(results[2].counterexample, (Counterexample{{"offset", 4}, {"expected", 1}, {"actual", 0}}));
}

}  // namespace
}  // namespace layoutcheck
