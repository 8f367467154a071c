// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/pictures/svg_canvas.h"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include "layoutcheck/cli/pictures/picture_style.h"
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

constexpr std::string_view kPattern =
    "<pattern id=\"pad\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\">"
    "<rect width=\"6\" height=\"6\" class=\"hatch-back\"/><rect width=\"1.6\" height=\"6\" "
    "class=\"hatch-line\"/></pattern>";

// A length in an SVG file, rounded to a hundredth of a pixel.
struct Pixels {
  double length;
};

void StrAppendOne(std::string& out, Pixels pixels) {
  int64_t hundredths = std::llround(pixels.length * 100);
  if (hundredths < 0) out += '-';
  hundredths = std::abs(hundredths);
  StrAppend(out, hundredths / 100);
  if (hundredths % 100 == 0) return;
  StrAppend(out, ".", hundredths % 100 / 10);
  if (hundredths % 10 != 0) StrAppend(out, hundredths % 10);
}

}  // namespace

std::string PaleCss(int color) { return StrCat("p", color); }
std::string StrongCss(int color) { return StrCat("s", color); }

std::string EscapeMarkup(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '&': out += "&amp;"; break;
      case '"': out += "&quot;"; break;
      default: out += c;
    }
  }
  return out;
}

void SvgCanvas::Text(double x, double baseline, std::string_view css, std::string_view text) {
  StrAppend(out, "<text x=\"", Pixels{x}, "\" y=\"", Pixels{baseline}, "\"");
  if (!css.empty()) StrAppend(out, " class=\"", css, "\"");
  StrAppend(out, ">", EscapeMarkup(text), "</text>\n");
}

void SvgCanvas::Line(double indent, std::string_view css, std::string_view text, double character, double height) {
  Text(kMargin + indent, y + 12, css, text);
  right = std::max(right, kMargin + indent + character * static_cast<double>(text.size()));
  y += height;
}

void SvgCanvas::Rect(double x, double top, double width, double height, std::string_view css, std::string_view title) {
  StrAppend(out, "<rect x=\"", Pixels{x}, "\" y=\"", Pixels{top}, "\" width=\"", Pixels{width}, "\" height=\"",
            Pixels{height}, "\" class=\"", css, "\"");
  if (title.empty()) {
    out += "/>\n";
  } else {
    StrAppend(out, "><title>", EscapeMarkup(title), "</title></rect>\n");
  }
}

void SvgCanvas::Dots(double x, double center, bool across) {
  for (int k = -1; k <= 1; ++k) {
    StrAppend(out, "<circle class=\"dot\" cx=\"", Pixels{x + (across ? 5 * k : 0)}, "\" cy=\"",
              Pixels{center + (across ? 0 : 5 * k)}, "\" r=\"1.3\"/>");
  }
  out += '\n';
}

double SvgCanvas::Legend(double x, std::span<const std::string> css, std::string_view text) {
  const double width = css.size() == 1 ? 26 : 13;
  for (const std::string& name : css) {
    Rect(x, y, width, 15, StrCat(name, " swatch"));
    x += width;
  }
  Text(x + 8, y + 12, "", text);
  x += 8 + kCharacter * static_cast<double>(text.size());
  right = std::max(right, x);
  return x;
}

std::string SvgCanvas::Element(std::string_view label) const {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"layout\" role=\"img\" aria-label=\"{5}\" width=\"{0:.0f}\" "
      "height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} {1:.0f}\">\n<style>{2}</style>\n<defs>{3}</defs>\n"
      "<rect width=\"100%\" height=\"100%\" class=\"page\"/>\n{4}</svg>\n",
      right + kMargin, y + kMargin, SvgStyle(), kPattern, out, EscapeMarkup(label));
}

}  // namespace layoutcheck
