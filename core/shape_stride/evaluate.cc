// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/shape_stride/evaluate.h"

#include <utility>

#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/shape_stride/codomain_sum.h"

namespace layoutcheck {
namespace {

// Adds the terms of an integral coordinate. The terms of -c are minus those of c, because C++ division truncates.
Expected<void> AddIntegral(int64_t index, const IntTuple& shape, const IntTuple& stride, CodomainSum& sum) {
  const std::vector<IntTuple> extents = Leaves(shape);
  const std::vector<IntTuple> strides = Leaves(stride);
  const bool negative = index < 0;
  CheckedInt64 rest = negative ? CheckedInt64(0) - CheckedInt64(index) : CheckedInt64(index);
  for (size_t i = 0; i < extents.size(); ++i) {
    CheckedInt64 digit = rest;
    if (i + 1 < extents.size()) {
      if (extents[i].value() < 1) {
        return MakeError(ErrorKind::kInvalidArgument, StrCat("extent ", extents[i].value(), " in ", ToString(shape),
                                                             " takes no integral coordinate"));
      }
      digit = Mod(rest, CheckedInt64(extents[i].value()));
      rest = FloorDiv(rest, CheckedInt64(extents[i].value()));
    }
    const CheckedInt64 term = digit * CheckedInt64(strides[i].value());
    AddTo(sum, strides[i].basis(), negative ? CheckedInt64(0) - term : term);
  }
  return {};
}

// Adds the terms of a coordinate in any form.
Expected<void> AddCoordinate(const IntTuple& coordinate, const IntTuple& shape, const IntTuple& stride,
                             CodomainSum& sum) {
  if (coordinate.is_leaf()) return AddIntegral(coordinate.value(), shape, stride, sum);
  if (shape.is_leaf() || Rank(shape) != Rank(coordinate)) {
    return MakeError(ErrorKind::kInvalidArgument,
                     StrCat("coordinate ", ToString(coordinate), " does not fit shape ", ToString(shape),
                            ": expected an integer or ",
                            shape.is_leaf() ? StrCat("nothing else") : StrCat(Rank(shape), " numbers")));
  }
  for (size_t i = 0; i < coordinate.elements().size(); ++i) {
    Expected<void> added = AddCoordinate(coordinate.elements()[i], shape.elements()[i], stride.elements()[i], sum);
    if (!added) return added;
  }
  return {};
}

}  // namespace

Expected<IntTuple> Evaluate(const IntTuple& coordinate, const ShapeStrideLayout& layout) {
  const Expected<void> valid = ValidateLayout(layout);
  if (!valid) return std::unexpected(valid.error());
  CodomainSum sum;
  const Expected<void> added = AddCoordinate(coordinate, layout.shape, layout.stride, sum);
  if (!added) return std::unexpected(added.error());
  return NestedValue(sum, 0, "the offset");
}

Expected<int64_t> Crd2Idx(const IntTuple& coordinate, const ShapeStrideLayout& layout) {
  const Expected<void> ordinary = RequireOrdinaryStrides(layout);
  if (!ordinary) return std::unexpected(ordinary.error());
  const Expected<IntTuple> value = Evaluate(coordinate, layout);
  if (!value) return std::unexpected(value.error());
  return value->value();
}

Expected<std::vector<int64_t>> StridedOffsetTable(const ShapeStrideLayout& layout, int64_t max_elements) {
  const Expected<void> valid = ValidateLayout(layout);
  if (!valid) return std::unexpected(valid.error());
  if (HasNoCoordinate(layout)) return std::vector<int64_t>();
  const Expected<int64_t> size = Size(layout);
  if (!size) return std::unexpected(size.error());
  const Expected<OffsetRange> range = RangeOfOffsets(layout);  // makes sure that no offset below overflows
  if (!range) return std::unexpected(range.error());
  if (*size > max_elements) {
    return MakeError(ErrorKind::kUnsupported, StrCat(*size, " offsets, at most ", max_elements, " were asked for"));
  }
  // Each mode repeats the table so far, once per further coordinate of the mode.
  std::vector<int64_t> table = {0};
  table.reserve(static_cast<size_t>(*size));
  const std::vector<IntTuple> extents = Leaves(layout.shape);
  const std::vector<IntTuple> strides = Leaves(layout.stride);
  for (size_t mode = 0; mode < extents.size(); ++mode) {
    const size_t block = table.size();
    for (int64_t c = 1; c < extents[mode].value(); ++c) {
      const int64_t shift = c * strides[mode].value();
      for (size_t i = 0; i < block; ++i) table.push_back(table[i] + shift);
    }
  }
  return table;
}

}  // namespace layoutcheck
