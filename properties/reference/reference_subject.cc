// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/properties/reference/reference_subject.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/hlo/equality.h"
#include "layoutcheck/core/hlo/instruction.h"
#include "layoutcheck/core/hlo/parser.h"
#include "layoutcheck/core/hlo/printer.h"
#include "layoutcheck/core/relayout/relayout.h"
#include "layoutcheck/core/shape_stride/evaluate.h"
#include "layoutcheck/core/tiling/address_walk.h"
#include "layoutcheck/core/tiling/offset_table.h"
#include "layoutcheck/core/tiling/sizes.h"
#include "layoutcheck/core/tiling/tiled_index.h"
#include "layoutcheck/core/xla_util/bitcast.h"
#include "layoutcheck/core/xla_util/shape_edits.h"
#include "layoutcheck/properties/algebra/algebra_reference.h"
#include "layoutcheck/properties/axis/axis_analysis.h"
#include "layoutcheck/properties/mlir/affine_expression.h"
#include "layoutcheck/properties/mlir/memref_type.h"
#include "layoutcheck/properties/sharding/sharding_reference.h"

namespace layoutcheck {
namespace {

// Evaluates the first argument, an expression, at the point that the other arguments name.
Answer<ApplyAnswer> EvaluateAffine(std::span<const std::string> arguments) {
  if (arguments.empty()) return Failed{Failed::Kind::kError, "no expression"};
  const auto point = AffinePoint::Parse(arguments.subspan(1));
  if (!point) return FailedWith(point.error());
  const auto expression = AffineExpression::Parse(arguments[0]);
  const auto value = expression ? expression->Evaluate(*point) : std::unexpected(expression.error());
  return value ? ApplyAnswer{{}, *value, {}} : ApplyAnswer{{}, {}, value.error().ToString()};
}

// Returns the canonical text of the memref type in the first argument, or of its view by the other arguments.
Answer<ApplyAnswer> ApplyToMemRef(bool is_view, std::span<const std::string> arguments) {
  if (arguments.empty()) return Failed{Failed::Kind::kError, "no type"};
  auto type = MemRefType::Parse(arguments[0]);
  if (type && is_view) type = ViewOf(*type, arguments.subspan(1));
  return type ? ApplyAnswer{type->ToString(), {}, {}} : ApplyAnswer{{}, {}, type.error().ToString()};
}

}  // namespace

Answer<bool> ReferenceSubject::Bitcast(const Shape& from, const Shape& to,
                                       std::optional<std::span<const int64_t>> transpose) {
  const auto answer = transpose ? TransposeIsBitcast(from, to, *transpose) : ReshapeIsBitcast(from, to);
  if (answer) return *answer;
  if (answer.error().kind == ErrorKind::kUnsupported) return Declined{answer.error().message};
  return FailedWith(answer.error());
}

Answer<bool> ReferenceSubject::AreEqual(const Shape& a, const Shape& b, std::span<const std::string> ignored_parts) {
  const auto options = ShapeEqualOptionsOf(ignored_parts);
  if (!options) return Declined{StrCat("cannot ignore one of ", StrJoin(ignored_parts, ", "))};
  return layoutcheck::Equal(a, b, *options);
}

Answer<EditAnswer> ReferenceSubject::Edit(std::string_view function, const Shape& shape,
                                          std::span<const int64_t> arguments) {
  const auto edited = ApplyEdit(function, shape, arguments);
  if (edited) return EditAnswer{ToString(*edited), {}};
  if (edited.error().kind == ErrorKind::kUnsupported) return Declined{edited.error().message};
  return EditAnswer{{}, edited.error().ToString()};
}

Answer<std::string> ReferenceSubject::Make(std::string_view tag, int64_t element_bits, std::span<const int64_t> sizes) {
  return MakeReference(tag, element_bits, sizes);
}

Answer<ApplyAnswer> ReferenceSubject::Apply(std::string_view function, std::span<const std::string> arguments) {
  if (function == kShardViewFunction) return ShardViewReference(arguments);
  if (function == "memref-type" || function == "memref-view")
    return ApplyToMemRef(function == "memref-view", arguments);
  return function == "affine" ? EvaluateAffine(arguments) : ApplyReference(function, arguments);
}

Answer<ViewAnswer> ReferenceSubject::ViewOf(const ViewQuestion& question) { return ViewReference(question); }

Answer<AxisInfo> ReferenceSubject::AxisInfoOf(std::string_view expression) {
  const auto parsed = AxisExpression::Parse(expression);
  if (!parsed) return FailedWith(parsed.error());
  return AnalyzeAxes(*parsed);
}

Answer<ShardAnswer> ReferenceSubject::ShardOf(std::string_view layout, int64_t device) {
  return ShardReference(layout, device);
}

Answer<std::vector<int64_t>> ReferenceSubject::Reshard(std::string_view from, std::string_view to, int64_t device) {
  return ReshardReference(from, to, device);
}

Answer<ParseAnswer> ReferenceSubject::Parse(std::string_view kind, std::string_view text) {
  if (kind == "shape") {
    const auto shape = ParseShape(text);
    return shape ? ParseAnswer{true, ToString(*shape), ""} : ParseAnswer{false, "", shape.error().ToString()};
  }
  if (kind == "layout") {
    const auto layout = ParseLayout(text);
    return layout ? ParseAnswer{true, ToString(*layout), ""} : ParseAnswer{false, "", layout.error().ToString()};
  }
  if (kind == "instruction") {
    const auto line = ReadInstructionLine(text);
    return line ? ParseAnswer{true, ToString(*line), ""} : ParseAnswer{false, "", line.error().ToString()};
  }
  return Declined{"no texts of this kind"};
}

Answer<int64_t> ReferenceSubject::Offset(const Shape& shape, std::span<const int64_t> coordinate) {
  const auto index = MakeTiledIndex(shape);
  if (!index) return FailedWith(index.error());
  if (const auto inside = CheckIndex(coordinate, shape.dimensions); !inside) return FailedWith(inside.error());
  return (*index)(coordinate);
}

Answer<std::vector<int64_t>> ReferenceSubject::Table(const Shape& shape) {
  auto offsets = AllOffsets(shape);
  if (!offsets) return FailedWith(offsets.error());
  return std::move(*offsets);
}

Expected<const MixedRadix<int64_t>*> ReferenceSubject::DigitsOf(const Shape& shape) {
  if (!digits_ || !(digits_shape_ == shape)) {
    LAYOUTCHECK_TRY(const auto layout, TiledLayoutOf(shape));
    LAYOUTCHECK_TRY(digits_, MakeMixedRadix(layout));
    digits_shape_ = shape;
  }
  return &*digits_;
}

Answer<std::optional<Subject::Coordinate>> ReferenceSubject::CoordinateAt(const Shape& shape, int64_t offset) {
  const auto digits = DigitsOf(shape);
  if (!digits) return FailedWith(digits.error());
  Coordinate coordinate(shape.dimensions.size());
  if (!(*digits)->Coordinate(offset, coordinate)) return std::optional<Coordinate>();
  return std::optional<Coordinate>(std::move(coordinate));
}

Answer<CoordinateList> ReferenceSubject::CoordinatesAt(const Shape& shape, std::span<const int64_t> offsets) {
  const auto digits = DigitsOf(shape);
  if (!digits) return FailedWith(digits.error());
  CoordinateList coordinates(offsets.size(), shape.dimensions.size());
  AddressWalk walk(**digits);
  for (const int64_t offset : offsets) {
    if (offset < 0 || offset >= walk.padded_elements()) {
      coordinates.AddPadding();
      continue;
    }
    walk.MoveTo(offset);
    if (walk.is_padding()) {
      coordinates.AddPadding();
    } else {
      coordinates.AddElement(walk.index());
    }
  }
  return coordinates;
}

Answer<SizeAnswer> ReferenceSubject::Size(const Shape& shape) {
  const auto sizes = SizesOf(shape);
  if (!sizes) return FailedWith(sizes.error());
  // Enumerating more elements for the extent of a layout with `*` would take too long per question.
  constexpr int64_t kMostEnumerated = int64_t{1} << 16;
  const auto extent = ExtentOf(shape, kMostEnumerated);
  return SizeAnswer{sizes->elements, sizes->padded_elements, sizes->bytes,
                    extent ? std::optional<int64_t>(*extent) : std::nullopt};
}

Answer<std::vector<int64_t>> ReferenceSubject::Relayout(const Shape& from, const Shape& to,
                                                        std::span<const int64_t> data) {
  // Moves element numbers as 8-byte elements, whatever the element type is.
  const auto numbered = [](Shape shape) {
    shape.element_type = ElementType::kS64;
    if (shape.layout) shape.layout->element_size_in_bits = 0;
    return shape;
  };
  const auto plan = layoutcheck::Relayout::Create(numbered(from), numbered(to));
  if (!plan) return FailedWith(plan.error());
  const auto cells = static_cast<size_t>(plan->destination_bytes()) / sizeof(int64_t);
  if (cells > OffsetTable::kMaxEntries) {
    return Failed{Failed::Kind::kError, StrCat("an array of more than ", OffsetTable::kMaxEntries, " cells")};
  }
  constexpr int64_t kPadding = -1;
  std::vector<int64_t> result(cells);
  const auto moved =
      plan->Run(std::as_bytes(data), std::as_writable_bytes(std::span(result)), std::as_bytes(std::span(&kPadding, 1)));
  if (!moved) return FailedWith(moved.error());
  return result;
}

}  // namespace layoutcheck
