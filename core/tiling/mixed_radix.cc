// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/tiling/mixed_radix.h"

namespace layoutcheck {
namespace {

Expected<void> CheckOverflow(const TiledLayout& layout) {
  const MixedRadix<CheckedInt64> checked(ConvertTiledLayout<CheckedInt64>(layout));
  for (size_t i = 0; i + 1 < checked.boxes().size(); ++i) {
    for (const CheckedInt64 size : checked.boxes()[i]) {
      LAYOUTCHECK_RETURN_IF_ERROR(ValueOrOverflow(size, "a padded or combined dimension"));
    }
  }
  const auto is_zero = [](CheckedInt64 size) { return size.value == 0; };
  if (std::ranges::any_of(checked.expanded_sizes(), is_zero)) return {};
  LAYOUTCHECK_RETURN_IF_ERROR(ValueOrOverflow(checked.padded_elements(), "the padded element count"));
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
