// The many legal ways to write one value: white space and comments, leading zeros, defaults written out, attributes
// without meaning, a default layout left out.
#ifndef LAYOUTCHECK_FUZZ_MUTATOR_SPELLING_H_
#define LAYOUTCHECK_FUZZ_MUTATOR_SPELLING_H_

#include <string>

#include "layoutcheck/core/hlo/layout.h"
#include "layoutcheck/core/hlo/shape.h"
#include "layoutcheck/fuzz/text/random.h"

namespace layoutcheck {

// A text of the value. Half of the texts are canonical. Where the value is valid and its arrays have layouts, every
// parser must read the value back; a value that no text can express gives some text near to it.
std::string Spell(const Shape& shape, Random& random);
std::string Spell(const Layout& layout, Random& random);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_FUZZ_MUTATOR_SPELLING_H_
