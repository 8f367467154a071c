// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// layoutcheck index LAYOUT COORD
#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include "layoutcheck/cli/commands/commands.h"
#include "layoutcheck/cli/notations/notation.h"

namespace layoutcheck {
namespace {

struct Options {
  std::string layout;
  std::string coordinate;
  bool json = false;
};

ExitCode Run(const Options& options) {
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

void AddIndexCommand(CLI::App& program, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* command = AddCommand(program, "index",
                                 "print the linear index at which an element is stored\n\n"
                                 "The linear index counts elements from the start of the allocation.",
                                 "  $ layoutcheck index 'f32[3,5]{1,0:T(2,2)}' 2,3\n"
                                 "  17");
  command->add_option("LAYOUT", options->layout, kLayoutArgument)->required();
  command
      ->add_option("COORD", options->coordinate,
                   "the coordinate of the element, in the order of the dimensions: 2,3 or (2,3); for a scalar (); for "
                   "shape:stride also nested, ((1,1),(2,2)), or integral, 13")
      ->required();
  command->add_flag("--json", options->json, "print one JSON document: offset, elements, padded_elements, bytes");
  command->callback([options, &action] { action = [options] { return Run(*options); }; });
}

}  // namespace layoutcheck
