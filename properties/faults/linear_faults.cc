// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Faults in layouts in bits.
#include <algorithm>
#include <bit>
#include <cstdlib>
#include <utility>
#include "layoutcheck/core/linear/linear_algebra.h"
#include "layoutcheck/core/linear/linear_text.h"
#include "layoutcheck/properties/algebra/algebra_reference.h"
#include "layoutcheck/properties/faults/algebra_fault.h"

namespace layoutcheck {
namespace {

using namespace algebra_fault;  // NOLINT(google-build-using-namespace): every fault is written in its terms

LinearLayout LayoutAt(Arguments arguments, size_t argument) {
  return ReadLinearArgument(arguments[argument]).value_or(LinearLayout());
}

void SetLayout(ApplyAnswer& answer, const Expected<LinearLayout>& layout) {
  if (layout) answer = {ToString(*layout), {}, {}};
}

// Returns the layout with the order of its inputs or outputs reversed.
LinearLayout WithInputsReversed(const LinearLayout& layout) {
  std::vector<LinearInput> inputs = layout.inputs();
  std::ranges::reverse(inputs);
  return LinearLayout::Create(std::move(inputs), layout.outputs()).value_or(layout);
}
LinearLayout WithOutputsReversed(const LinearLayout& layout) {
  std::vector<std::string> names;
  for (const LinearOutput& output : layout.outputs()) names.push_back(output.name);
  std::ranges::reverse(names);
  return TransposeOutputs(layout, names).value_or(layout);
}

// Returns the layout with the names of its inputs replaced in their order.
LinearLayout WithInputNames(const LinearLayout& layout, const std::vector<LinearOutput>& names) {
  std::vector<LinearInput> inputs = layout.inputs();
  for (size_t k = 0; k < std::min(inputs.size(), names.size()); ++k) inputs[k].name = names[k].name;
  return LinearLayout::Create(std::move(inputs), layout.outputs()).value_or(layout);
}

void SumOfImages(Arguments arguments, ApplyAnswer& answer) {
  const LinearLayout layout = LayoutAt(arguments, 0);
  const uint64_t number = std::strtoull(arguments[1].c_str(), nullptr, 10);
  uint64_t sum = 0;
  for (size_t bit = 0; bit < layout.input_bits(); ++bit) {
    if ((number >> bit & 1) != 0) sum += layout.images()[bit];
  }
  answer.value = static_cast<int64_t>(sum);
}

bool AreDistinctImages(const LinearLayout& layout) {
  std::vector<uint64_t> images = layout.images();
  std::ranges::sort(images);
  return std::ranges::adjacent_find(images) == images.end() && (images.empty() || images.front() != 0);
}

// Moves the images of the second factor by the bits of the first one's inputs in place of its outputs: the product is
// that of the first one with outputs of other sizes.
void ProductWithoutLowBits(Arguments arguments, ApplyAnswer& answer) {
  const LinearLayout inner = LayoutAt(arguments, 0);
  const Expected<LinearLayout> product = Product(inner, LayoutAt(arguments, 1));
  if (!product || inner.inputs().empty()) return;
  std::vector<LinearInput> inputs = product->inputs();
  for (LinearInput& input : inputs) {
    const std::optional<size_t> of_inner = inner.FindInput(input.name);
    const size_t first = of_inner ? inner.inputs()[*of_inner].images.size() : 0;
    for (size_t bit = first; bit < input.images.size(); ++bit) input.images[bit] >>= 1;
  }
  SetLayout(answer, LinearLayout::Create(std::move(inputs), product->outputs()));
}

// Takes what is left of inputs and outputs for the quotient, without a look at the images of the divisor.
void UncheckedQuotient(Arguments arguments, ApplyAnswer& answer) {
  if (!answer.rejected) return;
  const LinearLayout product = LayoutAt(arguments, 0);
  const LinearLayout inner = LayoutAt(arguments, 1);
  std::vector<LinearInput> inputs = product.inputs();
  for (LinearInput& input : inputs) {
    const std::optional<size_t> k = inner.FindInput(input.name);
    const size_t bits = std::min(input.images.size(), k ? inner.inputs()[*k].images.size() : 0);
    input.images.erase(input.images.begin(), input.images.begin() + static_cast<std::ptrdiff_t>(bits));
    std::ranges::fill(input.images, 0);
  }
  std::vector<LinearOutput> outputs = product.outputs();
  for (LinearOutput& output : outputs) {
    const std::optional<size_t> k = inner.FindOutput(output.name);
    output.bits -= std::min(output.bits, k ? inner.outputs()[*k].bits : 0);
  }
  SetLayout(answer, LinearLayout::Create(std::move(inputs), std::move(outputs)));
}

// Takes, for each bit of the outputs, the first image that begins with it, without elimination.
Expected<LinearLayout> InverseWithoutElimination(const LinearLayout& layout) {
  if (layout.inputs().size() != 1) return LinearLayout();
  std::vector<LinearInput> inputs;
  for (const LinearOutput& output : layout.outputs()) {
    LinearInput& input = inputs.emplace_back(LinearInput{output.name, {}});
    for (size_t bit = 0; bit < output.bits; ++bit) {
      std::vector<int64_t> parts(layout.outputs().size());
      parts[*layout.FindOutput(output.name)] = int64_t{1} << bit;
      const uint64_t value = layout.OutputIndex(parts);
      const auto found = std::ranges::find(layout.images(), std::bit_width(value),
                                           [](uint64_t image) { return std::bit_width(image); });
      input.images.push_back(uint64_t{1} << (found - layout.images().begin()) % 62);
    }
  }
  const LinearInput& only = layout.inputs().front();
  return LinearLayout::Create(std::move(inputs), {{only.name, only.images.size()}});
}

// Counts the first images that double from 1 on, whatever other images do.
void ConsecutiveOfFirstImages(Arguments arguments, ApplyAnswer& answer) {
  const LinearLayout layout = LayoutAt(arguments, 0);
  if (layout.inputs().empty() || layout.outputs().empty()) return;
  int64_t count = 1;
  for (const uint64_t image : layout.inputs().front().images) {
    std::vector<int64_t> parts(layout.outputs().size());
    parts.front() = count;
    if (static_cast<uint64_t>(count) >= layout.outputs().front().size() || image != layout.OutputIndex(parts)) break;
    count *= 2;
  }
  answer.value = count;
}

// Counts the bits of one input whose image is 0.
void FreeIfZero(Arguments arguments, ApplyAnswer& answer) {
  const LinearLayout layout = LayoutAt(arguments, 0);
  const std::optional<size_t> input = layout.FindInput(arguments[1]);
  if (!input) return;
  const std::vector<uint64_t>& images = layout.inputs()[*input].images;
  int64_t mask = 0;
  for (size_t bit = 0; bit < images.size(); ++bit) mask |= int64_t{images[bit] == 0} << bit;
  answer.value = mask;
}

// Returns the text with a part replaced, or nothing if it has no such part.
Texts OfOtherText(std::string text, std::string_view part, std::string_view other) {
  const size_t at = text.find(part);
  if (at == std::string::npos) return {};
  return {text.replace(at, part.size(), other)};
}

// Returns faults in the values of a layout and in the questions whether it is injective or surjective.
std::vector<Fault> EvaluationFaults() {
  return InFunctions({
      {"bits-images-added", "images are added with carries in place of exclusive or", "linear_apply", SumOfImages},
      {"bits-first-input-slowest", "the inputs of a number are taken in the opposite order", "linear_apply",
       [](Arguments a, ApplyAnswer& r) {
         const LinearLayout layout = WithInputsReversed(LayoutAt(a, 0));
         r.value = static_cast<int64_t>(layout.Apply(std::strtoull(a[1].c_str(), nullptr, 10)));
       }},
      {"bits-value-in-32-bits", "Triton: sizes and values are int32_t", "linear_apply",
       [](Arguments, ApplyAnswer& r) { r.value = static_cast<uint32_t>(r.value.value_or(0)); }},
      {"bits-injective-by-distinct-images", "injective if no image is 0 and no two are equal", "linear_is_injective",
       [](Arguments a, ApplyAnswer& r) { r.value = AreDistinctImages(LayoutAt(a, 0)) ? 1 : 0; }},
      {"bits-injective-by-size", "injective if the outputs have room for the inputs", "linear_is_injective",
       [](Arguments a, ApplyAnswer& r) {
         const LinearLayout layout = LayoutAt(a, 0);
         r.value = layout.input_bits() <= layout.output_bits() ? 1 : 0;
       }},
      {"bits-onto-by-bits-that-occur", "onto if every bit of the outputs is in some image", "linear_is_surjective",
       [](Arguments a, ApplyAnswer& r) {
         const LinearLayout layout = LayoutAt(a, 0);
         uint64_t seen = 0;
         for (const uint64_t image : layout.images()) seen |= image;
         r.value = seen + 1 == uint64_t{1} << layout.output_bits() ? 1 : 0;
       }},
  });
}

// Returns faults in compositions, products, quotients and inverses.
std::vector<Fault> LinearCompositionFaults() {
  return InFunctions({
      {"bits-compose-by-position", "outputs and inputs are matched by their place, not by name", "linear_compose",
       [](Arguments a, ApplyAnswer& r) {
         const LinearLayout inner = LayoutAt(a, 0);
         SetLayout(r, Compose(inner, WithInputNames(LayoutAt(a, 1), inner.outputs())));
       }},
      {"bits-product-swapped", "the second factor has the low bits", "linear_product", Swapped},
      {"bits-product-shifted-by-one-less", "the images of the second factor begin one bit too low", "linear_product",
       ProductWithoutLowBits},
      {"bits-divide-left-unchecked", "a quotient where the divisor is no factor", "linear_divide_left",
       UncheckedQuotient},
      {"bits-inverse-without-elimination", "each bit goes to the image that begins with it", "linear_pseudoinvert",
       [](Arguments a, ApplyAnswer& r) { SetLayout(r, InverseWithoutElimination(LayoutAt(a, 0))); }},
      {"bits-invert-and-compose-by-position", "outputs are matched by their place, not by name",
       "linear_invert_and_compose",
       [](Arguments a, ApplyAnswer& r) {
         const Expected<LinearLayout> inverse = Inverse(LayoutAt(a, 1));
         const LinearLayout layout = LayoutAt(a, 0);
         if (inverse) SetLayout(r, Compose(layout, WithInputNames(*inverse, layout.outputs())));
       }},
  });
}

std::vector<Fault> ReshapeFaults() {
  return InFunctions({
      {"bits-flatten-inputs-last-fastest", "inputs are joined in row-major order", "linear_flatten_ins",
       [](Arguments a, ApplyAnswer& r) {
         const LinearLayout layout = LayoutAt(a, 0);
         const Expected<LinearLayout> flat = FlattenInputs(WithInputsReversed(layout));
         if (flat) SetLayout(r, WithInputNames(*flat, {{layout.inputs().front().name, 0}}));
       }},
      {"bits-reshape-inputs-last-fastest", "inputs are cut in row-major order", "linear_reshape_ins",
       [](Arguments a) -> Texts { return {ToString(WithInputsReversed(LayoutAt(a, 0))), a[1]}; }},
      {"bits-flatten-outputs-last-fastest", "Triton joins with the first output fastest, not the last",
       "linear_flatten_outs",
       [](Arguments a, ApplyAnswer& r) {
         const LinearLayout layout = LayoutAt(a, 0);
         SetLayout(r, LinearLayout::Create(layout.inputs(), {{layout.outputs().front().name, layout.output_bits()}}));
       }},
      {"bits-reshape-outputs-last-fastest", "outputs are cut in row-major order", "linear_reshape_outs",
       [](Arguments a) -> Texts { return {ToString(WithOutputsReversed(LayoutAt(a, 0))), a[1]}; }},
  });
}

// Returns faults in the consecutive elements of a layout and in the free bits of its inputs.
std::vector<Fault> ContiguityFaults() {
  return InFunctions({
      {"bits-consecutive-of-first-images", "other images that move by less than the neighbors are overlooked",
       "linear_num_consecutive", ConsecutiveOfFirstImages},
      {"bits-free-if-zero", "only bits whose image is 0 are free", "linear_free_variables", FreeIfZero},
  });
}

// Returns faults in layouts that are read from Triton's attributes.
std::vector<Fault> AttributeFaults() {
  return InFunctions({
      {"bits-blocked-order-reversed", "the order of the dimensions is read from the slowest on", "linear_layout",
       [](Arguments a) {
         const bool row_major = a[0].contains("order = [1, 0]");
         return OfOtherText(a[0], row_major ? "order = [1, 0]" : "order = [0, 1]",
                            row_major ? "order = [0, 1]" : "order = [1, 0]");
       }},
      {"bits-swizzle-without-per-phase", "each row has a phase of its own", "linear_layout",
       [](Arguments a) {
         const Texts by_two = OfOtherText(a[0], "perPhase = 2", "perPhase = 1");
         return by_two.empty() ? OfOtherText(a[0], "perPhase = 4", "perPhase = 1") : by_two;
       }},
  });
}

}  // namespace

std::vector<Fault> LinearFaults() {
  return JoinFaults(
      {EvaluationFaults(), LinearCompositionFaults(), ReshapeFaults(), ContiguityFaults(), AttributeFaults()});
}

}  // namespace layoutcheck
