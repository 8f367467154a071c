// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/base/overwriting.h"
#include <filesystem>
#include <system_error>
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {

Expected<void> RequireNotOverwritten(NamedFile input, NamedFile output) {
  std::error_code missing;
  if (output.file.empty() || !std::filesystem::equivalent(input.file, output.file, missing)) return {};
  return MakeError(ErrorKind::kUnavailable, StrCat(output.option, " ", output.file, " would replace ", input.option,
                                                   " ", input.file, ": expected another name"));
}

}  // namespace layoutcheck
