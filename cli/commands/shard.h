// Part K of N of a run, as --shard says it.
#ifndef LAYOUTCHECK_CLI_COMMANDS_SHARD_H_
#define LAYOUTCHECK_CLI_COMMANDS_SHARD_H_

#include <cstdint>
#include <string_view>
#include <utility>

#include "layoutcheck/core/base/error.h"

namespace layoutcheck {

// "2/3", the second of three, as index 1 and count 3. Errors: anything but K/N with 1 <= K <= N (syntax).
Expected<std::pair<uint64_t, uint64_t>> ReadShard(std::string_view text);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_CLI_COMMANDS_SHARD_H_
