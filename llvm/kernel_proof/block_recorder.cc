// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/kernel_proof/block_recorder.h"
#include <algorithm>
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

constexpr size_t kMostWrites = 4096;  // kept per memory
constexpr size_t kMostAccessesPerByte = 64;

// A base of formulas for places whose column is flipped by the row: (place mod n) ^ (place floordiv n mod n).
std::string FlippedColumn(int64_t columns) {
  return StrCat("(", kPlace, " mod ", columns, " ^ ", kPlace, " floordiv ", columns, " mod ", columns, ")");
}

// A base of formulas for places in reversed order.
std::string Reversed(int64_t last) { return StrCat("(", last, " - ", kPlace, ")"); }

bool IsPowerOfTwo(int64_t number) { return number > 1 && (number & (number - 1)) == 0; }

}  // namespace

void BlockRecorder::BeginLaunch() {
  accesses_.clear();
  arrays_.assign(model_.array_names().size(), {});
  shared_.clear();
  longest_of_block_.clear();
  traces_.clear();
  race_.reset();
  race_in_warp_.reset();
  divergence_.reset();
}

void BlockRecorder::Add(const KernelModel::Point& point, const SymbolicValues& values, const HostThread& thread,
                        const KernelRun& run) {
  const int64_t number = NumberOf(KernelModel::NumberInBlock(point, values));
  for (const SharedAccess& access : run.shared) {
    const int64_t offset = NumberOf(access.offset);
    const int64_t interval = NumberOf(access.interval);
    AddAccess(shared_[{access.memory, thread.block}], access.name, offset, access.bytes,
              {thread, number, interval, access.warp_barriers, access.kind, access.place});
    if (access.kind == SharedAccess::Kind::kAtomic) changed_atomically_.insert(access.memory);
    std::vector<Write>& writes = writes_[access.memory];
    if (access.kind != SharedAccess::Kind::kWrite || writes.size() >= kMostWrites) continue;
    Write write{.offset = offset, .bytes = access.bytes, .interval = interval, .thread = {}, .launch = {}};
    for (size_t axis = 0; axis < kAxes.size(); ++axis) {
      const std::string name = ThreadName("thread", axis);
      if (values.contains(name)) write.thread.emplace(name, thread.thread[axis]);
      if (point.block[axis]) write.launch.emplace(ThreadName("block_dim", axis), NumberOf(*point.block[axis]));
    }
    if (access.region) write.thread.emplace(kGuardedRegion, static_cast<int64_t>(*access.region));
    writes.push_back(std::move(write));
  }
  for (const KernelStore& store : run.stores) {
    const auto kind = store.is_atomic ? SharedAccess::Kind::kAtomic : SharedAccess::Kind::kWrite;
    const auto array = static_cast<size_t>(store.array);
    AddAccess(arrays_[array], model_.array_names()[array], NumberOf(store.offset), store.bytes,
              {thread, number, NumberOf(store.interval), store.warp_barriers, kind, store.place});
  }
  for (const ArrayRead& read : run.reads) {
    const auto array = static_cast<size_t>(read.object);
    AddAccess(arrays_[array], model_.array_names()[array], NumberOf(read.offset), read.bytes,
              {thread, number, NumberOf(read.interval), read.warp_barriers, SharedAccess::Kind::kRead, read.place});
  }
  AddBarriers(thread, run.barriers);
  if (model_.has_warp_barrier()) traces_.try_emplace({thread.block, number}, TracedThread{thread, run.barriers});
}

// Returns true if one barrier lies between the accesses.
bool BlockRecorder::AreOrdered(const Access& a, const Access& b) {
  if (a.thread.block != b.thread.block) return false;
  if (a.thread == b.thread || a.interval != b.interval) return true;
  return OrderInWarp(a.number, a.warp_barriers, b.number, b.warp_barriers, /*may_order_together=*/false) !=
         WarpOrder::kNone;
}

void BlockRecorder::Bytes::FitUnit(int64_t offset, int64_t bytes) {
  if (unit == 0) unit = bytes > 0 && offset % bytes == 0 ? bytes : 1;
  if (unit == 1 || (bytes == unit && offset % unit == 0)) return;
  std::unordered_map<int64_t, std::vector<const Access*>> by_byte;
  for (const auto& [number, of_unit] : accesses) {
    for (int64_t byte = number * unit; byte < (number + 1) * unit; ++byte) by_byte.emplace(byte, of_unit);
  }
  accesses = std::move(by_byte);
  unit = 1;
}

void BlockRecorder::AddAccess(Bytes& memory, std::string_view name, int64_t offset, int64_t bytes,
                              const Access& access) {
  if (race_) return;
  const Access* added = nullptr;  // the access among those of the launch
  memory.FitUnit(offset, bytes);
  for (int64_t byte = offset; byte < offset + bytes; byte += memory.unit) {
    std::vector<const Access*>& known = memory.accesses[byte / memory.unit];
    for (const Access* const other : known) {
      const bool has_write = other->kind == SharedAccess::Kind::kWrite || access.kind == SharedAccess::Kind::kWrite ||
                             (other->kind != access.kind);  // an atomic operation and a read
      if (!has_write || AreOrdered(*other, access)) continue;
      const bool is_same_block = other->thread.block == access.thread.block;
      const bool is_behind_warp = is_same_block && !(other->warp_barriers.empty() && access.warp_barriers.empty());
      std::optional<ThreadConflict>& race = is_behind_warp ? race_in_warp_ : race_;
      if (race) continue;
      race = {RaceText({other->thread.ToString(), other->kind, other->place},
                       {access.thread.ToString(), access.kind, access.place}, StrCat("byte ", byte, " of ", name),
                       is_same_block),
              {other->thread, access.thread}};
      if (race_) return;
    }
    if (!IsNeeded(known, access)) continue;
    if (added == nullptr) added = &accesses_.emplace_back(access);
    known.push_back(added);
  }
}

// Returns false if the accesses to a byte that are known meet all that this one meets. Two threads of a block are
// enough to meet any third one that does so in their interval, and threads of two blocks meet any other one. Threads
// that have passed barriers of warps are all kept, because a mask may name any.
bool BlockRecorder::IsNeeded(std::span<const Access* const> known, const Access& access) {
  if (known.size() >= kMostAccessesPerByte) return false;
  const Access* first = nullptr;  // of the kind
  int alike = 0;
  for (const Access* const other : known) {
    if (other->kind != access.kind) continue;
    if (first == nullptr) first = other;
    if (other->thread.block != first->thread.block) return false;
    const bool is_alike = other->interval == access.interval && other->thread.block == access.thread.block &&
                          other->warp_barriers.empty() && access.warp_barriers.empty();
    if (is_alike && ++alike == 2) return false;
  }
  return true;
}

void BlockRecorder::AddBarriers(const HostThread& thread, const BarrierTrace& trace) {
  for (const auto& [group, passed] : trace.groups()) {
    if (group != BarrierGroup()) warp_groups_.insert(group);
  }
  const auto [longest, is_new] = longest_of_block_.try_emplace(thread.block, TracedThread{thread, trace});
  if (is_new || divergence_) return;
  FindDivergence(longest->second, {thread, trace}, {});
  if (trace.interval() >= longest->second.trace.interval()) longest->second = {thread, trace};
}

void BlockRecorder::EndLaunch() {
  const std::vector<BarrierGroup> groups(warp_groups_.begin(), warp_groups_.end());
  if (!race_ && !MayOrderTogether(groups)) race_ = race_in_warp_;
  for (const BarrierGroup& group : groups) {
    if (!group.IsKnown()) continue;
    // The thread that reaches the most barriers, by the block and the first thread of the group.
    std::map<std::pair<Block, int64_t>, const TracedThread*> longest;
    for (const auto& [place, added] : traces_) {
      const auto& [block, number] = place;
      if (divergence_) return;
      if (const auto text = WhyNotOfGroup(added.trace, number, group)) {
        divergence_ = {StrCat(added.thread.ToString(), *text), {added.thread, added.thread}};
      }
      if (!group.Contains(number)) continue;
      const auto*& most = longest[{block, NumberOf(group.FirstWith(number))}];
      if (most != nullptr) FindDivergence(*most, added, group);
      if (most == nullptr || added.trace.Of(group).count >= most->trace.Of(group).count) most = &added;
    }
  }
}

void BlockRecorder::FindDivergence(const TracedThread& a, const TracedThread& b, const BarrierGroup& group) {
  const auto text = WhyBarriersDiffer(a.trace, b.trace, group);
  if (!text) return;
  const bool is_fewer = b.trace.Of(group).count < a.trace.Of(group).count;
  const HostThread& many = is_fewer ? a.thread : b.thread;
  const HostThread& few = is_fewer ? b.thread : a.thread;
  divergence_ = {StrCat(many.ToString(), *text, few.ToString(), " does not reach"), {many, few}};
}

std::vector<StoreExample> BlockRecorder::ExamplesOf(const std::vector<Write>& writes, int64_t unit) const {
  std::vector<StoreExample> examples;
  for (const Write& write : writes) {
    for (int64_t at = 0; at < write.bytes; at += unit) {
      StoreExample& example = examples.emplace_back(StoreExample{write.launch, write.thread});
      const int64_t place = (write.offset + at) / unit;
      example.names.emplace(kPlace, place);
      for (const int64_t number : model_.literals()) {
        if (number >= place) example.names.emplace(Reversed(number), number - place);
        if (!IsPowerOfTwo(number)) continue;
        example.names.emplace(FlippedColumn(number), (place % number) ^ (place / number % number));
      }
    }
  }
  return examples;
}

ThreadFormulas BlockRecorder::FormulasOf(std::vector<Write> writes, int64_t unit) const {
  ThreadParts parts{
      .bases = {kPlace}, .numbers = {model_.literals().begin(), model_.literals().end()}, .zeros = {kGuardedRegion}};
  for (const int64_t number : model_.literals()) {
    parts.bases.push_back(Reversed(number));
    if (IsPowerOfTwo(number)) parts.bases.push_back(FlippedColumn(number));
  }
  const auto has_region = [](const Write& write) { return write.thread.contains(kGuardedRegion); };
  if (std::ranges::all_of(writes, has_region)) {
    parts.first_region = INT64_MAX;
    for (const Write& write : writes)
      parts.first_region = std::min(parts.first_region, write.thread.at(kGuardedRegion));
    const auto found = SynthesizeThreads(ExamplesOf(writes, unit), parts);
    if (!found.empty()) return found.front();
  }
  for (Write& write : writes) write.thread.erase(kGuardedRegion);
  const auto found = SynthesizeThreads(ExamplesOf(writes, unit), parts);
  return found.empty() ? ThreadFormulas() : found.front();
}

SharedWriters BlockRecorder::Writers() const {
  SharedWriters writers;
  for (const auto& [memory, writes] : writes_) {
    if (writes.empty()) continue;
    SharedWriters::Memory& found = writers.memories[memory];
    found.unit = std::ranges::min(writes, {}, &Write::bytes).bytes;
    found.has_atomics = changed_atomically_.contains(memory);
    found.always = FormulasOf(writes, found.unit);
    std::map<int64_t, std::vector<Write>> by_interval;
    for (const Write& write : writes) by_interval[write.interval].push_back(write);
    for (const auto& [interval, some] : by_interval) {
      ThreadFormulas formulas = FormulasOf(some, found.unit);
      if (!formulas.empty()) found.in_interval.emplace(interval, std::move(formulas));
    }
  }
  return writers;
}

}  // namespace layoutcheck
