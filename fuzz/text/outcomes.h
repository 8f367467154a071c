// What the reference says about every text of the corpus, as lines to compare with: a text that is read differently
// than before, or refused elsewhere or with other words, is seen, whether or not it breaks a property.
#ifndef LAYOUTCHECK_FUZZ_TEXT_OUTCOMES_H_
#define LAYOUTCHECK_FUZZ_TEXT_OUTCOMES_H_

#include <string>
#include <string_view>

#include "layoutcheck/fuzz/text/text_kind.h"

namespace layoutcheck {

// "accepted: TEXT" with the canonical text, "syntax, column 7: MESSAGE" or "layout, column 1: MESSAGE". Bytes that do
// not print are \xNN; of a long outcome, the beginning with its length and hash.
std::string OutcomeOf(TextKind kind, std::string_view text);

// A line `FOLDER/KIND/FILE OUTCOME` for each file of the folders `fuzz` and `regressions` of this corpus, for each kind
// of text, in the order of their names.
std::string OutcomesOfCorpus(const std::string& corpus);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_FUZZ_TEXT_OUTCOMES_H_
