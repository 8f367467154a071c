// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/kernel/shared_memory.h"
#include <algorithm>
#include <deque>
#include <numeric>
#include <ranges>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/llvm/kernel/barrier_blocks.h"
#include "layoutcheck/solver/paths/function_run.h"

namespace layoutcheck {
namespace {

std::optional<int64_t> NumberIfKnown(const SymbolicInteger& value) {
  const auto number = value.number();
  return number ? std::optional(static_cast<int64_t>(*number)) : std::nullopt;
}

// Returns the thread that writes the place by the formulas; nothing if the block has no such thread.
std::optional<ElementOwner> WriterOf(const ThreadFormulas& formulas, const KernelModel::Point& point,
                                     SymbolicValues values, const SymbolicInteger& place) {
  values.insert_or_assign(kPlace, place);
  auto writer = OwnerBy(formulas, NamesOfLaunch(point, std::move(values)));
  if (!writer) return std::nullopt;
  for (const auto& [name, number] : writer->thread) {
    const auto& bound = point.block[kAxes.find(name.back())];
    if (number < 0 || (bound && number >= *bound)) return std::nullopt;
  }
  return writer;
}

bool Overlap(const SharedAccess& a, const SharedAccess& b) {
  if (a.bytes == b.bytes) return a.offset == b.offset;  // both are aligned
  return a.offset < b.offset + b.bytes && b.offset < a.offset + a.bytes;
}

// Returns what the bytes of a read are in a value that was written around them; nothing if it was not.
std::optional<MachineValue> PartOf(const SharedAccess& write, const SharedAccess& read) {
  if (write.bytes == read.bytes) return write.value;
  if (write.bytes < read.bytes || write.value.kind != MachineValue::Kind::kElement) return std::nullopt;
  MachineValue part = write.value;
  part.integer = part.integer + (read.offset - write.offset);
  part.width = static_cast<int>(read.bytes) * kBitsPerByte;
  return part;
}

// Returns true if some interval of the set may be that of the access.
bool MayMeet(const SharedIntervals::Set& intervals, const SharedAccess& access) {
  return std::ranges::any_of(intervals, [&](const IntervalClass& other) {
    const int64_t common = std::gcd(other.period, access.interval_class.period);
    const int64_t apart = other.residue - access.interval_class.residue;
    return common == 0 ? apart == 0 : apart % common == 0;
  });
}

bool AreSame(const PassedBarriers& a, const PassedBarriers& b) { return a.count == b.count && a.places == b.places; }

// Returns true if the threads pass as many barriers of a group of their warp, which may lie at different places of the
// code.
bool PassAsMany(const BarrierTrace& a, const BarrierTrace& b, const BarrierGroup& group) {
  return group != BarrierGroup() && a.Of(group).count == b.Of(group).count;
}

// The check of one thread for races.
class RaceCheck {
 public:
  RaceCheck(const KernelModel& model, const KernelModel::Point& point, const SymbolicValues& values,
            const SharedWriters& writers, const SharedIntervals& intervals)
      : model_(model), point_(point), values_(values), writers_(writers), intervals_(intervals) {}

  void Check(const SharedAccess& access) {
    const auto found = intervals_.memories.find(access.memory);
    if (found == intervals_.memories.end()) throw FunctionUnknown{WhyNoWriter(access)};
    const SharedIntervals::Memory& all = found->second;
    const bool is_atomic = access.kind == SharedAccess::Kind::kAtomic;
    if (is_atomic ? MayMeet(all.reads, access) || MayMeet(all.writes, access) : MayMeet(all.atomics, access)) {
      return CheckAgainstAll(access);
    }
    if (is_atomic || (access.kind == SharedAccess::Kind::kRead && !MayMeet(all.writes, access))) return;
    const auto known = writers_.memories.find(access.memory);
    if (known == writers_.memories.end()) return CheckAgainstAll(access);
    const SharedWriters::Memory& memory = known->second;
    const auto number = NumberIfKnown(access.interval);
    const bool is_numbered = number && memory.in_interval.contains(*number);
    if (memory.always.empty() && !is_numbered) return CheckAgainstAll(access);
    for (int64_t at = 0; at < access.bytes; at += memory.unit) {
      const ThreadFormulas& formulas = memory.always.empty() ? memory.in_interval.at(*number) : memory.always;
      const auto writer = WriterOf(formulas, point_, values_, FloorDiv(access.offset + at, memory.unit));
      if (writer) {
        if (!writer->IsThread(values_)) CheckAgainst(access, writer->In(values_));
      } else if (access.kind == SharedAccess::Kind::kWrite) {
        throw FunctionUnknown{WhyNoWriter(access)};
      }
    }
  }

 private:
  static std::string WhyNoWriter(const SharedAccess& access) {
    return StrCat("which thread writes a place of ", access.name, " was not found, at ", access.place);
  }

  // Checks an access to a place that another thread writes by the guess.
  void CheckAgainst(const SharedAccess& access, const SymbolicValues& writer) {
    CheckPair(access, writer);
    if (access.kind == SharedAccess::Kind::kWrite) throw FunctionUnknown{WhyNoWriter(access)};
  }

  // Checks an access against those of any other thread of the block.
  void CheckAgainstAll(const SharedAccess& access) {
    if (!FunctionRun::IsOnNames()) throw FunctionUnknown{WhyNoWriter(access)};
    if (!other_) other_ = AnyOther();
    if (!other_->empty()) CheckPair(access, *other_);
  }

  // Returns another thread of the block, which may be any; nothing on a path on which the numbers are those of none.
  SymbolicValues AnyOther() const {
    SymbolicValues other = values_;
    for (const std::string& name : model_.thread_names()) {
      if (name.starts_with("thread_")) other.insert_or_assign(name, FunctionRun::NewCount());
    }
    if (!model_.IsThread(point_, other)) return {};
    const bool is_other = std::ranges::any_of(values_, [&](const auto& entry) {
      const auto& [name, number] = entry;
      return name.starts_with("thread_") && !(other.at(name) == number);
    });
    return is_other ? other : SymbolicValues();
  }

  // Checks the access against those of another thread.
  void CheckPair(const SharedAccess& access, const SymbolicValues& writer) {
    const auto order = [&](const SharedAccess& write) {
      return OrderInWarp(KernelModel::NumberInBlock(point_, writer), write.warp_barriers,
                         KernelModel::NumberInBlock(point_, values_), access.warp_barriers,
                         intervals_.warps_may_order_together);
    };
    for (const SharedAccess& write : AccessesOf(writer, NumberIfKnown(access.interval))) {
      const bool is_harmless = write.kind == SharedAccess::Kind::kRead ||
                               (write.kind == access.kind && write.kind == SharedAccess::Kind::kAtomic);
      if (is_harmless || write.memory != access.memory || !(write.interval == access.interval) ||
          !Overlap(write, access))
        continue;
      const WarpOrder found = order(write);
      if (found == WarpOrder::kUnknown) {
        throw FunctionUnknown{StrCat("whether barriers of a warp lie between two accesses to ", access.name, ", at ",
                                     write.place, " and at ", access.place, ", is not known")};
      }
      if (found != WarpOrder::kNone) continue;
      const auto byte = NumberIfKnown(access.offset);
      throw FunctionFault{RaceText({ThreadText(values_), access.kind, access.place},
                                   {ThreadText(writer), write.kind, write.place},
                                   StrCat(byte ? StrCat("byte ", *byte) : "a byte", " of ", access.name),
                                   /*is_same_block=*/true)};
    }
  }

  // Returns the accesses of a thread up to the end of the interval, if its number is known.
  const std::vector<SharedAccess>& AccessesOf(const SymbolicValues& thread, std::optional<int64_t> interval) {
    const auto are_same = [](const auto& a, const auto& b) {
      return a.first == b.first && SymbolicInteger::AreSame(a.second, b.second);
    };
    for (const OtherRun& run : other_runs_) {
      if (run.interval == interval && std::ranges::equal(run.thread, thread, are_same)) return run.accesses;
    }
    KernelRun run = model_.RunOther(
        point_, thread,
        {.last_barrier = interval ? std::optional(*interval + 1) : std::nullopt, .regions_interval = interval});
    other_runs_.push_back({thread, interval, std::move(run.shared)});
    return other_runs_.back().accesses;
  }

  // The accesses of another thread. Several accesses of this thread meet those of the same other one.
  struct OtherRun {
    SymbolicValues thread;
    std::optional<int64_t> interval;
    std::vector<SharedAccess> accesses;
  };

  const KernelModel& model_;
  const KernelModel::Point& point_;
  const SymbolicValues& values_;
  const SharedWriters& writers_;
  const SharedIntervals& intervals_;
  std::optional<SymbolicValues> other_;  // AnyOther(), once it is needed
  std::deque<OtherRun> other_runs_;
};

}  // namespace

std::string ThreadText(const SymbolicValues& values) {
  const bool are_numbers = std::ranges::all_of(values, [](const auto& entry) {
    const bool is_of_thread = entry.first.starts_with("thread_") || entry.first.starts_with("block_");
    return !is_of_thread || entry.second.number();
  });
  return are_numbers ? ThreadIn(values).ToString() : "another thread";
}

std::string_view RaceVerb(SharedAccess::Kind kind) {
  return kind == SharedAccess::Kind::kRead ? "reads" : kind == SharedAccess::Kind::kWrite ? "writes" : "changes";
}

std::string RaceText(const ThreadAccess& a, const ThreadAccess& b, std::string_view byte, bool is_same_block) {
  return StrCat(a.thread, " ", RaceVerb(a.kind), " ", byte, " at ", a.place, ", and ", b.thread, " ", RaceVerb(b.kind),
                " it at ", b.place, is_same_block ? ", with no barrier between them" : "");
}

void SharedIntervals::Add(const KernelRun& run) {
  const size_t known_groups = warp_groups.size();
  for (const auto& [group, passed] : run.barriers.groups()) {
    if (group != BarrierGroup()) warp_groups.emplace(group, passed.places[0]);
  }
  if (warp_groups.size() > known_groups) {
    const auto groups = std::views::keys(warp_groups);
    warps_may_order_together = MayOrderTogether(std::vector<BarrierGroup>(groups.begin(), groups.end()));
  }
  for (const SharedAccess& access : run.shared) {
    Memory& memory = memories[access.memory];
    Set& set = access.kind == SharedAccess::Kind::kRead    ? memory.reads
               : access.kind == SharedAccess::Kind::kWrite ? memory.writes
                                                           : memory.atomics;
    set.insert(access.interval_class);
  }
}

// The reads of shared memory by one thread.
class WrittenValues {
 public:
  WrittenValues(const KernelModel& model, const KernelModel::Point& point, const SymbolicValues& values,
                const SharedWriters& writers, int most_writers)
      : model_(model), point_(point), values_(values), writers_(writers), most_writers_(most_writers) {}

  std::optional<MachineValue> Read(const SharedAccess& read, const std::vector<SharedAccess>& earlier) const {
    const auto known = writers_.memories.find(read.memory);
    const auto interval = NumberIfKnown(read.interval);
    if (known == writers_.memories.end() || !interval) return std::nullopt;
    const SharedWriters::Memory& memory = known->second;
    const bool is_in_warp = !read.warp_barriers.empty();  // other threads may have written since the last barrier
    const bool has_one_writer = !memory.always.empty() || memory.in_interval.contains(*interval);
    const bool are_numbers =
        std::ranges::all_of(read.warp_barriers, [](const auto& passed) { return passed.second.number().has_value(); });
    if (is_in_warp && (memory.has_atomics || !has_one_writer || !are_numbers)) return std::nullopt;
    // The thread reads its own writes since the last barrier.
    for (const SharedAccess& access : earlier | std::views::reverse) {
      const bool is_candidate = access.kind != SharedAccess::Kind::kRead && access.memory == read.memory &&
                                access.interval.number() == read.interval.number();
      if (!is_candidate || !Overlap(access, read)) continue;
      return access.kind == SharedAccess::Kind::kWrite ? PartOf(access, read) : std::nullopt;
    }
    if (memory.has_atomics) return std::nullopt;
    if (*interval == 0 && !is_in_warp) return Garbage(read);
    // Threads may have written other parts of what is read.
    if (read.bytes > memory.unit) return std::nullopt;
    std::optional<SharedAccess> write;
    if (!memory.always.empty()) {
      write = WrittenBy(memory.always, memory.unit, read, std::nullopt);
    } else {
      for (const auto& [number, formulas] : memory.in_interval | std::views::reverse) {
        if (number > *interval || (number == *interval && !is_in_warp) || write) continue;
        write = WrittenBy(formulas, memory.unit, read, number);
      }
    }
    if (write) return PartOf(*write, read);
    if (memory.always.empty()) return std::nullopt;
    return Garbage(read);
  }

 private:
  static MachineValue Garbage(const SharedAccess& read) {
    MachineValue value = MachineValue::Unknown(StrCat("a place that no thread has written, at ", read.place));
    value.is_garbage = true;
    return value;
  }

  // Returns the last write of the place before the read by the thread of the formulas, between the barriers of the
  // block that `in` says, if it is given.
  std::optional<SharedAccess> WrittenBy(const ThreadFormulas& formulas, int64_t unit, const SharedAccess& read,
                                        std::optional<int64_t> in) const {
    const auto writer = WriterOf(formulas, point_, values_, FloorDiv(read.offset, unit));
    if (!writer) return std::nullopt;
    const SymbolicValues thread = writer->In(values_);
    const int64_t interval = *NumberIfKnown(read.interval);
    const KernelRun run = model_.RunOther(point_, thread,
                                          {.last_barrier = read.warp_barriers.empty() ? interval : interval + 1,
                                           .reader = ReaderOf(model_, point_, thread, writers_, most_writers_ - 1),
                                           .regions = writer->Regions()});
    const auto is_read = [&](const SharedAccess& access) {
      const bool is_write = access.kind == SharedAccess::Kind::kWrite && access.memory == read.memory;
      const bool is_in = !in || NumberIfKnown(access.interval) == in;
      return is_write && is_in && IsBefore(access, thread, read) && Overlap(access, read);
    };
    const auto last = std::find_if(run.shared.rbegin(), run.shared.rend(), is_read);
    // NOLINTNEXTLINE(clang-analyzer-cplusplus.NewDeleteLeaks): the run owns what it has allocated
    return last == run.shared.rend() ? std::nullopt : std::optional(*last);
  }

  // Returns true if the write by the thread, up to the barrier of the block behind the read, is in front of the read.
  bool IsBefore(const SharedAccess& write, const SymbolicValues& thread, const SharedAccess& read) const {
    if (read.warp_barriers.empty()) return true;
    const auto number = NumberIfKnown(write.interval);
    const int64_t interval = *NumberIfKnown(read.interval);
    if (!number || *number != interval) return number && *number < interval;
    // A read of what a thread of its warp writes is ordered with the write by one barrier, since nothing races.
    return OrderInWarp(KernelModel::NumberInBlock(point_, thread), write.warp_barriers,
                       KernelModel::NumberInBlock(point_, values_), read.warp_barriers,
                       /*may_order_together=*/false) == WarpOrder::kBefore;
  }

  const KernelModel& model_;
  const KernelModel::Point& point_;
  const SymbolicValues& values_;
  const SharedWriters& writers_;
  int most_writers_;
};

SharedReader ReaderOf(const KernelModel& model, const KernelModel::Point& point, const SymbolicValues& values,
                      const SharedWriters& writers, int most_writers) {
  if (most_writers == 0) return nullptr;
  return [reads = WrittenValues(model, point, values, writers, most_writers)](
             const SharedAccess& read, const std::vector<SharedAccess>& earlier) { return reads.Read(read, earlier); };
}

void CheckSharedRaces(const KernelModel& model, const KernelModel::Point& point, const SymbolicValues& values,
                      const SharedWriters& writers, const SharedIntervals& intervals, const KernelRun& run) {
  RaceCheck check(model, point, values, writers, intervals);
  for (const SharedAccess& access : run.shared) check.Check(access);
}

namespace {

// Checks that the thread reaches the same barriers of the group as the first thread that waits with it.
void CheckGroup(const KernelModel& model, const KernelModel::Point& point, const SymbolicValues& values,
                const KernelRun& run, const BarrierGroup& group) {
  const SymbolicInteger number = KernelModel::NumberInBlock(point, values);
  if (auto text = WhyNotOfGroup(run.barriers, number, group)) {
    throw FunctionFault{StrCat(ThreadText(values), *text)};
  }
  if (!group.Contains(number)) return;
  const SymbolicValues first = KernelModel::ThreadOfBlock(point, values, group.FirstWith(number));
  const PassedBarriers& passed = run.barriers.Of(group);
  const KernelRun quick = model.RunOther(point, first, {.regions = std::set<size_t>()});
  if (!quick.is_whole || AreSame(quick.barriers.Of(group), passed)) return;
  const KernelRun other = model.RunOther(point, first, {});
  if (PassAsMany(other.barriers, run.barriers, group)) {
    const std::vector<std::string>& places = other.barriers.Of(group).places;
    const auto [place, other_place] = std::ranges::mismatch(passed.places, places);
    const bool are_found = place != passed.places.end() && other_place != places.end();
    throw FunctionUnknown{StrCat("threads of a warp wait for each other at ",
                                 are_found ? StrCat(*place, " and at ", *other_place) : "different places",
                                 ", which GPUs before sm_70 do not allow")};
  }
  const auto text = WhyBarriersDiffer(other.barriers, model.RunOther(point, values, {}).barriers, group);
  const bool has_fewer = passed.count < other.barriers.Of(group).count;
  if (!text && has_fewer) return;
  // Threads that agree with one that has returned need not agree with each other.
  if (!text) throw FunctionUnknown{StrCat(ThreadText(first), " returns before others")};
  throw FunctionFault{
      StrCat(ThreadText(has_fewer ? first : values), *text, ThreadText(has_fewer ? values : first), " does not reach")};
}

}  // namespace

void CheckUniformBarriers(const KernelModel& model, const KernelModel::Point& point, const SymbolicValues& values,
                          const KernelRun& run, const SharedIntervals& intervals) {
  if (!run.is_whole) return;
  CheckGroup(model, point, values, run, {});
  for (const auto& [group, place] : intervals.warp_groups) CheckGroup(model, point, values, run, group);
}

std::optional<std::string> WhyNotOfGroup(const BarrierTrace& trace, const SymbolicInteger& thread,
                                         const BarrierGroup& group) {
  const PassedBarriers& passed = trace.Of(group);
  if (passed.places.empty()) return std::nullopt;
  if (!group.IsKnown() || group.Contains(thread)) return std::nullopt;
  return StrCat(" waits at ", passed.places[0], " for threads of its warp by a mask that does not name it");
}

std::optional<std::string> WhyBarriersDiffer(const BarrierTrace& a, const BarrierTrace& b, const BarrierGroup& group) {
  if (AreSame(a.Of(group), b.Of(group)) || PassAsMany(a, b, group)) return std::nullopt;
  const bool is_first = a.Of(group).count < b.Of(group).count;
  const BarrierTrace& few_trace = is_first ? a : b;
  const BarrierTrace& many_trace = is_first ? b : a;
  const PassedBarriers& few = few_trace.Of(group);
  const PassedBarriers& many = many_trace.Of(group);
  const auto first_other = std::ranges::mismatch(few.places, many.places).in1;
  const size_t alike =
      group != BarrierGroup() ? few.places.size() : static_cast<size_t>(first_other - few.places.begin());
  const auto reaches = [&](size_t barrier) {
    const std::vector<std::string>& places = many.places;
    return StrCat(" reaches a barrier", places.empty() ? "" : " at ",
                  places.empty() ? "" : places[std::min(barrier, places.size() - 1)], " that ");
  };
  const bool are_known = few.places.size() <= std::min(few.known, many.known);
  const llvm::BasicBlock* const barrier = many_trace.BlockOf(many, alike);
  if (alike < few.places.size() || few.count == many.count || !are_known || barrier == nullptr) return reaches(alike);
  // A thread that returns early waits no more.
  if (!ArePastBarrier(few_trace.BlocksBehind(few), *barrier)) return std::nullopt;
  return reaches(alike);
}

}  // namespace layoutcheck
