// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {

const char* ErrorKindName(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kSyntax: return "syntax";
    case ErrorKind::kInvalidLayout: return "layout";
    case ErrorKind::kInvalidArgument: return "argument";
    case ErrorKind::kOverflow: return "overflow";
    case ErrorKind::kUnsupported: return "unsupported";
    case ErrorKind::kUnavailable: return "unavailable";
  }
  return "unknown";
}

std::string Error::ToString() const { return column > 0 ? StrCat("column ", column, ": ", message) : message; }

}  // namespace layoutcheck
