#include "layoutcheck/properties/algebra/algebra_reference.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "layoutcheck/core/algebra/coalesce.h"
#include "layoutcheck/core/algebra/complement.h"
#include "layoutcheck/core/algebra/composition.h"
#include "layoutcheck/core/algebra/divide_product.h"
#include "layoutcheck/core/algebra/inverse.h"
#include "layoutcheck/core/algebra/recast.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/shape_stride/composed_layout.h"
#include "layoutcheck/core/shape_stride/evaluate.h"
#include "layoutcheck/core/shape_stride/text.h"
#include "layoutcheck/core/shape_stride/tla.h"

namespace layoutcheck {
namespace {

using Arguments = std::span<const std::string>;
using Layout = ShapeStrideLayout;

struct Function {
  std::string_view name;
  size_t arguments;
  std::function<Expected<ApplyAnswer>(Arguments)> apply;
};

// A text that cannot be read is the caller's error, not a rejection.
Error Unreadable(Error error) {
  error.kind = ErrorKind::kSyntax;
  return error;
}

template <class T, Expected<T> (*parse)(std::string_view)>
Expected<T> Read(const std::string& text) {
  Expected<T> value = parse(text);
  if (!value) return std::unexpected(Unreadable(value.error()));
  return value;
}

Expected<Layout> ReadLayout(const std::string& text) { return Read<Layout, ParseShapeStrideLayout>(text); }
Expected<IntTuple> ReadTuple(const std::string& text) { return Read<IntTuple, ParseIntTuple>(text); }

Expected<int64_t> ReadNumber(const std::string& text) {
  const Expected<IntTuple> tuple = ReadTuple(text);
  if (!tuple) return std::unexpected(tuple.error());
  if (tuple->is_tuple()) return MakeError(ErrorKind::kSyntax, StrCat("expected a number, found ", text));
  return tuple->value();
}

// A layout, or a number n for the layout n:1.
Expected<Tiler> ReadTiler(const std::string& text) {
  if (const Expected<int64_t> number = ReadNumber(text)) return Tiler::Extent(*number);
  const Expected<Layout> layout = ReadLayout(text);
  if (!layout) return std::unexpected(layout.error());
  return Tiler::Of(*layout);
}

// The text of a layout, a composed layout or a swizzle.
template <class T>
Expected<ApplyAnswer> Text(const Expected<T>& result) {
  if (!result) return std::unexpected(result.error());
  ApplyAnswer answer;
  answer.layout = ToString(*result);
  return answer;
}

Expected<ApplyAnswer> Value(const Expected<int64_t>& number) {
  if (!number) return std::unexpected(number.error());
  ApplyAnswer answer;
  answer.value = *number;
  return answer;
}

template <class Operation>
Function OfLayout(std::string_view name, Operation operation) {
  return {name, 1, [operation](Arguments arguments) -> Expected<ApplyAnswer> {
            const Expected<Layout> layout = ReadLayout(arguments[0]);
            if (!layout) return std::unexpected(layout.error());
            return operation(*layout);
          }};
}

template <class Second, class Operation>
Function OfTwo(std::string_view name, Expected<Second> (*read)(const std::string&), Operation operation) {
  return {name, 2, [read, operation](Arguments arguments) -> Expected<ApplyAnswer> {
            const Expected<Layout> layout = ReadLayout(arguments[0]);
            if (!layout) return std::unexpected(layout.error());
            const Expected<Second> second = read(arguments[1]);
            if (!second) return std::unexpected(second.error());
            return operation(*layout, *second);
          }};
}

Function OfShapes(std::string_view name, bool (*holds)(const IntTuple&, const IntTuple&)) {
  return {name, 2, [holds](Arguments arguments) -> Expected<ApplyAnswer> {
            const Expected<IntTuple> a = ReadTuple(arguments[0]);
            if (!a) return std::unexpected(a.error());
            const Expected<IntTuple> b = ReadTuple(arguments[1]);
            if (!b) return std::unexpected(b.error());
            return Value(holds(*a, *b) ? 1 : 0);
          }};
}

bool IsPlain(const ComposedLayout& composed) { return !composed.swizzle && composed.offset == 0; }

// Functions that CuTe has for layouts, composed layouts and swizzles: the first argument says which is meant.
Expected<ApplyAnswer> Cosizes(Arguments arguments) {
  const auto composed = Read<ComposedLayout, ParseComposedLayout>(arguments[0]);
  if (!composed) return std::unexpected(composed.error());
  return Value(IsPlain(*composed) ? Cosize(composed->layout) : Cosize(*composed));
}

Expected<ApplyAnswer> Compositions(Arguments arguments) {
  if (const auto first = ParseSwizzle(arguments[0])) {
    const auto second = Read<Swizzle, ParseSwizzle>(arguments[1]);
    if (!second) return std::unexpected(second.error());
    return Text(ComposeSwizzles(*first, *second));
  }
  const auto a = Read<ComposedLayout, ParseComposedLayout>(arguments[0]);
  if (!a) return std::unexpected(a.error());
  const Expected<Layout> b = ReadLayout(arguments[1]);
  if (!b) return std::unexpected(b.error());
  return IsPlain(*a) ? Text(Composition(a->layout, *b)) : Text(Composition(*a, *b));
}

using OfLayouts = Expected<Layout> (*)(const Layout&, int64_t);
using OfComposed = Expected<ComposedLayout> (*)(const ComposedLayout&, int64_t);
using OfSwizzle = Expected<Swizzle> (*)(const Swizzle&, int64_t);
Expected<ApplyAnswer> Recast(Arguments arguments, OfLayouts layouts, OfComposed composed, OfSwizzle swizzles) {
  const Expected<int64_t> factor = ReadNumber(arguments[1]);
  if (!factor) return std::unexpected(factor.error());
  if (const auto swizzle = ParseSwizzle(arguments[0])) return Text(swizzles(*swizzle, *factor));
  const auto a = Read<ComposedLayout, ParseComposedLayout>(arguments[0]);
  if (!a) return std::unexpected(a.error());
  return IsPlain(*a) ? Text(layouts(a->layout, *factor)) : Text(composed(*a, *factor));
}

const std::vector<Function>& Functions() {
  static const std::vector<Function> functions = {
      OfLayout("size", [](const Layout& a) { return Value(Size(a)); }),
      {"cosize", 1, Cosizes},
      {"crd2idx", 2,
       [](Arguments arguments) -> Expected<ApplyAnswer> {
         const Expected<IntTuple> coordinate = ReadTuple(arguments[0]);
         if (!coordinate) return std::unexpected(coordinate.error());
         const auto layout = Read<ComposedLayout, ParseComposedLayout>(arguments[1]);
         if (!layout) return std::unexpected(layout.error());
         return Value(Crd2Idx(*coordinate, *layout));
       }},
      OfShapes("compatible", Compatible),
      OfShapes("congruent", Congruent),
      OfShapes("weakly_congruent", WeaklyCongruent),
      OfLayout("coalesce", [](const Layout& a) { return Text(Coalesce(a)); }),
      OfLayout("filter", [](const Layout& a) { return Text(Filter(a)); }),
      OfTwo<IntTuple>("complement", ReadTuple,
                      [](const Layout& a, const IntTuple& n) { return Text(Complement(a, n)); }),
      {"composition", 2, Compositions},
      OfLayout("right_inverse", [](const Layout& a) { return Text(RightInverse(a)); }),
      OfLayout("left_inverse", [](const Layout& a) { return Text(LeftInverse(a)); }),
      OfLayout("nullspace", [](const Layout& a) { return Text(Nullspace(a)); }),
      OfTwo<Tiler>("logical_divide", ReadTiler,
                   [](const Layout& a, const Tiler& b) { return Text(LogicalDivide(a, b)); }),
      OfTwo<Tiler>("zipped_divide", ReadTiler,
                   [](const Layout& a, const Tiler& b) { return Text(ZippedDivide(a, b)); }),
      OfTwo<Tiler>("tiled_divide", ReadTiler, [](const Layout& a, const Tiler& b) { return Text(TiledDivide(a, b)); }),
      OfTwo<Tiler>("flat_divide", ReadTiler, [](const Layout& a, const Tiler& b) { return Text(FlatDivide(a, b)); }),
      OfTwo<Tiler>("logical_product", ReadTiler,
                   [](const Layout& a, const Tiler& b) { return Text(LogicalProduct(a, b)); }),
      OfTwo<Layout>("blocked_product", ReadLayout,
                    [](const Layout& a, const Layout& b) { return Text(BlockedProduct(a, b)); }),
      OfTwo<Layout>("raked_product", ReadLayout,
                    [](const Layout& a, const Layout& b) { return Text(RakedProduct(a, b)); }),
      {"upcast", 2, [](Arguments arguments) { return Recast(arguments, Upcast, Upcast, UpcastSwizzle); }},
      {"downcast", 2, [](Arguments arguments) { return Recast(arguments, Downcast, Downcast, DowncastSwizzle); }},
      {"recast_layout", 3,
       [](Arguments arguments) -> Expected<ApplyAnswer> {
         const Expected<Layout> layout = ReadLayout(arguments[0]);
         if (!layout) return std::unexpected(layout.error());
         const Expected<int64_t> old_bits = ReadNumber(arguments[1]);
         if (!old_bits) return std::unexpected(old_bits.error());
         const Expected<int64_t> new_bits = ReadNumber(arguments[2]);
         if (!new_bits) return std::unexpected(new_bits.error());
         return Text(RecastLayout(*layout, *old_bits, *new_bits));
       }},
      OfTwo<Layout>("max_common_vector", ReadLayout,
                    [](const Layout& a, const Layout& b) { return Value(MaxCommonVector(a, b)); }),
      OfTwo<Layout>("max_common_layout", ReadLayout,
                    [](const Layout& a, const Layout& b) { return Text(MaxCommonLayout(a, b)); }),
      {"domain_distribute", 2,
       [](Arguments arguments) -> Expected<ApplyAnswer> {
         const Expected<IntTuple> shape = ReadTuple(arguments[0]);
         if (!shape) return std::unexpected(shape.error());
         const Expected<int64_t> count = ReadNumber(arguments[1]);
         if (!count) return std::unexpected(count.error());
         return Text(DomainDistribute(*shape, *count));
       }},
      {"tile_to_shape", 3,
       [](Arguments arguments) -> Expected<ApplyAnswer> {
         const Expected<Layout> layout = ReadLayout(arguments[0]);
         if (!layout) return std::unexpected(layout.error());
         const Expected<IntTuple> shape = ReadTuple(arguments[1]);
         if (!shape) return std::unexpected(shape.error());
         const Expected<IntTuple> order = ReadTuple(arguments[2]);
         if (!order) return std::unexpected(order.error());
         return Text(TileToShape(*layout, *shape, *order));
       }},
  };
  return functions;
}

}  // namespace

Answer<ApplyAnswer> ApplyReference(std::string_view function, std::span<const std::string> arguments) {
  const auto found = std::ranges::find(Functions(), function, &Function::name);
  if (found == Functions().end()) return Declined{StrCat("no function ", function)};
  if (found->arguments != arguments.size()) {
    return Declined{StrCat(function, " takes ", found->arguments, " arguments, not ", arguments.size())};
  }
  const Expected<ApplyAnswer> answer = found->apply(arguments);
  if (answer) return *answer;
  if (answer.error().kind == ErrorKind::kSyntax) return Failed{Failed::Kind::kError, answer.error().ToString()};
  ApplyAnswer rejected;
  rejected.rejected = answer.error().ToString();
  return rejected;
}

Answer<std::string> MakeReference(std::string_view tag, int64_t element_bits, int64_t rows, int64_t columns) {
  const std::optional<TlaTag> known = TlaTagFromName(tag);
  if (!known) return Declined{StrCat("no tag ", tag)};
  const Expected<ShapeStrideLayout> layout = MakeTlaLayout(*known, element_bits, rows, columns);
  if (!layout) return Failed{Failed::Kind::kError, layout.error().ToString()};
  return ToString(*layout);
}

std::vector<std::string_view> ApplyFunctions() {
  std::vector<std::string_view> names;
  for (const Function& function : Functions()) names.push_back(function.name);
  return names;
}

}  // namespace layoutcheck
