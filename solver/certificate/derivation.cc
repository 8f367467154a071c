// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/solver/certificate/derivation.h"
#include <algorithm>

namespace layoutcheck {
namespace {

Polynomial CombinePolynomials(Ring& ring, TermKind kind, const Polynomial& a, const Polynomial& b) {
  switch (kind) {
    case TermKind::kAdd: return ring.Add(a, b);
    case TermKind::kSubtract: return ring.Subtract(a, b);
    case TermKind::kMultiply: return ring.Multiply(a, b);
    case TermKind::kFloorDiv: return ring.Division(AtomKind::kFloorDiv, a, b);
    case TermKind::kMod: return ring.Division(AtomKind::kMod, a, b);
    default: return {};
  }
}

Polynomial FromWide(Ring& ring, WideInteger value) {
  if (value.overflow) ring.SetOverflow();
  return ring.FromConstant(value.value);
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
  std::vector<Relation> premises = InstantiateAll(lemma, arguments, lemma.premises);
  std::vector<Relation> conclusions = InstantiateAll(lemma, arguments, lemma.conclusions);
  instances_.push_back({&lemma, std::move(arguments), std::move(premises), std::move(conclusions)});
}

// Recursion is as deep as the lemma, which is small.
Polynomial Derivation::Instantiate(const Lemma& lemma, const std::vector<Polynomial>& arguments, uint32_t number) {
  const TermContext& lemma_terms = LemmaTerms();
  const TermContext::Node& node = lemma_terms.node(number);
  if (node.kind == TermKind::kConstant) return FromWide(ring_, node.value);
  if (node.kind == TermKind::kVariable) {
    const auto parameter = std::ranges::find(lemma.parameters, lemma_terms.variable_name(node.a));
    return arguments[static_cast<size_t>(parameter - lemma.parameters.begin())];
  }
  return CombinePolynomials(ring_, node.kind, Instantiate(lemma, arguments, node.a),
                            Instantiate(lemma, arguments, node.b));
}

Polynomial Derivation::InstantiateTerm(const Lemma& lemma, const std::vector<Polynomial>& arguments, const Term& term) {
  return term.IsConstant() ? FromWide(ring_, term.value()) : Instantiate(lemma, arguments, term.node());
}

std::vector<Relation> Derivation::InstantiateAll(const Lemma& lemma, const std::vector<Polynomial>& arguments,
                                                 const std::vector<TermRelation>& relations) {
  std::vector<Relation> result;
  for (const TermRelation& relation : relations) {
    Polynomial left = InstantiateTerm(lemma, arguments, relation.left);
    result.push_back({relation.kind, std::move(left), InstantiateTerm(lemma, arguments, relation.right)});
  }
  return result;
}

}  // namespace layoutcheck
