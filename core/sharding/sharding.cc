// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/sharding/sharding.h"
#include <algorithm>
#include "layoutcheck/core/base/integer.h"

namespace layoutcheck {
namespace {

Expected<void> ValidateCuts(const ShardCuts<int64_t>& cuts) {
  for (const int64_t size : cuts.dimensions) {
    if (size < 0 || size > Sharding::kMaxSize) return LayoutError("expected sizes from 0 to 2^62, found ", size);
  }
  CheckedInt64 blocks = 1;
  for (const DimensionCut<int64_t>& cut : cuts.cuts) {
    if (cut.dimension < 0 || std::cmp_greater_equal(cut.dimension, cuts.dimensions.size())) {
      return LayoutError("dimension ", cut.dimension, " is cut, and the array has ", cuts.dimensions.size(),
                         " dimensions");
    }
    if (cut.parts < 1 || cut.blocks < 1) {
      return LayoutError("dimension ", cut.dimension, " is cut into ", cut.parts, " parts of ", cut.blocks,
                         " blocks; expected at least 1");
    }
    blocks = blocks * CheckedInt64(cut.blocks);
  }
  if (blocks.overflow || blocks.value > Sharding::kMaxBlocks) {
    return LayoutError("expected at most ", Sharding::kMaxBlocks, " blocks in all");
  }
  return {};
}

// Returns an error unless each cut of a given length is the only one of its dimension and its parts have room for it.
Expected<void> ValidateLengths(const ShardCuts<int64_t>& cuts, ShardSizes sizes) {
  for (const DimensionCut<int64_t>& cut : cuts.cuts) {
    if (!cut.length) continue;
    const auto others = std::ranges::count(cuts.cuts, cut.dimension, &DimensionCut<int64_t>::dimension);
    if (*cut.length < 1 || cut.blocks > 1 || others > 1 || sizes == ShardSizes::kExact) {
      return LayoutError("dimension ", cut.dimension, " is cut into parts of ", *cut.length,
                         " elements; expected at least 1, one cut without blocks, and arrays with padding");
    }
    const int64_t size = cuts.dimensions[static_cast<size_t>(cut.dimension)];
    const CheckedInt64 room = CheckedInt64(*cut.length) * CheckedInt64(cut.parts);
    if (room.overflow || room.value > Sharding::kMaxSize) {
      return LayoutError("expected at most 2^62 elements in the parts of dimension ", cut.dimension);
    }
    if (room.value < size) {
      return LayoutError("dimension ", cut.dimension, " has ", size, " elements, and ", cut.parts, " shards of ",
                         *cut.length, " have room for ", room.value);
    }
  }
  return {};
}

// Returns the ranges of the part's elements among those of `ranges`, which the cut cuts.
std::vector<IndexRange> RangesOfPart(const std::vector<IndexRange>& ranges, const DimensionCut<int64_t>& cut,
                                     int64_t part) {
  int64_t size = 0;
  for (const IndexRange& range : ranges) size += range.end - range.begin;
  std::vector<IndexRange> result;
  const auto add = [&](int64_t begin, int64_t end) {  // indices among the elements of `ranges`
    int64_t first = 0;
    for (const IndexRange& range : ranges) {
      const int64_t last = first + (range.end - range.begin);
      const IndexRange piece{range.begin + (std::clamp(begin, first, last) - first),
                             range.begin + (std::clamp(end, first, last) - first)};
      first = last;
      if (piece.begin == piece.end) continue;
      if (!result.empty() && result.back().end == piece.begin) {
        result.back().end = piece.end;
      } else {
        result.push_back(piece);
      }
    }
  };
  const int64_t block = CeilDiv(size, cut.blocks);
  for (int64_t begin = 0; begin < size; begin += block) {
    const int64_t length = std::min(block, size - begin);
    const int64_t full = LengthOfParts(length, cut);
    const int64_t first = begin + std::min(length, part * full);
    add(first, first + SizeInChunks(length, full, part));
  }
  return result;
}

}  // namespace

Expected<Sharding> Sharding::Create(ShardCuts<int64_t> cuts, int64_t replicas, std::vector<int64_t> devices,
                                    ShardSizes sizes) {
  LAYOUTCHECK_RETURN_IF_ERROR(ValidateCuts(cuts));
  LAYOUTCHECK_RETURN_IF_ERROR(ValidateLengths(cuts, sizes));
  const bool has_blocks =
      std::ranges::any_of(cuts.cuts, [](const DimensionCut<int64_t>& cut) { return cut.blocks > 1; });
  if (sizes == ShardSizes::kPadded && has_blocks) return LayoutError("a padded sharding has no blocks");
  if (replicas < 1) return LayoutError("expected at least one replica, found ", replicas);
  CheckedInt64 count = replicas;
  for (const DimensionCut<int64_t>& cut : cuts.cuts) count = count * CheckedInt64(cut.parts);
  if (count.overflow || std::cmp_not_equal(count.value, devices.size())) {
    return LayoutError("expected one device per part and replica, ",
                       count.overflow ? "which are more than 2^63" : StrCat(count.value, " in all"), ", found ",
                       devices.size(), " devices");
  }
  if (count.value > kMaxDevices) return LayoutError("expected at most ", kMaxDevices, " devices, found ", count.value);
  Sharding sharding;
  for (size_t k = 0; k < devices.size(); ++k) {
    if (devices[k] < 0) return LayoutError("expected device numbers >= 0, found ", devices[k]);
    sharding.numbers_.emplace_back(devices[k], static_cast<int64_t>(k));
  }
  std::ranges::sort(sharding.numbers_);
  for (const auto& [device, position] : sharding.numbers_) {
    if (!sharding.sorted_devices_.empty() && sharding.sorted_devices_.back() == device) {
      return LayoutError("device ", device, " occurs twice");
    }
    sharding.sorted_devices_.push_back(device);
  }
  sharding.cuts_ = std::move(cuts);
  sharding.replicas_ = replicas;
  sharding.devices_ = std::move(devices);
  sharding.sizes_ = sizes;
  return sharding;
}

std::vector<int64_t> Sharding::DevicesOf(std::span<const int64_t> coordinate) const {
  const ShardPlace<int64_t> place = PlaceOf(cuts_, coordinate);
  int64_t number = 0;
  for (size_t k = 0; k < place.parts.size(); ++k) number = number * cuts_.cuts[k].parts + place.parts[k];
  const auto first = devices_.begin() + number * replicas_;
  std::vector<int64_t> devices(first, first + replicas_);
  std::ranges::sort(devices);
  return devices;
}

std::vector<int64_t> Sharding::LocalCoordinate(std::span<const int64_t> coordinate) const {
  return PlaceOf(cuts_, coordinate).coordinate;
}

std::optional<int64_t> Sharding::PositionOf(int64_t device) const {
  const auto found = std::ranges::lower_bound(numbers_, device, {}, &std::pair<int64_t, int64_t>::first);
  if (found == numbers_.end() || found->first != device) return std::nullopt;
  return found->second;
}

std::optional<std::vector<int64_t>> Sharding::PartsOf(int64_t device) const {
  const std::optional<int64_t> position = PositionOf(device);
  if (!position) return std::nullopt;
  int64_t number = *position / replicas_;
  std::vector<int64_t> parts(cuts_.cuts.size());
  for (size_t k = parts.size(); k-- > 0;) {
    parts[k] = number % cuts_.cuts[k].parts;
    number /= cuts_.cuts[k].parts;
  }
  return parts;
}

std::optional<std::vector<int64_t>> Sharding::GlobalCoordinate(int64_t device, std::span<const int64_t> local) const {
  const std::vector<int64_t> parts = *PartsOf(device);
  const std::vector<int64_t> sizes = SizesOfShard<int64_t>(cuts_, parts);
  for (size_t d = 0; d < sizes.size(); ++d) {
    if (local[d] >= sizes[d]) return std::nullopt;
  }
  return CoordinateOfPlace<int64_t>(cuts_, {parts, {local.begin(), local.end()}});
}

std::optional<std::vector<int64_t>> Sharding::LocalSizes(int64_t device) const {
  const std::optional<std::vector<int64_t>> parts = PartsOf(device);
  if (!parts) return std::nullopt;
  if (sizes_ == ShardSizes::kPadded) return SizesOfLargestShard(cuts_);
  return SizesOfShard<int64_t>(cuts_, *parts);
}

std::optional<std::vector<std::vector<IndexRange>>> Sharding::RangesOf(int64_t device) const {
  const std::optional<std::vector<int64_t>> parts = PartsOf(device);
  if (!parts) return std::nullopt;
  std::vector<std::vector<IndexRange>> ranges;
  for (const int64_t size : cuts_.dimensions) {
    ranges.emplace_back();
    if (size > 0) ranges.back().push_back({0, size});
  }
  for (size_t k = 0; k < parts->size(); ++k) {
    std::vector<IndexRange>& cut = ranges[static_cast<size_t>(cuts_.cuts[k].dimension)];
    cut = RangesOfPart(cut, cuts_.cuts[k], (*parts)[k]);
  }
  return ranges;
}

}  // namespace layoutcheck
