// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/sharding/sharded_picture.h"
#include <algorithm>
#include <utility>
#include <vector>
#include "layoutcheck/cli/base/count.h"
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

using Integers = std::vector<int64_t>;

constexpr int64_t kColors = 8;

// Returns which part of each cut of a dimension holds an index of it.
Integers PartsAt(const Sharding& sharding, int64_t dimension, int64_t index) {
  Integers parts;
  int64_t size = sharding.cuts().dimensions[static_cast<size_t>(dimension)];
  for (const DimensionCut<int64_t>& cut : sharding.cuts().cuts) {
    if (cut.dimension != dimension) continue;
    const PartPlace<int64_t> place = PlaceInPart(size, cut, index);
    size = SizeOfPart(size, cut, place.part);
    index = place.index;
    parts.push_back(place.part);
  }
  return parts;
}

// The parts of a sharding in the order of their first devices.
struct PartColors {
  Integers firsts;  // first device of each part
  Integers ranks;   // place of each part among them

  explicit PartColors(const Sharding& sharding) {
    const Integers& devices = sharding.devices_by_part();
    for (auto first = devices.begin(); first != devices.end(); first += sharding.replicas()) {
      firsts.push_back(*std::min_element(first, first + sharding.replicas()));
    }
    std::vector<std::pair<int64_t, size_t>> order;
    for (size_t k = 0; k < firsts.size(); ++k) order.emplace_back(firsts[k], k);
    std::ranges::sort(order);
    ranks.resize(firsts.size());
    for (size_t k = 0; k < order.size(); ++k) ranks[order[k].second] = static_cast<int64_t>(k);
  }
};

// Returns one color per part, or all colors in turn if there are too many parts to name them.
std::vector<ColorMeaning> MeaningsOf(const Sharding& sharding, const PartColors& colors) {
  constexpr size_t kMostCharacters = 100;
  if (std::cmp_less_equal(colors.ranks.size(), kColors)) {
    std::vector<ColorMeaning> meanings(colors.ranks.size());
    size_t characters = 0;
    const auto replicas = static_cast<ptrdiff_t>(sharding.replicas());
    for (size_t part = 0; part < meanings.size(); ++part) {
      const auto first = sharding.devices_by_part().begin() + static_cast<ptrdiff_t>(part) * replicas;
      Integers devices(first, first + replicas);
      std::ranges::sort(devices);
      const std::string text = StrCat(replicas == 1 ? "device " : "devices ", DevicesText(devices));
      characters += text.size();
      meanings[static_cast<size_t>(colors.ranks[part])] = {static_cast<int>(colors.ranks[part]), 1, false, text};
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

CellGrid ShardedGrid(const ShardedArray& array) {
  const Sharding& sharding = array.sharding();
  const Integers& sizes = array.shape().dimensions;
  CellGrid grid;
  const auto rank = static_cast<int64_t>(sizes.size());
  for (int64_t d = 0; d < rank; ++d) {
    grid.axes.push_back({DimensionName(d, rank), sizes[static_cast<size_t>(d)], {}, [&sharding, d](int64_t index) {
                           return PartsAt(sharding, d, index) != PartsAt(sharding, d, index - 1);
                         }});
  }
  if (rank >= 1) grid.columns = sizes.size() - 1;
  if (rank >= 2) grid.rows = sizes.size() - 2;
  grid.what = "Array";
  grid.labels = sharding.replicas() == 1
                    ? "the device : the linear index in its array"
                    : StrCat("the first of its ", sharding.replicas(), " devices : the linear index in its array");
  PartColors colors(sharding);
  grid.colors = MeaningsOf(sharding, colors);
  int64_t largest = 0;  // linear index
  for (const int64_t device : sharding.devices()) {
    largest = std::max(largest, array.LocalOf(device)->sizes.padded_elements - 1);
  }
  grid.label_width = DecimalWidth(std::ranges::max(colors.firsts)) + 1 + DecimalWidth(largest);
  grid.cell = [&array, axes = grid.axes, ranks = std::move(colors.ranks)](std::span<const int64_t> coordinate) {
    const Sharding& of = array.sharding();
    const ShardedArray::Place place = array.Find(coordinate);
    const auto part = static_cast<size_t>(*of.PositionOf(place.devices[0]) / of.replicas());
    std::string details =
        StrCat("linear index ", place.offset, place.devices.size() == 1 ? " on device " : " on devices ",
               DevicesText(place.devices), ":");
    for (size_t d = 0; d < axes.size(); ++d) StrAppend(details, " ", axes[d].name, "=", coordinate[d]);
    if (axes.empty()) details += " ()";
    return PictureCell{StrCat(place.devices[0], ":", place.offset), std::move(details),
                       static_cast<int>(ranks[part] % kColors), false};
  };
  return grid;
}

CellGrid MarkedShardedGrid(const ShardedArray& array, const Sharding& before, const Sharding& after) {
  CellGrid grid = ShardedGrid(array);
  grid.marks = "moves to another device";
  grid.colors = {{0, kColors, false, "the device modulo 8"}, {0, 1, true, grid.marks}};
  grid.cell = [&array, &before, &after, cell = std::move(grid.cell)](std::span<const int64_t> coordinate) {
    PictureCell result = cell(coordinate);
    result.color = static_cast<int>(array.sharding().DevicesOf(coordinate)[0] % kColors);
    result.marked = !std::ranges::includes(before.DevicesOf(coordinate), after.DevicesOf(coordinate));
    return result;
  };
  return grid;
}

}  // namespace layoutcheck
