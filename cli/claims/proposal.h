// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The file of claims that `init` proposes for a folder.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include "layoutcheck/core/base/error.h"

namespace layoutcheck {

struct ClaimProposal {
  std::string text;  // of layoutcheck.toml
  size_t functions = 0;
  size_t kernels = 0;
  size_t dumps = 0;  // HLO dumps
};

// Returns entries for what is in the folder and below it: those of functions and kernels as comments, to be completed,
// and one of the HLO dumps. Left out are hidden folders, build trees of CMake, and node_modules. Error (unavailable): a
// folder that cannot be read.
Expected<ClaimProposal> ProposeClaims(const std::filesystem::path& folder);

}  // namespace layoutcheck
