// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks composition, complement, divides and products against tables of values, over the scope of algebra_scopes.h. By
// default runs a deterministic part of the largest scopes. With LAYOUTCHECK_FULL_SCOPE=K/N in the environment, runs
// share K of N of everything, as `./run algebra` does with one share per core.
#include <gtest/gtest.h>
#include <algorithm>
#include <cstdio>
#include <map>
#include <set>
#include <string>
#include <vector>
#include "layoutcheck/core/algebra/complement.h"
#include "layoutcheck/core/algebra/composition.h"
#include "layoutcheck/core/algebra/divide_product.h"
#include "layoutcheck/core/shape_stride/evaluate.h"
#include "layoutcheck/core/testing/algebra_scopes.h"

namespace layoutcheck {
namespace {

// Returns true if the table over the coordinates of `modes` is a sum of tables of one layout per mode.
bool IsCompatibleTable(const std::vector<int64_t>& table, const std::vector<StridedMode>& modes) {
  std::vector<std::vector<int64_t>> along;
  size_t step = 1;
  for (const StridedMode& mode : modes) {
    std::vector<int64_t>& values = along.emplace_back();
    for (int64_t c = 0; c < mode.extent; ++c) values.push_back(table[static_cast<size_t>(c) * step]);
    if (!IsLayoutTable(values)) return false;
    step *= static_cast<size_t>(mode.extent);
  }
  for (size_t i = 0; i < table.size(); ++i) {
    int64_t sum = 0;
    size_t rest = i;
    for (const std::vector<int64_t>& values : along) {
      sum += values[rest % values.size()];
      rest /= values.size();
    }
    if (table[i] != sum) return false;
  }
  return true;
}

void CheckComposition(const Case& a, const Case& b, Tally& tally) {
  ++tally.cases;
  std::vector<int64_t> expected;
  for (const int64_t index : b.table) expected.push_back(ValueAt(a.modes, index));
  const Expected<ShapeStrideLayout> result = Composition(a.layout, b.layout);
  if (result) {
    ++tally.accepted;
    ++tally.representable;
    if (!Compatible(b.layout.shape, result->shape) || StridedOffsetTable(*result, 1000).value() != expected) {
      tally.Wrong(ToString(a.layout) + " o " + ToString(b.layout) + " = " + ToString(*result));
    }
  } else if (IsCompatibleTable(expected, b.modes)) {
    ++tally.representable;
    if (tally.missed++ == 0) std::printf("missed: %s o %s\n", ToString(a.layout).c_str(), ToString(b.layout).c_str());
  }
}

TEST(AlgebraScope, Composition) {
  Tally one;
  for (const Case& a : TwoModes()) {
    for (const Case& b : OneMode()) {
      if (b.modes[0].extent <= kMaxExtent) CheckComposition(a, b, one);
    }
  }
  one.Print("composition, two modes o one mode (all)");
  Tally two;
  const std::vector<Case>& cases = TwoModes();
  const auto [first, step] = ShareOf(101);
  const size_t pairs = cases.size() * cases.size();
  for (size_t i = first; i < pairs; i += step) CheckComposition(cases[i / cases.size()], cases[i % cases.size()], two);
  std::printf("every %zu-th of %zu pairs from %zu: ", step, pairs, first);
  two.Print("composition, two modes o two modes");
  for (const Tally* tally : {&one, &two}) {
    EXPECT_EQ(tally->wrong, 0) << tally->first_wrong;
    EXPECT_EQ(tally->missed, 0);
    EXPECT_GT(tally->accepted, tally->cases / 10);
  }
}

// The left layout has strides of both signs, so carries can cancel. Still no representable result is rejected.
TEST(AlgebraScope, CompositionWithThreeModesAndNegativeStrides) {
  Tally tally;
  const std::vector<int64_t> strides = {-3, -1, 0, 1, 2, 4, 6};
  for (int64_t code = 0; code < 27; ++code) {
    for (const int64_t e0 : strides) {
      for (const int64_t e1 : strides) {
        for (const int64_t e2 : {1, 4, 8}) {
          const std::vector<StridedMode> modes = {{code % 3 + 2, e0}, {code / 3 % 3 + 2, e1}, {code / 9 + 2, e2}};
          for (const int64_t d0 : {-5, -2, -1, 1, 2, 3, 4, 6}) {
            for (const int64_t d1 : {-3, 0, 1, 5, 8}) {
              for (const auto& [n0, n1] : {std::pair{2, 3}, {4, 2}, {6, 1}}) {
                const Case b = MakeCase({{n0, d0}, {n1, d1}});
                std::vector<int64_t> expected;
                for (const int64_t i : b.table) expected.push_back(i < 0 ? -ValueAt(modes, -i) : ValueAt(modes, i));
                ++tally.cases;
                const Expected<ShapeStrideLayout> result = Composition(LayoutOfModes(modes), b.layout);
                if (result) {
                  ++tally.accepted;
                  ++tally.representable;
                  if (StridedOffsetTable(*result, 1000).value() != expected) tally.Wrong(ToString(b.layout));
                } else if (IsCompatibleTable(expected, b.modes)) {
                  ++tally.representable;
                  ++tally.missed;
                }
              }
            }
          }
        }
      }
    }
  }
  tally.Print("composition, three modes o two modes, signed strides");
  EXPECT_EQ(tally.wrong, 0) << tally.first_wrong;
  EXPECT_EQ(tally.missed, 0);
}

// Returns true if copies of the set, each starting at the first gap, fill some 0..K-1 with K >= cotarget.
bool Tiles(const std::set<int64_t>& values, int64_t cotarget) {
  constexpr int64_t kBound = 1000;
  std::vector<bool> covered(2 * kBound, false);
  int64_t gap = 0;
  int64_t end = 0;
  while (gap < kBound) {
    if (gap == end && gap >= cotarget) return true;
    for (const int64_t value : values) {
      const auto place = static_cast<size_t>(gap + value);
      if (covered[place]) return false;
      covered[place] = true;
      end = std::max(end, gap + value + 1);
    }
    while (covered[static_cast<size_t>(gap)]) ++gap;
  }
  return false;
}

TEST(AlgebraScope, Complement) {
  Tally tally;
  int64_t exact_results = 0;
  for (const Case& c : TwoModes()) {
    const ShapeStrideLayout filtered = *Filter(c.layout);
    const std::vector<int64_t> values = *StridedOffsetTable(filtered, 1000);
    const std::set<int64_t> image(values.begin(), values.end());
    const bool injective = image.size() == values.size();
    for (const int64_t cotarget : {1, 5, 12, 24, 36, 72}) {
      ++tally.cases;
      const bool tiles = injective && Tiles(image, cotarget);
      tally.representable += tiles ? 1 : 0;
      const Expected<ShapeStrideLayout> result = Complement(c.layout, cotarget);
      if (!result) {
        tally.missed += tiles ? 1 : 0;
        continue;
      }
      ++tally.accepted;
      const std::vector<int64_t> rest = *StridedOffsetTable(*result, 10000);
      std::set<int64_t> all;
      for (const int64_t r : rest) {
        for (const int64_t v : values) all.insert(r + v);
      }
      const bool ordered = std::ranges::is_sorted(rest, std::ranges::less_equal{}) || rest.size() == 1;
      const bool disjoint = all.size() == rest.size() * values.size();
      const bool exact = *HasExactComplement(c.layout);
      const bool onto = static_cast<int64_t>(all.size()) == *all.rbegin() + 1 && *all.rbegin() + 1 >= cotarget;
      if (!ordered || !disjoint || (exact && !onto)) {
        tally.Wrong(ToString(c.layout) + " in " + std::to_string(cotarget) + " -> " + ToString(*result));
      }
      if (tiles && !(exact && onto)) ++tally.missed;
      exact_results += exact ? 1 : 0;
    }
  }
  tally.Print("complement");
  std::printf("  %lld exact, the others ordered and disjoint\n", static_cast<long long>(exact_results));
  EXPECT_EQ(tally.wrong, 0) << tally.first_wrong;
  EXPECT_EQ(tally.missed, 0);
}

void CheckDivide(const Case& a, const Case& t, Tally& tally) {
  ++tally.cases;
  const auto size = static_cast<int64_t>(a.table.size());
  const Expected<ShapeStrideLayout> rest = Complement(t.layout, size);
  const Expected<bool> exact = HasExactComplement(t.layout);
  std::vector<int64_t> indices;
  bool representable = false;
  if (rest && *exact) {
    const std::vector<int64_t> shifts = *StridedOffsetTable(*rest, 100000);
    for (const int64_t r : shifts) {
      for (const int64_t v : t.table) indices.push_back(v + r);
    }
    std::vector<StridedMode> modes = t.modes;
    const std::vector<StridedMode> rest_modes = *FlatModes(*rest);
    modes.insert(modes.end(), rest_modes.begin(), rest_modes.end());
    std::vector<int64_t> expected;
    for (const int64_t index : indices) expected.push_back(ValueAt(a.modes, index));
    representable = IsCompatibleTable(expected, modes);
    tally.representable += representable ? 1 : 0;
  }
  const Expected<ShapeStrideLayout> result = Divide(a.layout, Tiler::Of(t.layout), Gather::kLogical);
  if (!result) {
    if (representable && tally.missed++ == 0) {
      std::printf("missed: %s / %s\n", ToString(a.layout).c_str(), ToString(t.layout).c_str());
    }
    return;
  }
  ++tally.accepted;
  const std::vector<int64_t> values = *StridedOffsetTable(*result, 100000);
  bool right = representable && Rank(*result) == 2 && values.size() == indices.size() &&
               Compatible(t.layout.shape, result->shape.elements()[0]);
  for (size_t i = 0; right && i < values.size(); ++i) right = values[i] == ValueAt(a.modes, indices[i]);
  // The result has every index of A.
  const std::set<int64_t> reached(indices.begin(), indices.end());
  for (int64_t i = 0; right && i < size; ++i) right = reached.contains(i);
  if (right && static_cast<int64_t>(values.size()) == size) {
    std::vector<int64_t> sorted = values;
    std::vector<int64_t> original = a.table;
    std::ranges::sort(sorted);
    std::ranges::sort(original);
    right = sorted == original;
  }
  // For a tiler that is one layout, the other ways to gather tile and rest have the same values in the same order.
  for (const Gather gather : {Gather::kZipped, Gather::kTiled, Gather::kFlat}) {
    const Expected<ShapeStrideLayout> gathered = Divide(a.layout, Tiler::Of(t.layout), gather);
    right = right && gathered && *StridedOffsetTable(*gathered, 100000) == values;
  }
  if (!right) tally.Wrong(ToString(a.layout) + " / " + ToString(t.layout) + " = " + ToString(*result));
}

TEST(AlgebraScope, Divides) {
  Tally one;
  const auto [one_first, one_step] = ShareOf(13);
  size_t index = 0;
  for (const Case& a : TwoModes()) {
    for (const Case& t : OneMode()) {
      if (t.modes[0].extent <= kMaxExtent && index++ % one_step == one_first) CheckDivide(a, t, one);
    }
  }
  std::printf("every %zu-th from %zu: ", one_step, one_first);
  one.Print("logical, zipped, tiled and flat divide, two modes by one mode");
  Tally two;
  const std::vector<Case>& cases = TwoModes();
  const auto [first, step] = ShareOf(499);
  const size_t pairs = cases.size() * cases.size();
  for (size_t i = first; i < pairs; i += step) CheckDivide(cases[i / cases.size()], cases[i % cases.size()], two);
  std::printf("every %zu-th of %zu pairs from %zu: ", step, pairs, first);
  two.Print("logical, zipped, tiled and flat divide, two modes by two modes");
  for (const Tally* tally : {&one, &two}) {
    EXPECT_EQ(tally->wrong, 0) << tally->first_wrong;
    EXPECT_EQ(tally->missed, 0);
  }
}

// Returns true if blocked and raked product have the value of A at its coordinate plus that of the place of the copy.
bool PairsModes(const Case& a, const Case& t, const std::vector<int64_t>& places) {
  const auto blocked = BlockedProduct(a.layout, t.layout);
  const auto raked = RakedProduct(a.layout, t.layout);
  if (!blocked || !raked) return false;
  std::vector<int64_t> expected_blocked;
  std::vector<int64_t> expected_raked;
  const int64_t rows = a.modes[0].extent;
  const int64_t copies = t.modes[0].extent;
  const auto value = [&](int64_t a0, int64_t t0, int64_t a1, int64_t t1) {
    return a.table[static_cast<size_t>(a0 + rows * a1)] + places[static_cast<size_t>(t0 + copies * t1)];
  };
  for (int64_t outer = 0; outer < a.modes[1].extent * t.modes[1].extent; ++outer) {
    for (int64_t inner = 0; inner < rows * copies; ++inner) {
      const int64_t a1 = a.modes[1].extent;
      const int64_t t1 = t.modes[1].extent;
      expected_blocked.push_back(value(inner % rows, inner / rows, outer % a1, outer / a1));
      expected_raked.push_back(value(inner / copies, inner % copies, outer / t1, outer % t1));
    }
  }
  return *StridedOffsetTable(*blocked, 100000) == expected_blocked &&
         *StridedOffsetTable(*raked, 100000) == expected_raked;
}

void CheckProduct(const Case& a, const Case& t, Tally& tally) {
  ++tally.cases;
  const Expected<ShapeStrideLayout> result = Multiply(a.layout, Tiler::Of(t.layout), Gather::kLogical);
  // The product is representable if the complement exists, its values at those of the tiler are the values of a layout,
  // and no copies overlap.
  const auto size = static_cast<int64_t>(a.table.size());
  const Expected<ShapeStrideLayout> rest = Complement(a.layout, size * *Cosize(t.layout));
  if (rest) {
    const std::vector<StridedMode> rest_modes = *FlatModes(*rest);
    std::vector<int64_t> shifts;
    for (const int64_t index : t.table) shifts.push_back(ValueAt(rest_modes, index));
    std::set<int64_t> values;
    for (const int64_t shift : shifts) {
      for (const int64_t value : a.table) values.insert(shift + value);
    }
    const size_t copies = std::set(t.table.begin(), t.table.end()).size();
    const size_t copied = std::set(a.table.begin(), a.table.end()).size();
    if (IsCompatibleTable(shifts, t.modes) && values.size() == copies * copied) {
      ++tally.representable;
      if (!result && tally.missed++ == 0) {
        std::printf("missed: %s x %s\n", ToString(a.layout).c_str(), ToString(t.layout).c_str());
      }
    }
  }
  if (!result) return;
  ++tally.accepted;
  const std::vector<int64_t> values = *StridedOffsetTable(*result, 100000);
  const std::vector<ShapeStrideLayout> modes = Modes(*result);
  bool right = modes.size() == 2 && modes[0] == a.layout && Compatible(t.layout.shape, modes[1].shape) &&
               values.size() == a.table.size() * t.table.size();
  if (right && a.injective && t.injective) right = std::set(values.begin(), values.end()).size() == values.size();
  // The tiler places the copies: equal values of the tiler give equal copies, and different values different ones.
  const std::vector<int64_t> places = *StridedOffsetTable(modes[1], 1000);
  std::map<int64_t, int64_t> place_of;
  for (size_t i = 0; right && i < places.size(); ++i) {
    const auto [known, inserted] = place_of.try_emplace(t.table[i], places[i]);
    right = known->second == places[i];
  }
  if (right && t.modes.size() == 2) right = PairsModes(a, t, places);
  if (!right) tally.Wrong(ToString(a.layout) + " x " + ToString(t.layout) + " = " + ToString(*result));
}

TEST(AlgebraScope, Products) {
  Tally one;
  const auto [one_first, one_step] = ShareOf(13);
  size_t index = 0;
  for (const Case& a : TwoModes()) {
    for (const Case& t : OneMode()) {
      if (t.modes[0].extent <= kMaxExtent && index++ % one_step == one_first) CheckProduct(a, t, one);
    }
  }
  std::printf("every %zu-th from %zu: ", one_step, one_first);
  one.Print("logical product, two modes by one mode");
  Tally two;
  const std::vector<Case>& cases = TwoModes();
  const auto [first, step] = ShareOf(499);
  const size_t pairs = cases.size() * cases.size();
  for (size_t i = first; i < pairs; i += step) CheckProduct(cases[i / cases.size()], cases[i % cases.size()], two);
  std::printf("every %zu-th of %zu pairs from %zu: ", step, pairs, first);
  two.Print("logical, blocked and raked product, two modes by two modes");
  for (const Tally* tally : {&one, &two}) {
    EXPECT_EQ(tally->wrong, 0) << tally->first_wrong;
    EXPECT_EQ(tally->missed, 0);
  }
}

}  // namespace
}  // namespace layoutcheck
