// Errors as values: what went wrong, of which kind, and where in the text.
#ifndef LAYOUTCHECK_CORE_BASE_ERROR_H_
#define LAYOUTCHECK_CORE_BASE_ERROR_H_

#if __cplusplus < 202100L
#error "layoutcheck needs C++23: compile with -std=c++23 or later"
#endif

#include <cstdint>
#include <expected>
#include <string>
#include <utility>

namespace layoutcheck {

enum class ErrorKind {
  kSyntax,           // the text is not in the grammar
  kInvalidLayout,    // well-formed text of a shape or layout that breaks a validation rule
  kInvalidArgument,  // a coordinate, offset, permutation or option that does not fit the layout
  kOverflow,         // a size or an offset does not fit int64
  kUnsupported,      // meaningful, but not defined for this kind of layout
  kUnavailable,      // a file, a process or a library that cannot be used
};

// The word that names the kind in messages and in JSON ("syntax", "layout", ...).
const char* ErrorKindName(ErrorKind kind);

struct Error {
  ErrorKind kind = ErrorKind::kInvalidArgument;
  // What was expected and what stands there instead; names the dimension, tile or attribute. No final period.
  std::string message;
  // 1-based column (in bytes) of the offending place in a text, 0 where there is no text.
  int64_t column = 0;

  // "column 7: message", or the message alone where there is no column.
  std::string ToString() const;
};

template <class T>
using Expected = std::expected<T, Error>;

inline std::unexpected<Error> MakeError(ErrorKind kind, std::string message, int64_t column = 0) {
  return std::unexpected<Error>(Error{kind, std::move(message), column});
}

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_CORE_BASE_ERROR_H_
