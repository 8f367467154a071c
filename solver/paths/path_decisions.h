// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The decisions on one path of a formula: relations that could be neither shown nor refuted.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>
#include "layoutcheck/solver/certificate/certificate.h"
#include "layoutcheck/solver/rewrite/floor_rewriter.h"

namespace layoutcheck {

// Returns a term that is 2^exponent. Requires 0 <= exponent <= 125.
inline Term TwoToThe(int exponent) { return Term(WideInteger(Int128{1} << exponent)); }

// Returns the negation of an inequality.
inline TermRelation Negation(const TermRelation& relation) {
  const bool is_strict = relation.kind == TermRelation::Kind::kLess;
  return is_strict ? LessEqual(relation.right, relation.left) : Less(relation.right, relation.left);
}

// Returns the least number in [low, high) that `holds`, or `high`. Requires that it holds for all larger ones, too.
template <class Int, class Holds>
Int FirstWhere(Int low, Int high, const Holds& holds) {
  while (low < high) {
    const Int middle = low + (high - low) / 2;
    if (holds(middle)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

// One step of the evaluation on a path: a line of its certificate (docs/certificates.md), such as "+" or "Y", and the
// relations that it claims. The line is empty for the claim at the end.
struct PathOutcome {
  std::string line;
  std::vector<TermRelation> goals = {};
  std::optional<TermRelation> split = std::nullopt;  // relation of a decision that is no part of the evaluation
  std::string place = {};                            // place in the code, if a function has said it (SetPlace)
};

// The course of a path.
struct PathTrace {
  std::vector<bool> choices;            // one per decision
  std::vector<TermRelation> relations;  // one per decision taken
  std::vector<PathOutcome> outcomes;    // steps of the evaluation, which determine it if `untraced` is empty
  std::string untraced;                 // reason why the outcomes do not
};

class PathDecisions {
 public:
  // The kind of a relation and the nodes of its sides. Runs of the same path have the same subjects in the same order.
  using Subject = std::array<uint32_t, 3>;

  static constexpr int kUnboundedBits = 1000;

  // Takes the decisions in `choices` in order, then decides that all later relations hold.
  PathDecisions(Certificate& certificate, FloorRewriter& rewriter, std::vector<bool> choices)
      : certificate_(certificate), rewriter_(rewriter), trace_{std::move(choices), {}, {}, {}} {}

  // Returns true if the relation, which is not an equation, holds on this path. A relation that can be shown or refuted
  // becomes a goal; any other is decided and becomes a hypothesis.
  bool Decide(const TermRelation& relation);
  // Decides the equation left == right like Decide().
  bool DecideEqual(const Term& left, const Term& right);
  // Returns the number that the term is on this path, one of up to 2^max_bits values, or nothing if there may be more.
  std::optional<int64_t> DecideNumber(const Term& term, int max_bits);
  // Returns the number in [0, end) that the term is on this path, or nothing if it is outside. Requires end >= 1.
  std::optional<int64_t> DecideBelow(const Term& term, int64_t end);
  // Returns the least n <= 62 for which 0 <= term < 2^n can be shown, kUnboundedBits if only 0 <= term can be shown, or
  // nothing. The relations become goals.
  std::optional<int> BitsOf(const Term& term);
  // Decides a relation that can be neither shown nor refuted and that the evaluation does not depend on.
  bool Split(const TermRelation& relation);
  void Assume(const TermRelation& relation);
  // Returns a new variable >= 0.
  Term NewVariable();
  // Returns the canonical form of the term; that they are equal becomes a goal and an outcome.
  Term Simplified(const Term& term);
  const TermContext& terms() const { return certificate_.terms(); }
  // Returns true if the expressions have become too large to work with.
  bool overflow() const { return certificate_.ring().overflow(); }
  // Makes the relation a goal and returns true if it can be shown.
  bool Claim(const TermRelation& relation);

  // Adds a line to the outcomes, unless it is about numbers alone.
  void Record(std::string line, std::vector<TermRelation> goals);
  // Adds a line without goals before the outcomes from number `place` on.
  void RecordBefore(size_t place, std::string line);
  // Says which place in the code the outcomes that follow are about. The function is called for each of them.
  void SetPlace(std::function<std::string()> place) { place_ = std::move(place); }
  // Records that the outcomes do not determine the evaluation, for the reason `why`.
  void RecordUntraced(const std::string& why) { trace_.untraced = why; }
  bool IsNumber(const Term& term) { return certificate_.Normalize(term).IsConstant(); }
  const PathTrace& trace() const { return trace_; }
  const std::vector<Subject>& subjects() const { return subjects_; }  // one per decision taken

 private:
  // Decides a relation that can be neither shown nor refuted.
  bool Choose(const TermRelation& relation);
  std::string Place() const { return place_ ? place_() : std::string(); }
  // Returns the number that the term is, which is known to be in [least, most].
  int64_t DecideBetween(const Term& term, int64_t least, int64_t most);

  Certificate& certificate_;
  FloorRewriter& rewriter_;
  PathTrace trace_;
  std::vector<Subject> subjects_;
  std::function<std::string()> place_;
  int new_variables_ = 0;
};

}  // namespace layoutcheck
