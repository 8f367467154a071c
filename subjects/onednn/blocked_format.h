// A tiled layout as one of oneDNN's blocked formats.
#ifndef LAYOUTCHECK_SUBJECTS_ONEDNN_BLOCKED_FORMAT_H_
#define LAYOUTCHECK_SUBJECTS_ONEDNN_BLOCKED_FORMAT_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "layoutcheck/core/error.h"
#include "layoutcheck/core/shape.h"

namespace layoutcheck {

// What oneDNN calls a blocking: the order of the outer dimensions, then blocks of fixed size, the major one first.
struct BlockedFormat {
  std::vector<int64_t> outer_order;                // logical dimensions, major to minor
  std::vector<std::pair<int64_t, int64_t>> inner;  // logical dimension and block size, major to minor

  bool operator==(const BlockedFormat&) const = default;
};

// The blocking that puts every element where the layout does, for arrays of any size. The first tile gives each of the
// last dimensions a block; a later tile divides blocks, and what it divides off moves to the minor end. Error
// (kInvalidArgument): a layout that is no blocking: a later tile that divides an outer dimension or a block with
// remainder, a tile of more dimensions than there are, a combined dimension, or any attribute but tiles.
Expected<BlockedFormat> ToBlockedFormat(const Shape& shape);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_SUBJECTS_ONEDNN_BLOCKED_FORMAT_H_
