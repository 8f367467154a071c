// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/solver/certificate/certificate_queries.h"
#include <optional>
#include <set>
#include <span>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/solver/certificate/smt_printer.h"

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
    const auto texts = [&](const std::vector<Relation>& relations) {
      std::vector<std::string> parts;
      for (const Relation& relation : relations) parts.push_back(printer.Text(relation));
      return parts;
    };
    const std::vector<std::string> late = texts(certificate.late_hypotheses());
    StrAppend(body, "(assert (not ", GoalsText(texts(certificate.goals()), certificate.EarlyGoalCount(), late), "))\n");
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

// Returns the query whether the hypotheses, and `more` of them, imply the goals; or, without goals, whether they
// contradict each other.
SmtQuery TermQuery(const Certificate& certificate, TermRelations more, std::optional<TermRelations> goals) {
  const TermContext& terms = certificate.terms();
  // Names each node, so that shared nodes are written once. A node refers only to earlier ones.
  std::string definitions;
  const auto name = [](uint32_t node) { return StrCat("t!", node); };
  bool has_squares = false;
  std::vector<std::set<uint32_t>> unknowns;  // of each node: variables, quotients and remainders
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
  const auto text = [&](const TermRelation& relation) {
    const auto side = [&](const Term& term) {
      return term.IsConstant() ? SmtNumber(term.value().value) : name(term.node());
    };
    return SmtApply(SmtRelation(relation.kind), {side(relation.left), side(relation.right)});
  };
  std::string body;
  for (const TermRelation& hypothesis : certificate.hypothesis_terms()) {
    StrAppend(body, "(assert ", text(hypothesis), ")\n");
  }
  for (const TermRelation& hypothesis : more) StrAppend(body, "(assert ", text(hypothesis), ")\n");
  if (goals) {
    std::vector<std::string> texts;
    for (const TermRelation& goal : *goals) texts.push_back(text(goal));
    StrAppend(body, "(assert (not ", SmtJoin("and", texts, "true"), "))\n");
  }
  const SolverAnswer expected = goals ? SolverAnswer::kUnsat : SolverAnswer::kSat;
  return {StrCat(SmtHeader("QF_NIA", certificate.title,
                           goals ? "The hypotheses imply the goals, whose negation is asserted last."
                                 : "The hypotheses do not contradict each other.",
                           expected),
                 definitions, body, "(check-sat)\n"),
          expected, false, has_squares};
}

// Recursion is as deep as the lemma, which is small.
std::string LemmaText(uint32_t number) {
  const TermContext& terms = LemmaTerms();
  const TermContext::Node& node = terms.node(number);
  if (node.kind == TermKind::kConstant) return SmtNumber(node.value.value);
  if (node.kind == TermKind::kVariable) return SmtSymbol(terms.variable_name(node.a));
  return SmtApply(SmtOperator(node.kind), {LemmaText(node.a), LemmaText(node.b)});
}

std::string LemmaText(const std::vector<TermRelation>& relations) {
  const auto side = [](const Term& term) {
    return term.IsConstant() ? SmtNumber(term.value().value) : LemmaText(term.node());
  };
  std::vector<std::string> parts;
  for (const TermRelation& relation : relations) {
    parts.push_back(SmtApply(SmtRelation(relation.kind), {side(relation.left), side(relation.right)}));
  }
  return SmtJoin("and", parts, "true");
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

SmtQuery LemmaQuery(const Lemma& lemma) {
  std::string text = SmtHeader("QF_NIA", StrCat("lemma ", lemma.name, ": ", lemma.sentence),
                               "The premises imply the conclusions, whose negation is asserted last, for all integers.",
                               SolverAnswer::kUnsat);
  for (const std::string& parameter : lemma.parameters) {
    StrAppend(text, "(declare-const ", SmtSymbol(parameter), " Int)\n");
  }
  StrAppend(text, "(assert ", LemmaText(lemma.premises), ")\n(assert (not ", LemmaText(lemma.conclusions),
            "))\n(check-sat)\n");
  return {std::move(text), SolverAnswer::kUnsat, false};
}

}  // namespace layoutcheck
