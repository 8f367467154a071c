// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Coverage counters of libraries compiled with -fsanitize-coverage= inline-8bit-counters or trace-pc-guard (clang) or
// trace-pc (g++ and clang). A process has one set, because the hooks (coverage_hooks.cc) do not know which library
// calls.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace layoutcheck {

// Adds the counters of a library, one per edge, valid while it is loaded. Called, like the next three, by the hooks.
void AddCounters(std::span<uint8_t> counters);
// Returns the first of `count` nonzero numbers for the edges of a library without its own counters.
uint32_t TakeEdgeNumbers(uint32_t count);
// Increments the counter of the edge with this number.
void CountEdge(uint32_t number);
// Increments the counter of the code block at this address.
void CountBlock(uintptr_t address);

// Forgets all counters, before another subject is loaded.
void ForgetCounters();
// Sets the library's load address, so that a block has the same counter in each run.
void SetLibraryBase(uintptr_t base);
// Returns the counters of the libraries loaded since ForgetCounters, or none if they were compiled without. The caller
// may set them to 0. Several blocks or edges may share one counter.
std::vector<std::span<uint8_t>> LoadedCounters();

}  // namespace layoutcheck
