// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/pictures/draw_grid_svg.h"
#include <fmt/format.h>
#include <algorithm>
#include <iterator>
#include <string>
#include <vector>
#include "layoutcheck/cli/pictures/grid_plan.h"
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

double TextWidth(size_t characters) { return SvgCanvas::kCharacter * static_cast<double>(characters); }

std::string CellCss(int color, bool marked) { return PaleCss(color) + (marked ? " marked" : ""); }

class Drawing {
 public:
  Drawing(const CellGrid& grid, const SvgGridPlace& place, SvgCanvas& canvas)
      : grid_(grid), canvas_(canvas), left_(place.x), paged_(!grid.PageTitle(0).empty()) {
    const auto digits = [](int64_t number) { return std::to_string(number).size(); };
    const size_t characters = std::max(grid.label_width, digits(grid.ColumnAxis().size - 1));
    across_ = {place.max_width, 0, std::max(30.0, TextWidth(characters) + 12), 6, 18};
    if (grid.rows) across_.overhead = TextWidth(digits(grid.RowAxis().size - 1)) + 8;
    down_ = {place.max_height, paged_ ? 56.0 : 36.0, 22, 6, 18};
    plan_ = PlanGrid(grid, across_, down_);
    frame_width_ = LengthOf(plan_.columns, across_);
  }

  bool folded() const { return plan_.folded; }

  double Draw() {
    for (const GridSlot& page : plan_.pages) {
      if (page.kind == GridSlot::Kind::kCell) {
        DrawPage(page.number);
        continue;
      }
      canvas_.Dots(left_ + 8, canvas_.y + 4, false);
      canvas_.Text(left_ + 20, canvas_.y + 8, "faint", StrCat(page.number, " more pages"));
      canvas_.y += down_.fold + 6;
    }
    const double width = across_.overhead + frame_width_;
    canvas_.right = std::max(canvas_.right, left_ + width);
    return width;
  }

 private:
  void DrawPage(int64_t page) {
    if (paged_) {
      canvas_.Text(left_, canvas_.y + 12, "head", grid_.PageTitle(page));
      canvas_.y += 20;
    }
    const double frame_left = left_ + across_.overhead;
    if (grid_.columns) {
      double x = frame_left;
      for (const GridSlot& column : plan_.columns) {
        if (column.kind == GridSlot::Kind::kCell) {
          canvas_.Text(x + across_.cell / 2, canvas_.y + 12, "faint cell", std::to_string(column.number));
        }
        x += LengthOf({column}, across_);
      }
      canvas_.y += 18;
    }
    const double top = canvas_.y;
    const double height = LengthOf(plan_.rows, down_);
    for (const GridSlot& row : plan_.rows) {
      switch (row.kind) {
        case GridSlot::Kind::kCell: DrawRow(page, row.number); break;
        case GridSlot::Kind::kBorder:
          Border(row.number, frame_left, canvas_.y + down_.border / 2, frame_left + frame_width_,
                 canvas_.y + down_.border / 2);
          break;
        case GridSlot::Kind::kFold:
          canvas_.Dots(frame_left + frame_width_ / 2, canvas_.y + down_.fold / 2, false);
          break;
      }
      canvas_.y += LengthOf({row}, down_);
    }
    double x = frame_left;
    for (const GridSlot& column : plan_.columns) {
      const double middle = x + LengthOf({column}, across_) / 2;
      if (column.kind == GridSlot::Kind::kBorder) Border(column.number, middle, top, middle, top + height);
      x += LengthOf({column}, across_);
    }
    fmt::format_to(std::back_inserter(canvas_.out),
                   "<rect class=\"frame\" x=\"{:.5g}\" y=\"{:.5g}\" width=\"{:.5g}\" height=\"{:.5g}\"/>\n", frame_left,
                   top, frame_width_, height);
    canvas_.y += 18;
  }

  void DrawRow(int64_t page, int64_t row) {
    double x = left_ + across_.overhead;
    if (grid_.rows) canvas_.Text(x - 8, canvas_.y + 15, "faint number", std::to_string(row));
    for (const GridSlot& column : plan_.columns) {
      if (column.kind == GridSlot::Kind::kFold) canvas_.Dots(x + across_.fold / 2, canvas_.y + 11, true);
      if (column.kind == GridSlot::Kind::kCell) DrawCell(x, grid_.cell(grid_.Coordinate(page, row, column.number)));
      x += LengthOf({column}, across_);
    }
  }

  void DrawCell(double x, const GridCell& cell) {
    // The stroke of a mark lies inside the cell.
    const double inset = cell.marked ? 2 : 0.5;
    const std::string css = cell.label.empty() ? std::string(SvgCanvas::kHatch) : CellCss(cell.color, cell.marked);
    canvas_.Rect(x + inset, canvas_.y + inset, across_.cell - 2 * inset, down_.cell - 2 * inset, css, cell.details);
    if (cell.label.empty()) return;
    canvas_.Text(x + across_.cell / 2, canvas_.y + 15, cell.marked ? "cell bold" : "cell", cell.label);
  }

  // Draws a border between blocks, heavier where larger blocks meet.
  void Border(int64_t borders, double x1, double y1, double x2, double y2) {
    fmt::format_to(std::back_inserter(canvas_.out),
                   "<line class=\"border{}\" x1=\"{:.5g}\" y1=\"{:.5g}\" x2=\"{:.5g}\" y2=\"{:.5g}\"/>\n",
                   borders > 1 ? " heavy" : "", x1, y1, x2, y2);
  }

  const CellGrid& grid_;
  SvgCanvas& canvas_;
  double left_ = 0;
  bool paged_ = false;
  GridLengths across_;
  GridLengths down_;
  GridPlan plan_;
  double frame_width_ = 0;
};

}  // namespace

bool IsFolded(const CellGrid& grid, const SvgGridPlace& place) {
  SvgCanvas unused;
  return Drawing(grid, place, unused).folded();
}

void DrawGridLegend(const CellGrid& grid, const std::string& directions, bool folded, SvgCanvas& canvas) {
  double x = SvgCanvas::kMargin;
  for (const GridColor& color : grid.colors) {
    std::vector<std::string> css;
    for (int k = 0; k < color.count; ++k) css.push_back(CellCss(color.first + k, color.marked));
    x = canvas.Legend(x, css, color.meaning) + 28;
  }
  if (!grid.empty_cells.empty()) {
    const std::string hatch(SvgCanvas::kHatch);
    canvas.Legend(x, std::span(&hatch, 1), grid.empty_cells);
  }
  canvas.y += 26;
  canvas.Line(0, "faint", grid.Description(directions) + ".", SvgCanvas::kCharacter, 16);
  if (folded) canvas.Line(0, "faint", SvgCanvas::kDotsMeaning, SvgCanvas::kCharacter, 16);
  canvas.y += 10;
}

double DrawGrid(const CellGrid& grid, const SvgGridPlace& place, SvgCanvas& canvas) {
  return Drawing(grid, place, canvas).Draw();
}

}  // namespace layoutcheck
