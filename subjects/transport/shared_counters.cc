// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/subjects/transport/shared_counters.h"
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {

Expected<SharedCounters> SharedCounters::Create() {
  const int descriptor = memfd_create("layoutcheck counters", 0);
  if (descriptor < 0 || ftruncate(descriptor, sizeof(Memory)) != 0) {
    const int error = errno;
    if (descriptor >= 0) close(descriptor);
    return MakeError(ErrorKind::kUnavailable, StrCat("no memory for counters of coverage: ", std::strerror(error)));
  }
  return Map(descriptor);
}

Expected<SharedCounters> SharedCounters::Open(int descriptor) {
  struct stat status{};
  if (fstat(descriptor, &status) != 0 || status.st_size != sizeof(Memory)) {
    return MakeError(ErrorKind::kInvalidArgument, StrCat("descriptor ", descriptor, " has no counters of coverage"));
  }
  return Map(descriptor);
}

Expected<SharedCounters> SharedCounters::Map(int descriptor) {
  void* const memory = mmap(nullptr, sizeof(Memory), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (memory == MAP_FAILED) {
    const int error = errno;
    close(descriptor);
    return MakeError(ErrorKind::kUnavailable, StrCat("no memory for counters of coverage: ", std::strerror(error)));
  }
  return SharedCounters(descriptor, static_cast<Memory*>(memory));
}

SharedCounters::SharedCounters(SharedCounters&& other) noexcept
    : descriptor_(other.descriptor_), memory_(std::exchange(other.memory_, nullptr)) {}

SharedCounters::~SharedCounters() {
  if (memory_ == nullptr) return;
  munmap(memory_, sizeof(Memory));
  close(descriptor_);
}

void SharedCounters::Add(std::span<const std::span<uint8_t>> counters) {
  size_t first = 0;
  for (const std::span<uint8_t> part : counters) {
    const auto add = [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) {
        if (part[i] == 0) continue;
        uint8_t& shared = memory_->counters[(first + i) % kMost];
        shared = std::max(shared, std::exchange(part[i], uint8_t{0}));
      }
    };
    // Skips eight counters at a time, because most are 0.
    size_t i = 0;
    for (uint64_t word = 0; i + sizeof(word) <= part.size(); i += sizeof(word)) {
      std::memcpy(&word, part.data() + i, sizeof(word));
      if (word != 0) add(i, i + sizeof(word));
    }
    add(i, part.size());
    first += part.size();
  }
  memory_->used = std::max<uint64_t>(memory_->used, std::min(first, kMost));
}

std::vector<std::span<uint8_t>> SharedCounters::Counters() {
  // The other process runs foreign code, which may have written anything here.
  const size_t used = std::min<uint64_t>(memory_->used, kMost);
  if (used == 0) return {};
  return {std::span(memory_->counters, used)};
}

}  // namespace layoutcheck
