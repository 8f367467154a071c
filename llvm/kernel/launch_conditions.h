// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The limits of GPUs as conditions on the sizes, for a launch whose numbers of blocks and threads are formulas.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>
#include "layoutcheck/llvm/kernel/kernel_model.h"

namespace layoutcheck {

struct LaunchCondition {
  std::string text;           // "M ceildiv 8 <= 65535"
  bool is_largest_x = false;  // CUDA's limit of blocks in x, beyond which there is no launch at all
  bool is_broken = false;     // true if it is false at the values
};

// Returns all conditions for which a launch runs that depend on the sizes, as far as they are upper limits.
std::vector<LaunchCondition> LaunchConditions(const KernelModel& model,
                                              const std::vector<std::pair<std::string, int64_t>>& values);

// The condition under which the launch of a refuted "complete" runs, and the law is proved.
struct LaunchBorder {
  std::string condition;      // empty if none is found
  bool is_largest_x = false;  // LaunchCondition::is_largest_x
};

// Returns the border at the counterexample.
LaunchBorder BorderOfLaunch(const KernelModel& model, const std::vector<std::pair<std::string, int64_t>>& values,
                            const std::function<bool(const std::string& condition)>& is_right_while);

}  // namespace layoutcheck
