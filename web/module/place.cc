// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/web/module/place.h"
#include <string>
#include <utility>
#include "layoutcheck/cli/notations/coordinate.h"
#include "layoutcheck/core/base/integer.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/tiling/sizes.h"
#include "layoutcheck/json/json.h"

namespace layoutcheck {
namespace {

// Returns the bits of an element in memory, or nothing if the notation has no element type.
std::optional<int64_t> ElementBits(const AnyLayout& layout) {
  const CoreForms forms = layout.Forms();
  if (forms.shape && *forms.shape) return ElementSizeInBits(**forms.shape);
  return std::nullopt;
}

Expected<Place> PlaceAt(const AnyLayout& layout, int64_t index) {
  Place place{index, std::nullopt, std::nullopt};
  auto coordinate = layout.ElementAt(index);
  if (!coordinate) return std::unexpected(coordinate.error());
  place.coordinate = *std::move(coordinate);
  auto flat = layout.CoordinateAt(index);
  if (flat) place.flat = *std::move(flat);
  return place;
}

}  // namespace

Expected<Place> FindPlace(const AnyLayout& layout, std::string_view text) {
  const size_t first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) {
    return MakeError(ErrorKind::kSyntax, "expected a coordinate such as (2,3), a linear index such as 17, or byte 68",
                     1);
  }
  constexpr std::string_view kByte = "byte";
  const bool is_byte = text.substr(first).starts_with(kByte);
  if (is_byte) {
    const Expected<int64_t> byte = ReadInteger(text.substr(first + kByte.size()));
    if (!byte) return MakeError(byte.error().kind, StrCat("after 'byte': ", byte.error().message), 1);
    const std::optional<int64_t> bits = ElementBits(layout);
    if (!bits) return MakeError(ErrorKind::kInvalidArgument, "the notation has no element type, so no bytes", 1);
    CheckedInt64 in_bits = *byte;
    in_bits = in_bits * 8;
    if (in_bits.overflow || *byte < 0) return MakeError(ErrorKind::kOverflow, "expected a byte of the allocation", 1);
    return PlaceAt(layout, in_bits.value / *bits);
  }
  if (text.find_first_of(",()") == std::string_view::npos) {
    const Expected<int64_t> index = ReadInteger(text);
    if (!index) return std::unexpected(index.error());
    return PlaceAt(layout, *index);
  }
  const Expected<int64_t> index = layout.IndexOf(text);
  if (!index) return std::unexpected(index.error());
  Expected<Place> place = PlaceAt(layout, *index);
  // Several elements may have this address; the user named one of them.
  const auto named = ReadFlatCoordinate(text);
  if (place && named && named->size() == layout.Dimensions().size()) {
    place->flat = *named;
    if (!place->coordinate || place->coordinate->size() == named->size()) place->coordinate = Json(*named);
  }
  return place;
}

void AddBits(int64_t index, int64_t bits, Json& place, std::string& text) {
  const CheckedInt64 first_bit = CheckedInt64(index) * CheckedInt64(bits);
  if (first_bit.overflow) return;
  place["byte"] = first_bit.value / 8;
  place["bit"] = first_bit.value % 8;
  place["bits"] = bits;
  StrAppend(text, ", byte ", first_bit.value / 8, ", bit ", first_bit.value % 8, ", ", bits, " bits");
}

Json PlaceJson(const AnyLayout& layout, const Place& place) {
  Json json{{"index", place.index}, {"coordinate", place.coordinate.value_or(Json(nullptr))}};
  std::string text = place.coordinate ? StrCat("element (", CoordinateText(*place.coordinate), ")") : "padding";
  // A nested coordinate and that of a scalar have parentheses of their own.
  if (place.coordinate && CoordinateText(*place.coordinate).starts_with("(")) {
    text = StrCat("element ", CoordinateText(*place.coordinate));
  }
  StrAppend(text, " at linear index ", place.index);
  if (const std::optional<int64_t> bits = ElementBits(layout)) AddBits(place.index, *bits, json, text);
  json["text"] = std::move(text);
  return json;
}

}  // namespace layoutcheck
