// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The object behind layoutcheck.Layout.
#pragma once

#include <nanobind/nanobind.h>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>
#include "layoutcheck/cli/notations/notation.h"
#include "layoutcheck/core/base/error.h"

namespace layoutcheck::python {

// A layout in any notation, which does not change. Copies share the layout.
class PyLayout {
 public:
  explicit PyLayout(std::unique_ptr<AnyLayout> layout);

  const AnyLayout& any() const { return *layout_; }
  const AnyLayout* operator->() const { return layout_.get(); }
  // Sizes of the logical dimensions, in elements.
  const std::vector<int64_t>& dimensions() const { return dimensions_; }

  // Returns an error (invalid argument) that names the entry unless there is one entry per dimension, each inside.
  Expected<void> CheckWithin(std::span<const int64_t> index) const;

 private:
  std::shared_ptr<const AnyLayout> layout_;
  std::vector<int64_t> dimensions_;
};

// Reads a layout. Raises LayoutError for text in no notation, with the column in characters.
PyLayout ReadPyLayout(std::string_view text);

// Returns {2,3} as (2, 3).
nanobind::tuple TupleOf(std::span<const int64_t> numbers);

}  // namespace layoutcheck::python
