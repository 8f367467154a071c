// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// layoutcheck show LAYOUT
#include <cstdio>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>
#include "layoutcheck/cli/answers/answers.h"
#include "layoutcheck/cli/answers/bank_access.h"
#include "layoutcheck/cli/base/terminal.h"
#include "layoutcheck/cli/commands/commands.h"
#include "layoutcheck/cli/notations/grid_views.h"
#include "layoutcheck/cli/notations/notation.h"
#include "layoutcheck/cli/pictures/draw_svg.h"
#include "layoutcheck/cli/sharding/sharded_commands.h"
#include "layoutcheck/json/json.h"

namespace layoutcheck {
namespace {

struct ShowCommandLine {
  std::optional<std::string> layout;
  std::string view = "memory";
  std::string tile;
  std::string svg;
  std::string html;
  std::string access;
  bool json = false;
};

// Writes the picture to the files of --svg and --html.
Expected<void> WritePictures(const Picture& picture, const ShowCommandLine& options) {
  if (!options.svg.empty()) {
    if (auto written = WriteFile(options.svg, DrawSvg(picture)); !written) return written;
  }
  if (!options.html.empty()) return WriteFile(options.html, DrawHtml(picture));
  return {};
}

// Shows an access that lists its addresses, without a layout.
ExitCode ShowAddresses(const BankAccess& access, const ShowCommandLine& options) {
  if (options.view != "memory" || !options.tile.empty()) {
    return Unusable("show", "--view and --tile need a LAYOUT; see layoutcheck show --help");
  }
  const Expected<AccessedBanks> banks = BanksOfAddresses(access);
  if (!banks) return Unusable("show", "--access", banks.error());
  const Picture picture{.title = AccessTitle(*banks), .summary = BanksFacts(*banks), .banks = &*banks};
  if (auto written = WritePictures(picture, options); !written) return Unusable("show", written.error());
  if (options.json) {
    PrintJson(Json{{"access", BanksJson(*banks)}});
  } else {
    std::fputs(FactsText(BanksFacts(*banks), StyleOfTerminal()).c_str(), stdout);
  }
  return ExitCode::kAccepted;
}

// Shows an array with a sharding, of which there is one view.
ExitCode ShowSharded(const ShowCommandLine& options) {
  if (options.view == "both" || options.view == "threads" || !options.tile.empty() || !options.access.empty()) {
    return Unusable("show", "a LAYOUT with a sharding takes no --view both or threads, --tile and --access");
  }
  return RunShardedShow({*options.layout, options.svg, options.html, options.json});
}

ExitCode RunShowCommand(const ShowCommandLine& options) {
  if (options.layout && IsSharded(*options.layout)) return ShowSharded(options);
  std::unique_ptr<AnyLayout> layout;
  if (options.layout) {
    auto read = ReadLayout(*options.layout);
    if (!read) return Unusable("show", "LAYOUT", read.error());
    layout = *std::move(read);
  }
  std::optional<BankAccess> access;
  if (!options.access.empty()) {
    Expected<BankAccess> parsed = ParseBankAccess(options.access);
    if (!parsed) return Unusable("show", "--access", parsed.error());
    access = *std::move(parsed);
  }
  if (!layout) {
    if (access && access->ListsAddresses()) return ShowAddresses(*access, options);
    return Unusable("show", "LAYOUT is required unless --access lists addresses; see layoutcheck show --help");
  }
  std::optional<AccessedBanks> banks;
  if (access) {
    Expected<AccessedBanks> found = BanksOf(*layout, *access);
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
  const auto views = ViewsOf(*layout, options.view, tile);
  if (!views) return Unusable("show", "LAYOUT", views.error());
  const Picture picture = PictureOf(*layout, options.view, *views, banks);
  if (auto written = WritePictures(picture, options); !written) return Unusable("show", written.error());
  if (options.json) {
    PrintJson(ShowJson(*layout, banks));
  } else {
    const std::string text = ShowText(*layout, *views, banks, StyleOfTerminal());
    std::fwrite(text.data(), 1, text.size(), stdout);
  }
  return ExitCode::kAccepted;
}

}  // namespace

Command ShowCommand() {
  auto options = std::make_shared<ShowCommandLine>();
  return {.name = "show",
          .description = R"(show the size of a layout and draw its memory

Memory is drawn in order: left to right, line by line, tile by tile. Each cell holds the coordinates of its
element; padding is shaded. A picture that is too large is folded. For a fractal layout the text also says from
how many rows on 32-bit offsets wrap. An array with a sharding is drawn in its own order, with the device and the
linear index there in each cell.

With --access 'lane -> 16 bytes of f16', it also says which lanes meet in which of the 32 banks of shared
memory.

--view logical draws the array in its own order instead, with the linear index in each cell and borders between
tiles. --view threads draws the tile that a shape:stride layout of threads and values, such as
((4,8),(2,2)):((32,1),(16,8)), gives to threads: the linear index counts the elements of the tile, its first
dimension fastest.)",
          .details = R"(
With --access 'lane -> 16 bytes of f16', each lane accesses so many bytes from its element on, in banks of 4
bytes; all other coordinates are 0. The lane is the input of that name, or the first dimension of a layout that
is not in bits. Without a type, elements have that of the layout, or f32. With 'in LAYOUT' at its end, the
layout gives elements of an array that lies in shared memory in LAYOUT. With --access 'addresses 0,16,32 16
bytes' no layout is needed: lane 0 accesses byte 0, lane 1 byte 16, and so on. A picture in a file then has the
lanes, their registers and the banks in place of memory. Loads and stores are told apart: loads of 8 and 16
bytes take fewer passes if neighboring lanes access the same addresses, as an NVIDIA H200 counts.)",
          .example = R"(
  $ layoutcheck show 'f32[3,5]{1,0:T(2,2)}'
  $ layoutcheck show 'bf16[8,1,1280,16384]{3,2,0,1:T(8,128)(2,1)}' --svg memory.svg
  $ layoutcheck show 'Sw<3,4,3> o 0 o (8,128):(128,1)' --access 'lane -> 16 bytes of u8'
  $ layoutcheck show --access 'addresses 0,128,256,384 4 bytes')",
          .options = {{"LAYOUT", kLayoutArgument, &options->layout},
                      {"--view memory|logical|both|threads",
                       "what to draw: memory in its order, the array in its own order, both, or the tile of a "
                       "thread-value layout (default: memory)",
                       &options->view, kOneOf},
                      {"--tile SIZES", "for --view threads, the sizes of the tile, such as 16x8 (default: one row)",
                       &options->tile},
                      {"--svg FILE", "also write the picture to this file, as SVG", &options->svg},
                      {"--html FILE", "also write sizes and picture to this file, as a self-contained page",
                       &options->html},
                      {"--access TEXT",
                       "also show the bank conflicts of this access to shared memory, such as 'lane -> 4 bytes'",
                       &options->access},
                      {"--json",
                       "print one JSON document: layout, elements, padded_elements, bytes, waste, expanded, and access "
                       "with --access",
                       &options->json}},
          .run = [options] { return RunShowCommand(*options); }};
}

}  // namespace layoutcheck
