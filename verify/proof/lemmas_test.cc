// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/verify/proof/lemmas.h"
#include <gtest/gtest.h>
#include <algorithm>
#include <cctype>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/base/text_cursor.h"
#include "layoutcheck/verify/proof/statement.h"

namespace layoutcheck::verify {
namespace {

// Evaluates the claim at integers, with the terms that AddClaim adds.
bool Holds(const Lemma::Claim& claim, const std::vector<int>& values) {
  int sum = 0;
  for (const Lemma::Term& term : claim.terms) {
    int product = term.coefficient;
    for (uint8_t k = 0; k < term.degree; ++k) product *= values[term.factors[k]];
    sum += product;
  }
  return claim.is_equation ? sum == 0 : sum >= 0;
}

// Appends the quotients, remainders and common bits. For divisors below 1 they are any function of both operands.
std::vector<int> WithQuotients(const Lemma& lemma, std::vector<int> values) {
  for (const Lemma::Quotient& quotient : lemma.quotients) {
    const int b = values[quotient.b];
    if (quotient.kind == QuotientKind::kCommonBits) {
      values.push_back(values[quotient.a] & b);
      continue;
    }
    const int a = quotient.kind == QuotientKind::kCeilDiv ? values[quotient.a] + b - 1 : values[quotient.a];
    const int floor = b < 1 ? 100 * a + b : a / b - (a % b < 0 ? 1 : 0);
    values.push_back(quotient.kind == QuotientKind::kMod && b >= 1 ? a - b * floor : floor);
  }
  return values;
}

TEST(Lemmas, HoldForSmallNumbers) {
  for (const LemmaText& text : kLemmaTexts) {
    const Lemma* const lemma = FindLemma(text.name);
    ASSERT_NE(lemma, nullptr) << text.name;
    size_t premises_hold = 0;
    std::vector<int> arguments(lemma->parameter_count, -2);
    for (size_t k = 0; k < arguments.size();) {
      const std::vector<int> values = WithQuotients(*lemma, arguments);
      if (std::ranges::all_of(lemma->premises, [&](const auto& claim) { return Holds(claim, values); })) {
        ++premises_hold;
        for (const auto& claim : lemma->conclusions) ASSERT_TRUE(Holds(claim, values)) << text.name;
      }
      for (k = 0; k < arguments.size() && ++arguments[k] > 4; ++k) arguments[k] = -2;
    }
    EXPECT_GT(premises_hold, 0u) << text.name;
  }
}

// A statement of Coq, "K1 e t : 1 <= t -> e = t * (e / t) + e mod t /\ 0 <= e mod t", in the order of its text.
class CoqStatement {
 public:
  explicit CoqStatement(std::string_view text) : cursor_(text) {
    name = Word();
    while (!cursor_.Take(":")) parameters.push_back(statement_.NewVariable(Word()));
    while (true) {
      relations.push_back(TakeRelation());
      if (cursor_.Take("->")) {
        premise_count = relations.size();
      } else if (!cursor_.Take("/\\")) {
        break;
      }
    }
    EXPECT_TRUE(cursor_.Take(".") && cursor_.AtEnd()) << text;
  }

  std::string name;
  std::vector<Polynomial> parameters;
  std::vector<Relation> relations;
  size_t premise_count = 0;

  Ring& ring() { return statement_.ring(); }

 private:
  std::string Word() {
    cursor_.SkipBlanks();
    return std::string(cursor_.TakeWhile([](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }));
  }
  Relation TakeRelation() {
    const Polynomial left = TakeSum();
    if (cursor_.Take("<=")) return statement_.LessEqual(left, TakeSum());
    if (cursor_.Take("<")) return statement_.Less(left, TakeSum());
    EXPECT_TRUE(cursor_.Take("=")) << cursor_.rest();
    return statement_.Equal(left, TakeSum());
  }
  Polynomial TakeSum() {
    Polynomial sum = TakeProduct();
    while (true) {
      if (cursor_.Take("+")) {
        sum = ring().Sum(sum, TakeProduct());
      } else if (!cursor_.Sees("->") && cursor_.Take("-")) {
        sum = ring().Difference(sum, TakeProduct());
      } else {
        return sum;
      }
    }
  }
  Polynomial TakeProduct() {
    Polynomial product = TakeFactor();
    while (true) {
      if (cursor_.Take("*")) {
        product = ring().Product(product, TakeFactor());
      } else if (!cursor_.Sees("/\\") && cursor_.Take("/")) {
        product = ring().FloorDiv(product, TakeFactor());
      } else if (cursor_.Take("mod")) {
        product = ring().Mod(product, TakeFactor());
      } else {
        return product;
      }
    }
  }
  Polynomial TakeFactor() {
    if (cursor_.Take("(")) {
      const Polynomial inside = TakeSum();
      EXPECT_TRUE(cursor_.Take(")")) << cursor_.rest();
      return inside;
    }
    const std::string word = Word();
    if (word == "land") {
      const Polynomial a = TakeFactor();
      return ring().CommonBits(a, TakeFactor());
    }
    std::string_view rest = word;
    const auto value = PolynomialReader(statement_).Take(rest);
    EXPECT_TRUE(value && rest.empty()) << cursor_.rest();
    return value.value_or(Polynomial());
  }

  Statement statement_;
  TextCursor cursor_;
};

// Expects that the lemma of this room states what the Coq file proves under its name.
void ExpectEqualToCoq(CoqStatement& coq) {
  const Lemma* const lemma = FindLemma(coq.name);
  ASSERT_NE(lemma, nullptr) << coq.name;
  ASSERT_EQ(lemma->parameter_count, coq.parameters.size()) << coq.name;
  ASSERT_EQ(lemma->premises.size(), coq.premise_count) << coq.name;
  std::vector<Lemma::Claim> claims = lemma->premises;
  claims.insert(claims.end(), lemma->conclusions.begin(), lemma->conclusions.end());
  ASSERT_EQ(claims.size(), coq.relations.size()) << coq.name;
  std::vector<Polynomial> values = coq.parameters;
  AppendQuotients(*lemma, coq.ring(), values);
  for (size_t k = 0; k < claims.size(); ++k) {
    coq.ring().StartSum();
    AddClaim(claims[k], values, 1, coq.ring());
    const Polynomial claim = coq.ring().FinishSum();
    EXPECT_EQ(claims[k].is_equation, coq.relations[k].is_equation) << coq.name << ", claim " << k;
    EXPECT_EQ(coq.ring().ToText(claim), coq.ring().ToText(coq.relations[k].polynomial)) << coq.name << ", claim " << k;
  }
}

TEST(Lemmas, AreThoseThatCoqProves) {
  std::stringstream content;
  for (const std::string_view name : {"Lemmas.v", "Bits.v"}) {
    std::ifstream file(StrCat(LAYOUTCHECK_CORPUS, "/../proofs/", name));
    ASSERT_TRUE(file.is_open());
    content << file.rdbuf();
  }
  std::string text = content.str();
  std::vector<std::string> proved;
  constexpr std::string_view kLemma = "\nLemma ";
  for (size_t begin = text.find(kLemma); begin != std::string::npos; begin = text.find(kLemma, begin + 1)) {
    const size_t end = text.find(".\n", begin);
    std::replace(text.begin() + static_cast<std::ptrdiff_t>(begin) + 1, text.begin() + static_cast<std::ptrdiff_t>(end),
                 '\n', ' ');
    CoqStatement coq(std::string_view(text).substr(begin + kLemma.size(), end + 1 - begin - kLemma.size()));
    ExpectEqualToCoq(coq);
    proved.push_back(coq.name);
  }
  std::vector<std::string> used;
  for (const LemmaText& lemma : kLemmaTexts) used.emplace_back(lemma.name);
  EXPECT_EQ(used, proved);
}

}  // namespace
}  // namespace layoutcheck::verify
