// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// layoutcheck show LAYOUT
#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>
#include "layoutcheck/cli/answers/bank_access.h"
#include "layoutcheck/cli/answers/show_layout.h"
#include "layoutcheck/cli/base/terminal.h"
#include "layoutcheck/cli/commands/commands.h"
#include "layoutcheck/cli/notations/notation.h"
#include "layoutcheck/cli/notations/thread_view.h"
#include "layoutcheck/cli/pictures/draw_svg.h"

namespace layoutcheck {
namespace {

struct Options {
  std::string layout;
  std::string view = "memory";
  std::string tile;
  std::string svg;
  std::string html;
  std::string access;
  bool json = false;
};

ExitCode Run(const Options& options) {
  const auto layout = ReadLayout(options.layout);
  if (!layout) return Unusable("show", "LAYOUT", layout.error());
  std::optional<AccessedBanks> banks;
  if (!options.access.empty()) {
    const Expected<BankAccess> access = ParseBankAccess(options.access);
    if (!access) return Unusable("show", "--access", access.error());
    Expected<AccessedBanks> found = BanksOf(**layout, *access);
    if (!found) return Unusable("show", "--access", found.error());
    banks = *std::move(found);
  }
  std::vector<int64_t> tile;
  if (!options.tile.empty()) {
    auto sizes = ReadTileSizes(options.tile);
    if (!sizes) return Unusable("show", "--tile", sizes.error());
    if (options.view != "threads") return Unusable("show", "--tile is for --view threads");
    tile = *std::move(sizes);
  }
  const auto views = ViewsOf(**layout, options.view, tile);
  if (!views) return Unusable("show", "LAYOUT", views.error());
  const Picture picture = PictureOf(**layout, options.view, *views, banks);
  if (!options.svg.empty()) {
    if (auto written = WriteFile(options.svg, DrawSvg(picture)); !written)
      return Unusable("show", written.error().message);
  }
  if (!options.html.empty()) {
    if (auto written = WriteFile(options.html, DrawHtml(picture)); !written)
      return Unusable("show", written.error().message);
  }
  if (options.json) {
    PrintJson(ShowJson(**layout, banks));
  } else {
    const std::string text = ShowText(**layout, *views, banks, StyleOfTerminal());
    std::fwrite(text.data(), 1, text.size(), stdout);
  }
  return ExitCode::kAccepted;
}

}  // namespace

void AddShowCommand(CLI::App& program, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* command = AddCommand(
      program, "show",
      "show the size of a layout and draw its memory\n\n"
      "Memory is drawn in order: left to right, line by line, tile by tile. Each cell holds the coordinates "
      "of its element; padding is shaded. A picture that is too large is folded. For a fractal layout the "
      "text also says from how many rows on 32-bit offsets wrap.\n\n"
      "With --access 'lane -> 16 bytes of f16', it also says which lanes meet in which of the 32 banks of "
      "shared memory, of 4 bytes each, if each lane accesses so many bytes from its element on; all other "
      "coordinates are 0. The lane is the input of that name, or the first dimension of a layout that is "
      "not in bits. Without a type, elements have that of the layout, or f32. With 'in LAYOUT' at its end, "
      "the layout gives elements of an array that lies in shared memory in LAYOUT. A picture in a file then has the "
      "lanes, their registers and the banks in place of memory.\n\n"
      "--view logical draws the array in its own order instead, with the linear index in each cell and "
      "borders between tiles. --view threads draws the tile that a shape:stride layout of threads and "
      "values, such as ((4,8),(2,2)):((32,1),(16,8)), gives to threads: the linear index counts the "
      "elements of the tile, its first dimension fastest.",
      "  $ layoutcheck show 'f32[3,5]{1,0:T(2,2)}'\n"
      "  $ layoutcheck show 'bf16[8,1,1280,16384]{3,2,0,1:T(8,128)(2,1)}' --svg memory.svg\n"
      "  $ layoutcheck show 'Sw<3,4,3> o 0 o (8,128):(128,1)' --access 'lane -> 16 bytes of u8'");
  command->add_option("LAYOUT", options->layout, kLayoutArgument)->required();
  static constexpr std::string_view kViews[] = {"memory", "logical", "both", "threads"};
  TakeOneOf(command->add_option("--view", options->view,
                                "what to draw: memory in its order, the array in its own order, both, or the tile of a "
                                "thread-value layout (default: memory)"),
            kViews);
  command
      ->add_option("--tile", options->tile,
                   "for --view threads, the sizes of the tile, such as 16x8 (default: one row)")
      ->type_name("SIZES");
  command->add_option("--svg", options->svg, "also write the picture to this file, as SVG")->type_name("FILE");
  command->add_option("--html", options->html, "also write sizes and picture to this file, as a self-contained page")
      ->type_name("FILE");
  command
      ->add_option("--access", options->access,
                   "also show the bank conflicts of this access to shared memory, such as 'lane -> 4 bytes'")
      ->type_name("TEXT");
  command->add_flag(
      "--json", options->json,
      "print one JSON document: layout, elements, padded_elements, bytes, waste, expanded, and access with --access");
  command->callback([options, &action] { action = [options] { return Run(*options); }; });
}

}  // namespace layoutcheck
