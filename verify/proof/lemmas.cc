// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/verify/proof/lemmas.h"
#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <unordered_map>
#include <utility>

namespace layoutcheck::verify {
namespace {

// Reads the text of a lemma. The texts are those of lemmas.h, so a mistake in one is a mistake in this file.
class LemmaReader {
 public:
  explicit LemmaReader(const LemmaText& text) {
    lemma_.name = text.name;
    rest_ = text.arguments;
    while (!rest_.empty()) {
      parameters_.push_back(TakeWord());
      TakeBlanks();
    }
    lemma_.parameter_count = parameters_.size();
    lemma_.premises = TakeClaims(text.side_condition);
    for (Lemma::Claim& premise : TakeClaims(text.premises)) lemma_.premises.push_back(std::move(premise));
    lemma_.conclusions = TakeClaims(text.conclusions);
  }

  const Lemma& lemma() const { return lemma_; }

 private:
  std::vector<Lemma::Claim> TakeClaims(std::string_view text) {
    std::vector<Lemma::Claim> claims;
    if (text.empty()) return claims;
    rest_ = text;
    do {
      claims.push_back(TakeClaim());
    } while (Take("; "));
    if (!rest_.empty()) std::abort();
    return claims;
  }

  // Reads a = b as a - b = 0, a <= b as b - a >= 0, and a < b as b - a - 1 >= 0.
  Lemma::Claim TakeClaim() {
    std::vector<Lemma::Term> left = TakeSum();
    const bool is_equation = Take(" = ");
    const bool is_strict = !is_equation && Take(" < ");
    if (!is_equation && !is_strict && !Take(" <= ")) std::abort();
    std::vector<Lemma::Term> right = TakeSum();
    for (Lemma::Term& term : is_equation ? right : left) term.coefficient = -term.coefficient;
    left.insert(left.end(), right.begin(), right.end());
    if (is_strict) left.push_back({-1, {}, 0});
    return {is_equation, std::move(left)};
  }

  std::vector<Lemma::Term> TakeSum() {
    std::vector<Lemma::Term> terms = {TakeTerm(1)};
    while (true) {
      if (Take(" + ")) {
        terms.push_back(TakeTerm(1));
      } else if (Take(" - ")) {
        terms.push_back(TakeTerm(-1));
      } else {
        return terms;
      }
    }
  }

  Lemma::Term TakeTerm(int sign) {
    Lemma::Term term{sign, {}, 0};
    do {
      if (const std::string_view digits = TakeRun([](char c) { return c >= '0' && c <= '9'; }); !digits.empty()) {
        if (digits.size() > 1) std::abort();
        term.coefficient *= digits[0] - '0';
      } else {
        if (term.degree == term.factors.size()) std::abort();
        term.factors[term.degree++] = TakeValue();
      }
    } while (Take("*"));
    return term;
  }

  uint8_t TakeValue() {
    for (const auto& [word, kind] :
         {std::pair("floordiv(", QuotientKind::kFloorDiv), std::pair("ceildiv(", QuotientKind::kCeilDiv),
          std::pair("mod(", QuotientKind::kMod), std::pair("land(", QuotientKind::kCommonBits)}) {
      if (!Take(word)) continue;
      const uint8_t a = TakeParameter();
      if (!Take(",")) std::abort();
      const uint8_t b = TakeParameter();
      if (!Take(")")) std::abort();
      return NumberOf({kind, a, b});
    }
    return TakeParameter();
  }

  uint8_t NumberOf(const Lemma::Quotient& quotient) {
    const auto known = std::ranges::find_if(lemma_.quotients, [&](const Lemma::Quotient& other) {
      return other.kind == quotient.kind && other.a == quotient.a && other.b == quotient.b;
    });
    const auto number =
        static_cast<uint8_t>(parameters_.size() + static_cast<size_t>(known - lemma_.quotients.begin()));
    if (known == lemma_.quotients.end()) lemma_.quotients.push_back(quotient);
    return number;
  }

  uint8_t TakeParameter() {
    const auto known = std::ranges::find(parameters_, TakeWord());
    if (known == parameters_.end()) std::abort();
    return static_cast<uint8_t>(known - parameters_.begin());
  }

  std::string_view TakeWord() {
    return TakeRun([](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; });
  }
  void TakeBlanks() {
    TakeRun([](char c) { return c == ' '; });
  }
  template <class Matches>
  std::string_view TakeRun(Matches&& matches) {
    const auto end = static_cast<size_t>(std::ranges::find_if_not(rest_, matches) - rest_.begin());
    const std::string_view run = rest_.substr(0, end);
    rest_.remove_prefix(end);
    return run;
  }
  bool Take(std::string_view literal) {
    if (!rest_.starts_with(literal)) return false;
    rest_.remove_prefix(literal.size());
    return true;
  }

  std::string_view rest_;
  std::vector<std::string_view> parameters_;
  Lemma lemma_;
};

}  // namespace

const Lemma* FindLemma(std::string_view name) {
  static const std::unordered_map<std::string_view, Lemma> lemmas = [] {
    std::unordered_map<std::string_view, Lemma> all;
    for (const LemmaText& text : kLemmaTexts) all.emplace(text.name, LemmaReader(text).lemma());
    return all;
  }();
  const auto known = lemmas.find(name);
  return known == lemmas.end() ? nullptr : &known->second;
}

void AppendQuotients(const Lemma& lemma, Ring& ring, std::vector<Polynomial>& values) {
  for (const Lemma::Quotient& quotient : lemma.quotients) {
    const Polynomial a = values[quotient.a];
    const Polynomial b = values[quotient.b];
    switch (quotient.kind) {
      case QuotientKind::kFloorDiv: values.push_back(ring.FloorDiv(a, b)); break;
      case QuotientKind::kCeilDiv: values.push_back(ring.CeilDiv(a, b)); break;
      case QuotientKind::kMod: values.push_back(ring.Mod(a, b)); break;
      case QuotientKind::kCommonBits: values.push_back(ring.CommonBits(a, b)); break;
    }
  }
}

void AddClaim(const Lemma::Claim& claim, std::span<const Polynomial> values, Int128 factor, Ring& ring) {
  for (const Lemma::Term& term : claim.terms) {
    const Int128 coefficient = term.coefficient * factor;
    if (term.degree == 0) ring.AddMonomial(kOne, coefficient);
    if (term.degree == 1) ring.Add(values[term.factors[0]], coefficient);
    if (term.degree == 2) ring.AddProduct(values[term.factors[0]], values[term.factors[1]], coefficient);
  }
}

}  // namespace layoutcheck::verify
