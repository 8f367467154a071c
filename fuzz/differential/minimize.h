// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Simplifies a text while a claim about it holds: first its value, then its tokens, then its bytes.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include "layoutcheck/fuzz/text/text_kind.h"

namespace layoutcheck {

// Returns the simplest text found with at most `max_evaluations` calls of `holds`, which must be true for `text`.
// Shorter texts are simpler, then those with smaller bytes; f32 is the simplest element type.
std::string MinimizeText(TextKind kind, std::string text, const std::function<bool(std::string_view)>& holds,
                         int64_t max_evaluations);

}  // namespace layoutcheck
