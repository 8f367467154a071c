#include "layoutcheck/properties/subject.h"

#include "layoutcheck/core/instruction.h"
#include "layoutcheck/core/mixed_radix.h"
#include "layoutcheck/core/offset_table.h"
#include "layoutcheck/core/parser.h"
#include "layoutcheck/core/printer.h"
#include "layoutcheck/core/relayout.h"
#include "layoutcheck/core/sizes.h"
#include "layoutcheck/core/str_cat.h"
#include "layoutcheck/core/tiled_index.h"
#include "layoutcheck/properties/affine_expression.h"
#include "layoutcheck/properties/algebra_reference.h"
#include "layoutcheck/properties/memref_type.h"

namespace layoutcheck {
namespace {

Failed FailedWith(const Error& error) { return {Failed::Kind::kError, error.ToString()}; }

// ask(item) for each of the items, until one is declined or fails.
template <class T, class Items, class Ask>
Answer<std::vector<T>> AskOneByOne(const Items& items, Ask ask) {
  std::vector<T> values;
  values.reserve(items.size());
  for (const auto& item : items) {
    Answer<T> answer = ask(item);
    if (auto* declined = std::get_if<Declined>(&answer)) return std::move(*declined);
    if (auto* failed = std::get_if<Failed>(&answer)) return std::move(*failed);
    values.push_back(std::get<T>(std::move(answer)));
  }
  return values;
}

// The value of an expression, the first argument, at the point that the others are.
Answer<ApplyAnswer> EvaluateAffine(std::span<const std::string> arguments) {
  if (arguments.empty()) return Failed{Failed::Kind::kError, "no expression"};
  const auto point = AffinePoint::Parse(arguments.subspan(1));
  if (!point) return FailedWith(point.error());
  const auto expression = AffineExpression::Parse(arguments[0]);
  const auto value = expression ? expression->Evaluate(*point) : std::unexpected(expression.error());
  return value ? ApplyAnswer{{}, *value, {}} : ApplyAnswer{{}, {}, value.error().ToString()};
}

// A memref type, the first argument, or the view of it that the others name, in canonical text.
Answer<ApplyAnswer> ApplyToMemRef(bool is_view, std::span<const std::string> arguments) {
  if (arguments.empty()) return Failed{Failed::Kind::kError, "no type"};
  auto type = MemRefType::Parse(arguments[0]);
  if (type && is_view) type = ViewOf(*type, arguments.subspan(1));
  return type ? ApplyAnswer{type->ToString(), {}, {}} : ApplyAnswer{{}, {}, type.error().ToString()};
}

}  // namespace

Answer<ParseAnswer> Subject::Parse(std::string_view, std::string_view) { return Declined{"no parse"}; }
std::vector<Answer<ParseAnswer>> Subject::Parses(std::string_view kind, std::span<const std::string> texts) {
  std::vector<Answer<ParseAnswer>> answers;
  answers.reserve(texts.size());
  for (const std::string& text : texts) {
    answers.push_back(Parse(kind, text));
    if (std::holds_alternative<Failed>(answers.back())) break;
  }
  return answers;
}
Answer<int64_t> Subject::Offset(const Shape&, std::span<const int64_t>) { return Declined{"no offset"}; }
Answer<std::vector<int64_t>> Subject::Offsets(const Shape& shape, std::span<const Coordinate> coordinates) {
  return AskOneByOne<int64_t>(coordinates, [&](const Coordinate& coordinate) { return Offset(shape, coordinate); });
}
Answer<std::vector<int64_t>> Subject::Table(const Shape&) { return Declined{"no table"}; }
Answer<std::optional<Subject::Coordinate>> Subject::CoordinateAt(const Shape&, int64_t) {
  return Declined{"no coordinate"};
}
Answer<std::vector<std::optional<Subject::Coordinate>>> Subject::CoordinatesAt(const Shape& shape,
                                                                               std::span<const int64_t> offsets) {
  return AskOneByOne<std::optional<Coordinate>>(offsets, [&](int64_t offset) { return CoordinateAt(shape, offset); });
}
Answer<SizeAnswer> Subject::Size(const Shape&) { return Declined{"no size"}; }
Answer<std::vector<int64_t>> Subject::Relayout(const Shape&, const Shape&, std::span<const int64_t>) {
  return Declined{"no relayout"};
}

Answer<std::string> Subject::Make(std::string_view, int64_t, int64_t, int64_t) { return Declined{"no make"}; }
Answer<ApplyAnswer> Subject::Apply(std::string_view, std::span<const std::string>) { return Declined{"no apply"}; }

Answer<std::string> ReferenceSubject::Make(std::string_view tag, int64_t element_bits, int64_t rows, int64_t columns) {
  return MakeReference(tag, element_bits, rows, columns);
}

Answer<ApplyAnswer> ReferenceSubject::Apply(std::string_view function, std::span<const std::string> arguments) {
  if (function == "memref-type" || function == "memref-view")
    return ApplyToMemRef(function == "memref-view", arguments);
  return function == "affine" ? EvaluateAffine(arguments) : ApplyReference(function, arguments);
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

Answer<std::optional<Subject::Coordinate>> ReferenceSubject::CoordinateAt(const Shape& shape, int64_t offset) {
  if (!digits_ || !(digits_shape_ == shape)) {
    const auto layout = TiledLayoutOf(shape);
    if (!layout) return FailedWith(layout.error());
    auto digits = MakeMixedRadix(*layout);
    if (!digits) return FailedWith(digits.error());
    digits_ = std::move(*digits);
    digits_shape_ = shape;
  }
  Coordinate coordinate(shape.dimensions.size());
  if (!digits_->Coordinate(offset, coordinate)) return std::optional<Coordinate>();
  return std::optional<Coordinate>(std::move(coordinate));
}

Answer<SizeAnswer> ReferenceSubject::Size(const Shape& shape) {
  const auto sizes = SizesOf(shape);
  if (!sizes) return FailedWith(sizes.error());
  // The extent of a large layout with `*` takes longer than a question should.
  constexpr int64_t kMostEnumerated = int64_t{1} << 16;
  const auto extent = ExtentOf(shape, kMostEnumerated);
  return SizeAnswer{sizes->elements, sizes->padded_elements, sizes->bytes,
                    extent ? std::optional<int64_t>(*extent) : std::nullopt};
}

Answer<std::vector<int64_t>> ReferenceSubject::Relayout(const Shape& from, const Shape& to,
                                                        std::span<const int64_t> data) {
  // Element numbers are moved as 8-byte elements, whatever the elements are.
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
