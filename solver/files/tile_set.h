// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Text files of layouts to prove, for `prove --tiles`: one entry per line. Blank lines and lines that begin with # are
// skipped. An entry is a layout, in which a name stands for all sizes, followed by the options of `prove`, each after a
// semicolon:
//
//   f32[M,N]{1,0:T(8,128)}
//   f32[M,N]{1,0:T(8,128)}; formula i0 / 8 * N * 8 + i1 / 128 * 1024 + i0 % 8 * 128 + i1 % 128; assume N % 128 == 0
#ifndef LAYOUTCHECK_SOLVER_FILES_TILE_SET_H_
#define LAYOUTCHECK_SOLVER_FILES_TILE_SET_H_

#include <optional>
#include <string>
#include <vector>

#include "layoutcheck/core/base/error.h"

namespace layoutcheck {

// A question to `prove` about one layout: its laws or, if there is a formula, the formula.
struct ProveEntry {
  std::string text;  // the line, trimmed
  std::string layout;
  std::optional<std::string> formula;
  std::optional<std::string> equals;
  std::vector<std::string> assumptions;
};

// Parses a line. Errors (syntax, with the column): a field other than formula, equals and assume; a field without
// another one that it needs.
Expected<ProveEntry> ParseProveEntry(const std::string& line);

// Reads the entries of a file. Errors: a file that cannot be read (unavailable); no entry (invalid argument); those of
// ParseProveEntry, with the number of the line.
Expected<std::vector<ProveEntry>> ReadTileSet(const std::string& file);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_SOLVER_FILES_TILE_SET_H_
