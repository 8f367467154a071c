// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdlib>
#include "layoutcheck/cli/base/one_line.h"
#include "layoutcheck/cli/notations/conversion_internal.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/tiling/tiled_index.h"

namespace layoutcheck {
namespace {

std::vector<IndexExpression> Coordinates(std::span<const int64_t> sizes) {
  std::vector<IndexExpression> coordinates;
  for (size_t d = 0; d < sizes.size(); ++d) {
    coordinates.push_back(IndexExpression::Coordinate(static_cast<int64_t>(d), sizes[d]));
  }
  return coordinates;
}

Expected<IndexFormula> FormulaOf(const Shape& shape, std::span<const IndexExpression> coordinates) {
  const Expected<TiledIndex> index = MakeTiledIndex(shape);
  if (!index) return std::unexpected(index.error());
  return IndexFormula{
      BasicTiledIndex<IndexExpression>(*index, [](int64_t number) { return IndexExpression(number); })(coordinates)};
}

Expected<IndexFormula> FormulaOf(const ComposedLayout& composed, std::span<const IndexExpression> coordinates) {
  const Expected<StridedLayout> strided = StridedLayoutOf(composed.layout);
  if (!strided) return std::unexpected(strided.error());
  const auto inner = ConvertStridedLayout<IndexExpression>(*strided);
  return IndexFormula{StridedOffset<IndexExpression>(inner, coordinates) + IndexExpression(composed.offset),
                      composed.swizzle};
}

Expected<IndexFormula> FormulaOf(const ConversionSource& source) {
  if (source.IsEmpty()) return IndexFormula{source.forms.strided ? source.forms.strided->offset : 0};
  const std::vector<IndexExpression> coordinates = Coordinates(source.sizes);
  if (source.forms.strided) return FormulaOf(*source.forms.strided, coordinates);
  if (!*source.forms.shape) return std::unexpected(source.forms.shape->error());
  return FormulaOf(**source.forms.shape, coordinates);
}

std::string Names(std::string_view prefix, size_t count, std::string_view letter) {
  std::vector<std::string> names;
  for (size_t d = 0; d < count; ++d) names.push_back(StrCat(prefix, letter, d));
  return StrJoin(names, ", ");
}

std::string AffineMap(const IndexExpression& formula, size_t rank) {
  return StrCat("affine_map<(", Names("", rank, "d"), ") -> (", formula.ToAffine(), ")>");
}

// Returns the comment that says how the C function was checked. Proves the formula if `prove` is given.
std::string Evidence(const IndexFormula& formula, const ConversionSource& source, const IndexProver& prove) {
  if (source.IsEmpty()) return "// There is no element.\n";
  std::string not_proved;
  if (prove) {
    const std::string reason = OneLine(prove(source.forms, source.sizes, formula));
    if (reason.empty()) {
      return "// Proved for every element: it is the index of the layout, and no part of it overflows.\n";
    }
    not_proved = "; not proved: " + reason;
  }
  return StrCat("// Compared with the layout ",
                source.IsComparedEverywhere() ? "at every element" : "at the elements around every boundary",
                not_proved, ".\n");
}

// Returns a C function whose comment names the layout. No text of a layout can end that comment.
std::string CFunction(const IndexFormula& formula, const ConversionSource& source, std::string_view evidence) {
  const std::vector<int64_t>& sizes = source.sizes;
  std::string text =
      StrCat("#include <stdint.h>\n\n// The linear index of an element of ", source.layout.Text(), ".\n", evidence);
  std::vector<std::string> ranges;
  for (size_t d = 0; d < sizes.size(); ++d) ranges.push_back(StrCat("0 <= i", d, " < ", sizes[d]));
  if (!ranges.empty()) StrAppend(text, "// Requires ", StrJoin(ranges, ", "), ".\n");
  StrAppend(text, "static inline int64_t layout_index(", sizes.empty() ? "void" : Names("int64_t ", sizes.size(), "i"),
            ") {\n");
  for (size_t d = 0; d < sizes.size(); ++d) {
    if (!formula.sum.Uses(static_cast<int64_t>(d))) StrAppend(text, "  (void)i", d, ";\n");
  }
  if (formula.swizzle) {
    const Swizzle& swizzle = *formula.swizzle;
    StrAppend(text, "  const int64_t offset = ", formula.sum.ToC(), ";\n  return offset ^ ((offset & ",
              ReadMask(swizzle), ") ", swizzle.shift < 0 ? "<< " : ">> ", std::abs(swizzle.shift), ");\n}");
    return text;
  }
  StrAppend(text, "  return ", formula.sum.ToC(), ";\n}");
  return text;
}

}  // namespace

Expected<Conversion> ConvertToFormula(const ConversionSource& source, ConversionTarget target,
                                      const IndexProver& prove) {
  const Expected<IndexFormula> formula = FormulaOf(source);
  if (!formula) return std::unexpected(formula.error());
  if (target == ConversionTarget::kAffine && formula->swizzle && formula->swizzle->bits > 0) {
    return NotExpressible(StrCat(source.layout.Text(), " exchanges bits: that is not affine"));
  }
  if (formula->sum.parts() > IndexExpression::kMaxParts) {
    return NotExpressible(StrCat("the formula has more than ", IndexExpression::kMaxParts, " parts"));
  }
  Conversion conversion;
  conversion.text = target == ConversionTarget::kAffine
                        ? AffineMap(formula->sum, source.sizes.size())
                        : CFunction(*formula, source, Evidence(*formula, source, prove));
  const auto index = [&](std::span<const int64_t> i) { return formula->Evaluate(i); };
  if (auto same = CheckSameIndex(source, index, conversion.text); !same) return std::unexpected(same.error());
  return conversion;
}

}  // namespace layoutcheck
