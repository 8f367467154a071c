// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The conditions on which a proof about a function rests, as claims about formulas, which have certificates.
#pragma once

#include <expected>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/solver/certificate/proof_result.h"
#include "layoutcheck/solver/formula_proof/formula_path.h"
#include "layoutcheck/solver/formula_proof/formula_question.h"

namespace layoutcheck {

// A condition that a path of a function needs: it holds at all values of the names at which the assumptions hold.
struct PathClaim {
  std::vector<std::string> assumptions;  // formulas: the domain, and the decisions on the path so far
  std::string condition;                 // formula
  std::string place;  // place in the code, or what would happen there; empty if the function says none
  bool operator==(const PathClaim&) const = default;
};

// The certificates that this thread has made of claims, while an object of this type exists: the laws of one kernel
// have most claims in common. Objects inside the life of another one share its memory.
class ClaimCertificates {
 public:
  using Result = std::expected<std::string, std::string>;  // a certificate, or why there is none

  ClaimCertificates();
  ~ClaimCertificates();
  ClaimCertificates(const ClaimCertificates&) = delete;
  ClaimCertificates& operator=(const ClaimCertificates&) = delete;

  // Returns the result of the claim with this text, which make() returns the first time.
  static Result Of(const std::string& claim, const std::function<Result()>& make);

 private:
  // Returns the outermost object of this thread, or null.
  static ClaimCertificates*& Current();

  bool is_outermost_;
  std::map<std::string, Result> results_;
};

// Returns what was shown on the paths, each claim once. A path on which the function has no value gives the claim that
// not all of its decisions are met. If all claims are true, each point of the domain takes one of the paths, on which
// the function has its value. Fails with a reason if a condition is too long for a formula.
std::expected<std::vector<PathClaim>, std::string> ClaimsOfPaths(const FormulaQuestion& question,
                                                                 const std::vector<FormulaPathResult>& paths);

// Adds the certificates of all claims of the paths to a proof that the question's function is right, or the reason why
// one of them has none. Each names `source` and the claim's place. That the function takes these paths, and meets these
// conditions on them, is no part of the certificates.
void CertifyPaths(const FormulaQuestion& question, const std::vector<FormulaPathResult>& paths, std::string_view source,
                  const ProveOptions& options, ProofResult& result);

}  // namespace layoutcheck
