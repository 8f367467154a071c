// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/solver/certificate/certificate_check.h"
#include <algorithm>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/solver/certificate/proof_result.h"
#include "layoutcheck/solver/certificate/z3_solver.h"

namespace layoutcheck {
namespace {

std::string InstanceComment(const Certificate& certificate, const LemmaInstance& instance) {
  std::vector<std::string> bindings;
  for (size_t k = 0; k < instance.arguments.size(); ++k) {
    bindings.push_back(
        StrCat(instance.lemma->parameters[k], " := ", certificate.ring().ToString(instance.arguments[k])));
  }
  return StrCat(" ; ", instance.lemma->name, ": ", StrJoin(bindings, ", "), "\n");
}

// Returns the conjunction of the goals, where the late hypotheses imply those behind the first `early` ones.
std::string GoalsText(const std::vector<std::string>& goals, size_t early, const std::vector<std::string>& late) {
  std::vector<std::string> parts(goals.begin(), goals.begin() + static_cast<ptrdiff_t>(early));
  const std::vector<std::string> rest(goals.begin() + static_cast<ptrdiff_t>(early), goals.end());
  if (!late.empty()) parts.push_back(SmtApply("=>", {SmtJoin("and", late, "true"), SmtJoin("and", rest, "true")}));
  return SmtJoin("and", parts, "true");
}

SmtQuery LinearQuery(const Certificate& certificate, bool with_goals) {
  SmtPrinter printer(certificate.ring(), /*real_products=*/false);
  std::string body;
  for (const Relation& hypothesis : certificate.hypotheses())
    StrAppend(body, "(assert ", printer.Text(hypothesis), ")\n");
  for (const LemmaInstance& instance : certificate.instances()) {
    StrAppend(body, "(assert (=> ", printer.Text(instance.premises), " ", printer.Text(instance.conclusions), "))",
              InstanceComment(certificate, instance));
  }
  if (with_goals) {
    const std::vector<std::string> late = printer.Texts(certificate.late_hypotheses());
    const std::vector<std::string> goals = printer.Texts(certificate.goals());
    StrAppend(body, "(assert (not ", GoalsText(goals, certificate.EarlyGoalCount(), late), "))\n");
  }
  const SolverAnswer expected = with_goals ? SolverAnswer::kUnsat : SolverAnswer::kSat;
  std::string text =
      SmtHeader("QF_LIA", certificate.title,
                with_goals ? "The hypotheses and the lemma instances imply the goals, whose negation is asserted last."
                           : "The hypotheses and the lemma instances do not contradict each other.",
                expected);
  StrAppend(text, printer.Declarations(), body, "(check-sat)\n");
  return {std::move(text), expected, false};
}

using TermRelations = std::span<const TermRelation>;

// Returns the relations, with node_text(number) for each side that is no number.
template <class NodeText>
std::vector<std::string> TextsOf(TermRelations relations, const NodeText& node_text) {
  const auto side = [&](const Term& term) {
    return term.IsConstant() ? SmtNumber(term.value().value) : node_text(term.node());
  };
  std::vector<std::string> texts;
  for (const TermRelation& relation : relations) {
    texts.push_back(SmtApply(SmtRelation(relation.kind), {side(relation.left), side(relation.right)}));
  }
  return texts;
}

// Returns the query whether the hypotheses, and `more` of them, imply the goals or, without goals, are consistent.
SmtQuery TermQuery(const Certificate& certificate, TermRelations more, std::optional<TermRelations> goals) {
  const TermContext& terms = certificate.terms();
  // Names each node, so that shared nodes are written once. A node refers only to earlier ones.
  std::string definitions;
  const auto name = [](uint32_t node) { return StrCat("t!", node); };
  bool has_squares = false;
  std::vector<std::set<uint32_t>> unknowns;  // variables, quotients and remainders of each node
  for (uint32_t k = 0; k < terms.size(); ++k) {
    const TermContext::Node& node = terms.node(k);
    std::set<uint32_t>& found = unknowns.emplace_back();
    if (node.kind == TermKind::kVariable || node.kind == TermKind::kFloorDiv || node.kind == TermKind::kMod) {
      found = {k};
    } else if (node.kind != TermKind::kConstant) {
      found = unknowns[node.a];
      const size_t apart = found.size() + unknowns[node.b].size();
      found.insert(unknowns[node.b].begin(), unknowns[node.b].end());
      if (node.kind == TermKind::kMultiply && found.size() < apart) has_squares = true;
    }
    if (node.kind == TermKind::kVariable) {
      const std::string symbol = SmtSymbol(terms.variable_name(node.a));
      StrAppend(definitions, "(declare-const ", symbol, " Int)\n(define-fun ", name(k), " () Int ", symbol, ")\n");
    } else {
      StrAppend(definitions, "(define-fun ", name(k), " () Int ",
                node.kind == TermKind::kConstant ? SmtNumber(node.value.value)
                                                 : SmtApply(SmtOperator(node.kind), {name(node.a), name(node.b)}),
                ")\n");
    }
  }
  std::string body;
  for (const TermRelations hypotheses : {TermRelations(certificate.hypothesis_terms()), more}) {
    for (const std::string& text : TextsOf(hypotheses, name)) StrAppend(body, "(assert ", text, ")\n");
  }
  if (goals) StrAppend(body, "(assert (not ", SmtJoin("and", TextsOf(*goals, name), "true"), "))\n");
  const SolverAnswer expected = goals ? SolverAnswer::kUnsat : SolverAnswer::kSat;
  return {StrCat(SmtHeader("QF_NIA", certificate.title,
                           goals ? "The hypotheses imply the goals, whose negation is asserted last."
                                 : "The hypotheses do not contradict each other.",
                           expected),
                 definitions, body, "(check-sat)\n"),
          expected, false, has_squares};
}

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

  // Adds that an instantiated side equals the normal form. A quotient's name is that of its normal arguments.
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

// Recursion is as deep as the lemma, which is small.
std::string LemmaText(uint32_t number) {
  const TermContext& terms = LemmaTerms();
  const TermContext::Node& node = terms.node(number);
  if (node.kind == TermKind::kConstant) return SmtNumber(node.value.value);
  if (node.kind == TermKind::kVariable) return SmtSymbol(terms.variable_name(node.a));
  return SmtApply(SmtOperator(node.kind), {LemmaText(node.a), LemmaText(node.b)});
}

}  // namespace

SmtQuery CertificateQuery(const Certificate& certificate) { return LinearQuery(certificate, /*with_goals=*/true); }
SmtQuery VacuityQuery(const Certificate& certificate) { return LinearQuery(certificate, /*with_goals=*/false); }

std::vector<SmtQuery> StatementQueries(const Certificate& certificate) {
  const TermRelations goals = certificate.goal_terms();
  const size_t early = certificate.EarlyGoalCount();
  std::vector<SmtQuery> queries;
  if (early < goals.size()) {
    queries.push_back(TermQuery(certificate, certificate.late_hypothesis_terms(), goals.subspan(early)));
  }
  if (early > 0 || goals.empty()) queries.push_back(TermQuery(certificate, {}, goals.first(early)));
  return queries;
}
SmtQuery HypothesesQuery(const Certificate& certificate) { return TermQuery(certificate, {}, std::nullopt); }

SmtQuery RingQuery(Certificate& certificate) {
  RingEquations equations(certificate);
  equations.AddStatement();
  for (const LemmaInstance& instance : certificate.instances()) equations.AddInstance(instance);
  return equations.Query();
}

SmtQuery LemmaQuery(const Lemma& lemma) {
  std::string text = SmtHeader("QF_NIA", StrCat("lemma ", lemma.name, ": ", lemma.sentence),
                               "The premises imply the conclusions, whose negation is asserted last, for all integers.",
                               SolverAnswer::kUnsat);
  for (const std::string& parameter : lemma.parameters) {
    StrAppend(text, "(declare-const ", SmtSymbol(parameter), " Int)\n");
  }
  const auto all = [](TermRelations relations) { return SmtJoin("and", TextsOf(relations, LemmaText), "true"); };
  StrAppend(text, "(assert ", all(lemma.premises), ")\n(assert (not ", all(lemma.conclusions), "))\n(check-sat)\n");
  return {std::move(text), SolverAnswer::kUnsat, false};
}

namespace {

// Returns true if Z3 proves the lemma and those that it follows from. Remembers proved lemmas for this process; asks
// again about others, because a larger budget may suffice.
bool LemmaHolds(LemmaId id, uint64_t rlimit) {
  static std::mutex mutex;
  static std::set<LemmaId> proved;
  const std::lock_guard lock(mutex);
  if (proved.contains(id)) return true;
  std::vector<LemmaId> open = {id};
  while (!open.empty()) {
    const LemmaId next = open.back();
    open.pop_back();
    if (proved.contains(next)) continue;
    const Lemma& lemma = GetLemma(next);
    SmtQuery query = LemmaQuery(lemma);
    if (!lemma.follows_from.empty()) {
      Certificate certificate;
      certificate.AddLemma(lemma);
      query = CertificateQuery(certificate);
      for (const Lemma::Use& use : lemma.follows_from) open.push_back(use.lemma);
    }
    if (RunZ3(query, rlimit).answer != SolverAnswer::kUnsat) return false;
  }
  proved.insert(id);
  return true;
}

}  // namespace

std::string WhyNotConfirmed(Certificate& certificate, uint64_t rlimit, uint64_t& work) {
  if (certificate.ring().overflow()) return "a coefficient does not fit 126 bits";
  if (!certificate.sample.empty()) {
    const std::string failing = certificate.FailsForSample();
    if (!failing.empty()) return StrCat("the certificate is false for a sample: ", failing);
  }
  std::set<LemmaId> lemmas;
  for (const LemmaInstance& instance : certificate.instances()) lemmas.insert(instance.lemma->id);
  for (const LemmaId lemma : lemmas) {
    if (!LemmaHolds(lemma, rlimit)) return StrCat("lemma ", GetLemma(lemma).name, " was not proved");
  }
  if (work >= rlimit) return kBudgetSpent;
  const SolverRun implied = RunZ3(CertificateQuery(certificate), rlimit - work);
  work += implied.rlimit;
  if (implied.answer == SolverAnswer::kSat) return "the lemma instances do not imply it";
  if (implied.answer == SolverAnswer::kUnknown) return implied.reason;
  if (work >= rlimit) return kBudgetSpent;
  const SolverRun identities = RunZ3(RingQuery(certificate), rlimit - work);
  work += identities.rlimit;
  if (identities.answer != SolverAnswer::kUnsat) return "the normal forms were not confirmed";
  return {};
}

}  // namespace layoutcheck
