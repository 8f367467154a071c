// The lists that AllLaws puts together, one for each kind of question.
#ifndef LAYOUTCHECK_PROPERTIES_MODEL_LAWS_INTERNAL_H_
#define LAYOUTCHECK_PROPERTIES_MODEL_LAWS_INTERNAL_H_

#include <span>

#include "layoutcheck/properties/model/law.h"

namespace layoutcheck {

std::span<const Law* const> IndexLaws();      // where elements are
std::span<const Law* const> TransformLaws();  // two ways to say the same layout
std::span<const Law* const> SizeLaws();       // how much is allocated
std::span<const Law* const> RelayoutLaws();   // what moving an array does
std::span<const Law* const> TextLaws();       // what is read and printed
std::span<const Law* const> AffineLaws();     // index arithmetic
std::span<const Law* const> MemRefLaws();     // MLIR's layout attributes

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_PROPERTIES_MODEL_LAWS_INTERNAL_H_
