// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Locations of MLIR: `loc("kernel.py":7:3)`, `loc("name"(#loc1))`, `loc(callsite(#loc1 at #loc2))`.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace layoutcheck {

// The locations that a module defines, by their aliases.
class TtirLocations {
 public:
  // Reads the definitions `#loc1 = loc(...)` of a module.
  explicit TtirLocations(std::string_view text);

  // Returns file and line, "kernel.py:7", of the text in the parentheses of `loc(...)`: of a call that was inlined,
  // those of the call. Returns an empty text if it names none.
  std::string PlaceOf(std::string_view location) const { return PlaceOf(location, 0); }

 private:
  std::string PlaceOf(std::string_view location, int depth) const;

  std::map<std::string, std::string, std::less<>> aliases_;  // text in parentheses by "#loc1"
};

}  // namespace layoutcheck
