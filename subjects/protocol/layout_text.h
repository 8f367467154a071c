// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The text of a layout in a notation that a subject takes.
#pragma once

#include <optional>
#include <string>
#include "layoutcheck/core/hlo/shape.h"
#include "layoutcheck/properties/model/subject.h"

namespace layoutcheck {

// The notations of layouts that a subject takes. A subject that names none takes HLO's.
struct Notations {
  bool hlo = true;
  bool shape_stride = false;
};

// Returns the layout in a notation that the subject takes, or nothing. Layouts without padding have a text in
// shape:stride notation, with one mode per dimension.
std::optional<std::string> LayoutText(const Notations& notations, const Shape& shape);

// These functions return the answer for a subject that is not asked, because the layout has no text in its notations,
// or because the operation needs HLO notation.
Declined OtherNotation();
Declined NotInHlo();

}  // namespace layoutcheck
