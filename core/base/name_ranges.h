// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The values that the names of a proved claim stand for, as texts for people and scripts.
#pragma once

#include <map>
#include <span>
#include <string>

namespace layoutcheck {

// The range of each name: ">= 0", ">= 1", "integer" for all integers, a type such as "int32" or "uint8", or the first
// and the last value, "0 to 127". A name without one is ">= 0".
using NameRanges = std::map<std::string, std::string>;

inline constexpr const char* kNotNegativeRange = ">= 0";
inline constexpr const char* kPositiveRange = ">= 1";
inline constexpr const char* kIntegerRange = "integer";

// Returns the range of one name.
std::string RangeOf(const std::string& name, const NameRanges& ranges);

// Returns "for all M, N >= 0, every int32 B and every index": the names in their order, one part per range.
std::string ForAllText(std::span<const std::string> names, const NameRanges& ranges);

}  // namespace layoutcheck
