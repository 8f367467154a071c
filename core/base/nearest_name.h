// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The name that somebody may have meant who wrote another one.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace layoutcheck {

// Returns the optimal string alignment distance of two texts, whatever the case of their letters: the least number of
// characters to insert, delete, replace or exchange with their neighbor that makes one text the other.
size_t EditDistance(std::string_view a, std::string_view b);

// Returns the name with the least distance to `name`, the first of several, if that is at most a third of the length of
// `name`. Returns an empty text if no name is that near, or `name` has more than 64 bytes.
std::string_view NearestName(std::string_view name, const std::vector<std::string_view>& names);

// Returns " (did you mean 'NEAREST'?)", to be appended to the message about an unknown name, or an empty text.
std::string DidYouMean(std::string_view name, const std::vector<std::string_view>& names);

// Returns the same for the names that `name_of` gives for the entries of a range.
template <class Range, class NameOf>
std::string DidYouMean(std::string_view name, const Range& entries, NameOf name_of) {
  std::vector<std::string_view> names;
  for (const auto& entry : entries) names.push_back(name_of(entry));
  return DidYouMean(name, names);
}

}  // namespace layoutcheck
