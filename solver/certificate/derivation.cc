// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/solver/certificate/derivation.h"
#include <algorithm>
#include <utility>

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

// Returns a node of a lemma with polynomials for its parameters. Recursion is as deep as the lemma, which is small.
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

Polynomial Derivation::Normalize(const Term& term) {
  if (term.IsConstant()) return FromWide(ring_, term.value());
  // Operands have smaller numbers, so a loop suffices.
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

void Derivation::Apply(LemmaId id, std::vector<Polynomial> arguments) {
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

Relation Derivation::InstantiateRelation(const Lemma& lemma, const std::vector<Polynomial>& arguments,
                                         const TermRelation& relation) {
  Polynomial left = InstantiateTerm(lemma, arguments, relation.left);
  return {relation.kind, std::move(left), InstantiateTerm(lemma, arguments, relation.right)};
}

Polynomial Derivation::Instantiate(const Lemma& lemma, const std::vector<Polynomial>& arguments, uint32_t node) {
  return InstantiateNode(ring_, lemma, arguments, node);
}

Polynomial Derivation::InstantiateTerm(const Lemma& lemma, const std::vector<Polynomial>& arguments, const Term& term) {
  return term.IsConstant() ? FromWide(ring_, term.value()) : Instantiate(lemma, arguments, term.node());
}

}  // namespace layoutcheck
