// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Errors of the libraries as Python exceptions.
#pragma once

#include <string_view>
#include <utility>
#include "layoutcheck/core/base/error.h"

namespace layoutcheck::python {

// Raises layoutcheck.LayoutError with the message, the column (None without a text) and the kind of the error. Requires
// the interpreter lock.
[[noreturn]] void RaiseLayoutError(const Error& error);

// Raises the error of a text. The message of one without a column, as those of patterns are, begins with the text.
[[noreturn]] void RaiseTextError(std::string_view text, Error error);

// Returns the value, or raises its error as LayoutError.
template <class T>
T ValueOrRaise(Expected<T> value) {
  if (!value) RaiseLayoutError(value.error());
  if constexpr (!std::is_void_v<T>) return *std::move(value);
}

}  // namespace layoutcheck::python
