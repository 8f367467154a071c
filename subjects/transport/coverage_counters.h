// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The coverage counters of libraries that were compiled with -fsanitize-coverage= inline-8bit-counters or
// trace-pc-guard (clang) or trace-pc (g++ and clang). The process has one set of them, because the functions that such
// libraries call (coverage_hooks.cc) do not say which library calls.
#ifndef LAYOUTCHECK_SUBJECTS_TRANSPORT_COVERAGE_COUNTERS_H_
#define LAYOUTCHECK_SUBJECTS_TRANSPORT_COVERAGE_COUNTERS_H_

#include <cstdint>
#include <span>
#include <vector>

namespace layoutcheck {

// Adds the counters of a library, one per edge, which are valid while it is loaded. The hooks call this and the next
// three.
void AddCounters(std::span<uint8_t> counters);
// Returns the first of `count` numbers, never 0, for the edges of a library without counters of its own.
uint32_t TakeEdgeNumbers(uint32_t count);
// Adds one to the counter of the edge with this number.
void CountEdge(uint32_t number);
// Adds one to the counter of the block of code at this address.
void CountBlock(uintptr_t address);

// Forgets all counters. Called before another subject is loaded.
void ForgetCounters();
// Tells the address at which the library is loaded, so that a block has the same counter in each run.
void SetLibraryBase(uintptr_t base);
// Returns the counters of the libraries loaded since ForgetCounters, which may be set to 0; none if they were not
// compiled with counters. Several blocks or edges may share one counter.
std::vector<std::span<uint8_t>> LoadedCounters();

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_SUBJECTS_TRANSPORT_COVERAGE_COUNTERS_H_
