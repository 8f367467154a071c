// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rule reshape-moves-data, and the moves that it finds.
#include <map>
#include <tuple>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/hlo/printer.h"
#include "layoutcheck/core/xla_util/permutation.h"
#include "layoutcheck/properties/module/rules_internal.h"

namespace layoutcheck {
namespace {

bool IsReshape(const ModuleInstruction& instruction) { return instruction.opcode == "reshape"; }

std::string IndexText(const std::vector<int64_t>& index) { return StrCat("(", StrJoin(index, ","), ")"); }

std::string ElementText(const ElementMove& move) {
  return StrCat(move.is_first ? "the first element that moves, " : "an element, ", IndexText(move.input),
                " of the operand and ", IndexText(move.output), " of the result, goes from offset ", move.from, " to ",
                move.to);
}

}  // namespace

bool IsStaticReshapeOrTranspose(ModuleFacts& facts, const ModuleInstruction& instruction) {
  if (!IsReshape(instruction) && instruction.opcode != "transpose") return false;
  if (instruction.operands.size() != 1) return false;
  const Shape* const operand = ShapeOf(instruction.operands[0]);
  const LayoutSizes* const before = facts.Sizes(operand);
  const LayoutSizes* const after = facts.Sizes(instruction.shape);
  if (operand == nullptr || before == nullptr || after == nullptr) return false;
  const Shape& result = *instruction.shape;
  if (operand->HasDynamicDimension() || result.HasDynamicDimension()) return false;
  if (operand->element_type != result.element_type) return false;
  if (IsReshape(instruction)) return before->elements == after->elements;
  const auto permuted = Permute(operand->dimensions, instruction.dimensions);
  return permuted && *permuted == result.dimensions;
}

Expected<std::optional<DataMove>> DataMoveOf(ModuleFacts& facts, const ModuleInstruction& instruction) {
  const Shape* const operand = ShapeOf(instruction.operands[0]);
  const LayoutSizes* const before = facts.Sizes(operand);
  const LayoutSizes* const after = facts.Sizes(instruction.shape);
  const Shape& result = *instruction.shape;
  Shape input = *operand;
  input.layout->memory_space = result.layout->memory_space;
  LAYOUTCHECK_TRY(const auto is_bitcast, IsReshape(instruction)
                                             ? ReshapeIsBitcast(input, result)
                                             : TransposeIsBitcast(input, result, instruction.dimensions));
  if (is_bitcast) return std::nullopt;
  DataMove move{.bytes = after->bytes, .element = std::nullopt, .reason = "elements have other offsets"};
  if (ElementSizeInBits(input) != ElementSizeInBits(result)) {
    move.reason = StrCat("an element takes ", ElementSizeInBits(input), " bits in the operand, and ",
                         ElementSizeInBits(result), " in the result");
    return move;
  }
  const auto element = IsReshape(instruction) ? FindElementMovedByReshape(input, result)
                                              : FindElementMovedByTranspose(input, result, instruction.dimensions);
  if (!element) return move;
  move.element = *element;
  if (move.element) {
    move.reason = ElementText(*move.element);
  } else if (before->bytes != after->bytes) {
    move.reason = StrCat("no element has another offset, but the operand allocates ", before->bytes,
                         " bytes, and the result ", after->bytes);
  } else {
    move.reason = StrCat("the elements begin behind ", input.layout->dynamic_shape_metadata_prefix_bytes,
                         " bytes of metadata in the operand, and behind ",
                         result.layout->dynamic_shape_metadata_prefix_bytes, " in the result");
  }
  return move;
}

void CheckReshapeMovesData(ModuleFacts& facts, std::vector<RuleFinding>& findings) {
  // Equal shapes have one address, and layers of a model repeat their operations.
  using Operation = std::tuple<std::string_view, const Shape*, const Shape*, std::vector<int64_t>>;
  std::map<Operation, Expected<std::optional<DataMove>>> known;
  ForEachInstruction(facts.module(), [&](const ModuleComputation& computation, const ModuleInstruction& instruction) {
    if (!facts.IsMaterialized(computation) || !IsStaticReshapeOrTranspose(facts, instruction)) return;
    const Shape* const operand = ShapeOf(instruction.operands[0]);
    const Operation operation(instruction.opcode, operand, instruction.shape, instruction.dimensions);
    const auto [found, is_new] = known.try_emplace(operation, std::nullopt);
    Expected<std::optional<DataMove>>& move = found->second;
    if (is_new) move = DataMoveOf(facts, instruction);
    if (move && !*move) return;
    const std::string what = StrCat("the ", instruction.opcode, " of ", ToString(*operand));
    if (!move) {
      findings.push_back(FindingAt(Severity::kUndecided, facts, computation, instruction,
                                   StrCat(what, " may move data: ", move.error().message)));
      return;
    }
    findings.push_back(FindingAt(Severity::kAdvice, facts, computation, instruction,
                                 StrCat(what, " moves ", (*move)->bytes, " bytes: ", (*move)->reason)));
    findings.back().move = *move;
  });
}

}  // namespace layoutcheck
