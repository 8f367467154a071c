// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <set>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/solver/certificate/certificate_queries.h"
#include "layoutcheck/solver/certificate/smt_printer.h"

namespace layoutcheck {
namespace {

class RingEquations {
 public:
  explicit RingEquations(Certificate& certificate)
      : certificate_(certificate), ring_(certificate.ring()), printer_(ring_, /*real_products=*/true) {}

  void AddStatement() {
    const TermContext& terms = certificate_.terms();
    for (uint32_t number = 0; number < certificate_.normal_forms().size(); ++number) {
      const TermContext::Node& node = terms.node(number);
      const Polynomial& normal = NormalForm(number);
      if (node.kind == TermKind::kFloorDiv || node.kind == TermKind::kMod) {
        // A quotient's name is that of its normal arguments, which must equal the real ones.
        AddEquation(StrCat("t!", node.a), NormalForm(node.a));
        AddEquation(StrCat("t!", node.b), NormalForm(node.b));
        Define(number, printer_.Text(normal));
      } else if (node.kind == TermKind::kConstant || node.kind == TermKind::kVariable) {
        Define(number, printer_.Text(normal));
      } else {
        Define(number, SmtApply(SmtOperator(node.kind), {StrCat("t!", node.a), StrCat("t!", node.b)}));
      }
    }
    for (const auto* relations : {&certificate_.hypothesis_terms(), &certificate_.goal_terms()}) {
      for (const TermRelation& relation : *relations) {
        for (const Term& side : {relation.left, relation.right}) {
          if (!side.IsConstant()) AddEquation(StrCat("t!", side.node()), NormalForm(side.node()));
        }
      }
    }
  }

  void AddInstance(const LemmaInstance& instance) {
    const auto add = [&](const std::vector<TermRelation>& terms, const std::vector<Relation>& relations) {
      for (size_t k = 0; k < terms.size(); ++k) {
        AddSide(instance, terms[k].left, relations[k].left);
        AddSide(instance, terms[k].right, relations[k].right);
      }
    };
    add(instance.lemma->premises, instance.premises);
    add(instance.lemma->conclusions, instance.conclusions);
  }

  SmtQuery Query() const {
    std::string text =
        SmtHeader("QF_NIA", certificate_.title,
                  "Each normal form equals, in every ring, what it stands for; quotients and remainders are names.",
                  SolverAnswer::kUnsat);
    StrAppend(text, printer_.Declarations(), definitions_);
    text += "(assert (not (and true";
    for (const std::string& equation : equations_) StrAppend(text, "\n  ", equation);
    text += ")))\n(check-sat)\n";
    return {std::move(text), SolverAnswer::kUnsat, /*polynomial_identities=*/true};
  }

 private:
  const Polynomial& NormalForm(uint32_t number) const { return certificate_.normal_forms()[number]; }
  void Define(uint32_t number, const std::string& text) {
    StrAppend(definitions_, "(define-fun t!", number, " () Int ", text, ")\n");
  }
  void AddEquation(const std::string& text, const Polynomial& normal) {
    // Compares the difference with 0, because Z3 4.8.12 may take minutes for an equation with two sides.
    std::string equation = SmtApply("=", {"0", SmtApply("-", {text, printer_.Text(normal)})});
    if (seen_.insert(equation).second) equations_.push_back(std::move(equation));
  }

  // Adds that an instantiated side of the lemma equals the normal form. A quotient's name is that of its normal
  // arguments.
  void AddSide(const LemmaInstance& instance, const Term& term, const Polynomial& normal) {
    const TermContext& terms = LemmaTerms();
    if (term.IsConstant() || terms.node(term.node()).kind == TermKind::kVariable) return;
    AddEquation(SideText(instance, term.node()), normal);
  }
  std::string SideText(const LemmaInstance& instance, uint32_t number) {
    const TermContext& terms = LemmaTerms();
    const TermContext::Node& node = terms.node(number);
    if (node.kind == TermKind::kConstant) return SmtNumber(node.value.value);
    if (node.kind == TermKind::kVariable) return printer_.Text(Argument(instance, terms.variable_name(node.a)));
    if (node.kind == TermKind::kFloorDiv || node.kind == TermKind::kMod) {
      AddEquation(SideText(instance, node.a), certificate_.Instantiate(*instance.lemma, instance.arguments, node.a));
      AddEquation(SideText(instance, node.b), certificate_.Instantiate(*instance.lemma, instance.arguments, node.b));
      return printer_.Text(certificate_.Instantiate(*instance.lemma, instance.arguments, number));
    }
    return SmtApply(SmtOperator(node.kind), {SideText(instance, node.a), SideText(instance, node.b)});
  }
  const Polynomial& Argument(const LemmaInstance& instance, const std::string& name) const {
    const auto& parameters = instance.lemma->parameters;
    return instance.arguments[static_cast<size_t>(std::ranges::find(parameters, name) - parameters.begin())];
  }
  Certificate& certificate_;
  const Ring& ring_;
  SmtPrinter printer_;
  std::string definitions_;
  std::vector<std::string> equations_;
  std::set<std::string> seen_;
};

}  // namespace

SmtQuery RingQuery(Certificate& certificate) {
  RingEquations equations(certificate);
  equations.AddStatement();
  for (const LemmaInstance& instance : certificate.instances()) equations.AddInstance(instance);
  return equations.Query();
}

}  // namespace layoutcheck
