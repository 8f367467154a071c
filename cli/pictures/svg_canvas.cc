// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/pictures/svg_canvas.h"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

// The style of pictures. All of its rules are for elements of class `layout`, because the style of an SVG in a page
// applies to the whole page. It uses no variables, which some SVG renderers do not know.
constexpr std::string_view kSvgStyle = R"css(
.layout text{font:12px 'DejaVu Sans Mono',Menlo,Consolas,monospace;fill:#1f2933}
.layout .title{font-size:17px;font-weight:bold}.layout .head{font-size:13px;font-weight:bold}
.layout .faint{fill:#66727f;font-size:11px}.layout .cell{text-anchor:middle}.layout .number{text-anchor:end}
.layout .bold{font-weight:bold}.layout .page{fill:#fff}.layout .dot{fill:#66727f}
.layout .frame{fill:none;stroke:#3e4c59;stroke-width:1.4}.layout .border{stroke:#3e4c59;stroke-width:.8}
.layout .heavy{stroke-width:2}
.layout .swatch{stroke:#66727f;stroke-width:.6}.layout .marked{stroke:#b3261e;stroke-width:2}
.layout .hatch{fill:url(#pad)}.layout .hatch-back{fill:#f4f5f7}.layout .hatch-line{fill:#b4bcc6}
.layout .p0{fill:#cfe3f8}.layout .p1{fill:#fde0bf}.layout .p2{fill:#d2efd0}.layout .p3{fill:#f8d0d6}
.layout .p4{fill:#e3d8f5}.layout .p5{fill:#fdf1b4}.layout .p6{fill:#c8ecec}.layout .p7{fill:#e9dcc6}
.layout .s0{fill:#7db1e8}.layout .s1{fill:#f5b168}.layout .s2{fill:#83cf83}.layout .s3{fill:#ec8e9d}
.layout .s4{fill:#b498e0}.layout .s5{fill:#efd657}.layout .s6{fill:#79cfcf}.layout .s7{fill:#c9aa7a}
@media screen and (prefers-color-scheme:dark){
.layout text{fill:#e3e8ee}.layout .faint{fill:#9aa7b5}.layout .page{fill:#14191f}.layout .dot{fill:#9aa7b5}
.layout .frame,.layout .border{stroke:#8a97a5}.layout .swatch{stroke:#9aa7b5}.layout .marked{stroke:#ff8a80}
.layout .hatch-back{fill:#1d242c}.layout .hatch-line{fill:#475362}
.layout .p0{fill:#1f3f61}.layout .p1{fill:#61401a}.layout .p2{fill:#224b28}.layout .p3{fill:#632c38}
.layout .p4{fill:#41336b}.layout .p5{fill:#574c12}.layout .p6{fill:#154d4f}.layout .p7{fill:#4d4030}
.layout .s0{fill:#3f7cbf}.layout .s1{fill:#b87428}.layout .s2{fill:#47974b}.layout .s3{fill:#bd5769}
.layout .s4{fill:#7c60b5}.layout .s5{fill:#a58e22}.layout .s6{fill:#389595}.layout .s7{fill:#887046}}
@media print{.layout{max-width:100%;height:auto}}
)css";

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

// Returns how many characters fit into a width, at least 10: a word is not broken into letters.
size_t CharactersUntil(double width, double character) {
  return static_cast<size_t>(std::clamp(width / character, 10.0, 1e6));
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

std::vector<std::string_view> WrapText(std::string_view text, size_t length, std::string_view after) {
  std::vector<std::string_view> lines;
  while (text.size() > length) {
    const size_t cut = text.find_last_of(after, length - 1);
    lines.push_back(text.substr(0, cut == std::string_view::npos ? length : cut + 1));
    text.remove_prefix(lines.back().size());
  }
  lines.push_back(text);
  return lines;
}

std::string_view PageStyle() {
  return R"css(
:root{color-scheme:light dark;--page:#fff;--text:#1f2933;--faint:#66727f;--line:#cbd2d9;--link:#1d5fbf}
@media screen and (prefers-color-scheme:dark){:root{--page:#14191f;--text:#e3e8ee;--faint:#9aa7b5;--line:#384450;--link:#8ab8f5}}
body{margin:2em;font-family:system-ui,sans-serif;color:var(--text);background:var(--page)}a{color:var(--link)}
table{border-collapse:collapse}th,td{text-align:left;vertical-align:top;padding:.1em 2em .1em 0}
th{font-weight:normal;color:var(--faint);white-space:nowrap}
code,td{font-family:'DejaVu Sans Mono',Menlo,Consolas,monospace;overflow-wrap:anywhere}
div{overflow-x:auto}svg{margin-left:-24px}
@media print{body{margin:0}div{overflow:visible}svg{margin-left:0}table,svg{break-inside:avoid}h1,h2{break-after:avoid}}
)css";
}

void SvgCanvas::Text(double x, double baseline, std::string_view css, std::string_view text) {
  StrAppend(out, "<text x=\"", Pixels{x}, "\" y=\"", Pixels{baseline}, "\"");
  if (!css.empty()) StrAppend(out, " class=\"", css, "\"");
  StrAppend(out, ">", EscapeMarkup(text), "</text>\n");
}

void SvgCanvas::Line(double indent, std::string_view css, std::string_view text, double character, double height) {
  for (const std::string_view line : WrapText(text, CharactersUntil(text_end - kMargin - indent, character), " ")) {
    Text(kMargin + indent, y + 12, css, line);
    right = std::max(right, kMargin + indent + character * static_cast<double>(line.size()));
    y += height;
  }
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

void SvgCanvas::Cell(double x, double top, double width, double height, std::string_view css, bool marked,
                     std::string_view label, std::string_view title) {
  const double inset = marked ? 2 : 0.5;
  Rect(x + inset, top + inset, width - 2 * inset, height - 2 * inset, StrCat(css, marked ? " marked" : ""), title);
  if (!label.empty()) Text(x + width / 2, top + height / 2 + 4, marked ? "cell bold" : "cell", label);
}

void SvgCanvas::Frame(double x, double top, double width, double height) {
  out += fmt::format("<rect class=\"frame\" x=\"{:.5g}\" y=\"{:.5g}\" width=\"{:.5g}\" height=\"{:.5g}\"/>\n", x, top,
                     width, height);
}

void SvgCanvas::Border(bool is_heavy, double x1, double y1, double x2, double y2) {
  out += fmt::format("<line class=\"border{}\" x1=\"{:.5g}\" y1=\"{:.5g}\" x2=\"{:.5g}\" y2=\"{:.5g}\"/>\n",
                     is_heavy ? " heavy" : "", x1, y1, x2, y2);
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
  const double before = width * static_cast<double>(css.size()) + 8;
  if (x > kMargin && x + before + kCharacter * static_cast<double>(text.size()) > text_end) {
    x = kMargin;
    y += 20;
  }
  for (const std::string& name : css) {
    Rect(x, y, width, 15, StrCat(name, " swatch"));
    x += width;
  }
  x += 8;
  const auto lines = WrapText(text, CharactersUntil(text_end - x, kCharacter), " ");
  double end = x;
  for (size_t k = 0; k < lines.size(); ++k) {
    if (k > 0) y += 15;
    Text(x, y + 12, "", lines[k]);
    end = std::max(end, x + kCharacter * static_cast<double>(lines[k].size()));
  }
  right = std::max(right, end);
  return lines.size() > 1 ? text_end : end;
}

std::string SvgCanvas::Element(std::string_view label) const {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"layout\" role=\"img\" aria-label=\"{5}\" width=\"{0:.0f}\" "
      "height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} {1:.0f}\">\n<style>{2}</style>\n<defs>{3}</defs>\n"
      "<rect width=\"100%\" height=\"100%\" class=\"page\"/>\n{4}</svg>\n",
      right + kMargin, y + kMargin, kSvgStyle, kPattern, out, EscapeMarkup(label));
}

}  // namespace layoutcheck
