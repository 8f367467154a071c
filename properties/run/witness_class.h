// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which smallest failing layouts have one cause.
#ifndef LAYOUTCHECK_PROPERTIES_RUN_WITNESS_CLASS_H_
#define LAYOUTCHECK_PROPERTIES_RUN_WITNESS_CLASS_H_

#include "layoutcheck/core/hlo/shape.h"

namespace layoutcheck {

// Whether two shrunk layouts that break one law are taken for one cause: one of them has every feature of the other.
// Features are what the plainest layout lacks and shrinking would have taken away if it could: tiles, more than one,
// a combined dimension, an order that is not row major, a size of 0 or past 2^30, another type than f32, and each
// attribute. The rank is none: many causes have a smallest layout for each rank, of which shrinking finds one. What has
// no feature explains everything under its law; tiles and an order do not explain each other.
bool MayHaveOneCause(const Shape& a, const Shape& b);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_PROPERTIES_RUN_WITNESS_CLASS_H_
