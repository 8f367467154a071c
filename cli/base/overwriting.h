// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <string_view>
#include "layoutcheck/core/base/error.h"

namespace layoutcheck {

// An option or argument, and the file or directory that the user gave for it. Empty if none was given.
struct NamedFile {
  std::string_view option;
  const std::string& file;
};

// Returns an error (unavailable) that names both options if `output` is the same file or directory as `input`, which
// writing it would replace.
Expected<void> RequireNotOverwritten(NamedFile input, NamedFile output);

}  // namespace layoutcheck
