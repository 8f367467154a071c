// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/hlo/instruction_rules.h"
#include <algorithm>
#include <string_view>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/hlo/equality.h"
#include "layoutcheck/core/hlo/lexer.h"
#include "layoutcheck/core/hlo/printer.h"

namespace layoutcheck {
namespace {

template <size_t kSize>
bool IsOneOf(std::string_view word, const std::string_view (&words)[kSize]) {
  return std::ranges::find(words, word) != std::end(words);
}

// Attributes whose value is the name of a computation.
constexpr std::string_view kComputationAttributes[] = {"body",    "calls",  "condition", "false_computation",
                                                       "scatter", "select", "to_apply",  "true_computation"};
// Attributes whose value is a list in braces of names of computations.
constexpr std::string_view kComputationListAttributes[] = {"branch_computations", "called_computations"};

// Returns the number of arrays, tokens and opaque values in a shape.
int64_t CountLeaves(const Shape& shape) {
  int64_t leaves = 0;
  std::vector<const Shape*> pending = {&shape};
  while (!pending.empty()) {
    const Shape* const part = pending.back();
    pending.pop_back();
    if (!part->IsTuple()) ++leaves;
    for (const Shape& element : part->elements) {
      if (part->IsTuple()) pending.push_back(&element);
    }
  }
  return leaves;
}

Expected<void> CheckReplication(const HloInstruction& instruction, std::string_view text, int64_t column) {
  int64_t elements = 0;
  Lexer lexer(text);
  bool well_formed = lexer.kind() == TokenKind::kLeftBrace;
  lexer.Advance();
  while (well_formed && lexer.kind() != TokenKind::kRightBrace) {
    well_formed = lexer.token().Is(TokenKind::kKeyword, "true") || lexer.token().Is(TokenKind::kKeyword, "false");
    ++elements;
    lexer.Advance();
    if (lexer.kind() != TokenKind::kComma) break;
    lexer.Advance();
    well_formed = well_formed && lexer.kind() != TokenKind::kRightBrace;
  }
  well_formed = well_formed && lexer.kind() == TokenKind::kRightBrace;
  if (!well_formed)
    return SyntaxErrorAt(column, "expected a list of true and false in braces as parameter_replication");
  const int64_t leaves = instruction.shape ? CountLeaves(*instruction.shape) : 0;
  if (instruction.opcode != "parameter" || elements == leaves) return {};
  return SyntaxErrorAt(column, "parameter has ", leaves, " leaf buffers, but parameter_replication has ", elements,
                       " elements");
}

}  // namespace

Expected<void> CheckOperandName(const HloOperand& operand, const HloScope& scope, HloScope& introduced,
                                int64_t column) {
  auto known = scope.find(operand.name);
  if (known == scope.end()) {
    if (operand.shape) introduced.try_emplace(operand.name, *operand.shape);
    known = introduced.find(operand.name);
    if (known == introduced.end()) {
      return SyntaxErrorAt(
          column, "expected a shape before the operand, found its name alone: Operand had no shape in HLO text; ",
          "cannot create parameter for single-instruction module; instruction does not exist: ", operand.name);
    }
  }
  if (!operand.shape || Compatible(*operand.shape, known->second)) return {};
  return SyntaxErrorAt(column, "The declared operand shape ", layoutcheck::ToString(*operand.shape),
                       " is not compatible with the shape of the operand instruction ",
                       layoutcheck::ToString(known->second));
}

Expected<void> CheckAttribute(const HloInstruction& instruction, const HloAttribute& attribute, int64_t column) {
  if (attribute.name == "parameter_replication") return CheckReplication(instruction, attribute.text, column);
  if (attribute.name == "kind" && instruction.opcode == "fusion") {
    constexpr std::string_view kKinds[] = {"kLoop", "kInput", "kOutput", "kCustom"};
    if (IsOneOf(attribute.text, kKinds)) return {};
    return SyntaxErrorAt(column, "expected a fusion kind (kLoop, kInput, kOutput or kCustom), found '", attribute.text,
                         "'");
  }
  Lexer value(attribute.text);
  if (IsOneOf(attribute.name, kComputationListAttributes) && value.kind() == TokenKind::kLeftBrace) value.Advance();
  const bool names_computations =
      IsOneOf(attribute.name, kComputationAttributes) || IsOneOf(attribute.name, kComputationListAttributes);
  const bool at_name = value.kind() == TokenKind::kName || value.kind() == TokenKind::kIdent;
  if (!names_computations || !at_name) return {};
  return SyntaxErrorAt(
      column + value.token().column - 1,
      "expected a computation in place, found a name: computation does not exist: ", value.token().word());
}

Expected<void> CheckFusion(const HloInstruction& instruction, int64_t column) {
  if (instruction.opcode != "fusion") return {};
  for (const std::string_view required : {"kind", "calls"}) {
    if (std::ranges::find(instruction.attributes, required, &HloAttribute::name) == instruction.attributes.end()) {
      return SyntaxErrorAt(column, "expected the attribute ", required, "= of a fusion, found end of text");
    }
  }
  return {};
}

}  // namespace layoutcheck
