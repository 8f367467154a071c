// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/base/error.h"

namespace layoutcheck {

const char* ErrorKindName(ErrorKind kind) {
  constexpr const char* kNames[] = {"syntax", "layout", "argument", "overflow", "unsupported", "unavailable"};
  return kNames[static_cast<size_t>(kind)];
}

std::string Error::ToString() const { return column > 0 ? StrCat("column ", column, ": ", message) : message; }

}  // namespace layoutcheck
