// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/properties/sharding/sharding_generator.h"
#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>
#include <string_view>
#include "layoutcheck/core/base/str_cat.h"

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

// An axis of a mesh, or a part of one, in the order of their names in a text.
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

  int64_t Rank() { return 1 + Draw(choices_, scope_.max_rank); }

  DrawnSharding Sharding(int64_t rank) {
    switch (scope_.notations[choices_.Choose(scope_.notations.size())]) {
      case ShardingNotation::kHlo: return Hlo(rank);
      case ShardingNotation::kJax: return Jax(rank);
      case ShardingNotation::kDTensor: return DTensor(rank);
      case ShardingNotation::kShardy: return Shardy(rank);
    }
    std::unreachable();
  }

  // Draws sizes of any remainder. Half of the drawn arrays have sizes that the parts divide, because some systems
  // refuse others.
  std::string Shape(const Numbers& parts) {
    const bool is_even = !scope_.is_enumerated && choices_.Choose(2) == 1;
    Numbers sizes;
    for (const int64_t count : parts) {
      const int64_t most = is_even ? scope_.max_size / count : scope_.max_size;
      const int64_t size = (1 + Draw(choices_, most + 1)) % (most + 1);  // 1, 2, ..., most, 0
      sizes.push_back(is_even ? size * count : size);
    }
    Numbers minor_to_major(sizes.size());
    std::iota(minor_to_major.rbegin(), minor_to_major.rend(), 0);
    return StrCat("f32[", StrJoin(sizes, ","), "]{", StrJoin(minor_to_major, ","), "}");
  }

 private:
  // Draws sizes of `count` axes, each at least `least`, with at most max_devices devices in all.
  Numbers Sizes(int64_t count, int64_t least) {
    int64_t devices = 1;
    Numbers sizes;
    for (int64_t k = 0; k < count; ++k) {
      int64_t most = scope_.max_devices / devices;
      for (int64_t later = k + 1; later < count; ++later) most /= least;
      sizes.push_back(least + Draw(choices_, most - least + 1));
      devices *= sizes.back();
    }
    return sizes;
  }

  Numbers MeshSizes() {
    const int64_t count = 1 + Draw(choices_, scope_.max_axes);
    return Sizes(count, count > 2 ? 2 : 1);
  }

  // Draws an order of 0, 1, ..., count - 1, the ascending one first or, if `is_other`, not at all.
  Numbers Permutation(int64_t count, bool is_other = false) {
    int64_t orders = 1;
    for (int64_t n = 2; n <= count; ++n) orders *= n;
    int64_t number = is_other ? 1 + Draw(choices_, orders - 1) : Draw(choices_, orders);
    Numbers remaining(static_cast<size_t>(count));
    std::iota(remaining.begin(), remaining.end(), 0);
    Numbers order;
    for (int64_t left = count; left > 0; --left) {
      orders /= left;
      const auto next = remaining.begin() + number / orders;
      number %= orders;
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
    const uint64_t kind = choices_.Choose(count == 1 ? 1 : reshapes.empty() ? 2 : 3);
    if (kind == 1) return StrJoin(Devices(count), ",");
    if (kind == 0) return StrCat("<=[", count, "]");
    const Numbers& reshape = reshapes[choices_.Choose(reshapes.size())];
    const Numbers order = Permutation(std::ssize(reshape), true);
    return StrCat("<=[", StrJoin(reshape, ","), "]T(", StrJoin(order, ","), ")");
  }

  DrawnSharding Hlo(int64_t rank) {
    const bool has_replicas = choices_.Choose(2) == 1;
    Numbers tiles = Sizes(rank + (has_replicas ? 1 : 0), 1);
    int64_t count = 1;
    for (const int64_t size : tiles) count *= size;
    std::string text = StrCat(" sharding={devices=[", StrJoin(tiles, ","), "]", HloDevices(count),
                              has_replicas ? " last_tile_dim_replicate}" : "}");
    tiles.resize(static_cast<size_t>(rank));
    return {std::move(text), std::move(tiles)};
  }

  // Draws the axes of each dimension, major to minor; the others cut nothing.
  std::vector<std::vector<NamedAxis>> AxesOfDimensions(int64_t rank, const std::vector<NamedAxis>& axes) {
    std::vector<std::vector<NamedAxis>> of_dimensions(static_cast<size_t>(rank));
    for (const NamedAxis& axis : axes) {
      const auto target = static_cast<size_t>(Draw(choices_, rank + 1));  // the last one is no dimension
      if (target == of_dimensions.size()) continue;
      std::vector<NamedAxis>& list = of_dimensions[target];
      list.insert(list.end() - Draw(choices_, std::ssize(list) + 1), axis);
    }
    return of_dimensions;
  }

  static Numbers PartsOf(const std::vector<std::vector<NamedAxis>>& of_dimensions) {
    Numbers parts;
    for (const auto& list : of_dimensions) {
      int64_t& count = parts.emplace_back(1);
      for (const NamedAxis& axis : list) count *= axis.size;
    }
    return parts;
  }

  DrawnSharding Jax(int64_t rank) {
    std::vector<NamedAxis> axes;
    std::string mesh;
    for (const int64_t size : MeshSizes()) {
      const std::string_view name = kAxisNames[axes.size()];
      StrAppend(mesh, axes.empty() ? "" : ",", name, "=", size);
      axes.push_back({StrCat("\"", name, "\""), size});
    }
    const auto of_dimensions = AxesOfDimensions(rank, axes);
    std::string spec;
    for (const auto& list : of_dimensions) {
      std::string entry;
      for (const NamedAxis& axis : list) StrAppend(entry, entry.empty() ? "" : ", ", axis.text);
      if (list.empty()) entry = "None";
      if (list.size() > 1) entry = StrCat("(", entry, ")");
      StrAppend(spec, spec.empty() ? "" : ", ", entry);
    }
    return {StrCat(" mesh[", mesh, "] P(", spec, ")"), PartsOf(of_dimensions)};
  }

  DrawnSharding Shardy(int64_t rank) {
    std::vector<NamedAxis> axes;
    std::string mesh;
    int64_t devices = 1;
    int64_t number = 0;
    for (const int64_t size : MeshSizes()) {
      const std::string name = StrCat("\"", kAxisNames[number++], "\"");
      StrAppend(mesh, mesh.empty() ? "" : ", ", name, "=", size);
      devices *= size;
      const std::vector<Numbers> splits = Factorizations(size);
      const uint64_t split = choices_.Choose(splits.size() + 1);
      if (split == 0) {
        axes.push_back({name, size});
        continue;
      }
      int64_t before = 1;
      for (const int64_t part : splits[split - 1]) {
        axes.push_back({StrCat(name, ":(", before, ")", part), part});
        before *= part;
      }
    }
    const std::string ids =
        choices_.Choose(4) == 3 ? StrCat(", device_ids=[", StrJoin(Permutation(devices), ", "), "]") : "";
    const auto of_dimensions = AxesOfDimensions(rank, axes);
    std::string dimensions;
    for (const auto& list : of_dimensions) {
      std::string entry;
      for (const NamedAxis& axis : list) StrAppend(entry, entry.empty() ? "" : ", ", axis.text);
      StrAppend(dimensions, dimensions.empty() ? "{" : ", {", entry, "}");
    }
    return {StrCat(" #sdy.sharding<mesh<[", mesh, "]", ids, ">, [", dimensions, "]>"), PartsOf(of_dimensions)};
  }

  DrawnSharding DTensor(int64_t rank) {
    const Numbers sizes = MeshSizes();
    Numbers parts(static_cast<size_t>(rank), 1);
    std::vector<std::string> placements;
    for (const int64_t size : sizes) {
      const uint64_t kind = choices_.Choose(2 + std::size(kSplitFactors));
      if (kind == 1) {
        placements.emplace_back("R");
        continue;
      }
      const int64_t dimension = Draw(choices_, rank);
      parts[static_cast<size_t>(dimension)] *= size;
      placements.push_back(kind == 0 ? StrCat("S(", dimension, ")")
                                     : StrCat("_StridedShard(", dimension, ",sf=", kSplitFactors[kind - 2], ")"));
    }
    return {StrCat(" mesh[", StrJoin(sizes, ","), "] ", StrJoin(placements, ",")), std::move(parts)};
  }

  Choices& choices_;
  const ShardingScope& scope_;
};

const ShardingScope& RandomScope() {
  using enum ShardingNotation;
  static const ShardingScope scope = {{kHlo, kJax, kDTensor, kShardy}, 3, 12, 8, 3};
  return scope;
}

}  // namespace

std::string ShardingScope::ToString() const {
  return StrCat("shardings of HLO, JAX and DTensor, rank <= ", max_rank, ", sizes <= ", max_size, ", up to ",
                max_devices, " devices in meshes of up to ", max_axes, max_axes == 1 ? " axis" : " axes");
}

std::span<const ShardingScope> ShardingLadder() {
  using enum ShardingNotation;
  static const std::vector<ShardingNotation> notations = {kHlo, kJax, kDTensor};
  static const std::vector<ShardingScope> ladder = {
      {notations, 1, 6, 4, 1, true},  {notations, 1, 12, 8, 3, true}, {notations, 2, 4, 6, 2, true},
      {notations, 2, 12, 8, 3, true}, {notations, 3, 4, 8, 3, true},  {notations, 3, 12, 8, 3, true},
  };
  return ladder;
}

std::string DrawShardedArray(Choices& choices, const ShardingScope& scope) {
  ShardingGenerator generator(choices, scope);
  const DrawnSharding sharding = generator.Sharding(generator.Rank());
  return generator.Shape(sharding.parts) + sharding.text;
}

std::string DrawShardedArray(Choices& choices) { return DrawShardedArray(choices, RandomScope()); }

std::pair<std::string, std::string> DrawReshard(Choices& choices) {
  ShardingGenerator generator(choices, RandomScope());
  const int64_t rank = generator.Rank();
  const DrawnSharding from = generator.Sharding(rank);
  const std::string to = generator.Sharding(rank).text;
  const std::string shape = generator.Shape(from.parts);
  return {shape + from.text, shape + to};
}

}  // namespace layoutcheck
