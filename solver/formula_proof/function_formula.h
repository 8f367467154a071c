// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The formula that a function computes.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/solver/certificate/proof_result.h"
#include "layoutcheck/solver/formula_proof/formula_path.h"
#include "layoutcheck/solver/formula_proof/formula_question.h"

namespace layoutcheck {

// Follows the function of the question on all paths of the domain, which `max_bytes` bounds as for a FormulaGoal. Each
// path has the function's value there, or the reason why there is none.
struct ExploreOptions {
  CastMode casts = CastMode::kDecide;
  // A value may be an equal term that is shorter, whose equality is a goal of the path's certificate.
  bool simplify = false;
  ShiftMode shifts = ShiftMode::kSplit;
  // Points of the domain beside those of a search. What is false at one on a path need not be asked of a solver.
  std::vector<NamedValues> samples = {};
  // Returns true if no other paths are needed (ExplorePaths).
  std::function<bool(FormulaPathResult& path)> is_last = nullptr;
};
FormulaPaths ExploreValues(const FormulaQuestion& question, std::optional<Int128> max_bytes,
                           const ExploreOptions& options);

struct FunctionFormula {
  // Points at which the function has no value.
  struct NoValue {
    std::string where;   // condition, as a formula
    std::string reason;  // "a value + a value overflows int32 at f.c:7"
    bool operator==(const NoValue&) const = default;
  };

  std::string text;    // formula in the notation of core/formula; empty if it is not known
  std::string reason;  // reason why it is not known
  std::vector<NoValue> no_value;
};

// Returns a formula that has the value of the question's function at all points of the domain at which the function has
// one: the values of its paths, as nested `condition ? a : b`. Certificates confirm the paths and simplifications.
FunctionFormula FormulaOfFunction(const FormulaQuestion& question, std::optional<Int128> max_bytes,
                                  const ProveOptions& options = {});

// Adds a certificate to the proof that the question's function is right, or the reason why there is none. It is about
// the formula that the function computes, which is returned: that the function computes it is no part of the
// certificate. `request` says what it is compared with, and `source` names the function.
std::string CertifyFunction(const FormulaQuestion& question, std::optional<Int128> max_bytes, FormulaRequest request,
                            std::string_view source, const ProveOptions& options, ProofResult& result);

}  // namespace layoutcheck
