// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/properties/sharding/sharding_generator.h"
#include <algorithm>
#include <cstddef>
#include <numeric>
#include <optional>
#include <string_view>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/sharding/sharded_array.h"

namespace layoutcheck {
namespace {

using Numbers = std::vector<int64_t>;

constexpr std::string_view kAxisNames[] = {"x", "y", "z"};
constexpr int64_t kSplitFactors[] = {2, 3, 4};

// A sharding behind a shape, and the number of parts of each dimension.
struct DrawnSharding {
  std::string text;
  Numbers parts;
};

// An axis of a mesh, or a part of one, with its text in a list of axes.
struct NamedAxis {
  std::string text;
  int64_t size = 1;
};

// Returns the ordered lists of two and more factors >= 2 with this product.
std::vector<Numbers> Factorizations(int64_t product) {
  std::vector<Numbers> lists;
  for (int64_t first = 2; first * 2 <= product; ++first) {
    if (product % first != 0) continue;
    lists.push_back({first, product / first});
    for (Numbers rest : Factorizations(product / first)) {
      rest.insert(rest.begin(), first);
      lists.push_back(std::move(rest));
    }
  }
  return lists;
}

class ShardingGenerator {
 public:
  ShardingGenerator(Choices& choices, const ShardingScope& scope) : choices_(choices), scope_(scope) {}

  int64_t Rank() { return 1 + Pick(scope_.max_rank); }

  // Draws a sharding of an array of this rank.
  DrawnSharding Sharding(int64_t rank) {
    mesh_.reset();
    notation_ = scope_.notations[static_cast<size_t>(Pick(std::ssize(scope_.notations)))];
    return InNotation(rank);
  }

  // Draws another sharding in the notation of the last one, over the same mesh if it has one.
  DrawnSharding AnotherSharding(int64_t rank) { return InNotation(rank); }

  // Draws the shape of an array whose dimensions are cut into so many parts. One in six has sizes that the parts
  // divide, because some systems refuse others; the sizes of an enumerated scope do not depend on the parts.
  std::string Shape(const Numbers& parts) {
    const bool is_even = !scope_.is_enumerated && Pick(6) == 5;
    Numbers sizes;
    for (const int64_t count : parts) {
      if (!scope_.sizes.empty()) {
        sizes.push_back(scope_.sizes[static_cast<size_t>(Pick(std::ssize(scope_.sizes)))]);
        continue;
      }
      const int64_t most = is_even ? scope_.max_size / count : scope_.max_size;
      const int64_t size = (1 + Pick(most + 1)) % (most + 1);  // 1, 2, ..., most, 0
      sizes.push_back(is_even ? size * count : size);
    }
    Numbers minor_to_major(sizes.size());
    std::iota(minor_to_major.rbegin(), minor_to_major.rend(), 0);
    return StrCat("f32[", StrJoin(sizes, ","), "]{", StrJoin(minor_to_major, ","), "}");
  }

 private:
  DrawnSharding InNotation(int64_t rank) {
    switch (notation_) {
      case ShardingNotation::kHlo: return Hlo(rank);
      case ShardingNotation::kJax: return Jax(rank);
      case ShardingNotation::kDTensor: return DTensor(rank);
      case ShardingNotation::kShardy: return Shardy(rank);
      case ShardingNotation::kTtMetal: return rank == 2 ? TtMetal() : Hlo(rank);
    }
    std::unreachable();
  }

  // Returns a number in [0, count). Unless the scope is enumerated, it records a choice also for a count of 1, so that
  // a shrinker may change a choice and keep the meaning of those behind it.
  int64_t Pick(int64_t count) {
    constexpr int64_t kLeastBound = 24;
    return Draw(choices_, scope_.is_enumerated ? count : std::max(count, kLeastBound)) % count;
  }

  // Draws the parts of each of `count` dimensions, with at most max_devices parts in all.
  Numbers Tiles(int64_t count) {
    int64_t devices = 1;
    Numbers tiles;
    for (int64_t k = 0; k < count; ++k) {
      tiles.push_back(1 + Pick(scope_.max_devices / devices));
      devices *= tiles.back();
    }
    return tiles;
  }

  // Draws the axes of a mesh, with at most max_devices devices in all, and calls use(axis, size) for each, which may
  // draw more.
  template <class Use>
  Numbers MeshAxes(Use use) {
    if (mesh_) {
      for (size_t axis = 0; axis < mesh_->size(); ++axis) use(axis, (*mesh_)[axis]);
      return *mesh_;
    }
    int64_t room = scope_.max_devices;
    Numbers sizes;
    do {
      const int64_t size = AxisSize(sizes.size(), room);
      room /= size;
      use(sizes.size(), size);
      sizes.push_back(size);
    } while (std::ssize(sizes) < scope_.max_axes && MayHaveMoreAxes(sizes, room) &&
             Pick(scope_.is_enumerated ? 2 : 3) > 0);
    mesh_ = sizes;
    return sizes;
  }

  // Draws a size of an axis up to `room`, mostly one that leaves room for others. An enumeration has axes of one device
  // in meshes of one or two axes only.
  int64_t AxisSize(size_t axis, int64_t room) {
    constexpr int64_t kSizes[] = {1, 2, 3, 4, 5, 6, 7, 8, 2, 2, 2, 2, 2, 3, 3, 4};
    if (!scope_.is_enumerated) return std::min(kSizes[Pick(std::ssize(kSizes))], room);
    const int64_t least = axis == 2 ? 2 : 1;
    return least + Pick(room - least + 1);
  }

  bool MayHaveMoreAxes(const Numbers& sizes, int64_t room) const {
    return !scope_.is_enumerated || sizes.size() < 2 || (room > 1 && std::ranges::find(sizes, 1) == sizes.end());
  }

  // Draws an order of 0, 1, ..., count - 1, the ascending one first or, if `is_other`, not at all.
  Numbers Permutation(int64_t count, bool is_other = false) {
    int64_t orders = 1;
    for (int64_t n = 2; n <= count; ++n) orders *= n;
    int64_t number = is_other ? 1 + Pick(orders - 1) : Pick(orders);
    Numbers remaining(static_cast<size_t>(count));
    std::iota(remaining.begin(), remaining.end(), 0);
    Numbers order;
    for (int64_t left = count; left > 0; --left) {
      const auto next = remaining.begin() + number % left;
      number /= left;
      order.push_back(*next);
      remaining.erase(next);
    }
    return order;
  }

  // Draws `count` device numbers below max_devices in an order of their own.
  Numbers Devices(int64_t count) {
    Numbers devices(static_cast<size_t>(count));
    std::iota(devices.rbegin(), devices.rend(), 0);
    if (scope_.is_enumerated) return devices;
    devices = Permutation(scope_.max_devices);
    devices.resize(static_cast<size_t>(count));
    return devices;
  }

  std::string HloDevices(int64_t count) {
    const std::vector<Numbers> reshapes = Factorizations(count);
    const int64_t kind = Pick(count == 1 ? 1 : reshapes.empty() ? 2 : 3);
    if (kind == 1) return StrJoin(Devices(count), ",");
    if (kind == 0) return StrCat("<=[", count, "]");
    const Numbers& reshape = reshapes[static_cast<size_t>(Pick(std::ssize(reshapes)))];
    const Numbers order = Permutation(std::ssize(reshape), true);
    return StrCat("<=[", StrJoin(reshape, ","), "]T(", StrJoin(order, ","), ")");
  }

  DrawnSharding Hlo(int64_t rank) {
    const int64_t kind = Pick(scope_.is_enumerated ? 3 : 12);
    if (kind == 2) {
      const int64_t device = Pick(scope_.max_devices);
      return {StrCat(" sharding={maximal device=", device, "}"), Numbers(static_cast<size_t>(rank), 1)};
    }
    const bool has_replicas = kind % 2 == 1;
    Numbers tiles = Tiles(rank + (has_replicas ? 1 : 0));
    int64_t count = 1;
    for (const int64_t size : tiles) count *= size;
    std::string text = StrCat(" sharding={devices=[", StrJoin(tiles, ","), "]", HloDevices(count),
                              has_replicas ? " last_tile_dim_replicate}" : "}");
    tiles.resize(static_cast<size_t>(rank));
    return {std::move(text), std::move(tiles)};
  }

  // The axes of each dimension, major to minor.
  using AxesOfDimensions = std::vector<std::vector<NamedAxis>>;

  // Draws the dimension that the axis cuts, perhaps none, and its place among the axes of that dimension.
  void Place(const NamedAxis& axis, AxesOfDimensions& of_dimensions) {
    const auto target = static_cast<size_t>(Pick(std::ssize(of_dimensions) + 1));  // the last one is no dimension
    if (target == of_dimensions.size()) return;
    std::vector<NamedAxis>& list = of_dimensions[target];
    list.insert(list.end() - Pick(std::ssize(list) + 1), axis);
  }

  static Numbers PartsOf(const AxesOfDimensions& of_dimensions) {
    Numbers parts;
    for (const auto& list : of_dimensions) {
      int64_t& count = parts.emplace_back(1);
      for (const NamedAxis& axis : list) count *= axis.size;
    }
    return parts;
  }

  static std::string AxesText(const std::vector<NamedAxis>& list) {
    std::string text;
    for (const NamedAxis& axis : list) StrAppend(text, text.empty() ? "" : ", ", axis.text);
    return text;
  }

  DrawnSharding Jax(int64_t rank) {
    AxesOfDimensions of_dimensions(static_cast<size_t>(rank));
    std::string mesh;
    MeshAxes([&](size_t axis, int64_t size) {
      StrAppend(mesh, axis == 0 ? "" : ",", kAxisNames[axis], "=", size);
      Place({StrCat("\"", kAxisNames[axis], "\""), size}, of_dimensions);
    });
    std::string spec;
    for (const auto& list : of_dimensions) {
      const std::string axes = AxesText(list);
      const std::string entry = list.empty() ? "None" : list.size() > 1 ? StrCat("(", axes, ")") : axes;
      StrAppend(spec, spec.empty() ? "" : ", ", entry);
    }
    return {StrCat(" mesh[", mesh, "] P(", spec, ")"), PartsOf(of_dimensions)};
  }

  DrawnSharding Shardy(int64_t rank) {
    AxesOfDimensions of_dimensions(static_cast<size_t>(rank));
    std::string mesh;
    int64_t devices = 1;
    MeshAxes([&](size_t axis, int64_t size) {
      const std::string name = StrCat("\"", kAxisNames[axis], "\"");
      StrAppend(mesh, axis == 0 ? "" : ", ", name, "=", size);
      devices *= size;
      const std::vector<Numbers> splits = Factorizations(size);
      const auto split = static_cast<size_t>(Pick(std::ssize(splits) + 1));
      if (split == 0) return Place({name, size}, of_dimensions);
      int64_t before = 1;
      for (const int64_t part : splits[split - 1]) {
        Place({StrCat(name, ":(", before, ")", part), part}, of_dimensions);
        before *= part;
      }
    });
    const std::string ids = Pick(4) == 3 ? StrCat(", device_ids=[", StrJoin(Permutation(devices), ", "), "]") : "";
    std::string dimensions;
    for (const auto& list : of_dimensions) StrAppend(dimensions, dimensions.empty() ? "{" : ", {", AxesText(list), "}");
    return {StrCat(" #sdy.sharding<mesh<[", mesh, "]", ids, ">, [", dimensions, "]>"), PartsOf(of_dimensions)};
  }

  DrawnSharding DTensor(int64_t rank) {
    Numbers parts(static_cast<size_t>(rank), 1);
    std::vector<std::string> placements;
    // Half of the drawn meshes cut one dimension along all axes.
    const bool is_nested = !scope_.is_enumerated && Pick(2) == 1;
    int64_t first_dimension = 0;
    const Numbers mesh = MeshAxes([&](size_t axis, int64_t size) {
      constexpr int64_t kKinds[] = {0, 1, 2, 3, 4, 0, 0, 0};  // half of the drawn placements are plain shards
      const int64_t kind = kKinds[Pick(scope_.is_enumerated ? 5 : std::ssize(kKinds))];
      if (kind == 1 && !is_nested) {
        placements.emplace_back("R");
        return;
      }
      int64_t dimension = Pick(rank);
      if (axis == 0) first_dimension = dimension;
      if (is_nested) dimension = first_dimension;
      parts[static_cast<size_t>(dimension)] *= size;
      placements.push_back(kind < 2 ? StrCat("S(", dimension, ")")
                                    : StrCat("_StridedShard(", dimension, ",sf=", kSplitFactors[kind - 2], ")"));
    });
    return {StrCat(" mesh[", StrJoin(mesh, ","), "] ", StrJoin(placements, ",")), std::move(parts)};
  }

  // Draws shards of a matrix with room for all sizes.
  DrawnSharding TtMetal() {
    const int64_t width = 1 + Pick(scope_.max_devices);
    const int64_t height = 1 + Pick(scope_.max_devices / width);
    const int64_t kind = Pick(3);
    const bool is_row_major = Pick(2) == 0;
    Numbers parts = kind == 0   ? Numbers{width * height, 1}
                    : kind == 1 ? Numbers{1, width * height}
                                : Numbers{is_row_major ? height : width, is_row_major ? width : height};
    Numbers shard;
    for (const int64_t count : parts) shard.push_back((scope_.max_size + count - 1) / count + Pick(3));
    constexpr std::string_view kKinds[] = {"HEIGHT", "WIDTH", "BLOCK"};
    return {StrCat(" MemoryConfig(memory_layout=TensorMemoryLayout::", kKinds[kind],
                   "_SHARDED,shard_spec=ShardSpec(grid={[(x=0,y=0) - (x=", width - 1, ",y=", height - 1, ")]},shape={",
                   StrJoin(shard, ", "), "},orientation=ShardOrientation::", is_row_major ? "ROW" : "COL", "_MAJOR))"),
            std::move(parts)};
  }

  Choices& choices_;
  const ShardingScope& scope_;
  ShardingNotation notation_ = ShardingNotation::kHlo;  // of the last sharding
  std::optional<Numbers> mesh_;                         // sizes of its axes, if it has a mesh
};

const ShardingScope& RandomScope() {
  using enum ShardingNotation;
  static const ShardingScope scope = {{kHlo, kJax, kDTensor, kShardy, kDTensor, kTtMetal}, 3, 12, 8, 3};
  return scope;
}

}  // namespace

std::string ShardingScope::NotationsText() const {
  std::string text;
  for (size_t k = 0; k < notations.size(); ++k) {
    constexpr std::string_view kNames[] = {"HLO", "Shardy", "JAX", "DTensor", "tt-metal"};
    StrAppend(text,
              k == 0                      ? ""
              : k + 1 == notations.size() ? " and "
                                          : ", ",
              kNames[static_cast<size_t>(notations[k])]);
  }
  return text;
}

std::string ShardingScope::ToString() const {
  const std::string of_dimensions = sizes.empty() ? StrCat("<= ", max_size) : StrJoin(sizes, ", ");
  return StrCat("shardings of ", NotationsText(), ", rank <= ", max_rank, ", sizes ", of_dimensions, ", up to ",
                max_devices, " devices in meshes of up to ", max_axes, max_axes == 1 ? " axis" : " axes");
}

std::span<const ShardingScope> ShardingLadder() {
  using enum ShardingNotation;
  static const std::vector<ShardingNotation> notations = {kHlo, kJax, kDTensor};
  static const std::vector<ShardingScope> ladder = {
      {notations, 1, 6, 4, 1, true},  {notations, 1, 12, 8, 3, true},
      {notations, 2, 4, 6, 2, true},  {notations, 2, 12, 8, 3, true},
      {notations, 3, 4, 8, 3, true},  {notations, 3, 12, 8, 3, true, {1, 5, 7, 8, 12, 0}},
      {notations, 3, 12, 8, 3, true},
  };
  return ladder;
}

std::string DrawShardedArray(Choices& choices, const ShardingScope& scope) {
  ShardingGenerator generator(choices, scope);
  const DrawnSharding sharding = generator.Sharding(generator.Rank());
  return generator.Shape(sharding.parts) + sharding.text;
}

std::string DrawShardedArray(Choices& choices) { return DrawShardedArray(choices, RandomScope()); }

std::pair<std::string, std::string> DrawShardedView(Choices& choices) {
  std::string array = DrawShardedArray(choices);
  Numbers sizes = ParseSharded(array)->array.shape().dimensions;
  for (uint64_t steps = 1 + choices.Choose(3); steps > 0; --steps) {
    const bool is_split = choices.Choose(2) == 1;
    const auto at = static_cast<size_t>(choices.Choose(3)) % sizes.size();
    const auto divisor = static_cast<int64_t>(2 + choices.Choose(5));
    const auto next = sizes.begin() + static_cast<ptrdiff_t>(at);
    if (is_split && sizes[at] % divisor == 0) {
      *next /= divisor;
      sizes.insert(next, divisor);
    } else if (!is_split && at + 1 < sizes.size()) {
      sizes[at + 1] *= sizes[at];
      sizes.erase(next);
    }
  }
  return {std::move(array), StrCat("[", StrJoin(sizes, ","), "]")};
}

std::pair<std::string, std::string> DrawReshard(Choices& choices) {
  ShardingGenerator generator(choices, RandomScope());
  const int64_t rank = generator.Rank();
  const DrawnSharding from = generator.Sharding(rank);
  const bool is_kept = choices.Choose(2) == 1;
  const std::string to = (is_kept ? generator.AnotherSharding(rank) : generator.Sharding(rank)).text;
  const std::string shape = generator.Shape(from.parts);
  return {shape + from.text, shape + to};
}

}  // namespace layoutcheck
