// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/pictures/draw_svg.h"
#include <fmt/format.h>
#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include "layoutcheck/cli/base/count.h"
#include "layoutcheck/cli/pictures/svg_canvas.h"
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

// The heading of a page is the text of a layout.
constexpr std::string_view kTitleStyle =
    "h1{font:bold 1.25em 'DejaVu Sans Mono',Menlo,Consolas,monospace;overflow-wrap:anywhere}svg{display:block}";

// Shares of the height of a picture that shows memory twice, without and with coordinates.
constexpr double kPlainShare = 1000.0 / 1400;
constexpr double kLabelledShare = 800.0 / 1400;

struct CellStyle {
  bool has_labels = true;
  double width = 0;  // pixels
  double height = 22;
  double group_gap = 5;  // between groups of cells of memory
};

// Returns the style with labels in the cells, which are wide enough for them.
CellStyle LabelledStyle(const CellPicture& picture) {
  const size_t characters = std::max(picture.LabelWidth(), picture.ColumnNumberWidth());
  return {.width = std::max(30.0, SvgCanvas::kCharacter * static_cast<double>(characters) + 12)};
}

// Draws the cells of a picture, without a legend.
class CellsDrawing {
 public:
  CellsDrawing(const CellPicture& picture, const CellStyle& style, const SvgRoom& room, SvgCanvas& canvas)
      : picture_(picture), style_(style), canvas_(canvas), left_(room.left), is_table_(picture.IsTable()) {
    if (is_table_ && picture.LineNumberWidth() > 0) {
      numbers_width_ = SvgCanvas::kCharacter * static_cast<double>(picture.LineNumberWidth()) + 8;
    }
    across_ = {.item = style.width, .border = is_table_ ? 6 : style.group_gap, .fold = kFold};
    const bool has_titles = !picture.PageTitle(0).empty();
    plan_ = picture.Plan({.max_width = room.width,
                          .max_height = room.height,
                          .across = across_,
                          .box_gap = kBoxGap,
                          .margin = numbers_width_,
                          .down = {.item = style.height, .border = kBorder, .fold = kFold},
                          .box_overhead = is_table_ ? 36.0 : 30.0,
                          .page_overhead = !has_titles ? 0.0
                                           : is_table_ ? 20.0
                                                       : 26.0});
    box_width_ = LengthOf(plan_.cells, across_);
  }

  bool folded() const { return plan_.folded; }
  // Returns the number of cells that are drawn.
  double CellCount() const {
    double count = 1;
    for (const auto* slots : {&plan_.cells, &plan_.lines, &plan_.rows, &plan_.columns, &plan_.pages}) {
      count *= static_cast<double>(std::ranges::count(*slots, Slot::Kind::kItem, &Slot::kind));
    }
    return count;
  }

  // Draws the cells at canvas.y, which it moves to the end. Returns the width of a box with the numbers beside it.
  double Draw() {
    for (const Slot& page : plan_.pages) {
      if (page.kind == Slot::Kind::kItem) {
        DrawPage(page.number);
      } else {
        DrawLeftOut(Counted(page.number, "more page"));
      }
    }
    if (const std::string tail = picture_.Legend().tail; !tail.empty()) {
      canvas_.Rect(left_, canvas_.y, 26, 15, SvgCanvas::kHatch);
      canvas_.Text(left_ + 34, canvas_.y + 12, "", tail);
      canvas_.y += 30;
    }
    return numbers_width_ + box_width_;
  }

 private:
  static constexpr double kFold = 18;
  static constexpr double kBorder = 6;
  static constexpr double kBoxGap = 14;

  void DrawLeftOut(std::string_view what) {
    canvas_.Dots(left_ + 8, canvas_.y + 4, false);
    canvas_.Text(left_ + 20, canvas_.y + 8, "faint", what);
    canvas_.y += kFold + 6;
  }

  void DrawPage(int64_t page) {
    if (const std::string title = picture_.PageTitle(page); !title.empty()) {
      canvas_.Text(left_, canvas_.y + 12, "head", title);
      canvas_.y += 20;
    }
    for (const Slot& row : plan_.rows) {
      const auto count = static_cast<uint64_t>(row.number);
      if (row.kind == Slot::Kind::kItem) {
        DrawRow({.page = page, .row = row.number});
      } else {
        DrawLeftOut(plan_.columns.size() == 1 ? Counted(count, "more tile")
                                              : StrCat(Counted(count, "more row"), " of tiles"));
      }
    }
  }

  void DrawRow(CellPlace place) {
    double x = left_ + numbers_width_;
    if (!is_table_) canvas_.y += 14;
    if (picture_.ColumnNumberWidth() > 0) DrawColumnNumbers(x);
    double height = 0;
    for (const Slot& column : plan_.columns) {
      if (column.kind == Slot::Kind::kFold) {
        canvas_.Dots(x + kFold / 2, canvas_.y + 12, true);
        x += kFold + kBoxGap;
        continue;
      }
      place.column = column.number;
      height = DrawBox(x, place);
      x += box_width_ + kBoxGap;
    }
    canvas_.y += height + (is_table_ ? 18 : 16);
  }

  void DrawColumnNumbers(double x) {
    ForEachPiece(plan_.cells, across_, x, [&](const Slot& slot, double at) {
      if (slot.kind != Slot::Kind::kItem) return;
      canvas_.Text(at + style_.width / 2, canvas_.y + 12, "faint cell", std::to_string(slot.number));
    });
    canvas_.y += 18;
  }

  // Draws a box and returns its height.
  double DrawBox(double x, CellPlace place) {
    canvas_.right = std::max(canvas_.right, x + box_width_);
    const double top = canvas_.y;
    if (!is_table_) canvas_.Text(x, top - 4, "faint", std::to_string(picture_.NumberAt(plan_, place)));
    const SlotLengths down{.item = style_.height, .border = kBorder, .fold = kFold};
    ForEachPiece(plan_.lines, down, top, [&](const Slot& slot, double y) {
      const double middle = y + kBorder / 2;
      place.line = slot.number;
      switch (slot.kind) {
        case Slot::Kind::kItem: DrawLine(x, y, place); break;
        case Slot::Kind::kBorder: canvas_.Border(slot.number > 1, x, middle, x + box_width_, middle); break;
        case Slot::Kind::kFold: canvas_.Dots(x + box_width_ / 2, y + kFold / 2, false); break;
      }
    });
    const double height = LengthOf(plan_.lines, down);
    for (const auto& [color, path] : runs_) StrAppend(canvas_.out, "<path class=\"", color, "\" d=\"", path, "\"/>\n");
    runs_.clear();
    ForEachPiece(plan_.cells, across_, x, [&](const Slot& slot, double at) {
      const double middle = at + across_.border / 2;
      if (is_table_ && slot.kind == Slot::Kind::kBorder) {
        canvas_.Border(slot.number > 1, middle, top, middle, top + height);
      }
    });
    canvas_.Frame(x, top, box_width_, height);
    return height;
  }

  // Calls draw(slot, start) for each piece, where `start` is its place after those before it. Returns the end of the
  // last.
  template <class Draw>
  static double ForEachPiece(const std::vector<Slot>& slots, const SlotLengths& lengths, double start, Draw draw) {
    for (const Slot& slot : slots) {
      draw(slot, start);
      start += LengthOf(std::span(&slot, 1), lengths);
    }
    return start;
  }

  void DrawLine(double x, double y, CellPlace place) {
    if (is_table_ && picture_.LineNumberWidth() > 0) {
      canvas_.Text(x - 8, y + 15, "faint number", std::to_string(picture_.NumberAt(plan_, place)));
    }
    std::string run_color;  // color of the current run; cells without labels are drawn as one run per color
    double run_start = x;
    const auto end_run = [&](double end) {
      if (!run_color.empty()) {
        fmt::format_to(std::back_inserter(runs_[run_color]), "M{0:.5g} {1:.5g}h{2:.4g}v{3:.4g}h-{2:.4g}z", run_start, y,
                       end - run_start, style_.height);
      }
      run_color.clear();
    };
    const double end = ForEachPiece(plan_.cells, across_, x, [&](const Slot& slot, double at) {
      if (slot.kind == Slot::Kind::kFold) canvas_.Dots(at + kFold / 2, y + style_.height / 2, true);
      if (slot.kind == Slot::Kind::kFold || (slot.kind == Slot::Kind::kBorder && across_.border > 0)) end_run(at);
      if (slot.kind != Slot::Kind::kItem) return;
      place.cell = slot.number;
      const std::optional<PictureCell> cell = picture_.CellAt(plan_, place);
      if (style_.has_labels) {
        if (cell) {
          canvas_.Cell(at, y, style_.width, style_.height, CssOf(*cell, PaleCss), cell->marked, cell->label,
                       cell->details);
        }
        return;
      }
      const std::string color = cell ? CssOf(*cell, StrongCss) : "";
      if (color == run_color) return;
      end_run(at);
      run_color = color;
      run_start = at;
    });
    end_run(end);
  }

  // Returns the CSS class of a cell; `css` is that of a color.
  static std::string CssOf(const PictureCell& cell, std::string (*css)(int)) {
    return cell.label.empty() ? std::string(SvgCanvas::kHatch) : css(cell.color);
  }

  const CellPicture& picture_;
  const CellStyle style_;
  SvgCanvas& canvas_;
  const double left_;
  const bool is_table_;
  double numbers_width_ = 0;  // width of the numbers left of a table
  SlotLengths across_;
  PicturePlan plan_;
  double box_width_ = 0;
  // Cells of the current box that are drawn without labels, by color.
  std::map<std::string, std::string> runs_;
};

void DrawLegend(const PictureLegend& legend, bool folded, SvgCanvas& canvas) {
  double x = SvgCanvas::kMargin;
  for (const ColorMeaning& color : legend.colors) {
    std::vector<std::string> css;
    for (int k = 0; k < color.count; ++k) css.push_back(PaleCss(color.first + k) + (color.marked ? " marked" : ""));
    x = canvas.Legend(x, css, color.meaning) + 28;
  }
  const std::string hatch(SvgCanvas::kHatch);
  if (!legend.empty_cells.empty()) canvas.Legend(x, std::span(&hatch, 1), legend.empty_cells);
  canvas.y += 26;
  for (const std::string& note : legend.notes) canvas.Note(note);
  if (folded) canvas.Note(SvgCanvas::kDotsMeaning);
  canvas.y += 10;
}

// Draws the picture with its legend. Memory that does not fit is first drawn with the largest cells without coordinates
// that show all of it, if any do.
void DrawCells(const CellPicture& picture, const SvgRoom& room, SvgCanvas& canvas) {
  const CellStyle labelled = LabelledStyle(picture);
  CellsDrawing whole(picture, labelled, room, canvas);
  DrawLegend(picture.Legend(), whole.folded(), canvas);
  if (!whole.folded() || picture.IsTable()) {
    whole.Draw();
    return;
  }
  double labelled_share = 1;
  for (const double size : {16.0, 12.0, 9.0, 7.0, 5.0, 4.0, 3.0, 2.0, 1.4}) {
    const CellStyle plain{false, size, std::max(size, 7.0), size > 8 ? 2.0 : 0.0};
    CellsDrawing drawing(picture, plain, {room.width, kPlainShare * room.height}, canvas);
    if (drawing.folded() || drawing.CellCount() > 40000) continue;
    drawing.Draw();
    canvas.y += 6;
    canvas.Line(0, "head", "With coordinates", SvgCanvas::kCharacter, 26);
    labelled_share = kLabelledShare;
    break;
  }
  CellsDrawing(picture, labelled, {room.width, labelled_share * room.height}, canvas).Draw();
}

void DrawHead(const std::string& title, const std::vector<Fact>& summary, SvgCanvas& canvas) {
  canvas.y = SvgCanvas::kMargin;
  for (const std::string_view line : WrapText(title, 100, ",)")) canvas.Line(0, "title", line, 10.4, 22);
  canvas.y += 6;
  for (const Fact& line : summary) {
    std::string_view name = line.name;
    for (const std::string_view value : WrapText(line.value, 130, " ")) {
      canvas.Line(0, "faint", name, SvgCanvas::kCharacter, 0);
      canvas.Line(160, "", value, SvgCanvas::kCharacter, 18);
      name = "";
    }
  }
  canvas.y += 12;
}

// Returns the SVG of a part of a page, which is `width` wide.
template <class Draw>
std::string PartSvg(std::string_view label, double width, Draw draw) {
  SvgCanvas canvas;
  canvas.y = 8;
  if (width < SvgCanvas::kWidth) canvas.text_end = SvgCanvas::kMargin + width;
  draw(canvas);
  return canvas.Element(label);
}

}  // namespace

std::string DrawSvg(const Picture& picture) {
  SvgCanvas canvas;
  DrawHead(picture.title, picture.summary, canvas);
  if (picture.banks != nullptr) DrawBanks(*picture.banks, canvas);
  if (picture.grid != nullptr) DrawCells(*picture.grid, {}, canvas);
  if (picture.grid != nullptr && picture.boxes != nullptr) canvas.y += 16;
  if (picture.boxes != nullptr) DrawCells(*picture.boxes, {}, canvas);
  return canvas.Element(picture.title);
}

std::string DrawPairSvg(const PicturePair& pair) {
  constexpr double kGap = 40;
  SvgCanvas canvas;
  DrawHead(pair.title, pair.summary, canvas);
  const std::string label = StrCat(pair.left_title, ", ", pair.right_title);
  if (pair.left == nullptr || pair.right == nullptr) return canvas.Element(label);
  SvgRoom room{.width = (SvgCanvas::kWidth - kGap) / 2};
  const auto drawing_of = [&](const CellGrid& grid) { return CellsDrawing(grid, LabelledStyle(grid), room, canvas); };
  const std::string directions = pair.left->Directions();
  DrawLegend(pair.left->LegendOf(directions == pair.right->Directions() ? directions : ""),
             drawing_of(*pair.left).folded() || drawing_of(*pair.right).folded(), canvas);
  const double top = canvas.y;
  const auto draw = [&](const std::string& title, const CellGrid& grid) {
    canvas.y = top;
    double title_width = 0;
    for (const std::string_view line : WrapText(title, 68, ",)")) {
      canvas.Line(room.left - SvgCanvas::kMargin, "head", line, 8, 20);
      title_width = std::max(title_width, 8 * static_cast<double>(line.size()));
    }
    room.left += std::max(drawing_of(grid).Draw(), title_width) + kGap;
    return canvas.y;
  };
  const double left_end = draw(pair.left_title, *pair.left);
  canvas.y = std::max(left_end, draw(pair.right_title, *pair.right));
  return canvas.Element(label);
}

std::string DrawCellsSvg(std::string_view label, const CellPicture& picture, const SvgRoom& room) {
  return PartSvg(label, room.width, [&](SvgCanvas& canvas) { DrawCells(picture, room, canvas); });
}

std::string DrawBanksSvg(std::string_view label, const AccessedBanks& banks, double width) {
  return PartSvg(label, width, [&](SvgCanvas& canvas) { DrawBanks(banks, canvas); });
}

std::string DrawHtml(const Picture& picture) {
  std::string rows;
  for (const Fact& line : picture.summary) {
    StrAppend(rows, "<tr><th>", EscapeMarkup(line.name), "</th><td>", EscapeMarkup(line.value), "</td></tr>\n");
  }
  std::string parts;
  if (picture.banks != nullptr) parts += DrawBanksSvg(picture.title, *picture.banks);
  if (picture.grid != nullptr) parts += DrawCellsSvg(picture.title, *picture.grid);
  if (picture.boxes != nullptr) parts += DrawCellsSvg(picture.title, *picture.boxes);
  const std::string title = EscapeMarkup(picture.title);
  return StrCat("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>", title,
                "</title>\n<style>", PageStyle(), kTitleStyle, "</style>\n</head>\n<body>\n<h1>", title,
                "</h1>\n<table>\n", rows, "</table>\n<div>\n", parts, "</div>\n</body>\n</html>\n");
}

}  // namespace layoutcheck
