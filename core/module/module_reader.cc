// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/module/module_reader.h"
#include <algorithm>
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

constexpr int64_t kUnknown = ModuleOperand::kUnknown;

// A missing layout stays missing, and an invalid one is for others to judge.
constexpr ParseOptions kShapeOptions{.fill_missing_layouts = false, .validate = false};

// Returns the role of the computations that the attribute names, or nothing if it names none.
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

// Returns true if the line begins an instruction, a computation or a module, or ends a computation.
bool BeginsAnew(std::string_view line) {
  const Lexer lexer(line);
  switch (lexer.kind()) {
    case TokenKind::kKeyword: return lexer.token().text != "true" && lexer.token().text != "false";
    case TokenKind::kAttributeName: return true;
    case TokenKind::kRightBrace: return lexer.Peek().kind == TokenKind::kEof;
    case TokenKind::kIdent:
    case TokenKind::kName: return lexer.Peek().kind == TokenKind::kEqual;
    default: return false;
  }
}

class ModuleBuilder {
 public:
  ModuleBuilder(std::string text, int64_t first_line) : line_(first_line) {
    module_.text = std::make_unique<const std::string>(std::move(text));
    module_.place.line = first_line;
  }

  HloModule Read();

 private:
  // Returns the next line with the lines that continue a bracket of it, without the line end. Requires that there is
  // one.
  std::string_view TakeLine();
  void ReadLine(std::string_view line);
  void BeginComputation(std::string_view line);
  void Add(HloInstruction& read, std::string_view line);
  void AddAttributes(const HloInstruction& read, ModuleInstruction& instruction);
  void AddCalls(CallRole role, std::string_view text, ModuleInstruction& instruction);
  void AddMetadata(std::string_view text, ModuleInstruction& instruction);
  void AddConstraints(std::string_view text, ModuleInstruction& instruction);
  ModuleOperand Resolve(HloOperand& operand, std::string_view line);
  void ResolveCalls();
  void Complain(const Error& error) { module_.problems.push_back({{line_, error.column}, error.message}); }
  std::string_view Keep(std::string text) { return *module_.names->Add(std::move(text)); }
  const Shape* Keep(std::optional<Shape>& shape) { return shape ? module_.shapes->Add(std::move(*shape)) : nullptr; }
  ModuleComputation& computation() { return module_.computations.back(); }

  HloModule module_;
  DumpReader lines_{kShapeOptions};
  StackFrameTables frames_;
  size_t position_ = 0;  // in the text, of the next line
  int64_t line_ = 1;     // number of the line that is read
  int64_t next_line_ = 1;
  bool in_computation_ = false;
  std::unordered_map<std::string_view, int64_t> instructions_;  // of the present computation, by name
};

HloModule ModuleBuilder::Read() {
  next_line_ = line_;
  while (position_ < module_.text->size()) {
    line_ = next_line_;
    ReadLine(TakeLine());
  }
  ResolveCalls();
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
  Expected<DumpLine> read = lines_.Read(line);
  // A literal may go on in the next lines.
  const size_t begin = static_cast<size_t>(line.data() - module_.text->data());
  while (!read && read.error().column > static_cast<int64_t>(line.size()) && position_ < module_.text->size()) {
    const std::string_view rest = std::string_view(*module_.text).substr(position_);
    if (BeginsAnew(rest.substr(0, rest.find('\n')))) break;
    TakeLine();
    line = std::string_view(*module_.text).substr(begin, std::min(position_ - 1, module_.text->size()) - begin);
    read = lines_.Read(line);
  }
  if (!read) return Complain(read.error());
  switch (read->kind) {
    case DumpLineKind::kBlank: return;
    case DumpLineKind::kModuleHeader:
      if (auto header = ReadModuleHeader(line, module_); !header) Complain(header.error());
      return;
    case DumpLineKind::kComputationHead: return BeginComputation(line);
    case DumpLineKind::kBrace:
      in_computation_ = in_computation_ && Lexer(line).kind() != TokenKind::kRightBrace;
      return;
    case DumpLineKind::kTable: return frames_.Read(line);
    case DumpLineKind::kInstruction: break;
  }
  if (!in_computation_) BeginComputation("");
  Add(*read->instruction, line);
}

void ModuleBuilder::BeginComputation(std::string_view line) {
  in_computation_ = true;
  instructions_.clear();
  module_.computations.emplace_back().place.line = line_;
  if (line.empty()) return;
  if (auto head = ReadComputationHead(line, module_, computation()); !head) Complain(head.error());
  if (computation().is_entry) module_.entry = static_cast<int64_t>(module_.computations.size()) - 1;
}

void ModuleBuilder::Add(HloInstruction& read, std::string_view line) {
  ModuleInstruction instruction;
  const Lexer lexer(line);
  instruction.place = {line_, lexer.token().column};
  instruction.text = line.substr(static_cast<size_t>(lexer.token().column - 1));
  for (HloOperand& operand : read.operands) instruction.operands.push_back(Resolve(operand, line));
  instruction.name = Keep(std::move(read.name));
  instruction.opcode = Keep(std::move(read.opcode));
  instruction.shape = Keep(read.shape);
  instruction.is_root = read.is_root;
  AddAttributes(read, instruction);
  const auto number = static_cast<int64_t>(computation().instructions.size());
  if (instruction.opcode == "parameter") {
    const Lexer literal(read.literal);
    constexpr int64_t kMostParameters = 1 << 20;
    if (literal.kind() == TokenKind::kInt && literal.token().integer >= 0 &&
        literal.token().integer < kMostParameters) {
      instruction.number = literal.token().integer;
      std::vector<int64_t>& parameters = computation().parameters;
      parameters.resize(std::max(parameters.size(), static_cast<size_t>(instruction.number) + 1), kUnknown);
      parameters[static_cast<size_t>(instruction.number)] = number;
    }
  }
  if (instruction.is_root || computation().Root() == nullptr || !computation().Root()->is_root) {
    computation().root = number;
  }
  if (!instruction.name.empty()) instructions_[instruction.name] = number;
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
  } else {
    return resolved;
  }
  resolved.defined =
      PartAt(computation().instructions[static_cast<size_t>(resolved.instruction)].shape, operand.tuple_indices);
  return resolved;
}

void ModuleBuilder::AddAttributes(const HloInstruction& read, ModuleInstruction& instruction) {
  for (const HloAttribute& attribute : read.attributes) {
    if (attribute.name == "metadata") {
      AddMetadata(attribute.text, instruction);
    } else if (attribute.name == "dimensions") {
      for (Lexer lexer(attribute.text); lexer.kind() != TokenKind::kEof; lexer.Advance()) {
        if (lexer.kind() == TokenKind::kInt) instruction.dimensions.push_back(lexer.token().integer);
      }
    } else if (attribute.name == "operand_layout_constraints") {
      AddConstraints(attribute.text, instruction);
    } else if (attribute.name == "index" && instruction.opcode == "get-tuple-element") {
      const Lexer lexer(attribute.text);
      if (lexer.kind() == TokenKind::kInt) instruction.number = lexer.token().integer;
    } else if (const auto role = RoleOf(attribute.name)) {
      AddCalls(*role, attribute.text, instruction);
    }
  }
}

void ModuleBuilder::AddCalls(CallRole role, std::string_view text, ModuleInstruction& instruction) {
  for (Lexer lexer(text); lexer.kind() != TokenKind::kEof; lexer.Advance()) {
    if (lexer.kind() != TokenKind::kIdent && lexer.kind() != TokenKind::kName) continue;
    instruction.calls.push_back({role, kUnknown, Keep(std::string(lexer.token().word()))});
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

void ModuleBuilder::ResolveCalls() {
  std::unordered_map<std::string_view, int64_t> computations;
  for (size_t i = 0; i < module_.computations.size(); ++i) {
    computations.emplace(module_.computations[i].name, static_cast<int64_t>(i));
  }
  for (ModuleComputation& caller : module_.computations) {
    for (ModuleInstruction& instruction : caller.instructions) {
      for (ComputationCall& call : instruction.calls) {
        const auto found = computations.find(call.name);
        if (found != computations.end()) call.computation = found->second;
      }
    }
  }
}

}  // namespace

const Shape* PartAt(const Shape* shape, const std::vector<int64_t>& path) {
  for (const int64_t index : path) {
    if (shape == nullptr || !shape->IsTuple() || index < 0 || index >= static_cast<int64_t>(shape->elements.size())) {
      return nullptr;
    }
    shape = &shape->elements[static_cast<size_t>(index)];
  }
  return shape;
}

HloModule ReadModule(std::string text, int64_t first_line) { return ModuleBuilder(std::move(text), first_line).Read(); }

}  // namespace layoutcheck
