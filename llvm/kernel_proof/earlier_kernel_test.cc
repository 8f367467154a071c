// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that run one after another, with kernels of corpus/kernels/in_sequence.cu.
#include "layoutcheck/llvm/kernel_proof/earlier_kernel.h"
#include <gtest/gtest.h>
#include <algorithm>
#include <string>
#include <utility>
#include <vector>
#include "layoutcheck/llvm/kernel_proof/prove_kernel.h"

namespace layoutcheck {
namespace {

using Arrays = std::vector<std::pair<std::string, std::string>>;

constexpr const char* kTiles = "f32[(M ceildiv 32)*(N ceildiv 32)*1024]{0}";

KernelRequest Request(std::string function, Arrays arrays, std::string arguments, std::string grid, std::string block) {
  return {.file = std::string(LAYOUTCHECK_CORPUS) + "/kernels/in_sequence.cu",
          .function = std::move(function),
          .arrays = std::move(arrays),
          .arguments = std::move(arguments),
          .grid = std::move(grid),
          .block = std::move(block),
          .max_bytes = int64_t{1} << 31,
          .laws = {"relayout"}};
}

KernelRequest OnTiles(const std::string& function, const std::string& from, const std::string& to,
                      const std::string& layout) {
  return Request(function, {{from, from == "in" ? layout : kTiles}, {to, to == "out" ? layout : kTiles}},
                 from + "," + to + ",M,N", "N ceildiv 32, M ceildiv 32", "32,32");
}

KernelRequest OnNumbers(const std::string& function, const std::string& from, const std::string& to,
                        const std::string& layout) {
  return Request(function, {{from, layout}, {to, layout}}, from + "," + to + ",N", "N ceildiv 256", "256");
}

// Returns the verdict on the relayout of the last kernel.
KernelProof RelayoutOf(const std::vector<KernelRequest>& requests, const ProveOptions& options = {}) {
  const auto proofs = ProveKernels(requests, options);
  if (!proofs) {
    ADD_FAILURE() << proofs.error().ToString();
    return {};
  }
  EXPECT_EQ(proofs->size(), requests.size());
  for (size_t k = 0; k + 1 < proofs->size(); ++k) {
    for (const KernelProof& proof : (*proofs)[k]) EXPECT_NE(proof.result.law, "relayout");
  }
  const auto relayout =
      std::ranges::find_if(proofs->back(), [](const KernelProof& proof) { return proof.result.law == "relayout"; });
  return relayout == proofs->back().end() ? KernelProof() : *relayout;
}

TEST(KernelsInSequence, MatrixIsTransposedThroughTiles) {
  const auto proof = RelayoutOf(
      {OnTiles("pack", "in", "tiles", "f32[M,N]{1,0}"), OnTiles("unpack_transposed", "tiles", "out", "f32[M,N]{0,1}")});
  EXPECT_EQ(proof.result.verdict, ProofVerdict::kProved) << proof.result.reason << proof.result.subexpression;
}

TEST(KernelsInSequence, ConsumerWithAnotherOrderOfTilesIsRefutedAtTheFirstSize) {
  const auto proof = RelayoutOf({OnTiles("pack", "in", "tiles", "f32[M,N]{1,0}"),
                                 OnTiles("unpack_other_order", "tiles", "out", "f32[M,N]{0,1}")});
  ASSERT_EQ(proof.result.verdict, ProofVerdict::kRefuted) << proof.result.reason;
  EXPECT_EQ(proof.result.counterexample[0], (std::pair<std::string, int64_t>("M", 33)));
  EXPECT_EQ(proof.result.counterexample[1], (std::pair<std::string, int64_t>("N", 33)));
  EXPECT_TRUE(proof.result.subexpression.starts_with("element (0,32) of in is stored in out"))
      << proof.result.subexpression;
}

// The array between has other sizes than the output, and of its padding nobody asks whether it is stored.
TEST(KernelsInSequence, LawsThatAreNotNamedAreThoseOfTheOutput) {
  auto pack = OnTiles("pack", "in", "tiles", "f32[M,N]{1,0}");
  auto unpack = OnTiles("unpack_other_order", "tiles", "out", "f32[M,N]{0,1}");
  pack.laws = unpack.laws = {};
  const auto proofs = ProveKernels({pack, unpack});
  ASSERT_TRUE(proofs.has_value()) << proofs.error().ToString();
  for (const KernelProof& proof : (*proofs)[0]) {
    EXPECT_EQ(proof.result.verdict, ProofVerdict::kProved) << proof.result.law;
  }
  for (const KernelProof& proof : (*proofs)[1]) {
    if (proof.result.law != "relayout") continue;
    EXPECT_EQ(proof.result.verdict, ProofVerdict::kRefuted) << proof.result.reason;
    EXPECT_EQ(proof.not_asked, "");
  }
  EXPECT_EQ((*proofs)[0].size(), 2U);  // accesses and distinct-stores
}

// The padding of tiles at the edge of the matrix is read, and nobody has stored it.
TEST(KernelsInSequence, ReadOfAPlaceThatNobodyStoresIsRefuted) {
  const auto proof =
      RelayoutOf({OnTiles("pack", "in", "tiles", "f32[M,N]{1,0}"),
                  Request("copy_tiles", {{"tiles", kTiles}, {"out", kTiles}},
                          "tiles,out,(M ceildiv 32)*(N ceildiv 32)*1024", "(M ceildiv 32)*(N ceildiv 32)*4", "256")});
  ASSERT_EQ(proof.result.verdict, ProofVerdict::kRefuted) << proof.result.reason;
  EXPECT_NE(proof.result.subexpression.find("read of tiles, where no thread of pack stores"), std::string::npos)
      << proof.result.subexpression;
}

TEST(KernelsInSequence, ThreeKernelsAreFollowed) {
  const auto between =
      Request("copy_tiles", {{"tiles", kTiles}, {"copied", kTiles}}, "tiles,copied,(M ceildiv 32)*(N ceildiv 32)*1024",
              "(M ceildiv 32)*(N ceildiv 32)*4", "256");
  const auto proof = RelayoutOf({OnTiles("pack", "in", "tiles", "f32[M,N]{1,0}"), between,
                                 OnTiles("unpack_transposed", "copied", "out", "f32[M,N]{0,1}")});
  EXPECT_EQ(proof.result.verdict, ProofVerdict::kProved) << proof.result.reason << proof.result.subexpression;
}

// One memory is input of the first kernel and output of the last.
TEST(KernelsInSequence, PairsComeBackToWhereTheyWere) {
  const auto split = Request("split_pairs", {{"pairs", "f32[N,2]{1,0}"}, {"halves", "f32[2,N]{1,0}"}}, "pairs,halves,N",
                             "N ceildiv 256", "256");
  const auto join = Request("join_pairs", {{"halves", "f32[2,N]{1,0}"}, {"pairs", "f32[N,2]{1,0}"}}, "halves,pairs,N",
                            "N ceildiv 256", "256");
  const auto proof = RelayoutOf({split, join});
  EXPECT_EQ(proof.result.verdict, ProofVerdict::kProved) << proof.result.reason << proof.result.subexpression;
}

// The laws of the earlier kernels on which a proof rests are in its certificate, unless they have lines of their own. A
// kernel that turns each block around brings it back when it runs again.
TEST(KernelsInSequence, CertificateHasTheClaimsOfLawsThatAreNotAsked) {
  const auto reverse = [](const std::string& from, const std::string& to) {
    auto request =
        Request("reverse", {{from, "f32[B,256]{1,0}"}, {to, "f32[B,256]{1,0}"}}, from + "," + to, "B", "256");
    request.file = std::string(LAYOUTCHECK_CORPUS) + "/kernels/shared.cu";
    return request;
  };
  for (const bool are_all_asked : {false, true}) {
    auto first = reverse("in", "mid");
    if (are_all_asked) first.laws = {};
    const ProofResult result = RelayoutOf({first, reverse("mid", "out")}, {.certificates = true}).result;
    EXPECT_EQ(result.verdict, ProofVerdict::kProved) << result.reason << result.subexpression;
    EXPECT_EQ(result.no_certificate, "");
    EXPECT_NE(result.certificate.find("reverse(mid,out), after reverse, relayout"), std::string::npos);
    for (const std::string law : {"accesses", "race-free", "distinct-stores"}) {
      const bool is_repeated = result.certificate.find("reverse(in,mid), " + law) != std::string::npos;
      EXPECT_EQ(is_repeated, !are_all_asked && law != "distinct-stores") << law;
    }
  }
}

TEST(KernelsInSequence, ProofHasNoCertificateWhereALawOnWhichItRestsHasNone) {
  LawCertificates certificates;
  certificates.Add({.law = "accesses", .certificate = "claims "}, /*has_line=*/false);
  ProofResult result{.law = "relayout", .verdict = ProofVerdict::kProved, .certificate = "own claims"};
  certificates.CompleteLater("pack", result);
  EXPECT_EQ(result.certificate, "claims own claims");
  certificates.Add({.law = "distinct-stores", .no_certificate = "Z3's answer is the whole proof"}, /*has_line=*/true);
  certificates.CompleteLater("pack", result);
  EXPECT_EQ(result.certificate, "");
  EXPECT_EQ(result.no_certificate, "it rests on distinct-stores of pack, which has none");
}

TEST(KernelsInSequence, WhatAnEarlierKernelComputesIsNotAsked) {
  const auto first = OnNumbers("doubled", "in", "mid", "f32[N]{0}");
  auto second = OnNumbers("copy_tiles", "mid", "out", "f32[N]{0}");
  second.laws = {};
  const auto proof = RelayoutOf({first, second});
  EXPECT_EQ(proof.not_asked, "out is computed");
}

TEST(KernelsInSequence, LaunchOfTheFirstKernelIsRequired) {
  auto first = OnNumbers("copy_tiles", "in", "mid", "f32[N]{0}");
  first.grid = first.block = "";
  const auto proofs = ProveKernels({first, OnNumbers("copy_tiles", "mid", "out", "f32[N]{0}")});
  ASSERT_FALSE(proofs.has_value());
  EXPECT_EQ(proofs.error().kind, ErrorKind::kInvalidArgument);
}

}  // namespace
}  // namespace layoutcheck
