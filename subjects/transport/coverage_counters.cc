// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/subjects/transport/coverage_counters.h"
#include <algorithm>
#include <array>
#include <cstddef>

namespace layoutcheck {
namespace {

constexpr size_t kShared = size_t{1} << 16;

struct Counters {
  std::vector<std::span<uint8_t>> own;  // counters inside libraries
  std::array<uint8_t, kShared> shared{};
  uint32_t edges = 0;   // numbers given to edges
  bool blocks = false;  // a block was counted
  uintptr_t base = 0;
};

// The set is constructed at first use, possibly before main, because libraries count while they are loaded.
Counters& All() {
  static Counters counters;
  return counters;
}

}  // namespace

void AddCounters(std::span<uint8_t> counters) { All().own.push_back(counters); }

uint32_t TakeEdgeNumbers(uint32_t count) {
  const uint32_t first = All().edges + 1;
  All().edges += count;
  return first;
}

void CountEdge(uint32_t number) { ++All().shared[number % kShared]; }

void CountBlock(uintptr_t address) {
  Counters& all = All();
  all.blocks = true;
  ++all.shared[(address - all.base) % kShared];
}

void ForgetCounters() {
  Counters& all = All();
  all.own.clear();
  all.shared.fill(0);
  all.edges = 0;
  all.blocks = false;
}

void SetLibraryBase(uintptr_t base) { All().base = base; }

std::vector<std::span<uint8_t>> LoadedCounters() {
  Counters& all = All();
  std::vector<std::span<uint8_t>> loaded = all.own;
  if (all.blocks) {
    loaded.push_back(all.shared);
  } else if (all.edges > 0) {
    loaded.push_back(std::span(all.shared).first(std::min(size_t{all.edges} + 1, kShared)));
  }
  return loaded;
}

}  // namespace layoutcheck
