// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/xla_util/tile_strides.h"
#include <cstddef>
#include "layoutcheck/core/base/integer.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/hlo/shape.h"

namespace layoutcheck {
namespace {

// Checks that the tile has entries >= 1 and at most as many dimensions as the array.
Expected<void> ValidateTile(std::span<const int64_t> tile, std::span<const int64_t> shape) {
  if (tile.size() > shape.size()) {
    return MakeError(ErrorKind::kInvalidArgument, StrCat("the tile has ", tile.size(), " dimensions, the array has ",
                                                         shape.size(), ": expected at most as many"));
  }
  for (size_t k = 0; k < tile.size(); ++k) {
    if (tile[k] < 1) {
      return MakeError(ErrorKind::kInvalidArgument, StrCat("entry ", k, " of the tile is not a size >= 1"));
    }
  }
  return {};
}

}  // namespace

Expected<int64_t> NumTrailingDimsWithContiguousTiles(std::span<const Tile> tiles, std::span<const int64_t> tile_strides,
                                                     std::span<const int64_t> shape) {
  if (tile_strides.size() != shape.size()) {
    return MakeError(ErrorKind::kInvalidArgument,
                     StrCat(tile_strides.size(), " tile strides for ", shape.size(), " dimensions"));
  }
  const std::span<const int64_t> tile = tiles.empty() ? std::span<const int64_t>() : tiles.front().dimensions;
  if (auto valid = ValidateTile(tile, shape); !valid) return std::unexpected(std::move(valid).error());
  const size_t first_tiled = shape.size() - tile.size();
  CheckedInt64 contiguous_stride = 1;
  bool known = true;  // false once a dynamic size makes contiguous_stride unknown
  for (size_t d = shape.size(); d-- > 0;) {
    if (shape[d] < 0 && shape[d] != Shape::kUnboundedSize) {
      return MakeError(ErrorKind::kInvalidArgument, StrCat("dimension ", d, " has a negative size"));
    }
    const bool dynamic = shape[d] == Shape::kUnboundedSize;
    const int64_t count = dynamic ? 0 : d >= first_tiled ? CeilDiv(shape[d], tile[d - first_tiled]) : shape[d];
    if (!dynamic && count == 1) continue;
    if (!known || contiguous_stride.overflow || tile_strides[d] != contiguous_stride.value) {
      return static_cast<int64_t>(shape.size() - 1 - d);
    }
    known = !dynamic;
    contiguous_stride = contiguous_stride * count;
  }
  return static_cast<int64_t>(shape.size());
}

Expected<TiledShape> TileRowMajorShape(std::span<const int64_t> shape, std::span<const int64_t> tile) {
  if (auto valid = ValidateTile(tile, shape); !valid) return std::unexpected(std::move(valid).error());
  TiledShape result{{shape.begin(), shape.end()}, {}};
  for (size_t k = 0; k < tile.size(); ++k) {
    int64_t& size = result.shape[shape.size() - tile.size() + k];
    if (size % tile[k] != 0) {
      return MakeError(ErrorKind::kInvalidArgument,
                       StrCat("tile size ", tile[k], " does not divide the dimension of size ", size));
    }
    size /= tile[k];
  }
  result.shape.insert(result.shape.end(), tile.begin(), tile.end());
  result.strides.resize(result.shape.size());
  CheckedInt64 stride = 1;
  for (size_t d = result.shape.size(); d-- > 0;) {
    if (result.shape[d] < 0) {
      return MakeError(ErrorKind::kInvalidArgument, StrCat("dimension ", d, " has a negative size"));
    }
    const auto value = ValueOrOverflow(stride, "a stride of the tiled array");
    if (!value) return std::unexpected(value.error());
    result.strides[d] = *value;
    stride = stride * result.shape[d];
  }
  return result;
}

}  // namespace layoutcheck
