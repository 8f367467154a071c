// A certificate: what a proof hands to a solver. A statement (hypotheses and goals, as terms that core's templates
// computed) together with ground instances of the lemmas. Every product of unknowns, quotient and remainder is one
// named integer, so that the question is one of linear arithmetic: do the hypotheses and the instances imply the goals?
#ifndef LAYOUTCHECK_SOLVER_CERTIFICATE_CERTIFICATE_H_
#define LAYOUTCHECK_SOLVER_CERTIFICATE_CERTIFICATE_H_

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "layoutcheck/solver/certificate/lemma.h"
#include "layoutcheck/solver/terms/polynomial.h"
#include "layoutcheck/solver/terms/term.h"

namespace layoutcheck {

// A comparison of polynomials.
struct Relation {
  TermRelation::Kind kind;
  Polynomial left;
  Polynomial right;
};

// A lemma with polynomials for its parameters.
struct LemmaInstance {
  const Lemma* lemma;
  std::vector<Polynomial> arguments;
  std::vector<Relation> premises;
  std::vector<Relation> conclusions;
};

class Certificate {
 public:
  Certificate() = default;
  Certificate(const Certificate&) = delete;
  Certificate& operator=(const Certificate&) = delete;

  // Where the terms of the statement are made.
  TermContext& terms() { return terms_; }
  const TermContext& terms() const { return terms_; }
  Ring& ring() { return ring_; }
  const Ring& ring() const { return ring_; }

  // What the statement says, in words, for the reader of the emitted file.
  std::string title;

  // A value for each variable of the statement with which its hypotheses hold. Whether the certificate holds for it is
  // a test of the lemma instances and shows that the hypotheses do not contradict each other: see FailsForSample.
  std::map<std::string, int64_t> sample;
  // The first hypothesis or lemma instance that is false for the sample, in words; empty if all are true. Goals, too,
  // must be true then.
  std::string FailsForSample() const;

  void AddHypothesis(const TermRelation& relation);
  void AddGoal(const TermRelation& relation);
  // The premises of a lemma as hypotheses, its conclusions as goals, and the instances that it follows from; its
  // parameters are variables.
  void AddLemma(const Lemma& lemma);
  const std::vector<TermRelation>& hypothesis_terms() const { return hypothesis_terms_; }
  const std::vector<TermRelation>& goal_terms() const { return goal_terms_; }
  const std::vector<Relation>& hypotheses() const { return hypotheses_; }
  const std::vector<Relation>& goals() const { return goals_; }

  // The normal form of a term of terms().
  Polynomial Normalize(const Term& term);
  // The normal forms of the first nodes of terms(), as many as were needed.
  const std::vector<Polynomial>& normal_forms() const { return node_polynomials_; }

  // Adds the instance of the lemma for these arguments, once.
  void Apply(LemmaId lemma, std::vector<Polynomial> arguments);
  const std::vector<LemmaInstance>& instances() const { return instances_; }
  // A node of LemmaTerms() with `arguments` for the parameters of the lemma.
  Polynomial Instantiate(const Lemma& lemma, const std::vector<Polynomial>& arguments, uint32_t node);

 private:
  Polynomial InstantiateTerm(const Lemma& lemma, const std::vector<Polynomial>& arguments, const Term& term);
  Relation NormalizeRelation(const TermRelation& relation);
  Relation InstantiateRelation(const Lemma& lemma, const std::vector<Polynomial>& arguments,
                               const TermRelation& relation);

  TermContext terms_;
  Ring ring_;
  std::vector<Polynomial> node_polynomials_;  // of the nodes of terms_, as far as they were asked for
  std::vector<TermRelation> hypothesis_terms_;
  std::vector<TermRelation> goal_terms_;
  std::vector<Relation> hypotheses_;
  std::vector<Relation> goals_;
  std::vector<LemmaInstance> instances_;
  std::set<std::pair<LemmaId, std::vector<Polynomial>>> applied_;
};

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_SOLVER_CERTIFICATE_CERTIFICATE_H_
