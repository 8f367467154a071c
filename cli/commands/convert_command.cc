// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// layoutcheck convert LAYOUT --to NOTATION
#include <algorithm>
#include <cstdio>
#include <memory>
#include "layoutcheck/cli/commands/commands.h"
#include "layoutcheck/cli/notations/conversion.h"
#include "layoutcheck/cli/notations/notation.h"
#include "layoutcheck/cli/run/guarded_child.h"
#include "layoutcheck/cli/run/index_proof.h"
#include "layoutcheck/cli/sharding/sharded_commands.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/json/json.h"

namespace layoutcheck {
namespace {

struct ConvertCommandLine {
  std::string layout;
  std::string to;
  std::string element_type = "f32";
  bool json = false;
};

ExitCode RunConvertCommand(const ConvertCommandLine& options) {
  if (IsSharded(options.layout) || IsShardingTarget(options.to)) {
    return RunShardedConvert({options.layout, options.to, options.json});
  }
  const auto layout = ReadLayout(options.layout);
  if (!layout) return Unusable("convert", "LAYOUT", layout.error());
  const std::optional<ElementType> type = ElementTypeFromName(options.element_type);
  if (!type || !IsArrayElementType(*type)) {
    return Unusable("convert", StrCat("--element-type: expected the type of an array, such as bf16, found '",
                                      options.element_type, "'", DidYouMeanType(options.element_type)));
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

Command ConvertCommand() {
  auto options = std::make_shared<ConvertCommandLine>();
  return {
      .name = "convert",
      .description = R"(print the same layout in another notation

The result has the same linear index for every element; it is compared with the layout before it is printed. If
the notation cannot express the layout, stderr says `not expressible` and why, and the exit code is 1. Exit code
3 means that no result was found, although there may be one.

  hlo           XLA shape with layout
  shape-stride  CuTe and CATLASS TLA; the shape of a padded mode is padded
  linear        Triton's linear layout: exclusive ors of images of bits
  ttg           the attribute of Triton that a layout in bits is: #ttg.blocked<{...}>
  onednn        a format tag; oneDNN has no enumerator for some of them
  affine        MLIR's affine map from coordinates to the linear index
  pack          the attributes of tensor.pack (linalg.pack)
  c             a C function for these sizes, at the end of a header;
                a comment says whether it was proved for every element

hlo, shape-stride, onednn and pack also allocate the same memory. Memory space, element size and the content of
padding place no element: only hlo to hlo keeps them.

Of an array with a sharding, hlo-sharding, shardy, jax, dtensor and tt-metal write the sharding in another notation, in
which each device has the same elements and an array of the same sizes.)",
      .example = R"(
  $ layoutcheck convert zN:f16[20,40] --to hlo
  f16[20,40]{0,1:T(16,16)(16,1)}
  $ layoutcheck convert 'f32[1,17,3,5]{3,2,1,0:T(16,1,1)}' --to onednn
  aBcd16b
  $ layoutcheck convert '((4,2),(4,3)):((4,16),(1,32))' --to hlo --element-type f16
  f16[8,12]{0,1:T(4,1)}
  $ layoutcheck convert 'f32[8,8]{1,0} mesh[x=2,y=4] P("y", None)' --to dtensor
  f32[8,8]{1,0} mesh[x=2,y=4] R,S(0))",
      .options = {{"LAYOUT", kLayoutArgument, &options->layout, kRequired},
                  {StrCat("--to ", StrJoin(kConversionTargets, "|"), "|", StrJoin(kShardingTargets, "|")),
                   "the notation of the result", &options->to, kRequired | kOneOf},
                  {"--element-type TYPE",
                   "the element type of the HLO text for a shape:stride layout, which has none (default: f32)",
                   &options->element_type},
                  {"--json",
                   "print one JSON document: ok and text (for pack also its attributes), or ok, undecided and error",
                   &options->json}},
      .run = [options] { return RunWithinMemoryLimit("convert", [&] { return RunConvertCommand(*options); }); }};
}

}  // namespace layoutcheck
