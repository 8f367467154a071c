// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/properties/algebra/algebra_reference.h"
#include <algorithm>
#include <functional>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include "layoutcheck/core/algebra/coalesce.h"
#include "layoutcheck/core/algebra/complement.h"
#include "layoutcheck/core/algebra/composition.h"
#include "layoutcheck/core/algebra/divide_product.h"
#include "layoutcheck/core/algebra/inverse.h"
#include "layoutcheck/core/algebra/recast.h"
#include "layoutcheck/core/base/nearest_name.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/base/text_cursor.h"
#include "layoutcheck/core/linear/linear_algebra.h"
#include "layoutcheck/core/linear/linear_notation.h"
#include "layoutcheck/core/linear/linear_text.h"
#include "layoutcheck/core/shape_stride/composed_layout.h"
#include "layoutcheck/core/shape_stride/evaluate.h"
#include "layoutcheck/core/shape_stride/fractal_layout.h"
#include "layoutcheck/core/shape_stride/text.h"
#include "layoutcheck/core/shape_stride/tla.h"

namespace layoutcheck {
namespace {

using Arguments = std::span<const std::string>;

// A function by its name, with texts as arguments and result.
struct Function {
  std::string_view name;
  size_t argument_count;
  std::function<Expected<ApplyAnswer>(Arguments)> apply;
};

// Makes a text that cannot be read the caller's error, so that it is no rejection.
Error Unreadable(Error error) {
  error.kind = ErrorKind::kSyntax;
  return error;
}

template <class T>
Expected<T> Read(const std::string& text) {
  Expected<T> value = [&] {
    if constexpr (std::is_same_v<T, ShapeStrideLayout>) return ParseShapeStrideLayout(text);
    if constexpr (std::is_same_v<T, ComposedLayout>) return ParseComposedLayout(text);
    if constexpr (std::is_same_v<T, Swizzle>) return ParseSwizzle(text);
    if constexpr (std::is_same_v<T, Tiler>) return ParseTiler(text);
    if constexpr (std::is_same_v<T, IntTuple>) return ParseIntTuple(text);
    if constexpr (std::is_same_v<T, LinearLayout>) return ReadLinearLayout(text);
    if constexpr (std::is_same_v<T, std::string>) return Expected<std::string>(text);
  }();
  if (!value) return std::unexpected(Unreadable(value.error()));
  return value;
}

template <>
Expected<int64_t> Read(const std::string& text) {
  LAYOUTCHECK_TRY(const IntTuple tuple, Read<IntTuple>(text));
  if (tuple.is_tuple()) return MakeError(ErrorKind::kSyntax, StrCat("expected a number, found ", text));
  return tuple.value();
}

// Sizes are written as the outputs of a layout in bits: "[x:2,y:8]".
template <>
Expected<std::vector<LinearDimension>> Read(const std::string& text) {
  LAYOUTCHECK_TRY(const LinearLayout layout, Read<LinearLayout>(StrCat("ll{} -> ", text)));
  std::vector<LinearDimension> sizes;
  for (const LinearOutput& output : layout.outputs()) sizes.push_back({output.name, output.size()});
  return sizes;
}

// Reads an argument of a function. The error says which one it is.
template <class T>
Expected<T> ReadAt(Arguments arguments, size_t place) {
  Expected<T> value = Read<T>(arguments[place]);
  if (value) return value;
  return MakeError(ErrorKind::kSyntax,
                   StrCat("argument ", place + 1, ", '", arguments[place], "': ", value.error().ToString()));
}

Expected<ApplyAnswer> AnswerOf(const Expected<int64_t>& number) {
  if (!number) return std::unexpected(number.error());
  return ApplyAnswer{{}, *number, {}};
}
Expected<ApplyAnswer> AnswerOf(bool holds) { return AnswerOf(Expected<int64_t>(holds ? 1 : 0)); }
// `result` is a layout, a composed layout or a swizzle.
template <class T>
Expected<ApplyAnswer> AnswerOf(const Expected<T>& result) {
  if (!result) return std::unexpected(result.error());
  return ApplyAnswer{ToString(*result), {}, {}};
}

template <class Result, class... Parameters>
Function OfTexts(std::string_view name, std::function<Result(Parameters...)> function) {
  return {name, sizeof...(Parameters), [function](Arguments arguments) {
            return [&]<size_t... k>(std::index_sequence<k...>) -> Expected<ApplyAnswer> {
              const std::tuple values(ReadAt<std::remove_cvref_t<Parameters>>(arguments, k)...);
              std::optional<Error> error;
              ((!error && !std::get<k>(values) ? void(error = std::get<k>(values).error()) : void()), ...);
              if (error) return std::unexpected(*error);
              return AnswerOf(function(*std::get<k>(values)...));
            }(std::index_sequence_for<Parameters...>());
          }};
}
// Wraps a function of core. If arguments cannot be read, the result is the error of the first of them.
template <class OfValues>
Function Named(std::string_view name, OfValues function) {
  return OfTexts(name, std::function(function));
}

bool IsPlain(const ComposedLayout& composed) { return !composed.swizzle && composed.offset == 0; }

// Returns `layout` behind the swizzle and the offset of `outer`.
Expected<ComposedLayout> Behind(const ComposedLayout& outer, const Expected<ShapeStrideLayout>& layout) {
  if (!layout) return std::unexpected(layout.error());
  return ComposedLayout{outer.swizzle, outer.offset, *layout};
}

// CuTe has these functions for layouts, composed layouts and swizzles. The kind of the first argument decides.
Expected<ApplyAnswer> ApplyCosize(Arguments arguments) {
  LAYOUTCHECK_TRY(const auto composed, ReadAt<ComposedLayout>(arguments, 0));
  return AnswerOf(IsPlain(composed) ? Cosize(composed.layout) : Cosize(composed));
}

Expected<ApplyAnswer> ApplyComposition(Arguments arguments) {
  if (const auto first = ParseSwizzle(arguments[0])) {
    LAYOUTCHECK_TRY(const auto second, ReadAt<Swizzle>(arguments, 1));
    return AnswerOf(ComposeSwizzles(*first, second));
  }
  LAYOUTCHECK_TRY(const auto a, ReadAt<ComposedLayout>(arguments, 0));
  if (const auto b = ParseShapeStrideLayout(arguments[1])) return AnswerOf(Composition(a, *b));
  LAYOUTCHECK_TRY(const auto tiler, ReadAt<Tiler>(arguments, 1));
  return AnswerOf(Behind(a, Composition(a.layout, tiler)));
}

using OfLayouts = Expected<ShapeStrideLayout> (*)(const ShapeStrideLayout&, int64_t);
using OfComposed = Expected<ComposedLayout> (*)(const ComposedLayout&, int64_t);
using OfSwizzle = Expected<Swizzle> (*)(const Swizzle&, int64_t);
Expected<ApplyAnswer> ApplyRecast(Arguments arguments, OfLayouts layouts, OfComposed composed, OfSwizzle swizzles) {
  LAYOUTCHECK_TRY(const int64_t factor, ReadAt<int64_t>(arguments, 1));
  if (const auto swizzle = ParseSwizzle(arguments[0])) return AnswerOf(swizzles(*swizzle, factor));
  LAYOUTCHECK_TRY(const auto a, ReadAt<ComposedLayout>(arguments, 0));
  return IsPlain(a) ? AnswerOf(layouts(a.layout, factor)) : AnswerOf(composed(a, factor));
}

// A divide and a product are compositions with a layout, to which a swizzle and an offset before A make no difference.
template <Gather kGather>
Expected<ComposedLayout> DivideBy(const ComposedLayout& a, const Tiler& tiler) {
  return Behind(a, Divide(a.layout, tiler, kGather));
}
template <Gather kGather>
Expected<ComposedLayout> MultiplyBy(const ComposedLayout& a, const Tiler& tiler) {
  return Behind(a, Multiply(a.layout, tiler, kGather));
}

// Returns the layout that tag, bits of an element, rows and columns make, the first four arguments.
Expected<ShapeStrideLayout> LayoutOfTag(Arguments arguments) {
  std::vector<int64_t> numbers;
  for (const std::string& text : arguments.subspan(1, 3)) {
    LAYOUTCHECK_TRY(const int64_t number, Read<int64_t>(text));
    numbers.push_back(number);
  }
  return MakeLayoutByTag(arguments[0], numbers[0], std::span(numbers).subspan(1));
}

Expected<ApplyAnswer> ApplyTagOffset(Arguments arguments) {
  LAYOUTCHECK_TRY(const ShapeStrideLayout layout, LayoutOfTag(arguments));
  LAYOUTCHECK_TRY(const IntTuple coordinate, ReadAt<IntTuple>(arguments, 4));
  return AnswerOf(Crd2Idx(coordinate, ComposedLayout{{}, 0, layout}));
}

// Every extent of a layout by tag is whole fractals or rows, so the outermost one spans the allocation.
Expected<ApplyAnswer> ApplyTagCapacity(Arguments arguments) {
  LAYOUTCHECK_TRY(const ShapeStrideLayout layout, LayoutOfTag(arguments));
  const std::vector<IntTuple> extents = Leaves(layout.shape);
  const std::vector<IntTuple> strides = Leaves(layout.stride);
  int64_t capacity = 0;
  for (size_t k = 0; k < extents.size(); ++k) {
    const CheckedInt64 span = CheckedInt64(extents[k].value()) * strides[k].value();
    if (span.overflow) return OverflowError("the capacity does not fit int64");
    if (extents[k].value() == 0) return AnswerOf(Expected<int64_t>(0));
    capacity = std::max(capacity, span.value);
  }
  return AnswerOf(Expected<int64_t>(capacity));
}

Expected<int64_t> ApplyBits(const LinearLayout& layout, const std::string& text) {
  TextCursor cursor(text);
  LAYOUTCHECK_TRY(const int64_t number, cursor.TakeInteger());
  if (number >= 0 && static_cast<uint64_t>(number) >> layout.input_bits() == 0 && cursor.AtEnd()) {
    return static_cast<int64_t>(layout.Apply(static_cast<uint64_t>(number)));
  }
  return MakeError(ErrorKind::kSyntax, StrCat("expected a number of ", layout.input_bits(), " bits, found ", text));
}

Expected<LinearLayout> DivideBits(const LinearLayout& product, const LinearLayout& inner) {
  if (const std::optional<LinearLayout> quotient = DivideLeft(product, inner)) return *quotient;
  return ArgumentError("the first layout is no product of the second one and another");
}

Expected<int64_t> FreeBits(const LinearLayout& layout, const std::string& name) {
  const std::optional<size_t> input = layout.FindInput(name);
  if (!input) {
    return MakeError(ErrorKind::kSyntax, StrCat("expected an input, found '", name, "'",
                                                DidYouMean(name, layout.inputs(), std::mem_fn(&LinearInput::name))));
  }
  return static_cast<int64_t>(FreeVariableMasks(layout)[*input]);
}

const std::vector<Function>& Functions() {
  static const std::vector<Function> functions = {
      Named("size", [](const ShapeStrideLayout& a) { return Size(a); }),
      {"cosize", 1, ApplyCosize},
      Named("crd2idx", [](const IntTuple& coordinate, const ComposedLayout& a) { return Crd2Idx(coordinate, a); }),
      Named("compatible", Compatible),
      Named("congruent", Congruent),
      Named("weakly_congruent", WeaklyCongruent),
      Named("coalesce", [](const ShapeStrideLayout& a) { return Coalesce(a); }),
      Named("filter", Filter),
      Named("complement", [](const ShapeStrideLayout& a, const IntTuple& codomain) { return Complement(a, codomain); }),
      {"composition", 2, ApplyComposition},
      Named("right_inverse", RightInverse),
      Named("left_inverse", LeftInverse),
      Named("nullspace", Nullspace),
      Named("logical_divide", DivideBy<Gather::kLogical>),
      Named("zipped_divide", DivideBy<Gather::kZipped>),
      Named("tiled_divide", DivideBy<Gather::kTiled>),
      Named("flat_divide", DivideBy<Gather::kFlat>),
      Named("logical_product", MultiplyBy<Gather::kLogical>),
      Named("blocked_product", BlockedProduct),
      Named("raked_product", RakedProduct),
      {"upcast", 2, [](Arguments arguments) { return ApplyRecast(arguments, Upcast, Upcast, UpcastSwizzle); }},
      {"downcast", 2, [](Arguments arguments) { return ApplyRecast(arguments, Downcast, Downcast, DowncastSwizzle); }},
      Named("recast_layout", RecastLayout),
      Named("max_common_vector", MaxCommonVector),
      Named("max_common_layout", MaxCommonLayout),
      Named("domain_distribute", DomainDistribute),
      Named("tile_to_shape", [](const ShapeStrideLayout& a, const IntTuple& shape,
                                const IntTuple& order) { return TileToShape(a, shape, order); }),
      {"tag_offset", 5, ApplyTagOffset},
      {"tag_capacity", 4, ApplyTagCapacity},
      // The functions of layouts in bits (IsLinearFunction).
      Named("linear_layout", [](const LinearLayout& a) { return Expected<LinearLayout>(a); }),
      Named("linear_apply", ApplyBits),
      Named("linear_is_injective", [](const LinearLayout& a) { return a.IsInjective(); }),
      Named("linear_is_surjective", [](const LinearLayout& a) { return a.IsOnto(); }),
      Named("linear_compose", Compose),
      Named("linear_product", [](const LinearLayout& a, const LinearLayout& b) { return Product(a, b); }),
      Named("linear_divide_left", DivideBits),
      Named("linear_pseudoinvert", Inverse),
      Named("linear_invert_and_compose", InvertAndCompose),
      Named("linear_flatten_ins", FlattenInputs),
      Named("linear_flatten_outs", FlattenOutputs),
      Named("linear_reshape_ins", ReshapeInputs),
      Named("linear_reshape_outs", ReshapeOutputs),
      Named("linear_num_consecutive",
            [](const LinearLayout& a) { return Expected<int64_t>(static_cast<int64_t>(NumConsecutive(a))); }),
      Named("linear_free_variables", FreeBits),
  };
  return functions;
}

Answer<ApplyAnswer> Apply(std::string_view function, std::span<const std::string> arguments) {
  const auto found = std::ranges::find(Functions(), function, &Function::name);
  if (found == Functions().end()) {
    return Declined{StrCat("no function ", function, DidYouMean(function, Functions(), std::mem_fn(&Function::name)))};
  }
  if (found->argument_count != arguments.size()) {
    return Declined{StrCat(function, " takes ", found->argument_count, " arguments, not ", arguments.size())};
  }
  Expected<ApplyAnswer> answer = found->apply(arguments);
  if (answer) return *std::move(answer);
  if (answer.error().kind == ErrorKind::kSyntax) return FailedWith(answer.error());
  return ApplyAnswer{{}, {}, answer.error().ToString()};
}

}  // namespace

Answer<ApplyAnswer> ApplyReference(std::string_view function, std::span<const std::string> arguments) {
  // A law asks the reference before it asks the subject, which may be the reference, too.
  struct Remembered {
    std::string function;
    std::vector<std::string> arguments;
    Answer<ApplyAnswer> answer;
  };
  thread_local std::optional<Remembered> last;
  if (!last || last->function != function || !std::ranges::equal(last->arguments, arguments)) {
    last = {std::string(function), {arguments.begin(), arguments.end()}, Apply(function, arguments)};
  }
  return last->answer;
}

std::vector<AlgebraFunction> AlgebraFunctions() {
  std::vector<AlgebraFunction> functions;
  for (const Function& function : Functions()) functions.push_back({function.name, function.argument_count});
  return functions;
}

bool IsLinearFunction(std::string_view function) { return function.starts_with("linear_"); }

Expected<LinearLayout> ReadLinearArgument(const std::string& text) { return Read<LinearLayout>(text); }

Expected<ShapeStrideLayout> MakeLayoutByTag(std::string_view tag, int64_t element_bits,
                                            std::span<const int64_t> sizes) {
  const Expected<BlockedTag> blocked = ParseBlockedTag(tag);
  if (!blocked) return MakeError(ErrorKind::kSyntax, blocked.error().ToString());
  if (blocked->tag == TlaTag::kVectorLayout && sizes.size() == 2) sizes = sizes.subspan(1);
  return MakeTagLayout(blocked->tag, element_bits, sizes, blocked->blocks);
}

Answer<std::string> MakeReference(std::string_view tag, int64_t element_bits, std::span<const int64_t> sizes) {
  const Expected<ShapeStrideLayout> layout = MakeLayoutByTag(tag, element_bits, sizes);
  if (!layout && layout.error().kind == ErrorKind::kSyntax) return Declined{StrCat("no tag ", tag)};
  if (!layout) return FailedWith(layout.error());
  return ToString(*layout);
}

}  // namespace layoutcheck
