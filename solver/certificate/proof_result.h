// The result of one question to the prover.
#ifndef LAYOUTCHECK_SOLVER_CERTIFICATE_PROOF_RESULT_H_
#define LAYOUTCHECK_SOLVER_CERTIFICATE_PROOF_RESULT_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace layoutcheck {

enum class ProofVerdict : uint8_t { kProved, kRefuted, kUnknown };

// "proved", "refuted", "unknown".
constexpr const char* ProofVerdictName(ProofVerdict verdict) {
  switch (verdict) {
    case ProofVerdict::kProved: return "proved";
    case ProofVerdict::kRefuted: return "refuted";
    case ProofVerdict::kUnknown: return "unknown";
  }
  return "";
}

// What is known of one law of one layout.
struct ProofResult {
  std::string layout;  // as it was given
  std::string law;
  ProofVerdict verdict = ProofVerdict::kUnknown;
  // The names that the verdict is about: for all of them, every dimension >= 0 and every tile size >= 1, and for all
  // indices or offsets.
  std::vector<std::string> for_all;
  // How it was reached: "mixed-radix" for a certificate of mixed-radix lemmas, "witness" for a counterexample.
  std::string method;
  double seconds = 0;  // wall clock, without a second solver
  // Of a refuted law: the values of the names, the place, and what is expected and found there.
  std::vector<std::pair<std::string, int64_t>> counterexample;
  // Of a refuted formula: which side has no value there, "expected" or "actual", and why. Empty almost always.
  std::vector<std::pair<std::string, std::string>> without_value;
  // Of a refuted no-overflow: the part of the formula that overflows.
  std::string subexpression;
  std::string reason;   // of an unknown
  uint64_t rlimit = 0;  // Z3's work, in its units
  int64_t obligations = 0;
  int64_t lemma_instances = 0;
  // What two solvers do not agree on; empty almost always. The verdict is unknown then.
  std::string disagreement;
};

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_SOLVER_CERTIFICATE_PROOF_RESULT_H_
