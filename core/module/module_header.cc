// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/module/module_header.h"
#include <algorithm>
#include <string>
#include "layoutcheck/core/hlo/shape_parser.h"

namespace layoutcheck {
namespace {

// Parses the parts of headers and heads, one after another. A part that fails leaves an error and returns false.
class HeaderParser : public ShapeParser {
 public:
  HeaderParser(std::string_view line, HloModule& module)
      : ShapeParser(own_lexer_, kShapeOptions), own_lexer_(line), module_(module) {}

  bool ReadHeader() {
    module_.entry_parameters.clear();
    module_.aliases.clear();
    lexer_.Advance();  // HloModule
    module_.name = *module_.names->Add(std::string(lexer_.token().word()));
    SkipValue();  // A name may have characters of several tokens.
    while (Take(TokenKind::kComma)) {
      const Token name = lexer_.token();
      if (name.kind != TokenKind::kAttributeName) return FailExpected("an attribute of the module");
      lexer_.Advance();
      if (name.word() == "is_scheduled") {
        module_.is_scheduled = lexer_.token().text == "true";
      } else if (name.word() == "num_partitions" && lexer_.kind() == TokenKind::kInt) {
        module_.num_partitions = std::max<int64_t>(lexer_.token().integer, 0);
      } else if (name.word() == "entry_computation_layout") {
        if (!Expect(TokenKind::kLeftBrace, "'{' at the start of the entry's layout")) return false;
        if (!ReadSignature(module_.entry_parameters, module_.entry_result)) return false;
        if (!Expect(TokenKind::kRightBrace, "'}' at the end of the entry's layout")) return false;
      } else if (name.word() == "input_output_alias") {
        if (!ReadAliases(module_.aliases)) return false;
      }
      SkipValue();
    }
    return lexer_.kind() == TokenKind::kEof || FailExpected("',' or the end of the header");
  }

  bool ReadHead(ModuleComputation& computation) {
    computation.is_entry = lexer_.token().Is(TokenKind::kKeyword, "ENTRY");
    if (computation.is_entry) lexer_.Advance();
    if (lexer_.kind() == TokenKind::kIdent || lexer_.kind() == TokenKind::kName) {
      computation.name = *module_.names->Add(std::string(lexer_.token().word()));
      lexer_.Advance();
    }
    if (lexer_.kind() == TokenKind::kLeftParen &&
        !ReadSignature(computation.head_parameters, computation.head_result)) {
      return false;
    }
    if (!Expect(TokenKind::kLeftBrace, "'{' at the end of a computation's head")) return false;
    return lexer_.kind() == TokenKind::kEof || FailExpected("the end of the line after '{'");
  }

  bool ReadAliases(std::vector<BufferAlias>& aliases) {
    if (!Expect(TokenKind::kLeftBrace, "'{' at the start of the aliases")) return false;
    while (!Take(TokenKind::kRightBrace)) {
      if (!aliases.empty() && !Expect(TokenKind::kComma, "',' or '}' after an alias")) return false;
      if (!ReadAlias(aliases.emplace_back())) return false;
    }
    return true;
  }

 private:
  bool KeepShape(const Shape*& shape) {
    Shape read;
    if (!ReadShape(read)) return false;
    shape = module_.shapes->Add(std::move(read));
    return true;
  }

  // Parses `(shape, ...) -> shape`, each parameter with or without `name:` in front.
  bool ReadSignature(std::vector<const Shape*>& parameters, const Shape*& result) {
    if (!Expect(TokenKind::kLeftParen, "'(' in front of the parameters")) return false;
    while (!Take(TokenKind::kRightParen)) {
      if (!parameters.empty() && !Expect(TokenKind::kComma, "',' or ')' after a parameter")) return false;
      // A name has its colon attached, or behind it.
      while (!AtShape() && (lexer_.kind() == TokenKind::kName || lexer_.kind() == TokenKind::kIdent ||
                            lexer_.kind() == TokenKind::kColon)) {
        lexer_.Advance();
      }
      if (!KeepShape(parameters.emplace_back())) return false;
    }
    return Expect(TokenKind::kArrow, "'->' after the parameters") && KeepShape(result);
  }

  bool ReadAlias(BufferAlias& alias) {
    if (!ReadPath(alias.output) || !Expect(TokenKind::kColon, "':' after the index of an output")) return false;
    if (!Expect(TokenKind::kLeftParen, "'(' in front of a parameter")) return false;
    if (!ReadInteger(alias.parameter, 0, "the number of a parameter")) return false;
    if (!Expect(TokenKind::kComma, "',' after the number of a parameter") || !ReadPath(alias.index)) return false;
    if (Take(TokenKind::kComma)) {
      alias.must_alias = lexer_.token().text.starts_with("must");
      while (lexer_.kind() != TokenKind::kRightParen && lexer_.kind() != TokenKind::kEof) lexer_.Advance();
    }
    return Expect(TokenKind::kRightParen, "')' after an alias");
  }

  bool ReadPath(std::vector<int64_t>& path) {
    if (!Expect(TokenKind::kLeftBrace, "'{' in front of an index")) return false;
    while (!Take(TokenKind::kRightBrace)) {
      if (!path.empty() && !Expect(TokenKind::kComma, "',' or '}' in an index")) return false;
      if (!ReadInteger(path.emplace_back(), 0, "an index >= 0")) return false;
    }
    return true;
  }

  // Skips to the next comma or the end, past everything in brackets.
  void SkipValue() {
    int64_t depth = 0;
    for (; lexer_.kind() != TokenKind::kEof; lexer_.Advance()) {
      if (depth == 0 && lexer_.kind() == TokenKind::kComma) return;
      depth += IsOpener(lexer_.kind()) ? 1 : 0;
      depth -= IsCloser(lexer_.kind()) ? 1 : 0;
    }
  }

  Lexer own_lexer_;
  HloModule& module_;
};

}  // namespace

Expected<void> ReadModuleHeader(std::string_view line, HloModule& module) {
  HeaderParser parser(line, module);
  if (!parser.ReadHeader()) return std::unexpected(std::move(parser.syntax_error()));
  return {};
}

Expected<void> ReadComputationHead(std::string_view line, HloModule& module, ModuleComputation& computation) {
  HeaderParser parser(line, module);
  if (!parser.ReadHead(computation)) return std::unexpected(std::move(parser.syntax_error()));
  return {};
}

Expected<std::vector<BufferAlias>> ReadOperandAliases(std::string_view text) {
  HloModule no_module;
  HeaderParser parser(text, no_module);
  std::vector<BufferAlias> aliases;
  if (!parser.ReadAliases(aliases)) return std::unexpected(std::move(parser.syntax_error()));
  for (BufferAlias& alias : aliases) alias.must_alias = true;
  return aliases;
}

void StackFrameTables::Read(std::string_view line) {
  Lexer lexer(line);
  if (lexer.kind() == TokenKind::kKeyword) {
    table_ = lexer.token().text;
    return;
  }
  if (lexer.kind() != TokenKind::kInt) return;
  const int64_t row = lexer.token().integer;
  lexer.Advance();
  if (table_ == "FileNames" && lexer.kind() == TokenKind::kString) {
    files_[row] = lexer.token().text.substr(1, lexer.token().text.size() - 2);
    return;
  }
  std::map<std::string_view, int64_t> fields;
  while (lexer.kind() != TokenKind::kEof) {
    const Token name = lexer.token();
    lexer.Advance();
    if (name.kind == TokenKind::kAttributeName && lexer.kind() == TokenKind::kInt) {
      fields[name.word()] = lexer.token().integer;
    }
  }
  if (table_ == "FileLocations") locations_[row] = {fields["file_name_id"], fields["line"]};
  if (table_ == "StackFrames") frames_[row] = fields["file_location_id"];
}

std::pair<std::string_view, int64_t> StackFrameTables::Find(int64_t frame) const {
  const auto location = frames_.find(frame);
  if (location == frames_.end()) return {};
  const auto place = locations_.find(location->second);
  if (place == locations_.end()) return {};
  const auto file = files_.find(place->second.first);
  return {file == files_.end() ? std::string_view() : file->second, place->second.second};
}

std::optional<CallRole> RoleOf(std::string_view attribute) {
  if (attribute == "calls" || attribute == "called_computations") return CallRole::kCalls;
  if (attribute == "to_apply" || attribute == "select" || attribute == "scatter") return CallRole::kApply;
  if (attribute == "body") return CallRole::kBody;
  if (attribute == "condition") return CallRole::kCondition;
  if (attribute == "branch_computations" || attribute == "true_computation" || attribute == "false_computation") {
    return CallRole::kBranch;
  }
  return std::nullopt;
}

bool BeginsComputation(std::string_view line) {
  const Lexer lexer(line);
  if (lexer.kind() == TokenKind::kKeyword) return lexer.token().text == "ENTRY" || lexer.token().text == "HloModule";
  if (lexer.kind() != TokenKind::kIdent && lexer.kind() != TokenKind::kName) return false;
  const TokenKind next = lexer.Peek().kind;
  return next == TokenKind::kLeftBrace || (next == TokenKind::kLeftParen && line.find("->") != std::string_view::npos);
}

bool BeginsAnew(std::string_view line) {
  if (BeginsComputation(line)) return true;
  Lexer lexer(line);
  switch (lexer.kind()) {
    case TokenKind::kKeyword: return lexer.token().text != "true" && lexer.token().text != "false";
    case TokenKind::kAttributeName: break;
    case TokenKind::kIdent:
    case TokenKind::kName: return lexer.Peek().kind == TokenKind::kEqual;
    default: return false;
  }
  // `name=` begins an instruction if a shape or `opcode(` follows, and is an attribute otherwise.
  lexer.Advance();
  return lexer.kind() == TokenKind::kPrimitiveType || lexer.kind() == TokenKind::kLeftParen ||
         (lexer.kind() == TokenKind::kIdent && lexer.Peek().kind == TokenKind::kLeftParen);
}

bool OpensComputation(std::string_view text) {
  Token before_last;
  Token last;
  for (Lexer lexer(text); lexer.kind() != TokenKind::kEof; lexer.Advance()) {
    before_last = last;
    last = lexer.token();
  }
  return last.kind == TokenKind::kLeftBrace && before_last.kind == TokenKind::kAttributeName &&
         RoleOf(before_last.word()).has_value();
}

void OpenBrackets::Add(std::string_view line) {
  for (Lexer lexer(line); lexer.kind() != TokenKind::kEof; lexer.Advance()) {
    last_ = lexer.kind();
    if (IsOpener(last_)) open_.push_back(last_);
    if (IsCloser(last_) && !open_.empty()) open_.pop_back();
  }
}

bool OpenBrackets::IsIncomplete() const {
  return !open_.empty() || last_ == TokenKind::kComma || last_ == TokenKind::kEqual ||
         last_ == TokenKind::kAttributeName;
}

}  // namespace layoutcheck
