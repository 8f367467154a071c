// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/notations/conversion.h"
#include <utility>
#include "layoutcheck/cli/notations/conversion_internal.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/bridges/hlo_to_shape_stride.h"
#include "layoutcheck/core/bridges/shape_stride_to_hlo.h"
#include "layoutcheck/core/hlo/printer.h"
#include "layoutcheck/core/linear/linear_strides.h"
#include "layoutcheck/core/linear/linear_text.h"
#include "layoutcheck/core/shape_stride/composed_layout.h"

namespace layoutcheck {
namespace {

Expected<Shape> HloShapeOf(const CoreForms& forms, ElementType type) {
  if (forms.shape) return *forms.shape;
  const Expected<ShapeStrideLayout> strides = PlainStrides(*forms.strided);
  return strides ? HloOfShapeStride(*strides, type) : std::unexpected(strides.error());
}

Expected<ComposedLayout> StridesOf(const CoreForms& forms) {
  if (forms.strided) return *forms.strided;
  if (!*forms.shape) return std::unexpected(forms.shape->error());
  const Expected<ShapeStrideLayout> strides = ShapeStrideOfHlo(**forms.shape);
  if (!strides) return std::unexpected(strides.error());
  return ComposedLayout{std::nullopt, 0, *strides};
}

Expected<LinearLayout> LinearOf(const CoreForms& forms) {
  if (forms.linear) return *forms.linear;
  const Expected<ComposedLayout> strides = StridesOf(forms);
  return strides ? LinearOfStrides(*strides) : std::unexpected(strides.error());
}

// Returns the text of `form` after reading it back and comparing it with the layout.
template <class Form>
Expected<Conversion> ReadBack(const Expected<Form>& form, const ConversionSource& source) {
  if (!form) return std::unexpected(form.error());
  std::string text = ToString(*form);
  const auto read = ReadLayout(text);
  if (!read) return std::unexpected(read.error());
  const auto index = [&](std::span<const int64_t> i) { return (*read)->Index(i); };
  if (auto same = CheckSameIndex(source, index, text); !same) return std::unexpected(same.error());
  return Conversion{std::move(text)};
}

}  // namespace

std::unexpected<Error> NotExpressible(std::string why) { return MakeError(ErrorKind::kUnsupported, std::move(why)); }

Expected<ShapeStrideLayout> PlainStrides(const ComposedLayout& composed) {
  if (!composed.swizzle && composed.offset == 0) return composed.layout;
  return NotExpressible(StrCat(ToString(composed), " is no sum of strides: expected no swizzle and no offset"));
}

Expected<Conversion> Convert(const AnyLayout& layout, ConversionTarget target, ElementType type,
                             const IndexProver& prove) {
  const ConversionSource source{layout, layout.Forms(), layout.Dimensions()};
  switch (target) {
    case ConversionTarget::kHlo: return ReadBack(HloShapeOf(source.forms, type), source);
    case ConversionTarget::kShapeStride: return ReadBack(StridesOf(source.forms), source);
    case ConversionTarget::kLinear: return ReadBack(LinearOf(source.forms), source);
    case ConversionTarget::kOneDnn:
    case ConversionTarget::kPack: return ConvertToBlocks(source, target);
    case ConversionTarget::kAffine:
    case ConversionTarget::kC: return ConvertToFormula(source, target, prove);
  }
  std::unreachable();
}

}  // namespace layoutcheck
