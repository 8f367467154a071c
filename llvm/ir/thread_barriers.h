// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The barriers that a thread has passed: those of its block, and those of threads of its warp.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>
#include "layoutcheck/solver/paths/symbolic_integer.h"

namespace llvm {
class BasicBlock;
}  // namespace llvm

namespace layoutcheck {

// The threads that wait for each other at a barrier. A block is cut into tiles of `tile` consecutive threads, such as
// warps; those of a tile wait whose numbers in it are bits of the mask.
struct BarrierGroup {
  int64_t tile = 0;  // number of threads; 0 for the whole block
  uint64_t mask = kAllThreads;

  static constexpr uint64_t kAllThreads = ~uint64_t{0};
  static constexpr uint64_t kUnknownThreads = 0;  // no barrier is of no thread

  bool IsKnown() const { return mask != kUnknownThreads; }
  // Returns true if the group has a thread, by its number in the block.
  bool Contains(const SymbolicInteger& thread) const;
  // Returns true if two threads of a block wait for each other.
  bool ContainsBoth(const SymbolicInteger& a, const SymbolicInteger& b) const;
  // Returns the number of the first thread that waits with this one, which the group has.
  SymbolicInteger FirstWith(const SymbolicInteger& thread) const;
  auto operator<=>(const BarrierGroup&) const = default;
};

// Numbers of barriers of a warp that a thread has passed; none for those of which it has passed none.
using WarpBarriers = std::map<BarrierGroup, SymbolicInteger>;

// The order of two accesses by threads of a block that lie between the same barriers of the block.
enum class WarpOrder : uint8_t {
  kNone,     // no barriers of their warp lie between them
  kBefore,   // the first access is in front of such a barrier, and the second is behind it
  kAfter,    // the reverse
  kUnknown,  // barriers may lie between them whose threads are not known, or that order them only together
};

// Returns true if barriers of several of the groups may order two threads together, of which no group has both: a
// barrier of lanes 0 and 1, and then one of lanes 1 and 2, put lane 0 in front of lane 2. That takes two groups that
// have a part of their threads in common, or one whose threads are not known.
bool MayOrderTogether(std::span<const BarrierGroup> groups);

// Returns the order of two accesses by the numbers of the threads in their block and the barriers that they have
// passed. The claim rests on all threads of a group passing as many barriers: the law "uniform-barriers".
// `may_order_together` is MayOrderTogether of the kernel's groups; accesses without barriers in front of them are not
// ordered by any.
WarpOrder OrderInWarp(const SymbolicInteger& a, const WarpBarriers& passed_by_a, const SymbolicInteger& b,
                      const WarpBarriers& passed_by_b, bool may_order_together);

// The barriers of one group that a thread has passed.
struct PassedBarriers {
  SymbolicInteger count = 0;
  // The places in the source; of a loop that a name bounds, those of some iterations. The first `known` are those of
  // the first barriers.
  std::vector<std::string> places;
  size_t known = 0;
  std::vector<size_t> blocks_before;  // for each place, the number of blocks of the kernel that were entered before it
};

// All barriers that a thread has passed.
class BarrierTrace {
 public:
  void Enter(const llvm::BasicBlock& block) { blocks_.push_back(&block); }
  void Pass(const BarrierGroup& group, std::string_view place);
  // Says that the barriers passed since the last call lie in the block of the kernel that was entered last.
  void EndCall();

  const std::map<BarrierGroup, PassedBarriers>& groups() const { return groups_; }
  const PassedBarriers& Of(const BarrierGroup& group) const;
  // Returns the number of barriers of the block.
  const SymbolicInteger& interval() const { return Of({}).count; }
  WarpBarriers warp_barriers() const;
  // Numbers of barriers by group, as they are and as they are set behind a loop.
  std::map<BarrierGroup, SymbolicInteger> Counts() const;
  void SetCounts(const std::map<BarrierGroup, SymbolicInteger>& counts);

  // Returns the block of the kernel in which barrier number k of the group was passed, or null if that is not known.
  const llvm::BasicBlock* BlockOf(const PassedBarriers& passed, size_t k) const;
  // Returns the blocks that were entered behind the last barrier of the group.
  std::set<const llvm::BasicBlock*> BlocksBehind(const PassedBarriers& passed) const;

 private:
  std::map<BarrierGroup, PassedBarriers> groups_;
  std::vector<const llvm::BasicBlock*> blocks_;  // of the kernel, in the order in which they were entered
};

}  // namespace layoutcheck
