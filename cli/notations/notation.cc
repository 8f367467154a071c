// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/notations/notation.h"
#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>
#include "layoutcheck/cli/notations/coordinate.h"
#include "layoutcheck/cli/notations/notations.h"
#include "layoutcheck/cli/notations/view_notation.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/shape_stride/coordinate.h"

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

Json AnyLayout::Details() const { return Json::object(); }

double AnyLayout::Waste() const {
  const AllocationSizes sizes = Sizes();
  if (sizes.padded_elements == 0) return 0;
  const double share = static_cast<double>(sizes.elements) / static_cast<double>(sizes.padded_elements);
  return std::max(0.0, 1 - share);  // elements that share addresses may outnumber the allocation
}

Expected<std::unique_ptr<AnyLayout>> ReadLayout(std::string_view text) {
  if (IsViewText(text)) return ReadViewLayout(text);
  for (const Notation* notation : kNotations) {
    if (notation->claims(text)) return notation->read(text);
  }
  std::unreachable();
}

Expected<std::optional<std::vector<int64_t>>> CoordinateAt(const AnyLayout& layout, int64_t offset) {
  const auto found = layout.ElementAt(offset);
  if (!found) return std::unexpected(found.error());
  if (!*found) return std::nullopt;
  const CoreForms forms = layout.Forms();
  if (layout.Whole() != nullptr || !forms.strided || !forms.strided->layout.shape.is_tuple()) {
    return (**found).is_array() ? (**found).get<std::vector<int64_t>>()
                                : std::vector<int64_t>{(**found).get<int64_t>()};
  }
  const auto coordinate = FindCoordinate(*forms.strided, offset);
  if (!coordinate) return std::unexpected(coordinate.error());
  if (!*coordinate) return std::nullopt;
  auto integral = IntegralModes(**coordinate, forms.strided->layout.shape);
  if (!integral) return std::unexpected(integral.error());
  return *std::move(integral);
}

std::string SizesText(std::span<const int64_t> sizes) { return sizes.empty() ? "scalar" : StrJoin(sizes, " x "); }

Json SizesJson(const AnyLayout& layout) {
  const AllocationSizes sizes = layout.Sizes();
  Json document{{"elements", sizes.elements}, {"padded_elements", sizes.padded_elements}};
  if (sizes.bytes) document["bytes"] = *sizes.bytes;
  return document;
}

}  // namespace layoutcheck
