// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The launches that a GPU runs.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include "layoutcheck/solver/paths/symbolic_integer.h"

namespace layoutcheck {

inline constexpr std::string_view kAxes = "xyz";

// Threads or blocks in each direction; none where there may be any number.
using LaunchSizes = std::array<std::optional<SymbolicInteger>, 3>;

// Limits of a launch in x, y and z.
struct LaunchLimits {
  std::array<int64_t, 3> threads;  // of a block
  std::array<int64_t, 3> blocks;
  int64_t block_threads;        // of a block in all directions
  int64_t threads_of_a_launch;  // in each direction
};

// NVIDIA, CUDA C++ Programming Guide, "Technical Specifications per Compute Capability".
inline constexpr LaunchLimits kCudaLimits{{1024, 1024, 64}, {INT32_MAX, 65535, 65535}, 1024, INT64_MAX};
// AMD, HIP Runtime API, hipModuleLaunchKernel: fewer than 2^32 threads in each direction.
inline constexpr LaunchLimits kHipLimits{{1024, 1024, 1024}, {UINT32_MAX, UINT32_MAX, UINT32_MAX}, 1024, UINT32_MAX};

// Triton: a tensor has at most 2^20 elements, each of which is a thread here.
inline constexpr LaunchLimits kTritonLimits{
    {1 << 20, 1 << 20, 1 << 20}, {INT32_MAX, 65535, 65535}, int64_t{1} << 40, INT64_MAX};

// Returns why no thread of the launch runs, such as "a block has more than 1024 threads"; empty if threads run.
std::string WhyNoThreadRuns(const LaunchLimits& limits, const LaunchSizes& block, const LaunchSizes& grid);

}  // namespace layoutcheck
