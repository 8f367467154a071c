// Reads dumps of HLO modules line by line, whatever their size.
#ifndef LAYOUTCHECK_CORE_HLO_DUMP_READER_H_
#define LAYOUTCHECK_CORE_HLO_DUMP_READER_H_

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
  // Where kind is kInstruction.
  std::optional<HloInstruction> instruction;
};

// Takes the lines of a dump in order and says what each is. Keeps nothing of a line but whether it leaves a comment
// open.
class DumpReader {
 public:
  // The next line, with or without its line end. An instruction that cannot be read, and a line that is none of the
  // kinds, is an error with a column; reading goes on with the next line.
  Expected<DumpLine> Read(std::string_view line);

  // The number of lines taken.
  int64_t line_number() const { return line_number_; }

 private:
  // Cuts off the part that belongs to a comment that earlier lines opened. Returns its length.
  int64_t SkipOpenComment(std::string_view& line);
  // Cuts off a comment that goes on in later lines.
  void CutUnendingComment(std::string_view& line);

  int64_t line_number_ = 0;
  bool in_comment_ = false;
};

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_CORE_HLO_DUMP_READER_H_
