// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The answers of `show`.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include "layoutcheck/cli/answers/bank_access.h"
#include "layoutcheck/cli/base/json.h"
#include "layoutcheck/cli/base/terminal.h"
#include "layoutcheck/cli/notations/notation.h"
#include "layoutcheck/cli/pictures/cell_grid.h"
#include "layoutcheck/cli/pictures/draw_svg.h"
#include "layoutcheck/cli/pictures/memory_boxes.h"
#include "layoutcheck/core/base/error.h"

namespace layoutcheck {

// The pictures that --view selects; those that it does not are absent.
struct Views {
  std::optional<CellGrid> grid;
  std::optional<MemoryBoxes> boxes;
};

// Returns the pictures of the view "memory", "logical", "both" or "threads"; for the last, `tile` has the sizes of the
// tile. An empty layout has none. Errors: those of ThreadGrid. The result refers to `layout`.
Expected<Views> ViewsOf(const AnyLayout& layout, std::string_view view, std::span<const int64_t> tile);

// Returns the picture of the views, in which the banks of an access stand in place of memory alone. The result refers
// to the views and the banks.
Picture PictureOf(const AnyLayout& layout, std::string_view view, const Views& views,
                  const std::optional<AccessedBanks>& banks);

// Returns the JSON document of `show`.
Json ShowJson(const AnyLayout& layout, const std::optional<AccessedBanks>& banks);

// Returns sizes, bank conflicts and pictures as text.
std::string ShowText(const AnyLayout& layout, const Views& views, const std::optional<AccessedBanks>& banks,
                     const TextStyle& style);

}  // namespace layoutcheck
