// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/tiling/address_walk.h"
#include <utility>
#include <variant>

namespace layoutcheck {

AddressWalk::AddressWalk(const MixedRadix<int64_t>& chain)
    : rank_(chain.boxes().front().size()), padded_elements_(chain.padded_elements()) {
  std::vector<Target> targets;
  for (size_t d = 0; d < rank_; ++d) targets.push_back({AddSum({}), 1});
  for (const auto& step : chain.steps()) {
    std::visit([&](const auto& kind) { Append(kind, targets); }, step);
  }
}

size_t AddressWalk::AddSum(const Sum& sum) {
  sums_.push_back(sum);
  values_.push_back(0);
  return sums_.size() - 1;
}

void AddressWalk::Append(const PermuteStep<int64_t>& step, std::vector<Target>& targets) {
  std::vector<Target> next;
  for (const size_t k : step.source) next.push_back(targets[k]);
  targets = std::move(next);
}

void AddressWalk::Append(const PrependStep<int64_t>& step, std::vector<Target>& targets) {
  targets.insert(targets.begin(), step.count, Target{});
}

void AddressWalk::Append(const MergeStep<int64_t>& step, std::vector<Target>& targets) {
  const auto major = targets.begin() + static_cast<std::ptrdiff_t>(step.position);
  Sum sum;
  sum.minor_size = step.minor_size;
  sum.next = *(major + 1);
  sum.major = *major;
  *major = {AddSum(sum), 1};
  targets.erase(major + 1);
}

void AddressWalk::Append(const PadStep<int64_t>& step, std::vector<Target>& targets) {
  for (size_t k = 0; k < step.sizes.size(); ++k) {
    if (step.sizes[k] == step.padded_sizes[k]) continue;
    Target& target = targets[step.first + k];
    Sum sum;
    sum.limit = step.sizes[k];
    sum.next = target;
    target = {AddSum(sum), 1};
  }
}

void AddressWalk::Append(const SplitStep<int64_t>& step, std::vector<Target>& targets) {
  std::vector<Target> next(targets.begin(), targets.begin() + static_cast<std::ptrdiff_t>(step.first));
  for (size_t k = 0; k < step.tile.size(); ++k) {
    const Target& target = targets[step.first + k];
    next.push_back({target.sum, target.factor * step.tile[k]});
    next.push_back(target);
  }
  targets = std::move(next);
}

void AddressWalk::Append(const LinearizeStep<int64_t>& step, std::vector<Target>& targets) {
  for (size_t k = targets.size(); k-- > 0;) {
    if (step.sizes[k] != 1) digits_.push_back({step.sizes[k], targets[k], 0});
  }
}

inline void AddressWalk::Change(Target target, int64_t change) {
  while (target.sum != kNone) {
    const Sum& sum = sums_[target.sum];
    const int64_t before = values_[target.sum];
    change *= target.factor;
    const int64_t value = before + change;
    values_[target.sum] = value;
    sums_outside_ += static_cast<int64_t>(value >= sum.limit) - static_cast<int64_t>(before >= sum.limit);
    if (sum.minor_size != 0) [[unlikely]] {
      change -= ChangeQuotient(sum, before, value);
    }
    target = sum.next;
  }
}

int64_t AddressWalk::ChangeQuotient(const Sum& sum, int64_t before, int64_t value) {
  const int64_t quotients = value / sum.minor_size - before / sum.minor_size;
  if (quotients != 0) Change(sum.major, quotients);
  return quotients * sum.minor_size;
}

void AddressWalk::MoveTo(int64_t address) {
  if (address == address_ + 1) {
    for (Digit& digit : digits_) {
      if (++digit.value < digit.size) {
        Change(digit.target, 1);
        break;
      }
      digit.value = 0;
      Change(digit.target, 1 - digit.size);
    }
  } else {
    int64_t rest = address;
    for (Digit& digit : digits_) {
      const int64_t value = rest % digit.size;
      rest /= digit.size;
      Change(digit.target, value - digit.value);
      digit.value = value;
    }
  }
  address_ = address;
}

}  // namespace layoutcheck
