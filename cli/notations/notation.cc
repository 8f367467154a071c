#include "layoutcheck/cli/notations/notation.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "layoutcheck/cli/notations/notations.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/shape_stride/text.h"
#include "layoutcheck/core/shape_stride/tla.h"

namespace layoutcheck {
namespace {

struct Notation {
  // Whether the text is meant in this notation, judged by its first characters and marks; it may still be wrong.
  bool (*claims)(std::string_view text);
  Expected<std::unique_ptr<AnyLayout>> (*read)(std::string_view text);
};

// The first one that claims the text reads it. HLO is last and claims everything.
constexpr Notation kNotations[] = {
    {IsFractalText, ReadFractalLayout},
    {IsShapeStrideText, ReadShapeStrideLayout},
    {IsPaddedText, ReadPaddedLayout},
    {IsHloText, ReadHloLayout},
};

}  // namespace

Expected<std::optional<Json>> AnyLayout::ElementAt(int64_t offset) const {
  const AllocationSizes sizes = Sizes();
  // Subtracted as unsigned numbers: the distance of any two int64 fits.
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
  return std::max(0.0, 1 - share);  // elements that share an address are more than the allocation holds
}

Expected<std::unique_ptr<AnyLayout>> ReadLayout(std::string_view text) {
  for (const Notation& notation : kNotations) {
    if (notation.claims(text)) return notation.read(text);
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
