// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/properties/model/subject.h"
#include "layoutcheck/subject.h"

namespace layoutcheck {

// A sharded array as an argument of `shard` and `reshard`.
class ShardedArgument {
 public:
  // Errors: those of ParseSharded.
  static Expected<ShardedArgument> Read(std::string_view layout, int64_t device);

  // Returns the argument. It points into this object.
  layoutcheck_shard Shard() const;
  size_t rank() const { return dimensions_.size(); }
  int64_t count() const;  // number of elements

 private:
  ShardedArgument() = default;

  std::string layout_;
  std::string sharding_;
  std::vector<int64_t> dimensions_;
  int64_t device_ = 0;
};

// Room for the answer to `shard` or `reshard` about an array of this rank and number of elements.
class ShardRoom {
 public:
  // `operation` is the name of the operation, for messages.
  ShardRoom(size_t rank, size_t count, std::string_view operation);
  // The library writes to this room, so it stays where it is.
  ShardRoom(const ShardRoom&) = delete;
  ShardRoom& operator=(const ShardRoom&) = delete;

  layoutcheck_shard_answer* answer() { return &answer_; }
  // Returns what the library wrote with this status, which is one of LAYOUTCHECK_OK, LAYOUTCHECK_ELEMENTS and
  // LAYOUTCHECK_NO_PART. Takes the room's arrays. Failed (kProtocol): a write behind the room, more elements than the
  // array has, or neither shape nor elements.
  Answer<ShardAnswer> Take(int status);
  // Returns the elements that the library wrote. Failed: as Take.
  Answer<std::vector<int64_t>> TakeElements();

 private:
  // Removes the guards behind the room, and what was not written of the elements.
  std::optional<Failed> Trim();

  std::string_view operation_;
  std::vector<int64_t> shape_;
  std::vector<int64_t> ranges_;
  std::vector<int64_t> elements_;
  layoutcheck_shard_answer answer_;
};

}  // namespace layoutcheck
