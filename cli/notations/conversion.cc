// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/notations/conversion.h"
#include <algorithm>
#include <cstdlib>
#include <random>
#include <set>
#include <utility>
#include "layoutcheck/cli/base/one_line.h"
#include "layoutcheck/core/base/integer.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/bridges/blocked_format.h"
#include "layoutcheck/core/bridges/hlo_to_shape_stride.h"
#include "layoutcheck/core/bridges/text_to_hlo.h"
#include "layoutcheck/core/hlo/printer.h"
#include "layoutcheck/core/linear/linear_notation.h"
#include "layoutcheck/core/linear/linear_strides.h"
#include "layoutcheck/core/linear/linear_text.h"
#include "layoutcheck/core/linear/triton_text.h"
#include "layoutcheck/core/shape_stride/composed_layout.h"
#include "layoutcheck/core/tiling/sizes.h"
#include "layoutcheck/core/tiling/tiled_index.h"
#include "layoutcheck/json/json.h"

namespace layoutcheck {
namespace {

using IndexFunction = std::function<int64_t(std::span<const int64_t>)>;

// A layout to convert. The reference must outlive the object.
struct Source {
  const AnyLayout& layout;
  CoreForms forms;
  std::vector<int64_t> sizes;  // sizes of the logical dimensions, in elements

  bool IsEmpty() const { return std::ranges::find(sizes, 0) != sizes.end(); }
  // Returns true if comparisons cover every element, not only those around boundaries.
  bool IsComparedEverywhere() const {
    CheckedInt64 elements = 1;
    for (const int64_t size : sizes) elements = elements * size;
    return !elements.overflow && elements.value <= kMostCompared;
  }
};

// A result that is still to be compared with the layout, and its linear index.
struct Candidate {
  Conversion conversion;
  IndexFunction index;
};

std::unexpected<Error> NotExpressible(std::string why) { return MakeError(ErrorKind::kUnsupported, std::move(why)); }

// Returns the strides of a layout without swizzle and offset. Error (kUnsupported): a layout with one of these.
Expected<ShapeStrideLayout> PlainStrides(const ComposedLayout& composed) {
  if (!composed.swizzle && composed.offset == 0) return composed.layout;
  return NotExpressible(StrCat(ToString(composed), " is no sum of strides: expected no swizzle and no offset"));
}

Expected<Shape> HloShapeOf(const CoreForms& forms, ElementType type) {
  if (forms.shape) return *forms.shape;
  const Expected<ShapeStrideLayout> strides = PlainStrides(*forms.strided);
  return strides ? HloOfShapeStride(*strides, type) : std::unexpected(strides.error());
}

Expected<LinearLayout> LinearOf(const CoreForms& forms) {
  if (forms.linear) return *forms.linear;
  const Expected<ComposedLayout> strides = StridesOf(forms);
  return strides ? LinearOfStrides(*strides) : std::unexpected(strides.error());
}

template <class Form>
Expected<Candidate> ReadBack(const Expected<Form>& form) {
  if (!form) return std::unexpected(form.error());
  std::string text = ToString(*form);
  LAYOUTCHECK_TRY(auto read, ReadLayout(text));
  std::shared_ptr<const AnyLayout> layout = std::move(read);
  return Candidate{{std::move(text)}, [layout](std::span<const int64_t> i) { return layout->Index(i); }};
}

// Converts a layout in bits to an attribute of Triton, which may have more inputs, of size 1.
Expected<Candidate> ConvertToTriton(const CoreForms& forms) {
  LAYOUTCHECK_TRY(const LinearLayout layout, LinearOf(forms));
  LAYOUTCHECK_TRY(std::string text, TritonTextOf(layout));
  LAYOUTCHECK_TRY(LinearLayout read, ReadLinearLayout(text));
  std::vector<size_t> places;  // of the layout's inputs among those of the attribute
  for (const LinearInput& input : layout.inputs()) places.push_back(read.FindInput(input.name).value());
  const IndexFunction index = [read = std::move(read), places](std::span<const int64_t> i) {
    std::vector<int64_t> coordinate(read.inputs().size());
    for (size_t k = 0; k < i.size(); ++k) coordinate[places[k]] = i[k];
    return read.Index(coordinate);
  };
  return Candidate{{std::move(text)}, index};
}

// Returns blocks with the placement and the element count of the shape's layout.
Expected<BlockedFormat> BlocksOf(const Shape& shape) {
  LAYOUTCHECK_TRY(const TiledLayout tiled, TiledLayoutOf(shape));
  LAYOUTCHECK_TRY(const LayoutSizes sizes, SizesOf(shape));
  // The unchanged tiles would be blocks for any size. If they are no blocks, the strides for this size may still be.
  Expected<BlockedFormat> format = BlockedFormatOfHlo(
      Shape::Array(shape.element_type, shape.dimensions, Layout(tiled.minor_to_major, shape.layout->tiles)));
  if (!format) {
    LAYOUTCHECK_TRY(const ShapeStrideLayout modes, ShapeStrideOfHlo(shape));
    format = BlockedFormatOfShapeStride(modes);
    if (!format) return std::unexpected(format.error());
  }
  LAYOUTCHECK_TRY(const int64_t padded, PaddedElements(*format, tiled.dimensions));
  if (padded != sizes.padded_elements) {
    return NotExpressible(StrCat(ToString(shape), " takes ", sizes.padded_elements, " elements, blocks ", padded));
  }
  return format;
}

Expected<BlockedFormat> BlocksOf(const CoreForms& forms) {
  if (forms.shape) return *forms.shape ? BlocksOf(**forms.shape) : std::unexpected(forms.shape->error());
  const Expected<ShapeStrideLayout> strides = PlainStrides(*forms.strided);
  return strides ? BlockedFormatOfShapeStride(*strides) : std::unexpected(strides.error());
}

Expected<Candidate> ConvertToBlocks(const Source& source, ConversionTarget target) {
  const Expected<BlockedFormat> format = BlocksOf(source.forms);
  if (!format) return std::unexpected(format.error());
  const IndexFunction index = [format = *format, &source](std::span<const int64_t> i) {
    return OffsetIn(format, source.sizes, i);
  };
  if (target == ConversionTarget::kOneDnn) {
    LAYOUTCHECK_TRY(const std::string tag, OneDnnTag(*format));
    return Candidate{{tag}, index};
  }
  LAYOUTCHECK_TRY(const PackAttributes pack, ToPackAttributes(*format));
  return Candidate{{ToString(pack),
                    {{"outer_dims_perm", pack.outer_dims_perm},
                     {"inner_dims_pos", pack.inner_dims_pos},
                     {"inner_tiles", pack.inner_tiles}}},
                   index};
}

std::vector<IndexExpression> Coordinates(std::span<const int64_t> sizes) {
  std::vector<IndexExpression> coordinates;
  for (size_t d = 0; d < sizes.size(); ++d) {
    coordinates.push_back(IndexExpression::Coordinate(static_cast<int64_t>(d), sizes[d]));
  }
  return coordinates;
}

Expected<IndexFormula> FormulaOf(const Shape& shape, std::span<const IndexExpression> coordinates) {
  LAYOUTCHECK_TRY(const TiledIndex index, MakeTiledIndex(shape));
  return IndexFormula{
      BasicTiledIndex<IndexExpression>(index, [](int64_t number) { return IndexExpression(number); })(coordinates)};
}

Expected<IndexFormula> FormulaOf(const ComposedLayout& composed, std::span<const IndexExpression> coordinates) {
  LAYOUTCHECK_TRY(const StridedLayout strided, StridedLayoutOf(composed.layout));
  const auto inner = ConvertStridedLayout<IndexExpression>(strided);
  return IndexFormula{StridedOffset<IndexExpression>(inner, coordinates) + IndexExpression(composed.offset),
                      composed.swizzle};
}

Expected<IndexFormula> FormulaOf(const Source& source) {
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
std::string Evidence(const IndexFormula& formula, const Source& source, const IndexProver& prove) {
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
std::string CFunction(const IndexFormula& formula, const Source& source, std::string_view evidence) {
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

Expected<Candidate> ConvertToFormula(const Source& source, ConversionTarget target, const IndexProver& prove) {
  const Expected<IndexFormula> formula = FormulaOf(source);
  if (!formula) return std::unexpected(formula.error());
  if (target == ConversionTarget::kAffine && formula->swizzle && formula->swizzle->bits > 0) {
    return NotExpressible(StrCat(source.layout.Text(), " exchanges bits: that is not affine"));
  }
  if (formula->sum.parts() > IndexExpression::kMaxParts) {
    return NotExpressible(StrCat("the formula has more than ", IndexExpression::kMaxParts, " parts"));
  }
  std::string text = target == ConversionTarget::kAffine
                         ? AffineMap(formula->sum, source.sizes.size())
                         : CFunction(*formula, source, Evidence(*formula, source, prove));
  return Candidate{{std::move(text)}, [formula = *formula](std::span<const int64_t> i) { return formula.Evaluate(i); }};
}

Expected<Candidate> CandidateFor(ConversionTarget target, const Source& source, ElementType type,
                                 const IndexProver& prove) {
  switch (target) {
    case ConversionTarget::kHlo: return ReadBack(HloShapeOf(source.forms, type));
    case ConversionTarget::kShapeStride: return ReadBack(StridesOf(source.forms));
    case ConversionTarget::kLinear: return ReadBack(LinearOf(source.forms));
    case ConversionTarget::kTtg: return ConvertToTriton(source.forms);
    case ConversionTarget::kOneDnn:
    case ConversionTarget::kPack: return ConvertToBlocks(source, target);
    case ConversionTarget::kAffine:
    case ConversionTarget::kC: return ConvertToFormula(source, target, prove);
  }
  std::unreachable();
}

// Returns the coordinates at which the index may change its pace: sizes of tiles, products of extents of nested modes.
std::vector<int64_t> CutsOf(const CoreForms& forms) {
  std::vector<int64_t> cuts;
  if (forms.shape && *forms.shape && (*forms.shape)->layout) {
    for (const Tile& tile : (*forms.shape)->layout->tiles) {
      std::ranges::copy_if(tile.dimensions, std::back_inserter(cuts), [](int64_t size) { return size > 0; });
    }
  }
  if (forms.linear) {
    for (size_t bit = 0; bit < forms.linear->input_bits(); ++bit) cuts.push_back(int64_t{1} << bit);
  }
  if (!forms.strided) return cuts;
  const Expected<StridedLayout> strided = StridedLayoutOf(forms.strided->layout);
  if (!strided) return cuts;
  for (const auto& mode : strided->modes) {
    CheckedInt64 cut = 1;
    for (const StridedMode& leaf : mode) {
      cut = cut * leaf.extent;
      if (!cut.overflow) cuts.push_back(cut.value);
    }
  }
  return cuts;
}

// Returns coordinates of one dimension that stand for the others: both ends, and the neighbors of every cut.
std::vector<int64_t> Boundaries(int64_t size, const std::vector<int64_t>& cuts) {
  constexpr size_t kMost = 64;
  std::set<int64_t> chosen;
  for (int64_t i = 0; i < std::min<int64_t>(size, 3); ++i) chosen.insert({i, size - 1 - i});
  chosen.insert(size / 2);
  for (const int64_t cut : cuts) {
    if (chosen.size() > kMost) break;
    for (const int64_t i : {cut - 1, cut, cut + 1, size - cut}) {
      if (i >= 0 && i < size) chosen.insert(i);
    }
  }
  return {chosen.begin(), chosen.end()};
}

// Returns the first compared coordinate at which `candidate` has another index, or nothing.
std::optional<std::vector<int64_t>> FirstDifference(const Source& source, const IndexFunction& candidate) {
  if (source.IsEmpty()) return std::nullopt;
  const std::vector<int64_t> cuts = CutsOf(source.forms);
  std::vector<std::vector<int64_t>> choices;
  CheckedInt64 points = 1;
  for (const int64_t size : source.sizes) {
    std::vector<int64_t>& choice = choices.emplace_back();
    if (source.IsComparedEverywhere()) {
      for (int64_t i = 0; i < size; ++i) choice.push_back(i);
    } else {
      choice = Boundaries(size, cuts);
    }
    points = points * static_cast<int64_t>(choice.size());
  }
  std::vector<int64_t> coordinate(source.sizes.size());
  const auto differs = [&] { return source.layout.Index(coordinate) != candidate(coordinate); };
  if (points.overflow || points.value > kMostCompared) {
    std::mt19937_64 random(1);
    for (int64_t n = 0; n < kMostCompared; ++n) {
      for (size_t d = 0; d < coordinate.size(); ++d) coordinate[d] = choices[d][random() % choices[d].size()];
      if (differs()) return coordinate;
    }
    return std::nullopt;
  }
  for (int64_t n = 0; n < points.value; ++n) {
    int64_t rest = n;
    for (size_t d = 0; d < coordinate.size(); ++d) {
      const auto count = static_cast<int64_t>(choices[d].size());
      coordinate[d] = choices[d][static_cast<size_t>(rest % count)];
      rest /= count;
    }
    if (differs()) return coordinate;
  }
  return std::nullopt;
}

}  // namespace

Expected<Conversion> Convert(const AnyLayout& layout, ConversionTarget target, ElementType type,
                             const IndexProver& prove) {
  const Source source{layout, layout.Forms(), layout.Dimensions()};
  LAYOUTCHECK_TRY(Candidate candidate, CandidateFor(target, source, type, prove));
  auto& [conversion, index] = candidate;
  // A difference is always a defect of this program.
  const auto difference = FirstDifference(source, index);
  if (!difference) return std::move(conversion);
  return MakeError(ErrorKind::kUnavailable, StrCat("'", conversion.text, "' was discarded: it has another index at (",
                                                   StrJoin(*difference, ","), "); please report this layout"));
}

}  // namespace layoutcheck
