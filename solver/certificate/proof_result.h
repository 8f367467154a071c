// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The result of one question to the prover.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace layoutcheck {

enum class ProofVerdict : uint8_t { kProved, kRefuted, kUnknown };

constexpr const char* ProofVerdictName(ProofVerdict verdict) {
  switch (verdict) {
    case ProofVerdict::kProved: return "proved";
    case ProofVerdict::kRefuted: return "refuted";
    case ProofVerdict::kUnknown: return "unknown";
  }
  return "";
}

// Reasons of a verdict kUnknown that depend on the machine.
inline constexpr const char* kOutOfMemory = "memory did not suffice";
inline constexpr const char* kOutOfTime = "time did not suffice: Z3 did work for five minutes that it does not count";

// The reason of a verdict kUnknown for which Z3's budget does not suffice.
inline constexpr const char* kBudgetSpent = "Z3's budget is spent";

// The verdict on one law of one layout or on one formula.
struct ProofResult {
  std::string layout;  // as it was given
  std::string law;
  ProofVerdict verdict = ProofVerdict::kUnknown;
  // Names for all values of which the verdict holds (dimensions >= 0, tile sizes >= 1). It holds for all indices or
  // offsets.
  std::vector<std::string> for_all;
  // "mixed-radix" for a certificate of mixed-radix lemmas, "witness" for a counterexample, and others.
  std::string method;
  double seconds = 0;  // wall clock, without the second solver
  // Counterexample to a refuted law: the names, the index or offset, and the expected and actual values.
  std::vector<std::pair<std::string, int64_t>> counterexample;
  // Sides of a refuted formula ("expected", "actual") without a value at the counterexample, with the reason.
  std::vector<std::pair<std::string, std::string>> without_value;
  // The part of the formula that overflows, if no-overflow is refuted.
  std::string subexpression;
  std::string reason;   // reason of verdict kUnknown
  uint64_t rlimit = 0;  // Z3's work, in its units
  int64_t obligations = 0;
  int64_t lemma_instances = 0;
  // Reason why a second solver was asked nothing about a proof; empty if it was, or was not wanted.
  std::string no_query;
  // The proof in the format of docs/certificates.md, if one was wanted, or why there is none.
  std::string certificate;
  std::string no_certificate;
  double certificate_seconds = 0;  // wall clock of making it
  // Query on which two solvers disagree, with their answers; the verdict is then unknown.
  std::string disagreement;
};

}  // namespace layoutcheck
