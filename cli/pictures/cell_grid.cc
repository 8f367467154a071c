// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/pictures/cell_grid.h"
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

const GridAxis& AxisAt(const CellGrid& grid, std::optional<size_t> axis) {
  static const GridAxis kNone;
  return axis ? grid.axes[*axis] : kNone;
}

}  // namespace

size_t GridAxis::BordersBefore(int64_t index) const {
  for (size_t k = 0; k < blocks.size(); ++k) {
    index %= blocks[k];
    if (index == 0) return blocks.size() - k;
  }
  return 0;
}

const GridAxis& CellGrid::RowAxis() const { return AxisAt(*this, rows); }
const GridAxis& CellGrid::ColumnAxis() const { return AxisAt(*this, columns); }

int64_t CellGrid::PageCount() const {
  int64_t count = 1;
  for (size_t k = 0; k < axes.size(); ++k) {
    if (IsPageAxis(k)) count *= axes[k].size;
  }
  return count;
}

std::vector<int64_t> CellGrid::Coordinate(int64_t page, int64_t row, int64_t column) const {
  std::vector<int64_t> coordinate(axes.size());
  for (size_t k = axes.size(); k-- > 0;) {
    if (IsPageAxis(k)) {
      coordinate[k] = page % axes[k].size;
      page /= axes[k].size;
    } else {
      coordinate[k] = rows == k ? row : column;
    }
  }
  return coordinate;
}

int64_t CellGrid::PageOf(std::span<const int64_t> coordinate) const {
  int64_t page = 0;
  for (size_t k = 0; k < axes.size(); ++k) {
    if (IsPageAxis(k)) page = page * axes[k].size + coordinate[k];
  }
  return page;
}

std::string CellGrid::PageTitle(int64_t page) const {
  const std::vector<int64_t> coordinate = Coordinate(page, 0, 0);
  std::string title;
  for (size_t k = 0; k < axes.size(); ++k) {
    if (IsPageAxis(k)) StrAppend(title, title.empty() ? "" : " ", axes[k].name, "=", coordinate[k]);
  }
  return title;
}

std::string CellGrid::Directions() const {
  const std::string across = columns ? ColumnAxis().name + " across" : "";
  return rows ? StrCat(RowAxis().name, " down and ", across) : across;
}

std::string CellGrid::Description(const std::string& directions) const {
  return StrCat(what, directions.empty() ? "" : ", " + directions, "; in each cell ", labels);
}

}  // namespace layoutcheck
