// Counters of code coverage in libraries that were compiled with them: by clang with -fsanitize-coverage=
// inline-8bit-counters or trace-pc-guard, by g++ (and clang) with trace-pc. One set for the process, as the functions
// that such libraries call (coverage_hooks.cc) name none.
#ifndef LAYOUTCHECK_SUBJECTS_TRANSPORT_COVERAGE_COUNTERS_H_
#define LAYOUTCHECK_SUBJECTS_TRANSPORT_COVERAGE_COUNTERS_H_

#include <cstdint>
#include <span>
#include <vector>

namespace layoutcheck {

// For the hooks: counters that a library has itself, one an edge; valid while it is loaded.
void AddCounters(std::span<uint8_t> counters);
// Numbers for the edges of a library that has none, each a counter that CountEdge adds to; the first one, never 0.
uint32_t TakeEdgeNumbers(uint32_t count);
void CountEdge(uint32_t number);
// The same for the block of code at this address.
void CountBlock(uintptr_t address);

// The libraries that are loaded from now on are another subject: what was counted before is forgotten.
void ForgetCounters();
// Where the library is loaded: a block has the same counter in each run, wherever that is.
void SetLibraryBase(uintptr_t base);
// The counters of what was loaded since, which may be set to 0; none where it was not compiled with them. Several
// blocks or edges may share one.
std::vector<std::span<uint8_t>> LoadedCounters();

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_SUBJECTS_TRANSPORT_COVERAGE_COUNTERS_H_
