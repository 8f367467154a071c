// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Records the accesses of all threads of small launches, and finds races and the writers of shared memory.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>
#include "layoutcheck/llvm/kernel/host_run.h"
#include "layoutcheck/llvm/kernel/shared_memory.h"
#include "layoutcheck/llvm/kernel/thread_synthesis.h"

namespace layoutcheck {

// Two threads of a launch that meet, or part.
struct ThreadConflict {
  std::string text;
  std::array<HostThread, 2> threads;
};

// Records the runs of the threads of one launch after another.
class BlockRecorder {
 public:
  explicit BlockRecorder(const KernelModel& model) : model_(model) {}

  void BeginLaunch();
  // Adds a thread of the launch, whose sizes are among the values.
  void Add(const KernelModel::Point& point, const SymbolicValues& values, const HostThread& thread,
           const KernelRun& run);

  // Compares the barriers of warps of the launch, after all threads were added.
  void EndLaunch();

  // In the launch: two threads that access the same byte, one of them writing, without a barrier of their block or warp
  // between them.
  const std::optional<ThreadConflict>& race() const { return race_; }
  // Two threads of a block, one of which reaches a barrier that the other does not reach.
  const std::optional<ThreadConflict>& divergence() const { return divergence_; }
  // Returns formulas that are true of all launches.
  SharedWriters Writers() const;

 private:
  using Block = std::array<int64_t, 3>;  // its numbers in the grid
  // A thread with the barriers that it passes.
  struct TracedThread {
    HostThread thread;
    BarrierTrace trace;
  };
  struct Access {
    HostThread thread;
    int64_t number = 0;  // of the thread in its block
    int64_t interval = 0;
    WarpBarriers warp_barriers;
    SharedAccess::Kind kind = SharedAccess::Kind::kRead;
    std::string_view place;
  };
  // The accesses to the bytes of an array, or of the shared memory of a block; at most some per byte and interval.
  // While all of them take one aligned unit of so many bytes each, those of a unit are kept once, and then per byte.
  struct Bytes {
    int64_t unit = 0;                                                  // in bytes; 0 while there is no access
    std::unordered_map<int64_t, std::vector<const Access*>> accesses;  // by the number of the unit

    // Makes the unit one of which the access takes a whole number, from the beginning of one on.
    void FitUnit(int64_t offset, int64_t bytes);
  };
  struct Write {
    int64_t offset = 0;
    int64_t bytes = 0;
    int64_t interval = 0;
    std::map<std::string, int64_t> thread;  // its numbers, and kGuardedRegion if the write is in one
    std::map<std::string, int64_t> launch;
  };

  // Adds an access to `bytes` bytes from `offset` on. `name` is that of the memory, for messages.
  void AddAccess(Bytes& memory, std::string_view name, int64_t offset, int64_t bytes, const Access& access);
  static bool IsNeeded(std::span<const Access* const> known, const Access& access);
  static bool AreOrdered(const Access& a, const Access& b);
  void AddBarriers(const HostThread& thread, const BarrierTrace& trace);
  void FindDivergence(const TracedThread& a, const TracedThread& b, const BarrierGroup& group);
  std::vector<StoreExample> ExamplesOf(const std::vector<Write>& writes, int64_t unit) const;
  ThreadFormulas FormulasOf(std::vector<Write> writes, int64_t unit) const;

  const KernelModel& model_;
  std::deque<Access> accesses_;                                 // of the launch
  std::vector<Bytes> arrays_;                                   // accesses to them
  std::map<std::pair<std::string_view, Block>, Bytes> shared_;  // accesses, by memory and block
  // A thread that reaches the most barriers among those added so far, by block. All others reach the same barriers if
  // each of them does, or returns before.
  std::map<Block, TracedThread> longest_of_block_;
  // The threads by block and by their number in it, if the kernel has barriers of warps.
  std::map<std::pair<Block, int64_t>, TracedThread> traces_;
  std::set<BarrierGroup> warp_groups_;                     // of all launches
  std::map<std::string_view, std::vector<Write>> writes_;  // to shared memory, over all launches
  std::set<std::string_view> changed_atomically_;          // shared memories
  std::optional<ThreadConflict> race_;
  // Two threads that meet behind barriers of their warp, none of which lies between them.
  std::optional<ThreadConflict> race_in_warp_;
  std::optional<ThreadConflict> divergence_;
};

}  // namespace layoutcheck
