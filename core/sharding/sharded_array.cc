// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/sharding/sharded_array.h"
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/hlo/parser.h"
#include "layoutcheck/core/hlo/printer.h"
#include "layoutcheck/core/tiling/tiled_layout.h"

namespace layoutcheck {

std::string ShardedArray::Local::LayoutText() const {
  return layout() == nullptr ? ToString(shape) : layout()->TextOf(shape.dimensions);
}

int64_t ShardedArray::Local::OffsetOf(std::span<const int64_t> coordinate) const {
  return layout() == nullptr ? std::get<ShapeMap>(map).index(coordinate) : layout()->OffsetOf(coordinate);
}

Expected<std::optional<std::vector<int64_t>>> ShardedArray::Local::CoordinateOf(int64_t offset) const {
  if (layout() != nullptr) return layout()->CoordinateOf(offset, shape.dimensions);
  const MixedRadix<int64_t>& digits = std::get<ShapeMap>(map).digits;
  std::vector<int64_t> coordinate(shape.dimensions.size());
  // The places behind the padded elements are tail padding.
  if (offset >= digits.padded_elements() || !digits.Coordinate(offset, coordinate)) return std::nullopt;
  return coordinate;
}

const LocalLayout* ShardedArray::Local::layout() const {
  const auto* local = std::get_if<std::shared_ptr<const LocalLayout>>(&map);
  return local == nullptr ? nullptr : local->get();
}

Expected<ShardedArray::Local> ShardedArray::MakeLocal(std::vector<int64_t> sizes) const {
  Shape shape = shape_;
  shape.dimensions = std::move(sizes);
  if (local_layout_ != nullptr) {
    LAYOUTCHECK_RETURN_IF_ERROR(local_layout_->RequireRoomFor(shape.dimensions));
    // The number of elements fits int64, because that of the coordinates does.
    LayoutSizes local{ProductOfSizes(shape.dimensions).value, local_layout_->allocation(), 0};
    LAYOUTCHECK_TRY(local.bytes, PackedBytes(local.padded_elements, ElementSizeInBits(shape)));
    return Local{std::move(shape), local, local_layout_};
  }
  LAYOUTCHECK_TRY(const TiledLayout layout, TiledLayoutOf(shape));
  LAYOUTCHECK_TRY(TiledIndex index, MakeTiledIndex(layout));
  LAYOUTCHECK_TRY(MixedRadix<int64_t> digits, MakeMixedRadix(layout));
  LAYOUTCHECK_TRY(const LayoutSizes local, SizesOf(shape));
  return Local{std::move(shape), local, ShapeMap{std::move(index), std::move(digits)}};
}

Expected<ShardedArray> ShardedArray::Create(Shape shape, Sharding sharding, std::shared_ptr<const LocalLayout> local) {
  if (shape.HasDynamicDimension()) return UnsupportedError("a sharded array with a dynamic dimension");
  LAYOUTCHECK_RETURN_IF_ERROR(SizesOf(shape));
  if (local != nullptr) shape.layout.reset();
  ShardedArray array(std::move(shape), std::move(sharding), std::move(local));
  for (const int64_t device : array.sharding_.devices()) {
    const std::vector<int64_t> sizes = *array.sharding_.LocalSizes(device);
    if (array.locals_.contains(sizes)) continue;
    LAYOUTCHECK_TRY(Local made, array.MakeLocal(sizes));
    array.locals_.emplace(sizes, std::move(made));
  }
  return array;
}

ShardedArray::Place ShardedArray::Find(std::span<const int64_t> coordinate) const {
  std::vector<int64_t> devices = sharding_.DevicesOf(coordinate);
  const int64_t offset = LocalOf(devices[0])->OffsetOf(sharding_.LocalCoordinate(coordinate));
  return {std::move(devices), offset};
}

const ShardedArray::Local* ShardedArray::LocalOf(int64_t device) const {
  const auto sizes = sharding_.LocalSizes(device);
  return sizes ? &locals_.at(*sizes) : nullptr;
}

Expected<std::optional<std::vector<int64_t>>> ShardedArray::CoordinateAt(int64_t device, int64_t offset) const {
  LAYOUTCHECK_TRY(const std::optional<std::vector<int64_t>> local, LocalOf(device)->CoordinateOf(offset));
  if (!local) return std::nullopt;
  return sharding_.GlobalCoordinate(device, *local);
}

std::string ShardedText::TextWith(std::string_view sharding_text) const {
  const LocalLayout* local = array.local_layout();
  return StrCat(ToString(array.shape()), " ", sharding_text, local == nullptr ? "" : StrCat(" local=", local->text()));
}

Expected<ShardedText> ParseSharded(std::string_view text, std::optional<int64_t> device_count) {
  const std::optional<size_t> position = FindSharding(text);
  if (!position) {
    return SyntaxErrorAt(static_cast<int64_t>(text.size()) + 1,
                         "expected a sharding behind the shape: 'sharding={...}', 'mesh[...] ...', "
                         "'#sdy.sharding<...>' or 'MemoryConfig(...)'");
  }
  std::string_view shape_text = text.substr(0, *position);
  while (!shape_text.empty() && TextCursor::kBlanksOfLines.contains(shape_text.back())) shape_text.remove_suffix(1);
  LAYOUTCHECK_TRY(Shape shape, ParseShape(shape_text));
  if (!shape.IsArray())
    return MakeError(
        ErrorKind::kUnsupported,
        "expected the shape of an array, found that of a tuple: give the shape and the sharding of one of its arrays",
        1);
  LAYOUTCHECK_TRY(ShardingText sharding, ReadSharding(text, *position, shape.rank()));
  LAYOUTCHECK_TRY(Sharding made, MakeSharding(sharding, shape.dimensions, device_count));
  std::shared_ptr<const LocalLayout> local;
  if (!sharding.local.empty()) {
    LAYOUTCHECK_TRY(LocalLayout layout, LocalLayout::Parse(sharding.local, sharding.local_column));
    local = std::make_shared<const LocalLayout>(std::move(layout));
  }
  auto array = ShardedArray::Create(std::move(shape), std::move(made), std::move(local));
  if (!array && array.error().column == 0) return ErrorAt(1, std::move(array.error()));
  if (!array) return std::unexpected(std::move(array.error()));
  return ShardedText{std::move(*array), std::move(sharding)};
}

}  // namespace layoutcheck
