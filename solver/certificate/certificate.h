// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A certificate: a statement (hypotheses and goals, as terms that core's templates computed) with instances of the
// lemmas. Every quotient, remainder and product of unknowns is one named integer, so the question to a solver is
// linear: do the hypotheses and the instances imply the goals?
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>
#include "layoutcheck/solver/certificate/derivation.h"

namespace layoutcheck {

class Certificate : public Derivation {
 public:
  std::string title;  // statement in words, for readers of exported queries

  // Values of the statement's variables at which its hypotheses hold; empty if there are none or none are known.
  std::map<std::string, int64_t> sample;
  // Returns the first hypothesis, goal or lemma instance that is false at the sample, in words, or an empty text. This
  // tests the instances and shows that the hypotheses are consistent.
  std::string FailsForSample() const;

  void AddHypothesis(const TermRelation& relation);
  // Adds a hypothesis for the goals that are added later. Goals that were added before the first late hypothesis must
  // hold without it: they are the claims by which the relation itself was found.
  void AddLateHypothesis(const TermRelation& relation);
  void AddGoal(const TermRelation& relation);
  // Adds a lemma's premises as hypotheses, its conclusions as goals, and the instances that imply it. Parameters are
  // variables.
  void AddLemma(const Lemma& lemma);
  const std::vector<TermRelation>& hypothesis_terms() const { return hypothesis_terms_; }
  const std::vector<TermRelation>& late_hypothesis_terms() const { return late_hypothesis_terms_; }
  const std::vector<TermRelation>& goal_terms() const { return goal_terms_; }
  // Return the relations above in normal form, together with those of AddLemma.
  const std::vector<Relation>& hypotheses() const { return hypotheses_; }
  const std::vector<Relation>& late_hypotheses() const { return late_hypotheses_; }
  const std::vector<Relation>& goals() const { return goals_; }
  // Returns how many of the goals must hold without the late hypotheses.
  size_t EarlyGoalCount() const { return late_hypotheses_.empty() ? goals_.size() : early_goals_; }

 private:
  Relation NormalizeRelation(const TermRelation& relation);

  std::vector<TermRelation> hypothesis_terms_;
  std::vector<TermRelation> late_hypothesis_terms_;
  std::vector<TermRelation> goal_terms_;
  std::vector<Relation> hypotheses_;
  std::vector<Relation> late_hypotheses_;
  std::vector<Relation> goals_;
  size_t early_goals_ = 0;  // number of goals before the first late hypothesis
};

}  // namespace layoutcheck
