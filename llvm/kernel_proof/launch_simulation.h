// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs all threads of small launches on numbers.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>
#include "layoutcheck/llvm/kernel/host_run.h"
#include "layoutcheck/llvm/kernel/kernel_model.h"
#include "layoutcheck/llvm/kernel/shared_memory.h"
#include "layoutcheck/llvm/kernel/thread_of_element.h"
#include "layoutcheck/llvm/kernel_proof/bank_passes.h"
#include "layoutcheck/solver/certificate/proof_result.h"

namespace layoutcheck {

struct SimulationFault {
  std::vector<std::pair<std::string, int64_t>> values;  // of the names and of the element or thread
  std::string text;
  size_t array = 0;                        // number of the array that has the element
  int64_t place = 0;                       // place of the element, as KernelTensor counts
  std::array<HostThread, 2> storing = {};  // the threads that store the element; maybe one that stores it twice
};

struct Simulation {
  std::optional<SimulationFault> stored_twice;
  std::optional<SimulationFault> not_stored;  // fault of a kernel with a launch
  std::optional<SimulationFault> race;        // two threads that access the same byte, one of them writing
  std::optional<SimulationFault> divergence;  // two threads of a block that reach other barriers
  SharedWriters writers;                      // which thread writes a place of shared memory
  BankMeasures banks;                         // the most passes that warps take, of a kernel with a launch
  // Which thread stores an element: as the request says, then by formulas that are true of these launches, the likely
  // ones first.
  std::vector<ThreadGuess> guesses;
};

// Threads and blocks in each direction where a launch may have any number.
inline constexpr int64_t kSimulatedThreads = 4;

// Returns why the element is not stored at the point.
std::string NotStoredText(const KernelModel& model, const KernelModel::Point& point, size_t array);

// Returns the refutation of the law by the fault.
ProofResult RefutedBy(const SimulationFault& fault, const KernelModel& model, const std::string& law);

// Runs launches at small sizes, at most some 20,000 threads in all and some threads of launches with many, and looks
// for an element that is stored twice, or never although its array is one of `written`, for threads that race, and for
// threads of a block that reach other barriers. A launch whose threads have undefined behavior or cannot be followed is
// left out.
Simulation Simulate(const KernelModel& model, const std::set<size_t>& written);

// Returns the guesses of a shorter simulation, which finds no faults: of each launch it runs few threads.
std::vector<ThreadGuess> GuessThreads(const KernelModel& model, const std::set<size_t>& written);

// Returns an element that the thread of the counterexample stores, if the thread that the guess names stores it, too.
std::optional<SimulationFault> FindSecondStore(const KernelModel& model, const ThreadGuess& guess,
                                               const std::vector<std::pair<std::string, int64_t>>& counterexample);

}  // namespace layoutcheck
