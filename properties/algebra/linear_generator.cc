// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <array>
#include <utility>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/linear/linear_algebra.h"
#include "layoutcheck/properties/algebra/algebra_generator.h"

namespace layoutcheck {
namespace {

constexpr size_t kMostDimensions = 3;
constexpr size_t kMostDimensionBits = 3;
constexpr std::array<std::string_view, kMostDimensions> kInputNames = {"register", "lane", "warp"};
constexpr std::array<std::string_view, kMostDimensions> kOutputNames = {"dim0", "dim1", "dim2"};

using Dimensions = std::vector<LinearOutput>;  // dimensions of outputs or inputs

size_t BitsOf(const Dimensions& dimensions) {
  size_t bits = 0;
  for (const LinearOutput& dimension : dimensions) bits += dimension.bits;
  return bits;
}

// Draws one to three dimensions in the order of the names, of which some may be skipped.
Dimensions DrawDimensions(Choices& choices, std::span<const std::string_view> names) {
  Dimensions dimensions;
  const size_t count = 1 + choices.Choose(kMostDimensions);
  const size_t first = choices.Choose(names.size() - count + 1);
  for (size_t k = first; k < first + count; ++k) {
    dimensions.push_back({std::string(names[k]), choices.Choose(kMostDimensionBits + 1)});
  }
  return dimensions;
}

// Exchanges the first dimension with another one, mostly with itself.
void DrawOrder(Choices& choices, Dimensions& dimensions) {
  std::swap(dimensions.front(), dimensions[choices.Choose(dimensions.size())]);
}

// Makes a layout of which image k is image(k).
template <class Image>
LinearLayout LayoutOf(const Dimensions& inputs, const Dimensions& outputs, Image image) {
  std::vector<LinearInput> with_images;
  size_t k = 0;
  for (const LinearOutput& input : inputs) {
    LinearInput& added = with_images.emplace_back(LinearInput{input.name, {}});
    for (size_t bit = 0; bit < input.bits; ++bit) added.images.push_back(image(k++));
  }
  return LinearLayout::Create(std::move(with_images), outputs).value_or(LinearLayout());
}

// Draws images that are the bits of the outputs in order, single bits, zero, or any.
LinearLayout DrawLayout(Choices& choices, const Dimensions& inputs, const Dimensions& outputs) {
  const size_t bits = BitsOf(outputs);
  return LayoutOf(inputs, outputs, [&](size_t k) -> uint64_t {
    if (bits == 0) return 0;
    switch (choices.Choose(4)) {
      case 0: return uint64_t{1} << k % bits;
      case 1: return uint64_t{1} << choices.Choose(bits);
      case 2: return choices.Choose(uint64_t{1} << bits);
      default: return 0;
    }
  });
}

// Draws a layout that takes every value: image k has bit k, in one of two orders, and perhaps bits before it; further
// images are any.
LinearLayout DrawOnto(Choices& choices, Dimensions outputs) {
  DrawOrder(choices, outputs);
  const size_t bits = BitsOf(outputs);
  const bool is_reversed = choices.Choose(2) == 1;
  const size_t more = bits == 0 ? 0 : choices.Choose(3);
  const Dimensions inputs = {{"offset", bits + more}};
  return LayoutOf(inputs, outputs, [&](size_t k) -> uint64_t {
    if (k >= bits) return choices.Choose(uint64_t{1} << bits);
    const size_t bit = is_reversed ? bits - 1 - k : k;
    const uint64_t lower = choices.Choose(2) == 0 ? 0 : choices.Choose(uint64_t{1} << bit);
    return uint64_t{1} << bit | lower;
  });
}

// Draws "[x:2,y:8]" with so many bits together.
std::string DrawSizes(Choices& choices, size_t bits) {
  const size_t first = choices.Choose(bits + 1);
  const size_t second = choices.Choose(bits - first + 1);
  return StrCat("[x:", uint64_t{1} << first, ",y:", uint64_t{1} << second,
                ",z:", uint64_t{1} << (bits - first - second), "]");
}

std::string DrawAttribute(Choices& choices) {
  const auto draw = [&](uint64_t most) { return uint64_t{1} << choices.Choose(most); };
  const auto pair = [&](uint64_t most) {
    const uint64_t first = draw(most);
    return StrCat("[", first, ", ", draw(most), "]");
  };
  const std::string order = choices.Choose(2) == 0 ? "[1, 0]" : "[0, 1]";
  if (choices.Choose(2) == 0) {
    const std::string threads = pair(4);
    const std::string warps = pair(3);
    const std::string each = pair(3);
    const std::string shape = pair(7);
    return StrCat("#ttg.blocked<{sizePerThread = ", each, ", threadsPerWarp = ", threads, ", warpsPerCTA = ", warps,
                  ", order = ", order, "}> ", shape);
  }
  const uint64_t vec = draw(4);
  const uint64_t per_phase = draw(3);
  const uint64_t most_phases = draw(4);
  return StrCat("#ttg.swizzled_shared<{vec = ", vec, ", perPhase = ", per_phase, ", maxPhase = ", most_phases,
                ", order = ", order, "}> ", pair(7));
}

// Changes one image of the layout.
LinearLayout WithOtherImage(Choices& choices, const LinearLayout& layout) {
  std::vector<LinearInput> inputs = layout.inputs();
  LinearInput& input = inputs[choices.Choose(inputs.size())];
  if (input.images.empty() || layout.output_bits() == 0) return layout;
  input.images[choices.Choose(input.images.size())] ^= uint64_t{1} << choices.Choose(layout.output_bits());
  return LinearLayout::Create(std::move(inputs), layout.outputs()).value_or(layout);
}

}  // namespace

DrawnLinear DrawLinear(Choices& choices) {
  constexpr size_t kManyBits = 30;
  DrawnLinear drawn;
  Dimensions inputs = DrawDimensions(choices, kInputNames);
  Dimensions outputs = DrawDimensions(choices, kOutputNames);
  if (choices.Choose(8) == 7) {
    inputs[choices.Choose(inputs.size())].bits += kManyBits;
    outputs[choices.Choose(outputs.size())].bits += kManyBits;
  }
  drawn.layout = DrawLayout(choices, inputs, outputs);

  Dimensions between = outputs;
  if (choices.Choose(4) == 3) ++between[choices.Choose(between.size())].bits;
  DrawOrder(choices, between);
  const std::array<std::string_view, 3> names = {"offset", "block", "bank"};
  drawn.outer = DrawLayout(choices, between, DrawDimensions(choices, names));

  const Dimensions factor_inputs = DrawDimensions(choices, kInputNames);
  drawn.factor = DrawLayout(choices, factor_inputs, DrawDimensions(choices, kOutputNames));
  drawn.product = Product(drawn.layout, drawn.factor).value_or(drawn.layout);
  if (choices.Choose(4) == 3) drawn.product = WithOtherImage(choices, drawn.product);
  drawn.onto = DrawOnto(choices, outputs);
  drawn.number = choices.Choose(uint64_t{1} << BitsOf(inputs));
  drawn.input = inputs[choices.Choose(inputs.size())].name;
  drawn.input_sizes = DrawSizes(choices, BitsOf(inputs));
  drawn.output_sizes = DrawSizes(choices, BitsOf(outputs));
  drawn.attribute = DrawAttribute(choices);
  return drawn;
}

}  // namespace layoutcheck
