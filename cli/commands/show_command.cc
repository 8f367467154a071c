// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// layoutcheck show LAYOUT
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include "layoutcheck/cli/base/terminal.h"
#include "layoutcheck/cli/commands/commands.h"
#include "layoutcheck/cli/notations/notation.h"
#include "layoutcheck/cli/notations/summary.h"
#include "layoutcheck/cli/pictures/draw_svg.h"
#include "layoutcheck/cli/pictures/draw_text.h"
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

struct Options {
  std::string layout;
  std::string svg;
  std::string html;
  bool json = false;
};

Json ShowJson(const AnyLayout& layout) {
  Json document{{"layout", layout.Text()}};
  document.update(SizesJson(layout));
  document["waste"] = layout.Waste();
  if (auto sizes = layout.ExpandedSizes()) document["expanded"] = *std::move(sizes);
  document.update(layout.Details());
  return document;
}

std::string ShowText(const AnyLayout& layout, const std::optional<MemoryBoxes>& boxes) {
  const TextStyle style = StyleOfTerminal();
  std::string text = layout.Text() + "\n\n";
  for (const auto& [name, value] : SummaryOf(layout)) {
    std::string line = "  " + name;
    line.resize(std::max<size_t>(line.size() + 2, 20), ' ');
    StrAppend(text, line, value, "\n");
  }
  if (!boxes) return text;
  StrAppend(text, "\n", DrawText(*boxes, style));
  const std::string letters = DrawLetters(*boxes, layout.PaddingSymbol(), style);
  if (!letters.empty()) {
    StrAppend(text, "\nIn one line, elements lettered in logical order:\n\n  ", letters, "\n");
  }
  return text;
}

ExitCode Run(const Options& options) {
  const auto layout = ReadLayout(options.layout);
  if (!layout) return Unusable("show", "LAYOUT", layout.error());
  std::optional<MemoryBoxes> boxes;
  if ((*layout)->Sizes().padded_elements > 0) boxes = (*layout)->Boxes();
  const Picture picture{(*layout)->Text(), SummaryOf(**layout), boxes ? &*boxes : nullptr};
  if (!options.svg.empty()) {
    if (auto written = WriteFile(options.svg, DrawSvg(picture)); !written)
      return Unusable("show", written.error().message);
  }
  if (!options.html.empty()) {
    if (auto written = WriteFile(options.html, DrawHtml(picture)); !written)
      return Unusable("show", written.error().message);
  }
  if (options.json) {
    PrintJson(ShowJson(**layout));
  } else {
    const std::string text = ShowText(**layout, boxes);
    std::fwrite(text.data(), 1, text.size(), stdout);
  }
  return ExitCode::kAccepted;
}

}  // namespace

void AddShowCommand(CLI::App& program, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      AddCommand(program, "show",
                 "show the size of a layout and draw its memory\n\n"
                 "Memory is drawn in order: left to right, line by line, tile by tile. Each cell holds the coordinates "
                 "of its element; padding is shaded. A picture that is too large is folded. For a fractal layout the "
                 "text also says from how many rows on 32-bit offsets wrap.",
                 "  $ layoutcheck show 'f32[3,5]{1,0:T(2,2)}'\n"
                 "  $ layoutcheck show 'bf16[8,1,1280,16384]{3,2,0,1:T(8,128)(2,1)}' --svg memory.svg");
  command->add_option("LAYOUT", options->layout, kLayoutArgument)->required();
  command->add_option("--svg", options->svg, "also write the picture to this file, as SVG")->type_name("FILE");
  command->add_option("--html", options->html, "also write sizes and picture to this file, as a self-contained page")
      ->type_name("FILE");
  command->add_flag("--json", options->json,
                    "print one JSON document: layout, elements, padded_elements, bytes, waste, expanded");
  command->callback([options, &action] { action = [options] { return Run(*options); }; });
}

}  // namespace layoutcheck
