// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds formulas for the thread that stores an element from examples.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>
#include "layoutcheck/llvm/kernel/thread_of_element.h"

namespace layoutcheck {

// A store of a thread in a launch with numbers.
struct StoreExample {
  std::map<std::string, int64_t> names;   // sizes, launch and element: NamesOfElement()
  std::map<std::string, int64_t> thread;  // the numbers to be found: "thread_x"
};

// The parts of which formulas are made: ((base floordiv a floordiv b) mod c) * d, where d divides all numbers of a
// thread.
struct ThreadParts {
  std::vector<std::string> bases;  // names of indices, the likely ones first
  std::vector<int64_t> numbers;    // divisors beside the sizes of the launch
  std::set<std::string> zeros;     // numbers of a thread that are 0 in every launch
  bool has_iterations = false;     // threads store several elements
  int64_t first_region = 0;        // added to the number of the guarded region, which counts from it
};

// Returns formulas that are true of all examples, which have the same names: at most one per base, which has that base
// wherever it can, the likely ones first. Where the highest digit of a base is not the number of a thread, it is that
// of an iteration; last come formulas in which an index that says no number of a thread is that of an iteration.
// Where no formula is found, bases that count from the end of a size are tried, too.
// Returns nothing if a number of a thread has no such formula.
std::vector<ThreadFormulas> SynthesizeThreads(const std::vector<StoreExample>& examples, const ThreadParts& parts);

// Returns formulas with the guarded region, if several of `regions` store, then those without it. The examples have the
// numbers of their regions.
std::vector<ThreadFormulas> SynthesizeInRegions(const std::vector<StoreExample>& examples,
                                                const std::set<std::optional<size_t>>& regions, ThreadParts parts);

// Returns guesses with one case per place in the source that stores, such as the vectors of an array and its rest: the
// elements of all but the last case have an index below a number, a size, or a multiple of a number below a size, or
// not below it. Returns nothing for one place, for more than a few, and where an index does not tell the places apart.
std::vector<std::vector<ThreadCase>> SynthesizeCases(std::map<std::string, std::vector<StoreExample>> places,
                                                     ThreadParts parts);

}  // namespace layoutcheck
