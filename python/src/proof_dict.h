// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Verdicts of the prover as dicts.
#pragma once

#include <nanobind/nanobind.h>
#include "layoutcheck/solver/certificate/proof_result.h"

namespace layoutcheck::python {

// Returns the members of a verdict by name. Requires the interpreter lock.
nanobind::dict ProofDict(const ProofResult& result);

}  // namespace layoutcheck::python
