// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pairs the items of two versions for `scan --diff`.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace layoutcheck {

// The partner of an item that has none.
inline constexpr size_t kNoPartner = static_cast<size_t>(-1);

// Returns the text by which items are paired.
template <class T>
using KeyOf = std::string (*)(const T&);

// Returns, for each item of `after`, the index of its partner in `before`, or kNoPartner. Each key in turn pairs items
// that have no partner yet and whose keys are equal, in their order.
template <class T>
std::vector<size_t> PairByKeys(std::span<const T> before, std::span<const T> after, std::span<const KeyOf<T>> keys) {
  std::vector<size_t> partners(after.size(), kNoPartner);
  std::vector<bool> is_taken(before.size());
  for (const KeyOf<T> key_of : keys) {
    std::unordered_map<std::string, std::vector<size_t>> open;  // by key, the first one last
    for (size_t k = before.size(); k-- > 0;) {
      if (!is_taken[k]) open[key_of(before[k])].push_back(k);
    }
    for (size_t k = 0; k < after.size() && !open.empty(); ++k) {
      if (partners[k] != kNoPartner) continue;
      const auto found = open.find(key_of(after[k]));
      if (found == open.end() || found->second.empty()) continue;
      partners[k] = found->second.back();
      is_taken[partners[k]] = true;
      found->second.pop_back();
    }
  }
  return partners;
}

}  // namespace layoutcheck
