// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of the toolkits of CUDA and HIP that code for a GPU calls. Open it to add one.
#pragma once

#include <string>

namespace layoutcheck {

// Returns the text that declares them, for the prelude: atomics, shuffles, votes, arithmetic, conversions of half and
// bf16, and groups of threads.
std::string GpuFunctions();

// The function that __syncwarp() of the prelude calls.
inline constexpr const char* kWarpBarrier = "layoutcheck_warp_barrier";

}  // namespace layoutcheck
