// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace layoutcheck {

// Returns "; did you mean 'NAME'?" with the name that is nearest to a mistyped word, or an empty text if none is near:
// within a third of the word's length, but at least 1, in inserted, removed, replaced and swapped characters.
std::string DidYouMean(std::string_view word, std::span<const std::string> names);

}  // namespace layoutcheck
