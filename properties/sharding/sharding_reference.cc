// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/properties/sharding/sharding_reference.h"
#include <algorithm>
#include <iterator>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/hlo/parser.h"
#include "layoutcheck/core/sharding/sharded_array.h"
#include "layoutcheck/core/sharding/view_sharding.h"

namespace layoutcheck {
namespace {

using DimensionRanges = std::vector<std::vector<IndexRange>>;

int64_t CountIn(const DimensionRanges& ranges) {
  std::vector<int64_t> sizes;
  for (const std::vector<IndexRange>& dimension : ranges) {
    int64_t& size = sizes.emplace_back(0);
    for (const IndexRange& range : dimension) size += range.end - range.begin;
  }
  return CountedElements(sizes);
}

// Returns the numbers of the device's elements, none for a device without a part.
std::vector<int64_t> NumbersOf(const Sharding& sharding, int64_t device) {
  const auto ranges = sharding.RangesOf(device);
  return ranges ? NumbersIn(sharding.cuts().dimensions, *ranges) : std::vector<int64_t>();
}

}  // namespace

int64_t CountedElements(std::span<const int64_t> sizes) {
  if (std::ranges::find(sizes, 0) != sizes.end()) return 0;
  int64_t count = 1;
  for (const int64_t size : sizes) {
    if (size > kMostListedElements / count) return kMostListedElements + 1;
    count *= size;
  }
  return count;
}

std::vector<int64_t> NumbersIn(std::span<const int64_t> sizes, const DimensionRanges& ranges) {
  std::vector<int64_t> numbers = {0};
  for (size_t d = 0; d < sizes.size(); ++d) {
    std::vector<int64_t> longer;
    for (const int64_t number : numbers) {
      for (const IndexRange& range : ranges[d]) {
        for (int64_t index = range.begin; index < range.end; ++index) longer.push_back(number * sizes[d] + index);
      }
    }
    numbers = std::move(longer);
  }
  return numbers;
}

ShardAnswer PartOfDevice(const Sharding& sharding, int64_t device) {
  ShardAnswer answer;
  const auto ranges = sharding.RangesOf(device);
  if (!ranges) {
    answer.has_part = false;
    return answer;
  }
  answer.shape = sharding.LocalSizes(device);
  const auto& sizes = sharding.cuts().dimensions;
  if (std::ranges::all_of(*ranges, [](const auto& dimension) { return dimension.size() <= 1; }) && !sizes.empty()) {
    std::vector<IndexRange> one_each;
    for (size_t d = 0; d < sizes.size(); ++d) {
      const auto& dimension = (*ranges)[d];
      one_each.push_back(dimension.empty() ? IndexRange{sizes[d], sizes[d]} : dimension[0]);
    }
    answer.elements = std::move(one_each);
  } else if (CountIn(*ranges) <= kMostListedElements) {
    answer.elements = NumbersIn(sizes, *ranges);
  }
  return answer;
}

Answer<ShardAnswer> ShardReference(std::string_view layout, int64_t device) {
  const auto sharded = ParseSharded(layout);
  if (!sharded) return FailedWith(sharded.error());
  ShardAnswer part = PartOfDevice(sharded->array.sharding(), device);
  if (part.has_part && !part.elements) return Declined{"a list of more than 2^20 elements"};
  return part;
}

Answer<std::vector<int64_t>> ReshardReference(std::string_view from, std::string_view to, int64_t device) {
  const auto before = ParseSharded(from);
  if (!before) return FailedWith(before.error());
  const auto after = ParseSharded(to);
  if (!after) return FailedWith(after.error());
  const auto& sizes = before->array.shape().dimensions;
  if (sizes != after->array.shape().dimensions) return Failed{Failed::Kind::kError, "arrays of different sizes"};
  if (CountedElements(sizes) > kMostListedElements) return Declined{"an array of more than 2^20 elements"};
  std::vector<int64_t> received;
  std::ranges::set_difference(NumbersOf(after->array.sharding(), device), NumbersOf(before->array.sharding(), device),
                              std::back_inserter(received));
  return received;
}

std::optional<std::vector<int64_t>> ReadSizes(std::string_view text) {
  const auto shape = ParseShape(StrCat("f32", text), {.fill_missing_layouts = false});
  if (!shape || shape->layout ||
      std::ranges::find(shape->dynamic_dimensions, true) != shape->dynamic_dimensions.end()) {
    return std::nullopt;
  }
  return shape->dimensions;
}

Answer<ApplyAnswer> ShardViewReference(std::span<const std::string> arguments) {
  if (arguments.size() != 2) return Declined{StrCat(kShardViewFunction, " takes 2 arguments, not ", arguments.size())};
  const auto sharded = ParseSharded(arguments[0]);
  if (!sharded) return FailedWith(sharded.error());
  const auto sizes = ReadSizes(arguments[1]);
  if (!sizes) return Failed{Failed::Kind::kError, "expected sizes such as [4,2]"};
  const auto view = TextOfView(sharded->sharding, sharded->array.sharding(), *sizes);
  if (!view) return ApplyAnswer{{}, {}, view.error().message};
  return ApplyAnswer{StrCat("f32", arguments[1], " ", *view), {}, {}};
}

}  // namespace layoutcheck
