// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The events of the threads of a random kernel, and what follows from them without running any: races, and barriers
// that not all threads reach.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>
#include "layoutcheck/llvm/testing/kernel_truth.h"

namespace layoutcheck {

// Return true for an access to memory, and for an event at which threads wait for each other.
bool IsAccess(const ThreadEvent& event);
bool IsMeeting(const ThreadEvent& event);

// Returns true if a thread that waits at the event waits for the other one. `thread` and `other` are their numbers in
// the block.
bool WaitsFor(const ThreadEvent& event, int64_t thread, int64_t other);

// Returns the number of the memory that a name of an array names.
size_t MemoryOf(const RandomKernel& kernel, int array);

// Lists the events of one thread. `returned` is set to the return statement that ends it, or null.
std::vector<ThreadEvent> EventsOf(const RandomKernel& kernel, int64_t thread, int64_t block, const KernelLaunch& launch,
                                  const KernelStatement*& returned);

// Returns KernelTruth::races. `threads` are the events of all threads.
std::map<size_t, std::string> RacesOf(const RandomKernel& kernel, const std::vector<std::vector<ThreadEvent>>& threads);

// Returns KernelTruth::barriers. `returned` are the statements with which the threads return, or null.
KernelTruth::Barriers BarriersOf(const RandomKernel& kernel, const std::vector<std::vector<ThreadEvent>>& threads,
                                 const std::vector<const KernelStatement*>& returned);

}  // namespace layoutcheck
