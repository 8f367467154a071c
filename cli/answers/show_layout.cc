// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/answers/show_layout.h"
#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>
#include "layoutcheck/cli/notations/logical_view.h"
#include "layoutcheck/cli/notations/summary.h"
#include "layoutcheck/cli/notations/thread_view.h"
#include "layoutcheck/cli/pictures/draw_grid_text.h"
#include "layoutcheck/cli/pictures/draw_text.h"
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {

Picture PictureOf(const AnyLayout& layout, std::string_view view, const Views& views,
                  const std::optional<AccessedBanks>& banks) {
  Picture picture{layout.Text(), SummaryOf(layout), views.boxes ? &*views.boxes : nullptr,
                  views.grid ? &*views.grid : nullptr};
  if (banks) {
    std::ranges::move(BanksFacts(*banks), std::back_inserter(picture.summary));
    picture.banks = &*banks;
    if (view == "memory") picture.boxes = nullptr;
  }
  return picture;
}

Json ShowJson(const AnyLayout& layout, const std::optional<AccessedBanks>& banks) {
  Json document{{"layout", layout.Text()}};
  document.update(SizesJson(layout));
  document["waste"] = layout.Waste();
  if (auto sizes = layout.ExpandedSizes()) document["expanded"] = *std::move(sizes);
  if (banks) document["access"] = BanksJson(*banks);
  document.update(layout.Details());
  return document;
}

Expected<Views> ViewsOf(const AnyLayout& layout, std::string_view view, std::span<const int64_t> tile) {
  Views views;
  const AllocationSizes sizes = layout.Sizes();
  if (sizes.elements > 0 && view == "threads") {
    auto grid = ThreadGrid(layout, tile);
    if (!grid) return std::unexpected(grid.error());
    views.grid = *std::move(grid);
  } else if (sizes.elements > 0 && view != "memory") {
    views.grid = LogicalGrid(layout);
  }
  if (sizes.padded_elements > 0 && (view == "memory" || view == "both")) views.boxes = layout.Boxes();
  return views;
}

std::string ShowText(const AnyLayout& layout, const Views& views, const std::optional<AccessedBanks>& banks,
                     const TextStyle& style) {
  std::string text = layout.Text() + "\n\n";
  for (const auto& [name, value] : SummaryOf(layout)) {
    std::string line = "  " + name;
    line.resize(std::max<size_t>(line.size() + 2, 20), ' ');
    StrAppend(text, line, value, "\n");
  }
  if (banks) StrAppend(text, "\n", BanksText(*banks));
  if (views.grid) StrAppend(text, "\n", DrawGridText(*views.grid, style));
  if (!views.boxes) return text;
  StrAppend(text, "\n", DrawText(*views.boxes, style));
  const std::string letters = DrawLetters(*views.boxes, layout.PaddingSymbol(), style);
  if (!letters.empty()) {
    StrAppend(text, "\nIn one line, elements lettered in logical order:\n\n  ", letters, "\n");
  }
  return text;
}

}  // namespace layoutcheck
