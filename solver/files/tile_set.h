// Files of layouts to prove, for `prove --tiles`.
//
// A text: one entry a line, blank lines and lines that begin with # aside. An entry is a layout, with names for sizes
// where it stands for all of them, and after it, each after a semicolon, what `prove` has options for:
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

// What `prove` is asked about one layout: its laws or, with a formula, that.
struct ProveEntry {
  std::string text;  // the line
  std::string layout;
  std::optional<std::string> formula;
  std::optional<std::string> equals;
  std::vector<std::string> assumptions;
};

// The entry that a line says. Errors: a field that is none of formula, equals and assume, or that another needs
// (syntax, with its column).
Expected<ProveEntry> ParseProveEntry(const std::string& line);

// The entries of a file. Errors: a file that cannot be read (unavailable), no entry (invalid argument), those of
// ParseProveEntry with the number of the line.
Expected<std::vector<ProveEntry>> ReadTileSet(const std::string& file);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_SOLVER_FILES_TILE_SET_H_
