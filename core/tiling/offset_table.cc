// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/tiling/offset_table.h"
#include <algorithm>
#include "layoutcheck/core/base/index_stepper.h"
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

// A row of this many elements is long enough to make the work per row negligible.
constexpr int64_t kGoodRow = 512;

}  // namespace

Expected<OffsetTable> OffsetTable::Create(const TiledLayout& layout, const TiledIndex& index) {
  const size_t rank = layout.dimensions.size();
  OffsetTable table;
  CheckedInt64 elements = 1;
  for (const int64_t size : layout.dimensions) elements = elements * size;
  if (std::ranges::find(layout.dimensions, 0) != layout.dimensions.end()) {
    table.elements_ = 0;
    return table;
  }
  if (elements.overflow) return MakeError(ErrorKind::kOverflow, "the element count does not fit int64");
  table.elements_ = elements.value;

  std::vector<std::vector<size_t>> members = GroupCombinedDimensions({&index}, layout.minor_to_major);
  std::vector<size_t> group_of(rank);
  for (size_t g = 0; g < members.size(); ++g) {
    std::ranges::sort(members[g]);  // tables are in logical order
    for (const size_t d : members[g]) group_of[d] = g;
  }
  CheckedInt64 entries = 0;
  for (const auto& dimensions : members) {
    CheckedInt64 product = 1;
    for (const size_t d : dimensions) product = product * layout.dimensions[d];
    entries = entries + product;
  }
  if (entries.overflow || entries.value > kMaxEntries) {
    return MakeError(ErrorKind::kUnsupported, StrCat("the offset tables have more than ", kMaxEntries, " entries"));
  }

  // An offset is the sum over the groups of the offset of the element that has index 0 in all other groups.
  std::vector<int64_t> step_in_group(rank);
  for (const auto& dimensions : members) {
    std::vector<int64_t> sizes;
    int64_t product = 1;
    for (size_t k = dimensions.size(); k-- > 0;) {
      step_in_group[dimensions[k]] = product;
      product *= layout.dimensions[dimensions[k]];
    }
    for (const size_t d : dimensions) sizes.push_back(layout.dimensions[d]);
    std::vector<int64_t>& offsets = table.groups_.emplace_back();
    offsets.reserve(static_cast<size_t>(product));
    std::vector<int64_t> position(dimensions.size(), 0);
    std::vector<int64_t> element(rank, 0);
    do {
      for (size_t k = 0; k < dimensions.size(); ++k) element[dimensions[k]] = position[k];
      offsets.push_back(index(element));
    } while (NextIndex(position, sizes));
  }

  // Trailing dimensions that are alone in their groups are tabulated together until a row is long enough.
  size_t first_in_row = rank;
  int64_t row_size = 1;
  while (first_in_row > 0 && row_size < kGoodRow) {
    const size_t d = first_in_row - 1;
    const int64_t next = row_size * layout.dimensions[d];
    if (members[group_of[d]].front() != d && first_in_row == rank) {
      table.row_is_in_group_ = true;
      table.row_group_ = group_of[d];
      first_in_row = d;
      row_size = next;
      break;
    }
    if (members[group_of[d]].size() != 1 || next > (kGoodRow << 4)) break;
    first_in_row = d;
    row_size = next;
  }
  if (first_in_row == rank && rank > 0) {
    // The last dimension is alone in its group and long: its table is the row.
    first_in_row = rank - 1;
    row_size = layout.dimensions[rank - 1];
    table.row_is_in_group_ = true;
    table.row_group_ = group_of[rank - 1];
  }
  table.row_size_ = row_size;
  if (!table.row_is_in_group_) {
    std::vector<int64_t> position(rank - first_in_row, 0);
    const std::vector<int64_t> sizes(layout.dimensions.begin() + static_cast<std::ptrdiff_t>(first_in_row),
                                     layout.dimensions.end());
    do {
      int64_t offset = 0;
      for (size_t k = 0; k < position.size(); ++k) {
        offset += table.groups_[group_of[first_in_row + k]][static_cast<size_t>(position[k])];
      }
      table.row_.push_back(offset);
    } while (NextIndex(position, sizes));
  }
  for (size_t d = 0; d < first_in_row; ++d) {
    table.outer_.push_back({layout.dimensions[d], group_of[d], step_in_group[d]});
  }
  return table;
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
  const Expected<TiledLayout> layout = TiledLayoutOf(shape);
  if (!layout) return std::unexpected(layout.error());
  const Expected<TiledIndex> index = MakeTiledIndex(*layout);
  if (!index) return std::unexpected(index.error());
  const Expected<OffsetTable> table = OffsetTable::Create(*layout, *index);
  if (!table) return std::unexpected(table.error());
  if (table->size() > OffsetTable::kMaxEntries) {
    return MakeError(ErrorKind::kUnsupported, StrCat("a table of more than ", OffsetTable::kMaxEntries, " offsets"));
  }
  std::vector<int64_t> offsets(static_cast<size_t>(table->size()));
  table->Fill(offsets);
  return offsets;
}

}  // namespace layoutcheck
