// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/solver/sharding_proof/local_offsets.h"
#include <algorithm>
#include <optional>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/linear/linear_notation.h"
#include "layoutcheck/solver/formula_laws/law_goals.h"
#include "layoutcheck/solver/formula_laws/strided_formula.h"
#include "layoutcheck/solver/formula_proof/prove_formula.h"
#include "layoutcheck/solver/layout_proof/prove.h"

namespace layoutcheck {
namespace {

// Proves or refutes a law of the local layout for the elements of the largest array of a device.
Expected<ProofResult> ProveOfElements(std::string_view law, const SymbolicSharding& sharding,
                                      const std::vector<std::string>& assumptions, const ProveOptions& options) {
  LAYOUTCHECK_TRY(const StridedFormula formula, ReadOffsetFormula(sharding.local));
  FormulaRequest request{.layout = "", .formula = formula.offset, .assumptions = assumptions};
  for (const std::string& name : sharding.positive) request.assumptions.push_back(name + " >= 1");
  bool is_exact = true;
  for (size_t d = 0; d < sharding.dimensions.size(); ++d) {
    const std::optional<std::string> size = sharding.LargestSize(d);
    is_exact = is_exact && size.has_value();
    StrAppend(request.over, d == 0 ? "" : ", ", "i", d, " < ", size.value_or(formula.extents[d]));
  }
  if (law == "in-bounds") {
    request.formula = StrCat("min(", formula.offset, ", 0)");
    request.equals = "0";
  }
  LAYOUTCHECK_TRY(ProofResult result,
                  law == "in-bounds" ? ProveFormula(request, options) : ProveInjective(request, options));
  for (auto& [name, value] : result.counterexample) {
    if (name == "value") name = "offset";
  }
  if (result.verdict != ProofVerdict::kRefuted || is_exact) return result;
  ProofResult unknown;
  unknown.seconds = result.seconds;
  unknown.reason = "the local layout breaks the law at a coordinate that need not be that of an element";
  return unknown;
}

}  // namespace

Expected<std::vector<ProofResult>> ProveLocalOffsets(const SymbolicSharding& sharding,
                                                     const std::vector<std::string>& assumptions,
                                                     const ProveOptions& options) {
  std::vector<std::string> laws = {"injective"};
  if (!IsLinearNotation(sharding.local)) laws.emplace_back("in-bounds");  // offsets in bits are never below 0
  LAYOUTCHECK_TRY(std::vector<ProofResult> results, IsNamedStridedText(sharding.local)
                                                        ? ProveStridedFormula(sharding.local, laws, options)
                                                        : ProveLayout(sharding.local, laws, options));
  for (ProofResult& result : results) {
    if (result.verdict == ProofVerdict::kProved) continue;
    LAYOUTCHECK_TRY(result, ProveOfElements(result.law, sharding, assumptions, options));
  }
  return results;
}

}  // namespace layoutcheck
