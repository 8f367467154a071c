// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/pictures/draw_text.h"
#include <algorithm>
#include <string_view>
#include <vector>
#include "layoutcheck/cli/pictures/picture_plan.h"
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

// Bytes that stand for drawn characters during the layout of a picture, so that every character is one byte. Texts of
// pictures do not contain these bytes.
enum Glyph : char {
  kPadding = 14,
  kFold,       // mark for items left out to the right
  kFoldBelow,  // mark for items left out below
  kVertical,
  kDouble,  // between groups of groups
  kHorizontal,
  kTopLeft,
  kTopRight,
  kBottomLeft,
  kBottomRight,
  kTopTee,
  kBottomTee,
  kTopDouble,
  kBottomDouble,
  kAfterLastGlyph,
};
constexpr std::string_view kUtf8[kAfterLastGlyph - kPadding] = {"░", "…", "⋮", "│", "║", "─", "┌",
                                                                "┐", "└", "┘", "┬", "┴", "╥", "╨"};
constexpr std::string_view kAscii[kAfterLastGlyph - kPadding] = {".", "~", "~", "|", "H", "-", "+",
                                                                 "+", "+", "+", "+", "+", "+", "+"};

std::string Render(std::string_view drawn, bool utf8) {
  std::string out;
  for (const char c : drawn) {
    if (c >= kPadding && c < kAfterLastGlyph) {
      out += (utf8 ? kUtf8 : kAscii)[c - kPadding];
    } else {
      out += c;
    }
  }
  return out;
}

int64_t Digits(int64_t number) { return static_cast<int64_t>(std::to_string(number).size()); }

// Draws a picture as text.
class TextDrawing {
 public:
  TextDrawing(const MemoryBoxes& boxes, const TextStyle& style)
      : boxes_(boxes), style_(style), dimensions_(boxes.CellDimensions()), one_column_(boxes.columns == 1) {
    int64_t cell = 0;
    for (const int64_t d : dimensions_) {
      cell += Digits(std::max<int64_t>(boxes.dimensions[static_cast<size_t>(d)], 1) - 1) + (cell > 0);
    }
    cell_width_ = static_cast<size_t>(std::max<int64_t>(cell, 2));
    const int64_t last = boxes.first_offset + (boxes.end.value_or(boxes.Cells()) - 1);
    offset_width_ = static_cast<size_t>(std::max(Digits(last), Digits(boxes.first_offset)));
    indent_ = one_column_ ? offset_width_ + 3 : 2;
    PictureMetrics metrics;
    metrics.max_width = static_cast<double>(style.width);
    metrics.max_height = static_cast<double>(style.height);
    metrics.cell = static_cast<double>(cell_width_);
    metrics.gap = 1;
    metrics.group_gap = 3;
    metrics.fold = 1;
    metrics.frame = 4;
    metrics.box_gap = 1;
    metrics.margin = static_cast<double>(indent_);
    metrics.line = 1;
    metrics.line_fold = 1;
    metrics.box_overhead = one_column_ ? 2 : 3;
    metrics.page_overhead = boxes.pages.empty() ? 1 : 2;
    plan_ = PlanPicture(boxes, metrics);
    box_width_ = static_cast<size_t>(SlotsWidth(plan_, metrics)) + 4;
  }

  std::string Draw() {
    DrawLegend();
    Sequence(plan_.pages, "pages", 0, [this](int64_t page) { DrawPage(page); });
    if (boxes_.tail > 0) {
      StrAppend(out_, "\n", boxes_.tail, boxes_.tail == 1 ? " element" : " elements", " of tail padding from ",
                boxes_.first_offset + boxes_.Cells(), "\n");
    }
    return Render(out_, style_.utf8);
  }

 private:
  enum class Part { kTop, kCells, kFold, kBottom };

  void DrawLegend() {
    StrAppend(out_, "Memory, ", boxes_.tiled ? "tile by tile" : "line by line");
    if (!dimensions_.empty()) {
      StrAppend(out_, "; in each cell ");
      for (size_t k = 0; k < dimensions_.size(); ++k) {
        StrAppend(out_, k > 0 ? "," : "", boxes_.names[static_cast<size_t>(dimensions_[k])]);
      }
    }
    StrAppend(out_, one_column_ ? ", at the left" : ", above each tile", " the linear index");
    if (boxes_.HasPadding()) StrAppend(out_, "; ", std::string(2, kPadding), " is ", boxes_.empty_cell);
    if (boxes_.shared) StrAppend(out_, "; of elements that share a cell, the first");
    if (plan_.folded) StrAppend(out_, ", ", std::string(1, kFold), " left out");
    StrAppend(out_, "\n");
  }

  // Draws each shown item of the level, and one line in place of the items that are left out.
  template <class DrawItem>
  void Sequence(const FoldedLevel& level, std::string_view what, size_t indent, DrawItem draw) {
    const auto skip = [&](int64_t count) {
      if (indent == 0) out_ += '\n';
      StrAppend(out_, std::string(indent, ' '), std::string(1, kFoldBelow), " ", count, " more ", what, "\n");
    };
    level.ForEach(draw, skip);
  }

  void DrawPage(int64_t page) {
    const std::string title = boxes_.PageTitle(page);
    StrAppend(out_, "\n", title, title.empty() ? "" : "\n");
    Sequence(plan_.rows, one_column_ ? "tiles" : "rows of tiles", indent_,
             [&](int64_t row) { DrawRow(page * boxes_.rows + row); });
  }

  void DrawRow(int64_t row) {
    if (!one_column_) DrawOffsets(row);
    DrawLine(row, Part::kTop, 0);
    int64_t next = 0;
    for (const int64_t line : plan_.lines.Items()) {
      if (line > next) DrawLine(row, Part::kFold, 0);
      DrawLine(row, Part::kCells, line);
      next = line + 1;
    }
    if (next < plan_.lines.count) DrawLine(row, Part::kFold, 0);
    DrawLine(row, Part::kBottom, 0);
  }

  // Draws above each box the linear index of its first cell.
  void DrawOffsets(int64_t row) {
    std::string text;
    size_t start = indent_;
    int64_t next = 0;
    for (const int64_t column : plan_.columns.Items()) {
      if (column > next) start += 2;
      text.resize(std::max(start, text.size()), ' ');
      StrAppend(text, boxes_.first_offset + plan_.FirstCell(row, column));
      start += box_width_ + 1;
      next = column + 1;
    }
    StrAppend(out_, text, "\n");
  }

  void DrawLine(int64_t row, Part part, int64_t line) {
    std::string text(indent_, ' ');
    const bool first_line = part == Part::kCells && line == 0;
    if (one_column_ && part == Part::kCells) {
      const std::string offset =
          std::to_string(boxes_.first_offset + plan_.FirstCell(row, 0) + line * plan_.line_cells);
      text.replace(indent_ - 1 - offset.size(), offset.size(), offset);
    }
    int64_t next = 0;
    for (const int64_t column : plan_.columns.Items()) {
      // Boxes have the mark of a fold between them on their first line of cells.
      if (column > next) StrAppend(text, first_line ? static_cast<char>(kFold) : ' ', ' ');
      AppendBoxLine(text, plan_.FirstCell(row, column), part, line);
      text += ' ';
      next = column + 1;
    }
    if (next < plan_.columns.count && first_line) text += kFold;
    text.erase(text.find_last_not_of(' ') + 1);
    StrAppend(out_, text, "\n");
  }

  void AppendBoxLine(std::string& text, int64_t first_cell, Part part, int64_t line) {
    const bool border = part == Part::kTop || part == Part::kBottom;
    const char blank = border ? static_cast<char>(kHorizontal) : ' ';
    const char left = part == Part::kTop ? kTopLeft : part == Part::kBottom ? kBottomLeft : kVertical;
    const char right = part == Part::kTop ? kTopRight : part == Part::kBottom ? kBottomRight : kVertical;
    StrAppend(text, left, blank);
    for (const LineSlot& slot : plan_.slots) {
      switch (slot.kind) {
        case LineSlot::Kind::kCell:
          if (part == Part::kCells) {
            AppendCell(text, first_cell, line * plan_.line_cells + slot.cell);
          } else {
            std::string cell(cell_width_, blank);
            if (part == Part::kFold) cell[cell_width_ / 2] = kFoldBelow;
            text += cell;
          }
          break;
        case LineSlot::Kind::kGap:
          if (slot.level == 0) {
            text += blank;
          } else {
            StrAppend(text, blank, Separator(slot.level, part), blank);
          }
          break;
        case LineSlot::Kind::kFold: text += border ? blank : static_cast<char>(kFold); break;
      }
    }
    StrAppend(text, blank, right);
  }

  static char Separator(size_t level, Part part) {
    if (part == Part::kTop) return level == 1 ? kTopTee : kTopDouble;
    if (part == Part::kBottom) return level == 1 ? kBottomTee : kBottomDouble;
    return level == 1 ? kVertical : kDouble;
  }

  void AppendCell(std::string& text, int64_t first_cell, int64_t cell) {
    std::string label;
    const bool allocated = cell < plan_.box_cells && first_cell + cell < boxes_.end.value_or(boxes_.Cells());
    if (allocated) {
      const auto element = boxes_.element(boxes_.first_offset + first_cell + cell);
      label = element ? Label(*element) : std::string(cell_width_, kPadding);
    }
    text.append(cell_width_ - label.size(), ' ');
    text += label;
  }

  std::string Label(const std::vector<int64_t>& element) const {
    if (dimensions_.empty()) return "()";
    std::string label;
    for (const int64_t d : dimensions_) StrAppend(label, label.empty() ? "" : ",", element[static_cast<size_t>(d)]);
    return label;
  }

  const MemoryBoxes& boxes_;
  const TextStyle& style_;
  std::vector<int64_t> dimensions_;  // dimensions whose coordinates are drawn in a cell
  bool one_column_;                  // one column of boxes, with a linear index at the left of every line
  size_t cell_width_ = 0;
  size_t offset_width_ = 0;
  size_t indent_ = 0;
  size_t box_width_ = 0;
  PicturePlan plan_;
  std::string out_;
};

}  // namespace

std::string DrawText(const MemoryBoxes& boxes, const TextStyle& style) { return TextDrawing(boxes, style).Draw(); }

std::string DrawLetters(const MemoryBoxes& boxes, char padding_symbol, const TextStyle& style) {
  int64_t elements = 1;
  for (const int64_t size : boxes.dimensions) {
    if (size == 0 || size > 26 || (elements *= size) > 26) return "";
  }
  const int64_t cells = boxes.end.value_or(boxes.Cells()) + boxes.tail;
  if (cells > style.width / 2 - 2) return "";
  std::string letters;
  for (int64_t cell = 0; cell < cells; ++cell) {
    std::optional<std::vector<int64_t>> element;
    if (cell < boxes.Cells()) element = boxes.element(boxes.first_offset + cell);
    char letter = padding_symbol;
    if (element) {
      int64_t number = 0;
      for (size_t d = 0; d < element->size(); ++d) number = number * boxes.dimensions[d] + (*element)[d];
      letter = static_cast<char>('a' + number);
    }
    StrAppend(letters, letters.empty() ? "" : " ", letter);
  }
  return letters;
}

}  // namespace layoutcheck
