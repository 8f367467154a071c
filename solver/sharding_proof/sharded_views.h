// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dimensions of sharded arrays that are views of each other.
#pragma once

#include <string>
#include <vector>
#include "layoutcheck/core/base/symbolic_size.h"
#include "layoutcheck/solver/sharding_proof/element_sharding.h"
#include "layoutcheck/solver/sharding_proof/symbolic_sharding.h"

namespace layoutcheck {

// Returns true for the same name or the same number.
bool AreEqual(const SymbolicSize& a, const SymbolicSize& b);

// Returns true if the dimensions of both arrays have the same names and numbers.
bool HaveSameSizes(const SymbolicSharding& before, const SymbolicSharding& after);

// Returns the factors of all dimensions.
std::vector<SymbolicSize> FactorsOf(const SymbolicSharding& array);

// Returns the array with a dimension per factor. The first factor of a dimension is cut as the dimension is.
SymbolicSharding SplitIntoFactors(const SymbolicSharding& array);

// Returns the dimensions of a view behind the first and before the last ones that keep their sizes.
ViewedDimensions ViewedOf(const SymbolicSharding& before, const SymbolicSharding& view);

// Returns the condition that the viewed dimensions have as many elements as those that they are made of.
std::string SameCount(const SymbolicSharding& view, const ViewedDimensions& viewed);

}  // namespace layoutcheck
