// layoutcheck convert LAYOUT --to NOTATION
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "layoutcheck/cli/commands/commands.h"
#include "layoutcheck/cli/commands/index_proof.h"
#include "layoutcheck/cli/notations/conversion.h"
#include "layoutcheck/cli/notations/notation.h"
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
  // Not found is not the same as that there is none.
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
                 "print the same map in another notation\n\n"
                 "The result has the same linear index for every element, and it is compared with the layout\n"
                 "before it is printed; what the notation cannot say is `not expressible`, with the reason on\n"
                 "stderr and exit code 1. Exit code 3: none was found, but there may be one.\n\n"
                 "  hlo           XLA shape with layout\n"
                 "  shape-stride  CuTe and CATLASS TLA; where a mode is padded, its shape is the padded one\n"
                 "  onednn        a format tag; not every one has an enumerator in oneDNN\n"
                 "  affine        an affine map of MLIR from the coordinates to the linear index\n"
                 "  pack          the attributes of tensor.pack (linalg.pack)\n"
                 "  c             a C function with all sizes worked in, proved right for every element of the\n"
                 "                layout, or a comment says why not; the last lines of a header\n\n"
                 "hlo, shape-stride, onednn and pack also allocate the same memory. Memory space, element size\n"
                 "and what padding holds do not place elements: only hlo to hlo keeps them.",
                 "  $ layoutcheck convert zN:f16[20,40] --to hlo\n"
                 "  f16[20,40]{0,1:T(16,16)(16,1)}\n"
                 "  $ layoutcheck convert 'f32[1,17,3,5]{3,2,1,0:T(16,1,1)}' --to onednn\n"
                 "  aBcd16b\n"
                 "  $ layoutcheck convert 'f32[3,5]{1,0:T(2,2)}' --to affine\n"
                 "  affine_map<(d0, d1) -> ((d0 floordiv 2) * 12 + (d1 floordiv 2) * 4 + (d0 mod 2) * 2 + d1 mod 2)>");
  command->add_option("LAYOUT", options->layout, "a layout in any notation (see layoutcheck --help)")->required();
  const std::vector<std::string> names(std::begin(kConversionTargets), std::end(kConversionTargets));
  command->add_option("--to", options->to, "the notation: " + StrJoin(names, ", "))
      ->type_name("NOTATION")
      ->required()
      ->check(CLI::IsMember(names).description(""));
  command
      ->add_option("--element-type", options->element_type,
                   "the type in HLO text of a layout that has none, shape:stride (f32)")
      ->type_name("TYPE");
  command->add_flag("--json", options->json,
                    "print one JSON document: ok and text (for pack also its attributes), or ok, undecided and error");
  command->callback([options, &action] { action = [options] { return Run(*options); }; });
}

}  // namespace layoutcheck
