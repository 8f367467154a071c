// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/pictures/svg_section.h"
#include <fmt/format.h>
#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <vector>
#include "layoutcheck/cli/base/count.h"
#include "layoutcheck/cli/pictures/picture_plan.h"
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

class Section {
 public:
  Section(SvgCanvas& canvas, const MemoryBoxes& boxes, const SvgSectionStyle& style)
      : canvas_(canvas), boxes_(boxes), style_(style), dimensions_(boxes.CellDimensions()) {
    metrics_.max_width = style.room.width;
    metrics_.max_height = style.room.height;
    metrics_.cell = style.cell_width;
    metrics_.group_gap = style.group_gap;
    metrics_.fold = 18;
    metrics_.frame = 0;
    metrics_.box_gap = 14;
    metrics_.line = style.cell_height;
    metrics_.line_fold = 18;
    metrics_.box_overhead = 30;
    metrics_.page_overhead = boxes.pages.empty() ? 0 : 26;
    plan_ = PlanPicture(boxes, metrics_);
    box_width_ = SlotsWidth(plan_, metrics_);
    color_dimension_ = dimensions_.size() > 1 ? dimensions_[dimensions_.size() - 2] : -1;
  }

  SvgSectionSize Size() const {
    const auto cells = static_cast<double>(
        std::ranges::count_if(plan_.slots, [](const LineSlot& slot) { return slot.kind == LineSlot::Kind::kCell; }));
    return {plan_.folded, cells * static_cast<double>(plan_.lines.shown) * static_cast<double>(plan_.rows.shown) *
                              static_cast<double>(plan_.columns.shown) * static_cast<double>(plan_.pages.shown)};
  }

  void Draw() {
    Sequence(plan_.pages, "page", "", [this](int64_t page) { DrawPage(page); });
    if (boxes_.tail > 0) {
      canvas_.Rect(SvgCanvas::kMargin, canvas_.y, 26, 15, SvgCanvas::kHatch);
      canvas_.Text(
          SvgCanvas::kMargin + 34, canvas_.y + 12, "",
          fmt::format("{} elements of tail padding from {}", boxes_.tail, boxes_.first_offset + boxes_.Cells()));
      canvas_.y += 30;
    }
  }

 private:
  // Draws the items of a level, and a line such as "3 more rows of tiles" in place of those that are folded away.
  template <class DrawItem>
  void Sequence(const FoldedLevel& level, std::string_view item, std::string_view of_what, DrawItem draw) {
    const auto skip = [&](int64_t count) {
      canvas_.Dots(SvgCanvas::kMargin + 8, canvas_.y + 4, false);
      canvas_.Text(SvgCanvas::kMargin + 20, canvas_.y + 8, "faint",
                   StrCat(Counted(static_cast<uint64_t>(count), StrCat("more ", item)), of_what));
      canvas_.y += metrics_.line_fold + 6;
    };
    level.ForEach(draw, skip);
  }

  void DrawPage(int64_t page) {
    if (const std::string title = boxes_.PageTitle(page); !title.empty()) {
      canvas_.Text(SvgCanvas::kMargin, canvas_.y + 12, "head", title);
      canvas_.y += 20;
    }
    Sequence(plan_.rows, boxes_.columns == 1 ? "tile" : "row", boxes_.columns == 1 ? "" : " of tiles",
             [&](int64_t row) { DrawRow(page * boxes_.rows + row); });
  }

  void DrawRow(int64_t row) {
    canvas_.y += 14;
    double x = SvgCanvas::kMargin;
    double height = 0;
    int64_t next = 0;
    const auto fold = [&] {
      canvas_.Dots(x + metrics_.fold / 2, canvas_.y + 12, true);
      x += metrics_.fold + metrics_.box_gap;
    };
    for (const int64_t column : plan_.columns.Items()) {
      if (column > next) fold();
      height = DrawBox(x, plan_.FirstCell(row, column));
      x += box_width_ + metrics_.box_gap;
      next = column + 1;
    }
    if (next < plan_.columns.count) fold();
    canvas_.y += height + 16;
  }

  // Draws a box and returns its height.
  double DrawBox(double x, int64_t first_cell) {
    canvas_.right = std::max(canvas_.right, x + box_width_);
    canvas_.Text(x, canvas_.y - 4, "faint", std::to_string(boxes_.first_offset + first_cell));
    double y = canvas_.y;
    int64_t next = 0;
    const auto fold = [&] {
      canvas_.Dots(x + box_width_ / 2, y + metrics_.line_fold / 2, false);
      y += metrics_.line_fold;
    };
    for (const int64_t line : plan_.lines.Items()) {
      if (line > next) fold();
      DrawLine(x, y, first_cell, line);
      y += style_.cell_height;
      next = line + 1;
    }
    if (next < plan_.lines.count) fold();
    for (const auto& [color, path] : runs_) {
      fmt::format_to(std::back_inserter(canvas_.out), "<path class=\"{}\" d=\"{}\"/>\n", color, path);
    }
    runs_.clear();
    fmt::format_to(std::back_inserter(canvas_.out),
                   "<rect class=\"frame\" x=\"{:.5g}\" y=\"{:.5g}\" width=\"{:.5g}\" height=\"{:.5g}\"/>\n", x,
                   canvas_.y, box_width_, y - canvas_.y);
    return y - canvas_.y;
  }

  void DrawLine(double x, double y, int64_t first_cell, int64_t line) {
    std::string run_color;  // color of the current run; cells without labels are drawn as one run per color
    double run_start = x;
    const auto end_run = [&] {
      if (!run_color.empty()) {
        fmt::format_to(std::back_inserter(runs_[run_color]), "M{0:.5g} {1:.5g}h{2:.4g}v{3:.4g}h-{2:.4g}z", run_start, y,
                       x - run_start, style_.cell_height);
      }
      run_color.clear();
    };
    for (const LineSlot& slot : plan_.slots) {
      if (slot.kind == LineSlot::Kind::kGap) {
        if (slot.level > 0 && style_.group_gap > 0) end_run();
        x += slot.level > 0 ? style_.group_gap : 0;
        continue;
      }
      if (slot.kind == LineSlot::Kind::kFold) {
        end_run();
        canvas_.Dots(x + metrics_.fold / 2, y + style_.cell_height / 2, true);
        x += metrics_.fold;
        continue;
      }
      const int64_t cell = line * plan_.line_cells + slot.cell;
      const bool allocated = cell < plan_.box_cells && first_cell + cell < boxes_.end.value_or(boxes_.Cells());
      std::optional<std::vector<int64_t>> element;
      if (allocated) element = boxes_.element(boxes_.first_offset + first_cell + cell);
      if (style_.labels) {
        if (allocated) DrawCell(x, y, boxes_.first_offset + first_cell + cell, element);
      } else {
        const std::string color = allocated ? Css(element, StrongCss) : "";
        if (color != run_color) {
          end_run();
          run_color = color;
          run_start = x;
        }
      }
      x += style_.cell_width;
    }
    end_run();
  }

  // Returns the CSS class of a cell; `css` is that of a color.
  std::string Css(const std::optional<std::vector<int64_t>>& element, std::string (*css)(int)) const {
    if (!element) return std::string(SvgCanvas::kHatch);
    if (color_dimension_ < 0) return css(0);
    return css(static_cast<int>((*element)[static_cast<size_t>(color_dimension_)] % 8));
  }

  void DrawCell(double x, double y, int64_t offset, const std::optional<std::vector<int64_t>>& element) {
    std::string where = element ? "" : "padding";
    std::string label;
    if (element) {
      for (size_t d = 0; d < element->size(); ++d)
        StrAppend(where, d > 0 ? " " : "", boxes_.names[d], "=", (*element)[d]);
      for (const int64_t d : dimensions_)
        StrAppend(label, label.empty() ? "" : ",", (*element)[static_cast<size_t>(d)]);
      if (element->empty()) label = where = "()";
    }
    canvas_.Rect(x + 0.5, y + 0.5, style_.cell_width - 1, style_.cell_height - 1, Css(element, PaleCss),
                 fmt::format("{}: {}", offset, where));
    if (!label.empty()) canvas_.Text(x + style_.cell_width / 2, y + style_.cell_height / 2 + 4, "cell", label);
  }

  SvgCanvas& canvas_;
  const MemoryBoxes& boxes_;
  SvgSectionStyle style_;
  std::vector<int64_t> dimensions_;  // dimensions whose coordinates are drawn in a cell
  int64_t color_dimension_ = -1;
  PictureMetrics metrics_;
  PicturePlan plan_;
  double box_width_ = 0;
  // Cells of the current box that are drawn without labels, by color.
  std::map<std::string, std::string> runs_;
};

}  // namespace

SvgSectionStyle LabelledSvgStyle(const MemoryBoxes& boxes, const SvgRoom& room) {
  size_t characters = 0;
  for (const int64_t d : boxes.CellDimensions()) {
    characters += std::to_string(std::max<int64_t>(boxes.dimensions[static_cast<size_t>(d)], 1) - 1).size() + 1;
  }
  const double text = SvgCanvas::kCharacter * static_cast<double>(std::max<size_t>(characters, 1) - 1);
  return {true, std::max(30.0, text + 12), 22, 5, room};
}

SvgSectionSize MeasureSvgSection(const MemoryBoxes& boxes, const SvgSectionStyle& style) {
  SvgCanvas unused;
  return Section(unused, boxes, style).Size();
}

void DrawSvgSection(const MemoryBoxes& boxes, const SvgSectionStyle& style, SvgCanvas& canvas) {
  Section(canvas, boxes, style).Draw();
}

}  // namespace layoutcheck
