// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shardings of the instructions of a module.
#pragma once

#include <optional>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/hlo/shape.h"
#include "layoutcheck/core/module/module.h"
#include "layoutcheck/core/sharding/hlo_sharding.h"
#include "layoutcheck/properties/module/live_memory.h"
#include "layoutcheck/properties/module/module_facts.h"

namespace layoutcheck {

// Reads the attribute of an instruction that has one. Errors: those of ReadHloSharding; text behind the sharding.
Expected<HloSharding> ShardingOf(const ModuleInstruction& instruction);

// Returns the arrays of a shape in the order of a tuple's shardings.
std::vector<const Shape*> ArraysIn(const Shape& shape);

// Calls visit(array, sharding) for each array of the result. A sharding that is no tuple is that of every array.
// Returns false if a tuple has another number of shardings than the result has arrays.
template <class Visit>
bool ForEachShardedArray(const Shape& shape, const HloSharding& sharding, Visit visit) {
  const std::vector<const Shape*> arrays = ArraysIn(shape);
  const bool is_tuple = sharding.kind == HloSharding::Kind::kTuple;
  if (is_tuple && sharding.elements.size() != arrays.size()) return arrays.empty();
  for (size_t k = 0; k < arrays.size(); ++k) visit(*arrays[k], is_tuple ? sharding.elements[k] : sharding);
  return true;
}

// Returns true if a tile assignment cuts the array, which is static and has its rank.
bool IsCut(const Shape& array, const HloSharding& sharding);

// Returns true if an instruction has a sharding.
bool HasShardings(const ModuleFacts& facts);

// Returns true if the module has shardings and something shows that its shapes are those of the devices' parts: a
// schedule, assigned layouts, or an operation between devices. Between devices of a manual part, as shard_map makes
// them, there are such operations before, too; a custom call to SPMDFullToShardShape shows one.
bool HasShardingsOfParts(const ModuleFacts& facts);

// Sets ArrayCost::on_device of each array, if the module has shardings and is not partitioned yet.
void AddBytesOnDevice(const ModuleFacts& facts, std::vector<ArrayCost>& arrays);

}  // namespace layoutcheck
