// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The run of `scan --kind ttgir`.
#pragma once

#include <cstddef>
#include <string>
#include <vector>
#include "layoutcheck/cli/base/command.h"

namespace layoutcheck {

struct TtgirScanOptions {
  std::vector<std::string> paths;         // files, folders with files .ttgir, "-" for standard input
  size_t top = 10;                        // rows of each table
  std::vector<std::string> requirements;  // of rules whose findings are errors
  std::string html;                       // file of the page; empty for none
  std::string sarif;                      // file of SARIF; empty for none
  std::string junit;                      // file of JUnit's XML; empty for none
  std::string old;                        // --diff; empty for no comparison
  bool json = false;
  bool tensors = false;  // with json: also one line per type of tensors
};

// Reads TTGIR and prints what was found. Returns the exit code of `scan`; kUnusable, after a message, for a file that
// cannot be read, a text that is no TTGIR, and a folder without any.
ExitCode RunTtgirScan(const TtgirScanOptions& options);

}  // namespace layoutcheck
