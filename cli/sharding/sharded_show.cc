// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <utility>
#include "layoutcheck/cli/base/terminal.h"
#include "layoutcheck/cli/pictures/draw_svg.h"
#include "layoutcheck/cli/sharding/sharded_answers.h"
#include "layoutcheck/cli/sharding/sharded_commands.h"
#include "layoutcheck/json/json.h"

namespace layoutcheck {
namespace {

Json JsonOf(const ShardedText& sharded, const ShownSharding& shown) {
  const ShardedSizes& sizes = shown.sizes;
  Json locals = Json::array();
  for (const LocalArrays& group : shown.groups) {
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
  const auto shown = ShowSharding(sharded->array);
  if (!shown) return Unusable("show", "LAYOUT", shown.error());
  const Picture picture = PictureOf(*sharded, *shown);
  for (const auto& [file, draw] : {std::pair(&arguments.svg, &DrawSvg), std::pair(&arguments.html, &DrawHtml)}) {
    if (file->empty()) continue;
    if (auto written = WriteFile(*file, draw(picture)); !written) return Unusable("show", written.error());
  }
  if (arguments.json) {
    PrintJson(JsonOf(*sharded, *shown));
  } else {
    PrintText(ShowText(*sharded, *shown, StyleOfTerminal()));
  }
  return ExitCode::kAccepted;
}

}  // namespace layoutcheck
