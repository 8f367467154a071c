// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sharding-mismatch and operand-resharded: the shardings of an elementwise operation and of its operands. At a mismatch
// XLA's partitioner fails, by an error or an abort (jaxlib 0.10.2). It reshards every other operand.
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/hlo/opcode.h"
#include "layoutcheck/core/sharding/hlo_sharding.h"
#include "layoutcheck/core/sharding/resharding.h"
#include "layoutcheck/core/tiling/sizes.h"
#include "layoutcheck/properties/module/instruction_sharding.h"
#include "layoutcheck/properties/module/rules_internal.h"

namespace layoutcheck {
namespace {

using DeviceGroups = std::set<std::vector<int64_t>>;

// An operand of an operation, both with a sharding, and of equal dimensions.
struct ShardedOperand {
  size_t number = 0;
  std::string_view name;
  const Shape* shape = nullptr;
  HloSharding sharding;
};

// The devices over which a sharding is manual: they have arrays of their own, and not parts of one.
enum class Manual {
  kNone,     // all devices have parts of one array
  kGroups,   // each group of devices has an array of its own
  kAll,      // each device has an array of its own
  kUnclear,  // unknown and unreduced shardings, and manual dimensions of size 1
};

struct ManualDevices {
  Manual kind = Manual::kUnclear;
  DeviceGroups groups;  // of kGroups: ascending devices of each group
};

// Returns the devices over which the sharding of one array is manual.
ManualDevices ManualDevicesOf(const HloSharding& sharding) {
  switch (sharding.kind) {
    case HloSharding::Kind::kManual: return {Manual::kAll, {}};
    case HloSharding::Kind::kReplicated:
    case HloSharding::Kind::kMaximal: return {Manual::kNone, {}};
    case HloSharding::Kind::kTiled: break;
    default: return {};
  }
  if (std::ranges::find(sharding.last_tile_dims, "unreduced") != sharding.last_tile_dims.end()) return {};
  if (std::ranges::find(sharding.last_tile_dims, "manual") == sharding.last_tile_dims.end()) {
    return {Manual::kNone, {}};
  }
  // The devices of each index along the manual tile dimensions.
  std::map<int64_t, std::vector<int64_t>> by_index;
  const size_t cut = sharding.CutDimensions();
  for (size_t position = 0; position < sharding.devices.size(); ++position) {
    int64_t index = 0;
    int64_t stride = 1;
    auto rest = static_cast<int64_t>(position);
    for (size_t d = sharding.tile_dimensions.size(); d-- > 0; rest /= sharding.tile_dimensions[d]) {
      if (d < cut || d - cut >= sharding.last_tile_dims.size() || sharding.last_tile_dims[d - cut] != "manual")
        continue;
      index += rest % sharding.tile_dimensions[d] * stride;
      stride *= sharding.tile_dimensions[d];
    }
    by_index[index].push_back(sharding.devices[position]);
  }
  if (by_index.size() == 1) return {};
  if (by_index.size() == sharding.devices.size()) return {Manual::kAll, {}};
  ManualDevices manual{Manual::kGroups, {}};
  for (auto& [index, devices] : by_index) {
    std::ranges::sort(devices);
    manual.groups.insert(std::move(devices));
  }
  return manual;
}

// Returns true if XLA's partitioner uses the operand: resharded, if it must be.
bool IsTaken(const HloSharding& operand, const HloSharding& result) {
  const ManualDevices from = ManualDevicesOf(operand);
  const ManualDevices to = ManualDevicesOf(result);
  if (from.kind == Manual::kUnclear || to.kind == Manual::kUnclear) return true;
  if (from.kind == Manual::kNone && to.kind == Manual::kAll) return true;
  return from.kind == to.kind && from.groups == to.groups;
}

// Calls visit(computation, instruction, sharding of the result, operand) for each operand with a sharding of an
// elementwise operation or copy with one. An operand that occurs twice counts once.
template <class Visit>
void ForEachShardedOperand(const HloModule& module, Visit visit) {
  ForEachInstruction(module, [&](const ModuleComputation& computation, const ModuleInstruction& instruction) {
    if (!IsElementwise(instruction.opcode) && instruction.opcode != "copy") return;
    if (instruction.sharding.empty() || instruction.shape == nullptr || !instruction.shape->IsArray()) return;
    const auto result = ShardingOf(instruction);
    if (!result || result->kind == HloSharding::Kind::kTuple) return;
    for (size_t k = 0; k < instruction.operands.size(); ++k) {
      const int64_t number = instruction.operands[k].instruction;
      const auto names_it = [&](const ModuleOperand& other) { return other.instruction == number; };
      if (number < 0 || std::ranges::any_of(std::span(instruction.operands).first(k), names_it)) continue;
      const ModuleInstruction& defined = computation.instructions[static_cast<size_t>(number)];
      if (defined.sharding.empty() || defined.shape == nullptr || !defined.shape->IsArray()) continue;
      if (defined.shape->dimensions != instruction.shape->dimensions) continue;
      auto sharding = ShardingOf(defined);
      if (!sharding || sharding->kind == HloSharding::Kind::kTuple) continue;
      visit(computation, instruction, *result, ShardedOperand{k, defined.name, defined.shape, *std::move(sharding)});
    }
  });
}

std::string BothText(const ShardedOperand& operand, const HloSharding& result) {
  return StrCat("operand ", operand.number, ", ", operand.name, ", has ", ToString(operand.sharding),
                ", and the result ", ToString(result), ": ");
}

// The cost of resharding operands. Equal pairs of shardings of equal dimensions are compared once.
class OperandCosts {
 public:
  // `partitions` is that of the module, or 0.
  explicit OperandCosts(int64_t partitions) : partitions_(partitions) {}

  // Returns what changes, or nothing if a sharding places no elements or is illegal. Error (unsupported): there is too
  // much to compare.
  const Expected<std::optional<Resharding>>& CostOf(const ShardedOperand& operand, const HloSharding& result) {
    const std::string key =
        StrCat(StrJoin(operand.shape->dimensions, ","), " ", ToString(operand.sharding), " ", ToString(result));
    const auto known = costs_.find(key);
    return known != costs_.end() ? known->second : costs_.emplace(key, Compare(operand, result)).first->second;
  }

 private:
  Expected<std::optional<Resharding>> Compare(const ShardedOperand& operand, const HloSharding& result) const {
    const std::optional<int64_t> devices =
        partitions_ > 0 ? partitions_
                        : static_cast<int64_t>(std::max(operand.sharding.devices.size(), result.devices.size()));
    const auto before = MakeSharding(operand.sharding, operand.shape->dimensions, devices);
    const auto after = MakeSharding(result, operand.shape->dimensions, devices);
    if (!before || !after) return std::nullopt;
    LAYOUTCHECK_TRY(Resharding resharding, CompareShardings(*before, *after));
    return std::optional(std::move(resharding));
  }

  int64_t partitions_;
  std::map<std::string, Expected<std::optional<Resharding>>> costs_;
};

}  // namespace

void CheckShardingMismatch(ModuleFacts& facts, std::vector<RuleFinding>& findings) {
  ForEachShardedOperand(facts.module(), [&](const ModuleComputation& computation, const ModuleInstruction& instruction,
                                            const HloSharding& result, const ShardedOperand& operand) {
    if (IsTaken(operand.sharding, result)) return;
    constexpr std::string_view kWhy = "they are manual over different devices, where XLA's partitioner fails";
    findings.push_back(
        FindingAt(Severity::kError, facts, computation, instruction, StrCat(BothText(operand, result), kWhy)));
    findings.back().place = instruction.sharding_place;
  });
}

void CheckOperandResharded(ModuleFacts& facts, std::vector<RuleFinding>& findings) {
  OperandCosts costs(facts.module().num_partitions);
  ForEachShardedOperand(facts.module(), [&](const ModuleComputation& computation, const ModuleInstruction& instruction,
                                            const HloSharding& result, const ShardedOperand& operand) {
    if (instruction.opcode == "copy") return;
    if (instruction.shape->HasDynamicDimension() || operand.shape->HasDynamicDimension()) return;
    const auto& cost = costs.CostOf(operand, result);
    Severity severity = Severity::kUndecided;
    std::string what = cost ? "" : cost.error().message;
    if (cost) {
      if (!*cost || (*cost)->Received() == 0) return;
      const auto bytes = PackedBytes((*cost)->Received(), ElementSizeInBits(*operand.shape));
      if (!bytes) return;
      const Collective collective = (*cost)->collective;
      severity = Severity::kAdvice;
      what = StrCat("XLA reshards the operand (",
                    collective == Collective::kSeveral ? "several collectives" : CollectiveName(collective),
                    "), and all devices together receive ", *bytes, " bytes");
    }
    findings.push_back(FindingAt(severity, facts, computation, instruction, BothText(operand, result) + what));
    findings.back().place = instruction.sharding_place;
  });
}

}  // namespace layoutcheck
