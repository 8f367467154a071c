// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Answers questions about arrays with a sharding: sizes, picture, places and conversions of one, and what moves between
// two.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
#include "layoutcheck/cli/base/bytes.h"
#include "layoutcheck/cli/notations/coordinate.h"
#include "layoutcheck/cli/pictures/draw_svg.h"
#include "layoutcheck/cli/pictures/svg_canvas.h"
#include "layoutcheck/cli/sharding/sharded_answers.h"
#include "layoutcheck/cli/sharding/sharded_comparison.h"
#include "layoutcheck/cli/sharding/sharded_picture.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/base/text_cursor.h"
#include "layoutcheck/core/sharding/sharded_array.h"
#include "layoutcheck/core/xla_util/permutation.h"
#include "layoutcheck/json/json.h"
#include "layoutcheck/web/module/answers.h"
#include "layoutcheck/web/module/handles.h"
#include "layoutcheck/web/module/place.h"

namespace layoutcheck {
namespace {

using Integers = std::vector<int64_t>;

// A place in the memories of devices that somebody names.
struct ShardedPlace {
  std::optional<Integers> coordinate;  // nothing for padding
  ShardedArray::Place memory;
};

std::string CellName(std::span<const int64_t> coordinate) { return StrCat("(", StrJoin(coordinate, ","), ")"); }

// Reads "17 on device 3", in which the word "device" may be left out.
Expected<std::pair<int64_t, int64_t>> ReadOffsetAndDevice(std::string_view text) {
  TextCursor cursor(text);
  LAYOUTCHECK_TRY(const int64_t offset, cursor.TakeInteger());
  if (!cursor.Take("on")) return cursor.Unexpected("'on device' and the number of a device");
  cursor.Take("device");
  LAYOUTCHECK_TRY(const int64_t device, cursor.TakeInteger());
  if (!cursor.AtEnd()) return cursor.Unexpected("end of text after the device");
  return std::pair(offset, device);
}

// Finds "(2,3)", a coordinate, or "17 on device 3", a linear index in the array of a device. Errors: of another text
// (syntax); a place that is not there.
Expected<ShardedPlace> FindShardedPlace(const ShardedArray& array, std::string_view text) {
  if (text.find("on") == std::string_view::npos) {
    const bool is_coordinate = text.find_first_of(",()") != std::string_view::npos || array.shape().rank() == 1;
    if (!is_coordinate) {
      return MakeError(ErrorKind::kSyntax,
                       "expected a coordinate such as (2,3), or a linear index and its device such as 17 on device 4",
                       1);
    }
    LAYOUTCHECK_TRY(Integers coordinate, ReadCoordinateWithin(text, array.shape().dimensions));
    ShardedArray::Place memory = array.Find(coordinate);
    return ShardedPlace{std::move(coordinate), std::move(memory)};
  }
  LAYOUTCHECK_TRY(const auto named, ReadOffsetAndDevice(text));
  const auto [offset, device] = named;
  if (array.LocalOf(device) == nullptr) {
    return ArgumentError("expected one of the devices ", DevicesText(array.sharding().devices()), ", found ", device);
  }
  LAYOUTCHECK_TRY(auto coordinate, ShardedCoordinateAt(array, device, offset));
  if (!coordinate) return ShardedPlace{std::nullopt, {{device}, offset}};
  ShardedArray::Place memory = array.Find(*coordinate);
  return ShardedPlace{std::move(coordinate), std::move(memory)};
}

// Returns the members of `index --json`, the coordinate, the first byte and bit, all of it as one line of text, and
// "index", the name of the cell in the picture.
Json ShardedPlaceJson(const ShardedArray& array, const ShardedPlace& place) {
  const auto& [devices, offset] = place.memory;
  Json json = ShardedIndexJson(array, place.memory);
  json["coordinate"] = place.coordinate ? Json(*place.coordinate) : Json(nullptr);
  json["index"] = place.coordinate ? CellName(*place.coordinate) : StrCat(offset, " on device ", devices[0]);
  std::string text =
      StrCat(place.coordinate ? "element " + CellName(*place.coordinate) : "padding", " at linear index ", offset,
             devices.size() == 1 ? " on device " : " on devices ", DevicesText(devices));
  AddBits(offset, ElementSizeInBits(array.shape()), json, text);
  json["text"] = std::move(text);
  return json;
}

// Returns rows {"color":CSS,"text":TEXT}: devices that hold the same elements, and the array of each. The last row says
// how many are left out.
Json DevicesJson(const ShardedArray& array) {
  constexpr size_t kMostSets = 64;
  const std::vector<DeviceSet> sets = DeviceSetsOf(array.sharding());
  Json rows = Json::array();
  for (const DeviceSet& set : std::span(sets).first(std::min(sets.size(), kMostSets))) {
    const ShardedArray::Local& local = *array.LocalOf(set.devices[0]);
    rows.push_back({{"color", PaleCss(set.color)},
                    {"text", StrCat(set.devices.size() == 1 ? "device " : "devices ", DevicesText(set.devices), ": ",
                                    local.LayoutText(), ", ", RoundedBytes(local.sizes.bytes))}});
  }
  if (sets.size() > kMostSets) {
    rows.push_back({{"color", "page"}, {"text", StrCat("and ", sets.size() - kMostSets, " more")}});
  }
  return rows;
}

// Names the cells of the grid, because the page finds those of a place by what their details begin with.
void NameCells(CellGrid& grid) {
  grid.cell = [cell = std::move(grid.cell)](std::span<const int64_t> coordinate) {
    PictureCell named = cell(coordinate);
    named.details = StrCat(CellName(coordinate), ": ", named.details);
    return named;
  };
}

// Returns an array of rows of texts, the first of which has the names of the columns.
Json TrafficJson(const ShardedComparison& comparison) {
  Json rows = Json::array({Json::array({"devices", "before", "after", "received", "sent"})});
  for (const TrafficRow& row : TrafficRows(comparison)) {
    rows.push_back(Json::array({row.devices, row.before, row.after, row.received, row.sent}));
  }
  return rows;
}

}  // namespace

Json AnswerShardedShow(const Json& request) {
  const std::string text = TextMember(request, "layout");
  const auto sharded = ParseSharded(text);
  if (!sharded) return RejectedField("layout", sharded.error());
  const ShardedArray& array = sharded->array;
  auto shown = ShowSharding(array);
  if (!shown) return RejectedField("layout", shown.error());
  Json answer{{"ok", true}};
  answer["facts"] = FactsJson(shown->facts);
  answer["handles"] = HandlesOf(text);
  answer["devices"] = DevicesJson(array);
  if (const std::string place_text = TextMember(request, "place"); !place_text.empty()) {
    const Expected<ShardedPlace> place = FindShardedPlace(array, place_text);
    if (!place) return RejectedField("place", place.error());
    answer["place"] = ShardedPlaceJson(array, *place);
    if (shown->grid) shown->grid->focus = place->coordinate;
  }
  if (request.value("with_text", false)) answer["text"] = ShowText(*sharded, *shown, {});
  if (shown->grid) {
    CellGrid grid = *std::move(shown->grid);
    NameCells(grid);
    SvgRoom room = RoomOf(request);
    room.width = std::max(room.width, request.value("full_width", room.width));
    answer["array_svg"] = DrawCellsSvg(StrCat("Array ", sharded->Text()), grid, room);
  }
  answer["command"] = StrCat("layoutcheck show ", ShellWord(text));
  return answer;
}

Json AnswerShardedPicture(const Json& request) {
  const auto sharded = ParseSharded(TextMember(request, "layout"));
  if (!sharded) return RejectedField("layout", sharded.error());
  const auto shown = ShowSharding(sharded->array);
  if (!shown) return RejectedField("layout", shown.error());
  return {{"ok", true}, {"svg", DrawSvg(PictureOf(*sharded, *shown))}};
}

Json AnswerShardedLocate(const Json& request) {
  const auto sharded = ParseSharded(TextMember(request, "layout"));
  if (!sharded) return RejectedField("layout", sharded.error());
  const Expected<ShardedPlace> place = FindShardedPlace(sharded->array, TextMember(request, "place"));
  if (!place) return RejectedField("place", place.error());
  return {{"ok", true}, {"place", ShardedPlaceJson(sharded->array, *place)}};
}

Json AnswerShardedCompare(const Json& request) {
  const std::string a_text = TextMember(request, "a");
  const std::string b_text = TextMember(request, "b");
  const auto [a, b] = ParseShardedPair(a_text, b_text);
  if (!a) return RejectedField("a", a.error());
  if (!b) return RejectedField("b", b.error());
  std::string command = StrCat("layoutcheck compare ", ShellWord(a_text), " ", ShellWord(b_text));
  std::optional<Integers> transpose;
  if (const std::string text = TextMember(request, "transpose"); !text.empty()) {
    const auto order = ReadFlatCoordinate(text);
    if (!order) return RejectedField("transpose", order.error());
    if (auto valid = ValidatePermutation(*order, std::ssize(a->array.shape().dimensions)); !valid) {
      return RejectedField("transpose", valid.error());
    }
    transpose = *order;
    StrAppend(command, " --transpose ", ShellWord(text));
  }
  const auto comparison = CompareSharded(*a, *b, transpose);
  if (!comparison) return RejectedField("b", comparison.error());
  Json answer{{"ok", true},
              {"relation", comparison->Relation()},
              {"facts", FactsJson(ShardedComparisonFacts(*comparison))},
              {"traffic", TrafficJson(*comparison)},
              {"text", ShardedComparisonText(*comparison)}};
  const Sharding& before = a->array.sharding();
  const Sharding& after = b->array.sharding();
  const bool has_elements = std::ranges::find(before.cuts().dimensions, 0) == before.cuts().dimensions.end();
  if (!comparison->elements.IsView()) {
    command += " --picture";
    const SvgRoom room{std::clamp(request.value("width", 1160.0), 200.0, 1160.0), 700};
    for (const auto& [name, array] : {std::pair("A", &*a), std::pair("B", &*b)}) {
      if (!has_elements) break;
      CellGrid grid = MarkedShardedGrid(array->array, before, after);
      grid.focus = comparison->resharding.first_moved;
      NameCells(grid);
      answer[std::string(name) == "A" ? "a_svg" : "b_svg"] =
          DrawCellsSvg(StrCat(name, ": ", array->Text()), grid, room);
    }
  }
  answer["command"] = std::move(command);
  return answer;
}

Json AnswerShardedConvert(const Json& request) {
  const std::string text = TextMember(request, "layout");
  const auto sharded = ParseSharded(text);
  if (!sharded) return RejectedField("layout", sharded.error());
  Json rows = Json::array();
  for (size_t k = 0; k < kShardingTargets.size(); ++k) {
    const std::string target(kShardingTargets[k]);
    Json row{{"to", target}, {"command", StrCat("layoutcheck convert ", ShellWord(text), " --to ", target)}};
    const auto converted = ConvertSharded(*sharded, k);
    if (converted) {
      row["text"] = *converted;
    } else {
      row["error"] = converted.error().message;
    }
    rows.push_back(std::move(row));
  }
  return {{"ok", true}, {"rows", rows}};
}

}  // namespace layoutcheck
