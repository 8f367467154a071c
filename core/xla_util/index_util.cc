// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/xla_util/index_util.h"
#include <algorithm>
#include "layoutcheck/core/base/integer.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/xla_util/permutation.h"

namespace layoutcheck {
namespace {

Expected<void> ValidateIndex(const Shape& shape, std::span<const int64_t> index) {
  if (index.size() != shape.dimensions.size()) {
    return MakeError(ErrorKind::kInvalidArgument, StrCat("the index (", StrJoin(index, ","), ") has ", index.size(),
                                                         " entries, the array has ", shape.rank(), " dimensions"));
  }
  for (size_t d = 0; d < index.size(); ++d) {
    if (index[d] < 0 || index[d] >= shape.dimensions[d]) {
      return MakeError(ErrorKind::kInvalidArgument, StrCat("entry ", d, " of the index (", StrJoin(index, ","), ") is ",
                                                           index[d], ", expected [0,", shape.dimensions[d], ")"));
    }
  }
  return {};
}

}  // namespace

Expected<void> ValidateSizedArray(const Shape& shape) {
  if (!shape.IsArray()) {
    return MakeError(ErrorKind::kInvalidArgument,
                     StrCat("expected an array, not ", shape.IsTuple()    ? "a tuple"
                                                       : shape.IsBuffer() ? "a buffer"
                                                                          : ElementTypeName(shape.element_type)));
  }
  if (shape.dynamic_dimensions.size() != shape.dimensions.size()) {
    return MakeError(ErrorKind::kInvalidArgument,
                     StrCat("the array has ", shape.dimensions.size(), " dimensions and ",
                            shape.dynamic_dimensions.size(), " dynamic flags, expected one for each dimension"));
  }
  for (size_t d = 0; d < shape.dimensions.size(); ++d) {
    if (shape.dimensions[d] == Shape::kUnboundedSize) {
      return MakeError(ErrorKind::kUnsupported, StrCat("dimension ", d, " is unbounded, its size is not known"));
    }
    if (shape.dimensions[d] < 0) {
      return MakeError(ErrorKind::kInvalidArgument,
                       StrCat("dimension ", d, " has size ", shape.dimensions[d], ", expected a size >= 0"));
    }
  }
  return {};
}

Expected<void> ValidateSizedArrayWithLayout(const Shape& shape) {
  if (auto valid = ValidateSizedArray(shape); !valid) return valid;
  if (!shape.layout) return MakeError(ErrorKind::kInvalidArgument, "the array has no layout");
  if (auto valid = ValidatePermutation(shape.layout->minor_to_major, shape.rank()); !valid) {
    return MakeError(ErrorKind::kInvalidLayout, StrCat("minor_to_major: ", valid.error().message));
  }
  return {};
}

Expected<int64_t> MultidimensionalIndexToLinearIndex(const Shape& shape, std::span<const int64_t> index) {
  if (auto valid = ValidateSizedArrayWithLayout(shape); !valid) return std::unexpected(std::move(valid).error());
  if (auto valid = ValidateIndex(shape, index); !valid) return std::unexpected(std::move(valid).error());
  CheckedInt64 linear = 0;
  for (int64_t k = shape.rank() - 1; k >= 0; --k) {
    const auto d = static_cast<size_t>(shape.layout->Minor(k));
    linear = linear * shape.dimensions[d] + index[d];
  }
  return ValueOrOverflow(linear, "the linear index");
}

Expected<std::vector<int64_t>> LinearIndexToMultidimensionalIndex(const Shape& shape, int64_t linear_index) {
  if (auto valid = ValidateSizedArrayWithLayout(shape); !valid) return std::unexpected(std::move(valid).error());
  const auto outside = [&] {
    return MakeError(ErrorKind::kInvalidArgument, StrCat("the linear index ", linear_index, " lies outside the array"));
  };
  if (linear_index < 0 || std::ranges::find(shape.dimensions, 0) != shape.dimensions.end()) return outside();
  std::vector<int64_t> index(shape.dimensions.size(), 0);
  int64_t rest = linear_index;
  for (const int64_t d : shape.layout->minor_to_major) {
    index[static_cast<size_t>(d)] = rest % shape.dimensions[static_cast<size_t>(d)];
    rest /= shape.dimensions[static_cast<size_t>(d)];
  }
  if (rest != 0) return outside();
  return index;
}

Expected<bool> BumpIndices(const Shape& shape, std::span<int64_t> index) {
  if (auto valid = ValidateSizedArray(shape); !valid) return std::unexpected(std::move(valid).error());
  if (auto valid = ValidateIndex(shape, index); !valid) return std::unexpected(std::move(valid).error());
  for (size_t d = index.size(); d-- > 0;) {
    if (index[d] + 1 < shape.dimensions[d]) {
      ++index[d];
      std::fill(index.begin() + static_cast<std::ptrdiff_t>(d) + 1, index.end(), 0);
      return true;
    }
  }
  return false;
}

Expected<int64_t> GetDimensionStride(const Shape& shape, int64_t dimension) {
  if (auto valid = ValidateSizedArrayWithLayout(shape); !valid) return std::unexpected(std::move(valid).error());
  if (dimension < 0 || dimension >= shape.rank()) {
    return MakeError(ErrorKind::kInvalidArgument,
                     StrCat("dimension ", dimension, " does not exist, expected [0,", shape.rank(), ")"));
  }
  CheckedInt64 stride = 1;
  for (const int64_t d : shape.layout->minor_to_major) {
    if (d == dimension) break;
    stride = stride * shape.dimensions[static_cast<size_t>(d)];
  }
  return ValueOrOverflow(stride, StrCat("the stride of dimension ", dimension));
}

bool IndexInBounds(const Shape& shape, std::span<const int64_t> index) {
  return ValidateSizedArray(shape).has_value() && ValidateIndex(shape, index).has_value();
}

Expected<int> CompareIndices(std::span<const int64_t> lhs, std::span<const int64_t> rhs) {
  if (lhs.size() != rhs.size()) {
    return MakeError(ErrorKind::kInvalidArgument,
                     StrCat("indices of ", lhs.size(), " and ", rhs.size(), " entries have no order"));
  }
  for (size_t d = 0; d < lhs.size(); ++d) {
    if (lhs[d] != rhs[d]) return lhs[d] < rhs[d] ? -1 : 1;
  }
  return 0;
}

bool IndexRange::First(std::vector<int64_t>& index) const {
  if (size_ == 0) return false;
  index = base_;
  return true;
}

bool IndexRange::Next(std::vector<int64_t>& index) const {
  for (const int64_t dimension : minor_to_major_) {
    const auto d = static_cast<size_t>(dimension);
    if (limit_[d] - index[d] > incr_[d]) {
      index[d] += incr_[d];
      return true;
    }
    index[d] = base_[d];
  }
  return false;
}

Expected<IndexRange> MakeIndexRange(const Shape& shape, std::span<const int64_t> base, std::span<const int64_t> count,
                                    std::span<const int64_t> incr) {
  auto valid = shape.layout ? ValidateSizedArrayWithLayout(shape) : ValidateSizedArray(shape);
  if (!valid) return std::unexpected(std::move(valid).error());
  const size_t rank = shape.dimensions.size();
  if (base.size() != rank || count.size() != rank || incr.size() != rank) {
    return MakeError(ErrorKind::kInvalidArgument,
                     StrCat("base, count and incr have ", base.size(), ", ", count.size(), " and ", incr.size(),
                            " entries, the array has ", rank, " dimensions"));
  }
  IndexRange range;
  range.minor_to_major_ =
      shape.layout ? shape.layout->minor_to_major : MakeDescendingLayout(shape.rank()).minor_to_major;
  range.base_.assign(base.begin(), base.end());
  range.incr_.assign(incr.begin(), incr.end());
  range.limit_.resize(rank);
  CheckedInt64 size = 1;
  bool has_elements = true;
  for (size_t d = 0; d < rank; ++d) {
    if (count[d] < 0 || incr[d] < 0 || (incr[d] == 0 && count[d] != 0)) {
      return MakeError(ErrorKind::kInvalidArgument,
                       StrCat("dimension ", d, ": count ", count[d], " and increment ", incr[d],
                              ", expected a count >= 0 and an increment >= 1, or both 0"));
    }
    if (shape.dimensions[d] == 0) has_elements = false;
    const int64_t steps = count[d] == 0 ? 1 : 1 + (count[d] - 1) / incr[d];
    const CheckedInt64 last = CheckedInt64(base[d]) + CheckedInt64(steps - 1) * incr[d];
    if (shape.dimensions[d] != 0 && (base[d] < 0 || last.overflow || last.value >= shape.dimensions[d])) {
      return MakeError(ErrorKind::kInvalidArgument,
                       StrCat("dimension ", d, ": base ", base[d], ", count ", count[d], " and increment ", incr[d],
                              " leave [0,", shape.dimensions[d], ")"));
    }
    if (shape.dimensions[d] != 0) range.limit_[d] = last.value + 1;
    // With an increment of 1, a pinned dimension is at its last index from the start.
    range.incr_[d] = std::max<int64_t>(1, incr[d]);
    size = size * steps;
  }
  if (has_elements) {
    auto visited = ValueOrOverflow(size, "the number of indices");
    if (!visited) return std::unexpected(std::move(visited).error());
    range.size_ = *visited;
  }
  return range;
}

}  // namespace layoutcheck
