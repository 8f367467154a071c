// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Layouts as arguments of RapidCheck properties. Only this header needs RapidCheck; its users link with RapidCheck.
//
//   #include <gtest/gtest.h>
//   #include <rapidcheck/gtest.h>
//   #include <layoutcheck/properties/rapidcheck.h>
//
//   RC_GTEST_PROP(MyOffset, StaysInTheAllocation, (const layoutcheck::Shape& shape)) { RC_ASSERT(...); }
//
// A failing value is shrunk by its choices: the stream from which it was drawn is made shorter and smaller, and a value
// is drawn again. Every value in a property therefore comes from the generator and is valid.
#pragma once

#include <rapidcheck.h>
#include <cstdint>
#include <ostream>
#include <type_traits>
#include <vector>
#include "layoutcheck/core/hlo/printer.h"
#include "layoutcheck/core/hlo/shape.h"
#include "layoutcheck/core/shape_stride/text.h"
#include "layoutcheck/core/tiling/tiled_layout.h"
#include "layoutcheck/properties/algebra/algebra_generator.h"
#include "layoutcheck/properties/generate/layout_generator.h"

namespace layoutcheck {

// Returns a RapidCheck generator of the values of `draw(Choices&)`, e.g. DrawHugeLayout with a scope.
template <class Draw>
auto GenFromChoices(Draw draw) {
  using Stream = std::vector<uint64_t>;
  using Value = std::invoke_result_t<Draw&, Choices&>;
  const auto replay = [draw](const Stream& stream) {
    ReplayedChoices choices(stream);
    return draw(choices);
  };
  // The streams taken by draws from shorter and smaller streams. Shrinking ends, because each is simpler than its
  // original.
  const auto simpler = [draw](const Stream& stream) {
    const auto candidates =
        rc::seq::concat(rc::shrink::removeChunks(stream),
                        rc::shrink::eachElement(stream, [](uint64_t choice) { return rc::shrink::integral(choice); }));
    const auto taken = rc::seq::map(candidates, [draw](const Stream& candidate) {
      ReplayedChoices choices(candidate);
      draw(choices);
      return choices.taken();
    });
    return rc::seq::filter(taken, [stream](const Stream& other) { return IsSimpler(other, stream); });
  };
  return rc::Gen<Value>([=](rc::Random random, int) {
    const uint64_t seed = random.next();
    RandomChoices choices(seed, random.next());
    draw(choices);
    return rc::shrinkable::map(rc::shrinkable::shrinkRecur(choices.taken(), simpler), replay);
  });
}

// RapidCheck prints failing values with these functions.
inline void showValue(const Shape& shape, std::ostream& stream) { stream << ToString(shape); }
inline void showValue(const ShapeStrideLayout& layout, std::ostream& stream) { stream << ToString(layout); }
inline void showValue(const TiledLayout& tiled, std::ostream& stream) {
  Layout layout(tiled.minor_to_major);
  for (const auto& tile : tiled.tiles) {
    std::vector<int64_t>& sizes = layout.tiles.emplace_back().dimensions;
    for (const auto& entry : tile) sizes.push_back(entry.combine ? Tile::kCombineDimension : entry.size);
  }
  stream << ToString(Shape::Array(ElementType::kF32, tiled.dimensions, layout));
}

}  // namespace layoutcheck

namespace rc {

// Arrays of every element type with a layout: tiles, `*` and attributes within the default LayoutScope.
template <>
struct Arbitrary<layoutcheck::Shape> {
  static Gen<layoutcheck::Shape> arbitrary() {
    return layoutcheck::GenFromChoices(
        [](layoutcheck::Choices& choices) { return layoutcheck::DrawLayout(choices, layoutcheck::LayoutScope()); });
  }
};

// The part of an array that places its elements: sizes, dimension order and tiles.
template <>
struct Arbitrary<layoutcheck::TiledLayout> {
  static Gen<layoutcheck::TiledLayout> arbitrary() {
    return layoutcheck::GenFromChoices([](layoutcheck::Choices& choices) {
      const layoutcheck::LayoutScope scope{.attributes = false};
      return layoutcheck::TiledLayoutOf(layoutcheck::DrawLayout(choices, scope)).value();
    });
  }
};

// CuTe's layouts by DrawShapeStrideLayout.
template <>
struct Arbitrary<layoutcheck::ShapeStrideLayout> {
  static Gen<layoutcheck::ShapeStrideLayout> arbitrary() {
    return layoutcheck::GenFromChoices(layoutcheck::DrawShapeStrideLayout);
  }
};

}  // namespace rc
