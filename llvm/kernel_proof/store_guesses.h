// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Guesses of which thread stores an element, from the stores of small launches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>
#include "layoutcheck/llvm/kernel/thread_synthesis.h"

namespace layoutcheck {

// Examples of stores, of which a sample is kept once there are many.
class SampledExamples {
 public:
  // Keeps the example, or once there are many, one of two at random, and so on: the stores of a thread follow each
  // other in a period, which every second one would meet. `region` is the guarded region that stores.
  // Calls make_example() only for an example that is kept.
  void Add(const std::optional<size_t>& region, const std::function<const StoreExample&()>& make_example);

  const std::vector<StoreExample>& kept() const { return kept_; }
  const std::set<std::optional<size_t>>& regions() const { return regions_; }

 private:
  std::vector<StoreExample> kept_;
  std::vector<uint64_t> hashes_;  // of the numbers of those kept
  uint64_t seen_ = 0;
  uint64_t step_ = 1;  // of those seen, one of so many is kept
  std::set<std::optional<size_t>> regions_;
};

// The stores of small launches to each array, and guesses of the threads from them.
class StoreGuesses {
 public:
  // Adds a store of an element of the array. Calls make_example() at most once: few examples are kept of many.
  void Add(size_t array, const KernelStore& store, const std::function<StoreExample()>& make_example);
  // Adds a thread that stores so many elements.
  void AddThread(int64_t elements) { per_thread_.insert(elements); }

  // Returns the guesses, the likeliest first.
  std::vector<ThreadGuess> Guess(const KernelModel& model) const;

 private:
  struct StoresOfArray {
    SampledExamples all;
    std::map<std::string, SampledExamples, std::less<>> by_place;  // in the source
  };
  ThreadParts PartsOf(const KernelModel& model, size_t array) const;
  static std::vector<std::vector<ThreadCase>> GuessOf(const KernelModel& model, size_t array,
                                                      const StoresOfArray& stores, ThreadParts parts);

  std::map<size_t, StoresOfArray> stores_;  // by array
  std::set<int64_t> per_thread_;            // numbers of elements that a thread stores
};

}  // namespace layoutcheck
