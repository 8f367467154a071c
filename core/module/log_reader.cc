// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/module/log_reader.h"
#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>
#include "layoutcheck/core/base/text_cursor.h"
#include "layoutcheck/core/base/trim.h"
#include "layoutcheck/core/hlo/lexer.h"
#include "layoutcheck/core/hlo/opcode.h"
#include "layoutcheck/core/hlo/shape_parser.h"
#include "layoutcheck/core/module/module_header.h"

namespace layoutcheck {
namespace {

bool IsLetterOrDigit(char c) { return TextCursor::IsLetter(c) || TextCursor::IsDigit(c); }
// Returns true for bytes that may stand in a name in front of what looks like an element type.
bool IsInName(char c) { return IsLetterOrDigit(c) || c == '_' || c == '.' || c == '-' || c == '%'; }

// Longer shapes are not looked for, so that a long line without any takes linear time.
constexpr size_t kLongestShape = 4096;
constexpr size_t kLongestResult = 65536;

bool Contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

bool IsAllocation(std::string_view line) {
  return Contains(line, "Shape: ") || Contains(line, "shape |") || Contains(line, "(size=");
}

constexpr size_t kLabelSize = std::string_view("XLA label:").size();

// Returns the place of the next "XLA label:" or "XLA Label:" from `begin` on, or npos.
size_t FindLabel(std::string_view text, size_t begin) {
  for (size_t at = text.find("XLA ", begin); at != std::string_view::npos; at = text.find("XLA ", at + 1)) {
    const std::string_view found = text.substr(at, kLabelSize);
    if (found == "XLA label:" || found == "XLA Label:") return at;
  }
  return std::string_view::npos;
}

constexpr std::string_view kSeparator = "==========";  // stands between the allocations of a report

// The name, the opcode and the line of source of an instruction. A part that the log does not say is empty or 0.
struct LogLabel {
  std::string_view name;
  std::string_view opcode;
  std::string_view source_file;
  int64_t source_line = 0;
};

// Adds the line of source that the text names: `source_file="model.py" source_line=7`.
void ReadSource(std::string_view text, LogLabel& label) {
  const size_t file = text.find("source_file=\"");
  if (file == std::string_view::npos) return;
  Lexer lexer(text.substr(file, kLongestResult));
  lexer.Advance();  // source_file=
  if (lexer.kind() != TokenKind::kString) return;
  const std::string_view name = lexer.token().text.substr(1, lexer.token().text.size() - 2);
  lexer.Advance();
  if (lexer.token().kind != TokenKind::kAttributeName || lexer.token().word() != "source_line") return;
  lexer.Advance();
  if (lexer.kind() != TokenKind::kInt) return;
  label.source_file = name;
  label.source_line = lexer.token().integer;
}

// Adds name and opcode of a label without a shape: `fusion.7 = fusion(x, ...)`, or an opcode alone.
void ReadLabel(std::string_view text, LogLabel& label) {
  text = Trimmed(text);
  if (IsKnownOpcode(text)) {
    label.opcode = text;
    return;
  }
  size_t end = 0;
  while (end < text.size() && IsInName(text[end])) ++end;
  Lexer lexer(text.substr(end, kLongestResult));
  if (end == 0 || lexer.kind() != TokenKind::kEqual) return;
  lexer.Advance();
  if (lexer.kind() != TokenKind::kIdent || lexer.Peek().kind != TokenKind::kLeftParen) return;
  label.name = text.substr(0, end);
  if (label.name.starts_with('%')) label.name.remove_prefix(1);
  label.opcode = lexer.token().text;
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
  // Reads a line, which may have several parts of a report: a label is a part, and so is what follows a separator.
  void ReadLine(std::string_view line) {
    line_text_ = line;
    bool is_label = false;
    size_t begin = 0;
    size_t label = FindLabel(line, 0);
    size_t separator = line.find(kSeparator);
    while (true) {
      const size_t end = std::min({label, separator, line.size()});
      const std::string_view part = line.substr(begin, end - begin);
      is_label ? ReadLabelPart(part) : ReadPart(part);
      if (end == line.size()) return;
      is_label = label < separator;
      begin = end + (is_label ? kLabelSize : kSeparator.size());
      if (is_label) {
        label = FindLabel(line, begin);
      } else {
        separator = line.find(kSeparator, begin);
        allocation_ = ModuleOperand::kUnknown;
        next_label_ = {};
      }
    }
  }

  void ReadPart(std::string_view part) {
    if (Contains(part, "Operator: ")) ReadSource(part, next_label_);
    for (size_t equals = part.find(" = "); equals != std::string_view::npos; equals = part.find(" = ", equals + 3)) {
      if (ReadInstruction(part, equals, false)) return;
    }
    for (size_t bracket = part.find('['); bracket != std::string_view::npos;) {
      size_t begin = bracket;
      while (begin > 0 && IsLetterOrDigit(part[begin - 1])) --begin;
      const bool is_type = begin < bracket && (begin == 0 || !IsInName(part[begin - 1])) &&
                           ElementTypeFromName(part.substr(begin, bracket - begin)).has_value();
      const size_t end = is_type ? ReadShape(part, begin) : begin;
      bracket = part.find('[', std::max(end, bracket + 1));
    }
  }

  void ReadLabelPart(std::string_view label) {
    for (size_t equals = label.find(" = "); equals != std::string_view::npos; equals = label.find(" = ", equals + 3)) {
      if (ReadInstruction(label, equals, true)) return;
    }
    const size_t shape = std::min(label.find("Shape: "), label.size());
    LogLabel read;
    ReadLabel(label.substr(0, shape), read);
    ReadSource(label, read);
    // A label stands behind the shape of its allocation, or in front of it.
    if (!read.opcode.empty() && allocation_ >= 0) {
      Apply(read, Allocation());
      allocation_ = ModuleOperand::kUnknown;
    } else if (!read.opcode.empty()) {
      next_label_.name = read.name;
      next_label_.opcode = read.opcode;
    }
    ReadPart(label.substr(shape));
  }

  // Reads `name = shape opcode(` that begins at the equals sign. Returns false if the text is something else.
  bool ReadInstruction(std::string_view part, size_t equals, bool is_label) {
    size_t begin = equals;
    while (begin > 0 && IsInName(part[begin - 1])) --begin;
    Lexer lexer(part.substr(equals + 3, kLongestResult));
    ShapeParser shapes(lexer, kShapeOptions);
    Shape shape;
    if (begin == equals || !shapes.AtShape() || !shapes.ReadShape(shape)) return false;
    if (lexer.kind() != TokenKind::kIdent || lexer.Peek().kind != TokenKind::kLeftParen) return false;
    LogLabel label{.name = part.substr(begin, equals - begin), .opcode = lexer.token().text};
    if (label.name.starts_with('%')) label.name.remove_prefix(1);
    ReadSource(part, label);
    Apply(label, is_label && allocation_ >= 0 ? Allocation() : Add(part, begin, std::move(shape)));
    allocation_ = ModuleOperand::kUnknown;
    return true;
  }

  // Reads a shape at `begin` and returns the place behind it, or `begin` if there is none.
  size_t ReadShape(std::string_view part, size_t begin) {
    Lexer lexer(part.substr(begin, kLongestShape));
    ShapeParser shapes(lexer, kShapeOptions);
    Shape shape;
    if (!shapes.ReadShape(shape)) return begin;
    const size_t end = begin + static_cast<size_t>(lexer.token().column - 1);
    const std::string_view written = part.substr(begin, end - begin);
    const bool is_allocation = IsAllocation(part);
    if (!Contains(written, "{")) {
      if (!is_allocation) return end;
      shape.layout = MakeDescendingLayout(shape.rank());
    }
    ModuleInstruction& array = Add(part, begin, std::move(shape));
    if (is_allocation) {
      Apply(next_label_, array);
      next_label_ = {};
      allocation_ = static_cast<int64_t>(module_.computations[0].instructions.size()) - 1;
    }
    return end;
  }

  ModuleInstruction& Add(std::string_view part, size_t begin, Shape shape) {
    ModuleInstruction& array = module_.computations[0].instructions.emplace_back();
    array.place = {line_, part.data() - line_text_.data() + static_cast<int64_t>(begin) + 1};
    array.text = part.substr(begin);
    array.shape = module_.shapes->Add(std::move(shape));
    module_.computations[0].root = static_cast<int64_t>(module_.computations[0].instructions.size()) - 1;
    return array;
  }

  // Copies the parts that the label has to the instruction.
  void Apply(const LogLabel& label, ModuleInstruction& instruction) {
    if (!label.name.empty()) instruction.name = label.name;
    if (!label.opcode.empty()) instruction.opcode = label.opcode;
    if (label.source_file.empty()) return;
    instruction.source_file = label.source_file;
    instruction.source_line = label.source_line;
  }

  ModuleInstruction& Allocation() { return module_.computations[0].instructions[static_cast<size_t>(allocation_)]; }

  HloModule module_;
  int64_t line_;
  std::string_view line_text_;
  // The allocation whose label is still to come: its number among the instructions, or kUnknown.
  int64_t allocation_ = ModuleOperand::kUnknown;
  LogLabel next_label_;  // label of the allocation whose shape is still to come
};

}  // namespace

HloModule ReadLog(std::string text, int64_t first_line) { return LogReader(std::move(text), first_line).Read(); }

}  // namespace layoutcheck
