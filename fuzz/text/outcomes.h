// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The reference's outcome for each text of the corpus, as lines to compare. They reveal a text that is read differently
// than before, or rejected at another column or with other words, although it breaks no property.
#pragma once

#include <string>
#include <string_view>
#include "layoutcheck/fuzz/text/text_kind.h"

namespace layoutcheck {

// Returns "accepted: TEXT" with the canonical text, "syntax, column 7: MESSAGE" or "layout, column 1: MESSAGE".
// Unprintable bytes are written as \xNN; a long outcome is cut and ends with its length and hash.
std::string OutcomeOf(TextKind kind, std::string_view text);

// Returns one line `FOLDER/KIND/FILE OUTCOME` per file of the corpus folders `fuzz` and `regressions`, sorted.
std::string OutcomesOfCorpus(const std::string& corpus);

}  // namespace layoutcheck
