// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <charconv>
#include <utility>
#include "layoutcheck/properties/mlir/memref_type.h"

namespace layoutcheck {
namespace {

std::optional<std::vector<int64_t>> ReadIntegers(std::string_view text) {
  std::vector<int64_t> list;
  while (!text.empty()) {
    const auto read = std::from_chars(text.data(), text.data() + text.size(), list.emplace_back());
    if (read.ec != std::errc()) return std::nullopt;
    text.remove_prefix(static_cast<size_t>(read.ptr - text.data()));
    if (text.starts_with(',')) text.remove_prefix(1);
  }
  return list;
}

using Lists = std::vector<std::vector<int64_t>>;

Expected<MemRefType> Subview(const MemRefType& type, const StridedLayoutAttr& base, const Lists& lists) {
  const size_t rank = type.dimensions.size();
  for (const auto& list : lists) {
    if (lists.size() != 3 || list.size() != rank)
      return ArgumentError("expected an offset, a size and a step for each dimension");
  }
  MemRefType view{{}, type.element_type, {}};
  StridedLayoutAttr layout{{}, base.offset};
  for (size_t d = 0; d < rank; ++d) {
    view.dimensions.push_back(lists[1][d]);
    LAYOUTCHECK_TRY(const auto stride, Product(base.strides[d], lists[2][d], "a stride or an offset"));
    layout.strides.push_back(stride);
    if (lists[0][d] == 0) continue;  // 0 times a dynamic stride is 0
    LAYOUTCHECK_TRY(const auto along, Product(base.strides[d], lists[0][d], "a stride or an offset"));
    if (!along) {
      layout.offset.reset();
    } else if (layout.offset && __builtin_add_overflow(*layout.offset, *along, &*layout.offset)) {
      return OverflowError("an offset outside int64");
    }
  }
  view.layout = std::move(layout);
  return view;
}

Expected<MemRefType> Transpose(const MemRefType& type, const StridedLayoutAttr& base,
                               const std::vector<int64_t>& order) {
  std::vector<int64_t> sorted = order;
  std::ranges::sort(sorted);
  bool permutation = sorted.size() == type.dimensions.size();
  for (size_t d = 0; permutation && d < sorted.size(); ++d) permutation = sorted[d] == static_cast<int64_t>(d);
  if (!permutation) return ArgumentError("expected every dimension once");
  MemRefType view{{}, type.element_type, {}};
  StridedLayoutAttr layout{{}, base.offset};
  for (const int64_t d : order) {
    view.dimensions.push_back(type.dimensions[static_cast<size_t>(d)]);
    layout.strides.push_back(base.strides[static_cast<size_t>(d)]);
  }
  view.layout = std::move(layout);
  return view;
}

// Merges groups of contiguous dimensions. Dimensions of size 1 may have any stride.
Expected<MemRefType> Collapse(const MemRefType& type, const StridedLayoutAttr& base,
                              const std::vector<int64_t>& groups) {
  MemRefType view{{}, type.element_type, {}};
  StridedLayoutAttr layout{{}, base.offset};
  size_t next = 0;
  for (const int64_t count : groups) {
    if (count < 1 || static_cast<size_t>(count) > type.dimensions.size() - next)
      return ArgumentError("expected groups of dimensions");
    MemRefInteger size = 1;
    MemRefInteger stride;
    bool first = true;
    for (size_t d = next + static_cast<size_t>(count); d-- > next;) {
      if (type.dimensions[d] == MemRefInteger(1)) continue;
      const auto reached = Product(stride, size, "a stride");
      if (!first && (!reached || !*reached || *reached != base.strides[d])) {
        return UnsupportedError("the dimensions are not contiguous");
      }
      if (first) stride = base.strides[d];
      first = false;
      LAYOUTCHECK_TRY(size, Product(size, type.dimensions[d], "a size"));
    }
    next += static_cast<size_t>(count);
    view.dimensions.push_back(size);
    layout.strides.push_back(first ? base.strides[next - 1] : stride);
  }
  if (next != type.dimensions.size()) return ArgumentError("expected groups of all dimensions");
  view.layout = std::move(layout);
  return view;
}

}  // namespace

Expected<MemRefType> ViewOf(const MemRefType& type, std::span<const std::string> arguments) {
  LAYOUTCHECK_TRY(const auto base, type.Strides());
  Lists lists;
  for (size_t k = 1; k < arguments.size(); ++k) {
    auto list = ReadIntegers(arguments[k]);
    if (!list) return ArgumentError("expected integers, got '", arguments[k], "'");
    lists.push_back(*std::move(list));
  }
  if (!arguments.empty() && arguments[0] == "subview") return Subview(type, base, lists);
  if (lists.size() == 1 && arguments[0] == "transpose") return Transpose(type, base, lists[0]);
  if (lists.size() == 1 && arguments[0] == "collapse_shape") return Collapse(type, base, lists[0]);
  return ArgumentError("expected subview, transpose or collapse_shape");
}

}  // namespace layoutcheck
