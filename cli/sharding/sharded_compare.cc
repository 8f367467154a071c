// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>
#include "layoutcheck/cli/base/terminal.h"
#include "layoutcheck/cli/notations/coordinate.h"
#include "layoutcheck/cli/pictures/draw_svg.h"
#include "layoutcheck/cli/pictures/draw_text.h"
#include "layoutcheck/cli/sharding/sharded_commands.h"
#include "layoutcheck/cli/sharding/sharded_comparison.h"
#include "layoutcheck/cli/sharding/sharded_picture.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/xla_util/permutation.h"
#include "layoutcheck/json/json.h"

namespace layoutcheck {
namespace {

using Integers = std::vector<int64_t>;

Json ArrayJson(const ShardedText& sharded) {
  return {{"layout", sharded.Text()},
          {"devices", static_cast<int64_t>(sharded.array.sharding().devices().size())},
          {"replicas", sharded.array.sharding().replicas()}};
}

Json JsonOf(const ShardedComparison& comparison) {
  const auto& [a, b, elements, resharding, bytes, received, other_offset] = comparison;
  Json document{{"relation", comparison.Relation()}, {"a", ArrayJson(a)}, {"b", ArrayJson(b)}};
  if (resharding.first_moved) {
    document["moved"] = {{"element", *resharding.first_moved},
                         {"device", resharding.first_receiver},
                         {"devices_a", a.array.sharding().DevicesOf(*resharding.first_moved)},
                         {"devices_b", b.array.sharding().DevicesOf(elements.InB(*resharding.first_moved))}};
    if (elements.IsView()) document["moved"]["element_b"] = elements.InB(*resharding.first_moved);
  }
  if (other_offset && !*other_offset) document["same_offsets"] = nullptr;  // undecided
  if (other_offset && *other_offset) {
    document["same_offsets"] = !(*other_offset)->has_value();
    if (const std::optional<OtherOffset>& other = **other_offset) {
      document["other_offset"] = {{"element", other->coordinate},
                                  {"device", other->device},
                                  {"offset_a", other->in_a},
                                  {"offset_b", other->in_b}};
    }
  }
  document["received_bytes"] = received;
  Json devices = Json::array();
  for (size_t k = 0; k < bytes.size(); ++k) {
    devices.push_back({{"device", resharding.devices[k].device},
                       {"before", bytes[k].before},
                       {"after", bytes[k].after},
                       {"received", bytes[k].received},
                       {"sent", bytes[k].sent}});
  }
  document["devices"] = std::move(devices);
  return document;
}

// Draws both arrays to the file of --svg, and returns them as text for --picture.
Expected<std::string> DrawGrids(const ShardedComparison& comparison, const ShardedCompareArguments& arguments) {
  const Sharding& before = comparison.a.array.sharding();
  const Sharding& after = comparison.b.array.sharding();
  const Integers& sizes = before.cuts().dimensions;
  const bool has_elements = std::ranges::find(sizes, 0) == sizes.end();
  if (comparison.elements.IsView() && (arguments.picture || !arguments.svg.empty())) {
    return ArgumentError("--picture and --svg are for shardings of arrays of the same sizes, without --transpose");
  }
  std::optional<CellGrid> a;
  std::optional<CellGrid> b;
  if (has_elements) {
    a = MarkedShardedGrid(comparison.a.array, before, after);
    b = MarkedShardedGrid(comparison.b.array, before, after);
    a->focus = comparison.resharding.first_moved;
    b->focus = comparison.resharding.first_moved;
  }
  if (!arguments.svg.empty()) {
    const PicturePair pair{comparison.Relation(),       ShardedComparisonFacts(comparison),
                           "A: " + comparison.a.Text(), "B: " + comparison.b.Text(),
                           a ? &*a : nullptr,           b ? &*b : nullptr};
    LAYOUTCHECK_RETURN_IF_ERROR(WriteFile(arguments.svg, DrawPairSvg(pair)));
  }
  if (!arguments.picture || !has_elements) return std::string();
  return "\n" + DrawPairText(*a, "A", *b, "B", StyleOfTerminal());
}

}  // namespace

ExitCode RunShardedCompare(const ShardedCompareArguments& arguments) {
  const auto [a, b] = ParseShardedPair(arguments.a, arguments.b);
  if (!a) return Unusable("compare", "A", a.error());
  if (!b) return Unusable("compare", "B", b.error());
  std::optional<Integers> transpose;
  if (!arguments.transpose.empty()) {
    const auto order = ReadFlatCoordinate(arguments.transpose);
    if (!order) return Unusable("compare", "--transpose", order.error());
    transpose = *order;
    if (auto valid = ValidatePermutation(*order, std::ssize(a->array.shape().dimensions)); !valid) {
      return Unusable("compare", "--transpose", valid.error());
    }
  }
  const auto comparison = CompareSharded(*a, *b, transpose);
  if (!comparison && comparison.error().kind == ErrorKind::kUnsupported) {
    if (arguments.json) {
      PrintJson(Json{{"relation", "undecided"}, {"reason", comparison.error().message}});
    } else {
      PrintText(StrCat("undecided: ", comparison.error().message, "\n"));
    }
    return ExitCode::kUndecided;
  }
  if (!comparison) return Unusable("compare", "B", comparison.error());
  const auto pictures = DrawGrids(*comparison, arguments);
  if (!pictures) return Unusable("compare", pictures.error());
  if (arguments.json) {
    PrintJson(JsonOf(*comparison));
  } else {
    PrintText(ShardedComparisonText(*comparison) + *pictures);
  }
  return comparison->resharding.first_moved ? ExitCode::kRejected : ExitCode::kAccepted;
}

}  // namespace layoutcheck
