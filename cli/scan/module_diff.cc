// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/scan/module_diff.h"
#include <algorithm>
#include <functional>
#include <unordered_map>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/hlo/printer.h"

namespace layoutcheck {
namespace {

constexpr size_t kNone = static_cast<size_t>(-1);

template <class T>
using KeyOf = std::string (*)(const T&);

// Returns, for each item of `after`, the index of its partner in `before`, or kNone. Each key in turn pairs items that
// have no partner yet and whose keys are equal, in their order.
template <class T>
std::vector<size_t> PairByKeys(std::span<const T> before, std::span<const T> after, std::span<const KeyOf<T>> keys) {
  std::vector<size_t> partners(after.size(), kNone);
  std::vector<bool> is_taken(before.size());
  for (const KeyOf<T> key_of : keys) {
    std::unordered_map<std::string, std::vector<size_t>> open;  // by key, the first one last
    for (size_t k = before.size(); k-- > 0;) {
      if (!is_taken[k]) open[key_of(before[k])].push_back(k);
    }
    for (size_t k = 0; k < after.size() && !open.empty(); ++k) {
      if (partners[k] != kNone) continue;
      const auto found = open.find(key_of(after[k]));
      if (found == open.end() || found->second.empty()) continue;
      partners[k] = found->second.back();
      is_taken[partners[k]] = true;
      found->second.pop_back();
    }
  }
  return partners;
}

std::string ComputationKey(const DiffArray& array) { return array.is_of_entry ? "ENTRY" : array.computation; }

std::string NameOfFile(const std::string& path) { return path.substr(path.rfind('/') + 1); }

std::string StructureOf(const ArrayCost& array, size_t part) {
  std::string structure = StrCat(array.instruction->opcode, "(");
  for (const ModuleOperand& operand : array.instruction->operands) {
    const bool is_known = operand.instruction >= 0;
    StrAppend(structure,
              is_known ? array.computation->instructions[static_cast<size_t>(operand.instruction)].opcode : "?", ",");
  }
  Shape plain = *array.shape;
  plain.layout.reset();
  StrAppend(structure, ")", part, " ", ToString(plain));
  return structure;
}

}  // namespace

DiffModule DiffModuleOf(const ModuleScan& scan) {
  DiffModule module{.file = scan.file,
                    .name = std::string(scan.module->name),
                    .is_scheduled = scan.module->is_scheduled,
                    .totals = scan.totals,
                    .copies = scan.copies,
                    .peak_bytes = std::nullopt,
                    .arrays = {}};
  if (scan.live) module.peak_bytes = scan.live->curve[scan.live->peak].bytes;
  const ModuleInstruction* last = nullptr;
  size_t part = 0;
  for (const ArrayCost& array : scan.arrays) {
    part = array.instruction == last ? part + 1 : 0;
    last = array.instruction;
    module.arrays.push_back({.computation = std::string(array.computation->name),
                             .instruction = std::string(array.instruction->name),
                             .opcode = std::string(array.instruction->opcode),
                             .shape = ToString(*array.shape),
                             .structure = StructureOf(array, part),
                             .is_of_entry = array.computation->is_entry,
                             .line = array.instruction->place.line,
                             .bytes = array.bytes});
  }
  return module;
}

ModuleDiff DiffModules(const DiffModule& before, const DiffModule& after) {
  static constexpr KeyOf<DiffArray> kKeys[] = {
      [](const DiffArray& array) {
        return StrCat(ComputationKey(array), "/", array.instruction, " ", array.structure);
      },
      [](const DiffArray& array) { return StrCat(ComputationKey(array), "/", array.structure, " ", array.shape); },
      [](const DiffArray& array) { return StrCat(array.structure, " ", array.shape); },
      [](const DiffArray& array) { return StrCat(ComputationKey(array), "/", array.structure); },
      [](const DiffArray& array) { return array.structure; },
      [](const DiffArray& array) { return StrCat(ComputationKey(array), "/", array.instruction, " ", array.opcode); },
  };
  ModuleDiff diff;
  const std::vector<size_t> partners = PairByKeys<DiffArray>(before.arrays, after.arrays, kKeys);
  std::vector<bool> has_partner(before.arrays.size());
  for (size_t k = 0; k < partners.size(); ++k) {
    const DiffArray* const partner = partners[k] == kNone ? nullptr : &before.arrays[partners[k]];
    if (partner != nullptr) has_partner[partners[k]] = true;
    if (partner != nullptr && partner->shape == after.arrays[k].shape) {
      ++diff.unchanged;
    } else {
      diff.changes.push_back({partner, &after.arrays[k]});
    }
  }
  for (size_t k = 0; k < before.arrays.size(); ++k) {
    if (!has_partner[k]) diff.changes.push_back({&before.arrays[k], nullptr});
  }
  std::ranges::stable_sort(diff.changes, std::greater<>(),
                           [](const ArrayChange& change) { return std::abs(change.MoreBytes()); });
  return diff;
}

std::vector<std::pair<const DiffModule*, const DiffModule*>> PairModules(std::span<const DiffModule> before,
                                                                         std::span<const DiffModule> after) {
  static constexpr KeyOf<DiffModule> kKeys[] = {
      [](const DiffModule& module) { return StrCat(module.name, " ", NameOfFile(module.file)); },
      [](const DiffModule& module) { return StrCat(module.name, module.is_scheduled ? " scheduled" : " unscheduled"); },
      [](const DiffModule& module) { return module.name; },
      [](const DiffModule&) { return std::string(); },
  };
  // Modules of different names are two versions of one only if there is no other choice.
  const bool is_one_pair = before.size() == 1 && after.size() == 1;
  const std::span keys = std::span(kKeys).first(is_one_pair ? 4 : 3);
  std::vector<std::pair<const DiffModule*, const DiffModule*>> pairs;
  std::vector<bool> has_partner(before.size());
  const std::vector<size_t> partners = PairByKeys<DiffModule>(before, after, keys);
  for (size_t k = 0; k < after.size(); ++k) {
    if (partners[k] != kNone) has_partner[partners[k]] = true;
    pairs.emplace_back(partners[k] == kNone ? nullptr : &before[partners[k]], &after[k]);
  }
  for (size_t k = 0; k < before.size(); ++k) {
    if (!has_partner[k]) pairs.emplace_back(&before[k], nullptr);
  }
  return pairs;
}

}  // namespace layoutcheck
