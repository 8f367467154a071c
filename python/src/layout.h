// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The object behind layoutcheck.Layout.
#pragma once

#include <nanobind/nanobind.h>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/cli/notations/notation.h"
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/sharding/sharded_array.h"

namespace layoutcheck::python {

// A layout in any notation, or an array with a sharding, which does not change. Copies share the layout.
class PyLayout {
 public:
  explicit PyLayout(std::unique_ptr<AnyLayout> layout);
  explicit PyLayout(ShardedText sharded);

  // Returns the array with its sharding, or null for a layout of one memory.
  const ShardedText* sharded() const { return sharded_.get(); }
  // Returns the layout of one memory. Raises LayoutError (unsupported) for an array with a sharding, also where the
  // interpreter lock is released.
  const AnyLayout& any() const;
  const AnyLayout* operator->() const { return &any(); }
  // Returns the canonical text.
  std::string Text() const;
  // Sizes of the logical dimensions, in elements.
  const std::vector<int64_t>& dimensions() const { return dimensions_; }

  // Returns an error (invalid argument) that names the entry unless there is one entry per dimension, each inside.
  Expected<void> CheckWithin(std::span<const int64_t> index) const;

 private:
  std::shared_ptr<const AnyLayout> layout_;  // null for an array with a sharding
  std::shared_ptr<const ShardedText> sharded_;
  std::vector<int64_t> dimensions_;
};

// Reads a layout. Raises LayoutError for text in no notation, with the column in characters.
PyLayout ReadPyLayout(std::string_view text);

// Returns the integer, or raises TypeError, or LayoutError outside of int64.
int64_t IntegerOf(nanobind::handle object);

// Returns the coordinate of the element at an offset of the device's memory, or None for padding. Raises LayoutError
// for another device than those of the sharding, and for an offset outside of the memory. Requires an array with a
// sharding.
nanobind::object ShardedCoordinate(const PyLayout& layout, int64_t offset, nanobind::handle device);

// Returns {2,3} as (2, 3).
nanobind::tuple TupleOf(std::span<const int64_t> numbers);

}  // namespace layoutcheck::python
