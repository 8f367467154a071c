// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/ir/run_memory.h"
#include <llvm/IR/Argument.h>
#include <llvm/IR/Type.h>
#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include "layoutcheck/solver/paths/function_run.h"

namespace layoutcheck {
namespace {

// Returns the integer that holds the fields; a single one may not fit the width.
SymbolicInteger Packed(const ParameterBinding& binding, int width, std::span<const SymbolicInteger> arguments) {
  if (binding.fields.size() == 1 && binding.fields[0].offset == 0) return arguments[binding.fields[0].argument];
  SymbolicInteger sum = 0;
  for (const ParameterBinding::Field& field : binding.fields) {
    const SymbolicInteger value = Wrap(arguments[field.argument], field.width);
    sum += Unsigned(value, field.width) * PowerOfTwo(static_cast<int>(field.offset) * kBitsPerByte);
  }
  return Wrap(sum, width);
}

}  // namespace

MachineValue BindParameter(const ParameterBinding& binding, const llvm::Argument& parameter,
                           std::span<const SymbolicInteger> arguments, IrMemory& memory) {
  const std::string name = parameter.getName().empty() ? "an argument" : parameter.getName().str();
  if (binding.kind == ParameterBinding::Kind::kInteger) {
    const auto width = static_cast<int>(parameter.getType()->getIntegerBitWidth());
    return memory.Given(Packed(binding, width, arguments), width);
  }
  if (binding.kind == ParameterBinding::Kind::kUnknown) return MachineValue::Unknown(name);
  if (binding.kind == ParameterBinding::Kind::kResult || binding.kind == ParameterBinding::Kind::kUnknownMemory) {
    return memory.Allocate(name, std::nullopt, /*is_callers=*/true);
  }
  int64_t size = 0;
  for (const auto& field : binding.fields) size = std::max(size, field.offset + field.width / kBitsPerByte);
  const MachineValue pointer = memory.Allocate(name, size);
  uint64_t alignment = parameter.getParamAlign().valueOrOne().value();
  for (const ParameterBinding::Field& field : binding.fields) {
    alignment = std::max(alignment, static_cast<uint64_t>(field.width / kBitsPerByte));
  }
  memory.SetAlignment(pointer, alignment);
  for (const ParameterBinding::Field& field : binding.fields) {
    memory.object(pointer).Store(field.offset, field.width / kBitsPerByte,
                                 memory.Given(arguments[field.argument], field.width));
  }
  return pointer;
}

KernelRun RecordedRun(IrMemory& memory, const std::map<int64_t, int64_t>& arrays) {
  KernelRun run{.stores = {},
                .reads = memory.TakeReads(),
                .shared = memory.TakeSharedAccesses(),
                .barriers = std::move(memory.barriers()),
                .regions = memory.regions_entered(),
                .regions_with_results = memory.results_entered()};
  for (ArrayRead& read : run.reads) read.object = arrays.at(read.object);
  for (const ArrayStore& store : memory.stores()) {
    KernelStore& result = run.stores.emplace_back();
    result = {.array = arrays.at(store.object),
              .offset = store.offset,
              .bytes = store.bytes,
              .place = store.place,
              .position = store.position,
              .is_atomic = store.is_atomic,
              .interval = store.interval,
              .warp_barriers = store.warp_barriers,
              .region = store.region};
    result.is_constant = store.value.IsInteger() || store.value.text == kOtherConstant;
    if (store.value.IsPoison()) throw FunctionFault{store.value.text};
    if (store.value.kind == MachineValue::Kind::kUnknown) result.unknown = store.value.text;
    result.is_computed = store.value.is_computed;
    result.bits = store.value.fields;
    for (BitField& field : result.bits) {
      if (field.kind == BitField::Kind::kElement) field.object = arrays.at(field.object);
    }
    result.is_garbage = store.value.is_garbage;
    result.is_of_shared = store.value.is_of_shared;
    if (store.value.kind != MachineValue::Kind::kElement) continue;
    result.from = arrays.at(store.value.object);
    result.from_offset = store.value.integer;
  }
  return run;
}

}  // namespace layoutcheck
