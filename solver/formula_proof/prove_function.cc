// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/solver/formula_proof/prove_function.h"
#include <algorithm>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/solver/formula_proof/formula_point.h"
#include "layoutcheck/solver/formula_proof/function_formula.h"
#include "layoutcheck/solver/formula_proof/prove_formula.h"

namespace layoutcheck {
namespace {

// Returns a function of one span, which concatenates the index, the dimensions and the tiles.
template <class Int>
std::function<Int(std::span<const Int>)> JoinArguments(const LayoutFunction::Of<Int>& function, size_t rank) {
  return [&function, rank](std::span<const Int> arguments) {
    return function(arguments.first(rank), arguments.subspan(rank, rank), arguments.subspan(2 * rank));
  };
}

FormulaQuestion::BoundFormula MakeBound(const FormulaQuestion& question, SymbolicFunction function,
                                        const std::vector<FormulaSize>& sizes) {
  std::vector<FormulaSize> arguments;
  for (const FormulaIndex& index : question.indices) arguments.push_back({index.variable, 0});
  arguments.insert(arguments.end(), sizes.begin(), sizes.end());
  return BindFunction(question, std::move(function), std::move(arguments), "the function");
}

Expected<FormulaQuestion> MakeQuestion(std::string_view text, const LayoutFunction& function) {
  LAYOUTCHECK_TRY(FormulaQuestion question, MakeFormulaQuestion({std::string(text), "0", std::nullopt, {}}));
  const size_t rank = question.indices.size();
  if (function.rank && *function.rank != rank) {
    return ArgumentError(text, " has ", rank, " dimensions: expected a function of ", rank,
                         " coordinates, it takes an array of ", *function.rank);
  }
  std::vector<FormulaSize> sizes;
  for (const FormulaIndex& index : question.indices) sizes.push_back(*index.size);
  for (const auto& tile : question.layout->layout.tiles) {
    for (const auto& entry : tile) {
      if (entry.combine) continue;
      const auto variable = std::ranges::find(question.variables, entry.size.name, &FormulaVariable::name);
      sizes.push_back(entry.size.name.empty()
                          ? FormulaSize{std::nullopt, entry.size.value}
                          : FormulaSize{static_cast<size_t>(variable - question.variables.begin()), 0});
    }
  }
  question.formula =
      MakeBound(question, {JoinArguments(function.symbolic, rank), JoinArguments(function.numeric, rank)}, sizes);
  return question;
}

// Returns a question about a function of an index in a box of these sizes, without an expected value.
Expected<FormulaQuestion> MakeQuestion(std::span<const int64_t> sizes, const SymbolicFunction& function) {
  FormulaQuestion question;
  for (const int64_t size : sizes) {
    if (size < 1) return ArgumentError("expected sizes of 1 or more, found ", size);
    const size_t variable = question.variables.size();
    question.variables.push_back({StrCat("i", variable), FormulaVariable::Kind::kIndex, 0});
    question.indices.push_back({variable, FormulaSize{std::nullopt, size}});
  }
  question.formula = MakeBound(question, function, {});
  return question;
}

Expected<ProofResult> Prove(const Expected<FormulaQuestion>& question, std::string_view integers,
                            const ProveOptions& options) {
  if (!question) return std::unexpected(question.error());
  if (integers.empty()) {
    EqualityGoal goal(*question);
    return ProveGoal(goal, options);
  }
  LAYOUTCHECK_TRY(const MachineInteger integer, MachineIntegerOf(integers));
  OverflowGoal goal(*question, integer);
  return ProveGoal(goal, options);
}

}  // namespace

Expected<ProofResult> ProveEqual(std::span<const int64_t> sizes, const SymbolicFunction& function,
                                 const SymbolicFunction& expected, const ProveOptions& options) {
  Expected<FormulaQuestion> question = MakeQuestion(sizes, function);
  if (question) {
    question->equals = question->formula;
    question->equals->function = expected;
  }
  return Prove(question, "", options);
}

Expected<ProofResult> ProveNoOverflow(std::span<const int64_t> sizes, const SymbolicFunction& function,
                                      std::string_view integers, const ProveOptions& options) {
  return Prove(MakeQuestion(sizes, function), integers, options);
}

Expected<ProofResult> ProveLayoutFunction(std::string_view layout, const LayoutFunction& function,
                                          std::string_view integers, const ProveOptions& options) {
  const Expected<FormulaQuestion> question = MakeQuestion(layout, function);
  Expected<ProofResult> result = Prove(question, integers, options);
  const bool has_certificate = options.certificates && integers.empty();
  if (has_certificate && result && result->verdict == ProofVerdict::kProved) {
    CertifyFunction(*question, std::nullopt, {.layout = std::string(layout)}, "a C++ function", options, *result);
  }
  return result;
}

std::string FunctionProof::message() const {
  if (!result_) return result_.error().ToString();
  const ProofResult& proof = *result_;
  std::string text = StrCat(proof.layout, ": ", ProofVerdictName(proof.verdict));
  if (proof.verdict == ProofVerdict::kProved) {
    return StrCat(text, " ", ForAllText(proof.for_all, proof.ranges));
  }
  if (proof.verdict == ProofVerdict::kUnknown) {
    StrAppend(text, ": ", proof.disagreement.empty() ? proof.reason : proof.disagreement);
    return text;
  }
  std::vector<std::string> names;
  std::vector<std::string> index;
  std::vector<std::string> sides;
  for (const auto& [name, value] : proof.counterexample) {
    const bool is_side = name == "expected" || name == "actual";
    const bool is_name = std::ranges::find(proof.for_all, name) != proof.for_all.end();
    if (is_side) {
      sides.push_back(StrCat(name, " ", value));
    } else if (is_name) {
      names.push_back(StrCat(name, " = ", value));
    } else {
      index.push_back(StrCat(value));
    }
  }
  for (const auto& [side, why] : proof.without_value) sides.push_back(StrCat(side, " has no value: ", why));
  if (!names.empty()) StrAppend(text, " for ", StrJoin(names, ", "));
  StrAppend(text, "\n  index (", StrJoin(index, ","), "): ");
  if (!proof.subexpression.empty()) StrAppend(text, proof.subexpression, ": ");
  return text + StrJoin(sides, ", ");
}

}  // namespace layoutcheck
