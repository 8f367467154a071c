// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/sharding/sharded_answers.h"
#include "layoutcheck/cli/base/count.h"
#include "layoutcheck/cli/pictures/draw_text.h"
#include "layoutcheck/cli/sharding/sharded_picture.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/sharding/sharding_conversion.h"

namespace layoutcheck {

Expected<std::string> ConvertSharded(const ShardedText& sharded, size_t target) {
  LAYOUTCHECK_TRY(const std::string sharding,
                  ConvertSharding(sharded.sharding, sharded.array.sharding(), static_cast<ShardingNotation>(target)));
  return sharded.TextWith(sharding);
}

Json ShardedIndexJson(const ShardedArray& array, const ShardedArray::Place& place) {
  const LayoutSizes& sizes = array.LocalOf(place.devices[0])->sizes;
  return {{"devices", place.devices},
          {"offset", place.offset},
          {"elements", sizes.elements},
          {"padded_elements", sizes.padded_elements},
          {"bytes", sizes.bytes}};
}

Expected<std::optional<std::vector<int64_t>>> ShardedCoordinateAt(const ShardedArray& array, int64_t device,
                                                                  int64_t offset) {
  const int64_t end = array.LocalOf(device)->sizes.padded_elements;
  if (offset < 0 || offset >= end) {
    return ArgumentError("offset ", offset, " is outside the array of device ", device, ", which ",
                         end == 0 ? "is empty" : StrCat("has ", Counted(end, "element"), ": expected 0 to ", end - 1));
  }
  return array.CoordinateAt(device, offset);
}

Expected<ShownSharding> ShowSharding(const ShardedArray& array) {
  ShownSharding shown;
  shown.groups = LocalArraysOf(array);
  LAYOUTCHECK_TRY(shown.sizes, SizesOfAll(array, shown.groups));
  shown.facts = ShardedFacts(array, shown.groups, shown.sizes);
  if (shown.sizes.held_elements > 0) shown.grid = ShardedGrid(array);
  return shown;
}

std::string ShowText(const ShardedText& sharded, const ShownSharding& shown, const TextStyle& style) {
  return StrCat(sharded.Text(), "\n\n", FactsText(shown.facts, style),
                shown.grid ? StrCat("\n", DrawText(*shown.grid, style)) : "");
}

Picture PictureOf(const ShardedText& sharded, const ShownSharding& shown) {
  return {sharded.Text(), shown.facts, nullptr, shown.grid ? &*shown.grid : nullptr};
}

}  // namespace layoutcheck
