// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The results of `scan`: those of one module, and what is kept of all of them.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>
#include "layoutcheck/cli/base/command.h"
#include "layoutcheck/cli/scan/module_texts.h"
#include "layoutcheck/core/module/module.h"
#include "layoutcheck/properties/module/live_memory.h"
#include "layoutcheck/properties/module/module_facts.h"
#include "layoutcheck/properties/module/rule.h"

namespace layoutcheck {

// Numbers of arrays and bytes, which add up.
struct MemoryTotals {
  int64_t arrays = 0;
  int64_t bytes = 0;         // bytes allocated
  int64_t needed_bytes = 0;  // bytes of the elements without padding

  // Adds the numbers; sums that leave int64 stay at its largest value.
  void Add(const MemoryTotals& other);
  double waste() const {
    return bytes == 0 ? 0 : static_cast<double>(bytes - needed_bytes) / static_cast<double>(bytes);
  }
};

// One module with everything that was found in it.
struct ModuleScan {
  std::string file;
  std::unique_ptr<HloModule> module;
  std::unique_ptr<ModuleFacts> facts;
  ModuleVerdict verdict;
  std::vector<ArrayCost> arrays;
  std::optional<LiveMemory> live;  // only for a scheduled module
  int64_t instructions = 0;
  MemoryTotals totals;
  MemoryTotals copies;  // the arrays of IsCopy
  std::map<int64_t, MemoryTotals> by_memory_space;
  // The largest parts of the arrays, only for a module with shardings that is not partitioned yet.
  std::optional<MemoryTotals> on_device;
};

// Returns true if the instruction writes elements of its operand to other places and computes nothing.
bool IsCopy(const ModuleInstruction& instruction);

// Reads a module or a log and checks all rules. The tilings are those of ModuleFacts, the requirements those of
// CheckModule.
ModuleScan ScanModule(ModuleText text, const std::vector<Tiling>& tilings = {},
                      std::span<const std::string> requirements = {});

// Returns false if the text had neither a header nor an instruction.
bool IsHlo(const ModuleScan& scan);

// Returns the JSON objects of contract `scan --json`: of the module, of a finding, of an array.
Json ModuleJson(const ModuleScan& scan);
Json FindingJson(const ModuleScan& scan, const RuleFinding& finding);
Json ArrayJson(ModuleScan& scan, const ArrayCost& array);

}  // namespace layoutcheck
