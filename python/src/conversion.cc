// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversions and comparisons of layouts.
#include "layoutcheck/cli/notations/conversion.h"
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>
#include <algorithm>
#include <optional>
#include <string>
#include "errors.h"
#include "layout.h"
#include "layoutcheck/cli/notations/comparison.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/bridges/text_to_hlo.h"
#include "layoutcheck/core/hlo/printer.h"
#include "layoutcheck/core/xla_util/bitcast.h"
#include "register.h"

namespace nb = nanobind;
using nb::literals::operator""_a;

namespace layoutcheck::python {
namespace {

ElementType ElementTypeOf(std::string_view name) {
  const std::optional<ElementType> type = ElementTypeFromName(name);
  if (!type || !IsArrayElementType(*type)) {
    RaiseLayoutError({ErrorKind::kInvalidArgument,
                      StrCat("element type: expected the type of an array, such as bf16, got '", name, "'")});
  }
  return *type;
}

std::string ConvertTo(const PyLayout& layout, std::string_view to, std::string_view element_type) {
  const auto target = std::ranges::find(kConversionTargets, to);
  if (target == std::end(kConversionTargets)) {
    RaiseLayoutError({ErrorKind::kInvalidArgument,
                      StrCat("target: expected one of ", StrJoin(kConversionTargets, ", "), ", got '", to, "'")});
  }
  const ElementType type = ElementTypeOf(element_type);
  auto converted = [&] {
    const nb::gil_scoped_release release;
    return Convert(layout.any(), static_cast<ConversionTarget>(target - kConversionTargets), type);
  }();
  return ValueOrRaise(std::move(converted)).text;
}

// Returns the XLA shape of the same elements at the same offsets, without the check that Convert makes.
std::optional<std::string> HloText(const PyLayout& layout, std::string_view element_type) {
  const CoreForms forms = layout->Forms();
  if (forms.shape) return *forms.shape ? std::optional(ToString(**forms.shape)) : std::nullopt;
  if (!forms.strided || forms.strided->swizzle || forms.strided->offset != 0) return std::nullopt;
  const auto shape = HloOfShapeStride(forms.strided->layout, ElementTypeOf(element_type));
  return shape ? std::optional(ToString(*shape)) : std::nullopt;
}

nb::dict Compared(const PyLayout& a, const PyLayout& b, const std::optional<std::vector<int64_t>>& transpose) {
  auto compared = [&] {
    const nb::gil_scoped_release release;
    return Compare(a.any(), b.any(), transpose);
  }();
  const Comparison comparison = ValueOrRaise(std::move(compared));
  nb::dict result;
  result["relation"] = std::string(RelationName(comparison.relation));
  result["reason"] = comparison.reason.empty() ? nb::none() : nb::cast(comparison.reason);
  result["moved"] = nb::none();
  if (const auto& moved = comparison.moved) {
    result["moved"] = nb::make_tuple(TupleOf(moved->a), TupleOf(moved->b));
  }
  result["slice_of"] = nb::none();
  result["slice_start"] = nb::none();
  if (const auto& slice = comparison.slice) {
    result["slice_of"] = slice->of_a ? "a" : "b";
    result["slice_start"] = TupleOf(slice->start);
  }
  result["as_bitcast"] = nb::none();
  if (comparison.as_bitcast) result["as_bitcast"] = DecompositionText(*comparison.as_bitcast);
  return result;
}

}  // namespace

void RegisterConversion(nb::module_& module) {
  module.def("convert", &ConvertTo, "layout"_a, "to"_a, "element_type"_a,
             "Returns the text of the layout in another notation. Raises LayoutError if that cannot express it.");
  module.def("hlo_text", &HloText, "layout"_a, "element_type"_a,
             "Returns the XLA shape of the same elements at the same offsets, or None if there is none.");
  module.def("compare", &Compared, "a"_a, "b"_a, "transpose"_a.none(),
             "Returns the members of layoutcheck.Comparison.");
}

}  // namespace layoutcheck::python
