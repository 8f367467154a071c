// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/sharding/sharded_facts.h"
#include <fmt/format.h>
#include <algorithm>
#include "layoutcheck/cli/base/bytes.h"
#include "layoutcheck/cli/base/count.h"
#include "layoutcheck/cli/sharding/sharded_picture.h"
#include "layoutcheck/core/base/integer.h"
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {

std::vector<LocalArrays> LocalArraysOf(const ShardedArray& array) {
  std::vector<LocalArrays> groups;
  for (const int64_t device : array.sharding().devices()) {
    const ShardedArray::Local* local = array.LocalOf(device);
    const auto group = std::ranges::find(groups, local, &LocalArrays::local);
    if (group == groups.end()) {
      groups.push_back({local, {device}});
    } else {
      group->devices.push_back(device);
    }
  }
  return groups;
}

Expected<ShardedSizes> SizesOfAll(const ShardedArray& array, const std::vector<LocalArrays>& groups) {
  const CheckedInt64 held = ProductOfSizes(array.shape().dimensions) * CheckedInt64(array.sharding().replicas());
  CheckedInt64 local = 0;
  CheckedInt64 padded = 0;
  CheckedInt64 bytes = 0;
  for (const LocalArrays& group : groups) {
    const CheckedInt64 count = static_cast<int64_t>(group.devices.size());
    local = local + count * CheckedInt64(group.local->sizes.elements);
    padded = padded + count * CheckedInt64(group.local->sizes.padded_elements);
    bytes = bytes + count * CheckedInt64(group.local->sizes.bytes);
  }
  if (held.overflow || local.overflow || padded.overflow || bytes.overflow) {
    return OverflowError("the elements or bytes of all devices together do not fit int64");
  }
  return ShardedSizes{held.value, local.value, padded.value, bytes.value};
}

std::vector<Fact> ShardedFacts(const ShardedArray& array, const std::vector<LocalArrays>& groups,
                               const ShardedSizes& sizes) {
  const Sharding& sharding = array.sharding();
  std::vector<Fact> facts{
      {"elements",
       StrCat(ProductOfSizes(array.shape().dimensions).value, ", each on ", Counted(sharding.replicas(), "device"))},
      {"devices", StrCat(sharding.devices().size(), ": ", DevicesText(sharding.devices()))},
  };
  for (const LocalArrays& group : groups) {
    facts.push_back(
        {groups.size() == 1
             ? "on each device"
             : StrCat(group.devices.size() == 1 ? "on device " : "on devices ", DevicesText(group.devices)),
         StrCat(group.local->LayoutText(), ": ", Counted(group.local->sizes.padded_elements, "padded element"), ", ",
                RoundedBytes(group.local->sizes.bytes))});
  }
  facts.push_back(
      {"on all devices", StrCat(Counted(sizes.padded_elements, "padded element"), ", ", RoundedBytes(sizes.bytes))});
  facts.push_back({"waste", fmt::format("{:.3g} %", 100 * sizes.Waste())});
  facts.push_back({"uneven shards", StrCat(Counted(sizes.UnevenPadding(), "element"), " of padding on all devices")});
  return facts;
}

}  // namespace layoutcheck
