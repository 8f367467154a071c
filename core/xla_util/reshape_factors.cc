// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/xla_util/reshape_factors.h"
#include <algorithm>
#include <cstddef>
#include "layoutcheck/core/base/integer.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/xla_util/index_util.h"
#include "layoutcheck/core/xla_util/layout_edits.h"
#include "layoutcheck/core/xla_util/permutation.h"

namespace layoutcheck {
namespace {

Expected<int64_t> Product(std::span<const int64_t> sizes) {
  return ValueOrOverflow(ProductOfSizes(sizes), "the number of elements");
}

Expected<void> ValidateArrays(const Shape& input, const Shape& output) {
  if (auto valid = ValidateSizedArray(input); !valid) return valid;
  return ValidateSizedArray(output);
}

}  // namespace

Expected<std::vector<DimensionPair>> CommonFactors(std::span<const int64_t> a, std::span<const int64_t> b) {
  for (const auto sizes : {a, b}) {
    if (std::ranges::any_of(sizes, [](int64_t size) { return size < 0; })) {
      return MakeError(ErrorKind::kInvalidArgument,
                       StrCat("the sizes [", StrJoin(sizes, ","), "] contain a negative one"));
    }
  }
  const auto product_a = Product(a);
  if (!product_a) return std::unexpected(product_a.error());
  const auto product_b = Product(b);
  if (!product_b) return std::unexpected(product_b.error());
  if (*product_a != *product_b) {
    return MakeError(ErrorKind::kInvalidArgument,
                     StrCat("[", StrJoin(a, ","), "] and [", StrJoin(b, ","), "] have ", *product_a, " and ",
                            *product_b, " elements, expected the same number"));
  }
  const DimensionPair end{static_cast<int64_t>(a.size()), static_cast<int64_t>(b.size())};
  std::vector<DimensionPair> cuts = {{0, 0}};
  size_t i = 0;
  size_t j = 0;
  const auto cut_here = [&] { cuts.emplace_back(static_cast<int64_t>(i), static_cast<int64_t>(j)); };
  if (*product_a == 0) {
    // Products of 0 say nothing, so sizes up to the last 0 are cut apart only where they are equal.
    while (i < a.size() && j < b.size() && a[i] == b[j]) {
      ++i;
      ++j;
      cut_here();
    }
    const auto rest_a = Product(a.subspan(i));
    const auto rest_b = Product(b.subspan(j));
    if (!rest_a || !rest_b || *rest_a != *rest_b) return std::vector<DimensionPair>{{0, 0}, end};
    if (*rest_a == 0) {
      if (cuts.back() != end) cuts.push_back(end);
      return cuts;
    }
  }
  // The remaining sizes are >= 1 and have equal products. The list with the smaller product so far takes its next size;
  // at equal products, the list with the smaller next size does, or both do.
  int64_t size_a = 1;
  int64_t size_b = 1;
  while (i < a.size() || j < b.size()) {
    const bool level = size_a == size_b;
    const bool take_a = level ? i < a.size() && (j == b.size() || a[i] <= b[j]) : size_a < size_b;
    const bool take_b = level ? j < b.size() && (i == a.size() || b[j] <= a[i]) : size_b < size_a;
    if (take_a) size_a *= a[i++];
    if (take_b) size_b *= b[j++];
    if (size_a == size_b) cut_here();
  }
  return cuts;
}

Expected<std::vector<DimensionPair>> DimensionsUnmodifiedByReshape(const Shape& input, const Shape& output) {
  if (auto valid = ValidateArrays(input, output); !valid) return std::unexpected(std::move(valid).error());
  auto cuts = CommonFactors(input.dimensions, output.dimensions);
  if (!cuts) return cuts;
  std::vector<DimensionPair> unmodified;
  for (size_t k = 0; k + 1 < cuts->size(); ++k) {
    const auto [i, j] = (*cuts)[k];
    if ((*cuts)[k + 1] == DimensionPair{i + 1, j + 1}) unmodified.emplace_back(i, j);
  }
  return unmodified;
}

Expected<std::optional<ShapeEqualityDescriptor>> InsertedOrDeleted1SizedDimensions(const Shape& input,
                                                                                   const Shape& output) {
  auto unmodified = DimensionsUnmodifiedByReshape(input, output);
  if (!unmodified) return std::unexpected(std::move(unmodified).error());
  const auto changed = [](const Shape& shape, const std::vector<int64_t>& kept) -> std::optional<std::vector<int64_t>> {
    std::vector<int64_t> result;
    size_t next = 0;
    for (int64_t d = 0; d < shape.rank(); ++d) {
      if (next < kept.size() && kept[next] == d) {
        ++next;
      } else if (shape.dimensions[static_cast<size_t>(d)] > 1) {
        return std::nullopt;
      } else {
        result.push_back(d);
      }
    }
    return result;
  };
  std::vector<int64_t> kept_input;
  std::vector<int64_t> kept_output;
  for (const auto& [i, j] : *unmodified) {
    kept_input.push_back(i);
    kept_output.push_back(j);
  }
  auto deleted = changed(input, kept_input);
  auto inserted = changed(output, kept_output);
  if (!deleted || !inserted) return std::nullopt;
  return ShapeEqualityDescriptor{*std::move(deleted), *std::move(inserted)};
}

Expected<std::optional<std::vector<int64_t>>> ReshapeLeavesDimensionsUnmodified(
    const Shape& input, const Shape& output, std::span<const int64_t> input_dimensions) {
  const auto unmodified = DimensionsUnmodifiedByReshape(input, output);
  if (!unmodified) return std::unexpected(unmodified.error());
  for (const int64_t d : input_dimensions) {
    if (d < 0 || d >= input.rank()) {
      return MakeError(ErrorKind::kInvalidArgument,
                       StrCat("dimension ", d, " does not exist, expected [0,", input.rank(), ")"));
    }
  }
  if (!std::ranges::is_sorted(input_dimensions)) return std::nullopt;
  std::vector<int64_t> output_dimensions;
  for (const int64_t d : input_dimensions) {
    const auto pair = std::ranges::find(*unmodified, d, &DimensionPair::first);
    if (pair == unmodified->end()) return std::nullopt;
    output_dimensions.push_back(pair->second);
  }
  return output_dimensions;
}

Expected<NormalizedTranspose> GetNormalizedLogicalTransposeShape(const Shape& input, const Shape& output,
                                                                 std::span<const int64_t> dimensions) {
  if (auto valid = ValidateArrays(input, output); !valid) return std::unexpected(std::move(valid).error());
  for (const Shape* shape : {&input, &output}) {
    if (shape->layout && !IsMonotonicWithDim0Major(*shape->layout)) {
      return MakeError(ErrorKind::kInvalidArgument,
                       StrCat("minor_to_major {", StrJoin(shape->layout->minor_to_major, ","),
                              "} is not row major: a transpose is normalized on row-major arrays"));
    }
  }
  const auto permuted = Permute(input.dimensions, dimensions);
  if (!permuted) return std::unexpected(permuted.error());
  if (*permuted != output.dimensions) {
    return MakeError(ErrorKind::kInvalidArgument,
                     StrCat("transposing [", StrJoin(input.dimensions, ","), "] by {", StrJoin(dimensions, ","),
                            "} gives [", StrJoin(*permuted, ","), "], not [", StrJoin(output.dimensions, ","), "]"));
  }
  // `place` numbers the input dimensions without those of size 1, so that dimensions around one are neighbors.
  std::vector<int64_t> place(input.dimensions.size());
  int64_t places = 0;
  for (size_t d = 0; d < place.size(); ++d) {
    place[d] = places;
    if (input.dimensions[d] != 1) ++places;
  }
  std::vector<CheckedInt64> sizes;
  std::vector<int64_t> first_places;  // per run of output dimensions that are neighbors in the input
  int64_t next_place = -1;
  for (const int64_t from : dimensions) {
    const int64_t size = input.dimensions[static_cast<size_t>(from)];
    if (size == 1) continue;
    const int64_t at = place[static_cast<size_t>(from)];
    if (at == next_place) {
      sizes.back() = sizes.back() * size;
    } else {
      sizes.push_back(size);
      first_places.push_back(at);
    }
    next_place = at + 1;
  }
  if (sizes.empty()) return NormalizedTranspose{{1}, {0}};
  NormalizedTranspose result;
  for (const CheckedInt64 size : sizes) {
    auto value = ValueOrOverflow(size, "the size of merged dimensions");
    if (!value) return std::unexpected(std::move(value).error());
    result.dimensions.push_back(*value);
  }
  // Runs are numbered in the order of the input.
  for (const int64_t at : first_places) {
    result.permutation.push_back(std::ranges::count_if(first_places, [at](int64_t other) { return other < at; }));
  }
  return result;
}

}  // namespace layoutcheck
