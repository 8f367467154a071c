// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parts of MLIR's text that operations of all kinds have: types, attributes, locations and brackets.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/base/text_cursor.h"
#include "layoutcheck/llvm/ttir/ttir.h"
#include "layoutcheck/llvm/ttir/ttir_locations.h"

namespace layoutcheck {

// A position in a module's text. A step that finds something else returns an error with line and column.
class TtirScanner {
 public:
  // `text` must outlive the scanner. `file` names it in places.
  TtirScanner(std::string_view text, std::string_view file);

 protected:
  // Returns true for bytes of the names of operations, values and attributes.
  static bool IsNameByte(char c) { return TextCursor::IsWordByte(c) || c == '.' || c == '$' || c == '-'; }

  // Return a syntax error at the current position, or at another one.
  std::unexpected<Error> Fail(std::string_view message) const { return FailAt(cursor_.position(), message); }
  std::unexpected<Error> FailAt(size_t position, std::string_view message) const;
  // Skips blanks of lines. An operation ends with its line, so that its parts are read without them.
  void SkipLines();
  // Skips comments, and lines that define an alias: `#loc1 = loc(...)`. Keeps those of attributes in aliases_.
  void SkipDefinitions();
  // Steps over `attributes {...}`, if they follow.
  Expected<void> SkipAttributes();
  // Steps over a bracket with all that is in it, and returns its text.
  Expected<std::string_view> Balanced();
  // Steps over `loc(...)`, if there is one. Returns the place in the source, or the line of this text.
  std::string TakeLocation();
  Expected<TtirType> Type();
  // Reads types with commas or `*` between them, in parentheses or not.
  Expected<std::vector<TtirType>> Types();
  // Reads `key = value` and `key`, up to `}`, behind `{`.
  Expected<void> Attributes(TtirAttributes& attributes);
  // Return the number of the line that has the position, and the column in it, both from 1.
  size_t LineOf(size_t position) const;
  size_t ColumnOf(size_t position) const;

  std::string_view text_;
  TextCursor cursor_;
  TtirAttributes aliases_;  // those of SkipDefinitions

 private:
  std::string_view file_;
  std::vector<size_t> line_begins_;  // positions at which lines begin
  TtirLocations locations_;
};

}  // namespace layoutcheck
