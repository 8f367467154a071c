// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/properties/conformance/conformance_files.h"
#include <fmt/format.h>
#include <set>
#include <string_view>
#include "layoutcheck/core/algebra/coalesce.h"
#include "layoutcheck/core/base/hash.h"
#include "layoutcheck/core/hlo/lexer.h"
#include "layoutcheck/core/hlo/parser.h"
#include "layoutcheck/core/hlo/printer.h"
#include "layoutcheck/core/shape_stride/evaluate.h"
#include "layoutcheck/core/shape_stride/shape_stride_layout.h"
#include "layoutcheck/core/shape_stride/text.h"
#include "layoutcheck/core/tiling/offset_table.h"
#include "layoutcheck/core/tiling/sizes.h"
#include "layoutcheck/json/json.h"
#include "layoutcheck/properties/generate/exhaustive_scope.h"
#include "layoutcheck/properties/generate/layout_generator.h"
#include "layoutcheck/properties/model/law.h"

namespace layoutcheck {
namespace {

// largest number of elements of a table that is written in full; a longer one has only a digest
constexpr int64_t kLongestTable = 24;

std::string Line(const Json& record) { return record.Dump() + "\n"; }

std::string Header(std::string_view file, std::string_view about) {
  return Line({{"format", "layoutcheck-conformance"}, {"version", 1}, {"file", file}, {"about", about}});
}

Json Sizes(const Shape& shape, const LayoutSizes& sizes) {
  Json record{{"layout", ToString(shape)},
              {"elements", sizes.elements},
              {"padded_elements", sizes.padded_elements},
              {"bytes", sizes.bytes}};
  // The extent is missing if only an enumeration of the array would give it.
  if (const auto extent = ExtentOf(shape)) record["extent"] = *extent;
  return record;
}

void AppendTable(Json& record, std::span<const int64_t> offsets) {
  record["digest"] = DigestOf(offsets);
  if (static_cast<int64_t>(offsets.size()) <= kLongestTable) record["offsets"] = offsets;
}

// Appends a layout with its whole table, unless its sizes overflow or its table is too large.
void AppendLayout(const Shape& shape, std::string& text) {
  const auto layout_case = LayoutCase::Create(shape);
  if (!layout_case) return;
  Json record = Sizes(shape, layout_case->sizes);
  AppendTable(record, layout_case->offsets);
  text += Line(record);
}

void AppendHugeLayout(const Shape& shape, std::string& text) {
  const auto huge = HugeCase::Create(shape);
  if (!huge) return;
  Json record = Sizes(shape, huge->sizes);
  std::set<std::vector<int64_t>> seen;
  for (const auto& element : huge->elements) {
    if (seen.insert(element).second) record["samples"].push_back(Json::array({element, huge->index(element)}));
  }
  text += Line(record);
}

void AppendScope(const ExhaustiveScope& scope, uint64_t step, std::string& text) {
  CountedChoices choices;
  uint64_t number = 0;
  do {
    const Shape shape = DrawFromScope(choices, scope);
    if (number++ % step == 0) AppendLayout(shape, text);
  } while (choices.Advance());
}

Expected<ConformanceFile> Layouts(std::span<const std::string> occurring) {
  std::string text = Header("layouts", "offsets of all elements, the last logical dimension fastest, and sizes");
  const auto ladder = ExhaustiveLadder();
  AppendScope(ladder[1], 1, text);
  AppendScope(ladder[2], 13, text);
  AppendScope(ladder[3], 97, text);
  // This scope has sizes around those of the tiles.
  AppendScope(ladder[5], 1009, text);
  // Random layouts have every attribute, and dynamic dimensions.
  for (uint64_t number = 0; number < 500; ++number) {
    RandomChoices choices(1, number);
    AppendLayout(DrawLayout(choices, LayoutScope{.max_elements = 256, .max_padded_elements = 4096}), text);
  }
  for (uint64_t number = 0; number < 200; ++number) {
    RandomChoices choices(2, number);
    AppendHugeLayout(DrawHugeLayout(choices, LayoutScope{}), text);
  }
  for (const std::string& line : occurring) {
    LAYOUTCHECK_TRY(const auto shape, ParseShape(line));
    AppendHugeLayout(shape, text);
  }
  return ConformanceFile{"layouts.jsonl", std::move(text)};
}

// The lines of texts.jsonl, without repetitions.
class Texts {
 public:
  // Adds the text, the texts with one token left out or doubled, and the text with blanks between all tokens.
  void AddAround(const std::string& text) {
    Add(text);
    std::string blanks;
    for (Lexer lexer(text); lexer.kind() != TokenKind::kEof && lexer.kind() != TokenKind::kError; lexer.Advance()) {
      const Token token = lexer.token();
      const auto begin = static_cast<size_t>(token.column) - 1;
      blanks += fmt::format(" {}", token.text);
      Add(std::string(text).erase(begin, token.text.size()));
      Add(std::string(text).insert(begin, std::string(token.text) + (token.text.size() > 1 ? " " : "")));
    }
    Add(blanks + "\t// end");
  }

  ConformanceFile Finish() && { return {"texts.jsonl", std::move(text_)}; }

 private:
  void Add(const std::string& text) {
    if (!seen_.insert(text).second) return;
    Json record{{"kind", "shape"}, {"text", text}};
    if (const auto shape = ParseShape(text)) {
      record["verdict"] = "accept";
      record["canonical"] = ToString(*shape);
    } else {
      // A parser may leave it to a later step to reject a layout that breaks a rule.
      record["verdict"] = shape.error().kind == ErrorKind::kSyntax ? "reject" : "may";
    }
    text_ += Line(record);
  }

  std::string text_ = Header("texts", "texts that are accepted, rejected, or accepted or rejected as the parser likes");
  std::set<std::string> seen_;
};

ConformanceFile MakeTexts(std::span<const std::string> occurring) {
  Texts texts;
  for (const std::string& line : occurring) texts.AddAround(line);
  for (const char* text :
       {"()", "(f32[2], (token[], b(u8[4]{0})))", "f32[?,<=3]{0,1}", "f32[2,7,8]{2,1,0:T(*,*,2)}",
        "s32[6]{0:T(2)L(8)E(4)S(1)SC(0:3,5)M(8)}", "pred[]", "opaque[]", "u2[9223372036854775807]"}) {
    texts.AddAround(text);
  }
  CountedChoices choices;
  do {
    texts.AddAround(ToString(DrawFromScope(choices, ExhaustiveLadder()[0])));
  } while (choices.Advance());
  return std::move(texts).Finish();
}

void AppendShapeStride(const IntTuple& shape, const IntTuple& stride, std::string& text) {
  const ShapeStrideLayout layout{shape, stride};
  const auto size = Size(layout);
  const auto cosize = Cosize(layout);
  const auto coalesced = Coalesce(layout);
  if (!size || !cosize || !coalesced) return;
  std::vector<int64_t> offsets;
  for (int64_t index = 0; index < *size; ++index) {
    const auto offset = Crd2Idx(index, layout);
    if (!offset) return;
    offsets.push_back(*offset);
  }
  Json record{{"layout", ToString(layout)}, {"size", *size}, {"cosize", *cosize}, {"coalesced", ToString(*coalesced)}};
  AppendTable(record, offsets);
  text += Line(record);
}

ConformanceFile ShapeStrides() {
  std::string text = Header("shape_stride", "offsets of the integral coordinates 0 to size - 1, and sizes");
  // All combinations of these sizes and strides in each nesting include equal strides, strides of 0, and gaps.
  const std::vector<int64_t> sizes = {1, 2, 3};
  const std::vector<int64_t> strides = {0, 1, 2, 6};
  const auto for_all = [](const std::vector<int64_t>& values, size_t count, const auto& use) {
    std::vector<size_t> at(count);
    for (size_t k = 0; k < count;) {
      std::vector<IntTuple> drawn;
      for (const size_t index : at) drawn.emplace_back(values[index]);
      use(drawn);
      for (k = 0; k < count && ++at[k] == values.size(); ++k) at[k] = 0;
    }
  };
  using Nesting = IntTuple (*)(const std::vector<IntTuple>&);
  const std::pair<size_t, Nesting> nestings[] = {
      {1, [](const std::vector<IntTuple>& v) { return v[0]; }},
      {2, [](const std::vector<IntTuple>& v) { return IntTuple::Tuple(v); }},
      {3, [](const std::vector<IntTuple>& v) { return IntTuple::Tuple({IntTuple::Tuple({v[0], v[1]}), v[2]}); }}};
  for (const auto& [count, nest] : nestings) {
    for_all(sizes, count, [&](const std::vector<IntTuple>& shape) {
      for_all(strides, count,
              [&](const std::vector<IntTuple>& stride) { AppendShapeStride(nest(shape), nest(stride), text); });
    });
  }
  return {"shape_stride.jsonl", std::move(text)};
}

}  // namespace

std::string DigestOf(std::span<const int64_t> offsets) {
  uint64_t digest = HashText("");
  for (const int64_t offset : offsets) {
    char bytes[sizeof(offset)];
    for (size_t k = 0; k < sizeof(bytes); ++k) bytes[k] = static_cast<char>(offset >> (8 * k));
    digest = HashText({bytes, sizeof(bytes)}, digest);
  }
  return HashDigits(digest);
}

Expected<std::vector<ConformanceFile>> MakeConformanceFiles(std::span<const std::string> occurring) {
  LAYOUTCHECK_TRY(auto layouts, Layouts(occurring));
  return std::vector<ConformanceFile>{std::move(layouts), MakeTexts(occurring), ShapeStrides()};
}

}  // namespace layoutcheck
