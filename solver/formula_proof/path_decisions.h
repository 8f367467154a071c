// The decisions on a path, and the conditions that need none.
#ifndef LAYOUTCHECK_SOLVER_FORMULA_PROOF_PATH_DECISIONS_H_
#define LAYOUTCHECK_SOLVER_FORMULA_PROOF_PATH_DECISIONS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "layoutcheck/solver/certificate/certificate.h"
#include "layoutcheck/solver/rewrite/floor_rewriter.h"

namespace layoutcheck {

// A relation that holds where the given one, which is no equation, does not.
TermRelation Negation(const TermRelation& relation);

class PathDecisions {
 public:
  // Takes the decisions of `choices`, in order, and true for all that come after.
  PathDecisions(Certificate& certificate, FloorRewriter& rewriter, std::vector<bool> choices)
      : certificate_(certificate), rewriter_(rewriter), choices_(std::move(choices)) {}

  // Whether the relation holds on this path. Where it, or its negation, can be shown, that becomes a goal; otherwise it
  // is a decision, and becomes a hypothesis. Not for equations.
  bool Decide(const TermRelation& relation);
  // left == right
  bool DecideEqual(const Term& left, const Term& right);
  // A decision about what is known to be undecided.
  bool Choose(const TermRelation& relation);
  // Adds the relation as a hypothesis of the path.
  void Assume(const TermRelation& relation);
  // Whether the relation can be shown; it is a goal then.
  bool Claim(const TermRelation& relation);

  // The decisions that were taken.
  const std::vector<bool>& choices() const { return choices_; }
  size_t taken() const { return taken_; }
  // What each of them was about: the same numbers for the same terms, made in the same order.
  const std::vector<std::array<uint32_t, 3>>& subjects() const { return subjects_; }

 private:
  Certificate& certificate_;
  FloorRewriter& rewriter_;
  std::vector<bool> choices_;
  size_t taken_ = 0;
  std::vector<std::array<uint32_t, 3>> subjects_;
};

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_SOLVER_FORMULA_PROOF_PATH_DECISIONS_H_
