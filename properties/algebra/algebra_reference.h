// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The algebra of core by the names of CuTe's functions: what the reference answers to `apply` and `make`.
#ifndef LAYOUTCHECK_PROPERTIES_ALGEBRA_ALGEBRA_REFERENCE_H_
#define LAYOUTCHECK_PROPERTIES_ALGEBRA_ALGEBRA_REFERENCE_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "layoutcheck/properties/model/subject.h"

namespace layoutcheck {

// The result of the function for these arguments, each the text of a layout, a composed layout, a tuple or a number.
// Declined: no such function, or not its number of arguments. Failed: an argument that cannot be read. An answer
// "rejected" otherwise has core's reason.
Answer<ApplyAnswer> ApplyReference(std::string_view function, std::span<const std::string> arguments);

// The text of MakeTlaLayout. Failed with its errors; declined for a tag that there is not.
Answer<std::string> MakeReference(std::string_view tag, int64_t element_bits, int64_t rows, int64_t columns);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_PROPERTIES_ALGEBRA_ALGEBRA_REFERENCE_H_
