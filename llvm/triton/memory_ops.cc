// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/triton/memory_ops.h"
#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace layoutcheck {
namespace {

// A value that control passes on from two places: into a loop and from its last iteration, or from two branches.
struct Passed {
  const TtirValue* value = nullptr;
  std::array<const TtirValue*, 2> from{};
};

// Returns the values that the operation passes on; none if it is another, or its parts do not fit each other.
std::vector<Passed> PassedBy(const TtirOp& op) {
  std::vector<Passed> passed;
  const size_t count = op.results.size();
  if (op.name == "scf.for" && op.regions.size() == 1) {
    const auto yielded = EndOf(op.regions[0]);
    const auto& arguments = op.regions[0][0].arguments;
    if (yielded.size() != count || arguments.size() != 1 + count || op.operands.size() != 3 + count) return {};
    for (size_t k = 0; k < count; ++k) passed.push_back({arguments[1 + k], {op.operands[3 + k], yielded[k]}});
    for (size_t k = 0; k < count; ++k) passed.push_back({op.results[k], {arguments[1 + k], arguments[1 + k]}});
  } else if (op.name == "scf.if" && op.regions.size() == 2) {
    const auto one = EndOf(op.regions[0]);
    const auto other = EndOf(op.regions[1]);
    if (one.size() != count || other.size() != count) return {};
    for (size_t k = 0; k < count; ++k) passed.push_back({op.results[k], {one[k], other[k]}});
  }
  return passed;
}

}  // namespace

std::vector<TtirValue*> EndOf(const std::vector<TtirBlock>& region) {
  if (region.empty() || region[0].ops.empty()) return {};
  const TtirOp& last = *region[0].ops.back();
  return last.name == "scf.yield" || last.name == "scf.condition" ? last.operands : std::vector<TtirValue*>();
}

PointerRoots::PointerRoots(const TtirFunction& function) {
  for (const TtirValue* const argument : function.arguments) roots_[argument] = argument;
  // At first, what a loop passes on has the root that it begins with. Roots that do not fit are then taken away, until
  // all that are left fit.
  ForEachOp(function.blocks, [&](const TtirOp& op) {
    for (const Passed& passed : PassedBy(op)) roots_[passed.value] = Of(*passed.from[0]);
  });
  for (bool is_changed = true; is_changed;) {
    is_changed = false;
    ForEachOp(function.blocks, [&](const TtirOp& op) {
      for (const Passed& passed : PassedBy(op)) {
        const TtirValue*& root = roots_[passed.value];
        const bool fits = std::ranges::all_of(passed.from, [&](const auto* from) { return Of(*from) == root; });
        if (root == nullptr || fits) continue;
        root = nullptr;
        is_changed = true;
      }
    });
  }
}

const TtirValue* PointerRoots::Of(const TtirValue& pointer) const {
  constexpr std::string_view kKeepRoot[] = {"tt.addptr",      "tt.splat",   "tt.broadcast", "tt.trans",
                                            "tt.expand_dims", "tt.reshape", "tt.bitcast"};
  const TtirValue* value = &pointer;
  while (value->definition != nullptr && std::ranges::find(kKeepRoot, value->definition->name) != std::end(kKeepRoot) &&
         !value->definition->operands.empty()) {
    value = value->definition->operands[0];
  }
  const auto known = roots_.find(value);
  return known == roots_.end() ? nullptr : known->second;
}

}  // namespace layoutcheck
