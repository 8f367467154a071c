// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cstdio>
#include "layoutcheck/cli/sharding/sharded_commands.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/sharding/sharded_array.h"
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
  const auto text = ConvertSharded(*sharded, static_cast<size_t>(target - kShardingTargets.begin()));
  if (arguments.json) {
    Json document{{"ok", text.has_value()}};
    if (text) {
      document["text"] = *text;
    } else {
      document["undecided"] = false;
      document["error"] = text.error().message;
    }
    PrintJson(document);
  } else if (text) {
    PrintText(*text + "\n");
  }
  if (text) return ExitCode::kAccepted;
  const std::string line = StrCat("not expressible: ", OneLine(text.error().message), "\n");
  std::fputs(line.c_str(), stderr);
  return ExitCode::kRejected;
}

}  // namespace layoutcheck
