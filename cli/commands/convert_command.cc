// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// layoutcheck convert LAYOUT --to NOTATION
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include "layoutcheck/cli/commands/commands.h"
#include "layoutcheck/cli/notations/conversion.h"
#include "layoutcheck/cli/notations/notation.h"
#include "layoutcheck/cli/run/index_proof.h"
#include "layoutcheck/cli/run/memory_limit.h"
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

struct Options {
  std::string layout;
  std::string to;
  std::string element_type = "f32";
  bool json = false;
};

ExitCode Run(const Options& options) {
  const auto layout = ReadLayout(options.layout);
  if (!layout) return Unusable("convert", "LAYOUT", layout.error());
  const std::optional<ElementType> type = ElementTypeFromName(options.element_type);
  if (!type || !IsArrayElementType(*type)) {
    return Unusable("convert", StrCat("--element-type: expected the type of an array, such as bf16, found '",
                                      options.element_type, "'"));
  }
  const auto target = std::ranges::find(kConversionTargets, options.to) - std::begin(kConversionTargets);
  const Expected<Conversion> conversion = Convert(**layout, static_cast<ConversionTarget>(target), *type, WhyNotProved);
  // The search found no result, but there may be one.
  const bool undecided = !conversion && conversion.error().kind == ErrorKind::kUnavailable;
  if (options.json) {
    Json document{{"ok", conversion.has_value()}};
    if (conversion) {
      document["text"] = conversion->text;
      document.update(conversion->parts);
    } else {
      document["undecided"] = undecided;
      document["error"] = conversion.error().message;
    }
    PrintJson(document);
  } else if (conversion) {
    std::puts(conversion->text.c_str());
  }
  if (conversion) return ExitCode::kAccepted;
  const std::string line =
      StrCat(undecided ? "undecided: " : "not expressible: ", OneLine(conversion.error().message), "\n");
  std::fputs(line.c_str(), stderr);
  return undecided ? ExitCode::kUndecided : ExitCode::kRejected;
}

}  // namespace

void AddConvertCommand(CLI::App& program, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      AddCommand(program, "convert",
                 "print the same layout in another notation\n\n"
                 "The result has the same linear index for every element; it is compared with the layout before it is "
                 "printed. If the notation cannot express the layout, stderr says `not expressible` and why, and the "
                 "exit code is 1. Exit code 3 means that no result was found, although there may be one.\n\n"
                 "  hlo           XLA shape with layout\n"
                 "  shape-stride  CuTe and CATLASS TLA; the shape of a padded mode is padded\n"
                 "  linear        Triton's linear layout: exclusive ors of images of bits\n"
                 "  onednn        a format tag; oneDNN has no enumerator for some of them\n"
                 "  affine        MLIR's affine map from coordinates to the linear index\n"
                 "  pack          the attributes of tensor.pack (linalg.pack)\n"
                 "  c             a C function for these sizes, at the end of a header;\n"
                 "                a comment says whether it was proved for every element\n\n"
                 "hlo, shape-stride, onednn and pack also allocate the same memory. Memory space, element size and the "
                 "content of padding place no element: only hlo to hlo keeps them.",
                 "  $ layoutcheck convert zN:f16[20,40] --to hlo\n"
                 "  f16[20,40]{0,1:T(16,16)(16,1)}\n"
                 "  $ layoutcheck convert 'f32[1,17,3,5]{3,2,1,0:T(16,1,1)}' --to onednn\n"
                 "  aBcd16b\n"
                 "  $ layoutcheck convert '((4,2),(4,3)):((4,16),(1,32))' --to hlo --element-type f16\n"
                 "  f16[8,12]{0,1:T(4,1)}");
  command->add_option("LAYOUT", options->layout, kLayoutArgument)->required();
  TakeOneOf(command->add_option("--to", options->to, "the notation of the result")->required(), kConversionTargets);
  command
      ->add_option("--element-type", options->element_type,
                   "the element type of the HLO text for a shape:stride layout, which has none (default: f32)")
      ->type_name("TYPE");
  command->add_flag("--json", options->json,
                    "print one JSON document: ok and text (for pack also its attributes), or ok, undecided and error");
  command->callback([options, &action] {
    action = [options] { return RunWithinMemoryLimit("convert", [&] { return Run(*options); }); };
  });
}

}  // namespace layoutcheck
