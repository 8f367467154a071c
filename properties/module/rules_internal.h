// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <utility>
#include <vector>
#include "layoutcheck/properties/module/module_facts.h"
#include "layoutcheck/properties/module/rule.h"

namespace layoutcheck {

// Calls visit(computation, instruction) for each instruction of the module, in the order of the text.
template <class Visit>
void ForEachInstruction(const HloModule& module, Visit visit) {
  for (const ModuleComputation& computation : module.computations) {
    for (const ModuleInstruction& instruction : computation.instructions) visit(computation, instruction);
  }
}

// Returns a finding about an instruction.
inline RuleFinding FindingAt(std::string_view rule, Severity severity, const ModuleComputation& computation,
                             const ModuleInstruction& instruction, std::string message) {
  return {.rule = rule,
          .severity = severity,
          .place = instruction.place,
          .computation = &computation,
          .instruction = &instruction,
          .shape = instruction.shape,
          .message = std::move(message),
          .witness = std::nullopt};
}

// Returns the shape of an operand: where it is defined, or else as printed; null if neither is known.
inline const Shape* ShapeOf(const ModuleOperand& operand) {
  return operand.defined != nullptr ? operand.defined : operand.printed;
}

// The checks of the rules, one function per row of ModuleRules().
void CheckIllegalLayout(ModuleFacts& facts, std::vector<RuleFinding>& findings);
void CheckBitcastSize(ModuleFacts& facts, std::vector<RuleFinding>& findings);
void CheckBitcastPadding(ModuleFacts& facts, std::vector<RuleFinding>& findings);
void CheckLayoutMismatch(ModuleFacts& facts, std::vector<RuleFinding>& findings);
void CheckCopyIsFree(ModuleFacts& facts, std::vector<RuleFinding>& findings);
void CheckCopyOfCopy(ModuleFacts& facts, std::vector<RuleFinding>& findings);
void CheckPaddingWaste(ModuleFacts& facts, std::vector<RuleFinding>& findings);

}  // namespace layoutcheck
