// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>
#include "layoutcheck/properties/model/subject.h"
#include "layoutcheck/subject.h"

namespace layoutcheck {

// Room for the answer to `shard` about an array of this rank and number of elements.
class ShardRoom {
 public:
  ShardRoom(size_t rank, size_t count);
  // The library writes to this room, so it stays where it is.
  ShardRoom(const ShardRoom&) = delete;
  ShardRoom& operator=(const ShardRoom&) = delete;

  layoutcheck_shard_answer* answer() { return &answer_; }
  // Returns what the library wrote with this status, which is one of LAYOUTCHECK_OK, LAYOUTCHECK_ELEMENTS and
  // LAYOUTCHECK_NO_PART. Takes the room's arrays. Failed (kProtocol): a write behind the room, more elements than the
  // array has, or neither shape nor elements.
  Answer<ShardAnswer> Take(int status);

 private:
  std::vector<int64_t> shape_;
  std::vector<int64_t> ranges_;
  std::vector<int64_t> elements_;
  layoutcheck_shard_answer answer_;
};

}  // namespace layoutcheck
