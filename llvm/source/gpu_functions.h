// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of the toolkits of CUDA and HIP that code for a GPU calls. Open it to add one.
#pragma once

#include <string>

namespace layoutcheck {

// Returns the text that declares them, for the prelude: atomics, shuffles, votes, arithmetic, conversions of half and
// bf16, and groups of threads.
std::string GpuFunctions();

// The functions of the prelude at which threads of a warp wait: those of a mask, and tiles of so many threads.
inline constexpr const char* kWarpBarrier = "__syncwarp";
inline constexpr const char* kTileBarrier = "layoutcheck_tile_barrier";

}  // namespace layoutcheck
