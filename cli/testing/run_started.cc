// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/testing/run_program.h"

namespace layoutcheck {

ProgramResult RunLayoutcheck(const std::vector<std::string>& arguments, std::string_view input) {
  return StartLayoutcheck(arguments, input);
}

}  // namespace layoutcheck
