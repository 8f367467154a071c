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

// Returns a finding about a shape: of an instruction, else of the head of a computation, else of the module's header.
// CheckModule sets its rule.
inline RuleFinding FindingAt(Severity severity, const HloModule& module, const ModuleComputation* computation,
                             const ModuleInstruction* instruction, const Shape* shape, std::string message) {
  return {.rule = {},
          .severity = severity,
          .place = instruction != nullptr   ? instruction->place
                   : computation != nullptr ? computation->place
                                            : module.place,
          .computation = computation,
          .instruction = instruction,
          .shape = shape,
          .message = std::move(message),
          .witness = std::nullopt};
}
inline RuleFinding FindingAt(Severity severity, const ModuleFacts& facts, const ModuleComputation& computation,
                             const ModuleInstruction& instruction, std::string message) {
  return FindingAt(severity, facts.module(), &computation, &instruction, instruction.shape, std::move(message));
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
void CheckIllegalSharding(ModuleFacts& facts, std::vector<RuleFinding>& findings);
void CheckUnevenSharding(ModuleFacts& facts, std::vector<RuleFinding>& findings);
void CheckShardingMismatch(ModuleFacts& facts, std::vector<RuleFinding>& findings);
void CheckOperandResharded(ModuleFacts& facts, std::vector<RuleFinding>& findings);
void CheckReshapeMovesData(ModuleFacts& facts, std::vector<RuleFinding>& findings);
void CheckCopyIsFree(ModuleFacts& facts, std::vector<RuleFinding>& findings);
void CheckCopyOfCopy(ModuleFacts& facts, std::vector<RuleFinding>& findings);
void CheckPaddingWaste(ModuleFacts& facts, std::vector<RuleFinding>& findings);

}  // namespace layoutcheck
