// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The paths of a formula or function that runs on terms. Where the value of an operator depends on a condition (a
// comparison, min, C's / with its two roundings), the path proves or refutes the condition, or else splits into two,
// one with the condition as a hypothesis and one with its negation. The terms of a path therefore use only + - *
// floordiv and mod.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/tiling/tiled_index.h"
#include "layoutcheck/solver/formula_proof/formula_question.h"
#include "layoutcheck/solver/paths/path_arithmetic.h"

namespace layoutcheck {

class FormulaGoal;

enum class PathStatus : uint8_t {
  kStated,       // The certificate's goals imply that the claim holds on the path.
  kExcluded,     // An assumption is false or has no value on the path, so the question does not cover it, or a
                 // function claims nothing about its value here (FunctionEnd).
  kUnsupported,  // A value cannot be written as a term, so the certificate's goals do not state the claim.
  kAbandoned,    // A function cannot be followed, so nothing is known about this path and later ones.
};

struct FormulaPathResult {
  // Hypotheses: domain, assumptions and decisions. Goals: the conditions that needed no decision, then the claim.
  std::unique_ptr<Certificate> certificate;
  PathStatus status = PathStatus::kStated;
  std::string failure;  // reason why the certificate may not hold or does not state the claim; empty if there is none
  PathTrace trace = {};
  // The value of the question's formula, or the reason why it has none.
  std::optional<Term> value = std::nullopt;
  std::string fault = {};
  DefinedVariables defined = {};
  // For the steps of the certificate: the hypotheses that follow from those before them and the instances about bits,
  // and which variables stand for common bits.
  std::vector<size_t> derived = {};
  std::vector<LemmaInstance> bit_instances = {};
  BitSteps::Operands bit_operands = {};
  bool has_conjunctions = false;    // the other MaskMode may give other paths
  bool has_unknown_shifts = false;  // the other ShiftMode may give other paths
};

// One path while it is followed, with the certificate that is built for it.
class FormulaPath {
 public:
  struct Part {
    std::optional<uint32_t> node;  // number of the formula's node; none in a function
    FormulaOp op;
    Term value;
    std::optional<Term> a;  // operands of an operator between two that are computed
    std::optional<Term> b;
  };
  struct Evaluation {
    std::optional<Term> value;  // value; none if it does not exist or is not known
    std::string fault;          // reason why it does not exist
    std::vector<Part> parts;    // parts, operands before the operations that use them
    bool has_unsigned_complement = false;
  };

  // Follows the path that begins with the decisions `choices`. `samples` are points of the domain.
  FormulaPath(const FormulaQuestion& question, const std::vector<NamedValues>& samples, const PathModes& modes,
              std::vector<bool> choices);

  // Builds the certificate of the goal. May be called once.
  FormulaPathResult Run(const FormulaGoal& goal);

  // Operations for FormulaGoal::AddScope and AddGoals.

  // Returns the value, or records why there is none. With `integer`, a function must not compute a number that does not
  // fit it, and its ~ is that of the type.
  Evaluation Evaluate(const FormulaQuestion::BoundFormula& bound, const MachineInteger* integer = nullptr);
  // Evaluates like Evaluate(), but does not claim that there is a value: `fault` is the reason why there is none.
  // `casts` is about a function.
  Evaluation Follow(const FormulaQuestion::BoundFormula& bound, CastMode casts = CastMode::kDecide,
                    const MachineInteger* integer = nullptr);
  BasicTiledIndex<Term> TiledIndexOfLayout() const;
  Term LayoutIndex() const;
  // Makes the relation a goal and returns true if it can be shown.
  bool Claim(const TermRelation& relation) { return decisions_.Claim(relation); }
  void Assume(const TermRelation& relation) { decisions_.Assume(relation); }
  // Returns true if the relation, which is not an equation, holds on this path.
  bool Decide(const TermRelation& relation) { return decisions_.Decide(relation); }
  // Makes the relation a goal of the claim. If it was not shown, `why` is the reason why the path is not proved.
  void Require(const TermRelation& relation, const std::string& why);
  // Suggests bounds of quotients of numbers in [least, largest], which follow by rounding only.
  void SuggestQuotients(Int128 least, Int128 largest);
  // Records the value of the question's formula or, if that is shorter, its canonical form; their equality is a goal.
  void KeepValue(const Evaluation& evaluation, bool simplify);
  // Makes the relation a goal although it was not shown, for the reason `why`.
  void AddUnshownGoal(const TermRelation& relation, const std::string& why);
  // Makes the equality of the terms a goal, and decides conditions that it depends on.
  void AddEquality(const Term& actual, const Term& expected);
  // Makes it a hypothesis that the sides of each pair are equal, and a goal that the first half of the question's
  // indices is equal to the second half. The sides of a pair are one formula at those indices.
  void AddEqualIndices(const std::vector<std::pair<Term, Term>>& values);
  // Makes 0 <= value < bound a goal.
  void AddInRange(const Term& value, const Term& bound);
  FloorRewriter& rewriter() { return rewriter_; }

  int64_t questions() const { return rewriter_.questions() + questions_afresh_; }
  const PathDecisions& decisions() const { return decisions_; }

 private:
  DefinedVariables Defined();
  void AssumeDomain();
  bool AssumptionsHold();
  Evaluation FollowFunction(const FormulaQuestion::BoundFormula& bound, const std::vector<Term>& arguments,
                            CastMode casts, const MachineInteger* integer);
  Term ToTerm(const FormulaSize& size) const { return size.variable ? variables_[*size.variable] : Term(size.number); }
  std::vector<Term> ToTerms(const std::vector<FormulaSize>& sizes) const;
  // Makes it a goal that no point takes this path, on which `what` happens. `why` is the reason if that is not shown.
  void RequireUnreachable(const std::string& what, const std::string& why);
  void Fail(PathStatus status, const std::string& why);
  bool ShowEqualAfresh(const Term& actual, const Term& expected);

  const FormulaQuestion& question_;
  FormulaPathResult result_;
  FloorRewriter rewriter_;
  PathDecisions decisions_;
  PathArithmetic arithmetic_;
  std::vector<Term> variables_;  // terms of FormulaQuestion::variables
  int64_t questions_afresh_ = 0;
  bool has_sample_ = true;  // false if the samples do not satisfy the hypotheses
};

// The paths of a question.
struct FormulaPaths {
  std::vector<FormulaPathResult> paths;
  // The reason why the paths do not cover the domain, such as that there are too many; empty if they do.
  std::string failure;
};

// Follows all paths of the goal's question, which together cover its domain unless there is a failure. `is_last`,
// unless it is null, is called with each path; where it returns true, no other path is followed, which is a failure,
// too.
FormulaPaths ExplorePaths(const FormulaGoal& goal, const std::vector<NamedValues>& samples, const PathModes& modes,
                          const std::function<bool(FormulaPathResult& path)>& is_last = nullptr);

// Follows some paths that leave another path early, and returns those on which the claim was not shown. `choices` are
// the decisions of the other path; each of these paths takes the other side of one of the first. ExplorePaths() comes
// to such paths last: where a question has too many paths, it has seen only those that agree in their first decisions.
std::vector<FormulaPathResult> ExploreTurns(const FormulaGoal& goal, const std::vector<NamedValues>& samples,
                                            const PathModes& modes, const std::vector<bool>& choices);

}  // namespace layoutcheck
