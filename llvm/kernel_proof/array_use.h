// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The arrays of a kernel by what its threads do with them: read, store results of arithmetic, change atomically.
#pragma once

#include <algorithm>
#include <cstddef>
#include <set>
#include <string_view>
#include "layoutcheck/llvm/ir/interpreter.h"
#include "layoutcheck/llvm/kernel/shared_memory.h"

namespace layoutcheck {

// Sets of numbers of arrays.
struct ArrayUse {
  std::set<size_t> read;
  std::set<size_t> atomic;       // atomic operations change them
  std::set<size_t> computed;     // the result of arithmetic is stored to them
  std::set<size_t> moved;        // a value is stored to them that may be an element
  std::set<size_t> of_shared;    // a value is stored to them that is read of shared memory
  bool shares_elements = false;  // threads may write elements of arrays to shared memory
  // Variables of shared memory to which threads may write elements, and those to which they write results of
  // arithmetic.
  std::set<std::string_view> with_elements;
  std::set<std::string_view> with_results;
  // A result is open if it is that of a condition about which a run did not ask (kResultOfRegion): the arrays and the
  // variables of shared memory to which open results are stored.
  std::set<size_t> with_open_results;
  std::set<std::string_view> shared_with_open_results;
  SharedIntervals intervals;  // intervals in which threads access shared memory

  // Adds what a thread does, and the arrays to which it stores to `written`. What an open result is, the run says that
  // asks about its condition.
  void Add(const KernelRun& run, std::set<size_t>& written) {
    intervals.Add(run);
    for (const ArrayRead& access : run.reads) read.insert(static_cast<size_t>(access.object));
    for (const SharedAccess& access : run.shared) {
      const MachineValue& value = access.value;
      const bool has_bits = value.kind == MachineValue::Kind::kElement || !value.fields.empty();
      const bool is_no_element =
          (value.is_computed && !has_bits) || value.is_of_shared || value.IsInteger() || value.text == kOtherConstant;
      if (access.kind != SharedAccess::Kind::kWrite) continue;
      if (value.text == kResultOfRegion) {
        shared_with_open_results.insert(access.memory);
        continue;
      }
      if (value.is_computed && !has_bits) with_results.insert(access.memory);
      if (is_no_element) continue;
      shares_elements = true;
      with_elements.insert(access.memory);
    }
    for (const KernelStore& store : run.stores) {
      const auto array = static_cast<size_t>(store.array);
      written.insert(array);
      if (store.is_atomic) atomic.insert(array);
      if (store.is_computed) computed.insert(array);
      if (store.is_of_shared) of_shared.insert(array);
      if (store.unknown == kResultOfRegion) {
        with_open_results.insert(array);
      } else if (!store.is_atomic && !store.is_computed && !store.is_constant) {
        moved.insert(array);
      }
    }
  }

  // Takes open results for elements. Called where not all conditions were asked about.
  void EndWithOpenResults() {
    moved.insert(with_open_results.begin(), with_open_results.end());
    with_elements.insert(shared_with_open_results.begin(), shared_with_open_results.end());
    shares_elements = shares_elements || !shared_with_open_results.empty();
  }

  // Returns arrays to which values are stored that are read of shared memory, where each variable with elements has
  // results of arithmetic, too, as that of a sum of prefixes.
  std::set<size_t> PerhapsComputed() const {
    return std::ranges::includes(with_results, with_elements) ? of_shared : std::set<size_t>();
  }

  // Returns the arrays among those written to which the result of arithmetic is stored, or nothing but constants.
  // `is_whole` says that all accesses were added: where no element is shared, what is read of shared memory is
  // computed.
  std::set<size_t> ComputedOf(const std::set<size_t>& written, bool is_whole) const {
    std::set<size_t> arrays = computed;
    if (is_whole && !shares_elements) arrays.insert(of_shared.begin(), of_shared.end());
    for (const size_t array : written) {
      if (!moved.contains(array)) arrays.insert(array);
    }
    return arrays;
  }
};

}  // namespace layoutcheck
