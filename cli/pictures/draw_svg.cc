// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/pictures/draw_svg.h"
#include <fmt/format.h>
#include <algorithm>
#include <iterator>
#include <string_view>
#include "layoutcheck/cli/pictures/svg_canvas.h"
#include "layoutcheck/cli/pictures/svg_section.h"
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

// Breaks text into lines of at most `length` characters, after a character of `after` if the line has one.
std::vector<std::string_view> Wrap(std::string_view text, size_t length, std::string_view after) {
  std::vector<std::string_view> lines;
  while (text.size() > length) {
    const size_t cut = text.find_last_of(after, length - 1);
    lines.push_back(text.substr(0, cut == std::string_view::npos ? length : cut + 1));
    text.remove_prefix(lines.back().size());
  }
  lines.push_back(text);
  return lines;
}

void DrawLegend(const MemoryBoxes& boxes, SvgCanvas& canvas) {
  double x = SvgCanvas::kMargin;
  const auto legend = [&](std::string_view fill, std::string_view text) {
    fmt::format_to(std::back_inserter(canvas.out),
                   "<rect x=\"{:.5g}\" y=\"{:.5g}\" width=\"26\" height=\"15\" fill=\"{}\" stroke=\"#66727f\" "
                   "stroke-width=\"0.6\"/><text x=\"{:.5g}\" y=\"{:.5g}\">{}</text>\n",
                   x, canvas.y, fill, x + 34, canvas.y + 12, EscapeMarkup(text));
    x += 34 + SvgCanvas::kCharacter * static_cast<double>(text.size()) + 28;
  };
  std::string names;
  const std::vector<int64_t> dimensions = boxes.CellDimensions();
  for (const int64_t d : dimensions) StrAppend(names, names.empty() ? "" : ",", boxes.names[static_cast<size_t>(d)]);
  std::string element = names.empty() ? "the element" : "element " + names;
  if (dimensions.size() > 1) {
    StrAppend(element, ", colored by ", boxes.names[static_cast<size_t>(dimensions[dimensions.size() - 2])], " mod 8");
  }
  legend(SvgElementColor(), element);
  if (boxes.HasPadding()) legend(SvgCanvas::kHatch, boxes.empty_cell);
  canvas.right = std::max(canvas.right, x);
  canvas.y += 26;
  const std::string_view boxed = boxes.tiled ? "tile" : "block";
  canvas.Line(0, "faint", fmt::format("Memory runs from left to right, line by line, {0} by {0}.", boxed),
              SvgCanvas::kCharacter, 16);
  if (boxes.shared) {
    canvas.Line(0, "faint", "Of elements that share a cell, the first is shown.", SvgCanvas::kCharacter, 16);
  }
  canvas.Line(0, "faint", fmt::format("The number above a {} is the linear index of its first cell.", boxed),
              SvgCanvas::kCharacter, 26);
}

void DrawMemory(const MemoryBoxes& boxes, SvgCanvas& canvas) {
  DrawLegend(boxes, canvas);
  const SvgSectionStyle whole = LabelledSvgStyle(boxes, 1400);
  if (!MeasureSvgSection(boxes, whole).folded) return DrawSvgSection(boxes, whole, canvas);
  // Takes the largest cells without coordinates that show all of memory, if any do.
  for (const double size : {16.0, 12.0, 9.0, 7.0, 5.0, 4.0, 3.0, 2.0, 1.4}) {
    const SvgSectionStyle plain{false, size, std::max(size, 7.0), size > 8 ? 2.0 : 0.0, 1000};
    const SvgSectionSize measured = MeasureSvgSection(boxes, plain);
    if (measured.folded || measured.cells > 40000) continue;
    DrawSvgSection(boxes, plain, canvas);
    canvas.y += 6;
    canvas.Line(0, "head", "With coordinates", SvgCanvas::kCharacter, 26);
    break;
  }
  DrawSvgSection(boxes, LabelledSvgStyle(boxes, 800), canvas);
}

}  // namespace

std::string DrawSvg(const Picture& picture) {
  SvgCanvas canvas;
  canvas.y = SvgCanvas::kMargin;
  for (const std::string_view line : Wrap(picture.title, 100, ",)")) canvas.Line(0, "title", line, 10.4, 22);
  canvas.y += 6;
  for (const Fact& line : picture.summary) {
    std::string_view name = line.name;
    for (const std::string_view value : Wrap(line.value, 130, " ")) {
      canvas.Line(0, "faint", name, SvgCanvas::kCharacter, 0);
      canvas.Line(160, "", value, SvgCanvas::kCharacter, 18);
      name = "";
    }
  }
  canvas.y += 12;
  if (picture.boxes != nullptr) DrawMemory(*picture.boxes, canvas);
  return canvas.Element(picture.title);
}

std::string DrawMemorySvg(std::string_view label, const MemoryBoxes& boxes) {
  SvgCanvas canvas;
  canvas.y = 8;
  DrawMemory(boxes, canvas);
  return canvas.Element(label);
}

std::string DrawHtml(const Picture& picture) {
  std::string rows;
  for (const Fact& line : picture.summary) {
    StrAppend(rows, "<tr><th>", EscapeMarkup(line.name), "</th><td>", EscapeMarkup(line.value), "</td></tr>\n");
  }
  const std::string memory = picture.boxes == nullptr ? "" : DrawMemorySvg(picture.title, *picture.boxes);
  const std::string title = EscapeMarkup(picture.title);
  return StrCat("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>", title,
                "</title>\n<style>body{margin:2em;font-family:system-ui,sans-serif;color:#1f2933}"
                "h1{font:bold 1.25em 'DejaVu Sans Mono',Menlo,Consolas,monospace;overflow-wrap:anywhere}"
                "th{text-align:left;font-weight:normal;color:#66727f;padding-right:2em;vertical-align:top}"
                "td{font-family:'DejaVu Sans Mono',Menlo,Consolas,monospace}div{overflow-x:auto}svg{margin-left:-24px}"
                "</style>\n</head>\n<body>\n<h1>",
                title, "</h1>\n<table>\n", rows, "</table>\n<div>\n", memory, "</div>\n</body>\n</html>\n");
}

}  // namespace layoutcheck
