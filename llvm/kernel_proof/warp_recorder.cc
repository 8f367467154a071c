// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/kernel_proof/warp_recorder.h"
#include <algorithm>
#include <iterator>
#include <set>
#include "layoutcheck/llvm/kernel_proof/bank_advice.h"

namespace layoutcheck {
namespace {

// Returns the addresses less a number of words, so that the least one is in the first words. They take as many passes,
// because all words move by the same number of banks.
LaneAddresses MovedToFirstWords(LaneAddresses addresses, int64_t bytes) {
  int64_t least = INT64_MAX;
  for (const auto& address : addresses) least = std::min(least, address.value_or(INT64_MAX));
  const int64_t unit = std::max(bytes, kBankBytes);
  for (auto& address : addresses) {
    if (address && least > 0) *address -= least / unit * unit;
  }
  return addresses;
}

}  // namespace

std::optional<PassCount> CountPasses(const LaneAddresses& addresses, int64_t bytes, bool is_store) {
  if (!IsAccessSize(bytes)) return std::nullopt;
  const AccessKind kind = is_store ? AccessKind::kStore : AccessKind::kLoad;
  PassCount count;
  const auto add = [&](const std::vector<int64_t>& some) {
    if (some.empty()) return true;
    const auto conflicts = FindBankConflicts(some, bytes, kind);
    if (!conflicts) return false;
    count.passes += conflicts->passes;
    count.least += static_cast<int64_t>(conflicts->phases.size());
    return true;
  };
  // Phases are merged only if no lane of the warp is missing.
  const bool is_whole = std::ranges::all_of(addresses, [](const auto& address) { return address.has_value(); });
  const int64_t step = is_whole ? kWarpLanes : std::min(kWarpLanes, kBanks * kBankBytes / bytes);
  for (int64_t first = 0; first < kWarpLanes; first += step) {
    std::vector<int64_t> some;
    for (int64_t lane = first; lane < first + step; ++lane) {
      if (const auto& address = addresses[static_cast<size_t>(lane)]) some.push_back(*address);
    }
    if (!add(some)) return std::nullopt;
  }
  return count.passes > 0 ? std::optional(count) : std::nullopt;
}

WarpRecorder::WarpRecorder(const KernelModel& model) : has_banks_(HasBanks(model)) {}

void WarpRecorder::Add(const LaunchSizes& block, const HostThread& thread, const KernelRun& run) {
  if (!has_banks_) return;
  const auto size = [&](size_t axis) { return block[axis] ? NumberOf(*block[axis]) : 1; };
  const int64_t number = thread.thread[0] + size(0) * (thread.thread[1] + size(1) * thread.thread[2]);
  const auto lane = static_cast<size_t>(number % kWarpLanes);
  // The accesses of the code that the thread has made, each with its executions by the thread's warp.
  std::vector<std::pair<const SharedAccess*, Executions*>> known;
  for (const SharedAccess& access : run.shared) {
    if (access.kind == SharedAccess::Kind::kAtomic) continue;
    const auto is_same = [&](const auto& other) {
      return other.first->place.data() == access.place.data() && other.first->kind == access.kind &&
             other.first->bytes == access.bytes && other.first->name == access.name;
    };
    auto found = std::ranges::find_if(known, is_same);
    if (found == known.end()) {
      const WarpAccess key{access.name, std::string(access.place), access.kind == SharedAccess::Kind::kWrite,
                           access.bytes};
      known.emplace_back(&access, &executions_[key][{thread.block, number / kWarpLanes}]);
      found = std::prev(known.end());
    }
    (*found->second)[access.position][lane] = NumberOf(access.offset);
  }
}

void WarpRecorder::EndLaunch(std::vector<std::pair<std::string, int64_t>> values) {
  std::erase_if(values, [](const auto& value) { return value.first == kPattern; });
  for (const auto& [access, by_warp] : executions_) {
    std::set<LaneAddresses> counted;
    for (const auto& [place, executions] : by_warp) {
      const auto& [block, warp] = place;
      for (const auto& [position, addresses] : executions) {
        const auto [moved, is_first] = counted.insert(MovedToFirstWords(addresses, access.bytes));
        const auto count = is_first ? CountPasses(*moved, access.bytes, access.is_store) : std::nullopt;
        if (!count) continue;
        const auto [known, is_new] = measures_.try_emplace(access);
        if (!is_new && !PassCount::IsWorse(*count, known->second.count)) continue;
        known->second = {.count = *count, .block = block, .warp = warp, .values = values};
      }
    }
  }
}

}  // namespace layoutcheck
