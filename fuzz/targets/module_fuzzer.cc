// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fuzz target: takes any bytes as a module and as a log, and judges what was read of them.
#include <algorithm>
#include <string>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/module/log_reader.h"
#include "layoutcheck/core/module/module_reader.h"
#include "layoutcheck/fuzz/text/target.h"
#include "layoutcheck/properties/module/live_memory.h"
#include "layoutcheck/properties/module/module_facts.h"
#include "layoutcheck/properties/module/rule.h"

namespace layoutcheck {
namespace {

// Returns what is wrong with a place in the text, if anything is.
std::optional<std::string> Misplaced(std::string_view text, TextPlace place) {
  for (int64_t line = 1; line < place.line; ++line) {
    const size_t end = text.find('\n');
    if (end == std::string_view::npos) return StrCat("a place in line ", place.line, " of ", line);
    text.remove_prefix(end + 1);
  }
  const auto size = static_cast<int64_t>(text.substr(0, text.find('\n')).size());
  if (place.line >= 1 && place.column >= 1 && place.column <= size + 1) return std::nullopt;
  return StrCat("a place in column ", place.column, " of a line of ", size, " bytes");
}

std::optional<std::string> BrokenProperty(const HloModule& module) {
  const std::string_view text = *module.text;
  for (const ReadProblem& problem : module.problems) {
    if (auto misplaced = Misplaced(text, problem.place)) return misplaced;
  }
  if (!std::ranges::is_sorted(module.problems, {}, [](const ReadProblem& problem) { return problem.place.line; })) {
    return "problems that are not in the order of the text";
  }
  const auto computations = static_cast<int64_t>(module.computations.size());
  for (const ModuleComputation& computation : module.computations) {
    const auto instructions = static_cast<int64_t>(computation.instructions.size());
    for (const ModuleInstruction& instruction : computation.instructions) {
      if (auto misplaced = Misplaced(text, instruction.place)) return misplaced;
      for (const ModuleOperand& operand : instruction.operands) {
        if (operand.instruction >= instructions) return "an operand that names no instruction";
      }
      for (const ComputationCall& call : instruction.calls) {
        if (call.computation >= computations) return "a call that names no computation";
      }
    }
  }
  ModuleFacts facts(module);
  (void)CheckModule(facts);
  for (const ArrayCost& array : ArraysOf(facts)) {
    if (array.bytes < 0 || array.needed_bytes < 0) return "an array of less than no bytes";
  }
  (void)LiveMemoryOf(facts);
  return std::nullopt;
}

}  // namespace
}  // namespace layoutcheck

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string text(layoutcheck::InputText(data, size));
  layoutcheck::Require(layoutcheck::BrokenProperty(layoutcheck::ReadModule(text)));
  layoutcheck::Require(layoutcheck::BrokenProperty(layoutcheck::ReadLog(text)));
  return 0;
}
