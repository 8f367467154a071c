// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The linear indices of all elements of a tiled layout, computed from tables that are made once per layout.
#pragma once

#include <cstdint>
#include <span>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/hlo/shape.h"
#include "layoutcheck/core/tiling/tiled_index.h"

namespace layoutcheck {

// The linear index as a sum of tables, one per group of dimensions that `*` combines. Most groups are one dimension.
class OffsetTable {
 public:
  // Largest number of entries of all tables together (512 MiB).
  static constexpr int64_t kMaxEntries = int64_t{1} << 26;

  // Requires an index made from this layout. Errors: more than kMaxEntries entries (unsupported); overflow.
  static Expected<OffsetTable> Create(const TiledLayout& layout, const TiledIndex& index);

  int64_t size() const { return elements_; }

  // Writes the linear index of every element, the last logical dimension fastest. Requires out.size() == size().
  void Fill(std::span<int64_t> out) const;

 private:
  class Builder;

  // A dimension over which Fill iterates. The row covers the other dimensions.
  struct OuterDimension {
    int64_t size;
    size_t group;  // number of the dimension's table
    int64_t step;  // entries of that table between neighbors along the dimension
  };

  int64_t elements_ = 1;
  std::vector<std::vector<int64_t>> groups_;  // per group: the offsets of its dimensions, row major
  std::vector<OuterDimension> outer_;         // in logical order
  // Offsets of the trailing dimensions relative to the first element of a row. Fill writes one row at a time.
  std::vector<int64_t> row_;
  int64_t row_size_ = 1;  // in elements
  // True if a row is a part of the table of row_group_, because the last dimension is long or shares its group. row_ is
  // empty then.
  bool row_is_in_group_ = false;
  size_t row_group_ = 0;
};

// Returns all linear indices of an array shape, the last logical dimension fastest. Errors: those of MakeTiledIndex;
// more elements than OffsetTable::kMaxEntries (unsupported).
Expected<std::vector<int64_t>> AllOffsets(const Shape& shape);

}  // namespace layoutcheck
