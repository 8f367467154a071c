// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Laws of layouts in bits. Layouts are compared by the names of their inputs and outputs, because the order of those of
// a product is not determined.
#include <algorithm>
#include "layoutcheck/core/linear/linear_algebra.h"
#include "layoutcheck/core/linear/linear_text.h"
#include "layoutcheck/properties/algebra/algebra_reference.h"
#include "layoutcheck/properties/algebra/function_law.h"

namespace layoutcheck::algebra {
namespace {

// Returns true if both layouts have the same inputs, outputs and values, in any order of their names.
bool AreEqual(const LinearLayout& a, const LinearLayout& b) {
  std::vector<std::string> outputs;
  for (const LinearOutput& output : a.outputs()) outputs.push_back(output.name);
  const Expected<LinearLayout> other = TransposeOutputs(b, outputs);
  if (!other || other->outputs() != a.outputs() || other->inputs().size() != a.inputs().size()) return false;
  return std::ranges::all_of(other->inputs(), [&](const LinearInput& input) {
    const std::optional<size_t> same = a.FindInput(input.name);
    return same && a.inputs()[*same].images == input.images;
  });
}

LinearLayout LayoutAt(const Question& question, size_t argument) {
  return ReadLinearArgument(question.texts[argument]).value_or(LinearLayout());
}

// Judges the layout in the answer by whether `is_right` holds for it. `expected` describes a right one in words.
template <class IsRight>
LawResult JudgeLayout(const ApplyAnswer& given, std::string expected, IsRight is_right) {
  if (!given.layout) return LawResult::Disagree(std::move(expected), "no layout");
  const Expected<LinearLayout> layout = ReadLinearArgument(*given.layout);
  if (!layout) return LawResult::Disagree("a layout in bits", StrCat(*given.layout, ": ", layout.error().ToString()));
  if (is_right(*layout)) return LawResult::Agree();
  return LawResult::Disagree(std::move(expected), ToString(*layout));
}

// Judges that the answer is the only layout that is right, that of the function of the reference.
LawResult IsThatOfReference(const Question& question, const ApplyAnswer& given) {
  const auto reference = std::get<ApplyAnswer>(ApplyReference(question.function, question.texts));
  if (!reference.layout) return JudgeLayout(given, "a rejection", [](const LinearLayout&) { return false; });
  const LinearLayout expected = ReadLinearArgument(*reference.layout).value_or(LinearLayout());
  return JudgeLayout(given, *reference.layout, [&](const LinearLayout& layout) { return AreEqual(layout, expected); });
}

LawResult IsQuotient(const Question& question, const ApplyAnswer& given) {
  return JudgeLayout(given, "a layout whose product with the second is the first", [&](const LinearLayout& quotient) {
    const Expected<LinearLayout> product = Product(LayoutAt(question, 1), quotient);
    return product && AreEqual(*product, LayoutAt(question, 0));
  });
}

LawResult IsInverse(const Question& question, const ApplyAnswer& given) {
  return JudgeLayout(given, "a layout that leads back to each value", [&](const LinearLayout& inverse) {
    const LinearLayout layout = LayoutAt(question, 0);
    const Expected<LinearLayout> both = Compose(inverse, layout);
    if (!both || both->input_bits() != both->output_bits()) return false;
    for (size_t k = 0; k < both->inputs().size(); ++k) {
      const std::optional<size_t> output = both->FindOutput(both->inputs()[k].name);
      if (!output) return false;
      for (size_t bit = 0; bit < both->inputs()[k].images.size(); ++bit) {
        std::vector<int64_t> parts(both->outputs().size());
        parts[*output] = int64_t{1} << bit;
        if (bit >= both->outputs()[*output].bits) return false;
        if (both->inputs()[k].images[bit] != both->OutputIndex(parts)) return false;
      }
    }
    return true;
  });
}

LawResult LeadsToTheSameValue(const Question& question, const ApplyAnswer& given) {
  return JudgeLayout(given, "a layout c such that the second layout at c(x) is the first at x",
                     [&](const LinearLayout& c) {
                       const Expected<LinearLayout> both = Compose(c, LayoutAt(question, 1));
                       if (!both) return false;
                       // The outputs of the second layout may be larger.
                       const LinearLayout first = LayoutAt(question, 0);
                       const Expected<LinearLayout> reference = InvertAndCompose(first, LayoutAt(question, 1));
                       const Expected<LinearLayout> expected =
                           reference ? Compose(*reference, LayoutAt(question, 1)) : Expected<LinearLayout>(first);
                       return expected && AreEqual(*both, *expected);
                     });
}

std::string TextOf(const LinearLayout& layout) { return ToString(layout); }
std::string TextOf(uint64_t number) { return StrCat(number); }
std::string TextOf(const std::string& text) { return text; }

// Returns these members of a case as arguments.
template <auto... kMembers>
Texts Of(const AlgebraCase& c) {
  return {TextOf(c.linear.*kMembers)...};
}

}  // namespace

std::span<const FunctionLaw> LinearLaws() {
  static constexpr FunctionLaw kLaws[] = {
      {"bits-index", "linear_apply", "The value of a number is the exclusive or of the images of its bits.",
       "layouts in bits and a number of the input", Of<&DrawnLinear::layout, &DrawnLinear::number>},
      {"bits-injective", "linear_is_injective", "A layout is injective if no image is a sum of others.",
       "layouts in bits", Of<&DrawnLinear::layout>},
      {"bits-onto", "linear_is_surjective", "A layout is onto if every bit of the outputs is a sum of images.",
       "layouts in bits", Of<&DrawnLinear::layout>},
      {"bits-compose", "linear_compose", "compose(a, b) takes x to b(a(x)), with outputs matched by name.",
       "layouts in bits, of which the second takes the outputs of the first",
       Of<&DrawnLinear::layout, &DrawnLinear::outer>, IsThatOfReference},
      {"bits-product", "linear_product", "a * b has the bits of a below those of b in inputs and outputs of one name.",
       "two layouts in bits", Of<&DrawnLinear::layout, &DrawnLinear::factor>, IsThatOfReference},
      {"bits-divide-left", "linear_divide_left",
       "a * divide_left(p, a) is p, and there is none if p is no such product.",
       "a layout in bits and a factor of it, or none", Of<&DrawnLinear::product, &DrawnLinear::layout>, IsQuotient},
      {"bits-inverse", "linear_pseudoinvert", "The inverse leads to an input with each value.",
       "layouts in bits that are onto", Of<&DrawnLinear::onto>, IsInverse},
      {"bits-invert-and-compose", "linear_invert_and_compose",
       "b takes invert_and_compose(a, b) at x to the value of a at x.",
       "layouts in bits with the same outputs, of which the second is onto",
       Of<&DrawnLinear::layout, &DrawnLinear::onto>, LeadsToTheSameValue},
      {"bits-flatten-inputs", "linear_flatten_ins", "All inputs become one, the first one fastest.", "layouts in bits",
       Of<&DrawnLinear::layout>, IsThatOfReference},
      {"bits-flatten-outputs", "linear_flatten_outs", "All outputs become one, the first one fastest.",
       "layouts in bits", Of<&DrawnLinear::layout>, IsThatOfReference},
      {"bits-reshape-inputs", "linear_reshape_ins",
       "The bits of all inputs, the first one fastest, are cut into the new ones.",
       "a layout in bits and sizes of as many bits", Of<&DrawnLinear::layout, &DrawnLinear::input_sizes>,
       IsThatOfReference},
      {"bits-reshape-outputs", "linear_reshape_outs",
       "The bits of all outputs, the first one fastest, are cut into the new ones.",
       "a layout in bits and sizes of as many bits", Of<&DrawnLinear::layout, &DrawnLinear::output_sizes>,
       IsThatOfReference},
      {"bits-consecutive", "linear_num_consecutive",
       "As many neighbors in the first input, aligned, are neighbors in the first output, aligned.", "layouts in bits",
       Of<&DrawnLinear::layout>},
      {"bits-free-variables", "linear_free_variables",
       "A bit is free if its image is a sum of the images of bits before it.", "a layout in bits and an input",
       Of<&DrawnLinear::layout, &DrawnLinear::input>},
      {"bits-attribute", "linear_layout",
       "An attribute of Triton stands for the layout that toLinearLayout makes of it.",
       "blocked and swizzled_shared attributes with a shape", Of<&DrawnLinear::attribute>, IsThatOfReference},
  };
  return kLaws;
}

}  // namespace layoutcheck::algebra
