// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// bitcast-changes-size and bitcast-reads-padding.
#include <map>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/hlo/printer.h"
#include "layoutcheck/core/xla_util/bitcast.h"
#include "layoutcheck/properties/module/rules_internal.h"

namespace layoutcheck {
namespace {

// Calls visit(computation, instruction, operand, sizes of the operand, sizes of the result) for each bitcast between
// valid arrays with layouts.
template <class Visit>
void ForEachBitcast(ModuleFacts& facts, Visit visit) {
  ForEachInstruction(facts.module(), [&](const ModuleComputation& computation, const ModuleInstruction& instruction) {
    if (instruction.opcode != "bitcast" || instruction.operands.size() != 1) return;
    const Shape* const operand = ShapeOf(instruction.operands[0]);
    const LayoutSizes* const before = facts.Sizes(operand);
    const LayoutSizes* const after = facts.Sizes(instruction.shape);
    if (before != nullptr && after != nullptr) visit(computation, instruction, operand, *before, *after);
  });
}

// Returns true if one row-major numbering of the elements has them at the same places: the bitcast is a reshape, a
// transpose, or both.
bool Decomposes(const Shape& operand, const Shape& result) {
  const auto decomposition = DecomposeBitcast(operand, result);
  return decomposition && decomposition->has_value();
}

bool IsFull(const LayoutSizes& sizes) { return sizes.elements == sizes.padded_elements; }

// Returns the finding that places of elements and places of padding meet, at a witness.
RuleFinding PaddingFinding(const ModuleComputation& computation, const ModuleInstruction& instruction,
                           const Shape& operand, const OccupancyDifference& witness) {
  std::string message = StrCat("bit ", witness.bit, " holds element (", StrJoin(witness.coordinate, ","), ") of the ");
  if (witness.is_element_of_a) {
    StrAppend(message, "operand, and padding of the result: a slice that costs nothing; the operand is ");
  } else {
    StrAppend(message, "result, and padding of the operand; the operand is ");
  }
  RuleFinding finding =
      FindingAt("bitcast-reads-padding", witness.is_element_of_a ? Severity::kAdvice : Severity::kError, computation,
                instruction, message + ToString(operand));
  finding.witness = witness;
  return finding;
}

}  // namespace

void CheckBitcastSize(ModuleFacts& facts, std::vector<RuleFinding>& findings) {
  ForEachBitcast(facts, [&](const ModuleComputation& computation, const ModuleInstruction& instruction,
                            const Shape* operand, const LayoutSizes& before, const LayoutSizes& after) {
    if (before.bytes == after.bytes) return;
    findings.push_back(FindingAt("bitcast-changes-size", Severity::kError, computation, instruction,
                                 StrCat("the operand ", ToString(*operand), " allocates ", before.bytes,
                                        " bytes, and the result ", after.bytes)));
  });
}

void CheckBitcastPadding(ModuleFacts& facts, std::vector<RuleFinding>& findings) {
  using Compared = Expected<std::optional<OccupancyDifference>>;
  std::map<std::pair<const Shape*, const Shape*>, Compared> known;
  ForEachBitcast(facts, [&](const ModuleComputation& computation, const ModuleInstruction& instruction,
                            const Shape* operand, const LayoutSizes& before, const LayoutSizes& after) {
    if (before.bytes != after.bytes) return;  // bitcast-changes-size
    const auto [found, is_new] = known.try_emplace({operand, instruction.shape}, std::nullopt);
    Compared& difference = found->second;
    const bool are_full = IsFull(before) && IsFull(after);
    if (is_new && !are_full && !Decomposes(*operand, *instruction.shape)) {
      difference = FindOccupancyDifference(*operand, *instruction.shape);
    }
    if (difference && *difference) {
      findings.push_back(PaddingFinding(computation, instruction, *operand, **difference));
    } else if (!difference && !IsFull(before)) {  // nobody reads padding of an operand that has none
      findings.push_back(FindingAt("bitcast-reads-padding", Severity::kUndecided, computation, instruction,
                                   StrCat("operand ", ToString(*operand), ": ", difference.error().message)));
    }
  });
}

}  // namespace layoutcheck
