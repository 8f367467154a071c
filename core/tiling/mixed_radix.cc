// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/tiling/mixed_radix.h"

namespace layoutcheck {
namespace {

Expected<void> CheckOverflow(const TiledLayout& layout) {
  const MixedRadix<CheckedInt64> checked(ConvertTiledLayout<CheckedInt64>(layout));
  for (size_t i = 0; i + 1 < checked.boxes().size(); ++i) {
    for (const CheckedInt64 size : checked.boxes()[i]) {
      if (auto fits = ValueOrOverflow(size, "a padded or combined dimension"); !fits) {
        return std::unexpected(fits.error());
      }
    }
  }
  const auto is_zero = [](CheckedInt64 size) { return size.value == 0; };
  if (std::ranges::any_of(checked.expanded_sizes(), is_zero)) return {};
  if (auto fits = ValueOrOverflow(checked.padded_elements(), "the padded element count"); !fits) {
    return std::unexpected(fits.error());
  }
  return {};
}

}  // namespace

Expected<MixedRadix<int64_t>> MakeMixedRadix(const TiledLayout& layout) {
  for (const auto check : {ValidateTiledLayout, CheckOverflow}) {
    if (auto ok = check(layout); !ok) return std::unexpected(ok.error());
  }
  return MixedRadix<int64_t>(layout);
}

}  // namespace layoutcheck
