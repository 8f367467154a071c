// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kinds of text that are fuzzed, and the reference's answer to one text.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include "layoutcheck/core/base/error.h"

namespace layoutcheck {

// An instruction is one line of a module, a dump or a profile, as ReadInstructionLine takes it.
enum class TextKind { kShape, kLayout, kInstruction };

// Returns the name in `--kind` and in the subject protocol: "shape", "layout" or "instruction".
std::string_view TextKindName(TextKind kind);
std::optional<TextKind> TextKindFromName(std::string_view name);

// Returns the canonical text. Errors: kSyntax, with the column; kInvalidLayout.
Expected<std::string> CanonicalText(TextKind kind, std::string_view text);

}  // namespace layoutcheck
