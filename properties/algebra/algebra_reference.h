// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The reference's answers about the algebra: core's functions by CuTe's names.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/properties/model/subject.h"

namespace layoutcheck {

// Applies a function to texts of layouts, composed layouts, swizzles, tuples or numbers. Declines unknown functions and
// wrong numbers of arguments; fails if an argument cannot be read; rejects with core's reason if there is no result.
Answer<ApplyAnswer> ApplyReference(std::string_view function, std::span<const std::string> arguments);

// Returns the text of MakeTlaLayout. Declines unknown tags; fails with the errors of MakeTlaLayout.
Answer<std::string> MakeReference(std::string_view tag, int64_t element_bits, int64_t rows, int64_t columns);

}  // namespace layoutcheck
