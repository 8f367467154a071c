// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/shape_stride/evaluate.h"
#include <map>
#include <span>
#include <string_view>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

// One number per axis of the codomain, by basis path. Ordinary strides have the empty path.
using CodomainSum = std::map<std::vector<int64_t>, CheckedInt64>;

void AddTo(CodomainSum& sum, const std::vector<int64_t>& axis, CheckedInt64 term) {
  const auto [place, inserted] = sum.try_emplace(axis, term);
  if (!inserted) place->second = place->second + term;
}

// Builds the nested value of axes whose paths share the first `depth` positions. Requires `axes` sorted by path.
// Positions without an axis get the value `other`.
Expected<IntTuple> BuildNested(std::span<const std::pair<std::vector<int64_t>, int64_t>> axes, size_t depth,
                               int64_t other) {
  if (axes.front().first.size() == depth) {
    if (axes.size() > 1) return ArgumentError("basis strides name an axis and a part of the same axis");
    return IntTuple(axes.front().second);
  }
  std::vector<IntTuple> elements;
  size_t begin = 0;
  while (begin < axes.size()) {
    const int64_t position = axes[begin].first[depth];
    size_t end = begin;
    while (end < axes.size() && axes[end].first[depth] == position) ++end;
    elements.resize(static_cast<size_t>(position), IntTuple(other));
    LAYOUTCHECK_TRY(IntTuple element, BuildNested(axes.subspan(begin, end - begin), depth + 1, other));
    elements.push_back(std::move(element));
    begin = end;
  }
  return IntTuple::Tuple(std::move(elements));
}

// Returns the integer or the nested coordinate of the axes, each increased by `added`. A position without an axis has
// the value `added`. Errors: overflow of `what`; an axis together with a part of it.
Expected<IntTuple> NestedValue(const CodomainSum& sum, int64_t added, std::string_view what) {
  std::vector<std::pair<std::vector<int64_t>, int64_t>> axes;
  for (const auto& [axis, number] : sum) {
    LAYOUTCHECK_TRY(const int64_t value, ValueOrOverflow(number + added, what));
    axes.emplace_back(axis, value);
  }
  if (axes.empty()) return IntTuple(added);
  return BuildNested(axes, 0, added);
}

// Adds the terms of an integral coordinate. C++ division truncates, so the terms of -c are minus those of c.
Expected<void> AddIntegral(int64_t index, const IntTuple& shape, const IntTuple& stride, CodomainSum& sum) {
  const std::vector<IntTuple> extents = Leaves(shape);
  const std::vector<IntTuple> strides = Leaves(stride);
  const bool negative = index < 0;
  CheckedInt64 rest = negative ? CheckedInt64(0) - CheckedInt64(index) : CheckedInt64(index);
  for (size_t i = 0; i < extents.size(); ++i) {
    CheckedInt64 digit = rest;
    if (i + 1 < extents.size()) {
      if (extents[i].value() < 1) {
        return ArgumentError("extent ", extents[i].value(), " in ", ToString(shape), " takes no integral coordinate");
      }
      digit = Mod(rest, CheckedInt64(extents[i].value()));
      rest = FloorDiv(rest, CheckedInt64(extents[i].value()));
    }
    const CheckedInt64 term = digit * CheckedInt64(strides[i].value());
    AddTo(sum, strides[i].basis(), negative ? CheckedInt64(0) - term : term);
  }
  return {};
}

Expected<void> AddCoordinate(const IntTuple& coordinate, const IntTuple& shape, const IntTuple& stride,
                             CodomainSum& sum) {
  if (coordinate.is_leaf()) return AddIntegral(coordinate.value(), shape, stride, sum);
  if (shape.is_leaf() || Rank(shape) != Rank(coordinate)) {
    return ArgumentError("coordinate ", ToString(coordinate), " does not fit shape ", ToString(shape),
                         ": expected an integer or ",
                         shape.is_leaf() ? StrCat("nothing else") : StrCat(Rank(shape), " numbers"));
  }
  for (size_t i = 0; i < coordinate.elements().size(); ++i) {
    Expected<void> added = AddCoordinate(coordinate.elements()[i], shape.elements()[i], stride.elements()[i], sum);
    if (!added) return added;
  }
  return {};
}

}  // namespace

Expected<IntTuple> Evaluate(const IntTuple& coordinate, const ShapeStrideLayout& layout) {
  LAYOUTCHECK_RETURN_IF_ERROR(ValidateLayout(layout));
  CodomainSum sum;
  const Expected<void> added = AddCoordinate(coordinate, layout.shape, layout.stride, sum);
  if (!added) return std::unexpected(added.error());
  return NestedValue(sum, 0, "the offset");
}

Expected<int64_t> Crd2Idx(const IntTuple& coordinate, const ShapeStrideLayout& layout) {
  LAYOUTCHECK_RETURN_IF_ERROR(RequireOrdinaryStrides(layout));
  LAYOUTCHECK_TRY(const IntTuple value, Evaluate(coordinate, layout));
  return value.value();
}

Expected<IntTuple> Coshape(const ShapeStrideLayout& layout) {
  LAYOUTCHECK_RETURN_IF_ERROR(ValidateLayout(layout));
  if (HasNoCoordinate(layout)) return IntTuple(0);
  const std::vector<IntTuple> extents = Leaves(layout.shape);
  const std::vector<IntTuple> strides = Leaves(layout.stride);
  CodomainSum sum;
  for (size_t i = 0; i < extents.size(); ++i) {
    const CheckedInt64 stride = strides[i].value();
    AddTo(sum, strides[i].basis(), (CheckedInt64(extents[i].value()) - 1) * (stride.value < 0 ? 0 - stride : stride));
  }
  return NestedValue(sum, 1, "the cosize");
}

Expected<int64_t> Cosize(const ShapeStrideLayout& layout) {
  LAYOUTCHECK_TRY(const IntTuple coshape, Coshape(layout));
  return ValueOrOverflow(CheckedProduct(coshape), "the cosize");
}

Expected<std::vector<int64_t>> StridedOffsetTable(const ShapeStrideLayout& layout, int64_t max_elements) {
  LAYOUTCHECK_RETURN_IF_ERROR(ValidateLayout(layout));
  if (HasNoCoordinate(layout)) return std::vector<int64_t>();
  LAYOUTCHECK_TRY(const int64_t size, Size(layout));
  const Expected<OffsetRange> range = RangeOfOffsets(layout);  // makes sure that no offset below overflows
  if (!range) return std::unexpected(range.error());
  if (size > max_elements) return UnsupportedError(size, " offsets, at most ", max_elements, " were asked for");
  // Each mode repeats the table so far, once per further coordinate of the mode.
  std::vector<int64_t> table = {0};
  table.reserve(static_cast<size_t>(size));
  const std::vector<StridedMode> modes = *FlatModes(layout);
  for (const auto& [extent, stride] : modes) {
    const size_t block = table.size();
    for (int64_t c = 1; c < extent; ++c) {
      for (size_t i = 0; i < block; ++i) table.push_back(table[i] + c * stride);
    }
  }
  return table;
}

}  // namespace layoutcheck
