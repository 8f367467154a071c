// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two shardings of one array or of views of it: what moves between devices, and which collective that is.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
#include "layoutcheck/cli/pictures/fact.h"
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/sharding/resharding.h"
#include "layoutcheck/core/sharding/sharded_array.h"
#include "layoutcheck/core/tiling/same_positions.h"

namespace layoutcheck {

// Bytes of one device, without padding.
struct TrafficBytes {
  int64_t before = 0;
  int64_t after = 0;
  int64_t received = 0;
  int64_t sent = 0;

  auto operator<=>(const TrafficBytes&) const = default;
};

// An element that is at different linear indices on a device that holds it in A and in B.
struct OtherOffset {
  std::vector<int64_t> coordinate;
  int64_t device = 0;
  int64_t in_a = 0;
  int64_t in_b = 0;
};

// Dimensions of A and of B that correspond: an element of A is that of B with the same row-major number in each group.
class ElementMap {
 public:
  // The map refers to the sizes of both arrays.
  ElementMap(const std::vector<int64_t>& a, const std::vector<int64_t>& b, std::vector<DimensionGroup> groups)
      : a_(a), b_(b), groups_(std::move(groups)) {}

  const std::vector<DimensionGroup>& groups() const { return groups_; }
  // Returns true unless the dimensions of A are those of B.
  bool IsView() const;
  // Returns the coordinate in B of an element of A.
  std::vector<int64_t> InB(const std::vector<int64_t>& coordinate) const;

 private:
  const std::vector<int64_t>& a_;
  const std::vector<int64_t>& b_;
  std::vector<DimensionGroup> groups_;
};

// A comparison of B with A, both of which it refers to.
struct ShardedComparison {
  const ShardedText& a;
  const ShardedText& b;
  ElementMap elements;
  Resharding resharding;
  std::vector<TrafficBytes> bytes;  // of resharding.devices
  int64_t received = 0;             // bytes that all devices receive
  // Set if no element changes devices: an element with another linear index, nothing if all keep theirs, or the reason
  // why that is not known.
  std::optional<Expected<std::optional<OtherOffset>>> other_offset;

  // Returns "free", "same devices" or the name of the collective.
  std::string Relation() const;
};

// Reads two arrays, of which {replicated} is on the devices of the other. Errors: those of ParseSharded.
std::pair<Expected<ShardedText>, Expected<ShardedText>> ParseShardedPair(std::string_view a, std::string_view b);

// Compares B with A, or with A transposed. Errors: elements of another type or size, no permutation (invalid argument);
// those of CompareShardings; overflow.
Expected<ShardedComparison> CompareSharded(const ShardedText& a, const ShardedText& b,
                                           const std::optional<std::vector<int64_t>>& transpose);

// Returns both arrays, the first element that moves, the bytes received, and what becomes of linear indices.
std::vector<Fact> ShardedComparisonFacts(const ShardedComparison& comparison);

// Numbers of bytes as text, and the devices that have them.
struct TrafficRow {
  std::string before;
  std::string after;
  std::string received;
  std::string sent;
  std::string devices;
};
// Returns a row per group of devices with the same numbers, in the order of their first devices.
std::vector<TrafficRow> TrafficRows(const ShardedComparison& comparison);

// Returns the relation, the facts, and the rows as a table.
std::string ShardedComparisonText(const ShardedComparison& comparison);

}  // namespace layoutcheck
