// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Questions whose names are all bounded: by numbers, if they are few points, a goal is decided at every point;
// questions about many points are queries over bit vectors. Trusted, because checkers of certificates do not follow the
// queries, and evaluate only some of the points themselves.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>
#include "layoutcheck/solver/certificate/smt_printer.h"
#include "layoutcheck/solver/formula_proof/formula_goal.h"

namespace layoutcheck {

// The least and the largest value of each variable of a question. No point outside of the box is in its domain.
struct FiniteBox {
  std::vector<int64_t> least;
  std::vector<int64_t> most;
};

// Returns a box of at most `max_points` points, or nothing if the question gives none. The bounds are those of indices
// with sizes, and comparisons of a name with a number that an assumption requires ("0 <= x && x < 32").
std::optional<FiniteBox> FiniteBoxOf(const FormulaQuestion& question, int64_t max_points);
// Returns the box, however many points it has, if it bounds every variable.
std::optional<FiniteBox> BoundedBoxOf(const FormulaQuestion& question);

// Returns the least value of each variable, by the same bounds: FormulaVariable::kNoLeast for one without a bound.
std::vector<int64_t> LeastValuesOf(const FormulaQuestion& question);

struct BoxResult {
  std::optional<FormulaPoint> found;  // point at which the goal fails
  // True if no point failed and every point was decided: it is outside of the domain or scope, or the goal holds there.
  bool holds = false;
  bool has_point = false;  // a point is in the domain and in scope
};

// Decides the goal at the points of the box, in order, until one fails or cannot be decided.
BoxResult DecideBox(FormulaGoal& goal, const FiniteBox& box);

// A query that is unsatisfiable if a claim holds. All its vectors have one width, chosen from the ranges of values so
// that nothing wraps. A formula cannot be read as bit vectors if a part may have no value in the box, if a dividend or
// a divisor may be negative, if it calls a function, or if it needs more than 128 bits.
class BitVectorQuery {
 public:
  // Declares the variables of the question with the bounds of the box, which has bounds for all, and its assumptions.
  BitVectorQuery(const FormulaQuestion& question, FiniteBox box);

  // State that the claim is wrong, after all assumptions: that the formulas have different values, or, for a claim of
  // injectivity, that they have equal values and that an index of the first half differs from that of the second half.
  // The relation is "=" or "distinct".
  void Require(const char* relation, const FormulaQuestion::BoundFormula& a, const FormulaQuestion::BoundFormula& b);
  void RequireDifferentIndices();

  // Returns the query, which is unsatisfiable if the claim holds, or nothing if a formula cannot be read.
  std::optional<SmtQuery> Finish(const std::string& title) const;

 private:
  // A part of a formula, defined in the query by a symbol of its own.
  struct Part {
    std::string symbol;
    Int128 least = 0;
    Int128 most = 0;
  };

  std::optional<Part> Read(const FormulaQuestion::BoundFormula& bound);
  std::optional<Part> ReadNode(const Formula& formula, const FormulaNode& node, const std::vector<Part>& parts);
  std::optional<Part> ReadBinary(FormulaOp op, const Part& a, const Part& b);
  std::optional<Part> ReadDivision(FormulaOp op, const Part& a, const Part& b);
  std::optional<Part> ReadBits(FormulaOp op, const Part& a, const Part& b);
  std::optional<Part> ReadCast(const FormulaNode& node, const Part& a);
  std::optional<Part> ReadTable(const std::vector<Part>& elements, const Part& index);
  Part Number(Int128 value);
  // Returns a part with this text and the range, or nothing if the range needs more than 128 bits.
  std::optional<Part> Define(std::string text, WideInteger least, WideInteger most);
  std::optional<Part> DefineTruth(const std::string& claim);

  const FormulaQuestion& question_;
  FiniteBox box_;
  // The query in order. In the text of a part, a number n is written "#n#", because the width is known at the end.
  std::string text_;
  size_t parts_ = 0;
  int width_ = 2;
  bool is_readable_ = true;
};

}  // namespace layoutcheck
