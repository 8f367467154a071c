// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The type of what a function stores through a pointer, where no debug information says it.
#pragma once

#include <optional>

namespace llvm {
class Argument;
}  // namespace llvm

namespace layoutcheck {

// Returns the number of bits of the integers that the function, and those that it calls, store through the parameter.
// Returns nothing if they differ, if something else is stored, and if the pointer cannot be followed.
std::optional<int> StoredWidth(const llvm::Argument& pointer);

}  // namespace layoutcheck
