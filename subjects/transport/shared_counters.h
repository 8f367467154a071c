// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Coverage counters in memory shared by two processes: one runs a subject and adds its counts, the other asks the
// subject and reads them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>
#include "layoutcheck/core/base/error.h"

namespace layoutcheck {

// The shared counters. The processes take turns: one adds before it answers, the other one reads after the answer.
class SharedCounters {
 public:
  // Number of counters; a library with more of them shares some.
  static constexpr size_t kMost = size_t{1} << 20;

  // Creates counters. Processes that are started afterwards inherit the descriptor. Error (kUnavailable): no memory.
  static Expected<SharedCounters> Create();
  // Opens the counters that another process created. Error (kInvalidArgument): the descriptor has none.
  static Expected<SharedCounters> Open(int descriptor);

  SharedCounters(SharedCounters&& other) noexcept;
  SharedCounters& operator=(SharedCounters&&) = delete;
  ~SharedCounters();

  int descriptor() const { return descriptor_; }

  // Adds the counts of `counters` and sets those to 0. Each shared counter is the largest count since it was set to 0.
  void Add(std::span<const std::span<uint8_t>> counters);
  // Returns as many counters as were ever added, which may be set to 0; none before the first Add.
  std::vector<std::span<uint8_t>> Counters();

 private:
  struct Memory {
    uint64_t used;
    uint8_t counters[kMost];
  };

  static Expected<SharedCounters> Map(int descriptor);
  SharedCounters(int descriptor, Memory* memory) : descriptor_(descriptor), memory_(memory) {}

  int descriptor_;
  Memory* memory_;  // null after a move
};

}  // namespace layoutcheck
