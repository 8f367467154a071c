// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/shape_stride/coordinate.h"
#include <utility>
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

// Returns the integral coordinate of a coordinate that fits the shape, by Horner's scheme.
CheckedInt64 Horner(const IntTuple& coordinate, const IntTuple& shape) {
  if (coordinate.is_leaf()) return coordinate.value();
  CheckedInt64 index = 0;
  for (size_t i = coordinate.elements().size(); i-- > 0;) {
    index = index * CheckedProduct(shape.elements()[i]) + Horner(coordinate.elements()[i], shape.elements()[i]);
  }
  return index;
}

Expected<void> CheckFits(const IntTuple& coordinate, const IntTuple& shape) {
  if (coordinate.is_leaf()) return {};
  if (shape.is_leaf() || Rank(shape) != Rank(coordinate)) {
    return MakeError(ErrorKind::kInvalidArgument,
                     StrCat("coordinate ", ToString(coordinate), " does not fit shape ", ToString(shape)));
  }
  for (size_t i = 0; i < coordinate.elements().size(); ++i) {
    if (auto fits = CheckFits(coordinate.elements()[i], shape.elements()[i]); !fits) return fits;
  }
  return {};
}

Expected<void> CheckBounds(const IntTuple& coordinate, const IntTuple& shape) {
  if (coordinate.is_leaf()) {
    const Expected<int64_t> size = Product(shape);
    if (!size) return std::unexpected(size.error());
    if (coordinate.value() < 0 || coordinate.value() >= *size) {
      return MakeError(ErrorKind::kInvalidArgument, StrCat("coordinate ", coordinate.value(), " is outside 0..",
                                                           *size - 1, " of the mode ", ToString(shape)));
    }
    return {};
  }
  for (size_t i = 0; i < coordinate.elements().size(); ++i) {
    if (auto inside = CheckBounds(coordinate.elements()[i], shape.elements()[i]); !inside) return inside;
  }
  return {};
}

}  // namespace

Expected<int64_t> Crd2Integral(const IntTuple& coordinate, const IntTuple& shape) {
  if (auto fits = CheckFits(coordinate, shape); !fits) return std::unexpected(fits.error());
  return ValueOrOverflow(Horner(coordinate, shape), "the integral coordinate");
}

Expected<std::vector<int64_t>> IntegralModes(const IntTuple& coordinate, const IntTuple& shape) {
  std::vector<int64_t> integers;
  for (int64_t i = 0; i < Rank(shape); ++i) {
    const Expected<IntTuple> part = Get(coordinate, i);
    if (!part) return std::unexpected(part.error());
    const Expected<int64_t> index = Crd2Integral(*part, *Get(shape, i));
    if (!index) return std::unexpected(index.error());
    integers.push_back(*index);
  }
  return integers;
}

Expected<IntTuple> Idx2Crd(int64_t index, const IntTuple& shape) {
  std::vector<IntTuple> digits;
  const std::vector<IntTuple> extents = Leaves(shape);
  int64_t rest = index;
  for (size_t i = 0; i < extents.size(); ++i) {
    if (i + 1 == extents.size()) {
      digits.emplace_back(rest);
      break;
    }
    const int64_t extent = extents[i].value();
    if (extent < 1) {
      return MakeError(ErrorKind::kInvalidArgument,
                       StrCat("extent ", extent, " in ", ToString(shape), " takes no integral coordinate"));
    }
    digits.emplace_back(rest % extent);
    rest /= extent;
  }
  return Unflatten(shape, digits);
}

Expected<void> CheckCoordinate(const IntTuple& coordinate, const IntTuple& shape) {
  Expected<void> valid = CheckFits(coordinate, shape);
  if (valid) valid = CheckBounds(coordinate, shape);
  return valid;
}

Expected<bool> IsInOrigin(const ShapeStrideLayout& layout, const IntTuple& coordinate) {
  if (!layout.origin_shape) return true;
  const Expected<IntTuple> nested = coordinate.is_leaf() ? Idx2Crd(coordinate.value(), layout.shape) : coordinate;
  if (!nested) return std::unexpected(nested.error());
  if (auto fits = CheckFits(*nested, layout.shape); !fits) return std::unexpected(fits.error());
  for (int64_t i = 0; i < Rank(layout); ++i) {
    const Expected<int64_t> index = Crd2Integral(*Get(*nested, i), *Get(layout.shape, i));
    if (!index) return std::unexpected(index.error());
    if (*index >= Get(*layout.origin_shape, i)->value()) return false;
  }
  return true;
}

}  // namespace layoutcheck
