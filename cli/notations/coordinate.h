// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Coordinates and offsets on the command line.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/json/json.h"

namespace layoutcheck {

// Reads a decimal integer with an optional '-', the whole text. Errors: kSyntax with a column; kOverflow outside int64.
Expected<int64_t> ReadInteger(std::string_view text);

// Reads "2,3" or "(2,3)", with blanks allowed around each integer; "()" has no coordinates. Errors: as of ReadInteger.
Expected<std::vector<int64_t>> ReadFlatCoordinate(std::string_view text);

// Reads a flat coordinate of an array with these dimension sizes. Other errors: a wrong number of coordinates; a
// coordinate outside its dimension, which the message names (`y`).
Expected<std::vector<int64_t>> ReadCoordinateWithin(std::string_view text, std::span<const int64_t> dimensions);

// Returns a JSON coordinate as text: "2,3" if flat (or a number), "((1,1),(2,2))" if nested, "()" if empty.
std::string CoordinateText(const Json& coordinate);

}  // namespace layoutcheck
