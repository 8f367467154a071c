// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Errors are values: a function that can fail returns an Expected<T>, and its comment names the kinds of its errors.
#pragma once

#if __cplusplus < 202100L
#error "layoutcheck needs C++23: compile with -std=c++23 or later"
#endif

#include <cstdint>
#include <expected>
#include <string>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"

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
  // Says what was expected and what was found, with the dimension, tile or attribute. Has no final period.
  std::string message;
  // 1-based column of the error in the text, in bytes; 0 without a text
  int64_t column = 0;

  // Returns "column 7: message", or the message alone without a column.
  std::string ToString() const;
};

template <class T>
using Expected = std::expected<T, Error>;

// Declares or sets a variable to the value of an Expected, or returns its error from the function:
//   LAYOUTCHECK_TRY(const int64_t size, Product(shape));
// NOLINTBEGIN(bugprone-macro-parentheses): a declaration takes no parentheses
#define LAYOUTCHECK_TRY(declaration, ...) \
  LAYOUTCHECK_TRY_AS(declaration, LAYOUTCHECK_JOIN(tried_in_line_, __LINE__), __VA_ARGS__)
#define LAYOUTCHECK_TRY_AS(declaration, tried, ...)             \
  auto tried = __VA_ARGS__;                                     \
  if (!tried) return std::unexpected(std::move(tried.error())); \
  declaration = *std::move(tried)
#define LAYOUTCHECK_JOIN(a, b) LAYOUTCHECK_JOIN_NOW(a, b)
#define LAYOUTCHECK_JOIN_NOW(a, b) a##b
// NOLINTEND(bugprone-macro-parentheses)

// Returns the error of an Expected from the function, if it has one.
#define LAYOUTCHECK_RETURN_IF_ERROR(...) \
  if (auto tried = __VA_ARGS__; !tried) return std::unexpected(std::move(tried.error()))

inline std::unexpected<Error> MakeError(ErrorKind kind, std::string message, int64_t column = 0) {
  return std::unexpected<Error>(Error{kind, std::move(message), column});
}

// Return an error of one kind. Its message consists of the pieces: text, characters and integers.
template <class... Pieces>
std::unexpected<Error> LayoutError(const Pieces&... pieces) {
  return MakeError(ErrorKind::kInvalidLayout, StrCat(pieces...));
}
template <class... Pieces>
std::unexpected<Error> ArgumentError(const Pieces&... pieces) {
  return MakeError(ErrorKind::kInvalidArgument, StrCat(pieces...));
}
template <class... Pieces>
std::unexpected<Error> OverflowError(const Pieces&... pieces) {
  return MakeError(ErrorKind::kOverflow, StrCat(pieces...));
}
template <class... Pieces>
std::unexpected<Error> UnsupportedError(const Pieces&... pieces) {
  return MakeError(ErrorKind::kUnsupported, StrCat(pieces...));
}
template <class... Pieces>
std::unexpected<Error> UnavailableError(const Pieces&... pieces) {
  return MakeError(ErrorKind::kUnavailable, StrCat(pieces...));
}
template <class... Pieces>
std::unexpected<Error> SyntaxErrorAt(int64_t column, const Pieces&... pieces) {
  return MakeError(ErrorKind::kSyntax, StrCat(pieces...), column);
}

// Returns the error with another column.
inline std::unexpected<Error> ErrorAt(int64_t column, Error error) {
  error.column = column;
  return std::unexpected(std::move(error));
}
inline std::unexpected<Error> ErrorAt(int64_t column, std::unexpected<Error> error) {
  return ErrorAt(column, std::move(error.error()));
}

}  // namespace layoutcheck
