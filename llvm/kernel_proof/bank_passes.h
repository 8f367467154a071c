// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The passes that the warps of a kernel take for its accesses to shared memory.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace layoutcheck {

// The passes of one access by one warp.
struct PassCount {
  int64_t passes = 0;
  int64_t least = 0;  // the passes without bank conflicts

  bool has_conflict() const { return passes > least; }
  // Returns true if the conflicts of `a` cost more passes than those of `b`.
  static bool IsWorse(const PassCount& a, const PassCount& b) {
    return std::pair(a.passes - a.least, a.passes) > std::pair(b.passes - b.least, b.passes);
  }
};

// A load or store of shared memory in the source.
struct WarpAccess {
  std::string memory;  // name of the variable in the source
  std::string place;   // "tile.cu:7"
  bool is_store = false;
  int64_t bytes = 0;  // per thread
  auto operator<=>(const WarpAccess&) const = default;
};

// The passes of the worst warp that was run.
struct MeasuredPasses {
  PassCount count;
  std::array<int64_t, 3> block{};
  int64_t warp = 0;                                     // number of the warp in its block
  std::vector<std::pair<std::string, int64_t>> values;  // of the sizes
  bool is_most = false;  // it is proved that no warp takes more passes, whatever the sizes are
};

using BankMeasures = std::map<WarpAccess, MeasuredPasses>;

// Returns true if an access takes more passes than it needs.
inline bool HasConflict(const BankMeasures& banks) {
  return std::ranges::any_of(banks, [](const auto& entry) { return entry.second.count.has_conflict(); });
}

}  // namespace layoutcheck
