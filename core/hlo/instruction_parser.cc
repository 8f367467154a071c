// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cstddef>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/hlo/instruction.h"
#include "layoutcheck/core/hlo/instruction_rules.h"
#include "layoutcheck/core/hlo/lexer.h"
#include "layoutcheck/core/hlo/opcode.h"
#include "layoutcheck/core/hlo/parser.h"
#include "layoutcheck/core/hlo/shape_parser.h"

namespace layoutcheck {
namespace {

// Parses one instruction by its grammar. A strict parser also applies the rules of XLA's parser of single instructions;
// they do not fit a line that is taken out of its module.
class InstructionParser : private ShapeParser {
 public:
  InstructionParser(std::string_view text, bool strict, const HloScope& scope, const ParseOptions& options)
      : ShapeParser(own_lexer_, options), own_lexer_(text), strict_(strict), scope_(scope) {}

  Expected<HloInstruction> Parse() {
    Expected<HloInstruction> result;
    if (!ReadInstruction(*result)) return std::unexpected(std::move(syntax_error()));
    if (std::optional<Error>& invalid = invalid_layout()) return std::unexpected(std::move(*invalid));
    return result;
  }

 private:
  bool ReadInstruction(HloInstruction& instruction);
  bool ReadLeftHandSide(HloInstruction& instruction);
  bool ReadRightHandSide(HloInstruction& instruction);
  bool ReadOpcode(HloInstruction& instruction);
  bool ReadLiteral(HloInstruction& instruction);
  bool ReadOperands(HloInstruction& instruction);
  bool ReadOperand(HloOperand& operand);
  bool ReadName(HloOperand& operand);
  bool ReadAttributes(HloInstruction& instruction);
  bool ReadAttributeName(HloInstruction& instruction);
  bool ReadAttributeValue(HloAttribute& attribute);
  bool SkipStrictValue();
  bool SkipToken();
  bool SkipGroup();

  bool Require(Expected<void> rule) { return rule || Fail(std::move(rule.error().message), rule.error().column); }
  bool AtName() const {
    return lexer_.kind() == TokenKind::kIdent ||
           (lexer_.kind() == TokenKind::kName && lexer_.token().text.starts_with('%'));
  }

  Lexer own_lexer_;
  const bool strict_;
  const HloScope& scope_;
  std::string own_name_;  // of the outermost instruction; empty if it has none
  // Shapes of the names that operands have introduced.
  HloScope introduced_;
  int64_t nesting_ = 0;
  // The column after the last token that SkipToken skipped.
  int64_t skipped_to_ = 1;
};

bool InstructionParser::ReadInstruction(HloInstruction& instruction) {
  if (!AtShape() && !ReadLeftHandSide(instruction)) return false;
  if (!ReadRightHandSide(instruction) || !ReadAttributes(instruction)) return false;
  if (lexer_.kind() != TokenKind::kEof)
    return FailExpected("',' and an attribute, or the end of the text (Expected eof)");
  return !strict_ || Require(CheckFusion(instruction, lexer_.token().column));
}

bool InstructionParser::ReadLeftHandSide(HloInstruction& instruction) {
  instruction.is_root = lexer_.token().Is(TokenKind::kKeyword, "ROOT");
  if (instruction.is_root) lexer_.Advance();
  const bool attached = lexer_.kind() == TokenKind::kAttributeName;
  if (attached && strict_) {
    return FailExpected("an instruction name with a space before '=' (attached, it makes an attribute name)");
  }
  if (!attached && !AtName()) {
    return FailExpected(instruction.is_root ? "an instruction name after ROOT" : "an instruction name or a shape");
  }
  own_name_ = lexer_.token().word();
  if (Lexer(own_name_).kind() == TokenKind::kPrimitiveType) {
    return FailExpected("an instruction name that is no element type");
  }
  instruction.name = own_name_;
  lexer_.Advance();
  return attached || Expect(TokenKind::kEqual, "'=' after the instruction name");
}

bool InstructionParser::ReadRightHandSide(HloInstruction& instruction) {
  if (AtShape() && !ReadShape(instruction.shape.emplace())) return false;
  if (!ReadOpcode(instruction)) return false;
  if (!Expect(TokenKind::kLeftParen, "'(' after the opcode")) return false;
  const bool has_literal = instruction.opcode == "parameter" || instruction.opcode == "constant";
  if (has_literal ? !ReadLiteral(instruction) : !ReadOperands(instruction)) return false;
  return Expect(TokenKind::kRightParen, has_literal ? "')' after the literal" : "',' or ')' after an operand");
}

bool InstructionParser::ReadOpcode(HloInstruction& instruction) {
  const Token opcode = lexer_.token();
  if (opcode.kind != TokenKind::kIdent) {
    return FailExpected(instruction.shape ? "an opcode after the shape" : "a shape or an opcode");
  }
  if (!instruction.shape && lexer_.Peek().kind == TokenKind::kLeftSquare) return FailExpected("an element type");
  if (strict_ && !IsKnownOpcode(opcode.text)) return FailExpected("an opcode");
  if (strict_ && !instruction.shape && !IsShapeInferable(opcode.text)) {
    return Fail(StrCat("expected a shape before the opcode ", opcode.text, ", which leaves none to infer"),
                opcode.column);
  }
  instruction.opcode = opcode.text;
  lexer_.Advance();
  return true;
}

bool InstructionParser::ReadLiteral(HloInstruction& instruction) {
  const Token first = lexer_.token();
  if (strict_ && instruction.opcode == "parameter") {
    if (first.kind != TokenKind::kInt) return FailExpected("a parameter number");
    if (first.integer < 0) return FailExpected("an integer >= 0 (parameter number must be >= 0)");
  }
  skipped_to_ = first.column;
  while (lexer_.kind() != TokenKind::kRightParen && lexer_.kind() != TokenKind::kEof) {
    if (!SkipToken()) return false;
    if (strict_ && instruction.opcode == "parameter") break;
  }
  instruction.literal = lexer_.Slice(first.column, skipped_to_);
  return !strict_ || !instruction.literal.empty() || FailExpected("a literal");
}

bool InstructionParser::ReadOperands(HloInstruction& instruction) {
  if (lexer_.kind() == TokenKind::kRightParen) return true;
  if (nesting_ == kMaxNestedInstructions) {
    return Fail(StrCat("expected at most ", kMaxNestedInstructions, " nested instructions, found one more"),
                lexer_.token().column);
  }
  ++nesting_;
  constexpr size_t kUsualOperands = 2;
  instruction.operands.reserve(kUsualOperands);
  do {
    if (!ReadOperand(instruction.operands.emplace_back())) return false;
  } while (Take(TokenKind::kComma));
  --nesting_;
  return true;
}

bool InstructionParser::ReadOperand(HloOperand& operand) {
  const Token first = lexer_.token();
  if (AtShape() && !ReadShape(operand.shape.emplace())) return false;
  if (lexer_.kind() == TokenKind::kIdent && lexer_.Peek().kind == TokenKind::kLeftParen) {
    HloInstruction& nested = operand.instruction.emplace_back();
    nested.shape = std::move(operand.shape);
    operand.shape.reset();
    return ReadRightHandSide(nested);
  }
  if (AtName()) {
    if (!ReadName(operand)) return false;
    if (!operand.name.empty() && operand.name == own_name_) {
      return Fail(StrCat("expected an operand other than the instruction itself, found '", operand.name, "'"),
                  first.column);
    }
    return !strict_ || Require(CheckOperandName(operand, scope_, introduced_, first.column));
  }
  if (!operand.shape) return FailExpected("an operand (a name, a shape or an instruction)");
  return true;
}

bool InstructionParser::ReadName(HloOperand& operand) {
  operand.name = lexer_.token().word();
  lexer_.Advance();
  while (Take(TokenKind::kOctothorp)) {
    if (!ReadInteger(operand.tuple_indices.emplace_back(), 0, "a tuple index >= 0 after '#'")) return false;
  }
  return true;
}

bool InstructionParser::ReadAttributes(HloInstruction& instruction) {
  constexpr size_t kUsualAttributes = 4;
  if (lexer_.kind() == TokenKind::kComma) instruction.attributes.reserve(kUsualAttributes);
  while (Take(TokenKind::kComma)) {
    if (!ReadAttributeName(instruction)) return false;
    HloAttribute& attribute = instruction.attributes.back();
    const Token value = lexer_.token();
    if (!ReadAttributeValue(attribute)) return false;
    if (strict_ && !Require(CheckAttribute(instruction, attribute, value.column))) return false;
  }
  return true;
}

bool InstructionParser::ReadAttributeName(HloInstruction& instruction) {
  const Token name = lexer_.token();
  const bool glued = name.kind == TokenKind::kAttributeName;
  if (!glued && (strict_ || name.kind != TokenKind::kIdent)) {
    return FailExpected("an attribute name with '=' attached to it");
  }
  if (strict_ &&
      std::ranges::find(instruction.attributes, name.word(), &HloAttribute::name) != instruction.attributes.end()) {
    return Fail(StrCat("expected each attribute once, found '", name.word(), "' again"), name.column);
  }
  instruction.attributes.push_back({std::string(name.word()), ""});
  lexer_.Advance();
  return glued || Expect(TokenKind::kEqual, "'=' after the attribute name");
}

bool InstructionParser::ReadAttributeValue(HloAttribute& attribute) {
  const int64_t begin = lexer_.token().column;
  skipped_to_ = begin;
  if (strict_) {
    if (!SkipStrictValue()) return false;
  } else {
    while (lexer_.kind() != TokenKind::kComma && lexer_.kind() != TokenKind::kEof) {
      if (!SkipToken()) return false;
    }
  }
  attribute.text = lexer_.Slice(begin, skipped_to_);
  return !attribute.text.empty() || FailExpected("the value of an attribute");
}

// Skips one token, or groups in brackets joined by `<=` or T, such as [2,4]<=[4,2]T(1,0).
bool InstructionParser::SkipStrictValue() {
  switch (lexer_.kind()) {
    case TokenKind::kString:
    case TokenKind::kPrimitiveType:
    case TokenKind::kKeyword:
    case TokenKind::kDimLabels:
    case TokenKind::kDxD:
    case TokenKind::kPad:
    case TokenKind::kIdent:
    case TokenKind::kInt:
    case TokenKind::kDecimal:
    case TokenKind::kNegInf: return SkipToken();
    case TokenKind::kName: return AtName() ? SkipToken() : FailExpected("the value of an attribute");
    default: break;
  }
  if (!IsOpener(lexer_.kind())) return FailExpected("the value of an attribute");
  while (IsOpener(lexer_.kind())) {
    if (!SkipToken()) return false;
    if (lexer_.kind() != TokenKind::kLeq && !lexer_.token().Is(TokenKind::kIdent, "T")) continue;
    lexer_.Advance();
    if (!IsOpener(lexer_.kind())) return FailExpected("'[', '{' or '('");
  }
  return true;
}

// Skips one token, or a whole group if the token opens a bracket.
bool InstructionParser::SkipToken() {
  if (IsOpener(lexer_.kind())) return SkipGroup();
  if (IsCloser(lexer_.kind())) return FailExpected("a value before the closing bracket");
  if (strict_ && lexer_.kind() == TokenKind::kError) return FailExpected("a value");
  skipped_to_ = lexer_.token().end_column();
  lexer_.Advance();
  return true;
}

bool InstructionParser::SkipGroup() {
  std::vector<Token> open;  // the open brackets, outermost first
  do {
    const Token token = lexer_.token();
    if (token.kind == TokenKind::kEof || (strict_ && token.kind == TokenKind::kError)) {
      return FailExpected("the end of what ", DescribeToken(open.back()), " at column ", open.back().column, " opens");
    }
    if (IsOpener(token.kind)) {
      open.push_back(token);
    } else if (IsCloser(token.kind)) {
      if (token.kind != CloserOf(open.back().kind)) {
        return FailExpected("the bracket that closes ", DescribeToken(open.back()), " at column ", open.back().column);
      }
      open.pop_back();
    }
    skipped_to_ = token.end_column();
    lexer_.Advance();
  } while (!open.empty());
  return true;
}

}  // namespace

Expected<HloInstruction> ParseInstruction(std::string_view text, const HloScope& scope) {
  return InstructionParser(text, true, scope, {}).Parse();
}

Expected<HloInstruction> ReadInstructionLine(std::string_view line, const ParseOptions& options) {
  const HloScope none;
  return InstructionParser(line, false, none, options).Parse();
}

}  // namespace layoutcheck
