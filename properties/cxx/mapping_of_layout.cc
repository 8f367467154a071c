// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks mappings against layouts, apart from mapping.cc, which needs only the standard library.
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/hlo/parser.h"
#include "layoutcheck/core/tiling/sizes.h"
#include "layoutcheck/core/tiling/tiled_index.h"
#include "layoutcheck/properties/cxx/mapping.h"

namespace layoutcheck {

CheckResult CheckMapping(const MappingView& mapping, std::string_view layout) {
  const auto unusable = [&](const Error& error) {
    return CheckResult::Found(StrCat("the layout ", layout, ": ", error.ToString(), "\n"), 0);
  };
  const auto shape = ParseShape(layout);
  if (!shape) return unusable(shape.error());
  const auto index = MakeTiledIndex(*shape);
  if (!index) return unusable(index.error());
  const auto sizes = SizesOf(*shape, *index);
  if (!sizes) return unusable(sizes.error());
  return CheckMapping(mapping, ExpectedMapping{shape->dimensions, *index, sizes->padded_elements});
}

}  // namespace layoutcheck
