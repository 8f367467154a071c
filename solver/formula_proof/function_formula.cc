// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/solver/formula_proof/function_formula.h"
#include <algorithm>
#include <chrono>
#include <span>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/solver/certificate/certificate_check.h"
#include "layoutcheck/solver/certificate/z3_solver.h"
#include "layoutcheck/solver/formula_proof/formula_goal.h"
#include "layoutcheck/solver/formula_proof/formula_search.h"
#include "layoutcheck/solver/formula_proof/prove_formula.h"
#include "layoutcheck/solver/steps/certificate_text.h"

namespace layoutcheck {
namespace {

constexpr uint64_t kReachableRlimit = 1'200'000;  // of Z3, per path without a value

// Follows the function and claims nothing about its value.
class ValueGoal final : public FormulaGoal {
 public:
  ValueGoal(const FormulaQuestion& question, std::optional<Int128> max_bytes, const ExploreOptions& options)
      : FormulaGoal(question, max_bytes), options_(options) {}

  const char* law() const override { return "formula"; }
  std::optional<bool> IsTrueAt(const FormulaPoint&) override { return std::nullopt; }
  void DescribeFailure(const FormulaPoint&, ProofResult&) override {}
  void AddGoals(FormulaPath& path) const override {
    path.KeepValue(path.Follow(question().formula, options_.casts), options_.simplify);
  }
  std::string Predicate() const override { return "is followed"; }

 private:
  ExploreOptions options_;
};

class FormulaBuilder {
 public:
  explicit FormulaBuilder(const ProveOptions& options) : options_(options) {}

  FunctionFormula Build(std::vector<FormulaPathResult> paths) {
    for (FormulaPathResult& path : paths) {
      if (!Check(path)) return std::move(formula_);
    }
    Part whole = PartOf(paths, 0);
    formula_.no_value = std::move(whole.no_value);
    const std::optional<std::string>& text = whole.text;
    if (!formula_.reason.empty()) return std::move(formula_);
    if (!text) {
      formula_.reason = formula_.no_value.empty() ? "there is no point at which it could have a value"
                                                  : StrCat("it has no value anywhere: ", formula_.no_value[0].reason);
    } else if (const auto parsed = ParseFormula(*text); !parsed) {
      formula_.reason = StrCat("the formula is too long: ", parsed.error().ToString());
    } else {
      formula_.text = *text;
    }
    return std::move(formula_);
  }

 private:
  using NoValues = std::vector<FunctionFormula::NoValue>;

  // The part of the formula for some paths.
  struct Part {
    std::optional<std::string> text;  // nothing if the function has no value on them
    NoValues no_value;
    bool is_other = false;  // there are paths of the part about which nothing is said
  };

  // Confirms what the path rests on, or excludes it if it has neither value nor points. Returns false if that fails.
  bool Check(FormulaPathResult& path) {
    if (path.status != PathStatus::kExcluded && !path.fault.empty()) {
      const SolverModel model = FindModel(HypothesesQuery(*path.certificate), {}, kReachableRlimit);
      if (model.run.answer == SolverAnswer::kUnsat) path.status = PathStatus::kExcluded;
      if (path.status == PathStatus::kExcluded) return true;
    }
    uint64_t work = 0;
    formula_.reason = path.status == PathStatus::kUnsupported
                          ? path.failure
                          : WhyNotConfirmed(*path.certificate, options_.rlimit, work);
    return formula_.reason.empty();
  }

  // Returns the part for paths whose first `depth` decisions are the same.
  Part PartOf(std::span<const FormulaPathResult> paths, size_t depth) {
    const FormulaPathResult& first = paths[0];
    if (first.trace.choices.size() == depth) {
      if (first.status == PathStatus::kExcluded) return {std::nullopt, {}, !first.fault.empty()};
      if (!first.value) return {std::nullopt, {{"", first.fault}}, false};
      return {OrTooLong(TermText(first.certificate->terms(), *first.value, first.defined)), {}, false};
    }
    const auto other =
        std::ranges::find_if(paths, [&](const FormulaPathResult& path) { return !path.trace.choices[depth]; });
    const auto count = static_cast<size_t>(other - paths.begin());
    Part yes = PartOf(paths.first(count), depth + 1);
    Part no = count < paths.size() ? PartOf(paths.subspan(count), depth + 1) : Part{};
    const TermRelation& decided = first.trace.relations[depth];
    // Where the other side has no value, the condition need not be named: no value is all that it adds.
    if (no.text || no.is_other) AddCondition(first, decided, yes.no_value);
    if (yes.text || yes.is_other) AddCondition(first, Negation(decided), no.no_value);
    for (FunctionFormula::NoValue& value : no.no_value) {
      if (std::ranges::find(yes.no_value, value) == yes.no_value.end()) yes.no_value.push_back(std::move(value));
    }
    return {TextOf(first, decided, yes.text, no.text), std::move(yes.no_value), yes.is_other || no.is_other};
  }

  std::optional<std::string> OrTooLong(std::optional<std::string> text) {
    if (!text) formula_.reason = "the formula is too long";
    return text;
  }

  void AddCondition(const FormulaPathResult& path, const TermRelation& holds, NoValues& values) {
    if (values.empty()) return;
    const auto text = OrTooLong(RelationText(path.certificate->terms(), holds, path.defined));
    for (FunctionFormula::NoValue& value : values) {
      value.where = StrCat(text.value_or(""), value.where.empty() ? "" : " && ", value.where);
    }
  }

  std::optional<std::string> TextOf(const FormulaPathResult& path, const TermRelation& decided,
                                    const std::optional<std::string>& yes, const std::optional<std::string>& no) {
    if (!yes || !no || *yes == *no) return yes ? yes : no;
    const TermContext& terms = path.certificate->terms();
    const auto left = OrTooLong(TermText(terms, decided.left, path.defined));
    const auto right = OrTooLong(TermText(terms, decided.right, path.defined));
    if (!left || !right) return std::nullopt;
    if (*yes == *left && *no == *right) return StrCat("min(", *left, ", ", *right, ")");
    if (*yes == *right && *no == *left) return StrCat("max(", *left, ", ", *right, ")");
    return StrCat(*RelationText(terms, decided, path.defined), " ? ", *yes, " : ", *no);
  }

  const ProveOptions& options_;
  FunctionFormula formula_;
};

}  // namespace

FormulaPaths ExploreValues(const FormulaQuestion& question, std::optional<Int128> max_bytes,
                           const ExploreOptions& options) {
  ValueGoal goal(question, max_bytes, options);
  const SearchResult search = SearchPoints(goal, SearchRound::kFirst);
  std::vector<NamedValues> samples = PickSamples(question, search.samples);
  samples.insert(samples.end(), options.samples.begin(), options.samples.end());
  return ExplorePaths(goal, samples, {MaskMode::kSplit, options.shifts}, options.is_last);
}

FunctionFormula FormulaOfFunction(const FormulaQuestion& question, std::optional<Int128> max_bytes,
                                  const ProveOptions& options) {
  using enum CastMode;
  FunctionFormula formula;
  for (const ShiftMode shifts : {ShiftMode::kPowers, ShiftMode::kSplit}) {
    bool has_unknown_shifts = false;
    for (const ExploreOptions& how :
         {ExploreOptions{kUnlessShown, true, shifts}, {kUnlessShown, false, shifts}, {kAlways, false, shifts}}) {
      FormulaPaths explored = ExploreValues(question, max_bytes, how);
      has_unknown_shifts =
          has_unknown_shifts || std::ranges::any_of(explored.paths, &FormulaPathResult::has_unknown_shifts);
      FunctionFormula found = explored.failure.empty() ? FormulaBuilder(options).Build(std::move(explored.paths))
                                                       : FunctionFormula{.reason = std::move(explored.failure)};
      if (!found.text.empty()) return found;
      if (formula.reason.empty()) formula = std::move(found);
    }
    if (!has_unknown_shifts) break;
  }
  return formula;
}

std::string CertifyFunction(const FormulaQuestion& question, std::optional<Int128> max_bytes, FormulaRequest request,
                            std::string_view source, const ProveOptions& options, ProofResult& result) {
  const auto begin = std::chrono::steady_clock::now();
  const FunctionFormula function = FormulaOfFunction(question, max_bytes, {.rlimit = options.rlimit});
  result.certificate.clear();
  result.no_certificate.clear();
  if (function.text.empty() || !function.no_value.empty()) {
    result.no_certificate = StrCat("the formula that it computes is not known: ",
                                   function.text.empty() ? function.reason : function.no_value[0].reason);
    return "";
  }
  request.formula = function.text;
  const Expected<ProofResult> proof = ProveFormula(request, {.rlimit = options.rlimit, .certificates = true});
  if (!proof) {
    result.no_certificate = proof.error().message;
  } else if (proof->verdict != ProofVerdict::kProved) {
    // The function is followed only for arrays that are no larger than the claim says.
    result.no_certificate = "the formula that it computes is not proved for arrays of all sizes";
  } else if (proof->certificate.empty()) {
    result.no_certificate = proof->no_certificate;
  } else {
    result.certificate = WithSource(proof->certificate, proof->law, ClaimLinesOf(request), source);
  }
  result.certificate_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return function.text;
}

}  // namespace layoutcheck
