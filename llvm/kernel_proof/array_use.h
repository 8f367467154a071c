// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the threads of a kernel do with its arrays.
#pragma once

#include <cstddef>
#include <set>
#include "layoutcheck/llvm/ir/interpreter.h"
#include "layoutcheck/llvm/kernel/shared_memory.h"

namespace layoutcheck {

// Sets of numbers of arrays.
struct ArrayUse {
  std::set<size_t> read;
  std::set<size_t> atomic;    // atomic operations change them
  std::set<size_t> computed;  // the result of arithmetic is stored to them
  std::set<size_t> moved;     // a value is stored to them that may be an element
  SharedIntervals intervals;  // intervals in which threads access shared memory

  // Adds what a thread does, and the arrays to which it stores to `written`.
  void Add(const KernelRun& run, std::set<size_t>& written) {
    intervals.Add(run);
    for (const ArrayRead& access : run.reads) read.insert(static_cast<size_t>(access.object));
    for (const KernelStore& store : run.stores) {
      const auto array = static_cast<size_t>(store.array);
      written.insert(array);
      if (store.is_atomic) atomic.insert(array);
      if (store.is_computed) computed.insert(array);
      if (!store.is_atomic && !store.is_computed && !store.is_constant) moved.insert(array);
    }
  }

  // Returns the arrays among those written to which the result of arithmetic is stored, or nothing but constants.
  std::set<size_t> ComputedOf(const std::set<size_t>& written) const {
    std::set<size_t> arrays = computed;
    for (const size_t array : written) {
      if (!moved.contains(array)) arrays.insert(array);
    }
    return arrays;
  }
};

}  // namespace layoutcheck
