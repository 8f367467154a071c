// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/subjects/transport/shard_room.h"
#include <algorithm>
#include <utility>
#include <variant>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/sharding/sharded_array.h"
#include "layoutcheck/properties/sharding/sharding_reference.h"
#include "layoutcheck/subjects/transport/guarded_room.h"

namespace layoutcheck {

Expected<ShardedArgument> ShardedArgument::Read(std::string_view layout, int64_t device) {
  LAYOUTCHECK_TRY(const ShardedText sharded, ParseSharded(layout));
  ShardedArgument argument;
  argument.layout_ = sharded.Text();
  argument.sharding_ = sharded.sharding.text;
  argument.dimensions_ = sharded.array.shape().dimensions;
  argument.device_ = device;
  return argument;
}

layoutcheck_shard ShardedArgument::Shard() const {
  static constexpr int64_t kNoDimension = 0;
  return {.layout = layout_.c_str(),
          .sharding = sharding_.c_str(),
          .rank = std::ssize(dimensions_),
          .dimensions = dimensions_.empty() ? &kNoDimension : dimensions_.data(),
          .device = device_};
}

int64_t ShardedArgument::count() const { return CountedElements(dimensions_); }

ShardRoom::ShardRoom(size_t rank, size_t count, std::string_view operation)
    : operation_(operation), shape_(GuardedRoom(rank)), ranges_(GuardedRoom(2 * rank)), elements_(GuardedRoom(count)) {
  std::fill_n(shape_.begin(), rank, LAYOUTCHECK_NO_SIZE);
  std::fill_n(ranges_.begin(), 2 * rank, LAYOUTCHECK_NO_SIZE);
  answer_ = {shape_.data(), ranges_.data(), elements_.data(), count, 0};
}

std::optional<Failed> ShardRoom::Trim() {
  for (auto* const room : {&shape_, &ranges_, &elements_}) {
    auto written = WithoutGuards(*room, operation_);
    if (auto* failed = std::get_if<Failed>(&written)) return std::move(*failed);
    *room = std::get<std::vector<int64_t>>(std::move(written));
  }
  if (answer_.count > elements_.size()) {
    return Failed{Failed::Kind::kProtocol,
                  StrCat(operation_, " answered ", answer_.count, " elements: expected at most the ", elements_.size(),
                         " of the array")};
  }
  elements_.resize(answer_.count);
  return std::nullopt;
}

Answer<std::vector<int64_t>> ShardRoom::TakeElements() {
  if (auto failed = Trim()) return *std::move(failed);
  return std::move(elements_);
}

Answer<ShardAnswer> ShardRoom::Take(int status) {
  if (auto failed = Trim()) return *std::move(failed);
  ShardAnswer part;
  part.has_part = status != LAYOUTCHECK_NO_PART;
  if (!part.has_part) return part;
  const auto is_set = [](const std::vector<int64_t>& sizes) {
    return std::ranges::find(sizes, LAYOUTCHECK_NO_SIZE) == sizes.end();
  };
  if (is_set(shape_)) part.shape = std::move(shape_);
  if (status == LAYOUTCHECK_ELEMENTS) {
    part.elements = std::move(elements_);
  } else if (is_set(ranges_)) {
    std::vector<IndexRange> held;
    for (size_t k = 0; k < ranges_.size(); k += 2) held.push_back({ranges_[k], ranges_[k + 1]});
    part.elements = std::move(held);
  }
  if (part.shape || part.elements) return part;
  return Failed{Failed::Kind::kProtocol, "shard set neither the shape nor the ranges"};
}

}  // namespace layoutcheck
