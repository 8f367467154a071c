// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Requests about a layout in shape:stride notation, answered by the subject's functions on such layouts.
#pragma once

#include <string>
#include "layoutcheck/properties/model/subject.h"
#include "layoutcheck/subjects/protocol/members.h"
#include "layoutcheck/subjects/protocol/protocol.h"

namespace layoutcheck {

// Returns true if the request is an offset, a table, a coordinate, a size or a relayout of shape:stride texts.
bool IsStridedRequest(Operation operation, const RequestReader& request);

// Returns the answer's line for such a request. Coordinates have one integer per top-level mode. The subject is asked
// through Apply: "crd2idx" gives offsets, "left_inverse" coordinates, "size" and "cosize" sizes. A table or relayout of
// more than 2^22 elements is unsupported, and so is the coordinate at an offset of a layout without a left inverse.
// Throws WrongRequest.
std::string AnswerStridedRequest(Subject& subject, Operation operation, const RequestReader& request);

}  // namespace layoutcheck
