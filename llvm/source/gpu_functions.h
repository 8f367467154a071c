// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of the toolkits of CUDA and HIP that code for a GPU calls. Open it to add one.
#pragma once

#include <string>

namespace layoutcheck {

// Returns the text that declares them, for the prelude: the two below, atomics, shuffles, votes and bits of integers.
std::string GpuFunctions();
// Returns functions of floating-point numbers, their conversions and constants.
std::string GpuNumbers();
// Returns groups of threads, and products of tiles by warps.
std::string GpuGroups();

// The functions of the prelude at which threads of a warp wait: those of a mask, and tiles of so many threads.
inline constexpr const char* kWarpBarrier = "__syncwarp";
inline constexpr const char* kTileBarrier = "layoutcheck_tile_barrier";

}  // namespace layoutcheck
