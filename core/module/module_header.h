// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The lines of a module that are not instructions: its header, the heads of computations, the tables of stack frames.
#pragma once

#include <cstdint>
#include <map>
#include <string_view>
#include <utility>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/module/module.h"

namespace layoutcheck {

// Reads `HloModule name, attribute=value, ...` into the module. Attributes that say nothing of layouts are skipped.
// Errors (syntax), with a column.
Expected<void> ReadModuleHeader(std::string_view line, HloModule& module);

// Reads `[ENTRY] name [(parameter: shape, ...) -> shape] {` into the computation. Errors (syntax), with a column.
Expected<void> ReadComputationHead(std::string_view line, HloModule& module, ModuleComputation& computation);

// Reads the value of the attribute output_to_operand_aliasing, `{output: (operand, index), ...}`. Errors (syntax), with
// a column.
Expected<std::vector<BufferAlias>> ReadOperandAliases(std::string_view text);

// The tables FileNames, FileLocations and StackFrames, by which `stack_frame_id=N` names a line of source.
class StackFrameTables {
 public:
  // Reads the title of a table or one of its rows. Rows of other tables and broken rows are skipped.
  void Read(std::string_view line);
  // Returns the file (as in the text, owned by it) and line of a frame, or an empty name and 0.
  std::pair<std::string_view, int64_t> Find(int64_t frame) const;

 private:
  std::string_view table_;
  std::map<int64_t, std::string_view> files_;
  std::map<int64_t, std::pair<int64_t, int64_t>> locations_;  // file and line
  std::map<int64_t, int64_t> frames_;                         // location
};

}  // namespace layoutcheck
