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

void LawCertificates::Complete(bool rests_on_earlier_kernels, ProofResult& result) const {
  if (result.verdict != ProofVerdict::kProved) return;
  if (rests_on_earlier_kernels) JoinCertificates({.no_certificate = "it rests on the kernels before"}, result);
  for (const auto& [proof, has_line] : proofs_) {
    if (proof.law == kRaceFree && result.law != kRelayout) continue;
    ProofResult other{.certificate = has_line ? "" : proof.certificate};
    if (!proof.no_certificate.empty()) {
      other.no_certificate = has_line ? StrCat("it rests on ", proof.law, ", which has none") : proof.no_certificate;
    }
    JoinCertificates(other, result);
  }
  const bool claims_nothing = result.certificate.empty() && result.no_certificate.empty();
  if (claims_nothing) result.no_certificate = "no condition on numbers is left of it";
}

}  // namespace layoutcheck
