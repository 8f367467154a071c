// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/linear/bank_conflicts.h"
#include <algorithm>
#include <map>
#include <utility>

namespace layoutcheck {
namespace {

constexpr int64_t kAllBytes = kBanks * kBankBytes;

AccessPhase PhaseOf(std::span<const int64_t> addresses, int64_t bytes, int64_t first_lane) {
  std::map<int64_t, std::map<int64_t, std::vector<int64_t>>> lanes;  // by bank and word
  for (size_t k = 0; k < addresses.size(); ++k) {
    const int64_t first = addresses[k] / kBankBytes;
    const int64_t words = std::max<int64_t>(1, bytes / kBankBytes);
    for (int64_t word = first; word < first + words; ++word) {
      lanes[word % kBanks][word].push_back(first_lane + static_cast<int64_t>(k));
    }
  }
  AccessPhase phase{first_lane, static_cast<int64_t>(addresses.size()), 0, 0, {}};
  for (auto& [bank, by_word] : lanes) {
    phase.passes = std::max(phase.passes, static_cast<int64_t>(by_word.size()));
    if (by_word.size() < 2) continue;
    BankConflict& conflict = phase.conflicts.emplace_back(BankConflict{bank, {}, {}});
    for (auto& [word, of_word] : by_word) {
      conflict.words.push_back(word);
      conflict.lanes.push_back(std::move(of_word));
    }
  }
  return phase;
}

// Returns 1 or 2 if every lane l accesses the address of lane l ^ 1 or l ^ 2, otherwise 0. Requires a multiple of 4
// addresses.
int64_t EqualNeighbors(std::span<const int64_t> addresses) {
  for (const size_t distance : {size_t{1}, size_t{2}}) {
    size_t lane = 0;
    while (lane < addresses.size() && addresses[lane] == addresses[lane ^ distance]) ++lane;
    if (lane == addresses.size()) return static_cast<int64_t>(distance);
  }
  return 0;
}

}  // namespace

bool IsAccessSize(int64_t bytes) { return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8 || bytes == 16; }

Expected<BankConflicts> FindBankConflicts(std::span<const int64_t> addresses, int64_t bytes, AccessKind kind) {
  if (!IsAccessSize(bytes)) return ArgumentError("expected 1, 2, 4, 8 or 16 bytes per lane, found ", bytes);
  if (addresses.empty()) return ArgumentError("expected at least one lane");
  for (size_t lane = 0; lane < addresses.size(); ++lane) {
    if (addresses[lane] >= 0 && addresses[lane] % bytes == 0) continue;
    return ArgumentError("lane ", lane, " accesses ", bytes, " bytes at byte ", addresses[lane],
                         ": expected a multiple of ", bytes);
  }
  BankConflicts result;
  const auto lanes = static_cast<size_t>(std::min(kBanks, kAllBytes / bytes));
  constexpr auto kLanes = static_cast<size_t>(kWarpLanes);
  const bool may_merge = kind == AccessKind::kLoad && bytes > kBankBytes;
  for (size_t first = 0; first < addresses.size();) {
    const size_t warp = first / kLanes * kLanes;
    const bool is_whole = may_merge && addresses.size() - warp >= kLanes;
    const int64_t merged_by = is_whole ? EqualNeighbors(addresses.subspan(warp, kLanes)) : 0;
    const size_t count = std::min(merged_by != 0 ? 2 * lanes : lanes, addresses.size() - first);
    AccessPhase& phase =
        result.phases.emplace_back(PhaseOf(addresses.subspan(first, count), bytes, static_cast<int64_t>(first)));
    phase.merged_by = merged_by;
    result.degree = std::max(result.degree, phase.passes);
    result.passes += phase.passes;
    first += count;
  }
  return result;
}

std::vector<int64_t> LaneBitsWithinBanks(std::span<const int64_t> addresses) {
  std::vector<int64_t> bits;
  for (size_t bit = 0; size_t{1} << bit < addresses.size(); ++bit) {
    // The addresses are at least 0, so that the difference fits.
    const int64_t move = addresses[size_t{1} << bit] - addresses[0];
    if (move != 0 && move % kAllBytes == 0) bits.push_back(static_cast<int64_t>(bit));
  }
  return bits;
}

}  // namespace layoutcheck
