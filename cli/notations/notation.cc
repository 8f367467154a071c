// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/notations/notation.h"
#include <fmt/format.h>
#include <algorithm>
#include <utility>
#include "layoutcheck/cli/base/bytes.h"
#include "layoutcheck/cli/base/count.h"
#include "layoutcheck/cli/notations/coordinate.h"
#include "layoutcheck/cli/notations/notations.h"
#include "layoutcheck/cli/notations/view_notation.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/bridges/hlo_to_shape_stride.h"
#include "layoutcheck/core/shape_stride/coordinate.h"
#include "layoutcheck/json/json.h"

namespace layoutcheck {
namespace {

using Integers = std::vector<int64_t>;

// Error (kInvalidArgument): the offset is outside the allocation.
Expected<void> CheckOffset(const AnyLayout& layout, int64_t offset) {
  const AllocationSizes sizes = layout.Sizes();
  // The subtraction is unsigned, because the distance between two int64 may not fit int64.
  const bool inside =
      offset >= sizes.first_offset && static_cast<uint64_t>(offset) - static_cast<uint64_t>(sizes.first_offset) <
                                          static_cast<uint64_t>(sizes.padded_elements);
  if (inside) return {};
  std::string message = StrCat("offset ", offset, " is outside the allocation");
  if (sizes.padded_elements == 0) return MakeError(ErrorKind::kInvalidArgument, message + ", which is empty");
  return MakeError(ErrorKind::kInvalidArgument,
                   StrCat(message, " of ", Counted(sizes.padded_elements, "element"), ": expected ", sizes.first_offset,
                          " to ", sizes.first_offset + (sizes.padded_elements - 1)));
}

std::string BytesText(int64_t bytes) {
  return bytes < 1024 ? fmt::format("{}", bytes) : fmt::format("{} ({})", bytes, RoundedBytes(bytes));
}

std::string WasteText(const AnyLayout& layout) {
  const AllocationSizes sizes = layout.Sizes();
  const double waste = layout.Waste();
  if (waste == 0) return "0 %";
  std::string share = fmt::format("{:.3g} %", 100 * waste);
  if (sizes.elements == 0) return share;
  return fmt::format("{} ({:.6g} allocated for each element)", share,
                     static_cast<double>(sizes.padded_elements) / static_cast<double>(sizes.elements));
}

}  // namespace

Expected<ComposedLayout> StridesOf(const CoreForms& forms) {
  if (forms.strided) return *forms.strided;
  if (!*forms.shape) return std::unexpected(forms.shape->error());
  LAYOUTCHECK_TRY(const ShapeStrideLayout strides, ShapeStrideOfHlo(**forms.shape));
  return ComposedLayout{std::nullopt, 0, strides};
}

Expected<int64_t> AnyLayout::IndexOf(std::string_view text) const {
  LAYOUTCHECK_TRY(const auto coordinate, ReadCoordinateWithin(text, Dimensions()));
  return Index(coordinate);
}

Expected<std::optional<Integers>> AnyLayout::CoordinateAt(int64_t offset) const {
  LAYOUTCHECK_RETURN_IF_ERROR(CheckOffset(*this, offset));
  return FindCoordinate(offset);
}

Expected<std::optional<Json>> AnyLayout::ElementAt(int64_t offset) const {
  LAYOUTCHECK_RETURN_IF_ERROR(CheckOffset(*this, offset));
  return FindElement(offset);
}

Expected<std::optional<Json>> AnyLayout::FindElement(int64_t offset) const {
  LAYOUTCHECK_TRY(const std::optional<Integers> coordinate, FindCoordinate(offset));
  return coordinate ? std::optional<Json>(*coordinate) : std::nullopt;
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

Expected<std::optional<Integers>> ModesAt(const ComposedLayout& composed, int64_t offset) {
  LAYOUTCHECK_TRY(const auto found, FindCoordinate(composed, offset));
  if (!found) return std::nullopt;
  LAYOUTCHECK_TRY(const bool inside, IsInOrigin(composed.layout, *found));
  if (!inside) return std::nullopt;
  LAYOUTCHECK_TRY(Integers modes, IntegralModes(*found, composed.layout.shape));
  return modes;
}

std::string SizesText(std::span<const int64_t> sizes) { return sizes.empty() ? "scalar" : StrJoin(sizes, " x "); }

Json SizesJson(const AnyLayout& layout) {
  const AllocationSizes sizes = layout.Sizes();
  Json document{{"elements", sizes.elements}, {"padded_elements", sizes.padded_elements}};
  if (sizes.bytes) document["bytes"] = *sizes.bytes;
  return document;
}

std::vector<Fact> SummaryOf(const AnyLayout& layout) {
  const AllocationSizes sizes = layout.Sizes();
  std::vector<Fact> lines;
  lines.push_back({"elements", std::to_string(sizes.elements)});
  if (const AnyLayout* const whole = layout.Whole()) {
    const AllocationSizes of_whole = whole->Sizes();
    lines.push_back({"of", StrCat(whole->Text(), ": ", of_whole.padded_elements, " padded elements",
                                  of_whole.bytes ? StrCat(", ", *of_whole.bytes, " bytes") : "")});
  } else {
    lines.push_back({"padded elements", std::to_string(sizes.padded_elements)});
    if (sizes.bytes) lines.push_back({"bytes", BytesText(*sizes.bytes)});
    lines.push_back({"waste", WasteText(layout)});
  }
  for (Fact& fact : layout.Facts()) lines.push_back(std::move(fact));
  return lines;
}

}  // namespace layoutcheck
