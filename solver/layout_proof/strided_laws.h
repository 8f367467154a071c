// The laws of a shape:stride layout whose sizes are numbers: decided, for every coordinate.
#ifndef LAYOUTCHECK_SOLVER_LAYOUT_PROOF_STRIDED_LAWS_H_
#define LAYOUTCHECK_SOLVER_LAYOUT_PROOF_STRIDED_LAWS_H_

#include <string>
#include <string_view>
#include <vector>

#include "layoutcheck/core/base/error.h"
#include "layoutcheck/solver/certificate/proof_result.h"

namespace layoutcheck {

// Of "((4,2),(4,3)):((4,16),(1,32))", or of a composed layout:
//  * injective: no two coordinates share an offset;
//  * in-bounds: no offset is below 0 (the largest one bounds the allocation from above);
//  * onto: every offset from the smallest to the largest is some coordinate's;
//  * inverse: the coordinate found at an element's offset is that element.
// The methods: "dominating-strides" (each stride is larger than all that smaller ones add up to, so offsets are
// digits), "reach" (by growing stride, whether each is at most 1 more than what the ones before reach), "signs",
// "enumeration" of all coordinates, up to 2^20 of them, and "witness". A refutation names the smallest coordinate in
// colexicographic order that breaks the law with one before it (i0, i1, ... one integer for each mode; j0, j1, ... the
// other one), where there are more coordinates than that one of two or three nonzero integers; or the smallest offset
// without an element. Errors: those of ParseComposedLayout and RangeOfOffsets; a law that is none of these (invalid
// argument).
Expected<std::vector<ProofResult>> ProveStridedLayout(std::string_view text, const std::vector<std::string>& laws);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_SOLVER_LAYOUT_PROOF_STRIDED_LAWS_H_
