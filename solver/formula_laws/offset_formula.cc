// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <variant>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/linear/linear_notation.h"
#include "layoutcheck/core/shape_stride/text.h"
#include "layoutcheck/solver/formula_laws/strided_formula.h"

namespace layoutcheck {
namespace {

struct OffsetPrefix {
  size_t length = 0;        // number of characters, up to and with the last `o`
  ComposedLayout composed;  // swizzle and offset of the layout 1:0
};

// Returns the prefix "Sw<3,3,3> o 8 o" of a composed layout, or nothing for another text.
std::optional<OffsetPrefix> ReadPrefix(std::string_view text) {
  const size_t layout = std::min(text.find('('), text.find(':'));
  const size_t last = text.substr(0, layout).rfind('o');
  if (layout == std::string_view::npos || last == std::string_view::npos) return std::nullopt;
  auto composed = ParseComposedLayout(StrCat(text.substr(0, last + 1), " 1:0"));
  if (!composed) return std::nullopt;
  return OffsetPrefix{last + 1, *std::move(composed)};
}

// Returns the swizzle of the value of a formula, as in core/shape_stride/swizzle.h.
std::string SwizzledText(const Swizzle& swizzle, const std::string& value) {
  if (swizzle.bits == 0) return value;
  return StrCat("let x = ", value, " in x ^ (x & ", ReadMask(swizzle), ")", swizzle.shift >= 0 ? " >> " : " << ",
                std::abs(swizzle.shift));
}

Expected<StridedFormula> FormulaOfComposed(std::string_view text, const OffsetPrefix& prefix,
                                           const std::vector<std::string>& signed_names) {
  // The blanks keep the columns of errors.
  LAYOUTCHECK_TRY(
      StridedFormula formula,
      ReadStridedFormula(StrCat(std::string(prefix.length, ' '), text.substr(prefix.length)), signed_names));
  const ComposedLayout& composed = prefix.composed;
  if (composed.offset != 0) {
    formula.offset = StrCat(composed.offset, " + ", formula.offset);
    formula.extent = StrCat(composed.offset, " + ", formula.extent);
  }
  if (composed.swizzle) {
    const Swizzle& swizzle = *composed.swizzle;
    const int64_t block = int64_t{1} << (swizzle.base + swizzle.bits + std::abs(swizzle.shift));
    formula.offset = SwizzledText(swizzle, formula.offset);
    formula.extent = StrCat("(", formula.extent, " - 1) floordiv ", block, " * ", block, " + 1");
  }
  return formula;
}

// Appends terms whose exclusive or is that of the images of the index's bits. Neighbors with doubled images share a
// term.
void AddBits(std::string_view index, std::span<const uint64_t> images, std::vector<std::string>& terms) {
  for (size_t low = 0; low < images.size();) {
    size_t high = low + 1;
    while (high < images.size() && images[high] != 0 && images[high] == 2 * images[high - 1]) ++high;
    if (images[low] != 0) {
      const std::string shifted = low == 0 ? std::string(index) : StrCat("(", index, " >> ", low, ")");
      const std::string bits =
          high == images.size() ? shifted : StrCat("(", shifted, " & ", (uint64_t{1} << (high - low)) - 1, ")");
      terms.push_back(images[low] == 1 ? bits : StrCat(bits, " * ", images[low]));
    }
    low = high;
  }
}

// Returns the formula of the bits [shift, shift + bits) of the layout's value.
std::string FormulaOfBits(const LinearLayout& layout, size_t shift, size_t bits) {
  std::vector<std::string> terms;
  for (size_t k = 0; k < layout.inputs().size(); ++k) {
    std::vector<uint64_t> images = layout.inputs()[k].images;
    for (uint64_t& image : images) image = image >> shift & ((uint64_t{1} << bits) - 1);
    AddBits(StrCat("i", k), images, terms);
  }
  return terms.empty() ? "0" : StrJoin(terms, " ^ ");
}

Expected<StridedFormula> FormulaOfLinear(const LinearLayout& layout, size_t components) {
  const size_t outputs = layout.outputs().size();
  if (components != 1 && components != outputs) {
    return ArgumentError("expected one formula or one per output (", outputs, "), found ", components);
  }
  StridedFormula formula;
  std::vector<std::string> bounds;
  for (size_t k = 0; k < layout.inputs().size(); ++k) {
    formula.extents.push_back(StrCat(layout.inputs()[k].size()));
    bounds.push_back(StrCat("i", k, " < ", formula.extents.back()));
  }
  formula.over = StrJoin(bounds, ", ");
  formula.size = StrCat(uint64_t{1} << layout.input_bits());
  formula.extent = StrCat(uint64_t{1} << layout.output_bits());
  if (components == 1) {
    formula.offset = FormulaOfBits(layout, 0, layout.output_bits());
    return formula;
  }
  std::vector<std::string> parts;
  size_t shift = layout.output_bits();
  for (const LinearOutput& output : layout.outputs()) {
    shift -= output.bits;
    parts.push_back(FormulaOfBits(layout, shift, output.bits));
  }
  formula.offset = StrCat("(", StrJoin(parts, ", "), ")");
  return formula;
}

}  // namespace

bool IsOffsetText(std::string_view text) {
  return IsStridedText(text) || IsLinearNotation(text) || ReadPrefix(text).has_value();
}

Expected<StridedFormula> ReadOffsetFormula(std::string_view text, size_t components,
                                           const std::vector<std::string>& signed_names) {
  if (IsStridedText(text)) return ReadStridedFormula(text, signed_names);
  if (!IsLinearNotation(text)) {
    if (const auto prefix = ReadPrefix(text)) return FormulaOfComposed(text, *prefix, signed_names);
  }
  LAYOUTCHECK_TRY(auto read, ReadLinearNotation(text));
  if (const auto* const linear = std::get_if<LinearLayout>(&read)) return FormulaOfLinear(*linear, components);
  return ReadStridedFormula(ToString(std::get<ShapeStrideLayout>(read)));
}

Expected<FormulaRequest> WithOffsetFormula(FormulaRequest request) {
  if (!IsOffsetText(request.layout)) return request;
  if (!request.over.empty()) return ArgumentError("--over: expected no LAYOUT beside it");
  const std::string layout = std::exchange(request.layout, "");
  const size_t components = request.equals ? 1 : ComponentCount(request).value_or(1);
  Expected<StridedFormula> offset = ReadOffsetFormula(layout, components, request.signed_names);
  if (!offset) return MakeError(offset.error().kind, StrCat(layout, ": ", offset.error().ToString()));
  if (IsStridedText(layout)) request.strided = layout;
  request.over = std::move(offset->over);
  request.extent = std::move(offset->extent);
  request.known_names = std::move(offset->names);
  request.equals_is_offset = !request.equals;
  if (request.equals_is_offset) request.equals = std::move(offset->offset);
  return request;
}

}  // namespace layoutcheck
