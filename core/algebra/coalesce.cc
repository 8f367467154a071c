// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/algebra/coalesce.h"
#include <algorithm>
#include <functional>
#include <utility>

namespace layoutcheck {
namespace {

struct LeafMode {
  IntTuple extent;
  IntTuple stride;
};

// Returns true if `next` continues where `mode` ends, so that both are one mode.
bool Continues(const LeafMode& mode, const LeafMode& next) {
  const CheckedInt64 end = CheckedInt64(mode.extent.value()) * mode.stride.value();
  const CheckedInt64 extent = CheckedInt64(mode.extent.value()) * next.extent.value();
  return !end.overflow && !extent.overflow && end.value == next.stride.value() &&
         mode.stride.basis() == next.stride.basis();
}

// Applies a function below each integer of the profile.
Expected<ShapeStrideLayout> ByMode(const ShapeStrideLayout& layout, const IntTuple& profile,
                                   const std::function<Expected<ShapeStrideLayout>(const ShapeStrideLayout&)>& apply) {
  if (profile.is_leaf()) return apply(layout);
  std::vector<ShapeStrideLayout> modes = Modes(layout);
  if (profile.elements().size() > modes.size()) {
    return ArgumentError("profile ", ToString(profile), " has more modes than ", ToString(layout));
  }
  for (size_t i = 0; i < profile.elements().size(); ++i) {
    LAYOUTCHECK_TRY(modes[i], ByMode(modes[i], profile.elements()[i], apply));
  }
  return ConcatenateModes(modes);
}

// Returns compact strides that begin with `running`, for the leaves in order or in reverse order.
Expected<IntTuple> Compact(const IntTuple& shape, CheckedInt64 running, bool row_major) {
  const std::vector<IntTuple> extents = Leaves(shape);
  std::vector<IntTuple> strides(extents.size(), IntTuple(0));
  for (size_t i = 0; i < extents.size(); ++i) {
    const size_t leaf = row_major ? extents.size() - 1 - i : i;
    const int64_t extent = extents[leaf].value();
    if (extent < 0) return ArgumentError("extent ", extent, " is negative");
    if (extent == 1) continue;
    LAYOUTCHECK_TRY(strides[leaf], ValueOrOverflow(running, "a compact stride"));
    running = running * extent;
  }
  return WithStaticLeaves(Unflatten(shape, strides), IsStatic(shape));
}

// A part of a shape under one number of an order.
struct OrderedPart {
  IntTuple shape;
  int64_t order = 0;
};

// Appends the parts of a shape in the order of the leaves of `order`.
Expected<void> CollectParts(const IntTuple& shape, const IntTuple& order, std::vector<OrderedPart>& parts) {
  if (order.is_leaf()) {
    parts.push_back({shape, order.value()});
    return {};
  }
  if (shape.is_leaf() || Rank(shape) != Rank(order)) {
    return ArgumentError("order ", ToString(order), " does not fit shape ", ToString(shape));
  }
  for (size_t i = 0; i < order.elements().size(); ++i) {
    if (auto collected = CollectParts(shape.elements()[i], order.elements()[i], parts); !collected) return collected;
  }
  return {};
}

// Returns the strides of the parts in the structure of `order`.
IntTuple PlaceParts(const IntTuple& order, const std::vector<IntTuple>& strides, size_t& next) {
  if (order.is_leaf()) return strides[next++];
  std::vector<IntTuple> elements;
  for (const IntTuple& element : order.elements()) elements.push_back(PlaceParts(element, strides, next));
  return IntTuple::Tuple(std::move(elements));
}

}  // namespace

Expected<ShapeStrideLayout> Coalesce(const ShapeStrideLayout& layout, Simplification simplification) {
  LAYOUTCHECK_RETURN_IF_ERROR(ValidateLayout(layout));
  const auto known = [simplification](const IntTuple& leaf) {
    return simplification == Simplification::kFull || leaf.is_static();
  };
  const auto is_one = [&known](const LeafMode& mode) { return mode.extent.value() == 1 && known(mode.extent); };
  const std::vector<IntTuple> extents = Leaves(layout.shape);
  const std::vector<IntTuple> strides = Leaves(layout.stride);
  // Coalesces from the last mode to the first, as in CuTe, because the direction decides which neighbors merge.
  std::vector<LeafMode> reversed;
  for (size_t i = extents.size(); i-- > 0;) {
    LeafMode mode{extents[i], strides[i]};
    if (reversed.empty()) {
      reversed.push_back(std::move(mode));
      continue;
    }
    LeafMode& front = reversed.back();
    if (is_one(mode)) continue;
    if (reversed.size() == 1 && is_one(front)) {
      front = std::move(mode);
      continue;
    }
    const bool all_known = known(mode.extent) && known(mode.stride) && known(front.extent) && known(front.stride);
    if (all_known && Continues(mode, front)) {
      const bool is_static = mode.extent.is_static() && front.extent.is_static();
      front.extent = mode.extent.WithValue(mode.extent.value() * front.extent.value()).WithStatic(is_static);
      front.stride = std::move(mode.stride);
      continue;
    }
    reversed.push_back(std::move(mode));
  }
  const bool keep_annotations = simplification == Simplification::kStaticOnly || IsStatic(layout);
  if (reversed.empty() || (reversed.size() == 1 && is_one(reversed[0]))) return WithStatic({1, 0}, keep_annotations);
  std::ranges::reverse(reversed);
  std::vector<ShapeStrideLayout> modes;
  for (LeafMode& mode : reversed) modes.push_back({std::move(mode.extent), std::move(mode.stride)});
  ShapeStrideLayout result = modes.size() == 1 ? std::move(modes[0]) : ConcatenateModes(modes);
  return keep_annotations ? result : WithStatic(result, false);
}

Expected<ShapeStrideLayout> CoalesceByMode(const ShapeStrideLayout& layout, const IntTuple& profile,
                                           Simplification simplification) {
  LAYOUTCHECK_RETURN_IF_ERROR(ValidateLayout(layout));
  return ByMode(layout, profile, [=](const ShapeStrideLayout& part) { return Coalesce(part, simplification); });
}

Expected<ShapeStrideLayout> CoalesceEachMode(const ShapeStrideLayout& layout) {
  return CoalesceByMode(layout, IntTuple::Tuple(std::vector<IntTuple>(static_cast<size_t>(Rank(layout)), IntTuple(0))));
}

Expected<ShapeStrideLayout> FilterZeros(const ShapeStrideLayout& layout) {
  LAYOUTCHECK_RETURN_IF_ERROR(ValidateLayout(layout));
  std::vector<IntTuple> extents = Leaves(layout.shape);
  const std::vector<IntTuple> strides = Leaves(layout.stride);
  for (size_t i = 0; i < extents.size(); ++i) {
    if (extents[i].value() < 1) return ArgumentError(ToString(layout), " has no coordinate");
    if (strides[i].value() == 0) extents[i] = extents[i].WithValue(1);
  }
  return WithStatic({Unflatten(layout.shape, extents), layout.stride}, IsStatic(layout));
}

Expected<ShapeStrideLayout> Filter(const ShapeStrideLayout& layout) {
  const Expected<ShapeStrideLayout> filtered = FilterZeros(layout);
  return filtered ? Coalesce(*filtered) : filtered;
}

Expected<ShapeStrideLayout> FilterByMode(const ShapeStrideLayout& layout, const IntTuple& profile) {
  LAYOUTCHECK_RETURN_IF_ERROR(ValidateLayout(layout));
  return ByMode(layout, profile, [](const ShapeStrideLayout& part) { return Filter(part); });
}

Expected<IntTuple> CompactColMajor(const IntTuple& shape) { return Compact(shape, 1, false); }
Expected<IntTuple> CompactRowMajor(const IntTuple& shape) { return Compact(shape, 1, true); }

Expected<ShapeStrideLayout> MakeOrderedLayout(const IntTuple& shape, const IntTuple& order) {
  std::vector<OrderedPart> parts;
  LAYOUTCHECK_RETURN_IF_ERROR(CollectParts(shape, order, parts));
  std::vector<IntTuple> strides;
  for (size_t i = 0; i < parts.size(); ++i) {
    CheckedInt64 start = 1;
    const auto has_one_element = [](const OrderedPart& part) { return CheckedProduct(part.shape).value == 1; };
    for (size_t j = 0; j < parts.size(); ++j) {
      if (parts[j].order < parts[i].order) start = start * CheckedProduct(parts[j].shape);
      if (j < i && parts[j].order == parts[i].order && !has_one_element(parts[i]) && !has_one_element(parts[j])) {
        return ArgumentError("order ", ToString(order), " has ", parts[i].order, " twice: these modes would overlap");
      }
    }
    LAYOUTCHECK_TRY(IntTuple stride, Compact(parts[i].shape, start, false));
    strides.push_back(std::move(stride));
  }
  size_t next = 0;
  return WithStatic({shape, PlaceParts(order, strides, next)}, IsStatic(shape));
}

Expected<void> RequireCompact(std::vector<StridedMode> leaves, const ShapeStrideLayout& layout) {
  std::ranges::stable_sort(leaves, std::ranges::less{}, &StridedMode::stride);
  CheckedInt64 end = 1;
  for (const StridedMode& leaf : leaves) {
    if (leaf.stride != end.value) {
      return UnsupportedError("the integer ", leaf.extent, ":", leaf.stride, " of ", ToString(layout), " leaves a ",
                              leaf.stride > end.value ? "gap" : "overlap", ": those of smaller stride end at ",
                              end.value);
    }
    end = end * leaf.extent;
    if (end.overflow) return OverflowError("the size of ", ToString(layout), " does not fit int64");
  }
  return {};
}

Expected<ShapeStrideLayout> Zip(const ShapeStrideLayout& a, const ShapeStrideLayout& b) {
  for (const ShapeStrideLayout* layout : {&a, &b}) {
    if (auto valid = ValidateLayout(*layout); !valid) return std::unexpected(valid.error());
  }
  if (Rank(a) != Rank(b)) return ArgumentError("zip of ", ToString(a), " and ", ToString(b), ": their ranks differ");
  const std::vector<ShapeStrideLayout> left = Modes(a);
  const std::vector<ShapeStrideLayout> right = Modes(b);
  std::vector<ShapeStrideLayout> pairs;
  for (size_t i = 0; i < left.size(); ++i) pairs.push_back(ConcatenateModes({left[i], right[i]}));
  return ConcatenateModes(pairs);
}

}  // namespace layoutcheck
