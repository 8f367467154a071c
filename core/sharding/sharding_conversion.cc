// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/sharding/sharding_conversion.h"
#include <algorithm>
#include <limits>
#include <set>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/base/text_cursor.h"
#include "layoutcheck/core/sharding/mesh_axes.h"

namespace layoutcheck {
namespace {

using Integers = std::vector<int64_t>;

// Returns the ranges per dimension as text. A long list of ranges is cut short.
std::string RangesText(const std::vector<std::vector<IndexRange>>& ranges) {
  constexpr size_t kMostRanges = 4;
  std::string text;
  for (const std::vector<IndexRange>& dimension : ranges) {
    StrAppend(text, text.empty() ? "" : ", ", dimension.empty() ? "nothing" : "");
    for (size_t k = 0; k < std::min(dimension.size(), kMostRanges); ++k) {
      StrAppend(text, k == 0 ? "" : "+", dimension[k].begin, ":", dimension[k].end);
    }
    if (dimension.size() > kMostRanges) text += "+...";
  }
  return StrCat("[", text, "]");
}

// Returns an error unless each device has the same elements and an array of the same sizes in both shardings.
Expected<void> RequireSame(const Sharding& sharding, const Sharding& other, std::string_view text) {
  if (sharding.devices() != other.devices()) return UnsupportedError(text, " has other devices");
  for (const int64_t device : sharding.devices()) {
    const auto ranges = *sharding.RangesOf(device);
    const auto other_ranges = *other.RangesOf(device);
    if (ranges != other_ranges) {
      return UnsupportedError("device ", device, " holds ", RangesText(ranges), ", but ", RangesText(other_ranges),
                              " in ", text);
    }
    const Integers sizes = *sharding.LocalSizes(device);
    const Integers other_sizes = *other.LocalSizes(device);
    if (sizes != other_sizes) {
      const std::string_view padding = sharding.sizes() == other.sizes()         ? ""
                                       : sharding.sizes() == ShardSizes::kPadded ? ", which does not pad"
                                                                                 : ", which pads";
      return UnsupportedError("device ", device, " has an array of sizes [", StrJoin(sizes, ","), "], but of [",
                              StrJoin(other_sizes, ","), "] in ", text, padding);
    }
  }
  return {};
}

// The numbers of the parts of one dimension, over all cuts of it.
class DimensionParts {
 public:
  DimensionParts(const Sharding& sharding, int64_t dimension) : sharding_(sharding) {
    int64_t weight = 1;  // of a cut's part in the number of a part of the array
    for (size_t k = sharding.cuts().cuts.size(); k-- > 0;) {
      const DimensionCut<int64_t>& cut = sharding.cuts().cuts[k];
      if (cut.dimension == dimension) {
        digits_.push_back({cut.parts, weight});
        count_ *= cut.parts;
      }
      weight *= cut.parts;
    }
    std::ranges::reverse(digits_);
    Integers begins;
    for (int64_t number = 0; number < count_; ++number) begins.push_back(BeginOf(number, dimension));
    Integers order(begins.size());
    for (size_t k = 0; k < order.size(); ++k) order[k] = static_cast<int64_t>(k);
    std::ranges::stable_sort(order, {}, [&](int64_t number) { return begins[static_cast<size_t>(number)]; });
    ranks_.resize(order.size());
    for (size_t k = 0; k < order.size(); ++k) ranks_[static_cast<size_t>(order[k])] = static_cast<int64_t>(k);
  }

  int64_t count() const { return count_; }

  // Returns the chunk of the dimension that a part of the array has, where chunks are counted by their first indices.
  int64_t ChunkOf(int64_t part) const {
    int64_t number = 0;
    for (const DeviceDigit& digit : digits_) number = number * digit.size + part / digit.stride % digit.size;
    return ranks_[static_cast<size_t>(number)];
  }

 private:
  // Returns the first index of a part, or a number larger than all indices if it is empty.
  int64_t BeginOf(int64_t number, int64_t dimension) const {
    int64_t part = 0;
    for (size_t k = digits_.size(); k-- > 0;) {
      part += number % digits_[k].size * digits_[k].stride;
      number /= digits_[k].size;
    }
    const int64_t device = sharding_.devices_by_part()[static_cast<size_t>(part * sharding_.replicas())];
    const auto ranges = (*sharding_.RangesOf(device))[static_cast<size_t>(dimension)];
    return ranges.empty() ? std::numeric_limits<int64_t>::max() : ranges[0].begin;
  }

  const Sharding& sharding_;
  std::vector<DeviceDigit> digits_;  // of the number of a part of the array, one per cut of the dimension
  int64_t count_ = 1;
  Integers ranks_;  // of each number, the position of its first index among those of all
};

// Returns the iota that gives the devices, if one does.
std::optional<IotaDevices> IotaOf(const Integers& devices) {
  const auto digits = DigitsOf(devices);
  if (!digits) return std::nullopt;
  const auto order = ByFallingStride(*digits);
  if (!order) return std::nullopt;
  IotaDevices iota;
  iota.permutation.resize(order->size());
  for (size_t k = 0; k < order->size(); ++k) {
    iota.reshape.push_back((*digits)[(*order)[k]].size);
    iota.permutation[(*order)[k]] = static_cast<int64_t>(k);
  }
  if (std::ranges::is_sorted(iota.permutation)) return IotaDevices{{static_cast<int64_t>(devices.size())}, {}};
  return iota;
}

HloSharding HloShardingOf(const Sharding& sharding) {
  HloSharding hlo;
  if (sharding.devices().size() == 1) {
    hlo.kind = HloSharding::Kind::kMaximal;
    hlo.maximal_device = sharding.devices()[0];
    return hlo;
  }
  hlo.kind = HloSharding::Kind::kTiled;
  std::vector<DimensionParts> dimensions;
  for (size_t d = 0; d < sharding.cuts().dimensions.size(); ++d) {
    dimensions.emplace_back(sharding, static_cast<int64_t>(d));
    hlo.tile_dimensions.push_back(dimensions.back().count());
  }
  const int64_t replicas = sharding.replicas();
  const Integers devices = DevicesWithSortedReplicas(sharding);
  hlo.devices.resize(devices.size());
  for (int64_t part = 0; part * replicas < static_cast<int64_t>(devices.size()); ++part) {
    int64_t tile = 0;
    for (const DimensionParts& dimension : dimensions) tile = tile * dimension.count() + dimension.ChunkOf(part);
    std::copy_n(devices.begin() + part * replicas, replicas, hlo.devices.begin() + tile * replicas);
  }
  hlo.last_tile_dim_replicate = replicas > 1;
  if (replicas > 1) hlo.tile_dimensions.push_back(replicas);
  hlo.iota = IotaOf(hlo.devices);
  return hlo;
}

// Names all axes x0, x1, ... unless each has a name of its own that is a word.
void NameAxes(std::vector<MeshAxis>& axes) {
  std::set<std::string_view> names;
  const bool are_named = std::ranges::all_of(axes, [&](const MeshAxis& axis) {
    return !axis.name.empty() && !TextCursor::IsDigit(axis.name[0]) &&
           std::ranges::all_of(axis.name, TextCursor::IsWordByte) && names.insert(axis.name).second;
  });
  for (size_t k = 0; k < axes.size() && !are_named; ++k) axes[k].name = StrCat("x", k);
}

// Returns the sharding over a mesh, with one cut per dimension. Devices in another order than the mesh counts them get
// a list of their numbers if `may_list_devices`.
Expected<MeshSharding> MeshOf(const ShardingText& text, const Sharding& sharding, bool may_list_devices) {
  const auto* mesh = std::get_if<MeshSharding>(&text.form);
  if (mesh != nullptr && mesh->device_ids.empty()) return WithOneCutPerDimension(*mesh);
  if (std::optional<MeshSharding> found = FindMesh(sharding)) return *std::move(found);
  if (!may_list_devices) {
    return UnsupportedError(
        "the devices do not count 0, 1, 2, ... along axes of a mesh, and only HLO and Shardy list the numbers of "
        "devices");
  }
  MeshSharding listed{{}, DevicesWithSortedReplicas(sharding), {}, {}, sharding.sizes()};
  const Integers& devices = sharding.devices();
  if (devices.size() == 1) return listed;
  if (devices.back() >= static_cast<int64_t>(devices.size())) {
    return UnsupportedError("Shardy lists the devices 0 to ", devices.size() - 1, " in any order, and this sharding ",
                            "has device ", devices.back());
  }
  for (const DimensionCut<int64_t>& cut : sharding.cuts().cuts) {
    listed.cuts.push_back({cut.dimension, {{listed.axes.size()}}, {{}, 1}});
    listed.axes.push_back({"", {{}, cut.parts}});
  }
  if (sharding.replicas() > 1) listed.axes.push_back({"", {{}, sharding.replicas()}});
  return listed;
}

// Returns the axes that cut each dimension, major to minor.
std::vector<std::vector<AxisPart>> AxesOfDimensions(const MeshSharding& mesh, size_t rank) {
  std::vector<std::vector<AxisPart>> axes(rank);
  for (const MeshCut& cut : mesh.cuts) axes[static_cast<size_t>(cut.dimension)] = cut.axes;
  return axes;
}

std::string ShardyText(MeshSharding mesh, size_t rank) {
  NameAxes(mesh.axes);
  const auto names = [&](const std::vector<AxisPart>& parts) {
    std::string text;
    for (const AxisPart& part : parts) {
      StrAppend(text, text.empty() ? "\"" : ", \"", mesh.axes[part.axis].name, "\"");
      if (!part.is_whole) StrAppend(text, ":(", part.pre, ")", part.size);
    }
    return StrCat("{", text, "}");
  };
  std::string axes;
  for (const MeshAxis& axis : mesh.axes) {
    StrAppend(axes, axes.empty() ? "" : ", ", "\"", axis.name, "\"=", axis.size.value);
  }
  std::string dimensions;  // none on one device, which has a mesh without axes
  for (const std::vector<AxisPart>& parts : AxesOfDimensions(mesh, mesh.axes.empty() ? 0 : rank)) {
    StrAppend(dimensions, dimensions.empty() ? "" : ", ", names(parts));
  }
  const std::string ids = mesh.device_ids.empty() ? "" : StrCat(", device_ids=[", StrJoin(mesh.device_ids, ", "), "]");
  return StrCat("#sdy.sharding<mesh<[", axes, "]", ids, ">, [", dimensions, "]>");
}

// Returns "mesh[x=2,y=4] ", or sizes alone for axes without names.
std::string MeshPrefix(const MeshSharding& mesh) {
  std::string text;
  for (const MeshAxis& axis : mesh.axes) {
    StrAppend(text, text.empty() ? "" : ",", axis.name, axis.name.empty() ? "" : "=", axis.size.value);
  }
  return StrCat("mesh[", text, "] ");
}

std::string JaxText(MeshSharding mesh, size_t rank) {
  NameAxes(mesh.axes);
  std::string entries;
  for (const std::vector<AxisPart>& parts : AxesOfDimensions(mesh, rank)) {
    std::string names;
    for (const AxisPart& part : parts) {
      StrAppend(names, names.empty() ? "\"" : ", \"", mesh.axes[part.axis].name, "\"");
    }
    if (parts.empty()) names = "None";
    StrAppend(entries, entries.empty() ? "" : ", ", parts.size() > 1 ? StrCat("(", names, ")") : names);
  }
  return StrCat(MeshPrefix(mesh), "P(", entries, ")");
}

std::string DTensorText(MeshSharding mesh) {
  if (std::ranges::any_of(mesh.axes, [](const MeshAxis& axis) { return !axis.name.empty(); })) NameAxes(mesh.axes);
  std::vector<std::string> placements(mesh.axes.size(), "R");
  for (const MeshCut& cut : mesh.cuts) {
    for (size_t k = 0; k < cut.axes.size(); ++k) {
      // Placements apply in the order of the mesh. The blocks of this one are numbered by the axes that cut the
      // dimension later, although they are more major in it.
      const size_t axis = cut.axes[k].axis;
      int64_t blocks = 1;
      for (size_t major = 0; major < k; ++major) {
        if (cut.axes[major].axis > axis) blocks *= mesh.axes[cut.axes[major].axis].size.value;
      }
      placements[axis] =
          blocks == 1 ? StrCat("S(", cut.dimension, ")") : StrCat("_StridedShard(", cut.dimension, ",sf=", blocks, ")");
    }
  }
  return MeshPrefix(mesh) + StrJoin(placements, ",");
}

// Returns shards on a rectangle of cores that starts at (0,0), for devices that count in the order of the parts.
Expected<std::string> TtMetalText(const Sharding& sharding) {
  const size_t rank = sharding.cuts().dimensions.size();
  if (rank != 2) return UnsupportedError("tt-metal cuts a matrix, and this array has rank ", rank);
  if (sharding.replicas() > 1)
    return UnsupportedError("each element is on ", sharding.replicas(), " devices, and tt-metal has no replicas");
  int64_t parts[] = {1, 1};
  for (const DimensionCut<int64_t>& cut : sharding.cuts().cuts) parts[cut.dimension] *= cut.parts;
  const Integers sizes = *sharding.LocalSizes(sharding.devices()[0]);
  if (sizes[0] == 0 || sizes[1] == 0) return UnsupportedError("tt-metal has no shards without elements");
  const auto& [height, width] = parts;
  const std::string_view layout = width == 1 ? "HEIGHT" : height == 1 ? "WIDTH" : "BLOCK";
  const int64_t last_x = (width == 1 ? height : width) - 1;
  const int64_t last_y = (width == 1 ? 1 : height) - 1;
  return StrCat("MemoryConfig(memory_layout=TensorMemoryLayout::", layout, "_SHARDED,shard_spec=ShardSpec(grid={[",
                "(x=0,y=0) - (x=", last_x, ",y=", last_y, ")]},shape={", sizes[0], ", ", sizes[1],
                "},orientation=ShardOrientation::ROW_MAJOR))");
}

Expected<std::string> TextIn(ShardingNotation to, const ShardingText& text, const Sharding& sharding) {
  const size_t rank = sharding.cuts().dimensions.size();
  if (to == ShardingNotation::kHlo) return StrCat("sharding=", ToString(HloShardingOf(sharding)));
  if (to == ShardingNotation::kTtMetal) return TtMetalText(sharding);
  LAYOUTCHECK_TRY(const MeshSharding mesh, MeshOf(text, sharding, to == ShardingNotation::kShardy));
  if (to == ShardingNotation::kShardy) return ShardyText(mesh, rank);
  MeshSharding whole = WithWholeAxes(mesh);
  return to == ShardingNotation::kJax ? JaxText(std::move(whole), rank) : DTensorText(std::move(whole));
}

}  // namespace

ShardingNotation NotationOf(const ShardingText& text) {
  const auto* mesh = std::get_if<MeshSharding>(&text.form);
  if (mesh == nullptr) return ShardingNotation::kHlo;
  if (text.text.starts_with("#sdy")) return ShardingNotation::kShardy;
  if (text.text.starts_with("MemoryConfig")) return ShardingNotation::kTtMetal;
  return mesh->sizes == ShardSizes::kExact ? ShardingNotation::kDTensor : ShardingNotation::kJax;
}

Expected<std::string> ConvertSharding(const ShardingText& text, const Sharding& sharding, ShardingNotation to) {
  constexpr int64_t kMostPairs = int64_t{1} << 22;
  if (NotationOf(text) == to) return text.text;
  int64_t pairs = static_cast<int64_t>(sharding.devices().size());
  for (const DimensionCut<int64_t>& cut : sharding.cuts().cuts) pairs *= cut.blocks;  // at most 2^36
  if (pairs > kMostPairs) return UnsupportedError("more than 2^22 pairs of a device and a block");
  LAYOUTCHECK_TRY(std::string converted, TextIn(to, text, sharding));
  const Integers& dimensions = sharding.cuts().dimensions;
  LAYOUTCHECK_TRY(const ShardingText read, ReadSharding(converted, 0, static_cast<int64_t>(dimensions.size())));
  LAYOUTCHECK_TRY(const Sharding made, MakeSharding(read, dimensions));
  LAYOUTCHECK_RETURN_IF_ERROR(RequireSame(sharding, made, converted));
  return converted;
}

}  // namespace layoutcheck
