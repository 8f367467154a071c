// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// layoutcheck coord LAYOUT OFFSET
#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include "layoutcheck/cli/commands/commands.h"
#include "layoutcheck/cli/notations/coordinate.h"
#include "layoutcheck/cli/notations/notation.h"

namespace layoutcheck {
namespace {

struct Options {
  std::string layout;
  std::string offset;
  bool json = false;
};

ExitCode Run(const Options& options) {
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

void AddCoordCommand(CLI::App& program, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* command = AddCommand(program, "coord",
                                 "print the coordinate of the element stored at a linear index\n\n"
                                 "If no element is stored there, it prints `padding`.",
                                 "  $ layoutcheck coord 'f32[3,5]{1,0:T(2,2)}' 17\n"
                                 "  2,3\n"
                                 "  $ layoutcheck coord 'f32[3,5]{1,0:T(2,2)}' 18\n"
                                 "  padding");
  command->add_option("LAYOUT", options->layout, kLayoutArgument)->required();
  command->add_option("OFFSET", options->offset, "the linear index, in elements from the start of the allocation")
      ->required();
  command->add_flag("--json", options->json, "print one JSON document: coordinate, which is null for padding");
  command->callback([options, &action] { action = [options] { return Run(*options); }; });
}

}  // namespace layoutcheck
