// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The text of Triton's layout attributes, without their meaning:
//
//     layout    = "#ttg." name "<" [ padding ] "{" [ entry { "," entry } ] "}" { "," entry } ">" [ shape ]
//     padding   = "[" [ interval ":+" elements { "," interval ":+" elements } ] "]"
//     entry     = key "=" value
//     value     = integer | "[" [ value { "," value } ] "]"
//     shape     = "[" [ size { "," size } ] "]"
//
// Blanks may stand between tokens.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
#include "layoutcheck/core/base/error.h"

namespace layoutcheck {

// An integer or a list, with its column in the text.
struct TritonValue {
  std::optional<int64_t> integer;  // otherwise it is a list
  std::vector<TritonValue> list;
  int64_t column = 0;
};

struct TritonAttribute {
  std::string name;  // "blocked"
  int64_t name_column = 0;
  // Pairs (interval, padding) in elements: after each `interval` elements follow `padding` that hold nothing.
  std::vector<std::pair<TritonValue, TritonValue>> padding;
  std::map<std::string, TritonValue, std::less<>> entries;
  int64_t entries_column = 0;
  std::optional<TritonValue> shape;  // a list
  int64_t end_column = 0;            // behind the text
};

// Returns true if the text looks like an attribute. Checks only the first characters.
bool IsTritonText(std::string_view text);

// Parses a whole text. Errors: syntax, with the column; a key that occurs twice (invalid layout).
Expected<TritonAttribute> ParseTritonAttribute(std::string_view text);

}  // namespace layoutcheck
