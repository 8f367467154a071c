// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two shardings of the same elements: which elements change devices, and how many.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/sharding/sharding.h"

namespace layoutcheck {

// The communication by which arrays of one sharding become those of the other.
enum class Collective : uint8_t {
  kNone,       // each device holds the same elements
  kSlice,      // no device receives an element: each keeps a part of what it holds
  kPermute,    // each device receives the whole part of one device
  kAllGather,  // each device keeps its elements and receives the whole parts of others
  kAllToAll,   // devices form groups, in each of which every device sends a piece of its part to every other
  kSeveral,    // no one of these
};
// Returns "none", "slice", "collective-permute", "all-gather", "all-to-all" or "several".
std::string_view CollectiveName(Collective collective);

// The elements of one device.
struct DeviceTraffic {
  int64_t device = 0;
  int64_t before = 0;  // elements held under the first sharding
  int64_t after = 0;   // elements held under the second
  int64_t received = 0;
  int64_t sent = 0;
};

struct Resharding {
  Collective collective = Collective::kNone;
  std::vector<DeviceTraffic> devices;  // of both shardings, ascending
  // The first element, in row-major order, that a device receives, with its coordinate under the first sharding, and
  // that device.
  std::optional<std::vector<int64_t>> first_moved;
  int64_t first_receiver = 0;

  int64_t Received() const;  // elements received by all devices
};

// Returns what changes from the first sharding to the second. Arrays of different sizes are views of each other: both
// have their elements in row-major order. A device that needs an element receives it once, from a
// device that holds it: among replicas, from the one at the same place among its replicas as the receiver is among its
// own. Errors: other numbers of elements (invalid argument); more than 2^24 pairs of parts and devices, counted once
// per range of elements that a part may have, and more than 2^62 elements on all devices (unsupported).
Expected<Resharding> CompareShardings(const Sharding& before, const Sharding& after);

}  // namespace layoutcheck
