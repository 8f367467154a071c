// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/sharding/resharding.h"
#include <algorithm>
#include <map>
#include <ranges>
#include <set>
#include <span>
#include <utility>
#include "layoutcheck/core/base/integer.h"
#include "layoutcheck/core/xla_util/bitcast.h"

namespace layoutcheck {
namespace {

using Ranges = std::vector<std::vector<IndexRange>>;  // of each dimension, ascending

// Returns the indices that are in both lists of ranges.
std::vector<IndexRange> Intersection(const std::vector<IndexRange>& a, const std::vector<IndexRange>& b) {
  std::vector<IndexRange> result;
  for (size_t i = 0, j = 0; i < a.size() && j < b.size(); a[i].end < b[j].end ? ++i : ++j) {
    const IndexRange common{std::max(a[i].begin, b[j].begin), std::min(a[i].end, b[j].end)};
    if (common.begin < common.end) result.push_back(common);
  }
  return result;
}

Ranges Intersection(const Ranges& a, const Ranges& b) {
  Ranges result;
  for (size_t d = 0; d < a.size(); ++d) result.push_back(Intersection(a[d], b[d]));
  return result;
}

int64_t CountOf(const Ranges& ranges) {
  int64_t count = 1;
  for (const std::vector<IndexRange>& dimension : ranges) {
    int64_t size = 0;
    for (const IndexRange& range : dimension) size += range.end - range.begin;
    count *= size;
  }
  return count;
}

std::vector<int64_t> FirstOf(const Ranges& ranges) {
  std::vector<int64_t> first;
  for (const std::vector<IndexRange>& dimension : ranges) first.push_back(dimension[0].begin);
  return first;
}

// Returns the ascending ranges of the row-major numbers of all combinations of the indices in these ranges.
std::vector<IndexRange> NumberRanges(std::span<const int64_t> sizes, std::span<const std::vector<IndexRange>> ranges) {
  std::vector<IndexRange> numbers = {{0, 1}};
  int64_t inner = 1;  // product of the sizes so far
  for (size_t d = sizes.size(); d-- > 0;) {
    std::vector<IndexRange> longer;
    const bool is_whole = numbers == std::vector<IndexRange>{{0, inner}};
    for (const IndexRange& range : ranges[d]) {
      if (is_whole) longer.push_back({range.begin * inner, range.end * inner});
      for (int64_t index = range.begin; index < range.end && !is_whole; ++index) {
        for (const auto& [begin, end] : numbers) {
          if (!longer.empty() && longer.back().end == index * inner + begin) {
            longer.back().end = index * inner + end;
          } else {
            longer.push_back({index * inner + begin, index * inner + end});
          }
        }
      }
    }
    numbers = std::move(longer);
    inner *= sizes[d];
  }
  return numbers;
}

// A sharding with its dimensions in groups, each of which is numbered in row-major order.
class GroupedSharding {
 public:
  GroupedSharding(const Sharding& sharding, std::vector<std::vector<int64_t>> groups)
      : sharding_(sharding), groups_(std::move(groups)) {}

  // Returns the largest number of ranges that a device may hold of all groups, or an overflow.
  CheckedInt64 MostRanges() const {
    CheckedInt64 most = 1;
    for (const std::vector<int64_t>& group : groups_) {
      bool is_cut = false;
      for (const int64_t d : group | std::views::reverse) {
        // In front of a dimension that is cut, each index has ranges of its own.
        CheckedInt64 ranges = is_cut ? sharding_.cuts().dimensions[static_cast<size_t>(d)] : 1;
        for (const DimensionCut<int64_t>& cut : sharding_.cuts().cuts) {
          if (cut.dimension != d) continue;
          if (!is_cut) ranges = ranges * CheckedInt64(cut.blocks);
        }
        is_cut =
            is_cut || std::ranges::any_of(sharding_.cuts().cuts, [d](const auto& cut) { return cut.dimension == d; });
        most = most * ranges;
      }
    }
    return most;
  }

  // Returns the ranges of the device, of each group.
  Ranges RangesOf(int64_t device) const {
    const Ranges of_dimensions = *sharding_.RangesOf(device);
    Ranges result;
    for (const std::vector<int64_t>& group : groups_) {
      std::vector<int64_t> sizes;
      Ranges ranges;
      for (const int64_t d : group) {
        sizes.push_back(sharding_.cuts().dimensions[static_cast<size_t>(d)]);
        ranges.push_back(of_dimensions[static_cast<size_t>(d)]);
      }
      result.push_back(group.size() == 1 ? std::move(ranges[0]) : NumberRanges(sizes, ranges));
    }
    return result;
  }

  // Returns the coordinate of the element with these numbers in the groups.
  std::vector<int64_t> CoordinateOf(const std::vector<int64_t>& numbers) const {
    std::vector<int64_t> coordinate(sharding_.cuts().dimensions.size());
    for (size_t g = 0; g < groups_.size(); ++g) {
      int64_t number = numbers[g];
      for (const int64_t d : groups_[g] | std::views::reverse) {
        const int64_t size = sharding_.cuts().dimensions[static_cast<size_t>(d)];
        coordinate[static_cast<size_t>(d)] = number % size;
        number /= size;
      }
    }
    return coordinate;
  }

 private:
  const Sharding& sharding_;
  std::vector<std::vector<int64_t>> groups_;
};

// Compares two shardings device by device.
class Comparer {
 public:
  Comparer(const Sharding& before, const GroupedSharding& grouped_before, const Sharding& after,
           const GroupedSharding& grouped_after)
      : before_(before), grouped_before_(grouped_before), after_(after), grouped_after_(grouped_after) {
    for (size_t k = 0; k < before.devices_by_part().size(); k += static_cast<size_t>(before.replicas())) {
      parts_.push_back(grouped_before.RangesOf(before.devices_by_part()[k]));
    }
    for (const Sharding* sharding : {&before, &after}) {
      for (const int64_t device : sharding->devices()) traffic_[device].device = device;
    }
  }

  Resharding Compare() {
    for (const int64_t device : before_.devices()) traffic_[device].before = CountOf(PartOf(device));
    for (const int64_t device : after_.devices()) AddReceiver(device);
    Resharding result;
    result.collective = Classify();
    for (const auto& [device, traffic] : traffic_) result.devices.push_back(traffic);
    if (first_) {
      result.first_moved = grouped_before_.CoordinateOf(first_->first);
      result.first_receiver = first_->second;
    }
    return result;
  }

 private:
  struct Receiver {
    std::map<int64_t, int64_t> pieces;  // elements of each part that it needs, if any
    int64_t own_part = -1;              // number of the part that it held before
    std::set<int64_t> senders;          // devices of these parts, perhaps itself
  };

  size_t PartNumber(int64_t device) const {
    return static_cast<size_t>(*before_.PositionOf(device) / before_.replicas());
  }
  const Ranges& PartOf(int64_t device) const { return parts_[PartNumber(device)]; }

  void AddReceiver(int64_t device) {
    const Ranges needed = grouped_after_.RangesOf(device);
    Receiver& receiver = receivers_[device];
    const std::optional<int64_t> position = before_.PositionOf(device);
    const int64_t replica = position ? *position % before_.replicas() : 0;
    if (position) receiver.own_part = *position / before_.replicas();
    DeviceTraffic& traffic = traffic_[device];
    traffic.after = CountOf(needed);
    for (int64_t part = 0; std::cmp_less(part, parts_.size()); ++part) {
      const Ranges common = Intersection(needed, parts_[static_cast<size_t>(part)]);
      const int64_t count = CountOf(common);
      if (count == 0) continue;
      receiver.pieces[part] = count;
      const int64_t sender = part == receiver.own_part
                                 ? device
                                 : before_.devices_by_part()[static_cast<size_t>(part * before_.replicas() + replica)];
      receiver.senders.insert(sender);
      if (sender == device) continue;
      traffic.received += count;
      traffic_[sender].sent += count;
      const std::pair<std::vector<int64_t>, int64_t> moved{FirstOf(common), device};
      if (!first_ || moved < *first_) first_ = moved;
    }
  }

  bool IsWholePart(int64_t part, int64_t count) const { return count == CountOf(parts_[static_cast<size_t>(part)]); }

  Collective Classify() const {
    bool is_same = true;
    bool is_slice = true;
    bool is_permute = true;
    bool is_gather = true;
    for (const auto& [device, receiver] : receivers_) {
      const DeviceTraffic& traffic = traffic_.at(device);
      const auto own = receiver.pieces.find(receiver.own_part);
      const bool keeps_all = traffic.before == (own == receiver.pieces.end() ? 0 : own->second);
      is_same = is_same && traffic.received == 0 && traffic.before == traffic.after;
      is_slice = is_slice && traffic.received == 0;
      const bool has_whole_parts = std::ranges::all_of(
          receiver.pieces, [&](const auto& piece) { return IsWholePart(piece.first, piece.second); });
      is_permute = is_permute && receiver.pieces.size() <= 1 && has_whole_parts;
      is_gather = is_gather && keeps_all && has_whole_parts;
    }
    // A device that holds elements before and is no device after keeps none of them.
    for (const auto& [device, traffic] : traffic_) is_same = is_same && (traffic.before == traffic.after);
    if (is_same) return Collective::kNone;
    if (is_slice) return Collective::kSlice;
    if (is_permute) return Collective::kPermute;
    if (is_gather) return Collective::kAllGather;
    return AreGroups() ? Collective::kAllToAll : Collective::kSeveral;
  }

  // Returns true if the devices that send to a device all receive from the same devices.
  bool AreGroups() const {
    return std::ranges::all_of(receivers_, [&](const auto& entry) {
      return std::ranges::all_of(entry.second.senders, [&](int64_t sender) {
        const auto other = receivers_.find(sender);
        return other != receivers_.end() && other->second.senders == entry.second.senders;
      });
    });
  }

  const Sharding& before_;
  const GroupedSharding& grouped_before_;
  const Sharding& after_;
  const GroupedSharding& grouped_after_;
  std::vector<Ranges> parts_;  // of `before`
  std::map<int64_t, DeviceTraffic> traffic_;
  std::map<int64_t, Receiver> receivers_;
  std::optional<std::pair<std::vector<int64_t>, int64_t>> first_;  // numbers in the groups, and receiver
};

}  // namespace

std::string_view CollectiveName(Collective collective) {
  switch (collective) {
    case Collective::kNone: return "none";
    case Collective::kSlice: return "slice";
    case Collective::kPermute: return "collective-permute";
    case Collective::kAllGather: return "all-gather";
    case Collective::kAllToAll: return "all-to-all";
    case Collective::kSeveral: break;
  }
  return "several";
}

int64_t Resharding::Received() const {
  int64_t sum = 0;
  for (const DeviceTraffic& device : devices) sum += device.received;
  return sum;
}

Expected<Resharding> CompareShardings(const Sharding& before, const Sharding& after) {
  constexpr int64_t kMostPairs = int64_t{1} << 24;
  // No device sends more elements than all receive.
  const auto devices = static_cast<int64_t>(after.devices().size());
  const CheckedInt64 elements = ProductOfSizes(before.cuts().dimensions);
  const CheckedInt64 received = elements * CheckedInt64(devices);
  if (received.overflow || received.value > Sharding::kMaxSize) {
    return UnsupportedError("more than 2^62 elements on all devices");
  }
  const CheckedInt64 elements_after = ProductOfSizes(after.cuts().dimensions);
  if (elements_after.overflow || elements_after.value != elements.value) {
    return ArgumentError("expected an array with the number of elements that A has, ", elements.value);
  }
  LAYOUTCHECK_TRY(const auto groups, GroupsOfReshape(before.cuts().dimensions, after.cuts().dimensions));
  std::vector<std::vector<int64_t>> of_before;
  std::vector<std::vector<int64_t>> of_after;
  for (const DimensionGroup& group : groups) {
    of_before.push_back(group.a);
    of_after.push_back(group.b);
  }
  const GroupedSharding grouped_before(before, std::move(of_before));
  const GroupedSharding grouped_after(after, std::move(of_after));
  const int64_t parts = static_cast<int64_t>(before.devices().size()) / before.replicas();
  for (const GroupedSharding* grouped : {&grouped_before, &grouped_after}) {
    const CheckedInt64 pairs = grouped->MostRanges() * CheckedInt64(parts * devices);
    if (pairs.overflow || pairs.value > kMostPairs) {
      return UnsupportedError("more than 2^24 pairs of a part and a device, counted once per range of elements");
    }
  }
  return Comparer(before, grouped_before, after, grouped_after).Compare();
}

}  // namespace layoutcheck
