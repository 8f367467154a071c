// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <fmt/format.h>
#include <algorithm>
#include <utility>
#include <vector>
#include "layoutcheck/cli/base/bytes.h"
#include "layoutcheck/cli/base/count.h"
#include "layoutcheck/cli/base/terminal.h"
#include "layoutcheck/cli/pictures/draw_svg.h"
#include "layoutcheck/cli/pictures/draw_text.h"
#include "layoutcheck/cli/sharding/sharded_commands.h"
#include "layoutcheck/cli/sharding/sharded_picture.h"
#include "layoutcheck/core/base/integer.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/hlo/printer.h"
#include "layoutcheck/json/json.h"

namespace layoutcheck {
namespace {

// The devices whose arrays have the same sizes.
struct LocalArrays {
  const ShardedArray::Local* local;
  std::vector<int64_t> devices;  // ascending
};

std::vector<LocalArrays> LocalArraysOf(const ShardedArray& array) {
  std::vector<LocalArrays> groups;
  for (const int64_t device : array.sharding().devices()) {
    const ShardedArray::Local* local = array.LocalOf(device);
    const auto group = std::ranges::find(groups, local, &LocalArrays::local);
    if (group == groups.end()) {
      groups.push_back({local, {device}});
    } else {
      group->devices.push_back(device);
    }
  }
  return groups;
}

// Sizes summed over all devices.
struct ShardedSizes {
  int64_t held_elements = 0;    // elements of the array, counted once per replica
  int64_t local_elements = 0;   // sizes of the local arrays, so with the padding of uneven shards
  int64_t padded_elements = 0;  // allocated elements, so with the padding of tiles, too
  int64_t bytes = 0;

  int64_t UnevenPadding() const { return local_elements - held_elements; }
  double Waste() const {
    if (padded_elements == 0) return 0;
    return 1 - static_cast<double>(held_elements) / static_cast<double>(padded_elements);
  }
};

// Returns the sums over all devices. Error: overflow.
Expected<ShardedSizes> SizesOfAll(const ShardedArray& array, const std::vector<LocalArrays>& groups) {
  const CheckedInt64 held = ProductOfSizes(array.shape().dimensions) * CheckedInt64(array.sharding().replicas());
  CheckedInt64 local = 0;
  CheckedInt64 padded = 0;
  CheckedInt64 bytes = 0;
  for (const LocalArrays& group : groups) {
    const CheckedInt64 count = static_cast<int64_t>(group.devices.size());
    local = local + count * CheckedInt64(group.local->sizes.elements);
    padded = padded + count * CheckedInt64(group.local->sizes.padded_elements);
    bytes = bytes + count * CheckedInt64(group.local->sizes.bytes);
  }
  if (held.overflow || local.overflow || padded.overflow || bytes.overflow) {
    return OverflowError("the elements or bytes of all devices together do not fit int64");
  }
  return ShardedSizes{held.value, local.value, padded.value, bytes.value};
}

std::vector<Fact> FactsOf(const ShardedArray& array, const std::vector<LocalArrays>& groups,
                          const ShardedSizes& sizes) {
  const Sharding& sharding = array.sharding();
  std::vector<Fact> facts{
      {"elements",
       StrCat(ProductOfSizes(array.shape().dimensions).value, ", each on ", Counted(sharding.replicas(), "device"))},
      {"devices", StrCat(sharding.devices().size(), ": ", DevicesText(sharding.devices()))},
  };
  for (const LocalArrays& group : groups) {
    facts.push_back(
        {groups.size() == 1
             ? "on each device"
             : StrCat(group.devices.size() == 1 ? "on device " : "on devices ", DevicesText(group.devices)),
         StrCat(ToString(group.local->shape), ": ", Counted(group.local->sizes.padded_elements, "padded element"), ", ",
                RoundedBytes(group.local->sizes.bytes))});
  }
  facts.push_back(
      {"on all devices", StrCat(Counted(sizes.padded_elements, "padded element"), ", ", RoundedBytes(sizes.bytes))});
  facts.push_back({"waste", fmt::format("{:.3g} %", 100 * sizes.Waste())});
  facts.push_back({"uneven shards", StrCat(Counted(sizes.UnevenPadding(), "element"), " of padding on all devices")});
  return facts;
}

Json JsonOf(const ShardedText& sharded, const std::vector<LocalArrays>& groups, const ShardedSizes& sizes) {
  Json locals = Json::array();
  for (const LocalArrays& group : groups) {
    locals.push_back({{"devices", group.devices},
                      {"layout", ToString(group.local->shape)},
                      {"elements", group.local->sizes.elements},
                      {"padded_elements", group.local->sizes.padded_elements},
                      {"bytes", group.local->sizes.bytes}});
  }
  return {{"layout", sharded.Text()},
          {"devices", static_cast<int64_t>(sharded.array.sharding().devices().size())},
          {"replicas", sharded.array.sharding().replicas()},
          {"elements", ProductOfSizes(sharded.array.shape().dimensions).value},
          {"padded_elements", sizes.padded_elements},
          {"bytes", sizes.bytes},
          {"waste", sizes.Waste()},
          {"uneven_padding_elements", sizes.UnevenPadding()},
          {"local", std::move(locals)}};
}

}  // namespace

ExitCode RunShardedShow(const ShardedShowArguments& arguments) {
  const auto sharded = ParseSharded(arguments.layout);
  if (!sharded) return Unusable("show", "LAYOUT", sharded.error());
  const ShardedArray& array = sharded->array;
  const std::vector<LocalArrays> groups = LocalArraysOf(array);
  const auto sizes = SizesOfAll(array, groups);
  if (!sizes) return Unusable("show", "LAYOUT", sizes.error());
  std::optional<CellGrid> grid;
  if (sizes->held_elements > 0) grid = ShardedGrid(array);
  const Picture picture{sharded->Text(), FactsOf(array, groups, *sizes), nullptr, grid ? &*grid : nullptr};
  for (const auto& [file, draw] : {std::pair(&arguments.svg, &DrawSvg), std::pair(&arguments.html, &DrawHtml)}) {
    if (file->empty()) continue;
    if (auto written = WriteFile(*file, draw(picture)); !written) return Unusable("show", written.error());
  }
  if (arguments.json) {
    PrintJson(JsonOf(*sharded, groups, *sizes));
  } else {
    PrintText(StrCat(picture.title, "\n\n", FactsText(picture.summary, StyleOfTerminal()),
                     grid ? StrCat("\n", DrawText(*grid, StyleOfTerminal())) : ""));
  }
  return ExitCode::kAccepted;
}

}  // namespace layoutcheck
