// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Proofs of the laws of sharded arrays for all sizes, mesh axes and split factors.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/solver/certificate/proof_result.h"

namespace layoutcheck {

enum class ShardingLawId : uint8_t { kInverse, kInBounds, kOnto, kLocalShape, kLocalOffsets, kReshard, kView };

struct SymbolicShardingLaw {
  ShardingLawId id;
  std::string_view name;
  std::string_view statement;
};

inline constexpr std::array<SymbolicShardingLaw, 7> kShardingLaws = {{
    {ShardingLawId::kInverse, "shard-inverse",
     "The coordinate of the place of an element is that of the element: no two elements have the same place."},
    {ShardingLawId::kInBounds, "shard-in-bounds",
     "Each element is on a part that exists, at a coordinate within the sizes of that part."},
    {ShardingLawId::kOnto, "shard-onto",
     "Each coordinate within the sizes of a part is the place of an element: the parts cover the array without gaps."},
    {ShardingLawId::kLocalShape, "local-shape",
     "The sizes of each part are those that the system documents, and fit the array of the device."},
    {ShardingLawId::kLocalOffsets, "local-offsets",
     "The layout gives the elements in the array of a device different offsets within its allocation, for all sizes of "
     "the dimensions that are cut."},
    {ShardingLawId::kReshard, "reshard",
     "Both shardings place every element on the same devices, at the same coordinate in their arrays."},
    {ShardingLawId::kView, "shard-view",
     "A view of the array, with other sizes for the same elements in row-major order, has every element on the same "
     "devices, at the same offset of a row-major array there: the view is free."},
}};

// Proves or refutes the laws with these names, or all that are about one array, for all values of the names in the
// sharded array at which the assumptions hold. Each law but local-offsets is about core's formulas, one dimension after
// another. Errors: those of ParseSymbolicSharding; an unknown law, or an assumption with a name that the text does not
// have (invalid argument); those of ParseFormula and ProveGoal.
Expected<std::vector<ProofResult>> ProveSharding(std::string_view text, const std::vector<std::string>& laws,
                                                 const std::vector<std::string>& assumptions = {},
                                                 const ProveOptions& options = {});

// Proves or refutes the law reshard for two shardings of one array, or, if `after` has other sizes, the law shard-view
// where both arrays have the same number of elements. A counterexample has the values under `after` (expected) and
// `before` (actual), and core's Sharding confirms that the element is placed differently. Errors: those of
// ProveSharding; numbers of elements that differ (invalid argument); a mesh with names beside one of more than 64
// devices in another order than 0, 1, 2, ..., a view of an array of size 0, and one of an array with a local layout
// (unsupported).
Expected<ProofResult> ProveReshard(std::string_view before, std::string_view after,
                                   const std::vector<std::string>& assumptions = {}, const ProveOptions& options = {});

// Proves or refutes what a formula of the user says about the place of each element, over the index i0, i1, ..., the
// names of the array and `device`, the number of any device: formula-devices, that the formula is true (not 0) if and
// only if the device holds the element; and, if there are two formulas with a comma between them, formula-offset, that
// the second one is the linear index in the array of each device that does. Errors: those of ParseSymbolicSharding,
// ParseFormulas and ProveGoal; more than two formulas or a name that the text does not have (invalid argument); more
// than 64 devices in another order than 0, 1, 2, ... or no number of them, and a linear index in a local layout with
// names or in bits (unsupported).
Expected<std::vector<ProofResult>> ProvePlaceFormula(std::string_view text, std::string_view formula,
                                                     const std::vector<std::string>& assumptions = {},
                                                     const ProveOptions& options = {});

// Returns the conditions under which the array can be made and, with `after`, is a view of the same elements, such as
// "M <= S*8", "X mod 4 == 0" and "M*N == K". The laws are asked where they hold. Errors: those of
// ParseSymbolicSharding.
Expected<std::vector<std::string>> ShardingConditions(std::string_view text,
                                                      std::optional<std::string_view> after = std::nullopt);

}  // namespace layoutcheck
