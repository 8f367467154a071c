// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HLO instructions as values, with a strict parser, a tolerant reader for lines of modules and dumps, and a printer.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/hlo/parser.h"
#include "layoutcheck/core/hlo/shape.h"

namespace layoutcheck {

struct HloInstruction;

// One operand: a name, a shape, both, or a nested instruction.
struct HloOperand {
  std::optional<Shape> shape;
  // Without `%`. Empty if the operand is only a shape or a nested instruction.
  std::string name;
  // {1, 0} for `name#1#0`, which is element 0 of element 1 of the tuple `name`.
  std::vector<int64_t> tuple_indices;
  // Empty, or the one nested instruction.
  std::vector<HloInstruction> instruction;

  bool operator==(const HloOperand& other) const;
};

// An attribute `name=text` after the operands. The text is kept as written.
struct HloAttribute {
  std::string name;
  std::string text;

  bool operator==(const HloAttribute&) const = default;
};

// An instruction `[ROOT] name = shape opcode(operands), attributes`. Names are not resolved.
struct HloInstruction {
  bool is_root = false;
  // Without `%`. Empty if the text has only the right-hand side.
  std::string name;
  // Missing if the text leaves it to be inferred.
  std::optional<Shape> shape;
  std::string opcode;
  std::vector<HloOperand> operands;
  // The text between the parentheses of a `parameter` or `constant`, as written.
  std::string literal;
  std::vector<HloAttribute> attributes;

  bool operator==(const HloInstruction&) const = default;
};

// Shapes of the instructions that operands may name, by name.
using HloScope = std::map<std::string, Shape, std::less<>>;

// The parsers accept at most this depth of nested instructions.
inline constexpr int64_t kMaxNestedInstructions = 200;

// Parses the whole text as one instruction, with or without `name =`, as strictly as XLA's parser of single
// instructions: opcodes are known; every operand name has a shape, at its first mention or in `scope`, and keeps it;
// attributes are `name=value`, occur at most once, and name no computation, because there is none. Errors: kSyntax with
// a column, or kInvalidLayout if the text is well formed but contains an invalid layout.
Expected<HloInstruction> ParseInstruction(std::string_view text, const HloScope& scope = {});

// Reads one line of a module, dump or profile. Operands may lack shapes, opcodes may be unknown, and attributes may
// have any form in which brackets and quotes balance. Errors: as of ParseInstruction.
Expected<HloInstruction> ReadInstructionLine(std::string_view line, const ParseOptions& options = {});

// Returns `[ROOT ][name = ][shape ]opcode(operands)[, attribute=text]...`, which parses to an equal instruction if the
// texts of its shapes parse to equal shapes (printer.h). Puts `%` before a name that could not be read without it.
std::string ToString(const HloInstruction& instruction);

}  // namespace layoutcheck
