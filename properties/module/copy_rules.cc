// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// copy-is-free, copy-of-copy and padding-waste.
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/hlo/printer.h"
#include "layoutcheck/core/xla_util/bitcast.h"
#include "layoutcheck/properties/module/rules_internal.h"

namespace layoutcheck {
namespace {

// Returns true if a copy, transpose or reshape of valid arrays leaves every element where it is. A copy to the same
// layout is none: it gives the value a buffer of its own.
bool MovesNothing(const ModuleInstruction& instruction, const Shape& operand, const Shape& result) {
  if (instruction.opcode == "copy") {
    if (operand.layout == result.layout || operand.dimensions != result.dimensions) return false;
    return ReshapeIsBitcast(operand, result) == true;
  }
  if (instruction.opcode == "reshape") return ReshapeIsBitcast(operand, result) == true;
  if (instruction.opcode != "transpose") return false;
  return TransposeIsBitcast(operand, result, instruction.dimensions) == true;
}

}  // namespace

void CheckCopyIsFree(ModuleFacts& facts, std::vector<RuleFinding>& findings) {
  ForEachInstruction(facts.module(), [&](const ModuleComputation& computation, const ModuleInstruction& instruction) {
    if (!facts.IsMaterialized(computation) || instruction.operands.size() != 1) return;
    const Shape* const operand = ShapeOf(instruction.operands[0]);
    const LayoutSizes* const sizes = facts.Sizes(instruction.shape);
    if (facts.Sizes(operand) == nullptr || sizes == nullptr) return;
    if (!MovesNothing(instruction, *operand, *instruction.shape)) return;
    findings.push_back(FindingAt(Severity::kAdvice, facts, computation, instruction,
                                 StrCat("the ", instruction.opcode, " of ", ToString(*operand), " moves none of ",
                                        sizes->bytes, " bytes: a bitcast would do")));
  });
}

void CheckCopyOfCopy(ModuleFacts& facts, std::vector<RuleFinding>& findings) {
  ForEachInstruction(facts.module(), [&](const ModuleComputation& computation, const ModuleInstruction& second) {
    if (!facts.IsMaterialized(computation) || second.opcode != "copy" || second.operands.size() != 1) return;
    if (second.operands[0].instruction < 0) return;
    const ModuleInstruction& first = computation.instructions[static_cast<size_t>(second.operands[0].instruction)];
    if (first.opcode != "copy" || first.operands.size() != 1) return;
    const Shape* const before = ShapeOf(first.operands[0]);
    const LayoutSizes* const sizes = facts.Sizes(second.shape);
    if (facts.Sizes(before) == nullptr || sizes == nullptr || !(*before == *second.shape)) return;
    if (first.shape == nullptr || *first.shape == *before) return;
    findings.push_back(FindingAt(Severity::kAdvice, facts, computation, second,
                                 StrCat("back to the layout from which ", first.name, " came, through ",
                                        ToString(*first.shape), ": two copies of ", sizes->bytes, " bytes")));
  });
}

void CheckPaddingWaste(ModuleFacts& facts, std::vector<RuleFinding>& findings) {
  constexpr int64_t kFewestBytes = int64_t{64} << 10;
  ForEachInstruction(facts.module(), [&](const ModuleComputation& computation, const ModuleInstruction& instruction) {
    if (!facts.IsMaterialized(computation) || NamesMemory(instruction.opcode)) return;
    const LayoutSizes* const sizes = facts.Sizes(instruction.shape);
    if (sizes == nullptr || sizes->bytes < kFewestBytes) return;
    const int64_t needed = facts.NeededBytes(instruction.shape);
    if (needed > sizes->bytes / 2) return;
    std::string message = StrCat("allocates ", sizes->bytes, " bytes for ", needed, " bytes of elements");
    if (const std::optional<Shape>& tightest = facts.Tightest(instruction.shape)) {
      const auto smallest = SizesOf(*tightest);
      if (smallest) StrAppend(message, "; ", ToString(*tightest), " would take ", smallest->bytes);
    } else {
      StrAppend(message, "; no order of its dimensions", facts.tilings().empty() ? "" : " and none of the tilings",
                " takes less");
    }
    findings.push_back(FindingAt(Severity::kAdvice, facts, computation, instruction, std::move(message)));
  });
}

}  // namespace layoutcheck
