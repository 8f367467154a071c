// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cstdio>
#include "layoutcheck/cli/sharding/sharded_commands.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/sharding/sharded_array.h"
#include "layoutcheck/core/sharding/sharding_conversion.h"
#include "layoutcheck/json/json.h"

namespace layoutcheck {

bool IsShardingTarget(std::string_view to) { return std::ranges::find(kShardingTargets, to) != kShardingTargets.end(); }

ExitCode RunShardedConvert(const ShardedConvertArguments& arguments) {
  const auto target = std::ranges::find(kShardingTargets, arguments.to);
  if (target == kShardingTargets.end()) {
    return Unusable(
        "convert", StrCat("--to: LAYOUT has a sharding: expected hlo-sharding, shardy, jax, dtensor or tt-metal, got '",
                          arguments.to, "'"));
  }
  const auto sharded = ParseSharded(arguments.layout);
  if (!sharded) return Unusable("convert", "LAYOUT", sharded.error());
  const auto sharding = ConvertSharding(sharded->sharding, sharded->array.sharding(),
                                        static_cast<ShardingNotation>(target - kShardingTargets.begin()));
  const std::string text = sharding ? sharded->TextWith(*sharding) : "";
  if (arguments.json) {
    Json document{{"ok", sharding.has_value()}};
    if (sharding) {
      document["text"] = text;
    } else {
      document["undecided"] = false;
      document["error"] = sharding.error().message;
    }
    PrintJson(document);
  } else if (sharding) {
    PrintText(text + "\n");
  }
  if (sharding) return ExitCode::kAccepted;
  const std::string line = StrCat("not expressible: ", OneLine(sharding.error().message), "\n");
  std::fputs(line.c_str(), stderr);
  return ExitCode::kRejected;
}

}  // namespace layoutcheck
