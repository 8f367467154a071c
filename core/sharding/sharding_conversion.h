// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversions of a sharding between the notations of HLO, Shardy, JAX, DTensor and tt-metal.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/sharding/sharding.h"
#include "layoutcheck/core/sharding/sharding_text.h"

namespace layoutcheck {

enum class ShardingNotation : uint8_t { kHlo, kShardy, kJax, kDTensor, kTtMetal };

// Returns the notation in which the sharding was written.
ShardingNotation NotationOf(const ShardingText& text);

// Returns the text of the same sharding in another notation, where `sharding` is what MakeSharding makes of `text`. A
// text that is already in this notation stays as it is. Axes of a mesh keep their names; if one of them has none that
// all notations can write, all are named x0, x1, ... In every other case the text is read back, and is returned only if
// each device has the same ranges of indices and an array of the same sizes.
//
// Error (unsupported): the notation cannot express the sharding, with the reason; more than 2^22 pairs of a device and
// a block, which are not compared.
Expected<std::string> ConvertSharding(const ShardingText& text, const Sharding& sharding, ShardingNotation to);

}  // namespace layoutcheck
