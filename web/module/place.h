// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A place in memory that somebody names by a coordinate or an address.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/cli/notations/notation.h"
#include "layoutcheck/json/json.h"

namespace layoutcheck {

struct Place {
  int64_t index = 0;                         // linear index
  std::optional<Json> coordinate;            // nothing for padding
  std::optional<std::vector<int64_t>> flat;  // the coordinate with one integer per dimension
};

// Finds "(2,3)" or "2,3", a coordinate; "17", a linear index; or "byte 68". A number is a linear index also where a
// coordinate would be a single number. Errors: of another text (syntax); those of IndexOf and ElementAt; a byte of a
// layout without an element type.
Expected<Place> FindPlace(const AnyLayout& layout, std::string_view text);

// Adds the first byte and bit of the element at a linear index to the members of a place and to its text, unless they
// do not fit int64. `bits` is the size of an element in memory.
void AddBits(int64_t index, int64_t bits, Json& place, std::string& text);
// Returns the coordinate, linear index, and the first byte and bit, as numbers and as one line of text.
Json PlaceJson(const AnyLayout& layout, const Place& place);

}  // namespace layoutcheck
