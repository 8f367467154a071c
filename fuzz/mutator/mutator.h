// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random texts and mutants of texts for the fuzz targets and `layoutcheck fuzz`. A seed gives the same texts with every
// compiler and standard library.
#pragma once

#include <string>
#include <string_view>
#include "layoutcheck/fuzz/text/random.h"
#include "layoutcheck/fuzz/text/text_kind.h"

namespace layoutcheck {

// Returns a well-formed text of a random value in one of its spellings.
std::string RandomText(TextKind kind, Random& random);

// Returns a mutant. In three cases of four the value is parsed, changed and printed; otherwise, or if no part of the
// text parses, the text is broken on purpose.
std::string MutateText(TextKind kind, std::string_view text, Random& random);

// Returns a text made of parts of both.
std::string CrossTexts(TextKind kind, std::string_view text, std::string_view donor, Random& random);

}  // namespace layoutcheck
