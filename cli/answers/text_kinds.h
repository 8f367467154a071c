// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kinds of text that `parse` reads.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include "layoutcheck/cli/base/json.h"
#include "layoutcheck/core/base/error.h"

namespace layoutcheck {

// A kind of text: its name in --kind, and the reader that returns the canonical text.
struct TextKind {
  std::string_view name;
  Expected<std::string> (*canonical)(std::string_view text);
};

std::span<const TextKind> TextKinds();

// Returns {"ok":true,"text":...}, or {"ok":false,"stage":...,"column":...,"error":...}.
Json ParsedJson(const Expected<std::string>& result);

}  // namespace layoutcheck
