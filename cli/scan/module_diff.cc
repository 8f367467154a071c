// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/scan/module_diff.h"
#include <fmt/format.h>
#include <algorithm>
#include <functional>
#include "layoutcheck/cli/base/bytes.h"
#include "layoutcheck/cli/base/command.h"
#include "layoutcheck/cli/scan/pair_by_keys.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/hlo/printer.h"
#include "layoutcheck/json/json.h"

namespace layoutcheck {
namespace {

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

std::string TitleOf(const DiffModule& module) { return StrCat(OneLine(module.name), " in ", OneLine(module.file)); }

// Returns a row of the table of totals.
std::string TotalsRow(std::string_view name, int64_t before, int64_t after) {
  return fmt::format("{:>12} {:>12} {:>12}  {}\n", RoundedBytes(before), RoundedBytes(after),
                     SignedRoundedBytes(after - before), name);
}

std::string NameOf(const DiffArray& array) { return StrCat(array.computation, "/", array.instruction); }

std::string ShapeOf(const DiffArray& array) {
  return StrCat(array.shape, array.sharding.empty() ? "" : " ", array.sharding);
}

// Returns "main/x f32[8]{0} -> f32[8]{0:T(8)}", with the old name if it was another, and with the bytes on a device if
// those have changed.
std::string Describe(const ArrayChange& change) {
  if (change.after == nullptr) {
    return StrCat(NameOf(*change.before), " ", change.before->opcode, " ", ShapeOf(*change.before), ", only in OLD");
  }
  std::string text = StrCat(NameOf(*change.after), " ", change.after->opcode);
  if (change.before == nullptr) return StrAppend(text, " ", ShapeOf(*change.after), ", new"), text;
  const bool is_same_place = change.before->computation == change.after->computation ||
                             (change.before->is_of_entry && change.after->is_of_entry);
  if (!is_same_place || change.before->instruction != change.after->instruction) {
    StrAppend(text, " (was ", NameOf(*change.before), ")");
  }
  StrAppend(text, " ", ShapeOf(*change.before), " -> ", ShapeOf(*change.after));
  if (change.MoreDeviceBytes() != 0) {
    StrAppend(text, ", on a device ", RoundedBytes(*change.before->device_bytes), " -> ",
              RoundedBytes(*change.after->device_bytes));
  }
  return text;
}

std::string PairText(const DiffModule& before, const DiffModule& after, size_t most_changes) {
  const ModuleDiff diff = DiffModules(before, after);
  std::string text = StrCat(TitleOf(before), " -> ", TitleOf(after), "\n\n", "      before        after       change\n",
                            TotalsRow("allocated", before.totals.bytes, after.totals.bytes),
                            TotalsRow("needed", before.totals.needed_bytes, after.totals.needed_bytes));
  if (before.device_bytes && after.device_bytes) {
    text += TotalsRow("on a device, by the largest parts", *before.device_bytes, *after.device_bytes);
  }
  text += TotalsRow("written by copies, transposes and reshapes", before.copies.bytes, after.copies.bytes);
  if (before.peak_bytes && after.peak_bytes) {
    text += TotalsRow("alive at the peak", *before.peak_bytes, *after.peak_bytes);
  }
  const auto count = static_cast<int64_t>(diff.changes.size());
  StrAppend(text, "\n", count, count == 1 ? " array differs, " : " arrays differ, ", diff.unchanged,
            diff.unchanged == 1 ? " is the same\n" : " are the same\n");
  const size_t shown = std::min(most_changes, diff.changes.size());
  for (const ArrayChange& change : std::span(diff.changes).first(shown)) {
    const auto bytes_of = [](const DiffArray* array) {
      return array == nullptr ? std::string("-") : RoundedBytes(array->bytes);
    };
    text += fmt::format("{:>12} {:>12} {:>12}  {}\n", bytes_of(change.before), bytes_of(change.after),
                        SignedRoundedBytes(change.MoreBytes()), Describe(change));
  }
  if (shown < diff.changes.size()) StrAppend(text, diff.changes.size() - shown, " more: see --top and --json\n");
  return text;
}

// Adds the members of one version of a module. `prefix` is "old_" for the old one.
void AddModule(const DiffModule& module, const std::string& prefix, Json& json) {
  json[prefix + "file"] = module.file;
  json[prefix + "name"] = module.name;
  json[prefix + "bytes"] = module.totals.bytes;
  json[prefix + "needed_bytes"] = module.totals.needed_bytes;
  json[prefix + "copied_bytes"] = module.copies.bytes;
  if (module.peak_bytes) json[prefix + "peak_bytes"] = *module.peak_bytes;
  if (module.device_bytes) json[prefix + "device_bytes"] = *module.device_bytes;
}

void AddArray(const DiffModule& module, const DiffArray& array, const std::string& prefix, Json& json) {
  json[prefix + "file"] = module.file;
  json[prefix + "line"] = array.line;
  json[prefix + "computation"] = array.computation;
  json[prefix + "instruction"] = array.instruction;
  json[prefix + "opcode"] = array.opcode;
  json[prefix + "shape"] = array.shape;
  json[prefix + "bytes"] = array.bytes;
  if (!array.sharding.empty()) json[prefix + "sharding"] = array.sharding;
  if (array.device_bytes) json[prefix + "device_bytes"] = *array.device_bytes;
}

}  // namespace

int64_t ArrayChange::MoreDeviceBytes() const {
  const bool are_known = before != nullptr && after != nullptr && before->device_bytes && after->device_bytes;
  return are_known ? *after->device_bytes - *before->device_bytes : 0;
}

DiffModule DiffModuleOf(const ModuleScan& scan) {
  DiffModule module{.file = scan.file,
                    .name = std::string(scan.module->name),
                    .is_scheduled = scan.module->is_scheduled,
                    .totals = scan.totals,
                    .copies = scan.copies,
                    .peak_bytes = std::nullopt,
                    .device_bytes = std::nullopt,
                    .arrays = {}};
  if (scan.on_device) module.device_bytes = scan.on_device->bytes;
  if (scan.live) module.peak_bytes = scan.live->curve[scan.live->peak].bytes;
  const ModuleInstruction* last = nullptr;
  size_t part = 0;
  for (const ArrayCost& array : scan.arrays) {
    part = last != nullptr && array.instruction == last ? part + 1 : 0;
    last = array.instruction;
    module.arrays.push_back({.computation = std::string(array.computation->name),
                             .instruction = std::string(array.instruction->name),
                             .opcode = std::string(array.instruction->opcode),
                             .shape = ToString(*array.shape),
                             .sharding = array.on_device ? array.on_device->sharding : "",
                             .structure = StructureOf(array, part),
                             .is_of_entry = array.computation->is_entry,
                             .line = array.instruction->place.line,
                             .bytes = array.bytes,
                             .device_bytes = std::nullopt});
    if (array.on_device) module.arrays.back().device_bytes = array.on_device->bytes;
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
    const DiffArray* const partner = partners[k] == kNoPartner ? nullptr : &before.arrays[partners[k]];
    if (partner != nullptr) has_partner[partners[k]] = true;
    if (partner != nullptr && ShapeOf(*partner) == ShapeOf(after.arrays[k])) {
      ++diff.unchanged;
    } else {
      diff.changes.push_back({partner, &after.arrays[k]});
    }
  }
  for (size_t k = 0; k < before.arrays.size(); ++k) {
    if (!has_partner[k]) diff.changes.push_back({&before.arrays[k], nullptr});
  }
  std::ranges::stable_sort(diff.changes, std::greater<>(), [](const ArrayChange& change) {
    return std::max(std::abs(change.MoreBytes()), std::abs(change.MoreDeviceBytes()));
  });
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
    if (partners[k] != kNoPartner) has_partner[partners[k]] = true;
    pairs.emplace_back(partners[k] == kNoPartner ? nullptr : &before[partners[k]], &after[k]);
  }
  for (size_t k = 0; k < before.size(); ++k) {
    if (!has_partner[k]) pairs.emplace_back(&before[k], nullptr);
  }
  return pairs;
}

std::string DiffText(std::span<const DiffModule> before, std::span<const DiffModule> after, size_t most_changes) {
  std::string text;
  for (const auto& [old_module, new_module] : PairModules(before, after)) {
    if (!text.empty()) text += "\n";
    if (old_module != nullptr && new_module != nullptr) {
      text += PairText(*old_module, *new_module, most_changes);
    } else if (new_module != nullptr) {
      StrAppend(text, TitleOf(*new_module), " is new: ", RoundedBytes(new_module->totals.bytes), " allocated\n");
    } else if (old_module != nullptr) {
      StrAppend(text, TitleOf(*old_module), " is only in OLD: ", RoundedBytes(old_module->totals.bytes),
                " allocated\n");
    }
  }
  return text;
}

std::vector<Json> DiffJson(std::span<const DiffModule> before, std::span<const DiffModule> after) {
  std::vector<Json> lines;
  for (const auto& [old_module, new_module] : PairModules(before, after)) {
    Json json{{"type", "diff"}};
    if (new_module != nullptr) AddModule(*new_module, "", json);
    if (old_module != nullptr) AddModule(*old_module, "old_", json);
    if (new_module == nullptr || old_module == nullptr) {
      lines.push_back(std::move(json));
      continue;
    }
    const ModuleDiff diff = DiffModules(*old_module, *new_module);
    json["changes"] = diff.changes.size();
    json["unchanged"] = diff.unchanged;
    lines.push_back(std::move(json));
    for (const ArrayChange& change : diff.changes) {
      Json row{{"type", "change"}};
      if (change.after != nullptr) AddArray(*new_module, *change.after, "", row);
      if (change.before != nullptr) AddArray(*old_module, *change.before, "old_", row);
      lines.push_back(std::move(row));
    }
  }
  return lines;
}

}  // namespace layoutcheck
