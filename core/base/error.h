// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#if __cplusplus < 202100L
#error "layoutcheck needs C++23: compile with -std=c++23 or later"
#endif

#include <cstdint>
#include <expected>
#include <string>
#include <utility>

namespace layoutcheck {

enum class ErrorKind {
  kSyntax,           // a text is not in the grammar
  kInvalidLayout,    // a shape or layout is well formed but breaks a validation rule
  kInvalidArgument,  // a coordinate, offset, permutation or option does not fit the layout
  kOverflow,         // a size or an offset does not fit int64
  kUnsupported,      // a question is meaningful, but not defined for this kind of layout
  kUnavailable,      // a file, a process or a library cannot be used
};

// Returns the word for the kind in messages and in JSON ("syntax", "layout", ...).
const char* ErrorKindName(ErrorKind kind);

struct Error {
  ErrorKind kind = ErrorKind::kInvalidArgument;
  // Expected and found, with the dimension, tile or attribute. Has no final period.
  std::string message;
  // 1-based column of the error in the text, in bytes; 0 without a text
  int64_t column = 0;

  // Returns "column 7: message", or the message alone without a column.
  std::string ToString() const;
};

template <class T>
using Expected = std::expected<T, Error>;

inline std::unexpected<Error> MakeError(ErrorKind kind, std::string message, int64_t column = 0) {
  return std::unexpected<Error>(Error{kind, std::move(message), column});
}

}  // namespace layoutcheck
