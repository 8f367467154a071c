// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/ir/recorded_run.h"
#include <utility>
#include "layoutcheck/solver/paths/function_run.h"

namespace layoutcheck {

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
