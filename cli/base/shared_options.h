// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Options that several commands have.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include "layoutcheck/cli/base/option.h"

namespace layoutcheck {

// Returns --jobs N, the number of threads. Sets `jobs` to the default, the number of processors, at once.
Option JobsOption(uint64_t& jobs, OptionTraits traits = kNoTraits);

// Returns --shard K/N, for ReadShard. `what` is the verb of its help: "check", "prove".
Option ShardOption(std::string_view what, std::string& shard);

}  // namespace layoutcheck
