// Texts drawn at random and texts changed: the one mutator behind the fuzz targets and behind `layoutcheck fuzz`.
#ifndef LAYOUTCHECK_FUZZ_MUTATOR_MUTATOR_H_
#define LAYOUTCHECK_FUZZ_MUTATOR_MUTATOR_H_

#include <string>
#include <string_view>

#include "layoutcheck/fuzz/text/random.h"
#include "layoutcheck/fuzz/text/text_kind.h"

namespace layoutcheck {

// A well-formed text of a random value, in one of its spellings.
std::string RandomText(TextKind kind, Random& random);

// The text changed: three times in four as a value (parsed, changed, printed), else broken on purpose. A text in which
// nothing parses is broken further.
std::string MutateText(TextKind kind, std::string_view text, Random& random);

// A text with parts of both.
std::string CrossTexts(TextKind kind, std::string_view text, std::string_view donor, Random& random);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_FUZZ_MUTATOR_MUTATOR_H_
