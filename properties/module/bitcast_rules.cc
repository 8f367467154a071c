// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// bitcast-changes-size and bitcast-reads-padding.
#include <map>
#include "layoutcheck/core/base/integer.h"
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

std::string WitnessText(const OccupancyDifference& witness) {
  return StrCat("bit ", witness.bit, " holds element (", StrJoin(witness.coordinate, ","), ") of the ",
                witness.is_element_of_a ? "operand" : "result", ", and padding of the ",
                witness.is_element_of_a ? "result: the result leaves it out" : "operand: the result reads padding");
}

// Returns the bits of the elements alone.
CheckedInt64 ElementBits(const Shape& shape, const LayoutSizes& sizes) {
  return CheckedInt64(sizes.elements) * ElementSizeInBits(shape);
}

}  // namespace

void CheckBitcastSize(ModuleFacts& facts, std::vector<RuleFinding>& findings) {
  ForEachInstruction(facts.module(), [&](const ModuleComputation& computation, const ModuleInstruction& instruction) {
    if (instruction.opcode != "bitcast" || instruction.operands.size() != 1) return;
    if (ShapeOf(instruction.operands[0]) != nullptr) return;
    findings.push_back(FindingAt(Severity::kUndecided, facts, computation, instruction,
                                 "the text does not say what shape the operand has"));
  });
  ForEachBitcast(facts, [&](const ModuleComputation& computation, const ModuleInstruction& instruction,
                            const Shape* operand, const LayoutSizes& before, const LayoutSizes& after) {
    if (before.bytes == after.bytes) return;
    findings.push_back(FindingAt(Severity::kError, facts, computation, instruction,
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
    if (difference && !*difference) return;
    RuleFinding finding = FindingAt(Severity::kError, facts, computation, instruction, "");
    const CheckedInt64 bits_before = ElementBits(*operand, before);
    const CheckedInt64 bits_after = ElementBits(*instruction.shape, after);
    if (difference) {
      finding.message = WitnessText(**difference);
      finding.witness = **difference;
    } else if (!bits_before.overflow && !bits_after.overflow && bits_before.value != bits_after.value) {
      finding.message = StrCat("elements of the operand fill ", bits_before.value, " bits, and those of the result ",
                               bits_after.value, ": they are not at the same places");
    } else {
      finding.severity = Severity::kUndecided;
      finding.message = difference.error().message;
    }
    StrAppend(finding.message, "; the operand is ", ToString(*operand));
    findings.push_back(std::move(finding));
  });
}

}  // namespace layoutcheck
