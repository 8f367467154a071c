// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks right and left inverses against tables of values, over the scope of algebra_scopes.h.
#include <gtest/gtest.h>
#include <algorithm>
#include <cstdio>
#include <optional>
#include <vector>
#include "layoutcheck/core/algebra/complement.h"
#include "layoutcheck/core/algebra/inverse.h"
#include "layoutcheck/core/shape_stride/evaluate.h"
#include "layoutcheck/core/testing/algebra_scopes.h"

namespace layoutcheck {
namespace {

TEST(AlgebraScope, RightInverse) {
  Tally tally;
  for (const Case& c : TwoModes()) {
    ++tally.cases;
    const Expected<ShapeStrideLayout> result = RightInverse(c.layout);
    ASSERT_TRUE(result.has_value()) << ToString(c.layout);
    ++tally.accepted;
    const std::vector<int64_t> inverse = *StridedOffsetTable(*result, 1000);
    for (size_t i = 0; i < inverse.size(); ++i) {
      if (inverse[i] < 0 || inverse[i] >= static_cast<int64_t>(c.table.size()) ||
          c.table[static_cast<size_t>(inverse[i])] != static_cast<int64_t>(i)) {
        tally.Wrong(ToString(c.layout) + " -> " + ToString(*result));
        break;
      }
    }
    if (!c.injective) continue;
    // Find the largest prefix 0..n-1 of the values whose coordinates are the table of a layout.
    std::map<int64_t, int64_t> coordinate;
    for (size_t i = 0; i < c.table.size(); ++i) coordinate[c.table[i]] = static_cast<int64_t>(i);
    std::vector<int64_t> prefix;
    size_t largest = 1;
    for (auto at = coordinate.find(0); at != coordinate.end();
         at = coordinate.find(static_cast<int64_t>(prefix.size()))) {
      prefix.push_back(at->second);
      if (IsLayoutTable(prefix)) largest = prefix.size();
    }
    ++tally.representable;
    if (inverse.size() < largest) {
      if (tally.missed++ == 0) std::printf("smaller than %zu: %s\n", largest, ToString(c.layout).c_str());
    }
  }
  tally.Print("right inverse (representable: the largest one of an injective layout)");
  EXPECT_EQ(tally.wrong, 0) << tally.first_wrong;
}

// Returns true if integers r[k], one per digit of a mixed radix, exist such that the sum of r[k] * digit k of each
// value is its index. Solves the system exactly by integer elimination.
bool IndexIsLinearInDigits(const std::vector<int64_t>& table, const std::vector<int64_t>& radices) {
  const size_t unknowns = radices.size() + 1;
  std::vector<std::vector<int64_t>> rows;
  for (size_t i = 0; i < table.size(); ++i) {
    std::vector<int64_t> row;
    int64_t rest = table[i];
    for (const int64_t radix : radices) {
      row.push_back(rest % radix);
      rest /= radix;
    }
    row.push_back(rest);
    row.push_back(static_cast<int64_t>(i));
    rows.push_back(std::move(row));
  }
  // Integer row reduction: gcd steps keep the lattice of integer solutions.
  size_t top = 0;
  std::vector<size_t> pivots;
  for (size_t column = 0; column < unknowns; ++column) {
    while (true) {
      std::optional<size_t> smallest;
      bool others = false;
      for (size_t r = top; r < rows.size(); ++r) {
        if (rows[r][column] == 0) continue;
        if (smallest) others = true;
        if (!smallest || std::abs(rows[r][column]) < std::abs(rows[*smallest][column])) smallest = r;
      }
      if (!smallest) break;
      std::swap(rows[top], rows[*smallest]);
      if (!others) {
        pivots.push_back(column);
        ++top;
        break;
      }
      for (size_t r = top + 1; r < rows.size(); ++r) {
        const int64_t factor = rows[r][column] / rows[top][column];
        for (size_t k = 0; k <= unknowns && factor != 0; ++k) rows[r][k] -= factor * rows[top][k];
      }
    }
  }
  for (size_t r = top; r < rows.size(); ++r) {
    if (rows[r][unknowns] != 0) return false;
  }
  // Back substitution with free unknowns 0, because an unknown is free only if no value has its digit alone.
  std::vector<int64_t> solution(unknowns, 0);
  for (size_t r = top; r-- > 0;) {
    int64_t sum = rows[r][unknowns];
    for (size_t k = pivots[r] + 1; k < unknowns; ++k) sum -= rows[r][k] * solution[k];
    if (sum % rows[r][pivots[r]] != 0) return false;
    solution[pivots[r]] = sum / rows[r][pivots[r]];
  }
  return true;
}

bool HasLeftInverse(const std::vector<int64_t>& table, std::vector<int64_t>& radices, int64_t reach) {
  if (IndexIsLinearInDigits(table, radices)) return true;
  for (int64_t prime : {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71}) {
    if (prime > reach) break;
    radices.push_back(prime);
    const bool found = HasLeftInverse(table, radices, reach / prime);
    radices.pop_back();
    if (found) return true;
  }
  return false;
}

TEST(AlgebraScope, LeftInverse) {
  Tally tally;
  int64_t injective = 0;
  int64_t given_up = 0;
  int64_t in_strides = 0;  // accepted injective layouts whose radix are the strides
  const auto [first, step] = ShareOf(29);
  for (const Case& c : TwoModes()) {
    ++tally.cases;
    injective += c.injective;
    const Expected<ShapeStrideLayout> result = LeftInverse(c.layout);
    if (!result) {
      given_up += result.error().kind == ErrorKind::kUnavailable;
      // The result is compared with a search without pruning that solves each mixed radix on its own.
      std::vector<int64_t> radices;
      if (c.injective && static_cast<size_t>(tally.cases) % step == first &&
          HasLeftInverse(c.table, radices, *std::ranges::max_element(c.table))) {
        if (tally.missed++ == 0) std::printf("missed: %s\n", ToString(c.layout).c_str());
      }
      continue;
    }
    ++tally.accepted;
    tally.representable += c.injective;
    const std::vector<StridedMode> inverse = *FlatModes(*result);
    in_strides += c.injective && *HasExactComplement(c.layout);
    for (size_t i = 0; i < c.table.size(); ++i) {
      const int64_t index = ValueAt(inverse, c.table[i]);
      if (index < 0 || index >= static_cast<int64_t>(c.table.size()) ||
          c.table[static_cast<size_t>(index)] != c.table[i] || (c.injective && index != static_cast<int64_t>(i))) {
        tally.Wrong(ToString(c.layout) + " -> " + ToString(*result));
        break;
      }
    }
  }
  tally.Print("left inverse (representable: of the injective ones)");
  std::printf("  %lld injective, %lld of them with a left inverse, in the radix of the strides %lld; %lld given up\n",
              static_cast<long long>(injective), static_cast<long long>(tally.representable),
              static_cast<long long>(in_strides), static_cast<long long>(given_up));
  EXPECT_EQ(tally.wrong, 0) << tally.first_wrong;
  EXPECT_EQ(tally.missed, 0);
  EXPECT_EQ(given_up, 0);
}

}  // namespace
}  // namespace layoutcheck
