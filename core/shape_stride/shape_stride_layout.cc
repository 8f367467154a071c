#include "layoutcheck/core/shape_stride/shape_stride_layout.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <numeric>
#include <utility>

#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

// A stride k@p makes coordinates with p + 1 numbers; no more than these.
constexpr int64_t kMaxBasisPosition = 255;

// One number for each axis of the codomain; ordinary strides have the axis with the empty path.
template <class Int>
using Sum = std::map<std::vector<int64_t>, Int>;

template <class Int>
void AddTo(Sum<Int>& sum, const std::vector<int64_t>& axis, Int term) {
  const auto [place, inserted] = sum.try_emplace(axis, term);
  if (!inserted) place->second = place->second + term;
}

// Adds an integral coordinate's terms. A negative one is the negated value of its opposite, as C++ divides toward zero.
template <class Int>
Expected<void> AddIntegral(int64_t index, const IntTuple& shape, const IntTuple& stride, Sum<Int>& sum) {
  const std::vector<IntTuple> extents = Leaves(shape);
  const std::vector<IntTuple> strides = Leaves(stride);
  const bool negative = index < 0;
  Int rest = negative ? Int(0) - Int(index) : Int(index);
  for (size_t i = 0; i < extents.size(); ++i) {
    Int digit = rest;
    if (i + 1 < extents.size()) {
      if (extents[i].value() < 1) {
        return MakeError(ErrorKind::kInvalidArgument, StrCat("extent ", extents[i].value(), " in ", ToString(shape),
                                                             " takes no integral coordinate"));
      }
      digit = Mod(rest, Int(extents[i].value()));
      rest = FloorDiv(rest, Int(extents[i].value()));
    }
    const Int term = digit * Int(strides[i].value());
    AddTo(sum, strides[i].basis(), negative ? Int(0) - term : term);
  }
  return {};
}

template <class Int>
Expected<void> AddCoordinate(const IntTuple& coordinate, const IntTuple& shape, const IntTuple& stride, Sum<Int>& sum) {
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

// The nested number that the axes name: positions that no axis names are 0. `from` are axes with the first `depth`
// steps in common.
Expected<IntTuple> BuildNested(std::span<const std::pair<std::vector<int64_t>, int64_t>> axes, size_t depth,
                               int64_t other) {
  // Sorted: a path that ends here comes first.
  if (axes.front().first.size() == depth) {
    if (axes.size() > 1) {
      return MakeError(ErrorKind::kInvalidArgument, "basis strides name an axis and a part of the same axis");
    }
    return IntTuple(axes.front().second);
  }
  std::vector<IntTuple> elements;
  size_t begin = 0;
  while (begin < axes.size()) {
    const int64_t position = axes[begin].first[depth];
    size_t end = begin;
    while (end < axes.size() && axes[end].first[depth] == position) ++end;
    elements.resize(static_cast<size_t>(position), IntTuple(other));
    Expected<IntTuple> element = BuildNested(axes.subspan(begin, end - begin), depth + 1, other);
    if (!element) return element;
    elements.push_back(*std::move(element));
    begin = end;
  }
  return IntTuple::Tuple(std::move(elements));
}

Expected<IntTuple> NestedOf(const Sum<CheckedInt64>& sum, int64_t added, std::string_view what) {
  std::vector<std::pair<std::vector<int64_t>, int64_t>> axes;
  for (const auto& [axis, number] : sum) {
    const Expected<int64_t> value = ValueOrOverflow(number + added, what);
    if (!value) return std::unexpected(value.error());
    axes.emplace_back(axis, *value);
  }
  if (axes.empty()) return IntTuple(added);
  return BuildNested(axes, 0, added);
}

bool HasNoCoordinate(const IntTuple& shape) {
  return shape.is_leaf() ? shape.value() == 0 : std::ranges::any_of(shape.elements(), HasNoCoordinate);
}

Expected<void> ValidateParts(const IntTuple& shape, const IntTuple& stride) {
  if (shape.is_leaf() != stride.is_leaf() || Rank(shape) != Rank(stride)) {
    return MakeError(ErrorKind::kInvalidLayout, StrCat("shape ", ToString(shape), " and stride ", ToString(stride),
                                                       " do not have the same structure"));
  }
  if (shape.is_leaf()) {
    if (!shape.basis().empty()) return MakeError(ErrorKind::kInvalidLayout, "an extent cannot have a basis (@)");
    if (shape.value() < 0) {
      return MakeError(ErrorKind::kInvalidLayout, StrCat("extent ", shape.value(), " is negative"));
    }
    for (const int64_t position : stride.basis()) {
      if (position < 0 || position > kMaxBasisPosition) {
        return MakeError(ErrorKind::kInvalidLayout,
                         StrCat("basis position ", position, " is outside 0..", kMaxBasisPosition));
      }
    }
    return {};
  }
  for (size_t i = 0; i < shape.elements().size(); ++i) {
    Expected<void> valid = ValidateParts(shape.elements()[i], stride.elements()[i]);
    if (!valid) return valid;
  }
  return {};
}

Expected<void> RequireOrdinaryStrides(const ShapeStrideLayout& layout) {
  if (!HasBasis(layout.stride)) return {};
  return MakeError(ErrorKind::kUnsupported, StrCat("the strides of ", ToString(layout), " name axes (@), not offsets"));
}

// A search for digits with a given sum, the mode with the largest stride first.
class DigitSearch {
 public:
  explicit DigitSearch(const StridedLayout& layout) {
    for (const auto& mode : layout.modes) leaves_.insert(leaves_.end(), mode.begin(), mode.end());
    for (StridedMode& leaf : leaves_) {
      if (leaf.extent == 1) leaf.stride = 0;  // its digit is 0, and its stride may be the one without an absolute value
    }
    order_.resize(leaves_.size());
    std::iota(order_.begin(), order_.end(), size_t{0});
    std::ranges::stable_sort(order_, std::ranges::greater{}, [this](size_t i) { return std::abs(leaves_[i].stride); });
    digits_.assign(leaves_.size(), 0);
    smallest_.assign(leaves_.size() + 1, 0);
    largest_.assign(leaves_.size() + 1, 0);
    for (size_t i = leaves_.size(); i-- > 0;) {
      const StridedMode& leaf = leaves_[order_[i]];
      const int64_t span = (leaf.extent - 1) * leaf.stride;  // fits: RangeOfOffsets was computed
      smallest_[i] = smallest_[i + 1] + std::min<int64_t>(span, 0);
      largest_[i] = largest_[i + 1] + std::max<int64_t>(span, 0);
    }
  }

  bool Find(int64_t offset) { return offset >= smallest_[0] && offset <= largest_[0] && FindFrom(0, offset); }
  bool exhausted() const { return steps_ >= kMaxSteps; }
  const std::vector<int64_t>& digits() const { return digits_; }

 private:
  static constexpr int64_t kMaxSteps = int64_t{1} << 20;

  bool FindFrom(size_t level, int64_t offset) {
    if (level == order_.size()) return offset == 0;
    if (++steps_ >= kMaxSteps) return false;
    const StridedMode& leaf = leaves_[order_[level]];
    int64_t first = 0;
    int64_t last = 0;
    if (leaf.stride != 0) {
      // The rest must stay within reach of the remaining modes.
      const int64_t step = std::abs(leaf.stride);
      const int64_t low = leaf.stride > 0 ? offset - largest_[level + 1] : smallest_[level + 1] - offset;
      const int64_t high = leaf.stride > 0 ? offset - smallest_[level + 1] : largest_[level + 1] - offset;
      first = std::max<int64_t>(CeilDiv(low, step), 0);
      last = std::min(FloorDiv(high, step), leaf.extent - 1);
    }
    for (int64_t digit = first; digit <= last; ++digit) {
      digits_[order_[level]] = digit;
      if (FindFrom(level + 1, offset - digit * leaf.stride)) return true;
      if (steps_ >= kMaxSteps) return false;
    }
    return false;
  }

  std::vector<StridedMode> leaves_;
  std::vector<size_t> order_;
  std::vector<int64_t> digits_;
  std::vector<int64_t> smallest_;
  std::vector<int64_t> largest_;
  int64_t steps_ = 0;
};

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
    Expected<void> fits = CheckFits(coordinate.elements()[i], shape.elements()[i]);
    if (!fits) return fits;
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
    Expected<void> inside = CheckBounds(coordinate.elements()[i], shape.elements()[i]);
    if (!inside) return inside;
  }
  return {};
}

}  // namespace

Expected<void> ValidateLayout(const ShapeStrideLayout& layout) {
  Expected<void> valid = ValidateParts(layout.shape, layout.stride);
  if (!valid || !layout.origin_shape) return valid;
  const IntTuple& origin = *layout.origin_shape;
  if (origin.is_leaf() != layout.shape.is_leaf() || Rank(origin) != Rank(layout.shape) || Depth(origin) > 1) {
    return MakeError(ErrorKind::kInvalidLayout,
                     StrCat("origin shape ", ToString(origin), ": expected one integer for each of the ",
                            Rank(layout.shape), " modes"));
  }
  for (const IntTuple& extent : Leaves(origin)) {
    if (extent.value() < 0 || !extent.basis().empty()) {
      return MakeError(ErrorKind::kInvalidLayout, StrCat("origin shape ", ToString(origin), " has an extent below 0"));
    }
  }
  return {};
}

int64_t Rank(const ShapeStrideLayout& layout) { return Rank(layout.shape); }

Expected<ShapeStrideLayout> Mode(const ShapeStrideLayout& layout, int64_t index) {
  Expected<IntTuple> shape = Get(layout.shape, index);
  if (!shape) return std::unexpected(shape.error());
  Expected<IntTuple> stride = Get(layout.stride, index);
  if (!stride) return std::unexpected(stride.error());
  ShapeStrideLayout mode{*std::move(shape), *std::move(stride)};
  if (layout.origin_shape) {
    Expected<IntTuple> origin = Get(*layout.origin_shape, index);
    if (!origin) return std::unexpected(origin.error());
    // A nested mode is a layout of several modes, for which the one number would say nothing.
    if (mode.shape.is_leaf()) mode.origin_shape = *std::move(origin);
  }
  return mode;
}

std::vector<ShapeStrideLayout> Modes(const ShapeStrideLayout& layout) {
  if (layout.shape.is_leaf()) return {{layout.shape, layout.stride}};
  std::vector<ShapeStrideLayout> modes;
  for (size_t i = 0; i < layout.shape.elements().size(); ++i) {
    modes.push_back({layout.shape.elements()[i], layout.stride.elements()[i]});
  }
  return modes;
}

ShapeStrideLayout ConcatenateModes(const std::vector<ShapeStrideLayout>& modes) {
  std::vector<IntTuple> shape;
  std::vector<IntTuple> stride;
  for (const ShapeStrideLayout& mode : modes) {
    shape.push_back(mode.shape);
    stride.push_back(mode.stride);
  }
  return {IntTuple::Tuple(std::move(shape)), IntTuple::Tuple(std::move(stride))};
}

Expected<int64_t> Size(const ShapeStrideLayout& layout) {
  if (HasNoCoordinate(layout.shape)) return 0;
  return ValueOrOverflow(CheckedProduct(layout.shape), "the size");
}

Expected<IntTuple> Coshape(const ShapeStrideLayout& layout) {
  const Expected<void> valid = ValidateLayout(layout);
  if (!valid) return std::unexpected(valid.error());
  if (HasNoCoordinate(layout.shape)) return IntTuple(0);
  const std::vector<IntTuple> extents = Leaves(layout.shape);
  const std::vector<IntTuple> strides = Leaves(layout.stride);
  Sum<CheckedInt64> sum;
  for (size_t i = 0; i < extents.size(); ++i) {
    const CheckedInt64 stride = strides[i].value();
    AddTo(sum, strides[i].basis(), (CheckedInt64(extents[i].value()) - 1) * (stride.value < 0 ? 0 - stride : stride));
  }
  return NestedOf(sum, 1, "the cosize");
}

Expected<int64_t> Cosize(const ShapeStrideLayout& layout) {
  const Expected<IntTuple> coshape = Coshape(layout);
  if (!coshape) return std::unexpected(coshape.error());
  return ValueOrOverflow(CheckedProduct(*coshape), "the cosize");
}

Expected<OffsetRange> RangeOfOffsets(const ShapeStrideLayout& layout) {
  Expected<void> valid = ValidateLayout(layout);
  if (valid) valid = RequireOrdinaryStrides(layout);
  if (!valid) return std::unexpected(valid.error());
  if (HasNoCoordinate(layout.shape)) {
    return MakeError(ErrorKind::kInvalidArgument, StrCat(ToString(layout), " has no coordinate"));
  }
  const std::vector<IntTuple> extents = Leaves(layout.shape);
  const std::vector<IntTuple> strides = Leaves(layout.stride);
  CheckedInt64 smallest = 0;
  CheckedInt64 largest = 0;
  for (size_t i = 0; i < extents.size(); ++i) {
    const CheckedInt64 span = (CheckedInt64(extents[i].value()) - 1) * CheckedInt64(strides[i].value());
    CheckedInt64& end = strides[i].value() < 0 ? smallest : largest;
    end = end + span;
  }
  if ((largest - smallest).overflow) {
    return MakeError(ErrorKind::kOverflow, StrCat("the offsets of ", ToString(layout), " span more than int64"));
  }
  return OffsetRange{smallest.value, largest.value};
}

Expected<IntTuple> Evaluate(const IntTuple& coordinate, const ShapeStrideLayout& layout) {
  const Expected<void> valid = ValidateLayout(layout);
  if (!valid) return std::unexpected(valid.error());
  Sum<CheckedInt64> sum;
  const Expected<void> added = AddCoordinate(coordinate, layout.shape, layout.stride, sum);
  if (!added) return std::unexpected(added.error());
  return NestedOf(sum, 0, "the offset");
}

Expected<int64_t> Crd2Idx(const IntTuple& coordinate, const ShapeStrideLayout& layout) {
  const Expected<void> ordinary = RequireOrdinaryStrides(layout);
  if (!ordinary) return std::unexpected(ordinary.error());
  const Expected<IntTuple> value = Evaluate(coordinate, layout);
  if (!value) return std::unexpected(value.error());
  return value->value();
}

template <class T>
Expected<WrappingInt<T>> Crd2IdxWrapping(const IntTuple& coordinate, const ShapeStrideLayout& layout) {
  Expected<void> valid = ValidateLayout(layout);
  if (valid) valid = RequireOrdinaryStrides(layout);
  if (!valid) return std::unexpected(valid.error());
  for (const IntTuple& number : Leaves(coordinate)) {
    if (number.value() < 0) {
      return MakeError(ErrorKind::kInvalidArgument, StrCat("coordinate ", ToString(coordinate), " is negative"));
    }
  }
  Sum<WrappingInt<T>> sum;
  const Expected<void> added = AddCoordinate(coordinate, layout.shape, layout.stride, sum);
  if (!added) return std::unexpected(added.error());
  return sum.empty() ? WrappingInt<T>() : sum.begin()->second;
}
template Expected<WrappingInt32> Crd2IdxWrapping<int32_t>(const IntTuple&, const ShapeStrideLayout&);
template Expected<WrappingUint32> Crd2IdxWrapping<uint32_t>(const IntTuple&, const ShapeStrideLayout&);

Expected<int64_t> Crd2Integral(const IntTuple& coordinate, const IntTuple& shape) {
  const Expected<void> fits = CheckFits(coordinate, shape);
  if (!fits) return std::unexpected(fits.error());
  return ValueOrOverflow(Horner(coordinate, shape), "the integral coordinate");
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

Expected<std::optional<IntTuple>> FindCoordinate(const ShapeStrideLayout& layout, int64_t offset) {
  const Expected<void> valid = ValidateLayout(layout);
  if (!valid) return std::unexpected(valid.error());
  if (HasNoCoordinate(layout.shape)) return std::nullopt;
  const Expected<OffsetRange> range = RangeOfOffsets(layout);
  if (!range) return std::unexpected(range.error());
  if (offset < range->smallest || offset > range->largest) return std::nullopt;
  const Expected<StridedLayout> flat = StridedLayoutOf(layout);
  if (!flat) return std::unexpected(flat.error());
  DigitSearch search(*flat);
  if (!search.Find(offset)) {
    if (search.exhausted()) {
      return MakeError(ErrorKind::kUnsupported, StrCat("too many overlapping modes in ", ToString(layout)));
    }
    return std::nullopt;
  }
  const std::vector<IntTuple> digits(search.digits().begin(), search.digits().end());
  return Unflatten(layout.shape, digits);
}

Expected<bool> IsInOrigin(const ShapeStrideLayout& layout, const IntTuple& coordinate) {
  if (!layout.origin_shape) return true;
  const Expected<IntTuple> nested = coordinate.is_leaf() ? Idx2Crd(coordinate.value(), layout.shape) : coordinate;
  if (!nested) return std::unexpected(nested.error());
  const Expected<void> fits = CheckFits(*nested, layout.shape);
  if (!fits) return std::unexpected(fits.error());
  for (int64_t i = 0; i < Rank(layout); ++i) {
    const Expected<int64_t> index = Crd2Integral(*Get(*nested, i), *Get(layout.shape, i));
    if (!index) return std::unexpected(index.error());
    if (*index >= Get(*layout.origin_shape, i)->value()) return false;
  }
  return true;
}

Expected<StridedLayout> StridedLayoutOf(const ShapeStrideLayout& layout) {
  Expected<void> valid = ValidateLayout(layout);
  if (valid) valid = RequireOrdinaryStrides(layout);
  if (!valid) return std::unexpected(valid.error());
  if (HasNoCoordinate(layout.shape)) {
    return MakeError(ErrorKind::kInvalidArgument, StrCat(ToString(layout), " has no coordinate"));
  }
  StridedLayout result;
  for (const ShapeStrideLayout& mode : Modes(layout)) {
    std::vector<StridedMode>& leaves = result.modes.emplace_back();
    const std::vector<IntTuple> extents = Leaves(mode.shape);
    const std::vector<IntTuple> strides = Leaves(mode.stride);
    for (size_t i = 0; i < extents.size(); ++i) leaves.push_back({extents[i].value(), strides[i].value()});
  }
  return result;
}

Expected<std::vector<int64_t>> StridedOffsetTable(const ShapeStrideLayout& layout, int64_t max_elements) {
  const Expected<void> valid = ValidateLayout(layout);
  if (!valid) return std::unexpected(valid.error());
  if (HasNoCoordinate(layout.shape)) return std::vector<int64_t>();
  const Expected<int64_t> size = Size(layout);
  if (!size) return std::unexpected(size.error());
  const Expected<OffsetRange> range = RangeOfOffsets(layout);  // no offset overflows below
  if (!range) return std::unexpected(range.error());
  if (*size > max_elements) {
    return MakeError(ErrorKind::kUnsupported, StrCat(*size, " offsets, at most ", max_elements, " were asked for"));
  }
  // Mode by mode: the table so far, repeated once for each further coordinate of the mode.
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

std::string ToString(const ShapeStrideLayout& layout) {
  return StrCat(ToString(layout.shape), ":", ToString(layout.stride));
}

}  // namespace layoutcheck
