// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The argument of --shard: part K of N of a run.
#ifndef LAYOUTCHECK_CLI_COMMANDS_SHARD_H_
#define LAYOUTCHECK_CLI_COMMANDS_SHARD_H_

#include <cstdint>
#include <string_view>
#include <utility>

#include "layoutcheck/core/base/error.h"

namespace layoutcheck {

// Reads "2/3", the second part of three, as index 1 and count 3. Error (syntax): anything but K/N with 1 <= K <= N.
Expected<std::pair<uint64_t, uint64_t>> ReadShard(std::string_view text);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_CLI_COMMANDS_SHARD_H_
