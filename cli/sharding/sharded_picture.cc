// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/sharding/sharded_picture.h"
#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>
#include "layoutcheck/cli/base/count.h"
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

using Integers = std::vector<int64_t>;

constexpr int64_t kColors = 8;

// Returns true if an index of a dimension and the one before it are in different shards.
bool BeginsShard(const Sharding& sharding, size_t dimension, int64_t index) {
  Integers coordinate(sharding.cuts().dimensions.size());
  coordinate[dimension] = index;
  const Integers parts = PlaceOf<int64_t>(sharding.cuts(), coordinate).parts;
  coordinate[dimension] = index - 1;
  return parts != PlaceOf<int64_t>(sharding.cuts(), coordinate).parts;
}

// The parts of a sharding, in row-major order, and the devices of each. Keeps what many cells ask for.
class ShardParts {
 public:
  explicit ShardParts(const Sharding& sharding) : sharding_(sharding) {
    for (size_t part = 0; part < devices_by_part().size() / replicas(); ++part) {
      firsts_.push_back(std::ranges::min(Unsorted(part)));
    }
  }

  size_t count() const { return firsts_.size(); }
  int64_t FirstDevice(size_t part) const { return firsts_[part]; }
  int64_t LargestFirstDevice() const { return std::ranges::max(firsts_); }

  Integers Devices(size_t part) const {
    const std::span<const int64_t> unsorted = Unsorted(part);
    Integers devices(unsorted.begin(), unsorted.end());
    std::ranges::sort(devices);
    return devices;
  }

  size_t PartOf(const ShardPlace<int64_t>& place) const {
    int64_t part = 0;
    for (size_t k = 0; k < place.parts.size(); ++k) part = part * sharding_.cuts().cuts[k].parts + place.parts[k];
    return static_cast<size_t>(part);
  }
  size_t PartAt(std::span<const int64_t> coordinate) const { return PartOf(PlaceOf(sharding_.cuts(), coordinate)); }

  // Returns the place of each part in the order of their first devices.
  Integers Ranks() const {
    std::vector<std::pair<int64_t, size_t>> order;
    for (size_t part = 0; part < count(); ++part) order.emplace_back(firsts_[part], part);
    std::ranges::sort(order);
    Integers ranks(count());
    for (size_t k = 0; k < order.size(); ++k) ranks[order[k].second] = static_cast<int64_t>(k);
    return ranks;
  }

 private:
  const Integers& devices_by_part() const { return sharding_.devices_by_part(); }
  size_t replicas() const { return static_cast<size_t>(sharding_.replicas()); }
  std::span<const int64_t> Unsorted(size_t part) const {
    return std::span(devices_by_part()).subspan(part * replicas(), replicas());
  }

  const Sharding& sharding_;
  Integers firsts_;  // smallest device of each part
};

// Returns one color per part, or all colors in turn if there are too many parts to name them.
std::vector<ColorMeaning> MeaningsOf(const ShardParts& parts, const Integers& ranks) {
  constexpr size_t kMostCharacters = 100;
  if (parts.count() <= static_cast<size_t>(kColors)) {
    std::vector<ColorMeaning> meanings(parts.count());
    size_t characters = 0;
    for (size_t part = 0; part < meanings.size(); ++part) {
      const Integers devices = parts.Devices(part);
      const auto color = static_cast<size_t>(ranks[part]);
      meanings[color] = {static_cast<int>(color), 1, false,
                         StrCat(devices.size() == 1 ? "device " : "devices ", DevicesText(devices))};
      characters += meanings[color].meaning.size();
    }
    if (characters <= kMostCharacters) return meanings;
  }
  return {{0, kColors, false, "the devices in turn"}};
}

}  // namespace

std::string DevicesText(std::span<const int64_t> devices) {
  constexpr size_t kMostRuns = 8;
  std::vector<std::string> runs;
  for (size_t k = 0; k < devices.size();) {
    size_t end = k + 1;
    while (end < devices.size() && devices[end] - devices[end - 1] == 1) ++end;
    if (end - k == 2) --end;  // two neighbors are no run
    runs.push_back(end - k == 1 ? StrCat(devices[k]) : StrCat(devices[k], "-", devices[end - 1]));
    k = end;
  }
  if (runs.size() <= kMostRuns) return StrJoin(runs, ",");
  return StrCat(StrJoin(std::span(runs).first(kMostRuns - 1), ","), ",...,", runs.back(), " (", devices.size(),
                " devices)");
}

std::vector<DeviceSet> DeviceSetsOf(const Sharding& sharding) {
  const ShardParts parts(sharding);
  const Integers ranks = parts.Ranks();
  std::vector<DeviceSet> sets(parts.count());
  for (size_t part = 0; part < parts.count(); ++part) {
    sets[static_cast<size_t>(ranks[part])] = {parts.Devices(part), static_cast<int>(ranks[part] % kColors)};
  }
  return sets;
}

CellGrid ShardedGrid(const ShardedArray& array) {
  const Sharding& sharding = array.sharding();
  const Integers& sizes = array.shape().dimensions;
  CellGrid grid;
  const size_t rank = sizes.size();
  for (size_t d = 0; d < rank; ++d) {
    grid.axes.push_back({DimensionName(static_cast<int64_t>(d), static_cast<int64_t>(rank)),
                         sizes[d],
                         {},
                         [&sharding, d](int64_t index) { return BeginsShard(sharding, d, index); }});
  }
  if (rank >= 1) grid.columns = rank - 1;
  if (rank >= 2) grid.rows = rank - 2;
  grid.what = "Array";
  grid.labels = sharding.replicas() == 1
                    ? "the device : the linear index in its array"
                    : StrCat("the first of its ", sharding.replicas(), " devices : the linear index in its array");
  ShardParts parts(sharding);
  Integers ranks = parts.Ranks();
  grid.colors = MeaningsOf(parts, ranks);
  int64_t largest = 0;  // linear index
  for (const int64_t device : sharding.devices()) {
    largest = std::max(largest, array.LocalOf(device)->sizes.padded_elements - 1);
  }
  grid.label_width = DecimalWidth(parts.LargestFirstDevice()) + 1 + DecimalWidth(largest);
  std::vector<std::string> texts;  // devices of each part
  for (size_t part = 0; part < parts.count(); ++part) texts.push_back(DevicesText(parts.Devices(part)));
  grid.cell = [&array, axes = grid.axes, parts = std::move(parts), ranks = std::move(ranks),
               texts = std::move(texts)](std::span<const int64_t> coordinate) {
    const ShardPlace<int64_t> place = PlaceOf(array.sharding().cuts(), coordinate);
    const size_t part = parts.PartOf(place);
    const int64_t device = parts.FirstDevice(part);
    const int64_t offset = array.LocalOf(device)->OffsetOf(place.coordinate);
    std::string details = StrCat("linear index ", offset,
                                 array.sharding().replicas() == 1 ? " on device " : " on devices ", texts[part], ":");
    for (size_t d = 0; d < axes.size(); ++d) StrAppend(details, " ", axes[d].name, "=", coordinate[d]);
    if (axes.empty()) details += " ()";
    return PictureCell{StrCat(device, ":", offset), std::move(details), static_cast<int>(ranks[part] % kColors), false};
  };
  return grid;
}

CellGrid MarkedShardedGrid(const ShardedArray& array, const Sharding& before, const Sharding& after) {
  CellGrid grid = ShardedGrid(array);
  // Two grids beside each other have one legend.
  if (before.replicas() > 1 || after.replicas() > 1) {
    grid.labels = "the first device that holds it : the linear index in the array there";
  }
  grid.marks = "moves to another device";
  grid.colors = {{0, kColors, false, "the device modulo 8"}, {0, 1, true, grid.marks}};
  grid.cell = [parts = ShardParts(array.sharding()), from = ShardParts(before), to = ShardParts(after),
               cell = std::move(grid.cell),
               moves = std::map<std::pair<size_t, size_t>, bool>()](std::span<const int64_t> coordinate) mutable {
    PictureCell result = cell(coordinate);
    const std::pair<size_t, size_t> places(from.PartAt(coordinate), to.PartAt(coordinate));
    const auto [known, is_new] = moves.emplace(places, false);
    if (is_new) known->second = !std::ranges::includes(from.Devices(places.first), to.Devices(places.second));
    result.marked = known->second;
    result.color = static_cast<int>(parts.FirstDevice(parts.PartAt(coordinate)) % kColors);
    return result;
  };
  return grid;
}

}  // namespace layoutcheck
