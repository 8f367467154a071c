// HLO instruction lines as values, their strict parser, a tolerant reader for lines of modules and dumps, and their
// canonical text.
#ifndef LAYOUTCHECK_CORE_HLO_INSTRUCTION_H_
#define LAYOUTCHECK_CORE_HLO_INSTRUCTION_H_

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/hlo/shape.h"

namespace layoutcheck {

struct HloInstruction;

// One operand: a name, a shape, both, or an instruction in place.
struct HloOperand {
  std::optional<Shape> shape;
  // Without `%`; empty for an operand that is a shape only or an instruction.
  std::string name;
  // name#1#0: element 0 of element 1 of the tuple `name`.
  std::vector<int64_t> tuple_indices;
  // Empty, or the one instruction that stands in place of a name.
  std::vector<HloInstruction> instruction;

  bool operator==(const HloOperand& other) const;
};

// , name=text after the operands. The text is as written.
struct HloAttribute {
  std::string name;
  std::string text;

  bool operator==(const HloAttribute&) const = default;
};

// [ROOT] name = shape opcode(operands), attributes. Names are not resolved.
struct HloInstruction {
  bool is_root = false;
  // Without `%`; empty where only the right-hand side is given.
  std::string name;
  // Missing where the text leaves it to be inferred.
  std::optional<Shape> shape;
  std::string opcode;
  std::vector<HloOperand> operands;
  // What stands in the parentheses of a `parameter` or `constant`, as written.
  std::string literal;
  std::vector<HloAttribute> attributes;

  bool operator==(const HloInstruction&) const = default;
};

// The shapes of instructions that operands may name.
using HloScope = std::map<std::string, Shape, std::less<>>;

// Instructions in place of operands may be nested this deep.
inline constexpr int64_t kMaxNestedInstructions = 200;

// The one instruction that the whole text is, with or without `name =`. As strict as XLA's reader of single
// instructions: names and opcodes are known words, every name has a shape (its first mention, or one in `scope`) and
// keeps it, attributes are `name=value`, each once, and name no computation, of which there is none. Errors: kSyntax
// with a column, or kInvalidLayout where all is well formed but a layout.
Expected<HloInstruction> ParseInstruction(std::string_view text, const HloScope& scope = {});

// One line of a module, a dump or a profile: operands with or without shapes, any opcode, attributes of any form as
// long as brackets and quotes balance; nothing is resolved. Errors as above.
Expected<HloInstruction> ReadInstructionLine(std::string_view line);

// `[ROOT ][name = ][shape ]opcode(operands)[, attribute=text]...`. Reads back as an equal instruction if its shapes do.
// A name has a `%` where it would not be read as a name without.
std::string ToString(const HloInstruction& instruction);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_CORE_HLO_INSTRUCTION_H_
