// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs all threads of small launches on numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>
#include "layoutcheck/llvm/kernel_proof/kernel_model.h"

namespace layoutcheck {

struct SimulationFault {
  std::vector<std::pair<std::string, int64_t>> values;  // of the names and of the element or thread
  std::string text;
  size_t array = 0;            // that has the element
  int64_t place = 0;           // of the element, in bytes
  bool is_one_thread = false;  // one thread stores the element twice
};

struct Simulation {
  std::optional<SimulationFault> stored_twice;
  std::optional<SimulationFault> not_stored;  // only of a kernel with a launch
  int64_t per_thread = 1;                     // the most elements that one thread stores
  std::set<size_t> written;                   // the arrays that are stored to
};

// Threads and blocks in each direction where a launch may have any number.
inline constexpr int64_t kSimulatedThreads = 4;

// Runs launches at small sizes, at most some 8,000 threads in all, and looks for an element that is stored twice or
// never. A launch whose threads have undefined behavior or cannot be followed is left out.
Simulation Simulate(const KernelModel& model);

}  // namespace layoutcheck
