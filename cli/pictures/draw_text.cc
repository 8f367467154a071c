// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/pictures/draw_text.h"
#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>
#include "layoutcheck/cli/pictures/fact.h"
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

// The characters of a line of a box. Each is one column wide.
struct LineGlyphs {
  std::string_view left, blank, border, double_border, fold, right;
};

struct Glyphs {
  std::string_view padding, fold_below;
  LineGlyphs top, middle, bottom, cells;
};
constexpr Glyphs kUtf8 = {"░",
                          "⋮",
                          {"┌", "─", "┬", "╥", "─", "┐"},
                          {"├", "─", "┼", "┼", "─", "┤"},
                          {"└", "─", "┴", "╨", "─", "┘"},
                          {"│", " ", "│", "║", "…", "│"}};
constexpr Glyphs kAscii = {".",
                           "~",
                           {"+", "-", "+", "+", "-", "+"},
                           {"+", "-", "+", "+", "-", "+"},
                           {"+", "-", "+", "+", "-", "+"},
                           {"|", " ", "|", "H", "~", "|"}};

const Glyphs& GlyphsOf(const TextStyle& style) { return style.utf8 ? kUtf8 : kAscii; }

std::string Repeated(std::string_view glyph, size_t count) {
  std::string text;
  for (size_t k = 0; k < count; ++k) text += glyph;
  return text;
}

// Backgrounds of the colors 0 to 7 of cells among the 256 colors of terminals. All are light: the text is black.
constexpr std::array<int, 8> kBackgrounds = {153, 223, 157, 217, 189, 229, 182, 159};

constexpr char kEscape = '\x1b';

std::string Colored(const std::string& text, int color) {
  return StrCat(kEscape, "[30;48;5;", kBackgrounds.at(static_cast<size_t>(color)), "m", text, kEscape, "[0m");
}

// Returns the number of characters of UTF-8 text, without sequences that set colors.
size_t Columns(std::string_view text) {
  size_t columns = 0;
  bool is_escaped = false;
  for (const char c : text) {
    is_escaped = is_escaped || c == kEscape;
    if (!is_escaped && (c & 0xc0) != 0x80) ++columns;
    if (c == 'm') is_escaped = false;
  }
  return columns;
}

// Draws a picture as lines, without a legend.
class TextDrawing {
 public:
  TextDrawing(const CellPicture& picture, const TextStyle& style) : picture_(picture), glyphs_(GlyphsOf(style)) {
    const size_t marks = picture.Legend().marks.empty() ? 0 : 1;
    cell_width_ = std::max({picture.LabelWidth() + marks, picture.ColumnNumberWidth(), size_t{2}});
    const size_t number_width = picture.LineNumberWidth();
    indent_ = number_width > 0 ? number_width + 3 : 2;
    numbers_boxes_ = !picture.IsTable() && number_width == 0;
    int colors = 0;
    for (const ColorMeaning& color : picture.Legend().colors) colors += color.count;
    is_colored_ = style.colors && colors > 1;
    lengths_ = {.item = static_cast<double>(cell_width_), .border = 1, .fold = 1, .gap = 1};
    const bool has_titles = !picture.PageTitle(0).empty();
    plan_ = picture.Plan({.max_width = static_cast<double>(style.width),
                          .max_height = static_cast<double>(style.height),
                          .across = lengths_,
                          .frame = 4,
                          .box_gap = 1,
                          .margin = static_cast<double>(indent_),
                          .down = {.item = 1, .border = 1, .fold = 1},
                          .box_overhead = picture.IsTable() || numbers_boxes_ ? 3.0 : 2.0,
                          .page_overhead = has_titles          ? 2.0
                                           : picture.IsTable() ? 0.0
                                                               : 1.0});
  }

  bool folded() const { return plan_.folded; }

  std::vector<std::string> Draw() {
    for (const Slot& page : plan_.pages) {
      if (!lines_.empty() && (page.kind == Slot::Kind::kItem || !picture_.IsTable())) lines_.emplace_back();
      if (page.kind == Slot::Kind::kItem) {
        DrawPage(page.number);
      } else {
        Line(StrCat(glyphs_.fold_below, " ", page.number, " more pages"));
      }
    }
    if (const std::string tail = picture_.Legend().tail; !tail.empty()) lines_.insert(lines_.end(), {"", tail});
    return std::move(lines_);
  }

 private:
  void Line(std::string text) {
    text.erase(text.find_last_not_of(' ') + 1);
    lines_.push_back(std::move(text));
  }

  void DrawPage(int64_t page) {
    if (const std::string title = picture_.PageTitle(page); !title.empty()) Line(title);
    for (const Slot& row : plan_.rows) {
      if (row.kind == Slot::Kind::kItem) {
        DrawRow({.page = page, .row = row.number});
      } else {
        Line(StrCat(std::string(indent_, ' '), glyphs_.fold_below, " ", row.number,
                    numbers_boxes_ ? " more rows of tiles" : " more tiles"));
      }
    }
  }

  void DrawRow(CellPlace place) {
    if (numbers_boxes_) DrawBoxNumbers(place);
    if (picture_.ColumnNumberWidth() > 0) {
      const LineGlyphs blank{" ", " ", " ", " ", glyphs_.cells.fold, " "};
      DrawLine(place, blank, "", [&](const CellPlace& at) { return RightAligned(std::to_string(at.cell)); });
    }
    DrawEdge(place, glyphs_.top);
    for (const Slot& line : plan_.lines) {
      switch (line.kind) {
        case Slot::Kind::kItem: DrawCells(place, line.number); break;
        case Slot::Kind::kBorder: DrawEdge(place, glyphs_.middle); break;
        case Slot::Kind::kFold: DrawFold(place); break;
      }
    }
    DrawEdge(place, glyphs_.bottom);
  }

  // Draws above each box the linear index of its first cell.
  void DrawBoxNumbers(CellPlace place) {
    std::string text;
    size_t start = indent_;
    for (const Slot& column : plan_.columns) {
      if (column.kind == Slot::Kind::kFold) {
        start += 2;
        continue;
      }
      place.column = column.number;
      text.resize(std::max(start, text.size()), ' ');
      StrAppend(text, picture_.NumberAt(plan_, place));
      start += static_cast<size_t>(LengthOf(plan_.cells, lengths_)) + 5;
    }
    Line(text);
  }

  void DrawEdge(const CellPlace& place, const LineGlyphs& glyphs) {
    DrawLine(place, glyphs, "", [&](const CellPlace&) { return Repeated(glyphs.blank, cell_width_); });
  }

  // Draws the mark of lines that are left out.
  void DrawFold(const CellPlace& place) {
    const size_t before = cell_width_ / 2;
    DrawLine(place, glyphs_.cells, "", [&](const CellPlace&) {
      return StrCat(std::string(before, ' '), glyphs_.fold_below, std::string(cell_width_ - before - 1, ' '));
    });
  }

  void DrawCells(CellPlace place, int64_t line) {
    place.line = line;
    const bool is_numbered = picture_.LineNumberWidth() > 0;
    const std::string number = is_numbered ? std::to_string(picture_.NumberAt(plan_, place)) : "";
    DrawLine(
        place, glyphs_.cells, number,
        [&](const CellPlace& at) {
          const std::optional<PictureCell> cell = picture_.CellAt(plan_, at);
          if (!cell) return std::string(cell_width_, ' ');
          if (cell->label.empty()) return Repeated(glyphs_.padding, cell_width_);
          const std::string text = RightAligned(StrCat(cell->marked ? "*" : "", cell->label));
          return is_colored_ ? Colored(text, cell->color) : text;
        },
        line == 0);
  }

  // Draws one line of all boxes of a row, with `text_at` of each cell. Boxes that are left out have a mark on one line.
  template <class TextAt>
  void DrawLine(CellPlace place, const LineGlyphs& glyphs, const std::string& number, TextAt text_at,
                bool marks_boxes = false) {
    std::string text(indent_, ' ');
    text.replace(indent_ - 1 - number.size(), number.size(), number);
    for (const Slot& column : plan_.columns) {
      if (column.kind == Slot::Kind::kFold) {
        StrAppend(text, marks_boxes ? glyphs.fold : " ", " ");
        continue;
      }
      place.column = column.number;
      text += glyphs.left;
      for (const Slot& slot : plan_.cells) {
        text += glyphs.blank;
        place.cell = slot.number;
        switch (slot.kind) {
          case Slot::Kind::kItem: text += text_at(place); break;
          case Slot::Kind::kBorder:
            text += slot.number > 1 && !picture_.IsTable() ? glyphs.double_border : glyphs.border;
            break;
          case Slot::Kind::kFold: text += glyphs.fold; break;
        }
      }
      StrAppend(text, glyphs.blank, glyphs.right, " ");
    }
    Line(std::move(text));
  }

  std::string RightAligned(const std::string& text) const {
    return std::string(cell_width_ - std::min(cell_width_, text.size()), ' ') + text;
  }

  const CellPicture& picture_;
  const Glyphs& glyphs_;
  size_t cell_width_ = 0;
  size_t indent_ = 0;           // columns before the boxes
  bool numbers_boxes_ = false;  // the linear index stands above each box, not left of the lines
  bool is_colored_ = false;     // cells have their colors, of which there are several
  SlotLengths lengths_;         // lengths of the pieces of a line
  PicturePlan plan_;
  std::vector<std::string> lines_;
};

std::string LegendText(const PictureLegend& legend, bool folded, const TextStyle& style) {
  const Glyphs& glyphs = GlyphsOf(style);
  std::string text = legend.description;
  if (!legend.empty_cells.empty()) StrAppend(text, "; ", Repeated(glyphs.padding, 2), " is ", legend.empty_cells);
  if (!legend.marks.empty()) StrAppend(text, "; * ", legend.marks);
  if (!legend.remark.empty()) StrAppend(text, "; ", legend.remark);
  if (folded) StrAppend(text, ", ", glyphs.cells.fold, " left out");
  return WrappedWords(text, 0, style) + "\n\n";
}

}  // namespace

std::string DrawText(const CellPicture& picture, const TextStyle& style) {
  TextDrawing drawing(picture, style);
  std::string text = LegendText(picture.Legend(), drawing.folded(), style);
  for (const std::string& line : drawing.Draw()) StrAppend(text, line, "\n");
  return text;
}

std::string DrawPairText(const CellGrid& left, const std::string& left_title, const CellGrid& right,
                         const std::string& right_title, const TextStyle& style) {
  constexpr size_t kGap = 4;
  TextStyle half = style;
  half.width = (style.width - static_cast<int64_t>(kGap)) / 2;
  TextDrawing left_drawing(left, half);
  TextDrawing right_drawing(right, half);
  const std::string directions = left.Directions() == right.Directions() ? left.Directions() : "";
  std::string text = LegendText(left.LegendOf(directions), left_drawing.folded() || right_drawing.folded(), style);
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
