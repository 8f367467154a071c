// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Test support: validates JSON by the schemas of docs/schema.
#pragma once

#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/json/json.h"

namespace layoutcheck {

// Returns the reason why a value does not match a JSON Schema, with its place, or an empty text. Of draft 2020-12 it
// knows the words of docs/schema: type, const, enum, properties, required, additionalProperties, items, anyOf and $ref
// to a definition of the same document. Any other word is a reason, too, so that none is overlooked.
std::string WhyNotValid(const Json& schema, const Json& value);

// Returns the reason why a line of a text does not match docs/schema/NAME.json, or an empty text. A name without a file
// stands for "error".
std::string WhyNotDocumented(std::string_view name, std::string_view lines);

// Expects that the output of a command matches the command's schema, if --json is among the arguments.
void ExpectDocumented(const std::vector<std::string>& arguments, std::string_view out);

}  // namespace layoutcheck
