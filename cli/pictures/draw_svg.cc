// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/pictures/draw_svg.h"
#include <fmt/format.h>
#include <algorithm>
#include <iterator>
#include <string_view>
#include "layoutcheck/cli/pictures/draw_grid_svg.h"
#include "layoutcheck/cli/pictures/picture_style.h"
#include "layoutcheck/cli/pictures/svg_canvas.h"
#include "layoutcheck/cli/pictures/svg_section.h"
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

// The heading of a page is the text of a layout.
constexpr std::string_view kTitleStyle =
    "h1{font:bold 1.25em 'DejaVu Sans Mono',Menlo,Consolas,monospace;overflow-wrap:anywhere}svg{display:block}";

// Shares of the height of a picture that shows memory twice, without and with coordinates.
constexpr double kPlainShare = 1000.0 / 1400;
constexpr double kLabelledShare = 800.0 / 1400;

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

void DrawLegend(const MemoryBoxes& boxes, bool folded, SvgCanvas& canvas) {
  std::string names;
  const std::vector<int64_t> dimensions = boxes.CellDimensions();
  for (const int64_t d : dimensions) StrAppend(names, names.empty() ? "" : ",", boxes.names[static_cast<size_t>(d)]);
  std::string element = names.empty() ? "the element" : "element " + names;
  std::vector<std::string> css{PaleCss(0)};
  if (dimensions.size() > 1) {
    StrAppend(element, ", colored by ", boxes.names[static_cast<size_t>(dimensions[dimensions.size() - 2])],
              " modulo 8");
    for (int color = 1; color < 8; ++color) css.push_back(PaleCss(color));
  }
  const double x = canvas.Legend(SvgCanvas::kMargin, css, element);
  const std::string hatch(SvgCanvas::kHatch);
  if (boxes.HasPadding()) canvas.Legend(x + 28, std::span(&hatch, 1), boxes.empty_cell);
  canvas.y += 26;
  const auto line = [&](std::string_view text) { canvas.Line(0, "faint", text, SvgCanvas::kCharacter, 16); };
  const std::string_view boxed = boxes.tiled ? "tile" : "block";
  if (!names.empty()) {
    const bool many = dimensions.size() > 1;
    line(fmt::format("{} {} {} of the array.", names,
                     many ? "are the coordinates in dimensions" : "is the coordinate in dimension",
                     StrJoin(dimensions, ",")));
  }
  line(fmt::format("Memory runs from left to right, line by line, {0} by {0}.", boxed));
  if (boxes.shared) line("Of elements that share a cell, the first is shown.");
  line(fmt::format("The number above a {} is the linear index of its first cell.", boxed));
  if (folded) line(SvgCanvas::kDotsMeaning);
  canvas.y += 10;
}

void DrawMemory(const MemoryBoxes& boxes, const SvgRoom& room, SvgCanvas& canvas) {
  const SvgSectionStyle whole = LabelledSvgStyle(boxes, room);
  const bool folded = MeasureSvgSection(boxes, whole).folded;
  DrawLegend(boxes, folded, canvas);
  if (!folded) return DrawSvgSection(boxes, whole, canvas);
  // Takes the largest cells without coordinates that show all of memory, if any do.
  double labelled_share = 1;
  for (const double size : {16.0, 12.0, 9.0, 7.0, 5.0, 4.0, 3.0, 2.0, 1.4}) {
    const SvgSectionStyle plain{
        false, size, std::max(size, 7.0), size > 8 ? 2.0 : 0.0, {room.width, kPlainShare * room.height}};
    const SvgSectionSize measured = MeasureSvgSection(boxes, plain);
    if (measured.folded || measured.cells > 40000) continue;
    DrawSvgSection(boxes, plain, canvas);
    canvas.y += 6;
    canvas.Line(0, "head", "With coordinates", SvgCanvas::kCharacter, 26);
    labelled_share = kLabelledShare;
    break;
  }
  DrawSvgSection(boxes, LabelledSvgStyle(boxes, {room.width, labelled_share * room.height}), canvas);
}

void DrawWholeGrid(const CellGrid& grid, const SvgRoom& room, SvgCanvas& canvas) {
  const SvgGridPlace place{SvgCanvas::kMargin, room.width, room.height};
  DrawGridLegend(grid, grid.Directions(), IsFolded(grid, place), canvas);
  DrawGrid(grid, place, canvas);
}

void DrawHead(const std::string& title, const std::vector<Fact>& summary, SvgCanvas& canvas) {
  canvas.y = SvgCanvas::kMargin;
  for (const std::string_view line : Wrap(title, 100, ",)")) canvas.Line(0, "title", line, 10.4, 22);
  canvas.y += 6;
  for (const Fact& line : summary) {
    std::string_view name = line.name;
    for (const std::string_view value : Wrap(line.value, 130, " ")) {
      canvas.Line(0, "faint", name, SvgCanvas::kCharacter, 0);
      canvas.Line(160, "", value, SvgCanvas::kCharacter, 18);
      name = "";
    }
  }
  canvas.y += 12;
}

// Returns the SVG of a part of a page.
template <class Draw>
std::string PartSvg(std::string_view label, Draw draw) {
  SvgCanvas canvas;
  canvas.y = 8;
  draw(canvas);
  return canvas.Element(label);
}

}  // namespace

std::string DrawSvg(const Picture& picture) {
  SvgCanvas canvas;
  DrawHead(picture.title, picture.summary, canvas);
  if (picture.banks != nullptr) DrawBanks(*picture.banks, canvas);
  if (picture.grid != nullptr) DrawWholeGrid(*picture.grid, {}, canvas);
  if (picture.grid != nullptr && picture.boxes != nullptr) canvas.y += 16;
  if (picture.boxes != nullptr) DrawMemory(*picture.boxes, {}, canvas);
  return canvas.Element(picture.title);
}

std::string DrawPairSvg(const PicturePair& pair) {
  constexpr double kGap = 40;
  SvgCanvas canvas;
  DrawHead(pair.title, pair.summary, canvas);
  const std::string label = StrCat(pair.left_title, ", ", pair.right_title);
  if (pair.left == nullptr || pair.right == nullptr) return canvas.Element(label);
  SvgGridPlace place{SvgCanvas::kMargin, (SvgCanvas::kWidth - kGap) / 2, 1400};
  const std::string directions = pair.left->Directions();
  DrawGridLegend(*pair.left, directions == pair.right->Directions() ? directions : "",
                 IsFolded(*pair.left, place) || IsFolded(*pair.right, place), canvas);
  const double top = canvas.y;
  const auto draw = [&](const std::string& title, const CellGrid& grid) {
    canvas.y = top;
    const std::vector<std::string_view> lines = Wrap(title, 68, ",)");
    double title_width = 0;
    for (const std::string_view line : lines) {
      canvas.Line(place.x - SvgCanvas::kMargin, "head", line, 8, 20);
      title_width = std::max(title_width, 8 * static_cast<double>(line.size()));
    }
    place.x += std::max(DrawGrid(grid, place, canvas), title_width) + kGap;
    return canvas.y;
  };
  const double left_end = draw(pair.left_title, *pair.left);
  canvas.y = std::max(left_end, draw(pair.right_title, *pair.right));
  return canvas.Element(label);
}

std::string DrawMemorySvg(std::string_view label, const MemoryBoxes& boxes, const SvgRoom& room) {
  return PartSvg(label, [&](SvgCanvas& canvas) { DrawMemory(boxes, room, canvas); });
}

std::string DrawGridSvg(std::string_view label, const CellGrid& grid, const SvgRoom& room) {
  return PartSvg(label, [&](SvgCanvas& canvas) { DrawWholeGrid(grid, room, canvas); });
}

std::string DrawBanksSvg(std::string_view label, const AccessedBanks& banks) {
  return PartSvg(label, [&](SvgCanvas& canvas) { DrawBanks(banks, canvas); });
}

std::string DrawHtml(const Picture& picture) {
  std::string rows;
  for (const Fact& line : picture.summary) {
    StrAppend(rows, "<tr><th>", EscapeMarkup(line.name), "</th><td>", EscapeMarkup(line.value), "</td></tr>\n");
  }
  std::string parts;
  if (picture.banks != nullptr) parts += DrawBanksSvg(picture.title, *picture.banks);
  if (picture.grid != nullptr) parts += DrawGridSvg(picture.title, *picture.grid);
  if (picture.boxes != nullptr) parts += DrawMemorySvg(picture.title, *picture.boxes);
  const std::string title = EscapeMarkup(picture.title);
  return StrCat("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>", title,
                "</title>\n<style>", PageStyle(), kTitleStyle, "</style>\n</head>\n<body>\n<h1>", title,
                "</h1>\n<table>\n", rows, "</table>\n<div>\n", parts, "</div>\n</body>\n</html>\n");
}

}  // namespace layoutcheck
