// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/module/module_reader.h"
#include <algorithm>
#include <cstring>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/hlo/dump_reader.h"
#include "layoutcheck/core/hlo/instruction.h"
#include "layoutcheck/core/hlo/lexer.h"
#include "layoutcheck/core/hlo/shape_parser.h"
#include "layoutcheck/core/module/module_header.h"

namespace layoutcheck {
namespace {

// Clearing a hash table costs as much as it has buckets.
constexpr size_t kManyBuckets = 1024;

class ModuleBuilder {
 public:
  ModuleBuilder(std::string text, int64_t first_line) : line_(first_line) {
    module_.text = std::make_unique<const std::string>(std::move(text));
    module_.place.line = first_line;
  }

  HloModule Read();

 private:
  // Returns the next line without its line end. Requires that there is one.
  std::string_view TakeLine();
  // Reads a line, with the lines on which it goes on.
  void ReadLine(std::string_view line);
  // Adds to the text, which cannot be read for this error, the lines on which it goes on. Returns false if it does not.
  bool Continue(std::string_view& text, const Error& error);
  // Reads a line and those on which it goes on. Errors: syntax, with a column in the text.
  Expected<void> ReadText(std::string_view text);
  // Begins a computation whose head is missing.
  void BeginComputation();
  // Begins a computation and reads its head. Errors: syntax, with a column.
  Expected<void> BeginComputation(std::string_view head);
  void Add(HloInstruction& read, std::string_view line);
  void AddAttributes(const HloInstruction& read, std::string_view line, ModuleInstruction& instruction);
  void AddSharding(const std::string& sharding, std::string_view line, ModuleInstruction& instruction);
  void AddCalls(CallRole role, std::string_view text, ModuleInstruction& instruction);
  void AddMetadata(std::string_view text, ModuleInstruction& instruction);
  void AddConstraints(std::string_view text, ModuleInstruction& instruction);
  ModuleOperand Resolve(HloOperand& operand, std::string_view line);
  // Remembers the name that an unreadable line defines, so that each use of it is no problem of its own.
  void RememberName(std::string_view line);
  void AddProblem(TextPlace place, std::string message) { module_.problems.push_back({place, std::move(message)}); }
  // Returns the place of a column of the text that begins at line_.
  TextPlace PlaceIn(std::string_view text, int64_t column) const;
  std::string_view Keep(std::string text) { return *module_.names->Add(std::move(text)); }
  const Shape* Keep(std::optional<Shape>& shape) { return shape ? module_.shapes->Add(std::move(*shape)) : nullptr; }
  ModuleComputation& computation() { return module_.computations.back(); }

  HloModule module_;
  StackFrameTables frames_;
  size_t position_ = 0;                               // in the text, of the next line
  size_t last_comment_end_ = std::string_view::npos;  // no comment ends behind this place
  int64_t line_ = 1;                                  // number of the line that is read
  int64_t next_line_ = 1;
  bool in_computation_ = false;
  bool has_lost_lines_ = false;
  // Instructions of the present computation, by name; kUnknown for a name that is not readable or not unique.
  std::unordered_map<std::string_view, int64_t> instructions_;
};

HloModule ModuleBuilder::Read() {
  next_line_ = line_;
  while (position_ < module_.text->size()) {
    line_ = next_line_;
    ReadLine(TakeLine());
  }
  CompleteModule(module_, has_lost_lines_);
  std::ranges::stable_sort(module_.problems, {}, [](const ReadProblem& problem) {
    return std::pair(problem.place.line, problem.place.column);
  });
  return std::move(module_);
}

std::string_view ModuleBuilder::TakeLine() {
  const std::string_view text = *module_.text;
  const size_t end = std::min(text.find('\n', position_), text.size());
  const std::string_view line = text.substr(position_, end - position_);
  position_ = end + 1;
  ++next_line_;
  return line;
}

void ModuleBuilder::ReadLine(std::string_view line) {
  // A text is read again with each part that proves to belong to it; the limit keeps that linear.
  constexpr int kMostReadings = 64;
  Expected<void> read = ReadText(line);
  for (int readings = 1; !read && readings < kMostReadings && Continue(line, read.error()); ++readings) {
    read = ReadText(line);
  }
  if (read) return;
  AddProblem(PlaceIn(line, read.error().column), std::move(read.error().message));
  RememberName(line);
  has_lost_lines_ = true;
  if (in_computation_) computation().has_lost_lines = true;
}

void ModuleBuilder::RememberName(std::string_view line) {
  Lexer lexer(line);
  if (lexer.token().Is(TokenKind::kKeyword, "ROOT")) lexer.Advance();
  const bool is_name = lexer.kind() == TokenKind::kIdent || lexer.kind() == TokenKind::kName;
  if (lexer.kind() == TokenKind::kAttributeName || (is_name && lexer.Peek().kind == TokenKind::kEqual)) {
    instructions_.try_emplace(lexer.token().word(), ModuleOperand::kUnknown);
  }
}

bool ModuleBuilder::Continue(std::string_view& text, const Error& error) {
  const std::string_view all = *module_.text;
  Lexer lexer(text);
  lexer.Reset(std::clamp<int64_t>(error.column, 1, static_cast<int64_t>(text.size()) + 1));
  const size_t old_position = position_;
  if (lexer.kind() == TokenKind::kError && lexer.token().text.starts_with("/*")) {
    if (position_ >= all.size() || position_ >= last_comment_end_) return false;
    const size_t end = all.find("*/", position_);
    if (end == std::string_view::npos) last_comment_end_ = position_;
    while (end != std::string_view::npos && position_ <= end) TakeLine();
  } else if (lexer.kind() == TokenKind::kEof) {
    OpenBrackets brackets;
    brackets.Add(text);
    const bool opens_computation = OpensComputation(text);
    do {
      if (position_ >= all.size()) break;
      const std::string_view next = all.substr(position_, all.find('\n', position_) - position_);
      const bool ends_computation = Lexer(next).kind() == TokenKind::kRightBrace && !brackets.InBraces();
      if (ends_computation || (opens_computation ? BeginsComputation(next) : BeginsAnew(next))) break;
      brackets.Add(TakeLine());
    } while (brackets.IsIncomplete());
  }
  const auto begin = static_cast<size_t>(text.data() - all.data());
  text = all.substr(begin, std::min(position_ - 1, all.size()) - begin);
  return position_ != old_position;
}

TextPlace ModuleBuilder::PlaceIn(std::string_view text, int64_t column) const {
  const std::string_view before = text.substr(0, static_cast<size_t>(column - 1));
  const size_t line_end = before.rfind('\n');
  if (line_end == std::string_view::npos) return {line_, column};
  return {line_ + std::ranges::count(before, '\n'), static_cast<int64_t>(before.size() - line_end)};
}

Expected<void> ModuleBuilder::ReadText(std::string_view text) {
  LAYOUTCHECK_TRY(DumpLine read, ReadDumpLine(text, kShapeOptions));
  switch (read.kind) {
    case DumpLineKind::kBlank: return {};
    case DumpLineKind::kModuleHeader: return ReadModuleHeader(text, module_);
    case DumpLineKind::kComputationHead: return BeginComputation(text);
    case DumpLineKind::kBrace:
      if (in_computation_ && Lexer(text).kind() == TokenKind::kRightBrace) {
        in_computation_ = false;
        computation().is_closed = true;
      }
      return {};
    case DumpLineKind::kTable: frames_.Read(text); return {};
    case DumpLineKind::kInstruction: break;
  }
  const bool is_unended_text = position_ > module_.text->size();
  if (is_unended_text && in_computation_ && !computation().is_closed) {
    return SyntaxErrorAt(static_cast<int64_t>(text.size()) + 1,
                         "expected the end of this line and '}' behind it, found end of text");
  }
  if (!in_computation_) BeginComputation();
  Add(*read.instruction, text);
  return {};
}

void ModuleBuilder::BeginComputation() {
  // A head that was read before without the lines on which it goes on began the same computation.
  if (!module_.computations.empty() && computation().place.line == line_) module_.computations.pop_back();
  in_computation_ = true;
  if (instructions_.bucket_count() > kManyBuckets) instructions_ = {};
  instructions_.clear();
  module_.computations.emplace_back().place.line = line_;
  computation().is_closed = true;
}

Expected<void> ModuleBuilder::BeginComputation(std::string_view head) {
  BeginComputation();
  auto read = ReadComputationHead(head, module_, computation());
  computation().is_closed = !read;
  return read;
}

void ModuleBuilder::Add(HloInstruction& read, std::string_view line) {
  ModuleInstruction instruction;
  Lexer lexer(line);
  instruction.place = PlaceIn(line, lexer.token().column);
  instruction.text = line.substr(static_cast<size_t>(lexer.token().column - 1));
  for (HloOperand& operand : read.operands) instruction.operands.push_back(Resolve(operand, line));
  if (lexer.token().Is(TokenKind::kKeyword, "ROOT")) lexer.Advance();
  instruction.name = read.name.empty() ? "" : lexer.token().word();
  instruction.opcode = Keep(std::move(read.opcode));
  instruction.shape = Keep(read.shape);
  instruction.is_root = read.is_root;
  AddAttributes(read, line, instruction);
  const auto number = static_cast<int64_t>(computation().instructions.size());
  if (instruction.opcode == "parameter") {
    const Lexer literal(read.literal);
    constexpr int64_t kMostParameters = 1 << 20;
    if (literal.kind() == TokenKind::kInt && literal.token().integer >= 0 &&
        literal.token().integer < kMostParameters) {
      instruction.number = literal.token().integer;
      std::vector<int64_t>& parameters = computation().parameters;
      parameters.resize(std::max(parameters.size(), static_cast<size_t>(instruction.number) + 1),
                        ModuleOperand::kUnknown);
      parameters[static_cast<size_t>(instruction.number)] = number;
    }
  }
  if (instruction.is_root || computation().Root() == nullptr || !computation().Root()->is_root) {
    computation().root = number;
  }
  if (!instruction.name.empty()) {
    const auto [known, is_new] = instructions_.try_emplace(instruction.name, number);
    if (!is_new) {
      AddProblem(instruction.place,
                 StrCat("this is a second instruction with the name '", instruction.name, "' in its computation"));
      known->second = ModuleOperand::kUnknown;
    }
  }
  computation().instructions.push_back(std::move(instruction));
}

ModuleOperand ModuleBuilder::Resolve(HloOperand& operand, std::string_view line) {
  ModuleOperand resolved;
  resolved.printed = Keep(operand.shape);
  if (!operand.instruction.empty()) {
    Add(operand.instruction.front(), line);
    resolved.instruction = static_cast<int64_t>(computation().instructions.size()) - 1;
  } else if (const auto named = instructions_.find(operand.name); named != instructions_.end()) {
    resolved.instruction = named->second;
  } else if (!operand.name.empty() && (!computation().name.empty() || computation().is_entry)) {
    // Instructions without the head of a computation are a part of it, and may name others.
    AddProblem(PlaceIn(line, Lexer(line).token().column),
               StrCat("the operand '", operand.name, "' names no instruction that comes before in its computation"));
  }
  if (resolved.instruction == ModuleOperand::kUnknown) return resolved;
  const Shape* const shape = computation().instructions[static_cast<size_t>(resolved.instruction)].shape;
  resolved.defined = PartAt(shape, operand.tuple_indices);
  if (shape != nullptr && resolved.defined == nullptr) {
    AddProblem(PlaceIn(line, Lexer(line).token().column),
               StrCat("the operand '", operand.name, "#", StrJoin(operand.tuple_indices, "#"),
                      "' names no element of '", operand.name, "'"));
  }
  return resolved;
}

void ModuleBuilder::AddAttributes(const HloInstruction& read, std::string_view line, ModuleInstruction& instruction) {
  for (const HloAttribute& attribute : read.attributes) {
    if (attribute.name == "metadata") {
      AddMetadata(attribute.text, instruction);
    } else if (attribute.name == "dimensions") {
      for (Lexer lexer(attribute.text); lexer.kind() != TokenKind::kEof; lexer.Advance()) {
        if (lexer.kind() == TokenKind::kInt) instruction.dimensions.push_back(lexer.token().integer);
      }
    } else if (attribute.name == "operand_layout_constraints") {
      AddConstraints(attribute.text, instruction);
    } else if (attribute.name == "output_to_operand_aliasing") {
      // What is no list of aliases is kept as text and says nothing that is understood.
      if (auto aliases = ReadOperandAliases(attribute.text)) instruction.aliases = std::move(*aliases);
    } else if (attribute.name == "index" && instruction.opcode == "get-tuple-element") {
      const Lexer lexer(attribute.text);
      if (lexer.kind() == TokenKind::kInt) instruction.number = lexer.token().integer;
    } else if (attribute.name == "sharding") {
      AddSharding(attribute.text, line, instruction);
    } else if (const auto role = RoleOf(attribute.name)) {
      AddCalls(*role, attribute.text, instruction);
    }
  }
}

void ModuleBuilder::AddSharding(const std::string& sharding, std::string_view line, ModuleInstruction& instruction) {
  instruction.sharding = Keep(sharding);
  const size_t position = line.rfind("sharding=" + sharding);
  instruction.sharding_place = position == std::string_view::npos
                                   ? instruction.place
                                   : PlaceIn(line, static_cast<int64_t>(position + std::strlen("sharding=")) + 1);
}

void ModuleBuilder::AddCalls(CallRole role, std::string_view text, ModuleInstruction& instruction) {
  if (text.starts_with('{') && text.find('=') != std::string_view::npos) {
    module_.problems.push_back({instruction.place, "the computation in braces that the instruction calls is not read"});
    return;
  }
  for (Lexer lexer(text); lexer.kind() != TokenKind::kEof; lexer.Advance()) {
    if (lexer.kind() != TokenKind::kIdent && lexer.kind() != TokenKind::kName) continue;
    instruction.calls.push_back({role, ModuleOperand::kUnknown, Keep(std::string(lexer.token().word()))});
  }
}

void ModuleBuilder::AddConstraints(std::string_view text, ModuleInstruction& instruction) {
  Lexer lexer(text);
  lexer.Advance();  // {
  ShapeParser shapes(lexer, kShapeOptions);
  while (shapes.AtShape()) {
    Shape shape;
    if (!shapes.ReadShape(shape)) return;  // The text is kept, but says nothing that is understood.
    instruction.attribute_shapes.push_back(module_.shapes->Add(std::move(shape)));
    if (lexer.kind() == TokenKind::kComma) lexer.Advance();
  }
}

void ModuleBuilder::AddMetadata(std::string_view text, ModuleInstruction& instruction) {
  for (Lexer lexer(text); lexer.kind() != TokenKind::kEof;) {
    const Token name = lexer.token();
    lexer.Advance();
    if (name.kind != TokenKind::kAttributeName) continue;
    const Token& value = lexer.token();
    if (name.word() == "source_file" && value.kind == TokenKind::kString) {
      instruction.source_file = Keep(std::string(value.text.substr(1, value.text.size() - 2)));
    } else if (name.word() == "source_line" && value.kind == TokenKind::kInt) {
      instruction.source_line = value.integer;
    } else if (name.word() == "stack_frame_id" && value.kind == TokenKind::kInt) {
      std::tie(instruction.source_file, instruction.source_line) = frames_.Find(value.integer);
    }
  }
}

}  // namespace

HloModule ReadModule(std::string text, int64_t first_line) { return ModuleBuilder(std::move(text), first_line).Read(); }

}  // namespace layoutcheck
