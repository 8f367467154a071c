// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The claims about a formula that can be proved: it has its expected value, or it does not overflow.
#pragma once

#include <optional>
#include <string>
#include <vector>
#include "layoutcheck/solver/certificate/proof_result.h"
#include "layoutcheck/solver/formula_proof/formula_path.h"
#include "layoutcheck/solver/formula_proof/formula_point.h"

namespace layoutcheck {

class BitVectorQuery;

// A claim about every point of a question, which must outlive the goal. The search for a counterexample evaluates it at
// points; the proof states it as terms on paths.
class FormulaGoal {
 public:
  // With `max_bytes` < 2^64, the claim is about layouts whose padded elements take at most so many bytes.
  explicit FormulaGoal(const FormulaQuestion& question, std::optional<Int128> max_bytes = std::nullopt)
      : evaluator_(question), question_(question), max_bytes_(max_bytes) {}
  FormulaGoal(const FormulaGoal&) = delete;
  FormulaGoal& operator=(const FormulaGoal&) = delete;
  virtual ~FormulaGoal() = default;

  const FormulaQuestion& question() const { return question_; }
  // Returns the name of the law under which results are reported.
  virtual const char* law() const = 0;

  bool IsInDomain(const FormulaPoint& point) { return evaluator_.IsInDomain(point); }
  // Returns true if the last IsInDomain() returned false only because 128 bits are too few for an assumption.
  bool IsDomainUnknown() const { return evaluator_.IsDomainUnknown(); }
  // Returns true if the claim is about the point for which IsInDomain() just returned true.
  bool IsInScope() const;
  // Returns true if the scope bounds the size of shapes.
  bool HasLargestShapes() const { return max_bytes_.has_value(); }
  // Explains why no point of the domain is in scope. Empty if the scope is the domain.
  std::string WhyNoneInScope() const;
  // Returns true if the claim is true at the point, which is in domain and scope; nothing where that is not known.
  virtual std::optional<bool> IsTrueAt(const FormulaPoint& point) = 0;
  // Returns true if the point, for which IsInDomain() just returned true, is in scope and the claim is false there.
  bool FailsAt(const FormulaPoint& point) { return IsInScope() && IsTrueAt(point) == false; }
  // Sets the length of runs of functions at points, as for a PointFormula.
  void SetRunLength(std::optional<RunLength> length) { evaluator_.SetRunLength(length); }
  // Returns true if a point so far may have failed only because a run stepped over iterations.
  bool has_guessed() const { return evaluator_.has_guessed(); }
  // Returns true if the point is in the domain and the goal fails there, also in runs that step over no iterations.
  // Runs are whole from then on.
  bool FailsInWholeRunAt(const FormulaPoint& point) {
    SetRunLength(RunLength::kWhole);
    return IsInDomain(point) && FailsAt(point);
  }
  // Returns true if the claim is that certain values differ between any two indices.
  virtual bool HasDistinctValues() const { return false; }
  // Appends these values at the first index of the point, or returns false if one is not known.
  virtual bool AppendDistinctValues(const FormulaPoint& /*point*/, std::vector<Int128>& /*values*/) { return false; }
  // Adds the expected and the actual value at the point, at which the goal fails, to the result.
  virtual void DescribeFailure(const FormulaPoint& point, ProofResult& result) = 0;
  virtual int64_t operations() const { return evaluator_.operations(); }

  // Adds the hypotheses that restrict the domain to the scope.
  void AddScope(FormulaPath& path) const;
  virtual void AddGoals(FormulaPath& path) const = 0;
  // Adds to the query that the claim is wrong. Returns false if the claim cannot be stated over bit vectors.
  virtual bool RequireWrong(BitVectorQuery& /*query*/) const { return false; }
  // Returns the predicate of the claim, such as "is equal to ...".
  virtual std::string Predicate() const = 0;

 protected:
  PointEvaluator evaluator_;

 private:
  const FormulaQuestion& question_;
  std::optional<Int128> max_bytes_;
};

// Adds a value of a counterexample, "expected" or "actual", to the result, or why it has none.
void AddSide(const std::string& side, const FormulaValue<Int128>& value, const std::string& fault, ProofResult& result);

// The claim that the formula is equal to the layout's linear index or to the other formula, over unbounded integers.
class EqualityGoal final : public FormulaGoal {
 public:
  using FormulaGoal::FormulaGoal;

  const char* law() const override { return "formula"; }
  std::optional<bool> IsTrueAt(const FormulaPoint& point) override { return evaluator_.Compare(point).AreEqual(); }
  void DescribeFailure(const FormulaPoint& point, ProofResult& result) override;
  void AddGoals(FormulaPath& path) const override;
  bool RequireWrong(BitVectorQuery& query) const override;
  std::string Predicate() const override;
};

// The claim that an integer type computes every part of the formula as the integers do, so that no part overflows or is
// undefined in C, for all layouts whose padded elements take at most as many bytes as its largest value.
class OverflowGoal final : public FormulaGoal {
 public:
  // With `is_index`, the claim is also that the formula is the layout's linear index, which a certificate then shows.
  OverflowGoal(const FormulaQuestion& question, const MachineInteger& integer, bool is_index = false)
      : FormulaGoal(question, integer.largest),
        integer_(integer),
        machine_(question.formula, integer),
        is_index_(is_index) {}

  const char* law() const override { return "no-overflow"; }
  std::optional<bool> IsTrueAt(const FormulaPoint& point) override;
  void DescribeFailure(const FormulaPoint& point, ProofResult& result) override;
  int64_t operations() const override { return evaluator_.operations() + machine_.operations(); }
  void AddGoals(FormulaPath& path) const override;
  std::string Predicate() const override;

 private:
  void AddPartGoals(const FormulaPath::Part& part, FormulaPath& path) const;

  MachineInteger integer_;
  MachineFormula machine_;
  bool is_index_;
};

}  // namespace layoutcheck
