// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An array in the memories of several devices: the sharding says which device holds an element, and the layout of the
// shape, or a layout of its own, where it lies in the array of that device.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/hlo/shape.h"
#include "layoutcheck/core/sharding/local_layout.h"
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

  // The map of the array of a device under the layout of the shape.
  struct ShapeMap {
    TiledIndex index;
    MixedRadix<int64_t> digits;
  };

  // The array of a device.
  struct Local {
    Shape shape;  // the whole array's, with the local sizes
    LayoutSizes sizes;
    std::variant<ShapeMap, std::shared_ptr<const LocalLayout>> map;

    // Returns the text of its layout: that of `shape`, or the local layout, as a view if it has more coordinates.
    std::string LayoutText() const;
    // Returns the linear index of an element. Requires a coordinate within the dimensions of `shape`.
    int64_t OffsetOf(std::span<const int64_t> coordinate) const;
    // Returns the coordinate at a linear index within the allocation, or nothing for padding. Error: that of
    // LocalLayout::CoordinateOf.
    Expected<std::optional<std::vector<int64_t>>> CoordinateOf(int64_t offset) const;
    // Returns the local layout, or null for that of the shape.
    const LocalLayout* layout() const;
  };

  // Makes an array whose devices have the local layout, if there is one, and otherwise that of the shape; `shape()` has
  // no layout then. Errors: those of TiledLayoutOf and SizesOf, for the whole array and for those of the devices; those
  // of LocalLayout::RequireRoomFor.
  static Expected<ShardedArray> Create(Shape shape, Sharding sharding,
                                       std::shared_ptr<const LocalLayout> local = nullptr);

  const Shape& shape() const { return shape_; }
  const Sharding& sharding() const { return sharding_; }
  // Returns the layout of the array of each device, or null if it is that of the shape.
  const LocalLayout* local_layout() const { return local_layout_.get(); }

  // Requires a coordinate within the dimensions.
  Place Find(std::span<const int64_t> coordinate) const;
  // Returns the array of a device, or null for one that is none of sharding().devices().
  const Local* LocalOf(int64_t device) const;
  // Returns the coordinate in the whole array of the element at this linear index of a device, or nothing for padding.
  // Requires one of sharding().devices() and an index within its allocation. Error: that of Local::CoordinateOf.
  Expected<std::optional<std::vector<int64_t>>> CoordinateAt(int64_t device, int64_t offset) const;

 private:
  ShardedArray(Shape shape, Sharding sharding, std::shared_ptr<const LocalLayout> local)
      : shape_(std::move(shape)), sharding_(std::move(sharding)), local_layout_(std::move(local)) {}

  // Makes the array of a device with these sizes.
  Expected<Local> MakeLocal(std::vector<int64_t> sizes) const;

  Shape shape_;
  Sharding sharding_;
  std::shared_ptr<const LocalLayout> local_layout_;
  std::map<std::vector<int64_t>, Local> locals_;  // by local sizes
};

// A sharded array with its texts.
struct ShardedText {
  ShardedArray array;
  ShardingText sharding;

  // Returns the canonical text.
  std::string Text() const { return TextWith(sharding.text); }
  // Returns the text with a sharding in another notation.
  std::string TextWith(std::string_view sharding_text) const;
};

// Parses a shape with a sharding. An array without a layout is row major. Errors: those of ParseShape, ReadSharding,
// MakeSharding, LocalLayout::Parse and ShardedArray::Create, with the column; a text without a sharding (syntax).
Expected<ShardedText> ParseSharded(std::string_view text, std::optional<int64_t> device_count = std::nullopt);

}  // namespace layoutcheck
