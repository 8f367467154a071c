// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An access of lanes to shared memory, and its picture.
#pragma once

#include <cstdint>
#include <string>
#include <vector>
#include "layoutcheck/cli/pictures/svg_canvas.h"
#include "layoutcheck/core/linear/bank_conflicts.h"

namespace layoutcheck {

struct AccessedBanks {
  std::string input;  // what counts the lanes
  int64_t bytes = 0;  // per lane
  std::string element_type;
  std::string memory;              // the layout of shared memory, or empty
  std::vector<int64_t> addresses;  // in bytes, per lane
  BankConflicts conflicts;
};

// Draws the access at canvas.y, which it moves to the end: first a legend and a table of lanes and their registers with
// the bank of each word, then, per phase, the accessed rows of shared memory with a column per bank. Words of banks
// from which a phase needs several are marked. If not everything fits, the worst phase is drawn first.
void DrawBanks(const AccessedBanks& banks, SvgCanvas& canvas);

}  // namespace layoutcheck
