// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nested integers of shape:stride layouts as Python's integers and tuples.
#pragma once

#include <nanobind/nanobind.h>
#include <string_view>
#include "layoutcheck/core/shape_stride/int_tuple.h"

namespace layoutcheck::python {

// Returns the UTF-8 text of a string, which lives as long as the string. Raises UnicodeEncodeError for half of a
// surrogate pair. Requires a str.
std::string_view TextOf(nanobind::handle value);

// Returns the IntTuple of an integer, a tuple or list of such, or a text ("_4", "1@0", "(4,2)"). Raises LayoutError for
// an integer outside int64, for more than IntTuple::kMaxTextDepth levels, and with the column for text that is none;
// TypeError for every other type, bool included.
IntTuple IntTupleFromPython(nanobind::handle value);

// Returns an integer, a tuple, or for a leaf with a basis path its text ("1@0").
nanobind::object ToPython(const IntTuple& tuple);

}  // namespace layoutcheck::python
