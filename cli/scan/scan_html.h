// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The page of `scan --html`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>
#include "layoutcheck/cli/base/command.h"
#include "layoutcheck/cli/scan/module_scan.h"
#include "layoutcheck/cli/scan/scan_report.h"
#include "layoutcheck/json/json.h"
#include "layoutcheck/properties/module/live_memory.h"

namespace layoutcheck {

// A module's curve of live memory, drawn in a bounded number of columns.
struct LiveCurve {
  // The instruction of a run of instructions at which most bytes are alive.
  struct Column {
    size_t instruction = 0;
    LiveBytes alive;
    std::string name;
  };

  std::string file;
  std::string module;
  size_t instructions = 0;
  std::vector<Column> columns;
  size_t peak = 0;                // the column with the peak
  std::vector<Json> peak_arrays;  // as ArrayJson, the largest ones
  MemoryTotals peak_rest;         // the others
};

// Collects what the page shows while modules are read. Its size is bounded: only the largest arrays and peaks are kept.
class ScanPage {
 public:
  static constexpr size_t kMostArrays = 1000;
  static constexpr size_t kMostCurves = 6;

  void Add(ModuleScan& scan);
  // Returns the page. `results`: of the same modules.
  std::string Html(const ScanResults& results) const;

 private:
  TopRows arrays_{kMostArrays};
  std::multimap<int64_t, LiveCurve, std::greater<>> curves_;  // by the bytes of the peak
};

}  // namespace layoutcheck
