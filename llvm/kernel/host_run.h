// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs threads of a kernel on this machine, one after another. The source is compiled for the host; each array ends, or
// begins, at memory that can be neither read nor written.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/llvm/kernel/array_numbers.h"

namespace layoutcheck {

// The numbers of one thread in x, y and z.
struct HostThread {
  std::array<int64_t, 3> thread{};
  std::array<int64_t, 3> block{};

  bool operator==(const HostThread&) const = default;
  // Returns "thread (3,0,0) of block (1,0,0)".
  std::string ToString() const;
};

struct HostRun {
  std::string file;    // path of the CUDA, HIP or C++, for messages and what it includes
  std::string source;  // its text
  std::string call;    // "relayout(in, 3)": `in` and others are the names of `arrays`
  std::vector<std::string> compiler_flags;
  std::vector<std::pair<std::string, int64_t>> arrays;  // names and bytes
  // The contents of the arrays of indices, by the number of the array. All other arrays hold marks (HostMark).
  struct Numbers {
    int64_t bytes = 0;  // per element
    NumberPattern pattern;
  };
  std::map<size_t, Numbers> numbers;
  std::array<int64_t, 3> threads{1, 1, 1};  // of a block
  std::array<int64_t, 3> blocks{1, 1, 1};
  std::vector<HostThread> only;  // the threads to run; all of them if it is empty
  enum class Question {
    kAccesses,   // does a thread leave an array, or run into undefined behavior?
    kAlignment,  // the same with arrays that are aligned, so that accesses which are not are trapped
    kValue,      // which bytes are at `place` in the end?
    kStores,     // which threads store at `place`?
  };
  Question question = Question::kAccesses;
  size_t array = 0;   // number of the array of `place`
  int64_t place = 0;  // in bytes
  int64_t bytes = 1;  // at `place`, at most 16
};

struct HostResult {
  // The thread that did not return, with what it did: "was killed by signal 11 (...) in thread (0,0,0) of block
  // (0,0,0), at byte 4 of in". Empty if all threads returned.
  std::string stopped;
  bool has_left_array = false;  // it was stopped at a place outside of an array
  bool is_trap = false;         // it was stopped by a trap of -fsanitize=undefined
  bool has_barrier = false;     // it was stopped because threads wait for each other
  int64_t storing_threads = 0;
  std::array<HostThread, 2> storing{};  // the first two of them
  // The bytes at `place`, once per filling of the arrays.
  static constexpr size_t kFillings = 4;
  std::array<std::vector<uint8_t>, kFillings> values;
};

// Returns the byte that an array holds before the kernel runs.
uint8_t HostMark(uint64_t filling, uint64_t array, uint64_t byte);

// Errors (unavailable): clang 19 is missing or does not compile the file, no process, no memory, no end in time.
Expected<HostResult> RunOnHost(const HostRun& run);

}  // namespace layoutcheck
