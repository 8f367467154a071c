// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/solver/formula_proof/path_claims.h"
#include <algorithm>
#include <chrono>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/solver/formula_proof/formula_goal.h"
#include "layoutcheck/solver/formula_proof/prove_formula.h"
#include "layoutcheck/solver/steps/certificate_text.h"
#include "layoutcheck/solver/steps/proof_steps.h"

namespace layoutcheck {
namespace {

// Returns a text that no other assumptions and condition have.
std::string KeyOf(const PathClaim& claim) { return StrCat(StrJoin(claim.assumptions, "\n"), "\n\n", claim.condition); }

// Returns the claim without assumptions, as an implication: it has points also where the assumptions have none, or none
// that a search finds.
PathClaim AsImplication(const PathClaim& claim) {
  return {{}, StrCat("!(", StrJoin(claim.assumptions, " && "), ") || (", claim.condition, ")"), claim.place};
}

// Returns the formula that not all conditions hold.
std::string NotAll(std::span<const std::string> conditions) {
  return conditions.empty() ? "1 == 0" : StrCat("!(", StrJoin(conditions, " && "), ")");
}

// The claims of one path after another.
class PathClaims {
 public:
  explicit PathClaims(const FormulaQuestion& question) : question_(question) {
    // Names of a claim have no '!', as those of FunctionRun::NewCount() do, and users may take any other name.
    while (std::ranges::any_of(question.variables, [this](const auto& v) { return v.name.starts_with(loop_); })) {
      loop_ += '_';
    }
    for (const FormulaVariable& variable : question.variables) {
      if (variable.least > 0) domain_.push_back(StrCat(variable.least, " <= ", variable.name));
    }
    for (const FormulaIndex& index : question.indices) {
      if (!index.size) continue;
      const FormulaSize& size = *index.size;
      domain_.push_back(StrCat(question.variables[index.variable].name, " < ",
                               size.variable ? question.variables[*size.variable].name : StrCat(size.number)));
    }
  }

  void Add(const FormulaPathResult& path) {
    path_ = &path;
    known_.clear();
    decisions_ = domain_;
    for (const FormulaVariable& variable : question_.variables) {
      if (!variable.IsSigned()) IsNew(LessEqual(variable.least, path.certificate->terms().Variable(variable.name)));
    }
    size_t decided = 0;
    for (const PathOutcome& outcome : path.trace.outcomes) {
      if (outcome.line == "Y" || outcome.line == "N") {
        Flush();
        const TermRelation& relation = path.trace.relations[decided];
        const TermRelation holds = path.trace.choices[decided] ? relation : Negation(relation);
        ++decided;
        IsNew(holds);
        decisions_.push_back(TextOf(holds));
        continue;
      }
      for (const TermRelation& goal : outcome.goals) AddGoal(goal, outcome.place);
    }
    Flush();
  }

  std::vector<PathClaim> Take() { return std::move(claims_); }
  // Returns true if a condition of the paths is too long for a formula. The claims are then not all.
  bool is_too_long() const { return is_too_long_; }

 private:
  // Returns true if the relation does not hold for all numbers, and is not known on the path. It is known from now on.
  bool IsNew(const TermRelation& relation) {
    Certificate& certificate = *path_->certificate;
    const Relation normal = {relation.kind, certificate.Normalize(relation.left),
                             certificate.Normalize(relation.right)};
    const auto fact = FactOf(certificate.ring(), normal);
    const bool is_trivial = fact.polynomial.IsConstant() && fact.polynomial.Constant() >= 0 &&
                            (!fact.is_equation || fact.polynomial.Constant() == 0);
    return !is_trivial && known_.insert({fact.is_equation, fact.polynomial}).second;
  }

  void AddGoal(const TermRelation& goal, const std::string& place) {
    if (goal.left.IsConstant() && goal.right.IsConstant() && IsNew(goal)) {
      Flush();
      Keep({domain_, NotAll(std::span(decisions_).subspan(domain_.size())), place});
      return;
    }
    if (!IsNew(goal)) return;
    const auto group = std::ranges::find(groups_, place, &PathClaim::place);
    PathClaim& claim = group != groups_.end() ? *group : groups_.emplace_back(PathClaim{decisions_, "", place});
    StrAppend(claim.condition, claim.condition.empty() ? "" : " && ", TextOf(goal));
  }

  // Keeps the claims since the last decision.
  void Flush() {
    for (PathClaim& claim : groups_) Keep(std::move(claim));
    groups_.clear();
  }

  void Keep(PathClaim claim) {
    if (texts_.insert(StrCat(KeyOf(claim), "\n", claim.place)).second) claims_.push_back(std::move(claim));
  }

  std::string TextOf(const TermRelation& relation) {
    constexpr std::string_view kNewVariable = "loop!";
    const auto known = RelationText(path_->certificate->terms(), relation, path_->defined);
    if (!known) is_too_long_ = true;
    std::string text = known.value_or("");
    for (size_t at = text.find(kNewVariable); at != std::string::npos; at = text.find(kNewVariable)) {
      text.replace(at, kNewVariable.size(), loop_);
    }
    return text;
  }

  const FormulaQuestion& question_;
  std::string loop_ = "loop_";                   // beginning of the names of new variables
  std::vector<std::string> domain_;              // assumptions of all claims
  const FormulaPathResult* path_ = nullptr;      // the path that is added
  std::vector<std::string> decisions_;           // those of the path so far, behind the domain
  std::set<std::pair<bool, Polynomial>> known_;  // facts of the path so far; true for an equation
  std::vector<PathClaim> groups_;                // claims since the last decision, one per place
  std::vector<PathClaim> claims_;
  std::set<std::string> texts_;  // texts of claims_
  bool is_too_long_ = false;
};

// Proves claims of one question, each with a certificate.
class ClaimProver {
 public:
  ClaimProver(const FormulaQuestion& question, const std::vector<FormulaPathResult>& paths, const ProveOptions& options)
      : question_(question), options_{.rlimit = options.rlimit, .exports = {}, .certificates = true} {
    for (const FormulaPathResult& path : paths) {
      if (!path.certificate->sample.empty()) samples_.push_back(path.certificate->sample);
    }
  }

  // Returns the certificate, or why there is none.
  ClaimCertificates::Result Certify(const PathClaim& claim, std::string_view source) {
    const FormulaRequest request{
        .layout = "", .formula = claim.condition, .equals = "1", .assumptions = claim.assumptions};
    const auto question = MakeFormulaQuestion(request);
    if (!question) return std::unexpected(question.error().message);
    for (const FormulaVariable& variable : question->variables) {
      if (variable.least > LeastOf(variable.name)) {
        return std::unexpected(StrCat("the format takes ", variable.name, " for a size of at least 1"));
      }
    }
    const ClaimLines lines = ClaimLinesOf(request);
    LAYOUTCHECK_TRY(const std::string text,
                    ClaimCertificates::Of(KeyOf(claim), [&] { return Prove(*question, lines); }));
    return WithSource(text, "formula", lines, source);
  }

 private:
  ClaimCertificates::Result Prove(const FormulaQuestion& question, const ClaimLines& lines) {
    EqualityGoal goal(question);
    std::vector<NamedValues> samples = samples_;
    const auto proof = ProveGoal(goal, options_, lines, &samples);
    if (!proof) return std::unexpected(proof.error().message);
    if (!proof->certificate.empty()) return proof->certificate;
    return std::unexpected(proof->verdict == ProofVerdict::kProved ? proof->no_certificate : proof->reason);
  }

  int64_t LeastOf(const std::string& name) const {
    const auto known = std::ranges::find(question_.variables, name, &FormulaVariable::name);
    return known == question_.variables.end() ? 0 : known->least;
  }

  const FormulaQuestion& question_;
  ProveOptions options_;
  std::vector<NamedValues> samples_;  // points of the paths
};

}  // namespace

ClaimCertificates*& ClaimCertificates::Current() {
  thread_local ClaimCertificates* current = nullptr;
  return current;
}

ClaimCertificates::ClaimCertificates() : is_outermost_(Current() == nullptr) {
  if (is_outermost_) Current() = this;
}

ClaimCertificates::~ClaimCertificates() {
  if (is_outermost_) Current() = nullptr;
}

ClaimCertificates::Result ClaimCertificates::Of(const std::string& claim, const std::function<Result()>& make) {
  ClaimCertificates* const kept = Current();
  if (kept == nullptr) return make();
  if (const auto known = kept->results_.find(claim); known != kept->results_.end()) return known->second;
  return kept->results_.emplace(claim, make()).first->second;
}

std::expected<std::vector<PathClaim>, std::string> ClaimsOfPaths(const FormulaQuestion& question,
                                                                 const std::vector<FormulaPathResult>& paths) {
  PathClaims claims(question);
  for (const FormulaPathResult& path : paths) claims.Add(path);
  if (claims.is_too_long()) return std::unexpected("a condition in the code is too long for a formula");
  return claims.Take();
}

void CertifyPaths(const FormulaQuestion& question, const std::vector<FormulaPathResult>& paths, std::string_view source,
                  const ProveOptions& options, ProofResult& result) {
  const auto begin = std::chrono::steady_clock::now();
  result.certificate.clear();
  result.no_certificate = paths.empty() ? NoCertificate(result.method) : "";
  const auto claims = ClaimsOfPaths(question, paths);
  if (!claims) result.no_certificate = claims.error();
  ClaimProver prover(question, paths, options);
  for (size_t k = 0; result.no_certificate.empty() && k < claims->size(); ++k) {
    const PathClaim& claim = (*claims)[k];
    const std::string place = StrCat(source, claim.place.empty() ? "" : ": ", claim.place);
    auto text = prover.Certify(claim, place);
    if (!text && !claim.assumptions.empty()) text = prover.Certify(AsImplication(claim), place);
    if (text) {
      result.certificate += *text;
    } else {
      result.no_certificate = StrCat(claim.place.empty() ? "a condition in the code" : claim.place, ": ", text.error());
    }
  }
  if (!result.no_certificate.empty()) result.certificate.clear();
  result.certificate_seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace layoutcheck
