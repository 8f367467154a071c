// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace layoutcheck {

// The coordinates at a list of offsets, or padding where an offset holds no element. They are in one array, because a
// law asks for all offsets of a layout at once.
class CoordinateList {
 public:
  CoordinateList() = default;
  // Constructs an empty list with room for `count` coordinates of `rank` integers each.
  CoordinateList(size_t count, size_t rank) {
    entries_.reserve(count);
    integers_.reserve(count * rank);
  }

  void AddElement(std::span<const int64_t> coordinate) {
    entries_.push_back({integers_.size(), coordinate.size(), true});
    integers_.insert(integers_.end(), coordinate.begin(), coordinate.end());
  }
  void AddPadding() { entries_.push_back({0, 0, false}); }
  void Add(const std::optional<std::vector<int64_t>>& coordinate) {
    if (!coordinate) return AddPadding();
    AddElement(*coordinate);
  }

  size_t size() const { return entries_.size(); }
  // Returns coordinate number `k`, or nothing for padding. Requires k < size().
  std::optional<std::span<const int64_t>> operator[](size_t k) const {
    const Entry& entry = entries_[k];
    if (!entry.is_element) return std::nullopt;
    return std::span(integers_).subspan(entry.begin, entry.rank);
  }

 private:
  struct Entry {
    size_t begin;  // place in integers_
    size_t rank;
    bool is_element;
  };
  std::vector<Entry> entries_;
  std::vector<int64_t> integers_;
};

}  // namespace layoutcheck
