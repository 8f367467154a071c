// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The reference's answers about the algebra: functions of core by CuTe's names.
#ifndef LAYOUTCHECK_PROPERTIES_ALGEBRA_ALGEBRA_REFERENCE_H_
#define LAYOUTCHECK_PROPERTIES_ALGEBRA_ALGEBRA_REFERENCE_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "layoutcheck/properties/model/subject.h"

namespace layoutcheck {

// Applies a function to arguments that are texts of layouts, composed layouts, swizzles, tuples or numbers. Declines
// unknown functions and wrong numbers of arguments; fails if an argument cannot be read. If the function has no result,
// the answer is rejected with core's reason.
Answer<ApplyAnswer> ApplyReference(std::string_view function, std::span<const std::string> arguments);

// Returns the text of MakeTlaLayout. Declines unknown tags; fails with the errors of MakeTlaLayout.
Answer<std::string> MakeReference(std::string_view tag, int64_t element_bits, int64_t rows, int64_t columns);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_PROPERTIES_ALGEBRA_ALGEBRA_REFERENCE_H_
