// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/hlo/dump_reader.h"
#include <cstddef>
#include <utility>
#include "layoutcheck/core/hlo/lexer.h"

namespace layoutcheck {
namespace {

bool StartsBlockComment(std::string_view text) { return text.starts_with("/*"); }

// Returns true if the remaining tokens are a computation's head: they end with a brace, or contain an arrow.
bool IsComputationHead(Lexer lexer) {
  TokenKind last = TokenKind::kEof;
  for (; lexer.kind() != TokenKind::kEof; lexer.Advance()) {
    if (lexer.kind() == TokenKind::kArrow) return true;
    last = lexer.kind();
  }
  return last == TokenKind::kLeftBrace;
}

DumpLineKind Classify(std::string_view line) {
  const Lexer lexer(line);
  const Token& token = lexer.token();
  switch (token.kind) {
    case TokenKind::kEof: return DumpLineKind::kBlank;
    case TokenKind::kLeftBrace:
    case TokenKind::kRightBrace: return DumpLineKind::kBrace;
    case TokenKind::kInt: return DumpLineKind::kTable;
    case TokenKind::kKeyword:
      if (token.text == "HloModule") return DumpLineKind::kModuleHeader;
      if (token.text == "ENTRY") return DumpLineKind::kComputationHead;
      for (const std::string_view table : {"FileNames", "FunctionNames", "FileLocations", "StackFrames"}) {
        if (token.text == table) return DumpLineKind::kTable;
      }
      return DumpLineKind::kInstruction;
    case TokenKind::kIdent:
    case TokenKind::kName: {
      const TokenKind next = lexer.Peek().kind;
      const bool may_be_head = next == TokenKind::kLeftParen || next == TokenKind::kLeftBrace;
      return may_be_head && IsComputationHead(lexer) ? DumpLineKind::kComputationHead : DumpLineKind::kInstruction;
    }
    default: return DumpLineKind::kInstruction;
  }
}

}  // namespace

int64_t DumpReader::SkipOpenComment(std::string_view& line) {
  if (!in_comment_) return 0;
  const size_t end = line.find("*/");
  const size_t skipped = end == std::string_view::npos ? line.size() : end + 2;
  in_comment_ = end == std::string_view::npos;
  line.remove_prefix(skipped);
  return static_cast<int64_t>(skipped);
}

void DumpReader::CutUnendingComment(std::string_view& line) {
  if (line.find("/*") == std::string_view::npos) return;
  for (Lexer lexer(line); lexer.kind() != TokenKind::kEof; lexer.Advance()) {
    const Token& token = lexer.token();
    const bool ends_with_line = token.end_column() == static_cast<int64_t>(line.size()) + 1;
    if (token.kind != TokenKind::kError || !StartsBlockComment(token.text) || !ends_with_line) continue;
    line = line.substr(0, static_cast<size_t>(token.column - 1));
    in_comment_ = true;
    return;
  }
}

Expected<DumpLine> DumpReader::Read(std::string_view line) {
  const int64_t skipped = SkipOpenComment(line);
  CutUnendingComment(line);
  Expected<DumpLine> read = ReadDumpLine(line);
  if (!read) read.error().column += skipped;
  return read;
}

Expected<DumpLine> ReadDumpLine(std::string_view line, const ParseOptions& options) {
  DumpLine result{Classify(line), std::nullopt};
  if (result.kind != DumpLineKind::kInstruction) return result;
  LAYOUTCHECK_TRY(result.instruction, ReadInstructionLine(line, options));
  return result;
}

}  // namespace layoutcheck
