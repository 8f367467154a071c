// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/verify/coq/coq_file.h"
#include <algorithm>
#include <optional>
#include <utility>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/verify/coq/coq_terms.h"
#include "layoutcheck/verify/formulas/claim.h"
#include "layoutcheck/verify/formulas/formula_claim.h"
#include "layoutcheck/verify/formulas/linear.h"
#include "layoutcheck/verify/formulas/strided.h"
#include "layoutcheck/verify/formulas/strided_laws.h"
#include "layoutcheck/verify/layouts/fractal.h"
#include "layoutcheck/verify/layouts/layout.h"
#include "layoutcheck/verify/proof/lines.h"
#include "layoutcheck/verify/verify_certificate.h"

namespace layoutcheck::verify {
namespace {

using Text = std::expected<std::string, std::string>;

// The statement of a law about the layout `layout` with these `sizes`, and the theorems of Main.v that it is an
// instance of. In the proof, L stands for both.
struct LawTheorem {
  std::string_view law;
  std::string_view statement;
  std::string_view proof;
};
constexpr LawTheorem kLaws[] = {
    {"in-bounds",
     R"(forall index, InBox index sizes ->
  0 <= linear_index layout sizes index < padded_elements layout sizes)",
     "intros; apply (Main.in_bounds @)"},
    {"injective",
     R"(forall index other, InBox index sizes -> InBox other sizes ->
  linear_index layout sizes index = linear_index layout sizes other -> index = other)",
     "intros; apply (Main.injective @)"},
    {"inverse",
     R"((forall index, InBox index sizes -> coordinate layout sizes (linear_index layout sizes index) = Some index) /\
  (forall place index, 0 <= place < padded_elements layout sizes -> coordinate layout sizes place = Some index ->
     InBox index sizes /\ linear_index layout sizes index = place))",
     "split; intros; [apply (Main.coordinate_of_element @) | apply (Main.element_of_coordinate @)]"},
    {"equals-pad-reshape-transpose",
     R"(forall V (array : Arrays.array V), sizes_of V array = sizes ->
  (forall index, InBox index sizes -> memory V layout array (linear_index layout sizes index) = at_index V array index) /\
  (forall place value, 0 <= place < padded_elements layout sizes -> memory V layout array place = Some value ->
     exists index, InBox index sizes /\ place = linear_index layout sizes index))",
     "intros V array E; rewrite <- E; split; [apply (Main.memory_at V #) | apply (Main.memory_only V #)]; try rewrite "
     "E"},
    {"equals-mixed-radix",
     R"((forall index, InBox index sizes -> chain_linear_index layout sizes index = linear_index layout sizes index) /\
  volume (chain_sizes (layout_steps layout sizes) sizes) = padded_elements layout sizes)",
     "split; [apply (Main.mixed_radix_agrees @) | apply (Main.mixed_radix_elements @)]"},
    {"onto-padded-box",
     R"((forall point, InBox point (box_of layout sizes) ->
     0 <= box_place layout (box_of layout sizes) point < padded_elements layout sizes) /\
  (forall point other, InBox point (box_of layout sizes) -> InBox other (box_of layout sizes) ->
     box_place layout (box_of layout sizes) point = box_place layout (box_of layout sizes) other -> point = other) /\
  (forall place, 0 <= place < padded_elements layout sizes ->
     exists point, InBox point (box_of layout sizes) /\ box_place layout (box_of layout sizes) point = place))",
     "split; [| split]; intros; [apply (Main.box_in_bounds @) | apply (Main.box_injective @) | apply "
     "(Main.onto_padded_box @)]; try solve [all_tiles_divide]"},
    {"padding-minimal", "AllMinimal (tiles layout) (permute (order layout) sizes)",
     "apply (Main.all_padding_is_minimal @)"},
};

// Returns the proof with the layout in place of each # and the layout and its sizes in place of each @.
std::string Instance(std::string_view proof, const CoqLayout& layout) {
  std::string text;
  for (const char c : proof) {
    if (c == '#' || c == '@') StrAppend(text, layout.term);
    if (c == '@') StrAppend(text, " ", layout.sizes);
    if (c != '#' && c != '@') text += c;
  }
  return text;
}

// Returns a law of a tiled or fractal layout, or of one in bits, as a theorem.
Text LawText(const Claim& claim, const std::string& name) {
  if (IsLinear(*claim.layout)) {
    LAYOUTCHECK_TRY(const auto linear, ReadLinear(*claim.layout));
    if (!claim.equals) return CoqLinearTheorem(claim.law, linear, name);
    LAYOUTCHECK_TRY(const auto other, ReadLinear(*claim.equals));
    return CoqEqualTheorem(linear, other, name);
  }
  const auto* const law = std::ranges::find(kLaws, claim.law, &LawTheorem::law);
  const auto layout = ReadTiledOrFractal(*claim.layout);
  const bool is_known = law != std::end(kLaws) || claim.law == "equals-hlo";
  if (!layout || !is_known) return std::unexpected(StrCat("proofs/Main.v has no theorem for ", claim.ToText()));
  const CoqLayout terms = CoqLayoutOf(*layout);
  std::vector<std::string> variables;
  std::vector<std::string> facts;
  std::string premises;
  for (const std::string& variable : layout->names) {
    variables.push_back(CoqName(variable));
    facts.push_back(StrCat("fact", facts.size() + 1));
    StrAppend(premises, " ", layout->IsTileName(variable) ? 1 : 0, " <= ", variables.back(), " ->");
  }
  std::string statement;
  std::string proof;
  if (layout->fractal) {
    const std::string fractal = CoqFractal(*layout);
    statement =
        StrCat("((forall index, InBox index sizes ->\n     linear_index layout sizes index = fractal_offset ", fractal,
               " sizes index) /\\\n   padded_elements layout sizes = fractal_places ", fractal, " sizes)");
    proof = StrCat("(Main.fractal_is_tiled ", fractal, " ", terms.sizes, " ltac:(valid_fractal))");
    proof = law == std::end(kLaws) ? StrCat("  exact ", proof, ".\n") : StrCat("  split; [exact ", proof, " |].\n");
  }
  if (law != std::end(kLaws)) {
    statement = statement.empty() ? std::string(law->statement) : StrCat(statement, " /\\\n  (", law->statement, ")");
    StrAppend(proof, "  ", Instance(law->proof, terms), "; about_layout.\n");
  }
  return StrCat("Theorem ", name, " : ", CoqForAll(variables), premises, "\n  let layout := ", terms.term,
                " in\n  let sizes := ", terms.sizes, " in\n  ", statement, ".\nProof.\n  intros", CoqWords(variables),
                CoqWords(facts), " layout sizes. subst layout sizes.\n", proof, "Qed.\n");
}

// Returns the theorem of a claim about formulas, or about a shape:stride layout.
Text FormulaText(const Claim& claim, Lines& lines, const std::string& name) {
  std::optional<StridedLayout> strided;
  if (claim.layout && IsStrided(*claim.layout)) {
    LAYOUTCHECK_TRY(strided, ReadStrided(*claim.layout));
    if (!claim.formula) return CoqStridedTheorem(claim.law, *strided, lines, name);
  }
  LAYOUTCHECK_TRY(const auto read, FormulaClaim::Read(strided ? WithoutStridedLayout(claim, *strided) : claim));
  return CoqFormulaTheorem(read, lines, name);
}

// Returns the text so that it ends no comment of Coq, and begins none and no string.
std::string InComment(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (!result.empty() && ((result.back() == '(' && c == '*') || (result.back() == '*' && c == ')'))) result += ' ';
    result += c == '"' ? '\'' : c;
  }
  return result;
}

}  // namespace

Text CoqTheorem(std::string_view certificate, size_t number) {
  const auto verdicts = VerifyCertificates(certificate);
  if (!verdicts) return std::unexpected(verdicts.error().ToString());
  if (verdicts->size() != 1 || !verdicts->front().proved) {
    return std::unexpected(
        StrCat("the certificate is not accepted: line ", verdicts->back().line, ": ", verdicts->back().reason));
  }
  Lines lines(certificate);
  lines.Advance();
  const Checked<Claim> claim = TakeClaim(lines);
  if (!claim) return std::unexpected(claim.error().reason);
  const bool is_strided = claim->layout && IsStrided(*claim->layout);
  const bool is_linear = claim->layout && IsLinear(*claim->layout);
  const bool is_formula = claim->formula || claim->own || is_strided;
  if (!is_formula && !claim->layout) {
    return std::unexpected(StrCat("proofs/ has no theorem for ", claim->ToText()));
  }
  const std::string name = StrCat("claim", number);
  LAYOUTCHECK_TRY(const auto theorem, is_formula ? FormulaText(*claim, lines, name) : LawText(*claim, name));
  return StrCat("(* ", InComment(claim->ToText()), " *)\nFrom Coq Require Import ZArith List Lia.\n",
                "From Layoutcheck Require Import ",
                is_strided   ? "StrideSteps Enumeration"
                : is_formula ? "Steps Enumeration"
                : is_linear  ? "LinearLayouts"
                             : "Steps Arrays MixedRadix Main",
                ".\nOpen Scope Z_scope.\n\n", theorem, "Print Assumptions ", name, ".\n");
}

}  // namespace layoutcheck::verify
