// Counters of code coverage that two processes see: one runs a subject and adds what its code counted, the other one
// asks the subject and looks.
#ifndef LAYOUTCHECK_SUBJECTS_TRANSPORT_SHARED_COUNTERS_H_
#define LAYOUTCHECK_SUBJECTS_TRANSPORT_SHARED_COUNTERS_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "layoutcheck/core/base/error.h"

namespace layoutcheck {

// The two take turns: one adds before it answers, the other one looks after it was answered.
class SharedCounters {
 public:
  // Of a library with more counters, some are one.
  static constexpr size_t kMost = size_t{1} << 20;

  // New ones. Processes that are started from now on inherit the descriptor. Error (kUnavailable): no memory.
  static Expected<SharedCounters> Create();
  // Those that another process created. Error (kInvalidArgument): the descriptor is not one of them.
  static Expected<SharedCounters> Open(int descriptor);

  SharedCounters(SharedCounters&& other) noexcept;
  SharedCounters& operator=(SharedCounters&&) = delete;
  ~SharedCounters();

  int descriptor() const { return descriptor_; }

  // Takes over the counts, and sets those of `counters` to 0. Each is what the largest count was since somebody looked.
  void Add(std::span<const std::span<uint8_t>> counters);
  // As many as were ever added, which may be set to 0; none before the first.
  std::vector<std::span<uint8_t>> Counters();

 private:
  struct Memory {
    uint64_t used;
    uint8_t counters[kMost];
  };

  static Expected<SharedCounters> Map(int descriptor);
  SharedCounters(int descriptor, Memory* memory) : descriptor_(descriptor), memory_(memory) {}

  int descriptor_;
  Memory* memory_;  // null where moved from
};

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_SUBJECTS_TRANSPORT_SHARED_COUNTERS_H_
