// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs the kernel of a refutation on this machine.
#pragma once

#include <optional>
#include "layoutcheck/llvm/kernel/kernel_model.h"
#include "layoutcheck/llvm/kernel_proof/launch_simulation.h"
#include "layoutcheck/llvm/kernel_proof/prove_kernel.h"

namespace layoutcheck {

// Runs the kernel at the counterexample of a refuted law, and writes into `proof.machine` what it did, or why it was
// not run. If the machine does not do what the refutation says, the verdict becomes unknown, with a disagreement: a
// mistake of layoutcheck. `fault` is that of laws about all threads.
void CheckKernelOnMachine(const KernelRequest& request, const KernelModel& model, const SimulationFault* fault,
                          KernelProof& proof);

}  // namespace layoutcheck
