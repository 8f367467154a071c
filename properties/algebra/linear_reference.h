// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions on layouts in bits that Subject::Apply can ask for.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/linear/linear_layout.h"
#include "layoutcheck/properties/model/subject.h"

namespace layoutcheck {

// Returns true if the name is meant as that of a function on layouts in bits: "linear_compose".
bool IsLinearFunction(std::string_view function);

// Returns the number of arguments of a function, or nothing if there is none of this name.
std::optional<size_t> LinearArgumentCount(std::string_view function);

// Returns the answer of a function of LinearArgumentCount. Errors: arguments that cannot be read (kSyntax); arguments
// that the function does not take, which are a rejection (all other kinds).
Expected<ApplyAnswer> ApplyLinear(std::string_view function, std::span<const std::string> arguments);

// Reads a layout in bits by any text of ReadLinearLayout. Errors are of kind kSyntax.
Expected<LinearLayout> ReadLinearArgument(const std::string& text);

}  // namespace layoutcheck
