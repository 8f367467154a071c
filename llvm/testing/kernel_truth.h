// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Evaluates a random kernel by definition: lists every access of every thread, and stores in all small interleavings.
// Nothing here uses LLVM or the prover.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>
#include "layoutcheck/llvm/testing/random_kernel.h"

namespace layoutcheck {

// A launch of a random kernel.
struct KernelLaunch {
  int64_t blocks = 1;
  int64_t argument = 0;  // n
};

// The contents of a place in memory.
struct KernelValue {
  enum class Kind : uint8_t {
    kElement,   // element `index` of in or out, as it was before the launch
    kConstant,  // a literal of the kernel
    kComputed,  // a sum that atomic operations have made
    kGarbage,   // nothing has been written there
  };
  Kind kind = Kind::kGarbage;
  int array = 0;
  int64_t index = 0;   // of an element
  int64_t number = 0;  // the value, unless it is garbage

  bool operator==(const KernelValue&) const = default;
};

// One step of a thread: an access, a barrier, or a change of its register. The steps of a thread do not depend on those
// of others.
struct ThreadEvent {
  KernelStatement::Kind kind = KernelStatement::Kind::kBarrier;
  int array = 0;                                  // 0 is in, 1 is out, 2 and 3 are names of shared memory
  int64_t index = 0;                              // of the first element
  int64_t count = 1;                              // number of elements
  int64_t literal = 0;                            // of kSet and kShuffle; the mask of kWarpBarrier
  int64_t barriers = 0;                           // number of barriers of the block that the thread has passed
  std::map<int64_t, int64_t> warp_barriers = {};  // number of barriers of its warp that it has passed, by their masks
  const KernelStatement* statement = nullptr;
  std::vector<KernelValue> values = {};  // what a store stores, in a launch without races
};

struct KernelTruth {
  // The threads of block 0, then those of block 1, and so on.
  std::vector<std::vector<ThreadEvent>> threads;
  // Two threads that access the same place, one of them writing, not both by atomic operations, with no barriers of
  // their block or warp that put one access in front of the other, by the number of the memory: 1 is out, 2 and 3 are
  // shared.
  std::map<size_t, std::string> races;
  enum class Barriers : uint8_t {
    kUniform,   // all threads of a block reach the same barriers
    kReturned,  // some threads have returned in front of the barriers that others reach
    kSomeEnd,   // some threads end before barriers that others reach, and may have gone past them
    kDiverge,   // two threads wait at different barriers, and neither has ended
  };
  Barriers barriers = Barriers::kUniform;
  std::vector<int64_t> stores;   // number of plain stores to each element of out
  std::vector<KernelValue> out;  // what out holds in the end of a launch without races
  bool are_orders_alike = true;  // false if two orders of the threads' events gave different results
  bool has_ended = true;         // false if threads wait for each other forever
  int64_t orders_tried = 0;
};

// Returns the number that an element of in or out is before the launch.
int64_t FirstNumber(int array, int64_t index);

KernelTruth TruthOf(const RandomKernel& kernel, const KernelLaunch& launch);

// A random kernel with one launch of it, both drawn from a seed.
struct SeededKernel {
  explicit SeededKernel(uint64_t seed);

  uint64_t seed;
  RandomKernel kernel;
  KernelLaunch launch;
  KernelTruth truth;  // of the launch

  // Returns the source, the launch and the seed, for messages.
  std::string Text() const;
};

}  // namespace layoutcheck
