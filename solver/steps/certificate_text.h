// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints proofs in the format of docs/certificates.md, which checkers read that share no code with the prover.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
#include "layoutcheck/solver/certificate/certificate.h"
#include "layoutcheck/solver/steps/proof_steps.h"

namespace layoutcheck {

// Returns the first lines: the version, the law, and what it is about as pairs of a word and the text that the user
// gave, such as "layout" and "f32[M]{0:T(8)}". Line breaks and tabs in the texts become spaces.
std::string CertificateHead(std::string_view law, const std::vector<std::pair<std::string_view, std::string>>& about);

// Returns why a proof by this method has no certificate.
std::string NoCertificate(std::string_view method);

// A line on the way that a path takes: "+", or with a polynomial "split POLYNOMIAL Y".
struct OutcomeLine {
  std::string word;
  std::optional<Polynomial> split;
};

// Returns the outcomes, steps and goals of one sequent or path, a line each.
std::string ProofText(const Ring& ring, const ProofSteps& proof, std::span<const OutcomeLine> outcomes = {});

}  // namespace layoutcheck
