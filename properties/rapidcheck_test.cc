// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/properties/rapidcheck.h"
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <numeric>
#include <sstream>
#include "layoutcheck/core/algebra/coalesce.h"
#include "layoutcheck/core/base/index_stepper.h"
#include "layoutcheck/core/hlo/parser.h"
#include "layoutcheck/core/hlo/validate.h"
#include "layoutcheck/core/shape_stride/evaluate.h"
#include "layoutcheck/core/tiling/mixed_radix.h"
#include "layoutcheck/core/tiling/pad_reshape_transpose.h"
#include "layoutcheck/core/tiling/sizes.h"
#include "layoutcheck/core/tiling/tiled_index.h"

namespace layoutcheck {
namespace {

RC_GTEST_PROP(RapidCheck, ShapesAreValidAndReadBackFromTheirText, (const Shape& shape)) {
  RC_ASSERT(ValidateShape(shape, MissingLayout::kRejected).has_value());
  RC_ASSERT(ParseShape(ToString(shape)).value() == shape);
}

RC_GTEST_PROP(RapidCheck, TheThreeDefinitionsOfATilingAgree, (const TiledLayout& tiled)) {
  const auto index = MakeTiledIndex(tiled);
  const auto digits = MakeMixedRadix(tiled);
  RC_ASSERT(index.has_value());
  RC_ASSERT(digits.has_value());
  std::vector<int64_t> offsets;
  ForEachIndex(tiled.dimensions, [&](std::span<const int64_t> at) {
    offsets.push_back((*index)(at));
    std::vector<int64_t> back(at.size());
    RC_ASSERT(digits->Coordinate(offsets.back(), back));
    RC_ASSERT(std::ranges::equal(back, at));
    return true;
  });
  std::vector<int64_t> elements(offsets.size());
  std::iota(elements.begin(), elements.end(), 0);
  const auto memory = PadReshapeTranspose<int64_t>(tiled, elements, -1);
  RC_ASSERT(memory.has_value());
  for (size_t e = 0; e < offsets.size(); ++e) {
    RC_ASSERT(memory->at(static_cast<size_t>(offsets[e])) == static_cast<int64_t>(e));
  }
}

RC_GTEST_PROP(RapidCheck, CoalescingAShapeStrideLayoutKeepsItsValues, (const ShapeStrideLayout& layout)) {
  const auto size = Size(layout);
  const auto coalesced = Coalesce(layout);
  RC_ASSERT(size.has_value());
  RC_ASSERT(coalesced.has_value());
  for (int64_t i = 0; i < *size; ++i) RC_ASSERT(Crd2Idx(i, *coalesced).value() == Crd2Idx(i, layout).value());
}

// Returns the text of the value on which `holds` fails after shrinking as in RapidCheck: the first simpler failing
// value replaces the current one.
template <class T, class Holds>
std::string SmallestFailure(uint64_t seed, Holds holds) {
  for (rc::Random random(seed);;) {
    rc::Shrinkable<T> failing = rc::gen::arbitrary<T>()(random.split(), 0);
    if (holds(failing.value())) continue;
    auto simpler = failing.shrinks();
    while (const auto next = simpler.next()) {
      if (holds(next->value())) continue;
      failing = *next;
      simpler = failing.shrinks();
    }
    std::ostringstream text;
    rc::show(failing.value(), text);
    return text.str();
  }
}

bool HasNoTile(const Shape& shape) { return shape.layout->tiles.empty(); }
bool HasNoPadding(const TiledLayout& tiled) {
  int64_t elements = 1;
  for (const int64_t size : tiled.dimensions) elements *= size;
  return MakeTiledIndex(tiled)->padded_elements() == elements;
}
bool HasOneValue(const ShapeStrideLayout& layout) { return *Size(layout) == 1; }

TEST(RapidCheck, ShrinksToTheSimplestValue) {
  for (uint64_t seed = 0; seed < 50; ++seed) {
    EXPECT_EQ(SmallestFailure<Shape>(seed, HasNoTile), "f32[]{:T(1)}");
    EXPECT_EQ(SmallestFailure<Shape>(seed, [](const Shape& shape) { return shape.rank() < 2; }), "f32[1,1]{1,0}");
    EXPECT_EQ(SmallestFailure<TiledLayout>(seed, HasNoPadding), "f32[]{:T(2)}");
    EXPECT_EQ(SmallestFailure<ShapeStrideLayout>(seed, HasOneValue), "2:1");
  }
}

}  // namespace
}  // namespace layoutcheck
