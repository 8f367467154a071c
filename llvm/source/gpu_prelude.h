// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Declarations that stand in for the headers of CUDA and HIP, so that kernels compile without an installation.
#pragma once

#include <string>
#include <string_view>

namespace layoutcheck {

enum class GpuTarget {
  kNvidia,  // CUDA for NVPTX
  kAmd,     // HIP for AMDGPU
  kHost,    // C++ for this machine: the numbers of the thread are variables, a barrier calls layoutcheck_barrier
};

// Returns the text to compile before a kernel's source: qualifiers, vector types, the numbers of the thread, atomics,
// shuffles, groups and conversions.
std::string GpuPrelude(GpuTarget target);

// Writes headers into the folder that the prelude makes unnecessary, such as cuda_runtime.h. They include nothing.
// Returns false if that fails.
bool WriteGpuHeaders(const std::string& folder);

// Returns true for the name of a header of a toolkit that has no stand-in, such as "cub/cub.cuh".
bool IsToolkitHeader(std::string_view name);

}  // namespace layoutcheck
