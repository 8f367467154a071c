// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Certificates of the laws of a kernel, with those of the laws on which they rest.
#pragma once

#include <string>
#include <utility>
#include <vector>
#include "layoutcheck/solver/certificate/proof_result.h"

namespace layoutcheck {

// Adds to the certificate of a proof that of another one on which it rests. Where either has none, it has none, for the
// first reason.
void JoinCertificates(const ProofResult& other, ProofResult& result);

// The proofs on which the laws of one kernel rest, with their certificates.
class LawCertificates {
 public:
  // Keeps a proof on which all laws rest that are completed from now on. With `has_line`, its own verdict has its
  // certificate, and the certificates of the others need not repeat it.
  void Add(ProofResult proof, bool has_line) { proofs_.push_back({std::move(proof), has_line}); }
  // Adds to the certificate of a proved law those of the proofs on which it rests: race-free for relayout alone, the
  // others for all laws. It has none where one of these has none.
  void Complete(ProofResult& result) const;
  // Adds those of all proofs to the certificate of a proved law of a later kernel, which rests on what is known of the
  // stores of this one. `name` is that of this kernel.
  void CompleteLater(const std::string& name, ProofResult& result) const;

 private:
  struct Proof {
    ProofResult result;
    bool has_line;
  };
  // Adds the certificate of the proof, unless its own line has it. `name` is its law, as a message names it.
  static void Join(const Proof& proof, const std::string& name, ProofResult& result);

  std::vector<Proof> proofs_;
};

}  // namespace layoutcheck
