// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/base/integer.h"
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {

Expected<int64_t> ValueOrOverflow(CheckedInt64 number, std::string_view what) {
  if (number.overflow) return MakeError(ErrorKind::kOverflow, StrCat(what, " does not fit int64"));
  return number.value;
}

}  // namespace layoutcheck
