// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads dumps of HLO modules line by line, in constant memory.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/hlo/instruction.h"

namespace layoutcheck {

enum class DumpLineKind {
  kBlank,            // nothing but white space and comments
  kModuleHeader,     // HloModule ...
  kComputationHead,  // [ENTRY] name (parameters) -> shape {
  kBrace,            // the start or end of a computation's body
  kTable,            // FileNames, FunctionNames, FileLocations, StackFrames and their numbered rows
  kInstruction,
};

struct DumpLine {
  DumpLineKind kind = DumpLineKind::kBlank;
  // Present if and only if `kind` is kInstruction.
  std::optional<HloInstruction> instruction;
};

// Returns the kind of a line and the instruction in it, if any. `line` includes the lines in which an instruction goes
// on.
// Errors, each with a column: an unreadable instruction, or a line of no known kind.
Expected<DumpLine> ReadDumpLine(std::string_view line, const ParseOptions& options = {});

// Reads the lines of a dump in order and tells their kinds. Between lines it remembers only whether a comment is open.
class DumpReader {
 public:
  // Reads the next line, with or without its line end. Errors, each with a column: an unreadable instruction, or a line
  // of no known kind. After an error, the next line can be read as usual.
  Expected<DumpLine> Read(std::string_view line);

 private:
  // Removes the end of a comment that an earlier line opened from the front of the line. Returns its length in bytes.
  int64_t SkipOpenComment(std::string_view& line);
  // Removes a comment that continues on later lines from the end of the line.
  void CutUnendingComment(std::string_view& line);

  bool in_comment_ = false;
};

}  // namespace layoutcheck
