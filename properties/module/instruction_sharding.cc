// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/properties/module/instruction_sharding.h"
#include <algorithm>
#include <array>
#include <utility>
#include "layoutcheck/core/base/integer.h"
#include "layoutcheck/core/base/text_cursor.h"
#include "layoutcheck/core/tiling/sizes.h"
#include "layoutcheck/properties/module/rules_internal.h"

namespace layoutcheck {
namespace {

void AddArrays(const Shape& shape, std::vector<const Shape*>& arrays) {
  if (!shape.IsTuple()) arrays.push_back(&shape);
  for (const Shape& element : shape.elements) AddArrays(element, arrays);
}

// Returns the sharding of one array of an instruction's result, or nothing if it has none or one that cannot be read.
std::optional<HloSharding> ShardingOfArray(const ModuleInstruction& instruction, const Shape* array) {
  std::optional<HloSharding> found;
  if (instruction.sharding.empty() || instruction.shape == nullptr) return found;
  const auto sharding = ShardingOf(instruction);
  if (!sharding) return found;
  ForEachShardedArray(*instruction.shape, *sharding, [&](const Shape& one, const HloSharding& its) {
    if (&one == array) found = its;
  });
  return found;
}

// Returns the bytes of the largest part of an array.
Expected<BytesOnDevice> BytesOfPart(const Shape& array, const HloSharding& sharding) {
  Shape part = array;
  for (size_t d = 0; d < part.dimensions.size(); ++d) {
    part.dimensions[d] = CeilDiv(part.dimensions[d], sharding.tile_dimensions[d]);
  }
  LAYOUTCHECK_TRY(const LayoutSizes sizes, SizesOf(part));
  LAYOUTCHECK_TRY(const int64_t needed, PackedBytes(sizes.elements, ElementSizeInBits(part)));
  return BytesOnDevice{.bytes = sizes.bytes, .needed_bytes = needed, .sharding = ToString(sharding)};
}

}  // namespace

Expected<HloSharding> ShardingOf(const ModuleInstruction& instruction) {
  TextCursor cursor(instruction.sharding, TextCursor::kBlanksOfLines);
  LAYOUTCHECK_TRY(HloSharding sharding, ReadHloSharding(cursor));
  if (!cursor.AtEnd()) return cursor.Unexpected("the end of the sharding");
  return sharding;
}

std::vector<const Shape*> ArraysIn(const Shape& shape) {
  std::vector<const Shape*> arrays;
  AddArrays(shape, arrays);
  return arrays;
}

bool IsCut(const Shape& array, const HloSharding& sharding) {
  return sharding.kind == HloSharding::Kind::kTiled && array.IsArray() && !array.HasDynamicDimension() &&
         sharding.CutDimensions() == array.dimensions.size();
}

bool HasShardings(const ModuleFacts& facts) {
  bool has_shardings = false;
  ForEachInstruction(facts.module(), [&](const ModuleComputation&, const ModuleInstruction& instruction) {
    has_shardings = has_shardings || !instruction.sharding.empty();
  });
  return has_shardings;
}

bool HasShardingsOfParts(const ModuleFacts& facts) {
  static constexpr std::array<std::string_view, 7> kBetweenDevices{
      "all-gather",         "all-reduce",   "all-to-all",    "collective-broadcast",
      "collective-permute", "partition-id", "reduce-scatter"};
  bool is_partitioned = facts.module().is_scheduled || facts.has_assigned_layouts();
  ForEachInstruction(facts.module(), [&](const ModuleComputation&, const ModuleInstruction& instruction) {
    const auto is_opcode = [&](std::string_view opcode) { return instruction.opcode.starts_with(opcode); };
    is_partitioned = is_partitioned || std::ranges::any_of(kBetweenDevices, is_opcode);
  });
  return is_partitioned && HasShardings(facts);
}

void AddBytesOnDevice(const ModuleFacts& facts, std::vector<ArrayCost>& arrays) {
  if (!HasShardings(facts) || HasShardingsOfParts(facts)) return;
  for (ArrayCost& array : arrays) {
    array.on_device = BytesOnDevice{array.bytes, array.needed_bytes, ""};
    const auto sharding = ShardingOfArray(*array.instruction, array.shape);
    if (!sharding) continue;
    array.on_device->sharding = ToString(*sharding);
    if (!IsCut(*array.shape, *sharding)) continue;
    if (auto part = BytesOfPart(*array.shape, *sharding)) array.on_device = *std::move(part);
  }
}

}  // namespace layoutcheck
