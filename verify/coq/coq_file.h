// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Certificates as files for Coq, which checks them with no code of this program: the claim as a theorem over the
// definitions of proofs/, and its proof.
#pragma once

#include <cstddef>
#include <expected>
#include <string>
#include <string_view>

namespace layoutcheck::verify {

// Returns the theorem claim<number> for one certificate. The theorem of a claim about a formula is proved by the steps
// of the certificate. A law of a tiled layout is an instance of a theorem of proofs/Main.v. The error says why there is
// none: the certificate is not accepted, or proofs/ does not define what its claim is about.
std::expected<std::string, std::string> CoqTheorem(std::string_view certificate, size_t number);

}  // namespace layoutcheck::verify
