// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The part of IrMemory that the threads of a block share.
#include <llvm/IR/GlobalVariable.h>
#include <optional>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/llvm/ir/ir_memory.h"
#include "layoutcheck/solver/paths/function_run.h"

namespace layoutcheck {
namespace {

// SharedAccess::memory of all memory whose size the launch says. No variable has such a name.
constexpr std::string_view kDynamicMemory = "shared memory of the launch";

}  // namespace

bool IrMemory::CheckShared(const MachineValue& pointer, int64_t bytes, int64_t alignment, std::string_view place,
                           std::string_view verb) const {
  if (pointer.kind != MachineValue::Kind::kPointer || pointer.object < 0) return false;
  const Object& shared = objects_[static_cast<size_t>(pointer.object)];
  if (!shared.is_shared) return false;
  const std::string& name = shared.contents.name();
  if (!checks_shared_ || (access_filter_ && !access_filter_(name, verb, place))) return true;
  if (!shared.contents.size() && !dynamic_bytes_)
    throw FunctionUnknown{
        StrCat("the shared memory ", name, ", whose size the launch says: give it with --shared; at ", place)};
  const SymbolicInteger size = shared.contents.size() ? SymbolicInteger(*shared.contents.size()) : *dynamic_bytes_;
  CheckAccess(name, size, pointer.integer, {bytes, alignment, place, verb});
  return true;
}

SharedAccess& IrMemory::RecordShared(SharedAccess::Kind kind, const MachineValue& pointer, int64_t bytes,
                                     std::string_view place) {
  const Object& shared = objects_[static_cast<size_t>(pointer.object)];
  shared_accesses_.push_back(
      {.kind = kind,
       .memory = shared.contents.size() ? std::string_view(shared.global->getName()) : kDynamicMemory,
       .name = shared.contents.name(),
       .offset = pointer.integer,
       .bytes = bytes,
       .interval = barriers_.interval(),
       .interval_class = CurrentInterval(),
       .warp_barriers = barriers_.warp_barriers(),
       .value = {},
       .region = region_,
       .place = place,
       .position = position_.Now()});
  return shared_accesses_.back();
}

void IrMemory::CheckThatCopiesEnded(std::string_view place) const {
  if (copies_are_under_way_) throw FunctionUnknown{StrCat("a copy that has begun may not have ended at ", place)};
}

MachineValue IrMemory::LoadShared(const MachineValue& pointer, int64_t bytes, std::string_view place) {
  CheckThatCopiesEnded(place);
  const SharedAccess& read = RecordShared(SharedAccess::Kind::kRead, pointer, bytes, place);
  if (shared_reader_) {
    if (auto value = shared_reader_(read, shared_accesses_)) return *std::move(value);
  }
  MachineValue value =
      MachineValue::Unknown(StrCat("what threads store in the shared memory ", object(pointer).name(), ", at ", place));
  value.is_of_shared = true;
  return value;
}

IntervalClass IrMemory::CurrentInterval() const {
  if (const auto number = barriers_.interval().number()) return {0, static_cast<int64_t>(*number)};
  const auto passed = FunctionRun::Simplify(barriers_.interval() - known_barriers_).number();
  if (!passed || known_class_.period == 0) return {};
  return {known_class_.period, (known_class_.residue + static_cast<int64_t>(*passed)) % known_class_.period};
}

void IrMemory::PassBarrier(const BarrierGroup& group, std::string_view place) {
  CheckThatCopiesEnded(place);
  barriers_.Pass(group, place);
  is_stopped_ = last_barrier_ && barriers_.interval().number() == Int128{*last_barrier_};
}

}  // namespace layoutcheck
