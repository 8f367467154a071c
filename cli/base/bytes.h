// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include "layoutcheck/core/base/error.h"

namespace layoutcheck {

// Returns a number of bytes for people: "512 B", "1.5 KiB", "32 GiB", with four digits at most.
std::string RoundedBytes(int64_t bytes);

// Returns a difference: "+1.5 MiB", "-512 B" or "0 B".
std::string SignedRoundedBytes(int64_t bytes);

// Parses "4096", "64MiB", "1.5 GiB" (powers of 1024: B, KiB, MiB, GiB, TiB) or "10MB" (powers of 1000). Errors
// (syntax): anything else, and what does not fit into int64.
Expected<int64_t> ParseBytes(std::string_view text);

}  // namespace layoutcheck
