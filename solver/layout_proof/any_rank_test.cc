// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The laws of a tiled layout for every rank at once, by induction over the dimensions.
//
// D(0), D(1), ... are the dimensions from the most minor one up. S(0) = 1 and S(k+1) = S(k) D(k) are the strides. L(0)
// = 0 and L(k+1) = L(k) + e(k) S(k) is the linear index of the digits e below position k. Each claim is about position
// k: its base is the claim at 0, and its step concludes the claim at k + 1 from the claim at k. Base and step are
// certificates with a few names, which a solver decides. A solver makes no induction: for every rank and every list of
// tiles, the laws are the theorems of proofs/Main.v, whose inductions Coq checks.
//
// One tile of m entries acts on each of m dimensions by itself. (Combining dimensions by `*` is a linear index of two
// digits, to which the claims about linear indices apply.) Several tiles are a composition of maps, each of which is
// injective and maps its box into the next one. So the claims hold for every rank, every number of tiles and every
// number of tile entries.
#include <gtest/gtest.h>
#include <cstdint>
#include <cstdio>
#include <initializer_list>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
#include "layoutcheck/solver/certificate/certificate.h"
#include "layoutcheck/solver/certificate/certificate_check.h"
#include "layoutcheck/solver/certificate/query_export.h"
#include "layoutcheck/solver/certificate/z3_solver.h"

namespace layoutcheck {
namespace {

constexpr uint64_t kBudget = 20'000'000;
const char* const kSecondSolver = "cvc5 --lang smt2";

// A claim about position k of a list of dimensions of any length, or about one dimension.
struct AnyRankClaim {
  std::string_view name;
  std::string_view statement;
  std::unique_ptr<Certificate> base;  // null if the claim is about one dimension and needs no induction
  std::unique_ptr<Certificate> step;
};

// Builds one certificate. The variable `S` is S(k), `S1` is S(k+1), and so on.
class Statement {
 public:
  Statement(std::string title, std::map<std::string, int64_t> sample) : certificate_(std::make_unique<Certificate>()) {
    certificate_->title = std::move(title);
    certificate_->sample = std::move(sample);
  }

  Term operator[](const std::string& name) { return certificate_->terms().Variable(name); }
  void Given(std::initializer_list<TermRelation> relations) {
    for (const TermRelation& relation : relations) certificate_->AddHypothesis(relation);
  }
  void Show(std::initializer_list<TermRelation> relations) {
    for (const TermRelation& relation : relations) certificate_->AddGoal(relation);
  }
  void By(LemmaId lemma, std::initializer_list<Term> arguments) {
    std::vector<Polynomial> polynomials;
    for (const Term& argument : arguments) polynomials.push_back(certificate_->Normalize(argument));
    certificate_->Apply(lemma, std::move(polynomials));
  }
  std::unique_ptr<Certificate> Take() { return std::move(certificate_); }

 private:
  std::unique_ptr<Certificate> certificate_;
};

// Sizes are at least 1, because otherwise there is no index; so strides are, too.
AnyRankClaim PositiveStrides() {
  Statement base("S(0) >= 1", {{"S", 1}});
  base.Given({Equal(base["S"], 1)});
  base.Show({LessEqual(1, base["S"])});
  Statement step("S(k) >= 1 and D(k) >= 1 give S(k+1) >= 1", {{"S", 6}, {"D", 5}});
  const Term S = step["S"], D = step["D"];
  step.Given({LessEqual(1, S), LessEqual(1, D)});
  step.By(LemmaId::kPositiveProduct, {D, S});
  step.Show({LessEqual(1, S * D)});
  return {"positive-strides", "every stride is at least 1 where no dimension is 0", base.Take(), step.Take()};
}

AnyRankClaim InBounds() {
  Statement base("0 <= L(0) < S(0)", {{"L", 0}, {"S", 1}});
  base.Given({Equal(base["L"], 0), Equal(base["S"], 1)});
  base.Show({LessEqual(0, base["L"]), Less(base["L"], base["S"])});
  Statement step("0 <= L(k) < S(k) gives 0 <= L(k+1) < S(k+1)", {{"L", 4}, {"S", 6}, {"D", 5}, {"e", 3}});
  const Term L = step["L"], S = step["S"], D = step["D"], e = step["e"];
  step.Given({LessEqual(0, L), Less(L, S), LessEqual(0, e), Less(e, D)});
  step.By(LemmaId::kRadixLowerBound, {e, L, S});
  step.By(LemmaId::kRadixUpperBound, {e, D, L, S});
  step.Show({LessEqual(0, L + e * S), Less(L + e * S, S * D)});
  return {"in-bounds", "a linear index is in 0 to the product of the sizes", base.Take(), step.Take()};
}

// The step removes the digit at k; the claim at k is about the rest.
AnyRankClaim Injective() {
  Statement base("with one place there is one index", {{"L", 0}, {"M", 0}, {"S", 1}});
  base.Given({Equal(base["S"], 1), LessEqual(0, base["L"]), Less(base["L"], base["S"]), LessEqual(0, base["M"]),
              Less(base["M"], base["S"])});
  base.Show({Equal(base["L"], base["M"])});
  Statement step("L(k+1) = M(k+1) gives equal digits at k and L(k) = M(k)",
                 {{"L", 4}, {"M", 4}, {"S", 6}, {"e", 3}, {"f", 3}});
  const Term L = step["L"], M = step["M"], S = step["S"], e = step["e"], f = step["f"];
  step.Given({LessEqual(0, L), Less(L, S), LessEqual(0, M), Less(M, S), Equal(L + e * S, M + f * S)});
  step.By(LemmaId::kRadixMajor, {e, L, f, M, S});
  step.By(LemmaId::kRadixMinor, {e, L, f, M, S});
  step.Show({Equal(e, f), Equal(L, M)});
  return {"injective", "equal linear indices have equal digits", base.Take(), step.Take()};
}

// The digits of an offset p are digit(k) = h(k) mod D(k), where h(0) = p and h(k+1) = h(k) div D(k).
AnyRankClaim Inverse() {
  Statement base("h(0) S(0) + L(0) = p", {{"h", 77}, {"L", 0}, {"S", 1}, {"p", 77}});
  const Term p0 = base["p"];
  base.Given({Equal(base["h"], p0), Equal(base["S"], 1), Equal(base["L"], 0)});
  base.By(LemmaId::kEqualProducts, {base["S"], 1, base["h"]});
  base.Show({Equal(base["h"] * base["S"] + base["L"], p0)});
  Statement step("h(k) S(k) + L(k) = p gives h(k+1) S(k+1) + L(k+1) = p, and the digit at k is one",
                 {{"h", 12}, {"L", 5}, {"S", 6}, {"D", 5}, {"p", 77}});
  const Term h = step["h"], L = step["L"], S = step["S"], D = step["D"], p = step["p"];
  const Term next = FloorDiv(h, D), digit = Mod(h, D);
  step.Given({LessEqual(1, D), Equal(h * S + L, p)});
  step.By(LemmaId::kEuclid, {h, D});
  step.By(LemmaId::kEqualProducts, {h, D * next + digit, S});
  step.Show({Equal(next * (S * D) + (L + digit * S), p), LessEqual(0, digit), Less(digit, D)});
  return {"inverse", "the digits that quotients and remainders give have the linear index that they were taken from",
          base.Take(), step.Take()};
}

// T(k) is the product of the sizes from position k up. At the top T = 1, so h = 0: the digits are all of p.
AnyRankClaim Onto() {
  Statement base("at the top nothing is left", {{"h", 0}, {"T", 1}});
  base.Given({Equal(base["T"], 1), LessEqual(0, base["h"]), Less(base["h"], base["T"])});
  base.Show({Equal(base["h"], 0)});
  Statement step("0 <= h(k) < T(k) gives 0 <= h(k+1) < T(k+1)", {{"h", 12}, {"D", 5}, {"T1", 7}});
  const Term h = step["h"], D = step["D"], T1 = step["T1"];
  step.Given({LessEqual(1, D), LessEqual(0, h), Less(h, T1 * D)});
  step.By(LemmaId::kOnto, {h, T1, D});
  step.Show({LessEqual(0, FloorDiv(h, D)), Less(FloorDiv(h, D), T1)});
  return {"onto", "every offset below the product of the sizes has digits", base.Take(), step.Take()};
}

AnyRankClaim TileSplits() {
  Statement step("e -> (e div t, e mod t) stays in the box and loses nothing",
                 {{"e", 13}, {"f", 13}, {"d", 17}, {"t", 5}, {"N", 4}});
  const Term e = step["e"], f = step["f"], d = step["d"], t = step["t"], N = step["N"];
  step.Given({LessEqual(1, t), LessEqual(0, e), Less(e, d), LessEqual(0, f), Less(f, d), Equal(N, CeilDiv(d, t)),
              Equal(FloorDiv(e, t), FloorDiv(f, t)), Equal(Mod(e, t), Mod(f, t))});
  step.By(LemmaId::kSplitInBox, {e, d, t, N});
  step.By(LemmaId::kEuclid, {e, t});
  step.By(LemmaId::kEuclid, {f, t});
  step.By(LemmaId::kEqualProducts, {FloorDiv(e, t), FloorDiv(f, t), t});
  step.Show({LessEqual(0, FloorDiv(e, t)), Less(FloorDiv(e, t), N), LessEqual(0, Mod(e, t)), Less(Mod(e, t), t),
             Equal(e, f)});
  return {"tile-injective", "a tile entry takes a digit below d to one below ceil(d / t) and one below t, injectively",
          nullptr, step.Take()};
}

AnyRankClaim TileOnto() {
  Statement step("(q, r) comes from q t + r", {{"q", 3}, {"r", 2}, {"t", 5}, {"N", 4}});
  const Term q = step["q"], r = step["r"], t = step["t"], N = step["N"];
  const Term e = q * t + r;
  step.Given({LessEqual(1, t), LessEqual(0, q), Less(q, N), LessEqual(0, r), Less(r, t)});
  step.By(LemmaId::kUniqueQuotient, {e, q, r, t});
  step.By(LemmaId::kEuclid, {e, t});
  step.By(LemmaId::kEqualProducts, {FloorDiv(e, t), q, t});
  step.By(LemmaId::kRadixLowerBound, {q, r, t});
  step.By(LemmaId::kRadixUpperBound, {q, N, r, t});
  step.Show({LessEqual(0, e), Less(e, N * t), Equal(FloorDiv(e, t), q), Equal(Mod(e, t), r)});
  return {"tile-onto", "each digit below ceil(d / t) and digit below t come from a digit of the padded dimension",
          nullptr, step.Take()};
}

AnyRankClaim TilePads() {
  Statement step("d <= N t < d + t", {{"d", 17}, {"t", 5}, {"N", 4}});
  const Term d = step["d"], t = step["t"], N = step["N"];
  step.Given({LessEqual(1, t), LessEqual(0, d), Equal(N, CeilDiv(d, t))});
  step.By(LemmaId::kCeilBounds, {d, t, N});
  step.Show({LessEqual(d, N * t), Less(N * t, d + t)});
  return {"padding-minimal", "a tile entry pads by less than itself, also a dimension of 0", nullptr, step.Take()};
}

// The padded array is read in the reshaped dimensions ..., N(k), t(k), ... P and Z are the index and stride of the
// padded array below dimension k, L and S those of the reshaped array.
AnyRankClaim Reshape() {
  Statement base("both are 0, with stride 1", {{"P", 0}, {"Z", 1}, {"L", 0}, {"S", 1}});
  base.Given({Equal(base["P"], 0), Equal(base["L"], 0), Equal(base["Z"], 1), Equal(base["S"], 1)});
  base.Show({Equal(base["P"], base["L"]), Equal(base["Z"], base["S"])});
  Statement step("P = L and Z = S at k give the same at k + 1",
                 {{"P", 4}, {"Z", 6}, {"L", 4}, {"S", 6}, {"e", 13}, {"t", 5}, {"N", 4}});
  const Term P = step["P"], Z = step["Z"], L = step["L"], S = step["S"], e = step["e"], t = step["t"], N = step["N"];
  const Term q = FloorDiv(e, t), r = Mod(e, t);
  step.Given({LessEqual(1, t), Equal(P, L), Equal(Z, S)});
  step.By(LemmaId::kEuclid, {e, t});
  step.By(LemmaId::kEqualProducts, {Z, S, e});
  step.By(LemmaId::kEqualProducts, {e, t * q + r, S});
  step.By(LemmaId::kEqualProducts, {Z, S, N * t});
  step.Show({Equal(P + e * Z, (L + r * S) + q * (S * t)), Equal(Z * (N * t), (S * t) * N)});
  return {"reshape",
          "the padded array's address is that of its quotients and remainders: tiling equals pad, reshape, transpose",
          base.Take(), step.Take()};
}

// Returns all claims, each after those that it uses.
std::vector<AnyRankClaim> AnyRankClaims() {
  std::vector<AnyRankClaim> claims;
  for (AnyRankClaim (*make)() :
       {PositiveStrides, InBounds, Injective, Inverse, Onto, TileSplits, TileOnto, TilePads, Reshape}) {
    claims.push_back(make());
  }
  return claims;
}

std::vector<std::string> Lines(const std::string& text) {
  std::vector<std::string> lines;
  size_t begin = 0;
  for (size_t end = text.find('\n'); end != std::string::npos; begin = end + 1, end = text.find('\n', begin)) {
    lines.push_back(text.substr(begin, end - begin));
  }
  return lines;
}

// The inductions are written by hand, and each of their lemma instances is needed.
TEST(AnyRank, ClaimsNeedEveryInstance) {
  int instances = 0;
  for (const AnyRankClaim& claim : AnyRankClaims()) {
    for (const Certificate* certificate : {claim.base.get(), claim.step.get()}) {
      if (certificate == nullptr) continue;
      const SmtQuery query = CertificateQuery(*certificate);
      ASSERT_EQ(RunZ3(query, kBudget).answer, SolverAnswer::kUnsat) << query.text;
      for (const std::string& line : Lines(query.text)) {
        if (!line.starts_with("(assert (=> ") || line.find(" ; ") == std::string::npos) continue;
        SmtQuery less = query;
        less.text.erase(less.text.find(line), line.size());
        EXPECT_EQ(RunZ3(less, kBudget).answer, SolverAnswer::kSat) << less.text << "\nwithout\n" << line;
        ++instances;
      }
    }
  }
  std::printf("%d lemma instances of claims about every rank, all needed\n", instances);
}

// Checks the inductions that prove the laws for every rank.
TEST(AnyRank, EveryRankByInduction) {
  const bool second = RunExternalSolver(kSecondSolver, {}).has_value();
  int certificates = 0;
  std::printf("Every rank, every number of tiles and of their entries, by induction over the dimensions:\n");
  for (const AnyRankClaim& claim : AnyRankClaims()) {
    for (Certificate* certificate : {claim.base.get(), claim.step.get()}) {
      if (certificate == nullptr) continue;
      EXPECT_EQ(certificate->FailsForSample(), "") << certificate->title;
      const std::vector<SmtQuery> queries = {CertificateQuery(*certificate), VacuityQuery(*certificate),
                                             RingQuery(*certificate)};
      for (const SmtQuery& query : queries) EXPECT_EQ(RunZ3(query, kBudget).answer, query.expected) << query.text;
      if (second) {
        const auto answers = RunExternalSolver(kSecondSolver, queries);
        ASSERT_TRUE(answers.has_value());
        for (size_t k = 0; k < queries.size(); ++k) EXPECT_EQ((*answers)[k], queries[k].expected) << queries[k].text;
      }
      ++certificates;
    }
    std::printf("  %-18s %s\n", std::string(claim.name).c_str(), std::string(claim.statement).c_str());
  }
  std::printf("%d base and step certificates proved by Z3%s\n", certificates, second ? " and by cvc5" : "");
}

}  // namespace
}  // namespace layoutcheck
