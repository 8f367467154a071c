// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tells which smallest failing layouts may have one cause.
#ifndef LAYOUTCHECK_PROPERTIES_RUN_WITNESS_CLASS_H_
#define LAYOUTCHECK_PROPERTIES_RUN_WITNESS_CLASS_H_

#include "layoutcheck/core/hlo/shape.h"

namespace layoutcheck {

// Returns whether one of two shrunk layouts that break the same law has every feature of the other, so that both are
// taken for one cause. A feature is something that shrinking takes away if it can: tiles, more than one tile, a
// combined dimension, an order that is not row major, a size of 0, a size past 2^30, an element type other than f32,
// and each attribute. The rank is no feature, because many causes have a smallest layout for each rank. A layout
// without features has one cause with every other; a layout with tiles and one with another order have not.
bool MayHaveOneCause(const Shape& a, const Shape& b);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_PROPERTIES_RUN_WITNESS_CLASS_H_
