// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/shape_stride/shape_stride_layout.h"
#include <algorithm>
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

// largest position in a basis path (a stride k@p makes coordinates of p + 1 numbers)
constexpr int64_t kMaxBasisPosition = 255;

// Appends the leaves of a valid layout with ordinary strides.
void AppendModes(const IntTuple& shape, const IntTuple& stride, std::vector<StridedMode>& modes) {
  if (shape.is_leaf()) {
    modes.push_back({shape.value(), stride.value()});
    return;
  }
  for (size_t i = 0; i < shape.elements().size(); ++i) AppendModes(shape.elements()[i], stride.elements()[i], modes);
}

Expected<void> RequireCoordinates(const ShapeStrideLayout& layout) {
  Expected<void> valid = ValidateLayout(layout);
  if (valid) valid = RequireOrdinaryStrides(layout);
  if (valid && HasNoCoordinate(layout)) return ArgumentError(ToString(layout), " has no coordinate");
  return valid;
}

bool HasZero(const IntTuple& shape) {
  return shape.is_leaf() ? shape.value() == 0 : std::ranges::any_of(shape.elements(), HasZero);
}

Expected<void> ValidateParts(const IntTuple& shape, const IntTuple& stride) {
  if (shape.is_leaf() != stride.is_leaf() || Rank(shape) != Rank(stride)) {
    return LayoutError("shape ", ToString(shape), " and stride ", ToString(stride), " do not have the same structure");
  }
  if (shape.is_leaf()) {
    if (!shape.basis().empty()) return LayoutError("an extent cannot have a basis (@)");
    if (shape.value() < 0) return LayoutError("extent ", shape.value(), " is negative");
    for (const int64_t position : stride.basis()) {
      if (position < 0 || position > kMaxBasisPosition) {
        return LayoutError("basis position ", position, " is outside 0..", kMaxBasisPosition);
      }
    }
    return {};
  }
  for (size_t i = 0; i < shape.elements().size(); ++i) {
    if (auto valid = ValidateParts(shape.elements()[i], stride.elements()[i]); !valid) return valid;
  }
  return {};
}

bool HasLayout(const Tiler& tiler) {
  return tiler.kind == Tiler::Kind::kLayout || std::ranges::any_of(tiler.modes, HasLayout);
}

}  // namespace

Expected<void> ValidateLayout(const ShapeStrideLayout& layout) {
  Expected<void> valid = ValidateParts(layout.shape, layout.stride);
  if (!valid || !layout.origin_shape) return valid;
  const IntTuple& origin = *layout.origin_shape;
  if (origin.is_leaf() != layout.shape.is_leaf() || Rank(origin) != Rank(layout.shape) || Depth(origin) > 1) {
    return LayoutError("origin shape ", ToString(origin), ": expected one integer for each of the ", Rank(layout.shape),
                       " modes");
  }
  for (const IntTuple& extent : Leaves(origin)) {
    if (extent.value() < 0 || !extent.basis().empty()) {
      return LayoutError("origin shape ", ToString(origin), " has an extent below 0");
    }
  }
  return {};
}

int64_t Rank(const ShapeStrideLayout& layout) { return Rank(layout.shape); }

Expected<ShapeStrideLayout> Mode(const ShapeStrideLayout& layout, int64_t index) {
  LAYOUTCHECK_TRY(IntTuple shape, Get(layout.shape, index));
  LAYOUTCHECK_TRY(IntTuple stride, Get(layout.stride, index));
  ShapeStrideLayout mode{std::move(shape), std::move(stride)};
  if (layout.origin_shape) {
    LAYOUTCHECK_TRY(IntTuple origin, Get(*layout.origin_shape, index));
    // A nested mode is a layout of several modes, so one number would not be a valid origin shape.
    if (mode.shape.is_leaf()) mode.origin_shape = std::move(origin);
  }
  return mode;
}

std::vector<ShapeStrideLayout> Modes(const ShapeStrideLayout& layout) {
  if (layout.shape.is_leaf()) return {{layout.shape, layout.stride}};
  std::vector<ShapeStrideLayout> modes;
  modes.reserve(layout.shape.elements().size());
  for (size_t i = 0; i < layout.shape.elements().size(); ++i) {
    modes.push_back({layout.shape.elements()[i], layout.stride.elements()[i]});
  }
  return modes;
}

ShapeStrideLayout ConcatenateModes(const std::vector<ShapeStrideLayout>& modes) {
  std::vector<IntTuple> shape;
  std::vector<IntTuple> stride;
  shape.reserve(modes.size());
  stride.reserve(modes.size());
  for (const ShapeStrideLayout& mode : modes) {
    shape.push_back(mode.shape);
    stride.push_back(mode.stride);
  }
  return {IntTuple::Tuple(std::move(shape)), IntTuple::Tuple(std::move(stride))};
}

bool HasNoCoordinate(const ShapeStrideLayout& layout) { return HasZero(layout.shape); }

Expected<void> RequireOrdinaryStrides(const ShapeStrideLayout& layout) {
  if (!HasBasis(layout.stride)) return {};
  return UnsupportedError("the strides of ", ToString(layout), " name axes (@), not offsets");
}

Expected<std::vector<int64_t>> LogicalSizes(const ShapeStrideLayout& layout) {
  std::vector<int64_t> sizes;
  for (int64_t i = 0; i < Rank(layout); ++i) {
    LAYOUTCHECK_TRY(const int64_t size, layout.origin_shape ? Expected<int64_t>(Get(*layout.origin_shape, i)->value())
                                                            : Product(*Get(layout.shape, i)));
    sizes.push_back(size);
  }
  return sizes;
}

Expected<int64_t> Size(const ShapeStrideLayout& layout) {
  if (HasNoCoordinate(layout)) return 0;
  return ValueOrOverflow(CheckedProduct(layout.shape), "the size");
}

Expected<OffsetRange> RangeOfOffsets(const ShapeStrideLayout& layout) {
  LAYOUTCHECK_TRY(const std::vector<StridedMode> modes, FlatModes(layout));
  CheckedInt64 smallest = 0;
  CheckedInt64 largest = 0;
  for (const auto& [extent, stride] : modes) {
    CheckedInt64& end = stride < 0 ? smallest : largest;
    end = end + (CheckedInt64(extent) - 1) * CheckedInt64(stride);
  }
  if ((largest - smallest).overflow) return OverflowError("the offsets of ", ToString(layout), " span more than int64");
  return OffsetRange{smallest.value, largest.value};
}

Expected<StridedLayout> StridedLayoutOf(const ShapeStrideLayout& layout) {
  LAYOUTCHECK_RETURN_IF_ERROR(RequireCoordinates(layout));
  StridedLayout result;
  if (layout.shape.is_leaf()) {
    AppendModes(layout.shape, layout.stride, result.modes.emplace_back());
    return result;
  }
  for (size_t i = 0; i < layout.shape.elements().size(); ++i) {
    AppendModes(layout.shape.elements()[i], layout.stride.elements()[i], result.modes.emplace_back());
  }
  return result;
}

Expected<std::vector<StridedMode>> FlatModes(const ShapeStrideLayout& layout) {
  LAYOUTCHECK_RETURN_IF_ERROR(RequireCoordinates(layout));
  std::vector<StridedMode> modes;
  modes.reserve(8);
  AppendModes(layout.shape, layout.stride, modes);
  return modes;
}

ShapeStrideLayout LayoutOfModes(const std::vector<StridedMode>& modes, bool is_static) {
  if (modes.empty()) return WithStatic({1, 0}, is_static);
  if (modes.size() == 1) return WithStatic({modes[0].extent, modes[0].stride}, is_static);
  std::vector<IntTuple> shape;
  std::vector<IntTuple> stride;
  shape.reserve(modes.size());
  stride.reserve(modes.size());
  for (const StridedMode& mode : modes) {
    shape.emplace_back(mode.extent);
    stride.emplace_back(mode.stride);
  }
  return WithStatic({IntTuple::Tuple(std::move(shape)), IntTuple::Tuple(std::move(stride))}, is_static);
}

bool IsStatic(const ShapeStrideLayout& layout) { return IsStatic(layout.shape) && IsStatic(layout.stride); }

ShapeStrideLayout WithStatic(ShapeStrideLayout layout, bool is_static) {
  layout.shape.SetStatic(is_static);
  layout.stride.SetStatic(is_static);
  layout.origin_shape.reset();
  return layout;
}

std::string ToString(const ShapeStrideLayout& layout) {
  return StrCat(ToString(layout.shape), ":", ToString(layout.stride));
}

std::string ToString(const Tiler& tiler) {
  switch (tiler.kind) {
    case Tiler::Kind::kLayout: return ToString(tiler.layout);
    case Tiler::Kind::kExtent: return ToString(tiler.layout.shape);
    case Tiler::Kind::kKeep: return "_";
    case Tiler::Kind::kModes: break;
  }
  const bool layouts = HasLayout(tiler);
  std::string out = layouts ? "<" : "(";
  for (size_t i = 0; i < tiler.modes.size(); ++i) {
    StrAppend(out, i == 0 ? "" : (layouts ? ";" : ","), ToString(tiler.modes[i]));
  }
  out.push_back(layouts ? '>' : ')');
  return out;
}

}  // namespace layoutcheck
