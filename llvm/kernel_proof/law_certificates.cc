// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/kernel_proof/law_certificates.h"
#include <string>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/llvm/kernel_proof/asked_laws.h"

namespace layoutcheck {

void JoinCertificates(const ProofResult& other, ProofResult& result) {
  result.certificate_seconds += other.certificate_seconds;
  if (result.no_certificate.empty()) result.no_certificate = other.no_certificate;
  result.certificate = result.no_certificate.empty() ? other.certificate + result.certificate : "";
}

void LawCertificates::Join(const Proof& proof, const std::string& name, ProofResult& result) {
  const auto& [other, has_line] = proof;
  ProofResult joined{.certificate = has_line ? "" : other.certificate};
  if (!other.no_certificate.empty()) {
    joined.no_certificate = has_line ? StrCat("it rests on ", name, ", which has none") : other.no_certificate;
  }
  JoinCertificates(joined, result);
}

void LawCertificates::Complete(ProofResult& result) const {
  if (result.verdict != ProofVerdict::kProved) return;
  for (const Proof& proof : proofs_) {
    const std::string& law = proof.result.law;
    if (law != kRaceFree || result.law == kRelayout) Join(proof, law, result);
  }
  const bool claims_nothing = result.certificate.empty() && result.no_certificate.empty();
  if (claims_nothing) result.no_certificate = "no condition on numbers is left of it";
}

void LawCertificates::CompleteLater(const std::string& name, ProofResult& result) const {
  if (result.verdict != ProofVerdict::kProved) return;
  for (const Proof& proof : proofs_) Join(proof, StrCat(proof.result.law, " of ", name), result);
}

}  // namespace layoutcheck
