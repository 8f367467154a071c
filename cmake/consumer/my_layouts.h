// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Layouts as somebody else writes them.
#include <layoutcheck/core/hlo/shape.h>
#include <array>
#include <cstdint>
#include <optional>
#include <span>

struct Extents2 {
  std::array<int64_t, 2> sizes;
  static constexpr size_t rank() { return 2; }
  int64_t extent(size_t d) const { return sizes[d]; }
};

// A mapping as <mdspan> has them: tiles of 2x2, row by row.
struct Blocked {
  Extents2 shape;
  const Extents2& extents() const { return shape; }
  int64_t columns() const { return (shape.extent(1) + 1) / 2; }
  int64_t operator()(int64_t i, int64_t j) const { return (i / 2 * columns() + j / 2) * 4 + i % 2 * 2 + j % 2; }
  int64_t required_span_size() const { return (shape.extent(0) + 1) / 2 * columns() * 4; }
  bool is_unique() const { return true; }
};

// An index function for row-major and column-major arrays; nothing for what it does not take.
struct TwoOrders {
  std::optional<int64_t> offset(const layoutcheck::Shape& shape, std::span<const int64_t> at) const {
    if (shape.rank() != 2 || !shape.layout->tiles.empty()) return std::nullopt;
    const bool row_major = shape.layout->minor_to_major[0] == 1;
    return row_major ? at[0] * shape.dimensions[1] + at[1] : at[1] * shape.dimensions[0] + at[0];
  }
};
