// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints proofs in the format of docs/certificates.md, which checkers read that share no code with the prover.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
#include "layoutcheck/solver/certificate/certificate.h"
#include "layoutcheck/solver/steps/proof_steps.h"

namespace layoutcheck {

// The lines of a certificate that say what its claim is about: a word such as "layout" and a text, as the user gave it.
using ClaimLines = std::vector<std::pair<std::string_view, std::string>>;

// Returns the first lines: the version, the law, and what it is about. Line breaks and tabs in the texts become spaces.
std::string CertificateHead(std::string_view law, const ClaimLines& claim);

// Returns the lines between the first lines of a certificate, which are `head`, and the last one.
std::string_view CertificateBody(std::string_view certificate, std::string_view head);

// Adds to the claim of a certificate the text from which its formula, or without one its layout, was read.
std::string WithSource(std::string_view certificate, std::string_view law, ClaimLines claim, std::string_view source);

// Returns why a proof by this method has no certificate.
std::string NoCertificate(std::string_view method);

// A line on the way that a path takes: "+", or with a polynomial "split POLYNOMIAL Y".
struct OutcomeLine {
  std::string word;
  std::optional<Polynomial> split;
};

// The operands of variables that stand for the common bits of two polynomials.
using CommonBitsOperands = std::map<AtomId, std::pair<Polynomial, Polynomial>>;

// Returns the lines of one sequent or path: its outcomes, then the steps and goals of its proofs in order.
std::string ProofText(const Ring& ring, std::span<const ProofSteps> proofs, std::span<const OutcomeLine> outcomes = {},
                      const CommonBitsOperands& common = {});

}  // namespace layoutcheck
