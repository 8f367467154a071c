// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Properties of the terminal that the program writes to.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace layoutcheck {

// The style of text for a terminal. A picture larger than width x height is folded.
struct TextStyle {
  bool utf8 = true;     // box-drawing characters instead of ASCII
  int64_t width = 100;  // in columns
  int64_t height = 40;  // in lines
  bool colors = false;  // cells have background colors, as escape sequences of 256 colors
  bool wraps = false;   // sentences and facts keep to the width, too
};

// Returns the style for stdout: UTF-8 if the locale has it. On a terminal, text keeps to its width, or to that of
// COLUMNS, up to 160 columns. Colors if stdout is a terminal that is not "dumb" and the environment has no NO_COLOR
// (no-color.org).
TextStyle StyleOfTerminal();

// Returns the columns for prose: those of the terminal on stdout, but from 60 to 100, or 80 without a terminal.
size_t ColumnsForProse();

// A line of progress on stderr if that is a terminal, updated at most five times per second and removed at the end.
class ProgressLine {
 public:
  ProgressLine();
  ~ProgressLine() { Clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // Returns true if Show would change the line now.
  bool IsDue() const;
  void Show(std::string_view text);
  void Clear();

 private:
  bool on_terminal_;
  size_t width_ = 0;  // columns of the widest text shown; 0 if nothing is shown
  std::chrono::steady_clock::time_point next_;
};

}  // namespace layoutcheck
