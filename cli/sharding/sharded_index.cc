// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdio>
#include "layoutcheck/cli/base/count.h"
#include "layoutcheck/cli/notations/coordinate.h"
#include "layoutcheck/cli/sharding/sharded_commands.h"
#include "layoutcheck/cli/sharding/sharded_picture.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/sharding/sharded_array.h"
#include "layoutcheck/json/json.h"

namespace layoutcheck {

bool IsSharded(std::string_view layout) { return FindSharding(layout).has_value(); }

Expected<std::string> CanonicalSharded(std::string_view text) {
  // {replicated} has the same text for any number of devices.
  LAYOUTCHECK_TRY(const ShardedText sharded, ParseSharded(text, 1));
  return sharded.Text();
}

ExitCode RunShardedIndex(const ShardedIndexArguments& arguments) {
  const auto sharded = ParseSharded(arguments.layout);
  if (!sharded) return Unusable("index", "LAYOUT", sharded.error());
  const ShardedArray& array = sharded->array;
  const auto coordinate = ReadCoordinateWithin(arguments.coordinate, array.shape().dimensions);
  if (!coordinate) return Unusable("index", "COORD", coordinate.error());
  const ShardedArray::Place place = array.Find(*coordinate);
  if (arguments.json) {
    const LayoutSizes& sizes = array.LocalOf(place.devices[0])->sizes;
    PrintJson(Json{{"devices", place.devices},
                   {"offset", place.offset},
                   {"elements", sizes.elements},
                   {"padded_elements", sizes.padded_elements},
                   {"bytes", sizes.bytes}});
  } else {
    PrintText(StrCat("devices ", StrJoin(place.devices, ","), "  offset ", place.offset, "\n"));
  }
  return ExitCode::kAccepted;
}

ExitCode RunShardedCoord(const ShardedCoordArguments& arguments) {
  const auto sharded = ParseSharded(arguments.layout);
  if (!sharded) return Unusable("coord", "LAYOUT", sharded.error());
  const Expected<int64_t> offset = ReadInteger(arguments.offset);
  if (!offset) return Unusable("coord", "OFFSET", offset.error());
  const ShardedArray& array = sharded->array;
  const std::string devices = DevicesText(array.sharding().devices());
  if (!arguments.device) {
    return Unusable(
        "coord", StrCat("--device is required, because LAYOUT has a sharding: expected one of the devices ", devices));
  }
  // A number of 2^63 or more becomes a negative one, which no device has.
  const auto device = static_cast<int64_t>(*arguments.device);
  const ShardedArray::Local* local = array.LocalOf(device);
  if (local == nullptr) {
    return Unusable("coord", StrCat("--device: expected one of the devices ", devices, ", found ", *arguments.device));
  }
  const int64_t end = local->sizes.padded_elements;
  if (*offset < 0 || *offset >= end) {
    return Unusable(
        "coord", StrCat("OFFSET: offset ", *offset, " is outside the array of device ", device, ", which ",
                        end == 0 ? "is empty" : StrCat("has ", Counted(end, "element"), ": expected 0 to ", end - 1)));
  }
  const auto coordinate = array.CoordinateAt(device, *offset);
  if (!coordinate) return Unusable("coord", "OFFSET", coordinate.error());
  if (arguments.json) {
    PrintJson(Json{{"coordinate", *coordinate ? Json(**coordinate) : Json(nullptr)}});
  } else {
    PrintText(*coordinate ? StrCat(CoordinateText(**coordinate), "\n") : "padding\n");
  }
  return ExitCode::kAccepted;
}

}  // namespace layoutcheck
