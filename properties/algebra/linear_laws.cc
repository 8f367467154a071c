// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Laws of layouts in bits. Layouts are compared by the names of their inputs and outputs, because the order of those of
// a product is not determined.
#include <algorithm>
#include "layoutcheck/core/linear/linear_algebra.h"
#include "layoutcheck/core/linear/linear_text.h"
#include "layoutcheck/properties/algebra/function_law.h"
#include "layoutcheck/properties/algebra/linear_reference.h"

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
template <const char* kFunction>
LawResult IsThatOfReference(const Question& question, const ApplyAnswer& given) {
  const Expected<ApplyAnswer> reference = ApplyLinear(kFunction, question.texts);
  if (!reference) return JudgeLayout(given, "a rejection", [](const LinearLayout&) { return false; });
  const LinearLayout expected = ReadLinearArgument(*reference->layout).value_or(LinearLayout());
  return JudgeLayout(given, *reference->layout, [&](const LinearLayout& layout) { return AreEqual(layout, expected); });
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

Texts OnlyLayout(const AlgebraCase& c) { return {ToString(c.linear.layout)}; }

constexpr char kAttribute[] = "linear_layout";
constexpr char kCompose[] = "linear_compose";
constexpr char kProduct[] = "linear_product";
constexpr char kFlattenIns[] = "linear_flatten_ins";
constexpr char kFlattenOuts[] = "linear_flatten_outs";
constexpr char kReshapeIns[] = "linear_reshape_ins";
constexpr char kReshapeOuts[] = "linear_reshape_outs";

}  // namespace

std::span<const FunctionLaw> LinearLaws() {
  using enum FirstArgument;
  static constexpr FunctionLaw kLaws[] = {
      {"bits-index", "linear_apply", "The value of a number is the exclusive or of the images of its bits.",
       "layouts in bits and a number of the input", kAny,
       [](const AlgebraCase& c) { return Texts{ToString(c.linear.layout), StrCat(c.linear.number)}; }, nullptr},
      {"bits-injective", "linear_is_injective", "A layout is injective if no image is a sum of others.",
       "layouts in bits", kAny, OnlyLayout, nullptr},
      {"bits-onto", "linear_is_surjective", "A layout is onto if every bit of the outputs is a sum of images.",
       "layouts in bits", kAny, OnlyLayout, nullptr},
      {"bits-compose", kCompose, "compose(a, b) takes x to b(a(x)), with outputs matched by name.",
       "layouts in bits, of which the second takes the outputs of the first", kAny,
       [](const AlgebraCase& c) { return Texts{ToString(c.linear.layout), ToString(c.linear.outer)}; },
       IsThatOfReference<kCompose>},
      {"bits-product", kProduct, "a * b has the bits of a below those of b in inputs and outputs of one name.",
       "two layouts in bits", kAny,
       [](const AlgebraCase& c) { return Texts{ToString(c.linear.layout), ToString(c.linear.factor)}; },
       IsThatOfReference<kProduct>},
      {"bits-divide-left", "linear_divide_left",
       "a * divide_left(p, a) is p, and there is none if p is no such product.",
       "a layout in bits and a factor of it, or none", kAny,
       [](const AlgebraCase& c) { return Texts{ToString(c.linear.product), ToString(c.linear.layout)}; }, IsQuotient},
      {"bits-inverse", "linear_pseudoinvert", "The inverse leads to an input with each value.",
       "layouts in bits that are onto", kAny, [](const AlgebraCase& c) { return Texts{ToString(c.linear.onto)}; },
       IsInverse},
      {"bits-invert-and-compose", "linear_invert_and_compose",
       "b takes invert_and_compose(a, b) at x to the value of a at x.",
       "layouts in bits with the same outputs, of which the second is onto", kAny,
       [](const AlgebraCase& c) { return Texts{ToString(c.linear.layout), ToString(c.linear.onto)}; },
       LeadsToTheSameValue},
      {"bits-flatten-inputs", kFlattenIns, "All inputs become one, the first one fastest.", "layouts in bits", kAny,
       OnlyLayout, IsThatOfReference<kFlattenIns>},
      {"bits-flatten-outputs", kFlattenOuts, "All outputs become one, the first one fastest.", "layouts in bits", kAny,
       OnlyLayout, IsThatOfReference<kFlattenOuts>},
      {"bits-reshape-inputs", kReshapeIns, "The bits of all inputs, the first one fastest, are cut into the new ones.",
       "a layout in bits and sizes of as many bits", kAny,
       [](const AlgebraCase& c) { return Texts{ToString(c.linear.layout), c.linear.input_sizes}; },
       IsThatOfReference<kReshapeIns>},
      {"bits-reshape-outputs", kReshapeOuts,
       "The bits of all outputs, the first one fastest, are cut into the new ones.",
       "a layout in bits and sizes of as many bits", kAny,
       [](const AlgebraCase& c) { return Texts{ToString(c.linear.layout), c.linear.output_sizes}; },
       IsThatOfReference<kReshapeOuts>},
      {"bits-consecutive", "linear_num_consecutive",
       "As many neighbors in the first input, aligned, are neighbors in the first output, aligned.", "layouts in bits",
       kAny, OnlyLayout, nullptr},
      {"bits-free-variables", "linear_free_variables",
       "A bit is free if its image is a sum of the images of bits before it.", "a layout in bits and an input", kAny,
       [](const AlgebraCase& c) { return Texts{ToString(c.linear.layout), c.linear.input}; }, nullptr},
      {"bits-attribute", kAttribute, "An attribute of Triton stands for the layout that toLinearLayout makes of it.",
       "blocked and swizzled_shared attributes with a shape", kAny,
       [](const AlgebraCase& c) { return Texts{c.linear.attribute}; }, IsThatOfReference<kAttribute>},
  };
  return kLaws;
}

}  // namespace layoutcheck::algebra
