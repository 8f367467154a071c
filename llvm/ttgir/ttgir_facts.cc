// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/ttgir/ttgir_facts.h"
#include <algorithm>
#include <array>
#include <string_view>

namespace layoutcheck {
namespace {

// Returns true if the operation computes each element of its results from the same element of its operands, from a
// scalar or from the element's index.
bool IsComputedPerElement(const TtirOp& op) {
  static constexpr std::array<std::string_view, 10> kNames = {
      "tt.splat",   "tt.make_range", "tt.expand_dims", "tt.broadcast",  "tt.addptr",
      "tt.bitcast", "tt.fp_to_fp",   "tt.int_to_ptr",  "tt.ptr_to_int", "ttg.convert_layout"};
  if (!op.regions.empty()) return false;
  if (op.name == "arith.constant") {
    return std::ranges::none_of(op.words, [](const std::string& word) { return word.contains('['); });
  }
  return op.name.starts_with("arith.") || op.name.starts_with("math.") ||
         std::ranges::find(kNames, op.name) != kNames.end();
}

}  // namespace

const std::vector<const TtirOp*>& TtgirUses::Of(const TtirValue* value) const {
  static const std::vector<const TtirOp*> kNone;
  const auto found = uses_.find(value);
  return found == uses_.end() ? kNone : found->second;
}

void TtgirUses::Add(const std::vector<TtirBlock>& blocks, int64_t loops) {
  for (const TtirBlock& block : blocks) {
    for (const auto& op : block.ops) {
      places_.push_back({op.get(), loops});
      for (const TtirValue* operand : op->operands) uses_[operand].push_back(op.get());
      for (const TtirSuccessor& successor : op->successors) {
        for (const TtirValue* argument : successor.arguments) uses_[argument].push_back(op.get());
      }
      const bool is_loop = op->name == "scf.for" || op->name == "scf.while";
      for (const auto& region : op->regions) Add(region, loops + (is_loop ? 1 : 0));
    }
  }
}

std::optional<std::set<const TtirOp*>> ComputedFromScalars(const TtirValue* tensor) {
  constexpr size_t kMostOperations = 1000;
  std::set<const TtirOp*> operations;
  std::vector<const TtirValue*> open = {tensor};
  while (!open.empty()) {
    const TtirValue* const value = open.back();
    open.pop_back();
    if (!value->type.is_tensor()) continue;
    const TtirOp* const op = value->definition;
    if (op == nullptr || !IsComputedPerElement(*op)) return std::nullopt;
    if (!operations.insert(op).second) continue;
    if (operations.size() > kMostOperations) return std::nullopt;
    open.insert(open.end(), op->operands.begin(), op->operands.end());
  }
  return operations;
}

}  // namespace layoutcheck
