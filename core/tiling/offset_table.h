// The linear indices of all elements of a tiled layout, by tables that are made once a layout.
#ifndef LAYOUTCHECK_CORE_TILING_OFFSET_TABLE_H_
#define LAYOUTCHECK_CORE_TILING_OFFSET_TABLE_H_

#include <cstdint>
#include <span>
#include <vector>

#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/hlo/shape.h"
#include "layoutcheck/core/tiling/tiled_index.h"

namespace layoutcheck {

// The linear index as a sum of tables, one for each group of dimensions that a `*` combines (most groups are one
// dimension).
class OffsetTable {
 public:
  // The largest number of entries of all tables together (512 MiB); more is an error of kind kUnsupported.
  static constexpr int64_t kMaxEntries = int64_t{1} << 26;

  // Requires an index made from this layout. Errors: tables too large.
  static Expected<OffsetTable> Create(const TiledLayout& layout, const TiledIndex& index);

  // The number of elements.
  int64_t size() const { return elements_; }

  // Writes the linear index of every element, the last logical dimension fastest. Requires out.size() == size().
  void Fill(std::span<int64_t> out) const;

  // The elements that are written in one run of a table, and whose offsets differ from those of another run by a
  // constant.
  int64_t row_size() const { return row_size_; }

 private:
  struct Outer {  // a dimension that is counted through, not tabulated in row_
    int64_t size;
    size_t group;  // whose table it indexes
    int64_t step;  // entries of that table between neighbors
  };

  int64_t elements_ = 1;
  std::vector<std::vector<int64_t>> groups_;  // offsets of a group's dimensions, row major
  std::vector<Outer> outer_;                  // major to minor in logical order
  int64_t row_size_ = 1;
  std::vector<int64_t> row_;  // offsets of the trailing dimensions that fill a run
  // Where the last dimension shares a group with an outer one, or is long enough alone, row_ is empty and a run is a
  // part of that group's table.
  bool row_is_in_group_ = false;
  size_t row_group_ = 0;
};

// All linear indices of an array shape, the last logical dimension fastest. Errors: as MakeTiledIndex; more elements
// than OffsetTable::kMaxEntries.
Expected<std::vector<int64_t>> AllOffsets(const Shape& shape);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_CORE_TILING_OFFSET_TABLE_H_
