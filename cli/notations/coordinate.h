// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Coordinates and offsets on the command line.
#ifndef LAYOUTCHECK_CLI_NOTATIONS_COORDINATE_H_
#define LAYOUTCHECK_CLI_NOTATIONS_COORDINATE_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "layoutcheck/cli/base/command.h"
#include "layoutcheck/core/base/error.h"

namespace layoutcheck {

// Reads a decimal integer with an optional '-', the whole text. Errors: kSyntax with a column; kOverflow outside int64.
Expected<int64_t> ReadInteger(std::string_view text);

// Reads "2,3" or "(2,3)", with blanks allowed around each integer; "()" has no coordinates. Errors: as ReadInteger.
Expected<std::vector<int64_t>> ReadFlatCoordinate(std::string_view text);

// Reads a flat coordinate of an array with these dimension sizes. Further errors: another number of coordinates; one
// that is outside its dimension, which the message names as a person does (`y`).
Expected<std::vector<int64_t>> ReadCoordinateWithin(std::string_view text, std::span<const int64_t> dimensions);

// Returns the text of a coordinate in JSON (a number, or an array of coordinates): "2,3" for a flat one,
// "((1,1),(2,2))" for a nested one, "()" for an empty one.
std::string CoordinateText(const Json& coordinate);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_CLI_NOTATIONS_COORDINATE_H_
