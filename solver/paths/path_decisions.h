// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The decisions on one path of a formula: relations that could be neither shown nor refuted.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>
#include "layoutcheck/solver/certificate/certificate.h"
#include "layoutcheck/solver/rewrite/floor_rewriter.h"

namespace layoutcheck {

class PathDecisions {
 public:
  // The kind of a relation and the nodes of its sides. Runs of the same path have the same subjects in the same order.
  using Subject = std::array<uint32_t, 3>;

  static constexpr int kUnboundedBits = 1000;

  // Takes the decisions in `choices` in order, then decides that all later relations hold.
  PathDecisions(Certificate& certificate, FloorRewriter& rewriter, std::vector<bool> choices)
      : certificate_(certificate), rewriter_(rewriter), choices_(std::move(choices)) {}

  // Returns true if the relation, which is not an equation, holds on this path. A relation that can be shown or refuted
  // becomes a goal; any other is decided and becomes a hypothesis.
  bool Decide(const TermRelation& relation);
  // Decides the equation left == right like Decide().
  bool DecideEqual(const Term& left, const Term& right);
  // Returns the number that the term is on this path, chosen among up to 2^max_bits values, or nothing if it may take
  // more.
  std::optional<int64_t> DecideNumber(const Term& term, int max_bits);
  // Returns the number in [0, end) that the term is on this path, or nothing if it is outside. Requires end >= 1.
  std::optional<int64_t> DecideBelow(const Term& term, int64_t end);
  // Returns the least n <= 62 for which 0 <= term < 2^n can be shown, kUnboundedBits if only 0 <= term can be shown, or
  // nothing. The relations become goals.
  std::optional<int> BitsOf(const Term& term);
  // Decides a relation that can be neither shown nor refuted.
  bool Choose(const TermRelation& relation);
  void Assume(const TermRelation& relation);
  // Returns a new variable >= 0.
  Term NewVariable();
  // Returns the canonical form of the term; that they are equal becomes a goal.
  Term Simplified(const Term& term);
  const TermContext& terms() const { return certificate_.terms(); }
  // Returns true if the expressions have become too large to work with.
  bool overflow() const { return certificate_.ring().overflow(); }
  // Makes the relation a goal and returns true if it can be shown.
  bool Claim(const TermRelation& relation);

  const std::vector<bool>& choices() const { return choices_; }
  const std::vector<Subject>& subjects() const { return subjects_; }         // one per decision taken
  const std::vector<TermRelation>& relations() const { return relations_; }  // likewise

 private:
  // Returns the number that the term is, which is known to be in [least, most].
  int64_t DecideBetween(const Term& term, int64_t least, int64_t most);

  Certificate& certificate_;
  FloorRewriter& rewriter_;
  std::vector<bool> choices_;
  std::vector<Subject> subjects_;
  std::vector<TermRelation> relations_;
  int new_variables_ = 0;
};

}  // namespace layoutcheck
