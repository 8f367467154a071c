// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/tiling/mixed_radix.h"

#include <string>

#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

Expected<void> CheckMinorToMajor(const TiledLayout& layout) {
  const size_t rank = layout.dimensions.size();
  if (layout.minor_to_major.size() != rank) {
    return MakeError(ErrorKind::kInvalidLayout,
                     StrCat("expected ", rank, " minor_to_major entries, got ", layout.minor_to_major.size()));
  }
  std::vector<bool> seen(rank, false);
  for (const int64_t dimension : layout.minor_to_major) {
    if (dimension < 0 || dimension >= layout.rank() || seen[static_cast<size_t>(dimension)]) {
      return MakeError(ErrorKind::kInvalidLayout,
                       StrCat("minor_to_major is no permutation of the ", rank, " dimensions: entry ", dimension));
    }
    seen[static_cast<size_t>(dimension)] = true;
  }
  return {};
}

Expected<void> CheckSizes(const TiledLayout& layout) {
  for (size_t d = 0; d < layout.dimensions.size(); ++d) {
    if (layout.dimensions[d] < 0) {
      return MakeError(ErrorKind::kInvalidLayout,
                       StrCat("expected a size of at least 0 of dimension ", d, ", got ", layout.dimensions[d]));
    }
  }
  for (size_t t = 0; t < layout.tiles.size(); ++t) {
    const auto& tile = layout.tiles[t];
    if (tile.empty()) return MakeError(ErrorKind::kInvalidLayout, StrCat("tile ", t, " has no dimensions"));
    for (const auto& entry : tile) {
      if (!entry.combine && entry.size < 1) {
        return MakeError(ErrorKind::kInvalidLayout,
                         StrCat("expected sizes of at least 1 in tile ", t, ", got ", entry.size));
      }
    }
    if (tile.back().combine) {
      return MakeError(ErrorKind::kInvalidLayout,
                       StrCat("the last entry of tile ", t, " is `*`: no more minor dimension to combine with"));
    }
  }
  return {};
}

Expected<void> CheckOverflow(const TiledLayout& layout) {
  const MixedRadix<CheckedInt64> checked(ConvertTiledLayout<CheckedInt64>(layout));
  for (size_t i = 0; i + 1 < checked.boxes().size(); ++i) {
    for (const CheckedInt64 size : checked.boxes()[i]) {
      if (auto fits = ValueOrOverflow(size, "a padded or combined dimension"); !fits) {
        return std::unexpected(std::move(fits.error()));
      }
    }
  }
  const auto is_zero = [](CheckedInt64 size) { return size.value == 0; };
  if (std::ranges::any_of(checked.expanded_sizes(), is_zero)) return {};
  if (auto fits = ValueOrOverflow(checked.padded_elements(), "the padded element count"); !fits) {
    return std::unexpected(std::move(fits.error()));
  }
  return {};
}

}  // namespace

Expected<MixedRadix<int64_t>> MakeMixedRadix(const TiledLayout& layout) {
  for (const auto check : {CheckMinorToMajor, CheckSizes, CheckOverflow}) {
    if (auto ok = check(layout); !ok) return std::unexpected(std::move(ok.error()));
  }
  return MixedRadix<int64_t>(layout);
}

}  // namespace layoutcheck
