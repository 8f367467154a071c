// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Text files for `prove --tiles`. Each line is empty, a comment that begins with #, or an entry: a layout, in which
// names stand for all sizes, followed by options of `prove`, each after a semicolon:
//
//   f32[M,N]{1,0:T(8,128)}
//   f32[M,N]{1,0:T(8,128)}; formula i0 / 8 * N * 8 + i1 / 128 * 1024 + i0 % 8 * 128 + i1 % 128; assume N % 128 == 0
#pragma once

#include <optional>
#include <string>
#include <vector>
#include "layoutcheck/core/base/error.h"

namespace layoutcheck {

// A question to `prove` about one layout: its laws, or its formula if there is one.
struct ProveEntry {
  std::string text;  // the line, trimmed
  std::string layout;
  std::optional<std::string> formula;
  std::optional<std::string> equals;
  std::vector<std::string> assumptions;
  std::string over = {};   // bounds of the indices without a layout; not in files
  std::string below = {};  // bound of the formula for the law in-bounds; not in files
  std::vector<std::string> signed_names = {};
};

// Parses a line. Errors (syntax, with the column): an unknown field; a field that needs another one.
Expected<ProveEntry> ParseProveEntry(const std::string& line);

// Errors: a file that cannot be read (unavailable); no entry (invalid argument); those of a line, with its number.
Expected<std::vector<ProveEntry>> ReadTileSet(const std::string& file);

}  // namespace layoutcheck
