// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The differences between the arrays of two versions of a module.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>
#include "layoutcheck/cli/scan/module_scan.h"
#include "layoutcheck/json/json.h"

namespace layoutcheck {

// One array of a module, which need not be kept.
struct DiffArray {
  std::string computation;
  std::string instruction;
  std::string opcode;
  std::string shape;
  std::string sharding;   // as BytesOnDevice has it; empty without one
  std::string structure;  // opcode, operands' opcodes, element type, dimensions, and the array's place in a tuple
  bool is_of_entry = false;
  int64_t line = 0;
  int64_t bytes = 0;
  std::optional<int64_t> device_bytes;  // of its largest part
};

// One module with its arrays.
struct DiffModule {
  std::string file;
  std::string name;
  bool is_scheduled = false;
  MemoryTotals totals;
  MemoryTotals copies;
  std::optional<int64_t> peak_bytes;
  std::optional<int64_t> device_bytes;  // of the largest parts
  std::vector<DiffArray> arrays;        // in the order of the text
};

// Returns what a comparison needs of a module.
DiffModule DiffModuleOf(const ModuleScan& scan);

// An array in two versions of a module; null in the version that does not have it.
struct ArrayChange {
  const DiffArray* before = nullptr;
  const DiffArray* after = nullptr;

  // Returns the bytes that the new version allocates more, negative if less.
  int64_t MoreBytes() const { return (after == nullptr ? 0 : after->bytes) - (before == nullptr ? 0 : before->bytes); }
  // Returns the same of the bytes on a device, or 0 unless both versions have them.
  int64_t MoreDeviceBytes() const;
};

struct ModuleDiff {
  std::vector<ArrayChange> changes;  // the largest change of bytes, in all or on a device, first
  int64_t unchanged = 0;             // arrays of equal shapes, layouts and shardings
};

// Compares two versions of a module. The result refers to both. Pairs arrays in three rounds, each among the arrays
// that are left:
//   1. equal computation, instruction and structure;
//   2. equal structure, arrays of equal layouts first;
//   3. equal names and opcodes, so that only the dimensions have changed.
// The entries of both versions count as one computation, whatever their names.
ModuleDiff DiffModules(const DiffModule& before, const DiffModule& after);

// Returns the pairs (before, after) of modules. Pairs modules of equal names and file names first, then those of equal
// names of which both or neither are scheduled, then those of equal names. Two single modules are a pair in any case. A
// module without a partner has null in its place.
std::vector<std::pair<const DiffModule*, const DiffModule*>> PairModules(std::span<const DiffModule> before,
                                                                         std::span<const DiffModule> after);

// Return the comparison of all modules: as text with so many changes per pair of modules, and as JSON objects of type
// `diff`, one per pair, each followed by its changes.
std::string DiffText(std::span<const DiffModule> before, std::span<const DiffModule> after, size_t most_changes);
std::vector<Json> DiffJson(std::span<const DiffModule> before, std::span<const DiffModule> after);

}  // namespace layoutcheck
