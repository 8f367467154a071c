// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/verify/proof/lemmas.h"
#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <optional>
#include <unordered_map>
#include <utility>

namespace layoutcheck::verify {
namespace {

constexpr LemmaText kLemmas[] = {
    {"K1", "e t", "1 <= t", "e = t*floordiv(e,t) + mod(e,t); 0 <= mod(e,t); mod(e,t) < t"},
    {"K2", "a c R", "1 <= R; c + 1 <= a", "c*R + R <= a*R"},
    {"K3", "a b c d R", "0 <= b; b < R; 0 <= d; d < R; a*R + b = c*R + d", "a = c"},
    {"K3b", "a b c d R", "a = c; a*R + b = c*R + d", "b = d"},
    {"K4", "e q r t", "0 <= r; r < t; e = q*t + r", "floordiv(e,t) = q"},
    {"K5", "e q r t Q M", "e = q*t + r; e = t*Q + M; Q = q", "M = r"},
    {"K6", "a b R", "0 <= a; 0 <= b; b < R", "0 <= a*R + b"},
    {"K7", "a A b R", "a < A; 0 <= b; b < R", "a*R + b < A*R"},
    {"K8", "e d t N", "1 <= t; 0 <= e; e < d; N = ceildiv(d,t)", "0 <= floordiv(e,t); floordiv(e,t) < N"},
    {"K9", "d t N", "1 <= t; 0 <= d; N = ceildiv(d,t)", "0 <= N; d <= N*t; N*t < d + t"},
    {"K9b", "d t N", "1 <= t; 1 <= d; N = ceildiv(d,t)", "1 <= N"},
    {"K10", "p d S", "1 <= S; 0 <= p; p < d*S", "0 <= floordiv(p,S); floordiv(p,S) < d"},
    {"K11", "a b", "1 <= a; 1 <= b", "1 <= a*b"},
    {"R10", "a b c", "a <= b; 0 <= c", "a*c <= b*c"},
    {"R11", "a b c", "a*c < b*c; 0 <= c", "a < b"},
    {"C1", "x y m", "x = y", "x*m = y*m"},
    {"C2", "x y s t", "x = y; s = t", "floordiv(x,s) = floordiv(y,t)"},
    {"C3", "x y s t", "x = y; s = t", "mod(x,s) = mod(y,t)"},
    {"P1", "x q r", "x = 2*q + r; 0 <= r; r < 2", "x*x = x + 2*q*x - 2*q + 2*q*r"},
    {"C4", "x y s t", "x = s; y = t", "land(x,y) = land(s,t)"},
    {"B1", "x y", "0 <= x", "0 <= land(x,y); land(x,y) <= x"},
    {"B2", "x s", "x = s", "land(x,s) = x"},
    {"B3", "x y z c d", "c = land(x,y); d = land(y,z)", "land(c,z) = land(x,d)"},
    {"B4", "x y z c s", "c = land(x,y); s = x + y - c", "land(s,z) = land(x,z) + land(y,z) - land(c,z)"},
    {"B5", "x y z c s", "c = land(x,y); s = x + y - 2*c", "land(s,z) = land(x,z) + land(y,z) - 2*land(c,z)"},
    {"B6", "x y s", "s + x + 1 = 0", "land(s,y) = y - land(x,y)"},
    {"B7", "x p q", "1 <= p; q = p - 1; land(p,q) = 0", "land(x,q) = mod(x,p)"},
    {"B8", "x y p q m", "1 <= p; q = p - 1; land(p,q) = 0; 0 <= x; x < p; m = mod(y,p)", "land(x,y) = land(x,m)"},
    {"B9", "x y p q u v", "1 <= p; q = p - 1; land(p,q) = 0; mod(x,p) = 0; u = floordiv(x,p); v = floordiv(y,p)",
     "land(x,y) = p*land(u,v)"},
    {"B10", "x y p q c", "1 <= p; q = p - 1; land(p,q) = 0; 0 <= x; x < p; 0 <= y; y < p; c = land(x,y)",
     "x + y - c < p"},
};

// Reads the text of a lemma. The texts are those above, so a mistake in one is a mistake in this file.
class LemmaReader {
 public:
  explicit LemmaReader(const LemmaText& text) {
    lemma_.name = text.name;
    rest_ = text.parameters;
    while (!rest_.empty()) {
      parameters_.push_back(TakeWord());
      TakeBlanks();
    }
    lemma_.parameter_count = parameters_.size();
    lemma_.premises = TakeClaims(text.premises);
    lemma_.conclusions = TakeClaims(text.conclusions);
  }

  const Lemma& lemma() const { return lemma_; }

 private:
  std::vector<Lemma::Claim> TakeClaims(std::string_view text) {
    std::vector<Lemma::Claim> claims;
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

std::span<const LemmaText> LemmaTexts() { return kLemmas; }

const Lemma* FindLemma(std::string_view name) {
  static const std::unordered_map<std::string_view, Lemma> lemmas = [] {
    std::unordered_map<std::string_view, Lemma> all;
    for (const LemmaText& text : kLemmas) all.emplace(text.name, LemmaReader(text).lemma());
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
