// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <array>
#include <chrono>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/linear/linear_notation.h"
#include "layoutcheck/solver/layout_proof/numeric_laws.h"

namespace layoutcheck {
namespace {

constexpr std::array<LinearLaw, 3> kLinearLaws = {{
    kInjectiveLaw,
    {"onto", "Every index of the outputs is that of an element."},
    {"equals", "Two layouts have the same linear index at every coordinate (prove A --equals B)."},
}};

using Seconds = std::chrono::duration<double>;

ProofResult Begun(std::string_view text, std::string_view law) {
  ProofResult result;
  result.layout = text;
  result.law = law;
  result.method = "f2-rank";
  result.verdict = ProofVerdict::kProved;
  result.obligations = 1;
  return result;
}

void AddCoordinate(std::string_view letter, const std::vector<int64_t>& coordinate, ProofResult& result) {
  for (size_t k = 0; k < coordinate.size(); ++k) {
    result.counterexample.emplace_back(StrCat(letter, k), coordinate[k]);
  }
}

void DecideInjective(const LinearLayout& layout, ProofResult& result) {
  const F2Span span = layout.Span();
  if (span.kernel().empty()) return;
  result.verdict = ProofVerdict::kRefuted;
  AddCoordinate("i", layout.InputCoordinate(span.kernel().front()), result);
  AddCoordinate("j", layout.InputCoordinate(0), result);
  result.counterexample.emplace_back("offset", 0);
}

void DecideOnto(const LinearLayout& layout, ProofResult& result) {
  const std::optional<uint64_t> missed = layout.Span().SmallestOutside(layout.output_bits());
  if (!missed) return;
  result.verdict = ProofVerdict::kRefuted;
  result.counterexample = {{"offset", static_cast<int64_t>(*missed)}, {"expected", 1}, {"actual", 0}};
}

}  // namespace

std::span<const LinearLaw> LinearLaws() { return kLinearLaws; }

Expected<std::vector<ProofResult>> ProveLinearLayout(std::string_view text, const LinearLayout& layout,
                                                     const std::vector<std::string>& laws) {
  LAYOUTCHECK_TRY(const auto chosen, ChooseLaws("of layouts in bits", {"injective", "onto"}, laws));
  std::vector<ProofResult> results;
  for (const std::string_view law : chosen) {
    const auto begin = std::chrono::steady_clock::now();
    ProofResult& result = results.emplace_back(Begun(text, law));
    (law == "injective" ? DecideInjective : DecideOnto)(layout, result);
    result.seconds = Seconds(std::chrono::steady_clock::now() - begin).count();
  }
  return results;
}

Expected<ProofResult> ProveLinearLayoutsEqual(std::string_view a, std::string_view b) {
  const auto begin = std::chrono::steady_clock::now();
  std::vector<LinearLayout> layouts;
  for (const std::string_view text : {a, b}) {
    Expected<LinearLayout> layout = ReadLinearLayout(text);
    if (!layout) return MakeError(layout.error().kind, StrCat(text, ": ", layout.error().ToString()));
    layouts.push_back(*std::move(layout));
  }
  if (layouts[0].InputSizes() != layouts[1].InputSizes()) {
    return ArgumentError("expected two layouts with the same sizes of inputs, found ",
                         StrJoin(layouts[0].InputSizes(), " x "), " and ", StrJoin(layouts[1].InputSizes(), " x "));
  }
  ProofResult result = Begun(a, "equals");
  const auto [of_a, of_b] = std::ranges::mismatch(layouts[0].images(), layouts[1].images());
  if (of_a != layouts[0].images().end()) {
    result.verdict = ProofVerdict::kRefuted;
    const auto bit = static_cast<size_t>(of_a - layouts[0].images().begin());
    AddCoordinate("i", layouts[0].InputCoordinate(uint64_t{1} << bit), result);
    result.counterexample.emplace_back("expected", static_cast<int64_t>(*of_b));
    result.counterexample.emplace_back("actual", static_cast<int64_t>(*of_a));
  }
  result.seconds = Seconds(std::chrono::steady_clock::now() - begin).count();
  return result;
}

}  // namespace layoutcheck
