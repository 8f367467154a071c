// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/sharding/sharded_array.h"
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/hlo/parser.h"
#include "layoutcheck/core/hlo/printer.h"
#include "layoutcheck/core/tiling/tiled_layout.h"

namespace layoutcheck {
namespace {

Expected<ShardedArray::Local> MakeLocal(Shape shape, const std::vector<int64_t>& sizes) {
  shape.dimensions = sizes;
  LAYOUTCHECK_TRY(const TiledLayout layout, TiledLayoutOf(shape));
  LAYOUTCHECK_TRY(TiledIndex index, MakeTiledIndex(layout));
  LAYOUTCHECK_TRY(MixedRadix<int64_t> digits, MakeMixedRadix(layout));
  LAYOUTCHECK_TRY(const LayoutSizes local, SizesOf(shape));
  return ShardedArray::Local{std::move(shape), std::move(index), std::move(digits), local};
}

}  // namespace

Expected<ShardedArray> ShardedArray::Create(Shape shape, Sharding sharding) {
  if (shape.HasDynamicDimension()) return UnsupportedError("a sharded array with a dynamic dimension");
  LAYOUTCHECK_RETURN_IF_ERROR(SizesOf(shape));
  ShardedArray array(std::move(shape), std::move(sharding));
  for (const int64_t device : array.sharding_.devices()) {
    const std::vector<int64_t> sizes = *array.sharding_.LocalSizes(device);
    if (array.locals_.contains(sizes)) continue;
    LAYOUTCHECK_TRY(Local local, MakeLocal(array.shape_, sizes));
    array.locals_.emplace(sizes, std::move(local));
  }
  return array;
}

ShardedArray::Place ShardedArray::Find(std::span<const int64_t> coordinate) const {
  std::vector<int64_t> devices = sharding_.DevicesOf(coordinate);
  const Local& local = *LocalOf(devices[0]);
  const int64_t offset = local.index(sharding_.LocalCoordinate(coordinate));
  return {std::move(devices), offset};
}

const ShardedArray::Local* ShardedArray::LocalOf(int64_t device) const {
  const auto sizes = sharding_.LocalSizes(device);
  return sizes ? &locals_.at(*sizes) : nullptr;
}

std::optional<std::vector<int64_t>> ShardedArray::CoordinateAt(int64_t device, int64_t offset) const {
  std::vector<int64_t> local(shape_.dimensions.size());
  const MixedRadix<int64_t>& digits = LocalOf(device)->digits;
  // The places behind the padded elements are tail padding.
  if (offset >= digits.padded_elements() || !digits.Coordinate(offset, local)) return std::nullopt;
  return sharding_.GlobalCoordinate(device, local);
}

std::string ShardedText::Text() const { return StrCat(ToString(array.shape()), " ", sharding.text); }

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
  auto array = ShardedArray::Create(std::move(shape), std::move(made));
  if (!array) return ErrorAt(1, std::move(array.error()));
  return ShardedText{std::move(*array), std::move(sharding)};
}

}  // namespace layoutcheck
