// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include "layoutcheck/core/xla_util/bitcast.h"

namespace layoutcheck {

// Returns the steps of a bitcast in words of logical indices: "a reshape", "a transpose by {1,0}", or "a transpose by
// {1,0,2} to f32[3,2,4]{2,1,0}, a reshape to f32[6,4]{1,0}, a transpose by {1,0}".
std::string DecompositionText(const BitcastDecomposition& decomposition);

}  // namespace layoutcheck
