// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/tiling/offset_table.h"
#include <algorithm>
#include "layoutcheck/core/base/index_stepper.h"

namespace layoutcheck {
namespace {

// A row of this many elements is long enough to make the work per row negligible.
constexpr int64_t kGoodRow = 512;

}  // namespace

// Makes the tables of a layout that has elements.
class OffsetTable::Builder {
 public:
  Builder(const TiledLayout& layout, const TiledIndex& index)
      : dimensions_(layout.dimensions),
        index_(index),
        groups_(GroupCombinedDimensions({&index}, layout.minor_to_major)),
        group_of_(dimensions_.size()),
        step_in_group_(dimensions_.size()) {
    for (size_t g = 0; g < groups_.size(); ++g) {
      std::ranges::sort(groups_[g]);  // tables are in logical order
      for (const size_t d : groups_[g]) group_of_[d] = g;
    }
  }

  Expected<OffsetTable> Build() && {
    LAYOUTCHECK_RETURN_IF_ERROR(CountElements());
    for (const std::vector<size_t>& group : groups_) TabulateGroup(group);
    const size_t first_in_row = ChooseRow();
    if (!table_.row_is_in_group_) TabulateRow(first_in_row);
    for (size_t d = 0; d < first_in_row; ++d) {
      table_.outer_.push_back({dimensions_[d], group_of_[d], step_in_group_[d]});
    }
    return std::move(table_);
  }

 private:
  // Errors: an overflow; more than kMaxEntries entries of all tables (unsupported).
  Expected<void> CountElements() {
    CheckedInt64 elements = 1;
    for (const int64_t size : dimensions_) elements = elements * size;
    if (elements.overflow) return OverflowError("the element count does not fit int64");
    table_.elements_ = elements.value;
    CheckedInt64 entries = 0;
    for (const std::vector<size_t>& group : groups_) {
      CheckedInt64 product = 1;
      for (const size_t d : group) product = product * dimensions_[d];
      entries = entries + product;
    }
    if (entries.overflow || entries.value > kMaxEntries) {
      return UnsupportedError("the offset tables have more than ", kMaxEntries, " entries");
    }
    return {};
  }

  // Adds the offsets of the elements that have index 0 in all other groups. An offset is the sum of these over the
  // groups.
  void TabulateGroup(const std::vector<size_t>& group) {
    std::vector<int64_t> sizes;
    for (const size_t d : group) sizes.push_back(dimensions_[d]);
    int64_t entries = 1;
    for (size_t k = group.size(); k-- > 0;) {
      step_in_group_[group[k]] = entries;
      entries *= sizes[k];
    }
    std::vector<int64_t>& offsets = table_.groups_.emplace_back();
    offsets.reserve(static_cast<size_t>(entries));
    std::vector<int64_t> position(group.size(), 0);
    std::vector<int64_t> element(dimensions_.size(), 0);
    do {
      for (size_t k = 0; k < group.size(); ++k) element[group[k]] = position[k];
      offsets.push_back(index_(element));
    } while (NextIndex(position, sizes));
  }

  // Returns the first dimension of a row. Trailing dimensions that are alone in their groups are in one row until it is
  // long enough. A dimension that shares its group, or a long one, is a row by itself: a part of its group's table.
  size_t ChooseRow() {
    const size_t rank = dimensions_.size();
    size_t first = rank;
    while (first > 0 && table_.row_size_ < kGoodRow) {
      const std::vector<size_t>& group = groups_[group_of_[first - 1]];
      const int64_t row_size = table_.row_size_ * dimensions_[first - 1];
      if (first == rank && group.front() != first - 1) return UseGroupAsRow();
      if (group.size() != 1 || row_size > (kGoodRow << 4)) break;
      --first;
      table_.row_size_ = row_size;
    }
    return first == rank && rank > 0 ? UseGroupAsRow() : first;
  }

  // Makes the last dimension the row. Returns its number.
  size_t UseGroupAsRow() {
    const size_t last = dimensions_.size() - 1;
    table_.row_is_in_group_ = true;
    table_.row_group_ = group_of_[last];
    table_.row_size_ = dimensions_[last];
    return last;
  }

  void TabulateRow(size_t first_in_row) {
    const std::span<const int64_t> sizes = std::span(dimensions_).subspan(first_in_row);
    std::vector<int64_t> position(sizes.size(), 0);
    do {
      int64_t offset = 0;
      for (size_t k = 0; k < position.size(); ++k) {
        offset += table_.groups_[group_of_[first_in_row + k]][static_cast<size_t>(position[k])];
      }
      table_.row_.push_back(offset);
    } while (NextIndex(position, sizes));
  }

  const std::vector<int64_t>& dimensions_;
  const TiledIndex& index_;
  std::vector<std::vector<size_t>> groups_;  // dimensions per group, in logical order
  std::vector<size_t> group_of_;             // per dimension
  std::vector<int64_t> step_in_group_;       // per dimension: entries of the group's table between its neighbors
  OffsetTable table_;
};

Expected<OffsetTable> OffsetTable::Create(const TiledLayout& layout, const TiledIndex& index) {
  if (std::ranges::find(layout.dimensions, 0) == layout.dimensions.end()) return Builder(layout, index).Build();
  OffsetTable empty;
  empty.elements_ = 0;
  return empty;
}

void OffsetTable::Fill(std::span<int64_t> out) const {
  if (elements_ == 0) return;
  std::vector<int64_t> entry(groups_.size(), 0);  // the current entry in the table of each group
  std::vector<int64_t> index(outer_.size(), 0);
  int64_t* next = out.data();
  const auto row_size = static_cast<size_t>(row_size_);
  for (bool more = true; more;) {
    int64_t base = 0;
    const int64_t* row = row_.data();
    for (size_t g = 0; g < groups_.size(); ++g) {
      if (row_is_in_group_ && g == row_group_) {
        row = groups_[g].data() + entry[g];
      } else {
        base += groups_[g][static_cast<size_t>(entry[g])];
      }
    }
    for (size_t k = 0; k < row_size; ++k) next[k] = base + row[k];
    next += row_size;
    more = false;
    for (size_t d = outer_.size(); d-- > 0 && !more;) {
      const OuterDimension& outer = outer_[d];
      more = ++index[d] < outer.size;
      if (!more) index[d] = 0;
      entry[outer.group] += more ? outer.step : -outer.step * (outer.size - 1);
    }
  }
}

Expected<std::vector<int64_t>> AllOffsets(const Shape& shape) {
  LAYOUTCHECK_TRY(const TiledLayout layout, TiledLayoutOf(shape));
  LAYOUTCHECK_TRY(const TiledIndex index, MakeTiledIndex(layout));
  LAYOUTCHECK_TRY(const OffsetTable table, OffsetTable::Create(layout, index));
  if (table.size() > OffsetTable::kMaxEntries) {
    return UnsupportedError("a table of more than ", OffsetTable::kMaxEntries, " offsets");
  }
  std::vector<int64_t> offsets(static_cast<size_t>(table.size()));
  table.Fill(offsets);
  return offsets;
}

}  // namespace layoutcheck
