// What a proof ends with.
#ifndef LAYOUTCHECK_SOLVER_PROOF_VERDICT_H_
#define LAYOUTCHECK_SOLVER_PROOF_VERDICT_H_

#include <cstdint>

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

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_SOLVER_PROOF_VERDICT_H_
