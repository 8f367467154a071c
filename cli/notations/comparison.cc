// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/notations/comparison.h"
#include <algorithm>
#include <numeric>
#include <utility>
#include "layoutcheck/core/base/index_stepper.h"
#include "layoutcheck/core/base/integer.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/hlo/equality.h"
#include "layoutcheck/core/linear/linear_strides.h"
#include "layoutcheck/core/shape_stride/coordinate.h"
#include "layoutcheck/core/tiling/sizes.h"
#include "layoutcheck/core/xla_util/bitcast.h"
#include "layoutcheck/core/xla_util/permutation.h"
#include "layoutcheck/json/json.h"

namespace layoutcheck {
namespace {

using Integers = std::vector<int64_t>;

// Returns the layout as an XLA shape, or null.
const Shape* ShapeIn(const CoreForms& forms) { return forms.shape && *forms.shape ? &**forms.shape : nullptr; }

// Returns the digit sum of a shape:stride layout without a swizzle, of which mode d has dimensions[d] elements.
Expected<std::optional<DigitSum>> StridedDigitSum(const ShapeStrideLayout& layout, const Integers& dimensions,
                                                  std::span<const int64_t> weights) {
  DigitSum sum;
  const std::vector<ShapeStrideLayout> modes = Modes(layout);
  for (size_t d = 0; d < modes.size(); ++d) {
    sum.size *= dimensions[d];
    const std::vector<IntTuple> extents = Leaves(modes[d].shape);
    const std::vector<IntTuple> strides = Leaves(modes[d].stride);
    int64_t count = 1;  // elements of the leaves so far
    for (size_t k = 0; k < extents.size() && count < dimensions[d]; ++k) {
      if (extents[k].value() > 1) sum.digits.push_back({weights[d] * count, strides[k].value()});
      // A product that overflows is larger than every size.
      if (__builtin_mul_overflow(count, extents[k].value(), &count)) break;
    }
  }
  std::ranges::sort(sum.digits, {}, &WeightedDigit::weight);
  return sum;
}

}  // namespace

PositionedArray StridedArray(const ComposedLayout& composed, const Integers& dimensions,
                             std::function<int64_t(std::span<const int64_t>)> position) {
  PositionedArray array{dimensions, {}, std::move(position), {}};
  array.major_to_minor.resize(dimensions.size());
  std::iota(array.major_to_minor.begin(), array.major_to_minor.end(), 0);
  const std::vector<ShapeStrideLayout> modes = Modes(composed.layout);
  const auto first_stride = [&](int64_t d) {
    const auto strides = Leaves(modes[static_cast<size_t>(d)].stride);
    return strides.empty() ? 0 : strides.front().value();  // an empty mode has one coordinate
  };
  std::ranges::stable_sort(array.major_to_minor, std::ranges::greater(), first_stride);
  array.digit_sum = [composed, dimensions](std::span<const int64_t> weights) -> Expected<std::optional<DigitSum>> {
    if (composed.swizzle) return std::nullopt;
    return StridedDigitSum(composed.layout, dimensions, weights);
  };
  return array;
}

PositionedArray UnstridedArray(const Integers& dimensions, std::function<int64_t(std::span<const int64_t>)> position) {
  PositionedArray array{dimensions, Integers(dimensions.size()), std::move(position), {}};
  std::iota(array.major_to_minor.begin(), array.major_to_minor.end(), 0);
  array.digit_sum = [](std::span<const int64_t>) { return Expected<std::optional<DigitSum>>(std::nullopt); };
  return array;
}

namespace {

// Returns the layout in bits, also of strides that are one.
std::optional<LinearLayout> LinearIn(const CoreForms& forms) {
  if (forms.linear) return forms.linear;
  const auto linear = forms.strided ? LinearOfStrides(*forms.strided) : MakeError(ErrorKind::kUnsupported, "");
  if (!linear) return std::nullopt;
  return *linear;
}

// Returns the first element, in row-major order, that has different positions in two layouts in bits with the same
// sizes of inputs, or nothing. Where an element moves, the exclusive or of its positions is not 0, so that the first
// one is a single bit.
std::optional<MovedElement> MovedInBits(const LinearLayout& a, const LinearLayout& b) {
  for (size_t k = a.inputs().size(); k-- > 0;) {
    for (size_t bit = 0; bit < a.inputs()[k].images.size(); ++bit) {
      if (a.inputs()[k].images[bit] == b.inputs()[k].images[bit]) continue;
      Integers index(a.inputs().size());
      index[k] = int64_t{1} << bit;
      return MovedElement{index, index, true};
    }
  }
  return std::nullopt;
}

// Returns the layout as an array with positions. Requires at least one element. The result refers to `layout`.
Expected<PositionedArray> ArrayOf(const AnyLayout& layout, const CoreForms& forms) {
  auto position = [&layout](std::span<const int64_t> index) { return layout.Index(index); };
  if (forms.strided) return StridedArray(*forms.strided, layout.Dimensions(), position);
  if (forms.linear) return UnstridedArray(layout.Dimensions(), position);
  const Shape* const shape = ShapeIn(forms);
  if (shape == nullptr && layout.Whole() != nullptr) return UnstridedArray(layout.Dimensions(), position);
  if (shape == nullptr) return std::unexpected(forms.shape->error());
  LAYOUTCHECK_TRY(auto tiled, TiledLayoutOf(*shape));
  auto array = PositionedArrayOf(tiled);
  if (array) array->position = position;
  return array;
}

// Makes the dimensions of a side count in the opposite order, which makes colexicographic order row-major order.
Integers Reversed(Integers list) {
  std::ranges::reverse(list);
  return list;
}

Expected<std::vector<DimensionGroup>> Groups(const Integers& a, const Integers& b,
                                             const std::optional<Integers>& transpose, bool colexicographic) {
  std::vector<DimensionGroup> groups;
  if (transpose || a == b) {
    for (size_t i = 0; i < b.size(); ++i) {
      const auto d = static_cast<int64_t>(i);
      groups.push_back({{transpose ? (*transpose)[i] : d}, {d}});
    }
    return groups;
  }
  LAYOUTCHECK_TRY(const auto cuts, colexicographic ? CommonFactors(Reversed(a), Reversed(b)) : CommonFactors(a, b));
  const auto dimension = [&](int64_t d, const Integers& sizes) {
    return colexicographic ? static_cast<int64_t>(sizes.size()) - 1 - d : d;
  };
  for (size_t k = 0; k + 1 < cuts.size(); ++k) {
    DimensionGroup& group = groups.emplace_back();
    for (int64_t d = cuts[k].first; d < cuts[k + 1].first; ++d) group.a.push_back(dimension(d, a));
    for (int64_t d = cuts[k].second; d < cuts[k + 1].second; ++d) group.b.push_back(dimension(d, b));
  }
  return groups;
}

Expected<void> CheckTranspose(const Integers& a, const Integers& b, const Integers& transpose) {
  if (auto valid = ValidatePermutation(transpose, static_cast<int64_t>(a.size())); !valid) return valid;
  if (b.size() != a.size()) {
    return MakeError(ErrorKind::kInvalidArgument,
                     StrCat("A has ", a.size(), " dimensions and B has ", b.size(), ": expected equally many"));
  }
  for (size_t i = 0; i < b.size(); ++i) {
    const int64_t expected = a[static_cast<size_t>(transpose[i])];
    if (b[i] == expected) continue;
    return MakeError(ErrorKind::kInvalidArgument, StrCat("dimension ", i, " of B has ", b[i], " elements: expected ",
                                                         expected, ", as dimension ", transpose[i], " of A"));
  }
  return {};
}

// Returns how the allocations differ, or nothing.
std::optional<std::pair<MemoryRelation, std::string>> Difference(const AnyLayout& a, const Shape* shape_a,
                                                                 const AnyLayout& b, const Shape* shape_b) {
  const auto differ = [](MemoryRelation relation, std::string_view what, int64_t of_a, int64_t of_b) {
    return std::pair(relation, StrCat(of_a, " and ", of_b, " ", what));
  };
  const AllocationSizes of_a = a.Sizes();
  const AllocationSizes of_b = b.Sizes();
  if (of_a.elements != of_b.elements) {
    return differ(MemoryRelation::kDifferentSize, "elements", of_a.elements, of_b.elements);
  }
  if (shape_a != nullptr && shape_b != nullptr) {
    const int64_t bits_a = ElementSizeInBits(*shape_a);
    const int64_t bits_b = ElementSizeInBits(*shape_b);
    if (bits_a != bits_b) return differ(MemoryRelation::kDifferentSize, "bits per element", bits_a, bits_b);
  }
  // A view lies in an allocation that holds more than its elements.
  if (a.Whole() != nullptr || b.Whole() != nullptr) return std::nullopt;
  if (of_a.bytes && of_b.bytes) {
    if (*of_a.bytes != *of_b.bytes) {
      return differ(MemoryRelation::kDifferentSize, "bytes allocated", *of_a.bytes, *of_b.bytes);
    }
  } else if (of_a.padded_elements != of_b.padded_elements) {
    return differ(MemoryRelation::kDifferentSize, "elements allocated", of_a.padded_elements, of_b.padded_elements);
  }
  if (shape_a == nullptr || shape_b == nullptr || !shape_a->layout || !shape_b->layout) return std::nullopt;
  const Layout& layout_a = *shape_a->layout;
  const Layout& layout_b = *shape_b->layout;
  if (layout_a.memory_space != layout_b.memory_space) {
    return std::pair(MemoryRelation::kDifferentMemory,
                     StrCat("memory spaces ", layout_a.memory_space, " and ", layout_b.memory_space));
  }
  if (layout_a.dynamic_shape_metadata_prefix_bytes != layout_b.dynamic_shape_metadata_prefix_bytes) {
    return differ(MemoryRelation::kDifferentMemory, "bytes of metadata", layout_a.dynamic_shape_metadata_prefix_bytes,
                  layout_b.dynamic_shape_metadata_prefix_bytes);
  }
  return std::nullopt;
}

// Returns the coordinate in `whole` at which `part` begins if it is a slice of it, or nothing. A part that takes too
// long to compare counts as none.
std::optional<Integers> SliceStart(const AnyLayout& whole, const CoreForms& whole_forms, const AnyLayout& part,
                                   const CoreForms& part_forms) {
  const Integers sizes = whole.Dimensions();
  const Integers dimensions = part.Dimensions();
  if (sizes.size() != dimensions.size() || part.Sizes().elements == 0) return std::nullopt;
  const Shape* const shape = ShapeIn(whole_forms);
  const Shape* const part_shape = ShapeIn(part_forms);
  if (shape != nullptr && part_shape != nullptr && ElementSizeInBits(*shape) != ElementSizeInBits(*part_shape)) {
    return std::nullopt;
  }
  const auto found = whole.CoordinateAt(part.Index(Integers(dimensions.size(), 0)));
  if (!found || !*found || (*found)->size() != sizes.size()) return std::nullopt;
  Integers start = **found;
  for (size_t d = 0; d < sizes.size(); ++d) {
    if (dimensions[d] > sizes[d] - start[d]) return std::nullopt;
  }
  // The box of the whole that has the part's dimensions.
  const auto position = [&](std::span<const int64_t> index) {
    Integers at(index.begin(), index.end());
    for (size_t d = 0; d < at.size(); ++d) at[d] += start[d];
    return whole.Index(at);
  };
  const Expected<ComposedLayout> strided = StridesOf(whole_forms);
  const bool at_zero = std::ranges::all_of(start, [](int64_t c) { return c == 0; });
  const bool is_strided = strided && at_zero && strided->layout.shape.is_tuple();
  const PositionedArray box =
      is_strided ? StridedArray(*strided, dimensions, position) : UnstridedArray(dimensions, position);
  const auto array = ArrayOf(part, part_forms);
  const auto groups = Groups(dimensions, dimensions, std::nullopt, false);
  const auto moved = array ? FindMovedElement(box, *array, *groups) : std::unexpected(array.error());
  if (!moved || *moved) return std::nullopt;
  return start;
}

// Returns an element that moves, or nothing. Requires equal element counts, not 0.
Expected<std::optional<MovedElement>> MovedBetween(const AnyLayout& a, CoreForms forms_a, const AnyLayout& b,
                                                   CoreForms forms_b, const std::optional<Integers>& transpose) {
  const auto split = [](const CoreForms& forms) {
    const Shape* const shape = ShapeIn(forms);
    return shape != nullptr && shape->layout && !shape->layout->split_configs.empty();
  };
  if ((split(forms_a) || split(forms_b)) && a.Text() != b.Text()) {
    return MakeError(ErrorKind::kUnsupported,
                     "where the elements of an array with a split config (SC) lie is not defined");
  }
  if ((forms_a.linear || forms_b.linear) && !transpose) {
    const std::optional<LinearLayout> linear_a = LinearIn(forms_a);
    const std::optional<LinearLayout> linear_b = LinearIn(forms_b);
    if (linear_a && linear_b && linear_a->InputSizes() == linear_b->InputSizes()) {
      return MovedInBits(*linear_a, *linear_b);
    }
  }
  // A swizzle exchanges positions one to one, so that the same one on both sides moves no element.
  const bool same_swizzle = forms_a.strided && forms_b.strided && forms_a.strided->swizzle &&
                            forms_a.strided->swizzle == forms_b.strided->swizzle &&
                            forms_a.strided->offset == forms_b.strided->offset;
  if (same_swizzle) {
    forms_a.strided->swizzle.reset();
    forms_b.strided->swizzle.reset();
  }
  LAYOUTCHECK_TRY(const auto array_a, ArrayOf(a, forms_a));
  LAYOUTCHECK_TRY(const auto array_b, ArrayOf(b, forms_b));
  const auto is_colexicographic = [](const CoreForms& forms) { return !forms.shape || forms.linear; };
  const bool colexicographic = is_colexicographic(forms_a) && is_colexicographic(forms_b);
  LAYOUTCHECK_TRY(const auto groups, Groups(array_a.dimensions, array_b.dimensions, transpose, colexicographic));
  return FindMovedElement(array_a, array_b, groups);
}

// Returns true if the texts mean the same type of array. A shape:stride layout has no type.
bool SameType(const Shape* a, const Shape* b) {
  if (a == nullptr || b == nullptr) return true;
  return Equal(*a, *b, {.ignore_layout = true});
}

}  // namespace

std::string_view RelationName(MemoryRelation relation) {
  switch (relation) {
    case MemoryRelation::kIdentical: return "identical";
    case MemoryRelation::kBitcast: return "bitcast";
    case MemoryRelation::kPermuted: return "permuted";
    case MemoryRelation::kDifferentSize: return "different size";
    case MemoryRelation::kDifferentMemory: return "different memory";
  }
  std::unreachable();
}

Expected<Comparison> Compare(const AnyLayout& a, const AnyLayout& b, const std::optional<Integers>& transpose) {
  const Integers sizes_a = a.Dimensions();
  const Integers sizes_b = b.Dimensions();
  if (transpose) {
    if (auto valid = CheckTranspose(sizes_a, sizes_b, *transpose); !valid) return std::unexpected(valid.error());
  }
  const CoreForms forms_a = a.Forms();
  const CoreForms forms_b = b.Forms();
  const Shape* const shape_a = ShapeIn(forms_a);
  const Shape* const shape_b = ShapeIn(forms_b);
  Comparison result;
  const int64_t elements = a.Sizes().elements;
  const bool same_count = elements == b.Sizes().elements;
  if (!same_count) {
    const bool of_a = elements > b.Sizes().elements;
    const auto start = of_a ? SliceStart(a, forms_a, b, forms_b) : SliceStart(b, forms_b, a, forms_a);
    if (start) result.slice = Slice{of_a, *start};
  }
  const auto difference = Difference(a, shape_a, b, shape_b);
  if (same_count && elements > 0) {
    auto moved = MovedBetween(a, forms_a, b, forms_b, transpose);
    if (moved) {
      result.moved = *std::move(moved);
    } else if (!difference) {
      return std::unexpected(std::move(moved).error());
    }
  }
  if (difference) {
    std::tie(result.relation, result.reason) = *difference;
    return result;
  }
  if (result.moved) {
    result.relation = MemoryRelation::kPermuted;
    if (shape_a != nullptr && shape_b != nullptr && !transpose) {
      if (auto as_bitcast = DecomposeBitcast(*shape_a, *shape_b)) result.as_bitcast = *std::move(as_bitcast);
    }
    return result;
  }
  const bool same_dimensions = sizes_a == sizes_b && (!transpose || std::ranges::is_sorted(*transpose));
  result.relation =
      same_dimensions && SameType(shape_a, shape_b) ? MemoryRelation::kIdentical : MemoryRelation::kBitcast;
  return result;
}

std::optional<bool> IsContiguous(const AnyLayout& layout) {
  const AllocationSizes sizes = layout.Sizes();
  if (sizes.elements != sizes.padded_elements) return false;
  // Distinct elements fill what has as many places. The elements of a tiled layout are distinct.
  if (ShapeIn(layout.Forms()) != nullptr || layout.ExpandedSizes()) return true;
  if (sizes.elements > kMaxComparedElements) return std::nullopt;
  std::vector<bool> taken(static_cast<size_t>(sizes.elements));
  bool distinct = true;
  ForEachIndex(layout.Dimensions(), [&](std::span<const int64_t> index) {
    const auto place = static_cast<size_t>(layout.Index(index) - sizes.first_offset);
    distinct = place < taken.size() && !taken[place];
    if (distinct) taken[place] = true;
    return distinct;
  });
  return distinct;
}

}  // namespace layoutcheck
