// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/solver/layout_proof/prove.h"
#include <gtest/gtest.h>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include "layoutcheck/core/bridges/text_to_hlo.h"
#include "layoutcheck/core/hlo/printer.h"
#include "layoutcheck/core/process/temporary_directory.h"
#include "layoutcheck/solver/certificate/certificate_check.h"
#include "layoutcheck/solver/certificate/z3_solver.h"
#include "layoutcheck/solver/layout_proof/obligations.h"
#include "layoutcheck/solver/layout_proof/padded_box.h"

namespace layoutcheck {
namespace {

std::vector<ProofResult> Prove(const std::string& layout, const std::vector<std::string>& laws = {},
                               const ProveOptions& options = {}) {
  auto results = ProveLayout(layout, laws, options);
  EXPECT_TRUE(results.has_value()) << layout << ": " << (results ? "" : results.error().ToString());
  return results ? *results : std::vector<ProofResult>{};
}

std::map<std::string, std::string> Verdicts(const std::string& layout) {
  std::map<std::string, std::string> verdicts;
  for (const ProofResult& result : Prove(layout)) {
    verdicts[result.law] = ProofVerdictName(result.verdict);
    EXPECT_EQ(result.layout, layout);
    EXPECT_EQ(result.reason.empty(), result.verdict != ProofVerdict::kUnknown)
        << layout << " " << result.law << " " << result.reason;
    EXPECT_EQ(result.counterexample.empty(), result.verdict != ProofVerdict::kRefuted) << layout << " " << result.law;
  }
  return verdicts;
}

void ExpectAllProvedBut(const std::string& layout, const std::string& refuted) {
  for (const auto& [law, verdict] : Verdicts(layout)) {
    EXPECT_EQ(verdict, law == refuted ? "refuted" : "proved") << layout << " " << law;
  }
}

TEST(Prove, LayoutsThatOccur) {
  for (const char* layout : {"f32[M,N]{1,0:T(8,128)}",
                             "f32[M,N]{1,0:T(P,Q)}",
                             "bf16[8,1,1280,16384]{3,2,0,1:T(8,128)(2,1)}",
                             "f32[1009,10007]{1,0:T(8,128)}",
                             "f32[1048583,1048589]{1,0:T(8,128)}",
                             "bf16[M,N]{0,1:T(8,128)(2,1)S(1)}",
                             "s8[A,B,C]{2,0,1:T(8,128)(4,1)}",
                             "s4[9216,6144]{1,0:T(64,128)(8,1)E(4)}",
                             "bf16[2048]{0:T(1024)(128)(2,1)}",
                             "bf16[1,4,288,8,1024,1,1]{4,2,3,1,6,5,0:T(8,128)(2,1)}",
                             "s32[32,16]{0,1:T(1,128)}",
                             "f32[200001,N]{1,0:T(8)L(1024)}",
                             "pred[]",
                             "u32[]{:T(128)}",
                             "f32[]{:T(8,128)}",
                             "f32[M]",
                             "f32[8]{0:T(2,2)}",
                             "f32[M,M]{1,0:T(M,2)}",
                             "f32[8,8]{1,0:T(2,2)(2,2,2,2,2)}",
                             "f32[M,N]{1,0:T(2,2)(*,*,2,1)}",
                             "f32[<=M,N]{1,0:T(8,128)}"}) {
    ExpectAllProvedBut(layout, "");
  }
}

// A digit that has fewer values than its tile takes the place of the whole tile.
// A law's own variables are others than the names of the layout.
TEST(Prove, NamesThatLawsUseToo) {
  ExpectAllProvedBut("f32[offset,N]{1,0}", "");
  ExpectAllProvedBut("f32[x0,tiles0]{1,0:T(8,tiles1)}", "");
  const SymbolicLayout layout = *ParseSymbolicLayout("f32[j0]{0:T(tiles0)}");
  EXPECT_EQ(MakeObligations(layout, SymbolicLawId::kInjective)[0].certificate->sample,
            (std::map<std::string, int64_t>{{"i0", 0}, {"j0", 3}, {"j0!", 0}, {"tiles0", 3}}));
}

TEST(Prove, SizesBelowTheirTile) {
  for (const char* layout : {"s8[3,K]{1,0:T(4,P)}", "s8[J,3,K]{2,1,0:T(4,P)}", "s8[N,K,5]{0,2,1:T(8,P)}"}) {
    ExpectAllProvedBut(layout, "");
  }
  for (const char* layout : {"s8[K]{0:T(8)(2,P,4)}", "s8[K]{0:T(4)(16)(Q)}"}) {
    ExpectAllProvedBut(layout, "onto-padded-box");
  }
}

// Returns the parts of the law, of those about elements, that steps do not prove.
std::string NotProvedBySteps(const std::string& text, SymbolicLawId law) {
  std::string failures;
  const auto layout = ParseSymbolicLayout(text);
  for (const Obligation& obligation : MakeObligations(*layout, law, ProofMethod::kSteps)) {
    uint64_t work = 0;
    const bool about_elements = obligation.part.starts_with("every");
    if (!about_elements || WhyNotConfirmed(*obligation.certificate, 50'000'000, work).empty()) continue;
    failures += obligation.part + "; ";
  }
  return failures;
}

// Along its steps, every true law about elements is proved and no false one.
TEST(Prove, LawsBySteps) {
  for (const std::string text :
       {"f32[M,N]{1,0:T(8,128)}", "s8[N]{0:T(4,2)(Q)}", "s8[M,N]{1,0:T(P)(*,Q)}", "bf16[J,3]{1,0:T(8,4)(Q)}",
        "f32[A,B,C]{0,2,1:T(P,*,Q)(R,S)}", "s4[N,L]{1,0:T(8,1)(32,R)E(4)}", "bf16[M,N]{0,1:T(8,128)(2,1)}", "f32[]"}) {
    for (const SymbolicLaw& law : SymbolicLaws()) {
      if (law.id == SymbolicLawId::kPaddingMinimal || law.id == SymbolicLawId::kOntoPaddedBox) continue;
      EXPECT_EQ(NotProvedBySteps(text, law.id), "") << text << " " << law.name;
    }
  }
  EXPECT_EQ(NotProvedBySteps("f32[M,N]{1,0:T(P,Q)}", SymbolicLawId::kOntoPaddedBox), "");
  EXPECT_EQ(NotProvedBySteps("bf16[M,N]{0,1:T(8,128)(2,1)}", SymbolicLawId::kOntoPaddedBox), "");
  for (const char* text :
       {"f32[M,N]{1,0:T(P,Q)(R,S)}", "f32[M,N]{1,0:T(8,128)(3,1)}", "s8[N]{0:T(4,2)(Q)}", "s8[M,N]{1,0:T(P)(*,Q)}"}) {
    EXPECT_NE(NotProvedBySteps(text, SymbolicLawId::kOntoPaddedBox), "") << text;
  }
}

// Each CATLASS tag's fractal layout and its XLA layout have equal offsets and allocations for all sizes.
TEST(Prove, FractalLayoutsAreTheirXlaLayouts) {
  int64_t proofs = 0;
  for (const char* tag : {"RowMajor", "ColumnMajor", "VectorLayout", "zN", "nZ", "zZ", "nN", "L0C", "Weight4BitnZ"}) {
    for (const char* type : {"s4", "s8", "f16", "f32", "f64"}) {
      const std::string layout = std::string(tag) + ":" + type + "[M,N]";
      for (const ProofResult& result : Prove(layout, {"equals-hlo"})) {
        EXPECT_EQ(result.verdict, ProofVerdict::kProved) << layout << ": " << result.reason;
        const std::vector<std::string> both = {"M", "N"};
        EXPECT_EQ(result.for_all, result.layout.starts_with("Vector") ? std::vector<std::string>{"N"} : both);
        ++proofs;
      }
    }
  }
  std::printf("%lld tags and element widths equal their XLA layouts for all M and N\n", static_cast<long long>(proofs));
  ExpectAllProvedBut("zN:f16[M,N]", "");
  ExpectAllProvedBut("nZ:s8[M,40]", "");
  ExpectAllProvedBut("zZ:f32[20,0]", "");
  // An XLA layout with another tile size is not equal to the tag's layout.
  auto wrong = ParseSymbolicLayout("zN:f16[M,N]");
  wrong->layout.tiles[0][1].size.value = 32;
  std::string failures;
  for (const Obligation& obligation : MakeObligations(*wrong, SymbolicLawId::kEqualsHlo)) {
    if (!obligation.failure.empty() ||
        RunZ3(CertificateQuery(*obligation.certificate), 50'000'000).answer != SolverAnswer::kUnsat) {
      failures += obligation.part + "; ";
    }
  }
  EXPECT_EQ(failures, "every index of the fractal layout; allocation of the fractal layout; ");
}

// The layouts of block scales, in padded blocks and of tensors are their XLA layouts, too, and no other tag's.
TEST(Prove, OtherTagsAreTheirXlaLayouts) {
  constexpr std::pair<const char*, TlaTag> kTexts[] = {
      {"MxScaleRowMajorA:f8e8m0fnu[M,N]", TlaTag::kMxScaleRowMajorB},
      {"MxScaleRowMajorB:f8e8m0fnu[M,N]", TlaTag::kMxScaleColumnMajorB},
      {"MxScaleColumnMajorA:f8e8m0fnu[M,N]", TlaTag::kMxScaleColumnMajorB},
      {"MxScaleColumnMajorB:f8e8m0fnu[M,N]", TlaTag::kMxScaleRowMajorB},
      {"MxScalezZ:f8e8m0fnu[M,N]", TlaTag::kNZ},
      {"MxScalenN:f8e8m0fnu[M,N]", TlaTag::kZN},
      {"PaddingRowMajor<64,128>:f16[M,N]", TlaTag::kPaddingColumnMajor},
      {"PaddingColumnMajor<64,128>:f16[M,N]", TlaTag::kPaddingRowMajor},
      {"NC1HWC0:f16[N,C,H,W]", TlaTag::kCI1KHKWCOCI0},
      {"NDC1HWC0:f16[N,C,D,H,5]", TlaTag::kKDC1KHKWN1N0C0},
      {"CI1KHKWCOCI0:f16[O,C,3,3]", TlaTag::kNC1HWC0},
      {"FractalZ:s8[O,C,H,W]", TlaTag::kNC1HWC0},
      {"KDC1KHKWN1N0C0:f16[O,C,D,3,3]", TlaTag::kNDC1HWC0},
      {"VectorLayout:f16[N]", TlaTag::kVectorLayout},
      {"zN<8,4>:f16[M,N]", TlaTag::kZZ},
  };
  for (const auto& [text, other] : kTexts) {
    auto layout = ParseSymbolicLayout(text);
    ASSERT_TRUE(layout.has_value()) << text << ": " << layout.error().ToString();
    const auto results = ProveLayout(*layout, {"equals-hlo"});
    ASSERT_TRUE(results.has_value()) << text;
    EXPECT_EQ(results->at(0).verdict, ProofVerdict::kProved) << text << ": " << results->at(0).reason;
    if (other == layout->fractal->tag) continue;
    layout->fractal->tag = other;
    layout->fractal->blocks.resize(OrderOf(other).cuts(), 2);
    EXPECT_NE(ProveLayout(*layout, {"equals-hlo"})->at(0).verdict, ProofVerdict::kProved) << text;
  }
}

TEST(Prove, EmptyArrays) {
  ExpectAllProvedBut("f32[0,3]{1,0:T(8,128)}", "");
  ExpectAllProvedBut("f32[M,0,N]{2,1,0:T(P,*,Q)}", "");
}

TEST(Prove, OntoIsRefutedWhereALaterTilePadsAgain) {
  ExpectAllProvedBut("f32[8,128]{1,0:T(8,128)(3,1)}", "onto-padded-box");
  ExpectAllProvedBut("f32[M,N]{1,0:T(P,Q)(R,S)}", "onto-padded-box");
  ExpectAllProvedBut("f32[M,N]{1,0:T(8,128)(P,1)}", "onto-padded-box");
}

TEST(Prove, OntoIsRefutedWhereCombinedDimensionsArePadded) {
  ExpectAllProvedBut("f32[A,B,C,D,E]{4,3,2,1,0:T(*,*,2,*,3)}", "onto-padded-box");
  // 2*7*8 is a multiple of 2, and 11*10 is not one of 3.
  ExpectAllProvedBut("f32[2,7,8,11,10]{4,3,2,1,0:T(*,*,2,*,3)}", "onto-padded-box");
  ExpectAllProvedBut("f32[2,7,8,11,9]{4,3,2,1,0:T(*,*,2,*,3)}", "");
}

TEST(Prove, AWitnessIsTheSmallestAndNamesItsPlace) {
  const auto results = Prove("f32[M,N]{1,0:T(8,128)(P,1)}", {"onto-padded-box"});
  ASSERT_EQ(results.size(), 1u);
  // The 8 rows of a tile in groups of 3 make 9 rows; the first missing row follows 2 whole groups and 2 rows.
  const std::vector<std::pair<std::string, int64_t>> expected = {
      {"M", 1}, {"N", 1}, {"P", 3}, {"offset", 2 * 3 * 128 + 2}, {"expected", 1}, {"actual", 0}};
  EXPECT_EQ(results[0].counterexample, expected);
  EXPECT_EQ(results[0].method, "witness");
}

TEST(Prove, SaysWhatIsQuantified) {
  const auto results = Prove("f32[M,N,4]{2,1,0:T(P,128)}");
  ASSERT_EQ(results.size(), SymbolicLaws().size());
  for (const ProofResult& result : results) {
    EXPECT_EQ(result.for_all, (std::vector<std::string>{"M", "N", "P"}));
    EXPECT_EQ(result.method, "mixed-radix");
    EXPECT_GT(result.rlimit, 0u);
  }
}

TEST(Prove, IsDeterministic) {
  for (int round = 0; round < 2; ++round) {
    const auto first = Prove("f32[A,B,C]{0,2,1:T(P,*,Q)(R,S)}");
    const auto second = Prove("f32[A,B,C]{0,2,1:T(P,*,Q)(R,S)}");
    ASSERT_EQ(first.size(), second.size());
    for (size_t k = 0; k < first.size(); ++k) {
      EXPECT_EQ(first[k].verdict, second[k].verdict);
      EXPECT_EQ(first[k].rlimit, second[k].rlimit);
      EXPECT_EQ(first[k].lemma_instances, second[k].lemma_instances);
    }
  }
}

TEST(Prove, AnExhaustedBudgetIsUnknown) {
  const auto results = Prove("f32[A,B,C]{0,2,1:T(P,Q)}", {"injective"}, {.rlimit = 100, .exports = {}});
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(results[0].verdict, ProofVerdict::kUnknown);
  EXPECT_FALSE(results[0].reason.empty());
}

TEST(Prove, ACoefficientPast126BitsIsUnknown) {
  const auto results = Prove("f32[A,B,C]{2,1,0:T(9000000000000000000,9000000000000000000,9000000000000000000)}");
  ASSERT_EQ(results.size(), SymbolicLaws().size());
  for (const ProofResult& result : results) {
    if (result.law == "padding-minimal") continue;
    EXPECT_EQ(result.verdict, ProofVerdict::kUnknown) << result.law;
    EXPECT_NE(result.reason.find("126 bits"), std::string::npos) << result.reason;
  }
}

TEST(Prove, AnEnormousLayoutIsUnknown) {
  std::string text = "f32[2]{0:T";
  for (int k = 0; k < 96; ++k) text += "(2)";
  for (const ProofResult& result : Prove(text + "}")) {
    EXPECT_EQ(result.verdict, ProofVerdict::kUnknown);
    EXPECT_NE(result.reason.find("96 dimensions"), std::string::npos) << result.reason;
  }
}

TEST(Prove, RejectsWhatItCannotRead) {
  const auto error = [](const char* text, const std::vector<std::string>& laws = {}, const ProveOptions& options = {}) {
    const auto results = ProveLayout(text, laws, options);
    EXPECT_FALSE(results.has_value()) << text;
    return results ? "" : results.error().ToString();
  };
  EXPECT_EQ(error("f32[M,N").substr(0, 9), "column 8:");
  EXPECT_EQ(error("f32[M,i0]{1,0}").substr(0, 9), "column 7:");
  EXPECT_EQ(error("f32[M,N]{1,0:T(8,1x8)}").substr(0, 10), "column 18:");
  EXPECT_NE(error("(f32[M], f32[2])"), "");
  EXPECT_NE(error("f32[M]{0:T(0)}"), "");
  EXPECT_NE(error("f32[M,N]{1,0:T(8,*)}"), "");
  EXPECT_NE(error("f32[?]"), "");
  EXPECT_NE(error("").size(), 0u);
  EXPECT_NE(error("f32[2]", {"inject"}).find("'inject'"), std::string::npos);
  EXPECT_NE(error("f32[2]", {}, {.exports = {.emit_directory = "/proc/none", .second_solver = {}}}).find("/proc/none"),
            std::string::npos);
  EXPECT_NE(error("f32[2]", {}, {.exports = {.emit_directory = {}, .second_solver = "no-such-solver"}})
                .find("no-such-solver"),
            std::string::npos);
}

TEST(Prove, ADisagreementIsNeverProved) {
  // This solver answers every query with sat.
  const auto results =
      Prove("f32[M]{0:T(8)}", {"in-bounds"}, {.exports = {.emit_directory = {}, .second_solver = "echo sat"}});
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(results[0].verdict, ProofVerdict::kUnknown);
  EXPECT_NE(results[0].disagreement.find("echo sat answers sat, not unsat"), std::string::npos)
      << results[0].disagreement;
  // A solver without an answer neither contradicts nor confirms.
  const auto silent =
      Prove("f32[M]{0:T(8)}", {"in-bounds"}, {.exports = {.emit_directory = {}, .second_solver = "true"}});
  EXPECT_EQ(silent[0].verdict, ProofVerdict::kUnknown);
  EXPECT_TRUE(silent[0].disagreement.empty());
}

TEST(Prove, WritesEachQuery) {
  const TemporaryDirectory directory;
  Prove("f32[M,N]{1,0:T(P,128)}", {"in-bounds"},
        {.exports = {.emit_directory = directory.path(), .second_solver = {}}});
  int queries = 0;
  int lemmas = 0;
  for (const auto& entry : std::filesystem::directory_iterator(directory.path())) {
    std::ifstream file(entry.path());
    const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    EXPECT_NE(text.find("; expected: "), std::string::npos) << entry.path();
    EXPECT_NE(text.find("(check-sat)"), std::string::npos) << entry.path();
    (entry.path().filename().string().starts_with("lemma_") ? lemmas : queries) += 1;
  }
  EXPECT_EQ(queries, 3);  // certificate, hypotheses, normal forms
  EXPECT_GE(lemmas, 5);
}

}  // namespace
}  // namespace layoutcheck
