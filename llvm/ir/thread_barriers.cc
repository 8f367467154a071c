// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/ir/thread_barriers.h"
#include <algorithm>
#include <bit>
#include "layoutcheck/llvm/ir/machine_value.h"

namespace layoutcheck {
namespace {

constexpr int kMaskBits = 64;

// Returns true if the bit of this number is set.
bool HasBit(uint64_t mask, const SymbolicInteger& number) {
  for (int begin = 0; begin < kMaskBits && mask >> begin != 0;) {
    begin += std::countr_zero(mask >> begin);
    const int end = begin + std::countr_one(mask >> begin);
    if (number >= begin && number < end) return true;
    begin = end;
  }
  return false;
}

// Returns the sets of threads that wait for each other, each as bits of the first 64 threads of a block.
std::vector<uint64_t> ThreadSets(const BarrierGroup& group) {
  const bool is_wide = group.tile == 0 || group.tile >= kMaskBits;
  const uint64_t first = group.mask & LowBits(is_wide ? kMaskBits : static_cast<int>(group.tile));
  std::vector<uint64_t> sets{first};
  for (int64_t begin = group.tile; !is_wide && begin < kMaskBits; begin += group.tile) sets.push_back(first << begin);
  return sets;
}

// Returns true if a set of one group has a part of its threads in common with one of the other.
bool OverlapInPart(const BarrierGroup& a, const BarrierGroup& b) {
  const std::vector<uint64_t> sets_of_b = ThreadSets(b);
  return std::ranges::any_of(ThreadSets(a), [&](uint64_t x) {
    return std::ranges::any_of(sets_of_b, [x](uint64_t y) { return (x & y) != 0 && (x & y) != x && (x & y) != y; });
  });
}

const SymbolicInteger& CountIn(const WarpBarriers& passed, const BarrierGroup& group) {
  static const SymbolicInteger kNone = 0;
  const auto found = passed.find(group);
  return found == passed.end() ? kNone : found->second;
}

}  // namespace

bool BarrierGroup::Contains(const SymbolicInteger& thread) const {
  return mask == kAllThreads || HasBit(mask, Mod(thread, tile));
}

bool BarrierGroup::ContainsBoth(const SymbolicInteger& a, const SymbolicInteger& b) const {
  if (tile != 0 && !(FloorDiv(a, tile) == FloorDiv(b, tile))) return false;
  return Contains(a) && Contains(b);
}

SymbolicInteger BarrierGroup::FirstWith(const SymbolicInteger& thread) const {
  if (tile == 0) return 0;
  return thread - Mod(thread, tile) + std::countr_zero(mask);
}

bool MayOrderTogether(std::span<const BarrierGroup> groups) {
  for (size_t k = 0; k < groups.size(); ++k) {
    if (!groups[k].IsKnown()) return true;
    const auto overlaps = [&](const BarrierGroup& other) { return OverlapInPart(groups[k], other); };
    if (std::ranges::any_of(groups.first(k), overlaps)) return true;
  }
  return false;
}

WarpOrder OrderInWarp(const SymbolicInteger& a, const WarpBarriers& passed_by_a, const SymbolicInteger& b,
                      const WarpBarriers& passed_by_b, bool may_order_together) {
  if (passed_by_a.empty() && passed_by_b.empty()) return WarpOrder::kNone;
  WarpBarriers groups = passed_by_a;
  groups.insert(passed_by_b.begin(), passed_by_b.end());
  for (const auto& [group, count] : groups) {
    const SymbolicInteger& count_a = CountIn(passed_by_a, group);
    const SymbolicInteger& count_b = CountIn(passed_by_b, group);
    if (!group.IsKnown() || count_a == count_b || !group.ContainsBoth(a, b)) continue;
    return count_a < count_b ? WarpOrder::kBefore : WarpOrder::kAfter;
  }
  return may_order_together ? WarpOrder::kUnknown : WarpOrder::kNone;
}

void BarrierTrace::Pass(const BarrierGroup& group, std::string_view place) {
  PassedBarriers& passed = groups_[group];
  passed.count += 1;
  passed.places.emplace_back(place);
  if (passed.count.number()) passed.known = passed.places.size();
}

void BarrierTrace::EndCall() {
  for (auto& [group, passed] : groups_) passed.blocks_before.resize(passed.places.size(), blocks_.size());
}

const PassedBarriers& BarrierTrace::Of(const BarrierGroup& group) const {
  static const PassedBarriers kNone;
  const auto found = groups_.find(group);
  return found == groups_.end() ? kNone : found->second;
}

std::map<BarrierGroup, SymbolicInteger> BarrierTrace::Counts() const {
  std::map<BarrierGroup, SymbolicInteger> counts;
  for (const auto& [group, passed] : groups_) counts.emplace(group, passed.count);
  return counts;
}

WarpBarriers BarrierTrace::warp_barriers() const {
  WarpBarriers counts;
  for (const auto& [group, passed] : groups_) {
    if (group != BarrierGroup()) counts.emplace(group, passed.count);
  }
  return counts;
}

void BarrierTrace::SetCounts(const std::map<BarrierGroup, SymbolicInteger>& counts) {
  for (const auto& [group, count] : counts) groups_[group].count = count;
}

const llvm::BasicBlock* BarrierTrace::BlockOf(const PassedBarriers& passed, size_t k) const {
  const bool is_known = k < passed.blocks_before.size() && passed.blocks_before[k] > 0;
  return is_known ? blocks_[passed.blocks_before[k] - 1] : nullptr;
}

std::set<const llvm::BasicBlock*> BarrierTrace::BlocksBehind(const PassedBarriers& passed) const {
  const size_t before = passed.blocks_before.empty() ? 0 : passed.blocks_before.back();
  return {blocks_.begin() + static_cast<std::ptrdiff_t>(before), blocks_.end()};
}

}  // namespace layoutcheck
