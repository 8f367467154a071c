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
  std::string input;               // name of the input that counts the lanes
  int64_t bytes = 0;               // per lane
  std::string element_type;        // empty if the addresses were listed
  std::string memory;              // the layout of shared memory, or empty
  std::vector<int64_t> addresses;  // in bytes, per lane
  BankConflicts loads;
  BankConflicts stores;

  // Returns true if loads have fewer phases than stores.
  bool MergesLoads() const { return loads.phases.size() < stores.phases.size(); }
};

// Returns why the phases of a load are merged: "every lane accesses the address of lane ^ 1".
std::string WhyMerged(const AccessPhase& phase, const AccessedBanks& banks);

// Draws the access at canvas.y, which it moves to the end: first a legend and a table of lanes and their registers with
// the bank of each word, then, per phase, the accessed rows of shared memory with a column per bank. Words of banks
// from which a phase needs several are marked. If not everything fits, the worst phase is drawn first. Loads and stores
// are drawn one after the other if loads merge phases, otherwise once for both.
void DrawBanks(const AccessedBanks& banks, SvgCanvas& canvas);

}  // namespace layoutcheck
