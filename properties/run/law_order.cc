// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/properties/run/law_order.h"
#include <algorithm>
#include <utility>

namespace layoutcheck {

std::string_view RestsOn(std::string_view law) {
  static constexpr std::pair<std::string_view, std::string_view> kOrder[] = {
      {"injective", "linear-index"},
      {"in-bounds", "linear-index"},
      {"full-tiles-bijective", "linear-index"},
      {"inverse", "linear-index"},
      {"equals-pad-reshape-transpose", "linear-index"},
      {"untiled-strides", "linear-index"},
      {"repeated-tiling", "linear-index"},
      {"combined-dimensions", "linear-index"},
      {"short-tile", "linear-index"},
      {"unit-tile", "linear-index"},
      {"unit-dimension", "linear-index"},
      {"permuted-dimensions", "linear-index"},
      {"attributes-move-nothing", "linear-index"},
      {"relayout", "linear-index"},
      {"relayout-back", "relayout"},
      {"allocation-minimal", "sizes"},
      {"text-blanks", "text-round-trip"},
      {"logical-divide", "composition"},
      {"zipped-divide", "logical-divide"},
      {"tiled-divide", "logical-divide"},
      {"flat-divide", "logical-divide"},
      {"blocked-product", "logical-product"},
      {"raked-product", "logical-product"},
  };
  const auto* const found = std::ranges::find(kOrder, law, &std::pair<std::string_view, std::string_view>::first);
  return found == std::end(kOrder) ? std::string_view() : found->second;
}

std::vector<std::optional<size_t>> BasesOf(std::span<const std::string_view> laws) {
  std::vector<std::optional<size_t>> bases;
  for (const std::string_view law : laws) {
    const auto base = std::ranges::find(laws, RestsOn(law));
    bases.push_back(base == laws.end() ? std::nullopt : std::optional(static_cast<size_t>(base - laws.begin())));
  }
  return bases;
}

}  // namespace layoutcheck
