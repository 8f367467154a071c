// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/properties/module/instruction_sharding.h"
#include <algorithm>
#include <array>
#include <unordered_map>
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

using ArrayShardings = std::unordered_map<const Shape*, HloSharding>;

// Returns the shardings of the arrays of an instruction's result: none without a sharding, or with one that cannot be
// read.
ArrayShardings ShardingsOf(const ModuleInstruction& instruction) {
  ArrayShardings found;
  if (instruction.sharding.empty() || instruction.shape == nullptr) return found;
  const auto sharding = ShardingOf(instruction);
  if (!sharding) return found;
  ForEachShardedArray(*instruction.shape, *sharding,
                      [&](const Shape& array, const HloSharding& its) { found.emplace(&array, its); });
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
  const bool is_compiled = facts.module().is_scheduled || facts.has_assigned_layouts();
  bool has_collectives = false;
  bool has_manual_parts = false;
  ForEachInstruction(facts.module(), [&](const ModuleComputation&, const ModuleInstruction& instruction) {
    const auto is_opcode = [&](std::string_view opcode) { return instruction.opcode.starts_with(opcode); };
    has_collectives = has_collectives || std::ranges::any_of(kBetweenDevices, is_opcode);
    has_manual_parts =
        has_manual_parts ||
        (is_opcode("custom-call") && instruction.text.find("\"SPMDFullToShardShape\"") != std::string_view::npos);
  });
  return (is_compiled || (has_collectives && !has_manual_parts)) && HasShardings(facts);
}

void AddBytesOnDevice(const ModuleFacts& facts, std::vector<ArrayCost>& arrays) {
  if (!HasShardings(facts) || HasShardingsOfParts(facts)) return;
  const ModuleInstruction* instruction = nullptr;
  ArrayShardings shardings;  // of that instruction
  for (ArrayCost& array : arrays) {
    if (array.instruction != instruction) {
      instruction = array.instruction;
      shardings = ShardingsOf(*instruction);
    }
    array.on_device = BytesOnDevice{array.bytes, array.needed_bytes, ""};
    const auto sharding = shardings.find(array.shape);
    if (sharding == shardings.end()) continue;
    array.on_device->sharding = ToString(sharding->second);
    if (!IsCut(*array.shape, sharding->second)) continue;
    if (auto part = BytesOfPart(*array.shape, sharding->second)) array.on_device = *std::move(part);
  }
}

}  // namespace layoutcheck
