// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>
#include "layoutcheck/core/tiling/tilings.h"

namespace layoutcheck {

// Returns the tilings that `--tilings` names: `tpu`, or a file with one tiling per line, in which empty lines and those
// that begin with # are skipped. Errors: a file that cannot be read (unavailable); a line that is no tiling (syntax,
// with its number); no tiling (invalid argument).
Expected<std::vector<Tiling>> ReadTilings(const std::string& name_or_file);

}  // namespace layoutcheck
