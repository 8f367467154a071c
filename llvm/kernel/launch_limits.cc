// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/kernel/launch_limits.h"
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

// Returns why the direction has no threads, or empty.
std::string WhyNoThreads(const LaunchLimits& limits, const LaunchSizes& block, const LaunchSizes& grid, size_t axis) {
  const std::string_view direction = kAxes.substr(axis, 1);
  if (block[axis] && *block[axis] < 1) return StrCat("a block has no thread in ", direction);
  if (grid[axis] && *grid[axis] < 1) return StrCat("the grid has no block in ", direction);
  if (block[axis] && *block[axis] > limits.threads[axis]) {
    return StrCat("a block has more than ", limits.threads[axis], " threads in ", direction);
  }
  if (grid[axis] && *grid[axis] > limits.blocks[axis]) {
    return StrCat("the grid has more than ", limits.blocks[axis], " blocks in ", direction);
  }
  if (limits.threads_of_a_launch < INT64_MAX && block[axis] && grid[axis] &&
      *block[axis] * *grid[axis] > limits.threads_of_a_launch) {
    return StrCat("the launch has more than ", limits.threads_of_a_launch, " threads in ", direction);
  }
  return "";
}

}  // namespace

std::string WhyNoThreadRuns(const LaunchLimits& limits, const LaunchSizes& block, const LaunchSizes& grid) {
  SymbolicInteger threads = 1;
  for (size_t axis = 0; axis < kAxes.size(); ++axis) {
    if (std::string why = WhyNoThreads(limits, block, grid, axis); !why.empty()) return why;
    if (block[axis]) threads *= *block[axis];
  }
  return threads > limits.block_threads ? StrCat("a block has more than ", limits.block_threads, " threads") : "";
}

}  // namespace layoutcheck
