// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/module/log_reader.h"
#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>
#include "layoutcheck/core/hlo/lexer.h"
#include "layoutcheck/core/hlo/shape_parser.h"

namespace layoutcheck {
namespace {

constexpr ParseOptions kShapeOptions{.fill_missing_layouts = false, .validate = false};

bool IsLetterOrDigit(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); }
// Returns true for bytes that may stand in a name in front of what looks like an element type.
bool IsInName(char c) { return IsLetterOrDigit(c) || c == '_' || c == '.' || c == '-' || c == '%'; }

// Longer shapes are not looked for, so that a long line without any takes linear time.
constexpr size_t kLongestShape = 4096;
constexpr size_t kLongestResult = 65536;

bool Contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

bool IsAllocation(std::string_view line) {
  return Contains(line, "Shape: ") || Contains(line, "shape |") || Contains(line, "(size=");
}

class LogReader {
 public:
  LogReader(std::string text, int64_t first_line) : line_(first_line) {
    module_.text = std::make_unique<const std::string>(std::move(text));
    module_.place.line = first_line;
    module_.is_log = true;
    module_.computations.emplace_back().place.line = first_line;
  }

  HloModule Read() {
    const std::string_view text = *module_.text;
    for (size_t at = 0; at < text.size(); ++line_) {
      const size_t end = std::min(text.find('\n', at), text.size());
      ReadLine(text.substr(at, end - at));
      at = end + 1;
    }
    return std::move(module_);
  }

 private:
  void ReadLine(std::string_view line);
  // Reads `name = shape opcode(` that begins at the equals sign. Returns false if the text is something else.
  bool ReadInstruction(std::string_view line, size_t equals);
  // Reads a shape at `begin` and returns the place behind it, or `begin` if there is none.
  size_t ReadShape(std::string_view line, size_t begin);
  ModuleInstruction& Add(std::string_view line, size_t begin, Shape shape);

  HloModule module_;
  int64_t line_;
  // The allocation whose label is still to come: its number among the instructions, or kUnknown.
  int64_t allocation_ = ModuleOperand::kUnknown;
};

void LogReader::ReadLine(std::string_view line) {
  for (size_t equals = line.find(" = "); equals != std::string_view::npos; equals = line.find(" = ", equals + 3)) {
    if (ReadInstruction(line, equals)) return;
  }
  for (size_t bracket = line.find('['); bracket != std::string_view::npos;) {
    size_t begin = bracket;
    while (begin > 0 && IsLetterOrDigit(line[begin - 1])) --begin;
    const bool is_type = begin < bracket && (begin == 0 || !IsInName(line[begin - 1])) &&
                         ElementTypeFromName(line.substr(begin, bracket - begin)).has_value();
    const size_t end = is_type ? ReadShape(line, begin) : begin;
    bracket = line.find('[', std::max(end, bracket + 1));
  }
}

bool LogReader::ReadInstruction(std::string_view line, size_t equals) {
  size_t begin = equals;
  while (begin > 0 && IsInName(line[begin - 1])) --begin;
  Lexer lexer(line.substr(equals + 3, kLongestResult));
  ShapeParser shapes(lexer, kShapeOptions);
  Shape shape;
  if (begin == equals || !shapes.AtShape() || !shapes.ReadShape(shape)) return false;
  if (lexer.kind() != TokenKind::kIdent || lexer.Peek().kind != TokenKind::kLeftParen) return false;
  const bool is_label = Contains(line, "label:") || Contains(line, "Label:");
  ModuleInstruction& named = is_label && allocation_ >= 0
                                 ? module_.computations[0].instructions[static_cast<size_t>(allocation_)]
                                 : Add(line, begin, std::move(shape));
  named.name = line.substr(begin, equals - begin);
  if (named.name.starts_with('%')) named.name.remove_prefix(1);
  named.opcode = lexer.token().text;
  allocation_ = ModuleOperand::kUnknown;
  return true;
}

size_t LogReader::ReadShape(std::string_view line, size_t begin) {
  Lexer lexer(line.substr(begin, kLongestShape));
  ShapeParser shapes(lexer, kShapeOptions);
  Shape shape;
  if (!shapes.ReadShape(shape)) return begin;
  const size_t end = begin + static_cast<size_t>(lexer.token().column - 1);
  const std::string_view written = line.substr(begin, end - begin);
  const bool is_allocation = IsAllocation(line);
  if (!Contains(written, "{")) {
    if (!is_allocation) return end;
    shape.layout = MakeDescendingLayout(shape.rank());
  }
  Add(line, begin, std::move(shape));
  if (is_allocation) allocation_ = static_cast<int64_t>(module_.computations[0].instructions.size()) - 1;
  return end;
}

ModuleInstruction& LogReader::Add(std::string_view line, size_t begin, Shape shape) {
  ModuleInstruction& array = module_.computations[0].instructions.emplace_back();
  array.place = {line_, static_cast<int64_t>(begin) + 1};
  array.text = line.substr(begin);
  array.shape = module_.shapes->Add(std::move(shape));
  module_.computations[0].root = static_cast<int64_t>(module_.computations[0].instructions.size()) - 1;
  return array;
}

}  // namespace

HloModule ReadLog(std::string text, int64_t first_line) { return LogReader(std::move(text), first_line).Read(); }

}  // namespace layoutcheck
