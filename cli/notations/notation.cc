// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/notations/notation.h"
#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>
#include "layoutcheck/cli/notations/coordinate.h"
#include "layoutcheck/cli/notations/notations.h"
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
Expected<int64_t> AnyLayout::IndexOf(std::string_view text) const {
  const auto coordinate = ReadCoordinateWithin(text, Dimensions());
  if (!coordinate) return std::unexpected(coordinate.error());
  return Index(*coordinate);
}

Expected<std::optional<Json>> AnyLayout::ElementAt(int64_t offset) const {
  const AllocationSizes sizes = Sizes();
  // The subtraction is unsigned, because the distance between two int64 may not fit int64.
  const bool inside =
      offset >= sizes.first_offset && static_cast<uint64_t>(offset) - static_cast<uint64_t>(sizes.first_offset) <
                                          static_cast<uint64_t>(sizes.padded_elements);
  if (inside) return FindElement(offset);
  if (sizes.padded_elements == 0) {
    return MakeError(ErrorKind::kInvalidArgument,
                     StrCat("offset ", offset, " is outside the allocation, which is empty"));
  }
  return MakeError(ErrorKind::kInvalidArgument,
                   StrCat("offset ", offset, " is outside the allocation of ", sizes.padded_elements,
                          sizes.padded_elements == 1 ? " element" : " elements", ": expected ", sizes.first_offset,
                          " to ", sizes.first_offset + (sizes.padded_elements - 1)));
}

double AnyLayout::Waste() const {
  const AllocationSizes sizes = Sizes();
  if (sizes.padded_elements == 0) return 0;
  const double share = static_cast<double>(sizes.elements) / static_cast<double>(sizes.padded_elements);
  return std::max(0.0, 1 - share);  // elements that share addresses may outnumber the allocation
}

Expected<std::unique_ptr<AnyLayout>> ReadLayout(std::string_view text) {
  for (const Notation* notation : kNotations) {
    if (notation->claims(text)) return notation->read(text);
  }
  std::unreachable();
}

std::string SizesText(std::span<const int64_t> sizes) { return sizes.empty() ? "scalar" : StrJoin(sizes, " x "); }

Json SizesJson(const AnyLayout& layout) {
  const AllocationSizes sizes = layout.Sizes();
  Json document{{"elements", sizes.elements}, {"padded_elements", sizes.padded_elements}};
  if (sizes.bytes) document["bytes"] = *sizes.bytes;
  return document;
}

}  // namespace layoutcheck
