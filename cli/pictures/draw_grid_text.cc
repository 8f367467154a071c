// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/pictures/draw_grid_text.h"
#include <algorithm>
#include <ranges>
#include <string_view>
#include <vector>
#include "layoutcheck/cli/pictures/grid_plan.h"
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

// The characters of drawings. Each is one column wide.
struct Glyphs {
  std::string_view padding, fold, fold_below, vertical, horizontal;
  // Corners and crossings of the first line, of borders between blocks, and of the last line.
  std::string_view top[3], middle[3], bottom[3];
};
constexpr Glyphs kUtf8 = {"░", "…", "⋮", "│", "─", {"┌", "┬", "┐"}, {"├", "┼", "┤"}, {"└", "┴", "┘"}};
constexpr Glyphs kAscii = {".", "~", "~", "|", "-", {"+", "+", "+"}, {"+", "+", "+"}, {"+", "+", "+"}};

std::string Repeated(std::string_view glyph, size_t count) {
  std::string text;
  for (size_t k = 0; k < count; ++k) text += glyph;
  return text;
}

// Returns the number of characters of UTF-8 text.
size_t Columns(std::string_view text) {
  return static_cast<size_t>(std::ranges::count_if(text, [](char c) { return (c & 0xc0) != 0x80; }));
}

size_t Digits(int64_t number) { return std::to_string(number).size(); }

// Draws one grid as lines, without a legend.
class GridDrawing {
 public:
  GridDrawing(const CellGrid& grid, const TextStyle& style) : grid_(grid), glyphs_(style.utf8 ? kUtf8 : kAscii) {
    cell_width_ =
        std::max({grid.label_width + (grid.marks.empty() ? 0 : 1), Digits(grid.ColumnAxis().size - 1), size_t{2}});
    indent_ = grid.rows ? Digits(grid.RowAxis().size - 1) + 3 : 2;
    const auto cell = static_cast<double>(cell_width_ + 1);
    plan_ = PlanGrid(grid, {static_cast<double>(style.width), static_cast<double>(indent_ + 3), cell, 2, 2},
                     {static_cast<double>(style.height), grid.PageTitle(0).empty() ? 3.0 : 5.0, 1, 1, 1});
  }

  bool folded() const { return plan_.folded; }

  std::vector<std::string> Draw() {
    for (const GridSlot& page : plan_.pages) {
      if (page.kind == GridSlot::Kind::kCell) {
        DrawPage(page.number);
      } else {
        Line(StrCat(glyphs_.fold_below, " ", page.number, " more pages"));
      }
    }
    return std::move(lines_);
  }

 private:
  void Line(std::string text) {
    text.erase(text.find_last_not_of(' ') + 1);
    lines_.push_back(std::move(text));
  }

  void DrawPage(int64_t page) {
    if (!lines_.empty()) lines_.emplace_back();
    if (const std::string title = grid_.PageTitle(page); !title.empty()) Line(title);
    if (grid_.columns) DrawHeader();
    DrawBorder(glyphs_.top);
    for (const GridSlot& row : plan_.rows) {
      switch (row.kind) {
        case GridSlot::Kind::kCell: DrawRow(page, row.number); break;
        case GridSlot::Kind::kBorder: DrawBorder(glyphs_.middle); break;
        case GridSlot::Kind::kFold: DrawFold(); break;
      }
    }
    DrawBorder(glyphs_.bottom);
  }

  void DrawHeader() {
    std::string text(indent_ + 2, ' ');
    for (const GridSlot& column : plan_.columns) {
      switch (column.kind) {
        case GridSlot::Kind::kCell: StrAppend(text, RightAligned(std::to_string(column.number)), " "); break;
        case GridSlot::Kind::kBorder: text += "  "; break;
        case GridSlot::Kind::kFold: StrAppend(text, glyphs_.fold, " "); break;
      }
    }
    Line(text);
  }

  void DrawBorder(const std::string_view (&glyphs)[3]) {
    std::string text = StrCat(std::string(indent_, ' '), glyphs[0], glyphs_.horizontal);
    for (const GridSlot& column : plan_.columns) {
      switch (column.kind) {
        case GridSlot::Kind::kCell: text += Repeated(glyphs_.horizontal, cell_width_ + 1); break;
        case GridSlot::Kind::kBorder: StrAppend(text, glyphs[1], glyphs_.horizontal); break;
        case GridSlot::Kind::kFold: text += Repeated(glyphs_.horizontal, 2); break;
      }
    }
    Line(text + std::string(glyphs[2]));
  }

  // Draws the mark of rows that are left out.
  void DrawFold() {
    const size_t before = cell_width_ / 2;
    const std::string cell =
        StrCat(std::string(before, ' '), glyphs_.fold_below, std::string(cell_width_ - before - 1, ' '));
    DrawCells("", [&](int64_t) { return cell; });
  }

  void DrawRow(int64_t page, int64_t row) {
    DrawCells(grid_.rows ? std::to_string(row) : "", [&](int64_t column) {
      const GridCell cell = grid_.cell(grid_.Coordinate(page, row, column));
      if (cell.label.empty()) return Repeated(glyphs_.padding, cell_width_);
      return RightAligned(StrCat(cell.marked ? "*" : "", cell.label));
    });
  }

  template <class Cell>
  void DrawCells(const std::string& number, Cell cell) {
    std::string text(indent_, ' ');
    text.replace(indent_ - 1 - number.size(), number.size(), number);
    StrAppend(text, glyphs_.vertical, " ");
    for (const GridSlot& column : plan_.columns) {
      switch (column.kind) {
        case GridSlot::Kind::kCell: StrAppend(text, cell(column.number), " "); break;
        case GridSlot::Kind::kBorder: StrAppend(text, glyphs_.vertical, " "); break;
        case GridSlot::Kind::kFold: StrAppend(text, glyphs_.fold, " "); break;
      }
    }
    Line(text + std::string(glyphs_.vertical));
  }

  std::string RightAligned(const std::string& text) const {
    return std::string(cell_width_ - std::min(cell_width_, text.size()), ' ') + text;
  }

  const CellGrid& grid_;
  const Glyphs& glyphs_;
  size_t cell_width_ = 0;
  size_t indent_ = 0;  // columns before the frame
  GridPlan plan_;
  std::vector<std::string> lines_;
};

std::string Legend(const CellGrid& grid, const std::string& directions, bool folded, const Glyphs& glyphs) {
  std::string text = grid.Description(directions);
  if (!grid.empty_cells.empty()) StrAppend(text, "; ", Repeated(glyphs.padding, 2), " is ", grid.empty_cells);
  if (!grid.marks.empty()) StrAppend(text, "; * ", grid.marks);
  if (folded) StrAppend(text, ", ", glyphs.fold, " left out");
  return text + "\n\n";
}

}  // namespace

std::string DrawGridText(const CellGrid& grid, const TextStyle& style) {
  GridDrawing drawing(grid, style);
  std::string text = Legend(grid, grid.Directions(), drawing.folded(), style.utf8 ? kUtf8 : kAscii);
  for (const std::string& line : drawing.Draw()) StrAppend(text, line, "\n");
  return text;
}

std::string DrawGridPairText(const CellGrid& left, const std::string& left_title, const CellGrid& right,
                             const std::string& right_title, const TextStyle& style) {
  constexpr size_t kGap = 4;
  TextStyle half = style;
  half.width = (style.width - static_cast<int64_t>(kGap)) / 2;
  GridDrawing left_drawing(left, half);
  GridDrawing right_drawing(right, half);
  const std::string directions = left.Directions() == right.Directions() ? left.Directions() : "";
  std::string text =
      Legend(left, directions, left_drawing.folded() || right_drawing.folded(), style.utf8 ? kUtf8 : kAscii);
  std::vector<std::string> left_lines = left_drawing.Draw();
  std::vector<std::string> right_lines = right_drawing.Draw();
  left_lines.insert(left_lines.begin(), left_title);
  right_lines.insert(right_lines.begin(), right_title);
  size_t width = 0;
  for (const std::string& line : left_lines) width = std::max(width, Columns(line));
  for (size_t k = 0; k < std::max(left_lines.size(), right_lines.size()); ++k) {
    std::string line = k < left_lines.size() ? left_lines[k] : "";
    if (k < right_lines.size() && !right_lines[k].empty()) {
      StrAppend(line, std::string(width + kGap - Columns(line), ' '), right_lines[k]);
    }
    StrAppend(text, line, "\n");
  }
  return text;
}

}  // namespace layoutcheck
