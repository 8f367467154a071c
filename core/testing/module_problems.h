// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Test support: the problems of a module as texts.
#pragma once

#include <string>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/module/module.h"

namespace layoutcheck {

// Returns "LINE:COLUMN: MESSAGE" per problem.
inline std::vector<std::string> Problems(const HloModule& module) {
  std::vector<std::string> problems;
  for (const auto& [place, message] : module.problems) {
    problems.push_back(StrCat(place.line, ":", place.column, ": ", message));
  }
  return problems;
}

}  // namespace layoutcheck
