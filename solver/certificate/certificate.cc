#include "layoutcheck/solver/certificate/certificate.h"

#include <algorithm>
#include <utility>

#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

Polynomial CombinePolynomials(Ring& ring, TermKind kind, const Polynomial& a, const Polynomial& b) {
  switch (kind) {
    case TermKind::kAdd: return ring.Add(a, b);
    case TermKind::kSubtract: return ring.Subtract(a, b);
    case TermKind::kMultiply: return ring.Multiply(a, b);
    case TermKind::kFloorDiv: return ring.Division(AtomKind::kFloorDiv, a, b);
    case TermKind::kMod: return ring.Division(AtomKind::kMod, a, b);
    case TermKind::kConstant:
    case TermKind::kVariable: break;
  }
  return {};
}

Polynomial FromWide(Ring& ring, WideInteger value) {
  if (value.overflow) ring.SetOverflow();
  return ring.FromConstant(value.value);
}

// A lemma's term with polynomials for its parameters. Lemmas are small: recursion is as deep as they are.
Polynomial InstantiateNode(Ring& ring, const Lemma& lemma, const std::vector<Polynomial>& arguments, uint32_t number) {
  const TermContext& lemma_terms = LemmaTerms();
  const TermContext::Node& node = lemma_terms.node(number);
  if (node.kind == TermKind::kConstant) return FromWide(ring, node.value);
  if (node.kind == TermKind::kVariable) {
    const auto parameter = std::ranges::find(lemma.parameters, lemma_terms.variable_name(node.a));
    return arguments[static_cast<size_t>(parameter - lemma.parameters.begin())];
  }
  return CombinePolynomials(ring, node.kind, InstantiateNode(ring, lemma, arguments, node.a),
                            InstantiateNode(ring, lemma, arguments, node.b));
}

}  // namespace

void Certificate::AddHypothesis(const TermRelation& relation) {
  hypothesis_terms_.push_back(relation);
  hypotheses_.push_back(NormalizeRelation(relation));
}

void Certificate::AddGoal(const TermRelation& relation) {
  goal_terms_.push_back(relation);
  goals_.push_back(NormalizeRelation(relation));
}

Relation Certificate::NormalizeRelation(const TermRelation& relation) {
  Polynomial left = Normalize(relation.left);
  return {relation.kind, std::move(left), Normalize(relation.right)};
}

Polynomial Certificate::Normalize(const Term& term) {
  if (term.IsConstant()) return FromWide(ring_, term.value());
  // Operands have smaller numbers than what they are in: no recursion.
  for (auto number = static_cast<uint32_t>(node_polynomials_.size()); number <= term.node(); ++number) {
    const TermContext::Node& node = terms_.node(number);
    switch (node.kind) {
      case TermKind::kConstant: node_polynomials_.push_back(FromWide(ring_, node.value)); break;
      case TermKind::kVariable:
        node_polynomials_.push_back(ring_.FromAtom(ring_.Variable(terms_.variable_name(node.a))));
        break;
      default:
        node_polynomials_.push_back(
            CombinePolynomials(ring_, node.kind, node_polynomials_[node.a], node_polynomials_[node.b]));
    }
  }
  return node_polynomials_[term.node()];
}

void Certificate::AddLemma(const Lemma& lemma) {
  std::vector<Polynomial> variables;
  for (const std::string& parameter : lemma.parameters) variables.push_back(ring_.FromAtom(ring_.Variable(parameter)));
  for (const TermRelation& premise : lemma.premises)
    hypotheses_.push_back(InstantiateRelation(lemma, variables, premise));
  for (const TermRelation& conclusion : lemma.conclusions) {
    goals_.push_back(InstantiateRelation(lemma, variables, conclusion));
  }
  for (const Lemma::Use& use : lemma.follows_from) {
    std::vector<Polynomial> arguments;
    for (const Term& argument : use.arguments) arguments.push_back(InstantiateTerm(lemma, variables, argument));
    Apply(use.lemma, std::move(arguments));
  }
}

void Certificate::Apply(LemmaId id, std::vector<Polynomial> arguments) {
  if (!applied_.emplace(id, arguments).second) return;
  const Lemma& lemma = GetLemma(id);
  LemmaInstance instance{&lemma, {}, {}, {}};
  for (const TermRelation& premise : lemma.premises) {
    instance.premises.push_back(InstantiateRelation(lemma, arguments, premise));
  }
  for (const TermRelation& conclusion : lemma.conclusions) {
    instance.conclusions.push_back(InstantiateRelation(lemma, arguments, conclusion));
  }
  instance.arguments = std::move(arguments);
  instances_.push_back(std::move(instance));
}

Relation Certificate::InstantiateRelation(const Lemma& lemma, const std::vector<Polynomial>& arguments,
                                          const TermRelation& relation) {
  Polynomial left = InstantiateTerm(lemma, arguments, relation.left);
  return {relation.kind, std::move(left), InstantiateTerm(lemma, arguments, relation.right)};
}

Polynomial Certificate::Instantiate(const Lemma& lemma, const std::vector<Polynomial>& arguments, uint32_t node) {
  return InstantiateNode(ring_, lemma, arguments, node);
}

Polynomial Certificate::InstantiateTerm(const Lemma& lemma, const std::vector<Polynomial>& arguments,
                                        const Term& term) {
  return term.IsConstant() ? FromWide(ring_, term.value()) : Instantiate(lemma, arguments, term.node());
}

std::string Certificate::FailsForSample() const {
  std::vector<WideInteger> atoms;
  enum class Truth : uint8_t { kTrue, kFalse, kUnknown };
  const auto truth = [&](const std::vector<Relation>& relations) {
    for (const Relation& relation : relations) {
      const WideInteger left = ring_.ValueAt(sample, atoms, relation.left);
      const WideInteger right = ring_.ValueAt(sample, atoms, relation.right);
      if (left.overflow || right.overflow) return Truth::kUnknown;
      const bool holds = relation.kind == TermRelation::Kind::kEqual  ? left.value == right.value
                         : relation.kind == TermRelation::Kind::kLess ? left.value < right.value
                                                                      : left.value <= right.value;
      if (!holds) return Truth::kFalse;
    }
    return Truth::kTrue;
  };
  if (truth(hypotheses_) != Truth::kTrue) return "a hypothesis";
  if (truth(goals_) != Truth::kTrue) return "a goal";
  for (const LemmaInstance& instance : instances_) {
    const Truth premises = truth(instance.premises);
    if (premises == Truth::kUnknown || (premises == Truth::kTrue && truth(instance.conclusions) != Truth::kTrue)) {
      return StrCat("an instance of lemma ", instance.lemma->name);
    }
  }
  return {};
}

}  // namespace layoutcheck
