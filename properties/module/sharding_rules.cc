// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// illegal-sharding and uneven-sharding. Source: HloSharding::Validate of XLA.
#include <algorithm>
#include "layoutcheck/core/base/integer.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/hlo/printer.h"
#include "layoutcheck/core/sharding/hlo_sharding.h"
#include "layoutcheck/core/tiling/sizes.h"
#include "layoutcheck/properties/module/instruction_sharding.h"
#include "layoutcheck/properties/module/rules_internal.h"

namespace layoutcheck {
namespace {

// Returns what is wrong with the sharding of one array in a program for `partitions` devices (0 if that is not known),
// or an empty text.
std::string ProblemOf(const Shape& array, const HloSharding& sharding, int64_t partitions) {
  const bool is_tiled = sharding.kind == HloSharding::Kind::kTiled;
  const int64_t most = is_tiled ? std::ranges::max(sharding.devices) : sharding.maximal_device;
  if (partitions > 0 && most >= partitions) {
    return StrCat("device ", most, " is none of the ", partitions, " of num_partitions");
  }
  if (!is_tiled) return "";
  if (sharding.devices.size() == 1) {
    return "the tile assignment has one device; XLA writes {replicated} or {maximal device=...}";
  }
  if (partitions > 0 && std::cmp_not_equal(sharding.devices.size(), partitions)) {
    return StrCat("the tile assignment has ", sharding.devices.size(), " devices, and num_partitions is ", partitions);
  }
  if (array.IsArray() && sharding.CutDimensions() != array.dimensions.size()) {
    return StrCat("the tile assignment has ", sharding.CutDimensions(), " dimensions, and ", ToString(array), " has ",
                  array.dimensions.size());
  }
  return "";
}

// Returns advice about the padding of the parts, or an empty text if there is none.
std::string PaddingOf(const Shape& array, const HloSharding& sharding) {
  if (!IsCut(array, sharding)) return "";
  CheckedInt64 held = 1;  // elements of all parts, with padding
  std::string uneven;
  for (size_t d = 0; d < array.dimensions.size(); ++d) {
    const int64_t size = array.dimensions[d];
    const int64_t parts = sharding.tile_dimensions[d];
    held = held * CheckedInt64(CeilDiv(size, parts)) * CheckedInt64(parts);
    if (size % parts != 0) StrAppend(uneven, uneven.empty() ? "" : ", ", size, " elements into ", parts, " parts");
  }
  const CheckedInt64 elements = ProductOfSizes(array.dimensions);
  if (uneven.empty() || held.overflow || elements.overflow || elements.value == 0) return "";
  const auto bytes = PackedBytes(held.value - elements.value, ElementSizeInBits(array));
  const auto of = PackedBytes(held.value, ElementSizeInBits(array));
  if (!bytes || !of) return "";
  return StrCat(ToString(array), " is cut unevenly, ", uneven, ": ", *bytes, " of ", *of,
                " bytes over all parts are padding");
}

}  // namespace

void CheckIllegalSharding(ModuleFacts& facts, std::vector<RuleFinding>& findings) {
  const HloModule& module = facts.module();
  ForEachInstruction(module, [&](const ModuleComputation& computation, const ModuleInstruction& instruction) {
    if (instruction.sharding.empty()) return;
    const auto add = [&](std::string message, int64_t column) {
      findings.push_back(FindingAt(Severity::kError, facts, computation, instruction, std::move(message)));
      findings.back().place = instruction.sharding_place;
      findings.back().place.column += std::max<int64_t>(column - 1, 0);
    };
    const auto sharding = ShardingOf(instruction);
    if (!sharding) return add(sharding.error().message, sharding.error().column);
    if (instruction.shape == nullptr) return;
    const bool fits =
        ForEachShardedArray(*instruction.shape, *sharding, [&](const Shape& array, const HloSharding& one) {
          if (std::string problem = ProblemOf(array, one, module.num_partitions); !problem.empty()) add(problem, 1);
        });
    if (!fits) {
      add(StrCat("the tuple has ", sharding->elements.size(), " shardings, and the result is ",
                 ToString(*instruction.shape)),
          1);
    }
  });
}

void CheckUnevenSharding(ModuleFacts& facts, std::vector<RuleFinding>& findings) {
  ForEachInstruction(facts.module(), [&](const ModuleComputation& computation, const ModuleInstruction& instruction) {
    if (instruction.sharding.empty() || instruction.shape == nullptr) return;
    const auto sharding = ShardingOf(instruction);
    if (!sharding) return;
    ForEachShardedArray(*instruction.shape, *sharding, [&](const Shape& array, const HloSharding& one) {
      std::string padding = PaddingOf(array, one);
      if (padding.empty()) return;
      findings.push_back(FindingAt(Severity::kAdvice, facts, computation, instruction, std::move(padding)));
      findings.back().place = instruction.sharding_place;
    });
  });
}

}  // namespace layoutcheck
