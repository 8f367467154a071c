// An SVG drawing that grows downwards.
#ifndef LAYOUTCHECK_CLI_PICTURES_SVG_CANVAS_H_
#define LAYOUTCHECK_CLI_PICTURES_SVG_CANVAS_H_

#include <string>
#include <string_view>

namespace layoutcheck {

// Text for markup: < > & and quotes as entities.
std::string EscapeMarkup(std::string_view text);

// Lengths are in pixels.
struct SvgCanvas {
  static constexpr double kWidth = 1160;  // of what is drawn, at most
  static constexpr double kMargin = 24;
  static constexpr double kCharacter = 7.3;  // width of a character of 12 px monospace
  // What padding is filled with.
  static constexpr std::string_view kHatch = "url(#pad)";

  std::string out;   // the elements so far
  double y = 0;      // where the next thing is drawn
  double right = 0;  // the right end of what is drawn

  // A line of text of CSS class `css` (may be empty) with its baseline at `baseline`; moves nothing.
  void Text(double x, double baseline, std::string_view css, std::string_view text);
  // A line of text at the left margin plus `indent`; `character` is the width of one. Moves y by `height`.
  void Line(double indent, std::string_view css, std::string_view text, double character, double height);
  // `title`, if any, appears when the pointer rests on it.
  void Rect(double x, double top, double width, double height, std::string_view fill, std::string_view title = "");
  // Three dots, beside or above each other: something is left out.
  void Dots(double x, double center, bool across);

  // The drawing as an <svg> element with `label` as its description.
  std::string Element(std::string_view label) const;
};

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_CLI_PICTURES_SVG_CANVAS_H_
