// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <utility>
#include <vector>
#include "layoutcheck/cli/base/terminal.h"
#include "layoutcheck/cli/pictures/draw_svg.h"
#include "layoutcheck/cli/pictures/draw_text.h"
#include "layoutcheck/cli/sharding/sharded_commands.h"
#include "layoutcheck/cli/sharding/sharded_facts.h"
#include "layoutcheck/cli/sharding/sharded_picture.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/json/json.h"

namespace layoutcheck {
namespace {

Json JsonOf(const ShardedText& sharded, const std::vector<LocalArrays>& groups, const ShardedSizes& sizes) {
  Json locals = Json::array();
  for (const LocalArrays& group : groups) {
    locals.push_back({{"devices", group.devices},
                      {"layout", group.local->LayoutText()},
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
  const Picture picture{sharded->Text(), ShardedFacts(array, groups, *sizes), nullptr, grid ? &*grid : nullptr};
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
