// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cctype>
#include <cstdint>
#include <string_view>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/verify/coq/coq_file.h"
#include "layoutcheck/verify/coq/coq_terms.h"
#include "layoutcheck/verify/formulas/enumeration.h"

namespace layoutcheck::verify {
namespace {

using Text = std::expected<std::string, std::string>;

// A point that the claim is about: its indices, and the terms of the names i0, d0, ... there.
struct Point {
  std::vector<std::string> index;
  CoqNames names;
};

// The variables of a claim about formulas, and what is assumed of them.
struct Domain {
  std::vector<std::string> variables;
  std::vector<Point> points;  // i, and j for the law injective
  std::vector<std::string> facts;
};

// Returns the integer type as a term of the type `integer` of proofs/Overflow.v.
std::string CoqInteger(const MachineInteger& integer) {
  const std::string type = StrCat(integer.is_unsigned ? "uint" : "int", integer.width);
  return integer.shifts_negative_numbers ? StrCat("(cpp20 ", type, ")") : type;
}

// Terms of the layout of a claim.
struct Placement {
  std::string place;     // of the element at the point
  std::string elements;  // number of elements in memory
};

// Returns the terms of a tiled layout, or of the one that a fractal layout is.
Placement TiledPlacement(const Layout& layout, const std::vector<std::string>& index) {
  const CoqLayout terms = CoqLayoutOf(layout);
  return {.place = StrCat("linear_index ", terms.term, " ", terms.sizes, " ", CoqList(index)),
          .elements = StrCat("padded_elements ", terms.term, " ", terms.sizes)};
}

Placement FractalPlacement(const Layout& layout, const std::vector<std::string>& index) {
  const std::string arguments = StrCat(CoqFractal(layout), " ", CoqLayoutOf(layout).sizes);
  return {.place = StrCat("fractal_offset ", arguments, " ", CoqList(index)),
          .elements = StrCat("fractal_places ", arguments)};
}

Domain DomainOf(const FormulaClaim& claim) {
  Domain domain;
  for (const FormulaClaim::Variable& variable : claim.variables()) {
    domain.variables.push_back(CoqName(variable.name));
    if (variable.least) domain.facts.push_back(StrCat(*variable.least, " <= ", domain.variables.back()));
  }
  for (const std::string_view letter : {"i", "j"}) {
    if (letter == "j" && claim.law() != FormulaClaim::Law::kInjective) break;
    Point& point = domain.points.emplace_back();
    for (const FormulaClaim::Index& index : claim.indices()) {
      point.index.push_back(StrCat(letter, index.number));
      point.names.emplace(StrCat("i", index.number), point.index.back());
      if (index.size) point.names.emplace(StrCat("d", index.number), CoqSize(*index.size));
      domain.facts.push_back(StrCat("0 <= ", point.index.back()));
    }
    domain.variables.insert(domain.variables.end(), point.index.begin(), point.index.end());
  }
  for (const Point& point : domain.points) {
    for (size_t k = 0; k < point.index.size(); ++k) {
      const FormulaClaim::Index& index = claim.indices()[k];
      if (index.size) domain.facts.push_back(StrCat(point.index[k], " < ", CoqSize(*index.size)));
    }
  }
  return domain;
}

// Returns true if the claim has a name such as j0, which is that of an index of the second point.
bool HasNameOfIndex(const FormulaClaim& claim) {
  const auto is_index = [](std::string_view name) {
    return name.size() > 1 && name[0] == 'j' &&
           std::ranges::all_of(name.substr(1), [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; });
  };
  if (std::ranges::any_of(claim.names(), is_index)) return true;
  for (const std::vector<Formula>* list : {&claim.formulas(), &claim.assumptions(), &claim.over()}) {
    for (const Formula& formula : *list) {
      if (std::ranges::any_of(BoundNames(formula), is_index)) return true;
    }
  }
  return false;
}

// Returns true if an element of a table is no number. The statement has its value in a `let`, which is no part of the
// formula.
bool HasTableOfFormulas(const Formula& formula) {
  return std::ranges::any_of(formula.nodes, [&](const FormulaNode& node) {
    return std::ranges::any_of(node.elements,
                               [&](uint32_t element) { return formula.nodes[element].op != Operator::kNumber; });
  });
}

// Returns the formulas at the point as a list of Coq.
std::string FormulasAt(const FormulaClaim& claim, const Point& point) {
  std::vector<std::string> formulas;
  for (const Formula& formula : claim.formulas()) formulas.push_back(CoqFormula(formula, point.names));
  return CoqList(formulas);
}

// Returns what the theorem says of points of the domain.
std::string StatementOf(const FormulaClaim& claim, const Domain& domain, const Placement& placement) {
  const Point& point = domain.points[0];
  if (claim.law() == FormulaClaim::Law::kInjective) {
    std::vector<std::string> equations;
    for (size_t k = 0; k < point.index.size(); ++k) {
      equations.push_back(StrCat(point.index[k], " = ", domain.points[1].index[k]));
    }
    return StrCat("TellApart ", FormulasAt(claim, point), "\n    ", FormulasAt(claim, domain.points[1]), "\n    (",
                  StrJoin(equations, " /\\ "), ")");
  }
  const std::string actual = CoqFormula(claim.formulas()[0], point.names);
  if (claim.equals()) {
    return StrCat(claim.law() == FormulaClaim::Law::kInBounds ? "Below (" : "Agree (",
                  CoqFormula(*claim.equals(), point.names), ")\n    (", actual, ")");
  }
  std::string is_place = StrCat("eval (", actual, ") =\n    Some (", placement.place, ")");
  if (!claim.integer()) return is_place;
  return StrCat("NoOverflow ", CoqInteger(*claim.integer()), "\n    (", actual, ")",
                claim.is_own() ? StrCat(" /\\\n  ", is_place) : "");
}

// Returns the premises of the theorem, each with its arrow: ranges of names and indices, then how much memory the array
// takes, then assumptions.
std::string PremisesOf(const FormulaClaim& claim, const Domain& domain, const Placement& placement) {
  std::string premises;
  for (const std::string& fact : domain.facts) StrAppend(premises, " ", fact, " ->");
  if (claim.integer() && claim.layout()) {
    StrAppend(premises, "\n  ", placement.elements, " * ", claim.layout()->element_bits, " <= 8 * largest ",
              CoqInteger(*claim.integer()), " ->");
  }
  for (const Point& point : domain.points) {
    for (const std::vector<Formula>* list : {&claim.assumptions(), &claim.over()}) {
      for (const Formula& formula : *list) StrAppend(premises, " Holds (", CoqFormula(formula, point.names), ") ->");
    }
  }
  return premises;
}

// Returns the test of the claim at one point, "if forallb holds [A; B] then agree (E) (F) else true".
std::string TestOf(const FormulaClaim& claim, const Point& point) {
  std::vector<std::string> assumptions;
  for (const std::vector<Formula>* list : {&claim.assumptions(), &claim.over()}) {
    for (const Formula& formula : *list) assumptions.push_back(CoqFormula(formula, point.names));
  }
  const std::string actual = CoqFormula(claim.formulas()[0], point.names);
  std::string test;
  if (claim.equals()) {
    test = StrCat(claim.law() == FormulaClaim::Law::kInBounds ? "below (" : "agree (",
                  CoqFormula(*claim.equals(), point.names), ") (", actual, ")");
  } else {
    test = StrCat("has_value (", actual, ") (", TiledPlacement(*claim.layout(), point.index).place, ")");
  }
  return StrCat("if forallb holds ", CoqList(assumptions), "\n    then ", test, " else true");
}

// Returns the tactics that test the claim at every point of the domain. `intros` introduces variables and facts.
std::string ProofByEnumeration(const FormulaClaim& claim, const Domain& domain, std::string_view intros) {
  std::string points;
  std::string values;
  for (const EnumeratedName& name : EnumeratedNamesOf(claim)) {
    std::string most = name.most ? ToDecimal(*name.most) : "";
    if (name.most && *name.most < 0) most = StrCat("(", most, ")");
    if (name.size) {
      const std::string below = StrCat("(", CoqSize(*name.size), " - 1)");
      most = most.empty() ? below : StrCat("(Z.min ", most, " ", below, ")");
    }
    const Int128 least = name.least.value_or(0);  // a checker has seen that there is one
    StrAppend(points, " each ", least < 0 ? StrCat("(", ToDecimal(least), ")") : ToDecimal(least), " ", most, " (fun ",
              CoqName(name.name), " =>");
    StrAppend(values, "  at_value all ", CoqName(name.name), ".\n");
  }
  const std::string ends(domain.variables.size(), ')');
  return StrCat("  assert (all :", points, "\n    ", TestOf(claim, domain.points[0]), ends,
                " = true)\n    by (vm_cast_no_check (eq_refl true)).\n", intros, "  intros.\n", values,
                "  by_test all.\n");
}

}  // namespace

Text CoqFormulaTheorem(const FormulaClaim& claim, Lines& lines, const std::string& name) {
  std::vector<int64_t> late_lines;
  if (claim.law() == FormulaClaim::Law::kInjective) {
    if (claim.indices().empty()) return std::unexpected("the claim is about no index");
    if (HasNameOfIndex(claim)) return std::unexpected("a name such as j0 is that of the other point");
    Lines checked = lines;
    if (const auto steps = claim.Check(checked, &late_lines); !steps) return std::unexpected(steps.error().reason);
  }
  if (claim.integer() && HasTableOfFormulas(claim.formulas()[0])) {
    return std::unexpected("proofs/Overflow.v has no tables whose elements are formulas");
  }
  const Domain domain = DomainOf(claim);
  const std::vector<std::string>& index = domain.points[0].index;
  const bool has_memory_fact = claim.integer() && claim.layout();
  std::vector<std::string> facts;
  for (size_t k = 1; k <= domain.facts.size() + (has_memory_fact ? 1 : 0); ++k) facts.push_back(StrCat("fact", k));
  // A theorem says that the fractal layout is this tiled one.
  const bool is_fractal = claim.layout() && claim.layout()->fractal;
  while (is_fractal && !lines.AtEnd() && lines.line() != "path" && lines.line() != "by enumeration") lines.Advance();
  const auto statement = [&](const Placement& placement) {
    return StrCat(" : ", CoqForAll(domain.variables), PremisesOf(claim, domain, placement), "\n  ",
                  StatementOf(claim, domain, placement), ".\nProof.\n");
  };
  const std::string intros = StrCat("  intros", CoqWords(domain.variables), CoqWords(facts), ".\n");
  std::string proof;
  if (lines.line() == "by enumeration") {
    proof = ProofByEnumeration(claim, domain, intros);
  } else {
    LAYOUTCHECK_TRY(
        const auto paths,
        CoqProof(lines, {.facts = facts.size(), .formulas = claim.formulas().size(), .late_lines = late_lines}));
    proof = StrCat(intros, has_memory_fact ? StrCat("  in_memory ", facts.back(), ".\n") : "", "  begin.\n", paths);
  }
  const bool is_about_layout =
      claim.integer() ? has_memory_fact : claim.law() == FormulaClaim::Law::kFormula && !claim.equals();
  const bool is_about_fractal = is_fractal && is_about_layout;
  const Placement tiled = is_about_layout ? TiledPlacement(*claim.layout(), index) : Placement{};
  std::string text = StrCat("Theorem ", name, is_about_fractal ? "_tiled" : "", statement(tiled), proof, "Qed.\n");
  if (!is_about_fractal) return text;
  const std::string is_tiled = StrCat("(fractal_is_tiled ", CoqFractal(*claim.layout()), " ",
                                      CoqLayoutOf(*claim.layout()).sizes, " ltac:(valid_fractal))");
  StrAppend(text, "\nTheorem ", name, statement(FractalPlacement(*claim.layout(), index)), intros, "  intros.");
  if (has_memory_fact) StrAppend(text, " rewrite <- (proj2 ", is_tiled, ") in ", facts.back(), ".");
  if (!claim.integer() || claim.is_own()) {
    StrAppend(text, " rewrite <- (proj1 ", is_tiled, " ", CoqList(index), " ltac:(index_in_box)).");
  }
  return StrCat(text, "\n  apply (", name, "_tiled", CoqWords(domain.variables), "); assumption.\nQed.\n");
}

}  // namespace layoutcheck::verify
