#include "layoutcheck/solver/formula_proof/path_decisions.h"

namespace layoutcheck {

TermRelation Negation(const TermRelation& relation) {
  return relation.kind == TermRelation::Kind::kLess ? LessEqual(relation.right, relation.left)
                                                    : Less(relation.right, relation.left);
}

void PathDecisions::Assume(const TermRelation& relation) {
  certificate_.AddHypothesis(relation);
  rewriter_.LearnHypothesis(relation);
}

bool PathDecisions::Claim(const TermRelation& relation) {
  if (!rewriter_.Show(relation)) return false;
  certificate_.AddGoal(relation);
  return true;
}

bool PathDecisions::Decide(const TermRelation& relation) {
  if (Claim(relation)) return true;
  if (Claim(Negation(relation))) return false;
  return Choose(relation);
}

bool PathDecisions::DecideEqual(const Term& left, const Term& right) {
  if (Claim(Equal(left, right))) return true;
  return !Decide(Less(left, right)) && !Decide(Less(right, left));
}

bool PathDecisions::Choose(const TermRelation& relation) {
  if (taken_ == choices_.size()) choices_.push_back(true);
  const bool choice = choices_[taken_++];
  TermContext& terms = certificate_.terms();
  subjects_.push_back(
      {static_cast<uint32_t>(relation.kind), terms.NodeOf(relation.left), terms.NodeOf(relation.right)});
  Assume(choice ? relation : Negation(relation));
  return choice;
}

}  // namespace layoutcheck
