// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// layoutcheck index LAYOUT COORD
#include <cstdio>
#include <memory>
#include "layoutcheck/cli/commands/commands.h"
#include "layoutcheck/cli/notations/notation.h"
#include "layoutcheck/cli/sharding/sharded_commands.h"
#include "layoutcheck/json/json.h"

namespace layoutcheck {
namespace {

struct IndexCommandLine {
  std::string layout;
  std::string coordinate;
  bool json = false;
};

ExitCode RunIndexCommand(const IndexCommandLine& options) {
  if (IsSharded(options.layout)) return RunShardedIndex({options.layout, options.coordinate, options.json});
  const auto layout = ReadLayout(options.layout);
  if (!layout) return Unusable("index", "LAYOUT", layout.error());
  const Expected<int64_t> offset = (*layout)->IndexOf(options.coordinate);
  if (!offset) return Unusable("index", "COORD", offset.error());
  if (options.json) {
    Json document{{"offset", *offset}};
    document.update(SizesJson(**layout));
    PrintJson(document);
  } else {
    std::printf("%lld\n", static_cast<long long>(*offset));
  }
  return ExitCode::kAccepted;
}

}  // namespace

Command IndexCommand() {
  auto options = std::make_shared<IndexCommandLine>();
  return {
      .name = "index",
      .description = R"(print the linear index at which an element is stored

The linear index counts elements from the start of the allocation. Of an array with a sharding, it also prints
the devices that hold the element, each at this linear index of its own array.)",
      .example = R"(
  $ layoutcheck index 'f32[3,5]{1,0:T(2,2)}' 2,3
  17
  $ layoutcheck index 'f32[8,6]{1,0} sharding={devices=[2,3]<=[6]}' 5,2
  devices 4  offset 2)",
      .options = {{"LAYOUT", kLayoutArgument, &options->layout, kRequired},
                  {"COORD",
                   "the coordinate of the element, in the order of the dimensions: 2,3 or (2,3); for a scalar (); for "
                   "shape:stride also nested, ((1,1),(2,2)), or integral, 13",
                   &options->coordinate, kRequired},
                  {"--json",
                   "print one JSON document: offset, elements, padded_elements, bytes; devices, if there is a sharding",
                   &options->json}},
      .run = [options] { return RunIndexCommand(*options); }};
}

}  // namespace layoutcheck
