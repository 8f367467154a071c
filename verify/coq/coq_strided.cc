// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/verify/coq/coq_file.h"
#include "layoutcheck/verify/coq/coq_terms.h"
#include "layoutcheck/verify/formulas/formula_claim.h"
#include "layoutcheck/verify/formulas/strided_laws.h"

namespace layoutcheck::verify {
namespace {

using Text = std::expected<std::string, std::string>;

// A layout as a term of Coq.
struct StridedTerm {
  std::string text;                  // "Tuple [Mode M N; Mode N 1]"
  std::vector<std::string> names;    // that stand for every size and stride
  std::vector<std::string> extents;  // that are neither a name nor a number
  size_t modes = 0;
};

// Returns the formula of an integer as a term of type Z, or nothing. Every part must have a value for all names.
std::optional<std::string> TermOf(const Formula& formula, uint32_t index) {
  const FormulaNode& node = formula.nodes[index];
  if (node.op == Operator::kNumber) return StrCat(node.number);
  if (node.op == Operator::kName) return CoqName(node.name);
  const auto operand = [&](size_t k) { return TermOf(formula, node.operands[k]); };
  if (node.op == Operator::kNegate) {
    const auto a = operand(0);
    return a ? std::optional(StrCat("(- ", *a, ")")) : std::nullopt;
  }
  const auto apply = [&](std::string_view before, std::string_view between) -> std::optional<std::string> {
    const auto a = operand(0);
    const auto b = operand(1);
    return a && b ? std::optional(StrCat("(", before, *a, between, *b, ")")) : std::nullopt;
  };
  const auto divides = [&] {
    const FormulaNode& divisor = formula.nodes[node.operands[1]];
    return divisor.op == Operator::kNumber && divisor.number > 0;
  };
  switch (node.op) {
    case Operator::kAdd: return apply("", " + ");
    case Operator::kSubtract: return apply("", " - ");
    case Operator::kMultiply: return apply("", " * ");
    case Operator::kFloorDiv: return divides() ? apply("", " / ") : std::nullopt;
    case Operator::kMod: return divides() ? apply("", " mod ") : std::nullopt;
    case Operator::kCeilDiv: return divides() ? apply("ceil_div ", " ") : std::nullopt;
    default: return std::nullopt;
  }
}

// Returns the integer as a term, and adds its names to `names`.
Text IntegerOf(std::string_view text, std::vector<std::string>& names) {
  const auto formulas = ReadFormulas(text);
  const auto term = formulas ? TermOf(formulas->front(), formulas->front().root) : std::nullopt;
  if (!term) return std::unexpected(StrCat("proofs/ has no term for the integer ", Quoted(text)));
  std::vector<std::string_view> found;
  AppendFreeNames(formulas->front(), found);
  for (const std::string_view name : found) {
    if (std::ranges::find(names, CoqName(name)) == names.end()) names.push_back(CoqName(name));
  }
  return *term;
}

bool IsNameOrNumber(std::string_view term) { return term.find(' ') == std::string_view::npos; }

std::expected<StridedTerm, std::string> StridedTermOf(const StridedLayout& layout) {
  StridedTerm term;
  const bool is_tuple = layout.structure.starts_with('(');
  size_t integer = 0;
  for (const StridedLayout::Integers& integers : layout.integers) {
    if (const Text extent = IntegerOf(integers.extent, term.names); !extent) return std::unexpected(extent.error());
  }
  int nesting = is_tuple ? 0 : 1;
  term.modes = 1;
  if (!is_tuple) term.text = "Tuple [";
  for (const char c : layout.structure) {
    if (c == '(') {
      term.text += "Tuple [";
      ++nesting;
    } else if (c == ')') {
      term.text += ']';
      --nesting;
    } else if (c == ',') {
      term.text += "; ";
      if (nesting == 1) ++term.modes;
    } else {
      const Text extent = IntegerOf(layout.integers[integer].extent, term.names);
      const Text stride = IntegerOf(layout.integers[integer].stride, term.names);
      if (!extent) return std::unexpected(extent.error());
      if (!stride) return std::unexpected(stride.error());
      StrAppend(term.text, "Mode ", *extent, " ", *stride);
      if (!IsNameOrNumber(*extent)) term.extents.push_back(*extent);
      ++integer;
    }
  }
  if (!is_tuple) term.text += ']';
  return term;
}

std::string_view PropertyOf(std::string_view law) {
  if (law == "injective") return "Injective";
  if (law == "in-bounds") return "InBounds";
  return law == "onto" ? "Onto" : "Invertible";
}

// Returns "[2%nat; 0%nat; 1%nat]": the integers in the order of falling magnitudes of their strides.
std::string OrderOf(const std::vector<StridedLayout::Leaf>& leaves) {
  std::vector<size_t> order(leaves.size());
  std::iota(order.begin(), order.end(), size_t{0});
  const auto key = [&](size_t k) {
    const auto stride = static_cast<uint64_t>(leaves[k].stride);
    return std::pair(leaves[k].stride < 0 ? -stride : stride, leaves.size() - k);
  };
  std::ranges::sort(order, std::ranges::greater(), key);
  std::vector<std::string> words;
  for (const size_t k : order) words.push_back(StrCat(k, "%nat"));
  return CoqList(words);
}

// Returns what follows the name of a law if it is about a composed layout, "After (swizzle 3 4 3) 16", or an empty
// text.
std::string CompositionOf(const StridedLayout& layout) {
  if (!layout.IsComposed()) return "";
  const auto integer = [](int64_t number) { return number < 0 ? StrCat("(", number, ")") : StrCat(number); };
  const std::string start = integer(layout.start.value_or(0));
  if (!layout.swizzle) return StrCat("After (fun x => x) ", start);
  const auto& [bits, base, shift] = *layout.swizzle;
  return StrCat("After (swizzle ", bits, " ", base, " ", integer(shift), ") ", start);
}

// Returns the tactics for a law that follows from the numbers of a layout by the method that the certificate names.
Text ProofByMethod(std::string_view law, std::string_view method, const StridedLayout& layout) {
  const std::string_view property = law == "in-bounds" ? "in_bounds" : law == "onto" ? "onto" : "injective";
  // The tactic `composition` leaves the law of the layout alone if it is about different offsets.
  const bool is_after = layout.IsComposed() && (law == "in-bounds" || law == "onto");
  const std::string_view after = is_after ? "_after" : "";
  std::string proof = layout.IsComposed() ? "  composition.\n" : "";
  if (law == "inverse") proof += "  apply invertible; [natural_sizes |].\n";
  if (method == "by strides" || method == "by reach") {
    StrAppend(proof, "  apply (", property, after, method == "by reach" ? "_by_reach" : "_by_strides",
              is_after ? " _ _ " : " _ ", OrderOf(*layout.leaves), ").\n");
  } else if (method == "by signs" || method == "by enumeration") {
    StrAppend(proof, "  apply ", property, after, method == "by signs" ? "_by_signs.\n" : "_by_enumeration.\n");
  } else {
    return std::unexpected(StrCat("proofs/StrideLaws.v has no theorem for the line ", Quoted(method)));
  }
  return StrCat(proof, "  vm_cast_no_check (eq_refl true).\n");
}

// Returns "  next_index Hi as i0.\n ...  no_index Hi.\n" for the letter i.
std::string TakeIndices(char letter, size_t modes) {
  const std::string fact = StrCat("H", std::string(1, letter));
  std::string text;
  for (size_t k = 0; k < modes; ++k) StrAppend(text, "  next_index ", fact, " as ", std::string(1, letter), k, ".\n");
  return StrCat(text, "  no_index ", fact, ".\n");
}

// Returns the tactics that show the law of the sequent from the theorem `claim` about the offset's formula.
std::string ProofFromFormula(const StridedSequent& sequent, const FormulaClaim& formula, const std::string& claim,
                             size_t modes) {
  const bool is_injective = sequent.law == "injective";
  std::string arguments;
  for (const std::string& name : formula.names()) StrAppend(arguments, " ", CoqName(name));
  for (const std::string_view letter : {"i", "j"}) {
    for (size_t k = 0; (is_injective || letter == "i") && k < modes; ++k) StrAppend(arguments, " ", letter, k);
  }
  return StrCat(is_injective ? "  intros i j P Hi Hj E. cbn [map] in Hi, Hj.\n" : "  intros i P Hi. cbn [map] in Hi.\n",
                "  positive_sizes P.\n", TakeIndices('i', modes), is_injective ? TakeIndices('j', modes) : "",
                is_injective               ? "  indices_are_the_same ("
                : sequent.law == "formula" ? "  offset_is_natural ("
                                           : "  offset_is_below_size (",
                claim, arguments, ").\n");
}

}  // namespace

Text CoqStridedTheorem(std::string_view law, const StridedLayout& layout, Lines& lines, const std::string& name) {
  LAYOUTCHECK_TRY(const auto term, StridedTermOf(layout));
  std::string premises;
  std::vector<std::string> facts;
  const auto add_premise = [&](std::string_view premise) {
    StrAppend(premises, " 0 <= ", premise, " ->");
    facts.push_back(StrCat("fact", facts.size() + 1));
  };
  for (const std::string& variable : term.names) add_premise(variable);
  for (const std::string& extent : term.extents) add_premise(extent);
  const std::string intros = term.names.empty() ? "" : StrCat("  intros", CoqWords(term.names), CoqWords(facts), ".\n");
  const std::string composition = CompositionOf(layout);
  const auto theorem = [&](const std::string& theorem_name, std::string_view property, std::string_view proof) {
    return StrCat("Theorem ", theorem_name, " : ", CoqForAll(term.names), premises, premises.empty() ? "" : "\n  ",
                  property, composition, " (", term.text, ").\nProof.\n", intros, proof, "Qed.\n");
  };
  if (lines.line().starts_with("by ")) {
    LAYOUTCHECK_TRY(const auto proof, ProofByMethod(law, lines.line(), layout));
    return theorem(name, PropertyOf(law), proof);
  }
  std::string text;
  std::string proof;
  size_t number = 0;
  for (const StridedSequent& sequent : StridedSequentsOf(law, layout)) {
    lines.Advance();
    LAYOUTCHECK_TRY(const auto formula, FormulaClaim::Read(sequent.ToClaim()));
    const std::string claim = StrCat(name, "_", ++number);
    LAYOUTCHECK_TRY(const auto shown, CoqFormulaTheorem(formula, lines, claim));
    StrAppend(text, shown, "\n");
    const std::string from_formula = ProofFromFormula(sequent, formula, claim, term.modes);
    if (sequent.law == "injective") {
      proof = StrCat("  apply injective_of_numbers; [natural_sizes |].\n", from_formula);
      if (law == "injective") break;
      const std::string injective = StrCat(name, "_injective");
      StrAppend(text, theorem(injective, "Injective", proof), "\n");
      proof = StrCat(law == "onto" ? "  apply onto_of_numbers" : "  apply invertible", "; [natural_sizes | apply ",
                     injective, "; assumption", law == "onto" ? " |].\n" : "].\n");
    } else {
      if (law == "in-bounds") proof = "  apply in_bounds_of_numbers; [natural_sizes |].\n";
      proof += from_formula;
    }
  }
  return StrCat(text, theorem(name, PropertyOf(law), proof));
}

}  // namespace layoutcheck::verify
