// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/hlo/instruction.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/hlo/lexer.h"
#include "layoutcheck/core/hlo/printer.h"

namespace layoutcheck {
namespace {

void AppendRightHandSide(std::string& out, const HloInstruction& instruction);

void AppendName(std::string& out, std::string_view name) {
  const Lexer lexer(name);
  if (!lexer.token().Is(TokenKind::kIdent, name)) out.push_back('%');
  out.append(name);
}

void AppendOperand(std::string& out, const HloOperand& operand) {
  if (!operand.instruction.empty()) return AppendRightHandSide(out, operand.instruction[0]);
  if (operand.shape) StrAppend(out, ToString(*operand.shape), operand.name.empty() ? "" : " ");
  if (operand.name.empty()) return;
  AppendName(out, operand.name);
  for (const int64_t index : operand.tuple_indices) StrAppend(out, "#", index);
}

void AppendRightHandSide(std::string& out, const HloInstruction& instruction) {
  if (instruction.shape) StrAppend(out, ToString(*instruction.shape), " ");
  StrAppend(out, instruction.opcode, "(", instruction.literal);
  for (size_t i = 0; i < instruction.operands.size(); ++i) {
    if (i > 0) out.append(", ");
    AppendOperand(out, instruction.operands[i]);
  }
  out.push_back(')');
  for (const HloAttribute& attribute : instruction.attributes) {
    StrAppend(out, ", ", attribute.name, "=", attribute.text);
  }
}

}  // namespace

// HloInstruction is incomplete in the header.
bool HloOperand::operator==(const HloOperand& other) const = default;

std::string ToString(const HloInstruction& instruction) {
  std::string out;
  if (instruction.is_root) out.append("ROOT ");
  if (!instruction.name.empty()) {
    AppendName(out, instruction.name);
    out.append(" = ");
  }
  AppendRightHandSide(out, instruction);
  return out;
}

}  // namespace layoutcheck
