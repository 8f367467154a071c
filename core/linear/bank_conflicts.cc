// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/linear/bank_conflicts.h"
#include <algorithm>
#include <map>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"

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
  AccessPhase phase{first_lane, static_cast<int64_t>(addresses.size()), 0, {}};
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

}  // namespace

Expected<BankConflicts> FindBankConflicts(std::span<const int64_t> addresses, int64_t bytes) {
  if (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8 && bytes != 16) {
    return MakeError(ErrorKind::kInvalidArgument, StrCat("expected 1, 2, 4, 8 or 16 bytes per lane, found ", bytes));
  }
  if (addresses.empty()) return MakeError(ErrorKind::kInvalidArgument, "expected at least one lane");
  for (size_t lane = 0; lane < addresses.size(); ++lane) {
    if (addresses[lane] >= 0 && addresses[lane] % bytes == 0) continue;
    return MakeError(ErrorKind::kInvalidArgument, StrCat("lane ", lane, " accesses ", bytes, " bytes at byte ",
                                                         addresses[lane], ": expected a multiple of ", bytes));
  }
  BankConflicts result;
  const auto lanes = static_cast<size_t>(std::min(kBanks, kAllBytes / bytes));
  for (size_t first = 0; first < addresses.size(); first += lanes) {
    const size_t count = std::min(lanes, addresses.size() - first);
    result.phases.push_back(PhaseOf(addresses.subspan(first, count), bytes, static_cast<int64_t>(first)));
    result.degree = std::max(result.degree, result.phases.back().passes);
    result.passes += result.phases.back().passes;
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
