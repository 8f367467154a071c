// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory that the threads of a block share: which thread writes a place, what is read there, and whether two threads
// meet at one.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include "layoutcheck/llvm/kernel/kernel_model.h"
#include "layoutcheck/llvm/kernel/thread_of_element.h"

namespace layoutcheck {

// Guesses of which thread of a block writes a place. They are formulas of kPlace, in units, and of the launch.
struct SharedWriters {
  struct Memory {
    int64_t unit = 0;                               // bytes of the smallest write
    bool has_atomics = false;                       // atomic operations change places, too
    ThreadFormulas always;                          // the writer in all intervals; empty if there is none
    std::map<int64_t, ThreadFormulas> in_interval;  // the writer between two barriers, by the number of the first
  };
  std::map<std::string_view, Memory> memories;  // by the name of the variable, which the module has
};

// The intervals between barriers in which threads access each memory.
struct SharedIntervals {
  using Set = std::set<IntervalClass>;
  struct Memory {
    Set reads;
    Set writes;
    Set atomics;
  };
  std::map<std::string_view, Memory> memories;
  // Threads of warps that wait for each other, each with the place of one of their barriers.
  std::map<BarrierGroup, std::string> warp_groups;
  bool warps_may_order_together = false;  // MayOrderTogether of these groups

  void Add(const KernelRun& run);
};

// Returns the reader for the thread of `values`: the value is what the writer of the place has stored there before the
// interval of the read. The claim rests on each place having one writer per interval, and on no other thread writing in
// the interval of the read: the law "race-free". If the writer has stored what it had read of shared memory, the reader
// goes on to the writer of that, through at most `most_writers` writers.
SharedReader ReaderOf(const KernelModel& model, const KernelModel::Point& point, const SymbolicValues& values,
                      const SharedWriters& writers, int most_writers = 2);

// Checks that no other thread of the block meets the thread at a place of shared memory between two barriers. Throws
// FunctionFault where two threads meet, which it names, and FunctionUnknown where that is not known.
void CheckSharedRaces(const KernelModel& model, const KernelModel::Point& point, const SymbolicValues& values,
                      const SharedWriters& writers, const SharedIntervals& intervals, const KernelRun& run);

// Checks that the thread reaches the same barriers as thread 0 of its block, unless one of them returns before, and the
// same as the first thread of each of the groups of its warp that it belongs to.
void CheckUniformBarriers(const KernelModel& model, const KernelModel::Point& point, const SymbolicValues& values,
                          const KernelRun& run, const SharedIntervals& intervals);

// Returns " reaches a barrier at FILE:LINE that " if one of two threads reaches a barrier of the group, to which both
// belong, that the other, which has not returned, does not reach: the one with more of them. Barriers of a warp are
// counted, wherever they stand in the code; those of the block have to be the same ones.
std::optional<std::string> WhyBarriersDiffer(const BarrierTrace& a, const BarrierTrace& b, const BarrierGroup& group);
// Returns " waits at FILE:LINE for threads of its warp by a mask that does not name it" if the thread passes a barrier
// of a group to which it does not belong.
std::optional<std::string> WhyNotOfGroup(const BarrierTrace& trace, const SymbolicInteger& thread,
                                         const BarrierGroup& group);

// Returns "thread (1,0,0) of block (0,0,0)" for numbers, and "another thread" for expressions.
std::string ThreadText(const SymbolicValues& values);

// An access of one thread, for the text of a race.
struct ThreadAccess {
  std::string thread;  // HostThread::ToString()
  SharedAccess::Kind kind;
  std::string_view place;  // place in the source
};

// Returns "reads", "writes" or "changes".
std::string_view RaceVerb(SharedAccess::Kind kind);
// Returns "A writes byte 4 of tile at FILE:LINE, and B reads it at FILE:LINE, with no barrier between them".
std::string RaceText(const ThreadAccess& a, const ThreadAccess& b, std::string_view byte, bool is_same_block);

}  // namespace layoutcheck
