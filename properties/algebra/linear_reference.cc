// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/properties/algebra/linear_reference.h"
#include <algorithm>
#include <utility>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/base/text_cursor.h"
#include "layoutcheck/core/linear/linear_algebra.h"
#include "layoutcheck/core/linear/linear_notation.h"
#include "layoutcheck/core/linear/linear_text.h"

namespace layoutcheck {
namespace {

using Arguments = std::span<const std::string>;
using Result = Expected<ApplyAnswer>;

Result AnswerOf(const Expected<LinearLayout>& layout) {
  if (!layout) return std::unexpected(layout.error());
  return ApplyAnswer{ToString(*layout), {}, {}};
}
Result AnswerOf(uint64_t value) { return ApplyAnswer{{}, static_cast<int64_t>(value), {}}; }

// Calls a function with the layouts that the first arguments are.
template <class Call>
Result WithLayout(Arguments arguments, Call call) {
  const Expected<LinearLayout> layout = ReadLinearArgument(arguments[0]);
  if (!layout) return std::unexpected(layout.error());
  return call(*layout);
}
template <class Call>
Result WithLayouts(Arguments arguments, Call call) {
  return WithLayout(arguments, [&](const LinearLayout& first) -> Result {
    return WithLayout(arguments.subspan(1), [&](const LinearLayout& second) { return call(first, second); });
  });
}

// Calls a function with a layout and sizes as the outputs of a layout's text have them: "[x:2,y:8]".
template <class Call>
Result WithSizes(Arguments arguments, Call call) {
  return WithLayout(arguments, [&](const LinearLayout& layout) -> Result {
    const Expected<LinearLayout> sizes = ReadLinearArgument(StrCat("ll{} -> ", arguments[1]));
    if (!sizes) return std::unexpected(sizes.error());
    std::vector<LinearDimension> dimensions;
    for (const LinearOutput& output : sizes->outputs()) dimensions.push_back({output.name, output.size()});
    return AnswerOf(call(layout, dimensions));
  });
}

Result ApplyNumber(Arguments arguments) {
  return WithLayout(arguments, [&](const LinearLayout& layout) -> Result {
    TextCursor cursor(arguments[1]);
    const Expected<int64_t> number = cursor.TakeInteger();
    if (!number) return std::unexpected(number.error());
    if (*number >= 0 && static_cast<uint64_t>(*number) >> layout.input_bits() == 0 && cursor.AtEnd()) {
      return AnswerOf(layout.Apply(static_cast<uint64_t>(*number)));
    }
    return MakeError(ErrorKind::kSyntax,
                     StrCat("expected a number of ", layout.input_bits(), " bits, found ", arguments[1]));
  });
}

Result FreeVariables(Arguments arguments) {
  return WithLayout(arguments, [&](const LinearLayout& layout) -> Result {
    const std::optional<size_t> input = layout.FindInput(arguments[1]);
    if (!input) return MakeError(ErrorKind::kSyntax, StrCat("expected an input, found '", arguments[1], "'"));
    return AnswerOf(FreeVariableMasks(layout)[*input]);
  });
}

Result Divided(const LinearLayout& product, const LinearLayout& inner) {
  const std::optional<LinearLayout> quotient = DivideLeft(product, inner);
  if (quotient) return AnswerOf(*quotient);
  return MakeError(ErrorKind::kInvalidArgument, "the first layout is no product of the second one and another");
}

struct Function {
  std::string_view name;
  size_t argument_count;
  Result (*apply)(Arguments);
};

constexpr Function kFunctions[] = {
    {"linear_layout", 1, [](Arguments a) { return WithLayout(a, [](const LinearLayout& x) { return AnswerOf(x); }); }},
    {"linear_apply", 2, ApplyNumber},
    {"linear_is_injective", 1,
     [](Arguments a) {
       return WithLayout(a, [](const LinearLayout& x) { return AnswerOf(x.IsInjective() ? 1 : 0); });
     }},
    {"linear_is_surjective", 1,
     [](Arguments a) { return WithLayout(a, [](const LinearLayout& x) { return AnswerOf(x.IsOnto() ? 1 : 0); }); }},
    {"linear_compose", 2,
     [](Arguments a) {
       return WithLayouts(a, [](const LinearLayout& x, const LinearLayout& y) { return AnswerOf(Compose(x, y)); });
     }},
    {"linear_product", 2,
     [](Arguments a) {
       return WithLayouts(a, [](const LinearLayout& x, const LinearLayout& y) { return AnswerOf(Product(x, y)); });
     }},
    {"linear_divide_left", 2, [](Arguments a) { return WithLayouts(a, Divided); }},
    {"linear_pseudoinvert", 1,
     [](Arguments a) { return WithLayout(a, [](const LinearLayout& x) { return AnswerOf(Inverse(x)); }); }},
    {"linear_invert_and_compose", 2,
     [](Arguments a) {
       return WithLayouts(
           a, [](const LinearLayout& x, const LinearLayout& y) { return AnswerOf(InvertAndCompose(x, y)); });
     }},
    {"linear_flatten_ins", 1,
     [](Arguments a) { return WithLayout(a, [](const LinearLayout& x) { return AnswerOf(FlattenInputs(x)); }); }},
    {"linear_flatten_outs", 1,
     [](Arguments a) { return WithLayout(a, [](const LinearLayout& x) { return AnswerOf(FlattenOutputs(x)); }); }},
    {"linear_reshape_ins", 2, [](Arguments a) { return WithSizes(a, ReshapeInputs); }},
    {"linear_reshape_outs", 2, [](Arguments a) { return WithSizes(a, ReshapeOutputs); }},
    {"linear_num_consecutive", 1,
     [](Arguments a) { return WithLayout(a, [](const LinearLayout& x) { return AnswerOf(NumConsecutive(x)); }); }},
    {"linear_free_variables", 2, FreeVariables},
};

}  // namespace

bool IsLinearFunction(std::string_view function) { return function.starts_with("linear_"); }

std::optional<size_t> LinearArgumentCount(std::string_view function) {
  const auto* const found = std::ranges::find(kFunctions, function, &Function::name);
  return found == std::end(kFunctions) ? std::nullopt : std::optional(found->argument_count);
}

Expected<ApplyAnswer> ApplyLinear(std::string_view function, Arguments arguments) {
  return std::ranges::find(kFunctions, function, &Function::name)->apply(arguments);
}

Expected<LinearLayout> ReadLinearArgument(const std::string& text) {
  Expected<LinearLayout> layout = ReadLinearLayout(text);
  if (layout) return layout;
  Error error = layout.error();
  error.kind = ErrorKind::kSyntax;  // what cannot be read is the caller's error, not a rejection
  return std::unexpected(std::move(error));
}

}  // namespace layoutcheck
