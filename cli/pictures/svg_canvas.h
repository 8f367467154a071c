// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace layoutcheck {

// Returns the CSS class of cells of a color, 0 to 7: pale under text, stronger without text.
std::string PaleCss(int color);
std::string StrongCss(int color);

// Returns text for markup: < > & and quotes become entities.
std::string EscapeMarkup(std::string_view text);

// Returns the style of a page with headings, tables of facts and pictures. On screen it follows the reader's choice of
// light or dark; on paper it is light.
std::string_view PageStyle();

// Breaks text into lines of at most `length` characters, after a character of `after` if the line has one.
std::vector<std::string_view> WrapText(std::string_view text, size_t length, std::string_view after);

// An SVG drawing to which elements are added from top to bottom. Lengths are in pixels.
struct SvgCanvas {
  static constexpr double kWidth = 1160;  // maximum
  static constexpr double kMargin = 24;
  static constexpr double kCharacter = 7.3;            // width of a character of 12 px monospace
  static constexpr std::string_view kHatch = "hatch";  // CSS class of padding

  static constexpr std::string_view kDotsMeaning = "Dots stand for what is left out.";

  std::string out;                                            // the elements so far
  double y = 0;                                               // top of the next element
  double right = 0;                                           // right end of all elements so far
  double text_end = std::numeric_limits<double>::infinity();  // right end at which lines of text are broken

  // Draws a line of text of CSS class `css` (may be empty) with its baseline at `baseline`. Does not move y.
  void Text(double x, double baseline, std::string_view css, std::string_view text);
  // Draws text at the left margin plus `indent`; a character is `character` wide. Moves y by `height` per line.
  void Line(double indent, std::string_view css, std::string_view text, double character, double height);
  // Draws a rectangle of CSS class `css`. `title`, if any, appears when the pointer rests on it.
  void Rect(double x, double top, double width, double height, std::string_view css, std::string_view title = "");
  // Draws a cell with a label and, if it is marked, with a stroke, which lies inside the cell.
  void Cell(double x, double top, double width, double height, std::string_view css, bool marked,
            std::string_view label, std::string_view title);
  // Draws the frame around cells.
  void Frame(double x, double top, double width, double height);
  // Draws a border between cells.
  void Border(bool is_heavy, double x1, double y1, double x2, double y2);
  // Draws three dots, side by side or above each other, as the mark of a fold.
  void Dots(double x, double center, bool across);

  // Draws swatches of these CSS classes side by side, at `x` and y, with the text that explains them; below, where
  // there is no room at `x`. Returns the end.
  double Legend(double x, std::span<const std::string> css, std::string_view text);
  // Draws a line of text of 12 px in faint color.
  void Note(std::string_view text, double height = 16) { Line(0, "faint", text, kCharacter, height); }

  // Returns the drawing as an <svg> element with `label` as its description.
  std::string Element(std::string_view label) const;
};

}  // namespace layoutcheck
