// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/sharding/sharded_comparison.h"
#include <algorithm>
#include <map>
#include <numeric>
#include <ranges>
#include <set>
#include <tuple>
#include "layoutcheck/cli/base/bytes.h"
#include "layoutcheck/cli/notations/comparison.h"
#include "layoutcheck/cli/sharding/sharded_picture.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/sharding/view_sharding.h"
#include "layoutcheck/core/tiling/sizes.h"
#include "layoutcheck/core/xla_util/bitcast.h"

namespace layoutcheck {
namespace {

using Integers = std::vector<int64_t>;

// Returns the positions in a device's array of its elements, of which it has `sizes`.
Expected<PositionedArray> HeldArray(const ShardedArray::Local& local, const Integers& sizes) {
  if (local.layout() == nullptr && sizes == local.shape.dimensions) {
    LAYOUTCHECK_TRY(const TiledLayout layout, TiledLayoutOf(local.shape));
    return PositionedArrayOf(layout);
  }
  const auto position = [&local](std::span<const int64_t> coordinate) { return local.OffsetOf(coordinate); };
  if (local.layout() != nullptr && local.layout()->strides() != nullptr) {
    return StridedArray(*local.layout()->strides(), sizes, position);
  }
  return UnstridedArray(sizes, position);
}

// Returns the number of elements per dimension that a device holds.
Integers HeldSizes(const Sharding& sharding, int64_t device) {
  Integers sizes;
  const auto ranges = sharding.RangesOf(device);
  for (const std::vector<IndexRange>& dimension : *ranges) {
    sizes.push_back(0);
    for (const IndexRange& range : dimension) sizes.back() += range.end - range.begin;
  }
  return sizes;
}

// Returns an element that a device has at another linear index in B, or nothing. Requires that each device holds the
// same elements in both: then their local coordinates correspond as the coordinates do.
Expected<std::optional<OtherOffset>> FindOtherOffset(const ShardedArray& a, const ShardedArray& b,
                                                     const std::vector<DimensionGroup>& groups) {
  using Locals = std::tuple<const ShardedArray::Local*, const ShardedArray::Local*, Integers, Integers>;
  std::set<Locals> compared;
  for (const int64_t device : a.sharding().devices()) {
    const ShardedArray::Local* of_a = a.LocalOf(device);
    const ShardedArray::Local* of_b = b.LocalOf(device);
    if (of_b == nullptr) continue;  // a device without elements in A
    const Integers sizes = HeldSizes(a.sharding(), device);
    const Integers sizes_b = HeldSizes(b.sharding(), device);
    if (std::ranges::find(sizes, 0) != sizes.end() || !compared.emplace(of_a, of_b, sizes, sizes_b).second) continue;
    LAYOUTCHECK_TRY(const PositionedArray in_a, HeldArray(*of_a, sizes));
    LAYOUTCHECK_TRY(const PositionedArray in_b, HeldArray(*of_b, sizes_b));
    LAYOUTCHECK_TRY(const std::optional<MovedElement> moved, FindMovedElement(in_a, in_b, groups));
    if (!moved) continue;
    return OtherOffset{*a.sharding().GlobalCoordinate(device, moved->a), device, of_a->OffsetOf(moved->a),
                       of_b->OffsetOf(moved->b)};
  }
  return std::nullopt;
}

std::string ElementText(const Integers& coordinate) { return StrCat("element (", StrJoin(coordinate, ","), ")"); }

// Returns the number of devices of a program that uses the devices of the array.
int64_t DeviceCount(const ShardedText& sharded) {
  return std::min(sharded.array.sharding().devices().back(), Sharding::kMaxDevices) + 1;
}

}  // namespace

bool ElementMap::IsView() const {
  return a_ != b_ || std::ranges::any_of(groups_, [](const DimensionGroup& group) { return group.a != group.b; });
}

Integers ElementMap::InB(const Integers& coordinate) const {
  Integers result(b_.size());
  for (const DimensionGroup& group : groups_) {
    int64_t number = 0;
    for (const int64_t d : group.a) number = number * a_[static_cast<size_t>(d)] + coordinate[static_cast<size_t>(d)];
    for (const int64_t d : group.b | std::views::reverse) {
      result[static_cast<size_t>(d)] = number % b_[static_cast<size_t>(d)];
      number /= b_[static_cast<size_t>(d)];
    }
  }
  return result;
}

std::string ShardedComparison::Relation() const {
  if (resharding.collective == Collective::kNone) {
    return elements.IsView() && other_offset && *other_offset && !**other_offset ? "free" : "same devices";
  }
  return std::string(CollectiveName(resharding.collective));
}

std::pair<Expected<ShardedText>, Expected<ShardedText>> ParseShardedPair(std::string_view a_text,
                                                                         std::string_view b_text) {
  auto a = ParseSharded(a_text);
  auto b = ParseSharded(b_text);
  if (!a && b) a = ParseSharded(a_text, DeviceCount(*b));
  if (!b && a) b = ParseSharded(b_text, DeviceCount(*a));
  return {std::move(a), std::move(b)};
}

Expected<ShardedComparison> CompareSharded(const ShardedText& a, const ShardedText& b,
                                           const std::optional<Integers>& transpose) {
  const int64_t bits = ElementSizeInBits(a.array.shape());
  if (a.array.shape().element_type != b.array.shape().element_type || bits != ElementSizeInBits(b.array.shape())) {
    return ArgumentError("expected elements of the type and size that A has");
  }
  Integers order(a.array.shape().dimensions.size());
  std::iota(order.begin(), order.end(), 0);
  if (transpose) order = *transpose;
  LAYOUTCHECK_TRY(const Sharding before, ShardingOfTranspose(a.array.sharding(), order));
  LAYOUTCHECK_TRY(Resharding resharding, CompareShardings(before, b.array.sharding()));
  LAYOUTCHECK_TRY(std::vector<DimensionGroup> groups,
                  GroupsOfReshape(before.cuts().dimensions, b.array.shape().dimensions));
  for (DimensionGroup& group : groups) {
    for (int64_t& dimension : group.a) dimension = order[static_cast<size_t>(dimension)];
  }
  if (resharding.first_moved) {
    const Integers transposed = *resharding.first_moved;
    for (size_t d = 0; d < order.size(); ++d) (*resharding.first_moved)[static_cast<size_t>(order[d])] = transposed[d];
  }
  ElementMap elements(a.array.shape().dimensions, b.array.shape().dimensions, std::move(groups));
  ShardedComparison comparison{a, b, std::move(elements), std::move(resharding), {}, 0, {}};
  for (const DeviceTraffic& device : comparison.resharding.devices) {
    TrafficBytes& bytes = comparison.bytes.emplace_back();
    LAYOUTCHECK_TRY(bytes.before, PackedBytes(device.before, bits));
    LAYOUTCHECK_TRY(bytes.after, PackedBytes(device.after, bits));
    LAYOUTCHECK_TRY(bytes.received, PackedBytes(device.received, bits));
    LAYOUTCHECK_TRY(bytes.sent, PackedBytes(device.sent, bits));
  }
  LAYOUTCHECK_TRY(comparison.received, PackedBytes(comparison.resharding.Received(), bits));
  if (comparison.resharding.collective == Collective::kNone) {
    comparison.other_offset = FindOtherOffset(a.array, b.array, comparison.elements.groups());
  }
  return comparison;
}

std::vector<Fact> ShardedComparisonFacts(const ShardedComparison& comparison) {
  const auto& [a, b, elements, resharding, bytes, received, other_offset] = comparison;
  std::vector<Fact> facts{{"A", a.Text()}, {"B", b.Text()}};
  if (resharding.first_moved) {
    const Integers from = a.array.sharding().DevicesOf(*resharding.first_moved);
    const Integers in_b = elements.InB(*resharding.first_moved);
    const Integers to = b.array.sharding().DevicesOf(in_b);
    facts.push_back(
        {"first that moves",
         StrCat(ElementText(*resharding.first_moved),
                elements.IsView() ? StrCat(", which is (", StrJoin(in_b, ","), ") in B,") : "", " to device ",
                resharding.first_receiver, ": on ", DevicesText(from), " in A, on ", DevicesText(to), " in B")});
  }
  facts.push_back({"received", StrCat(RoundedBytes(received), " on all devices")});
  if (!other_offset) return facts;
  if (!*other_offset) {
    facts.push_back({"local offsets", StrCat("undecided: ", other_offset->error().message)});
  } else if (const std::optional<OtherOffset>& other = **other_offset) {
    facts.push_back({"local offsets", StrCat("differ: ", ElementText(other->coordinate), " of device ", other->device,
                                             " is at ", other->in_a, " in A, at ", other->in_b, " in B")});
  } else {
    facts.push_back({"local offsets", "the same"});
  }
  return facts;
}

std::vector<TrafficRow> TrafficRows(const ShardedComparison& comparison) {
  std::vector<std::pair<TrafficBytes, Integers>> groups;
  std::map<TrafficBytes, size_t> numbers;
  for (size_t k = 0; k < comparison.bytes.size(); ++k) {
    const auto [group, is_new] = numbers.emplace(comparison.bytes[k], groups.size());
    if (is_new) groups.emplace_back(comparison.bytes[k], Integers());
    groups[group->second].second.push_back(comparison.resharding.devices[k].device);
  }
  std::vector<TrafficRow> rows;
  for (const auto& [bytes, devices] : groups) {
    rows.push_back({RoundedBytes(bytes.before), RoundedBytes(bytes.after), RoundedBytes(bytes.received),
                    RoundedBytes(bytes.sent), DevicesText(devices)});
  }
  return rows;
}

std::string ShardedComparisonText(const ShardedComparison& comparison) {
  std::string text = StrCat(comparison.Relation(), "\n\n", FactsText(ShardedComparisonFacts(comparison)), "\n");
  std::vector<TrafficRow> rows = TrafficRows(comparison);
  rows.insert(rows.begin(), {"before", "after", "received", "sent", "per device"});
  for (const TrafficRow& row : rows) {
    for (const std::string& column : {row.before, row.after, row.received, row.sent}) {
      StrAppend(text, std::string(12 - std::min<size_t>(12, column.size()), ' '), column);
    }
    StrAppend(text, "  ", row.devices, "\n");
  }
  return text;
}

}  // namespace layoutcheck
