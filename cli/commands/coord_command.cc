// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// layoutcheck coord LAYOUT OFFSET
#include <cstdio>
#include <memory>
#include "layoutcheck/cli/commands/commands.h"
#include "layoutcheck/cli/notations/coordinate.h"
#include "layoutcheck/cli/notations/notation.h"
#include "layoutcheck/cli/sharding/sharded_commands.h"
#include "layoutcheck/json/json.h"

namespace layoutcheck {
namespace {

struct CoordCommandLine {
  std::string layout;
  std::string offset;
  std::optional<uint64_t> device;
  bool json = false;
};

ExitCode RunCoordCommand(const CoordCommandLine& options) {
  if (IsSharded(options.layout)) return RunShardedCoord({options.layout, options.offset, options.device, options.json});
  if (options.device) return Unusable("coord", "--device is for a LAYOUT with a sharding");
  const auto layout = ReadLayout(options.layout);
  if (!layout) return Unusable("coord", "LAYOUT", layout.error());
  const Expected<int64_t> offset = ReadInteger(options.offset);
  if (!offset) return Unusable("coord", "OFFSET", offset.error());
  const Expected<std::optional<Json>> coordinate = (*layout)->ElementAt(*offset);
  if (!coordinate) return Unusable("coord", "OFFSET", coordinate.error());
  if (options.json) {
    PrintJson(Json{{"coordinate", coordinate->value_or(Json(nullptr))}});
  } else {
    std::puts(*coordinate ? CoordinateText(**coordinate).c_str() : "padding");
  }
  return ExitCode::kAccepted;
}

}  // namespace

Command CoordCommand() {
  auto options = std::make_shared<CoordCommandLine>();
  return {.name = "coord",
          .description = R"(print the coordinate of the element stored at a linear index

If no element is stored there, it prints `padding`.)",
          .example = R"(
  $ layoutcheck coord 'f32[3,5]{1,0:T(2,2)}' 17
  2,3
  $ layoutcheck coord 'f32[3,5]{1,0:T(2,2)}' 18
  padding
  $ layoutcheck coord 'f32[8,6]{1,0} sharding={devices=[2,3]<=[6]}' 2 --device 4
  5,2)",
          .options = {{"LAYOUT", kLayoutArgument, &options->layout, kRequired},
                      {"OFFSET", "the linear index, in elements from the start of the allocation", &options->offset,
                       kRequired},
                      {"--device N", "the device on which the linear index is, for a layout with a sharding",
                       &options->device},
                      {"--json", "print one JSON document: coordinate, which is null for padding", &options->json}},
          .run = [options] { return RunCoordCommand(*options); }};
}

}  // namespace layoutcheck
