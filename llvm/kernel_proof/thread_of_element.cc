// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/kernel_proof/thread_of_element.h"
#include <algorithm>
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {

std::string GuessText(const ThreadFormulas& formulas) {
  std::vector<std::string> parts;
  for (const auto& [name, formula] : formulas) parts.push_back(StrCat(name, " = ", formula.text));
  return StrJoin(parts, ", ");
}

SymbolicValues NamesOfElement(const KernelModel::Point& point, SymbolicValues values, const KernelTensor& tensor,
                              std::span<const SymbolicInteger> element) {
  SymbolicInteger linear = 0;
  for (size_t d = 0; d < element.size(); ++d) {
    linear = linear * tensor.sizes()[d] + element[d];
    values.insert_or_assign(StrCat("i", d), element[d]);
  }
  values.insert_or_assign(kLinearIndex, linear);
  values.insert_or_assign(kPlace, FloorDiv(tensor.PlaceOf(element), tensor.element_bytes()));
  for (size_t axis = 0; axis < kAxes.size(); ++axis) {
    if (point.block[axis]) values.insert_or_assign(ThreadName("block_dim", axis), *point.block[axis]);
    if (point.grid[axis]) values.insert_or_assign(ThreadName("grid_dim", axis), *point.grid[axis]);
  }
  return values;
}

std::optional<SymbolicValues> ThreadOf(const ThreadGuess& guess, const KernelModel::Point& point,
                                       const SymbolicValues& values, size_t array,
                                       std::span<const SymbolicInteger> element) {
  const auto formulas = guess.find(array);
  if (formulas == guess.end()) return std::nullopt;
  const SymbolicValues names = NamesOfElement(point, values, point.tensors[array], element);
  SymbolicValues thread;
  for (const auto& [name, formula] : formulas->second) {
    const bool is_known = std::ranges::all_of(formula.names, [&](const auto& used) { return names.contains(used); });
    if (!is_known) return std::nullopt;
    thread.emplace(name, ValueOf(formula, names));
  }
  return thread;
}

}  // namespace layoutcheck
