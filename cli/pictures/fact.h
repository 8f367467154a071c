// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include "layoutcheck/cli/base/terminal.h"

namespace layoutcheck {

// A fact about a layout in one line of text, such as "tile (2,2)" with the value "2 x 3 x 2 x 2".
struct Fact {
  std::string name;
  std::string value;
};

// Returns the facts as lines of text, in two columns, of which the second one is wrapped if the style wraps.
std::string FactsText(std::span<const Fact> facts, const TextStyle& style = {});

// Returns words as lines of at most the style's width, if it wraps, and otherwise as they are. The first line begins in
// column `column`, counted from 0, and the others are indented by as many blanks. A word that is longer than the width
// stays whole.
std::string WrappedWords(std::string_view words, size_t column, const TextStyle& style);

}  // namespace layoutcheck
