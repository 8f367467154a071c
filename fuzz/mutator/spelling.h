// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The legal spellings of a value: with white space, comments, leading zeros, written-out defaults or meaningless
// attributes, or without a default layout.
#pragma once

#include <string>
#include "layoutcheck/core/hlo/layout.h"
#include "layoutcheck/core/hlo/shape.h"
#include "layoutcheck/fuzz/text/random.h"

namespace layoutcheck {

// Returns a text of the value, canonical in half of the cases. Every parser must read a valid value whose arrays have
// layouts back from it. For a value that no text can express, the text is close to it.
std::string Spell(const Shape& shape, Random& random);
std::string Spell(const Layout& layout, Random& random);

}  // namespace layoutcheck
