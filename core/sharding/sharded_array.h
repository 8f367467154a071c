// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An array in the memories of several devices: the sharding says which device holds an element, and the layout of the
// shape where it lies in the array of that device.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/hlo/shape.h"
#include "layoutcheck/core/sharding/sharding.h"
#include "layoutcheck/core/sharding/sharding_text.h"
#include "layoutcheck/core/tiling/mixed_radix.h"
#include "layoutcheck/core/tiling/sizes.h"
#include "layoutcheck/core/tiling/tiled_index.h"

namespace layoutcheck {

class ShardedArray {
 public:
  // The place of an element: a linear index in the array of each of these devices.
  struct Place {
    std::vector<int64_t> devices;  // ascending
    int64_t offset = 0;
  };

  // The array of a device.
  struct Local {
    Shape shape;  // the whole array's, with the local sizes
    TiledIndex index;
    MixedRadix<int64_t> digits;
    LayoutSizes sizes;
  };

  // Errors: those of TiledLayoutOf and SizesOf, for the whole array and for those of the devices.
  static Expected<ShardedArray> Create(Shape shape, Sharding sharding);

  const Shape& shape() const { return shape_; }
  const Sharding& sharding() const { return sharding_; }

  // Requires a coordinate within the dimensions.
  Place Find(std::span<const int64_t> coordinate) const;
  // Returns the array of a device, or null for one that is none of sharding().devices().
  const Local* LocalOf(int64_t device) const;
  // Returns the coordinate in the whole array of the element at this linear index of a device, or nothing for padding.
  // Requires one of sharding().devices() and an index within its allocation.
  std::optional<std::vector<int64_t>> CoordinateAt(int64_t device, int64_t offset) const;

 private:
  ShardedArray(Shape shape, Sharding sharding) : shape_(std::move(shape)), sharding_(std::move(sharding)) {}

  Shape shape_;
  Sharding sharding_;
  std::map<std::vector<int64_t>, Local> locals_;  // by local sizes
};

// A sharded array with its texts.
struct ShardedText {
  ShardedArray array;
  ShardingText sharding;

  // Returns the canonical text.
  std::string Text() const;
};

// Parses a shape with a sharding. An array without a layout is row major. Errors: those of ParseShape, ReadSharding,
// MakeSharding and ShardedArray::Create, with the column; a text without a sharding (syntax).
Expected<ShardedText> ParseSharded(std::string_view text, std::optional<int64_t> device_count = std::nullopt);

}  // namespace layoutcheck
