// A formula run on a symbolic integer, one path at a time. Where the value of an operator depends on a condition (a
// comparison, min, C's / with its two roundings), the condition is shown, or its negation is, or both are tried: each
// on a path of its own, on which it is a hypothesis. So the terms of a path have + - * floordiv and mod alone, and its
// certificate says: from the hypotheses follow what was shown on the way and that the two sides are equal.
#ifndef LAYOUTCHECK_SOLVER_FORMULA_PROOF_FORMULA_PATH_H_
#define LAYOUTCHECK_SOLVER_FORMULA_PROOF_FORMULA_PATH_H_

#include <memory>
#include <string>
#include <vector>

#include "layoutcheck/core/base/error.h"
#include "layoutcheck/solver/formula_proof/machine_integer.h"
#include "layoutcheck/solver/rewrite/floor_rewriter.h"

namespace layoutcheck {

struct FormulaPathResult {
  // The goals of the certificate: that the conditions that were taken for known hold, and, at the end, equality.
  std::unique_ptr<Certificate> certificate;
  // An assumption is false or has no value here: the question is not about this path.
  bool excluded = false;
  // The certificate does not have the goal: the value of the formula could not be written down.
  bool unsupported = false;
  // Nothing is known of this path or of any after it, and `failure` says why.
  bool gave_up = false;
  // Why the certificate is not expected to hold, or does not say enough; empty where it does.
  std::string failure;
};

// All paths of a question; together they cover every point that it is about. `samples` are points at which it may be
// evaluated. An error (unsupported) where there are more paths than `max_paths`, they take too much work, or a function
// cannot be followed. With `integer` the goal is another one: that every part of the formula that is evaluated fits
// that integer, where the bytes of the layout's padded elements do, if there is a layout.
Expected<std::vector<FormulaPathResult>> ExplorePaths(const FormulaQuestion& question,
                                                      const std::vector<NamedValues>& samples, size_t max_paths,
                                                      const MachineInteger* integer = nullptr);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_SOLVER_FORMULA_PROOF_FORMULA_PATH_H_
