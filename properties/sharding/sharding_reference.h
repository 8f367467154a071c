// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Answers to the questions about sharded arrays, as core defines them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/core/sharding/sharding.h"
#include "layoutcheck/properties/model/subject.h"

namespace layoutcheck {

// The largest number of elements that an answer lists.
inline constexpr int64_t kMostListedElements = int64_t{1} << 20;

// Returns the number of elements in an array of these sizes, or more than kMostListedElements if they are more.
int64_t CountedElements(std::span<const int64_t> sizes);

// Returns the numbers, in row-major order of an array of these sizes, of all combinations of the indices in the ranges
// of each dimension. Requires at most kMostListedElements of them.
std::vector<int64_t> NumbersIn(std::span<const int64_t> sizes, const std::vector<std::vector<IndexRange>>& ranges);

// Returns the part of the device: as ranges where each dimension has at most one, otherwise as numbers. The answer has
// no elements where these are more than kMostListedElements numbers.
ShardAnswer PartOfDevice(const Sharding& sharding, int64_t device);

// Answer Subject::ShardOf and Subject::Reshard. Fail with the errors of ParseSharded, and where the two arrays have
// different sizes; decline to list more than kMostListedElements elements.
Answer<ShardAnswer> ShardReference(std::string_view layout, int64_t device);
Answer<std::vector<int64_t>> ReshardReference(std::string_view from, std::string_view to, int64_t device);

// The function of Subject::Apply that answers with the sharding of a view. Its arguments are an array with a sharding
// and the sizes of the view, such as "[4,2]".
inline constexpr std::string_view kShardViewFunction = "shard_view";

// Returns the sizes, or nothing for another text.
std::optional<std::vector<int64_t>> ReadSizes(std::string_view text);

// Answers kShardViewFunction: the view as core finds it, as an array of f32, or why it is not free. Fails with the
// errors of ParseSharded, and where the sizes are no list.
Answer<ApplyAnswer> ShardViewReference(std::span<const std::string> arguments);

}  // namespace layoutcheck
