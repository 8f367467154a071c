// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/solver/certificate/certificate.h"
#include <algorithm>
#include <iterator>
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {

void Certificate::AddHypothesis(const TermRelation& relation) {
  hypothesis_terms_.push_back(relation);
  hypotheses_.push_back(NormalizeRelation(relation));
}

void Certificate::AddLateHypothesis(const TermRelation& relation) {
  if (late_hypotheses_.empty()) early_goals_ = goals_.size();
  late_hypothesis_terms_.push_back(relation);
  late_hypotheses_.push_back(NormalizeRelation(relation));
}

void Certificate::AddGoal(const TermRelation& relation) {
  goal_terms_.push_back(relation);
  goals_.push_back(NormalizeRelation(relation));
}

Relation Certificate::NormalizeRelation(const TermRelation& relation) {
  Polynomial left = Normalize(relation.left);
  return {relation.kind, std::move(left), Normalize(relation.right)};
}

void Certificate::AddLemma(const Lemma& lemma) {
  std::vector<Polynomial> variables;
  for (const std::string& parameter : lemma.parameters)
    variables.push_back(ring().FromAtom(ring().Variable(parameter)));
  std::ranges::move(InstantiateAll(lemma, variables, lemma.premises), std::back_inserter(hypotheses_));
  std::ranges::move(InstantiateAll(lemma, variables, lemma.conclusions), std::back_inserter(goals_));
  for (const Lemma::Use& use : lemma.follows_from) {
    std::vector<Polynomial> arguments;
    for (const Term& argument : use.arguments) arguments.push_back(InstantiateTerm(lemma, variables, argument));
    Apply(use.lemma, std::move(arguments));
  }
}

std::string Certificate::FailsForSample() const {
  std::vector<WideInteger> atoms;
  enum class Truth : uint8_t { kTrue, kFalse, kUnknown };
  const auto truth = [&](const std::vector<Relation>& relations) {
    for (const Relation& relation : relations) {
      const WideInteger left = ring().ValueAt(sample, atoms, relation.left);
      const WideInteger right = ring().ValueAt(sample, atoms, relation.right);
      if (left.overflow || right.overflow) return Truth::kUnknown;
      const bool holds = relation.kind == TermRelation::Kind::kEqual  ? left.value == right.value
                         : relation.kind == TermRelation::Kind::kLess ? left.value < right.value
                                                                      : left.value <= right.value;
      if (!holds) return Truth::kFalse;
    }
    return Truth::kTrue;
  };
  if (truth(hypotheses_) != Truth::kTrue || truth(late_hypotheses_) != Truth::kTrue) return "a hypothesis";
  if (truth(goals_) != Truth::kTrue) return "a goal";
  for (const LemmaInstance& instance : instances()) {
    const Truth premises = truth(instance.premises);
    if (premises == Truth::kUnknown || (premises == Truth::kTrue && truth(instance.conclusions) != Truth::kTrue)) {
      return StrCat("an instance of lemma ", instance.lemma->name);
    }
  }
  return {};
}

}  // namespace layoutcheck
