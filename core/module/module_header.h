// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The lines of a module that are not instructions: its header, the heads of computations, the tables of stack frames.
//
// Finds the end of an instruction or a head that spans several lines of a dump.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/hlo/lexer.h"
#include "layoutcheck/core/hlo/parser.h"
#include "layoutcheck/core/module/module.h"

namespace layoutcheck {

// A missing layout stays missing, and an invalid one is for others to judge.
inline constexpr ParseOptions kShapeOptions{.fill_missing_layouts = false, .validate = false};

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

// Returns the role of the computations that the attribute names, or nothing if it names none.
std::optional<CallRole> RoleOf(std::string_view attribute);

// Returns true if the line begins a computation or a module. What stands before the line does not matter.
bool BeginsComputation(std::string_view line);
// Returns true if the line begins an instruction, a computation or a module. What stands before it does not matter.
bool BeginsAnew(std::string_view line);
// Returns true if a computation in braces begins at the end of the text, as after `to_apply={`.
bool OpensComputation(std::string_view text);

// Follows the brackets of a text that is continued line by line.
class OpenBrackets {
 public:
  void Add(std::string_view line);
  // Returns true if the next line must belong to the text, too.
  bool IsIncomplete() const;
  bool InBraces() const { return !open_.empty() && open_.back() == TokenKind::kLeftBrace; }

 private:
  std::vector<TokenKind> open_;
  TokenKind last_ = TokenKind::kEof;
};

}  // namespace layoutcheck
