// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The reference's analysis of contiguity, divisibility and constancy.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>
#include "layoutcheck/properties/axis/axis_expression.h"
#include "layoutcheck/properties/model/subject.h"

namespace layoutcheck {

// The claims of an AxisInfo about one dimension.
struct AxisClaim {
  int64_t contiguity = 1;
  int64_t divisibility = 1;
  int64_t constancy = 1;

  friend bool operator==(const AxisClaim&, const AxisClaim&) = default;

  // Returns a power of two that divides the first element of each group of `group` elements.
  int64_t DivisorAt(int64_t group) const;
  // Returns a power of two that divides every element.
  int64_t DivisorOfAll() const { return DivisorAt(1); }
  // Returns the size of groups that count up by one from a multiple of their size. Such a group never wraps around.
  int64_t AlignedRun() const;
};

// The facts that the analysis derives about an expression.
struct AxisFacts {
  std::vector<AxisClaim> claims;         // one per dimension
  std::optional<int64_t> constant = {};  // value of all elements, if it is known
  bool is_non_negative = false;          // true only if no element is negative as a signed integer

  friend bool operator==(const AxisFacts&, const AxisFacts&) = default;
};

// Divisibility of 0, as Triton's.
inline constexpr int64_t kLargestAxisDivisor = int64_t{1} << 62;

// Returns the largest power of two that divides the value, at most kLargestAxisDivisor.
int64_t AxisDivisorOf(int64_t value);

// Changes the facts of one expression, which are given with those of its operands.
using ChangeAxisFacts = std::function<void(const AxisExpression&, std::span<const AxisFacts>, AxisFacts&)>;

// Returns claims that hold for all values of the names wherever the expression is defined, also where sums and products
// wrap around. They need not be the largest ones. With `change`, which seeded faults set, the facts of each part are
// changed before they are used.
AxisInfo AnalyzeAxes(const AxisExpression& expression, const ChangeAxisFacts& change = nullptr);

}  // namespace layoutcheck
