// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/solver/sharding_proof/shard_question.h"
#include <algorithm>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/formula/formula.h"
#include "layoutcheck/solver/formula_laws/law_goals.h"
#include "layoutcheck/solver/formula_proof/formula_point.h"
#include "layoutcheck/solver/formula_proof/path_claims.h"
#include "layoutcheck/solver/formula_proof/prove_formula.h"

namespace layoutcheck {
namespace {

Expected<ProofResult> ProveShardGoal(FormulaGoal& goal, std::string_view source, const ProveOptions& options) {
  ProveOptions without_certificates = options;
  without_certificates.certificates = false;
  std::vector<FormulaPathResult> paths;
  auto result = ProveGoal(goal, without_certificates, {}, nullptr, options.certificates ? &paths : nullptr);
  if (result && options.certificates && result->verdict == ProofVerdict::kProved) {
    CertifyPaths(goal.question(), paths, source, options, *result);
  }
  return result;
}

}  // namespace

size_t ShardDomain::AddVariable(FormulaVariable variable) {
  const size_t number = question_.variables.size();
  numbers_->emplace(variable.name, number);
  question_.variables.push_back(std::move(variable));
  return number;
}

void ShardDomain::AddName(const std::string& name, int64_t least) {
  if (!numbers_->contains(name)) AddVariable({name, FormulaVariable::Kind::kDimension, least});
}

void ShardDomain::AddNames(const SymbolicSharding& sharding, int64_t least) {
  for (const std::string& name : sharding.names) AddName(name, sharding.positive.contains(name) ? 1 : least);
}

void ShardDomain::AddIndex(const std::string& name, const SymbolicSize& size) {
  const size_t variable = AddVariable({name, FormulaVariable::Kind::kIndex});
  const FormulaSize bound =
      size.name.empty() ? FormulaSize{std::nullopt, size.value} : FormulaSize{numbers_->at(size.name), 0};
  question_.indices.push_back({variable, bound});
}

void ShardDomain::AddIndex(const std::string& name) {
  question_.indices.push_back({AddVariable({name, FormulaVariable::Kind::kIndex}), std::nullopt});
}

Expected<FormulaQuestion::BoundFormula> ShardDomain::Bind(std::string_view text, std::string_view option) const {
  auto parsed = ParseFormula(text);
  if (!parsed) return MakeError(parsed.error().kind, StrCat(option, ": ", parsed.error().ToString()));
  FormulaQuestion::BoundFormula bound{*std::move(parsed), {}};
  for (const std::string& name : bound.formula.names) {
    const auto number = numbers_->find(name);
    if (number == numbers_->end()) {
      return ArgumentError(option, ": expected a name of the layout, found '", name.substr(0, 40), "'");
    }
    bound.names.push_back({number->second, 0});
  }
  return bound;
}

ShardDomain ShardDomain::Copy() const {
  ShardDomain copy = *this;
  copy.numbers_ = std::make_shared<std::map<std::string, size_t>>(*numbers_);
  return copy;
}

Expected<void> ShardDomain::Assume(std::string_view assumption) {
  LAYOUTCHECK_TRY(auto bound, Bind(assumption, "--assume"));
  question_.assumptions.push_back(std::move(bound));
  return {};
}

Expected<ProofResult> ShardDomain::ProveFormulaIs(std::string_view formula, SymbolicFunction value,
                                                  const std::string& source, const ProveOptions& options) const {
  FormulaQuestion question = question_;
  LAYOUTCHECK_TRY(question.formula, Bind(formula, "--formula"));
  std::vector<FormulaSize> arguments;
  for (size_t k = 0; k < question.variables.size(); ++k) arguments.push_back({k, 0});
  question.equals = BindFunction(question, std::move(value), std::move(arguments), source);
  EqualityGoal goal(question);
  return ProveShardGoal(goal, source, options);
}

Expected<ProofResult> ShardDomain::Prove(const ShardClaim& claim, std::string_view source,
                                         const ProveOptions& options) const {
  FormulaQuestion question = question_;
  std::vector<FormulaSize> arguments;
  for (size_t k = 0; k < question.variables.size(); ++k) arguments.push_back({k, 0});
  const std::string subject = StrCat(source, ": ", claim.subject);
  question.formula = BindFunction(question, claim.value, arguments, subject);
  question.equals = BindFunction(question, claim.bound, arguments, "its bound");
  if (claim.relation == ShardRelation::kEquals) {
    EqualityGoal goal(question);
    return ProveShardGoal(goal, subject, options);
  }
  RangeGoal goal(question);
  return ProveShardGoal(goal, subject, options);
}

void SetNames(const SymbolicSharding& sharding, ProofResult& result) {
  result.for_all = sharding.names;
  for (const std::string& name : sharding.names) {
    result.ranges[name] = sharding.positive.contains(name) ? kPositiveRange : kNotNegativeRange;
  }
}

void AddClaimResult(ProofResult claim, ProofResult& law) {
  law.seconds += claim.seconds;
  law.certificate_seconds += claim.certificate_seconds;
  law.rlimit += claim.rlimit;
  law.obligations += claim.obligations;
  law.lemma_instances += claim.lemma_instances;
  if (law.method.empty() || claim.method == "z3" || claim.method == "bit-vectors") {
    law.method = claim.method;  // a proof is no better than its weakest part
  } else if (law.method != "z3" && law.method != "bit-vectors" && !law.method.contains(claim.method)) {
    StrAppend(law.method, ", ", claim.method);
  }
  law.certificate += claim.certificate;
  if (law.no_certificate.empty()) law.no_certificate = claim.no_certificate;
  if (!law.no_certificate.empty()) law.certificate.clear();
  if (law.no_query.empty()) law.no_query = claim.no_query;
  if (law.disagreement.empty()) law.disagreement = claim.disagreement;
  if (law.verdict == ProofVerdict::kRefuted || claim.verdict == ProofVerdict::kProved) return;
  if (claim.verdict == ProofVerdict::kUnknown && law.verdict == ProofVerdict::kUnknown) return;
  law.verdict = claim.verdict;
  law.reason = std::move(claim.reason);
  if (claim.verdict != ProofVerdict::kRefuted) return;
  law.method = std::move(claim.method);
  law.counterexample = std::move(claim.counterexample);
  law.without_value = std::move(claim.without_value);
  law.subexpression = std::move(claim.subexpression);
}

}  // namespace layoutcheck
