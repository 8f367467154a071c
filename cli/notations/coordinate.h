// Coordinates and offsets as the command line writes them.
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

// A decimal integer with an optional '-', the whole text. Errors: kSyntax with a column; kOverflow outside int64.
Expected<int64_t> ReadInteger(std::string_view text);

// "2,3" or "(2,3)", blanks allowed around each integer; "()" has no coordinates. Errors: as ReadInteger.
Expected<std::vector<int64_t>> ReadFlatCoordinate(std::string_view text);

// The same for an array of these dimension sizes. Further errors: another number of coordinates; one outside its
// dimension, which is named as a person names it (`y`).
Expected<std::vector<int64_t>> ReadCoordinateWithin(std::string_view text, std::span<const int64_t> dimensions);

// A coordinate in JSON (a number, or an array of coordinates) as text: "2,3" where it is flat, "((1,1),(2,2))" where it
// is nested, "()" where it is empty.
std::string CoordinateText(const Json& coordinate);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_CLI_NOTATIONS_COORDINATE_H_
