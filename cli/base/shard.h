// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include "layoutcheck/core/base/error.h"

namespace layoutcheck {

// Reads the value of --shard: "2/3", part two of three, as {1, 3}. Error (kSyntax): anything but K/N with 1 <= K <= N.
Expected<std::pair<uint64_t, uint64_t>> ReadShard(std::string_view text);

}  // namespace layoutcheck
