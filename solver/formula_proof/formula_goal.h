// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The claims about a formula that can be proved: it has its expected value, or it does not overflow.
#ifndef LAYOUTCHECK_SOLVER_FORMULA_PROOF_FORMULA_GOAL_H_
#define LAYOUTCHECK_SOLVER_FORMULA_PROOF_FORMULA_GOAL_H_

#include <string>

#include "layoutcheck/solver/certificate/proof_result.h"
#include "layoutcheck/solver/formula_proof/formula_path.h"
#include "layoutcheck/solver/formula_proof/formula_point.h"
#include "layoutcheck/solver/formula_proof/machine_integer.h"

namespace layoutcheck {

// A claim about every point of a question, which must outlive the goal. The goal is evaluated at points, to search for
// a counterexample, and stated as terms on paths, to search for a proof.
class FormulaGoal {
 public:
  explicit FormulaGoal(const FormulaQuestion& question) : evaluator_(question), question_(question) {}
  FormulaGoal(const FormulaGoal&) = delete;
  FormulaGoal& operator=(const FormulaGoal&) = delete;
  virtual ~FormulaGoal() = default;

  const FormulaQuestion& question() const { return question_; }
  // Returns the name of the law that results are reported under.
  virtual const char* law() const = 0;

  // Returns true if the question is about the point (see PointEvaluator::IsInDomain).
  bool IsInDomain(const FormulaPoint& point) { return evaluator_.IsInDomain(point); }
  // Returns true if the claim is about the point for which IsInDomain() just returned true.
  virtual bool IsInScope() const { return true; }
  // Returns true if the claim is about large shapes up to a bound only.
  virtual bool HasLargestShapes() const { return false; }
  // Explains why no point of the domain is in scope. Empty for a goal whose scope is the domain.
  virtual std::string WhyNoneInScope() const { return {}; }
  // Returns true if the claim is about the point, for which IsInDomain() just returned true, and is false there.
  virtual bool FailsAt(const FormulaPoint& point) = 0;
  // Adds to the result what is expected at the point, at which the goal fails, and what is found there.
  virtual void DescribeFailure(const FormulaPoint& point, ProofResult& result) = 0;
  // Returns the number of operations that functions took so far; 0 for formulas.
  virtual int64_t operations() const { return evaluator_.operations(); }

  // Adds the hypotheses that restrict the domain to the scope.
  virtual void AddScope(FormulaPath& /*path*/) const {}
  // Adds the claim to the goals of the path's certificate.
  virtual void AddGoals(FormulaPath& path) const = 0;
  // Returns the predicate of the claim: "is equal to ...".
  virtual std::string Predicate() const = 0;

 protected:
  PointEvaluator evaluator_;

 private:
  const FormulaQuestion& question_;
};

// The claim that the formula is equal to the layout's linear index or to the other formula, over unbounded integers.
class EqualityGoal final : public FormulaGoal {
 public:
  using FormulaGoal::FormulaGoal;

  const char* law() const override { return "formula"; }
  bool FailsAt(const FormulaPoint& point) override { return evaluator_.Compare(point).Differs(); }
  void DescribeFailure(const FormulaPoint& point, ProofResult& result) override;
  void AddGoals(FormulaPath& path) const override;
  std::string Predicate() const override;
};

// The claim that no part of the formula overflows an integer type and every shift is below its width, in bits, wherever
// the layout's padded elements take at most as many bytes as the largest integer counts.
class OverflowGoal final : public FormulaGoal {
 public:
  OverflowGoal(const FormulaQuestion& question, const MachineInteger& integer)
      : FormulaGoal(question), integer_(integer), machine_(question.formula, integer) {}

  const char* law() const override { return "no-overflow"; }
  bool IsInScope() const override;
  bool HasLargestShapes() const override { return true; }
  std::string WhyNoneInScope() const override;
  bool FailsAt(const FormulaPoint& point) override { return IsInScope() && machine_.FirstFault(point).has_value(); }
  void DescribeFailure(const FormulaPoint& point, ProofResult& result) override;
  int64_t operations() const override { return evaluator_.operations() + machine_.operations(); }
  void AddScope(FormulaPath& path) const override;
  void AddGoals(FormulaPath& path) const override;
  std::string Predicate() const override;

 private:
  MachineInteger integer_;
  MachineFormula machine_;
};

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_SOLVER_FORMULA_PROOF_FORMULA_GOAL_H_
