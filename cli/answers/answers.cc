// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/answers/answers.h"
#include <algorithm>
#include <iterator>
#include <utility>
#include "layoutcheck/cli/answers/bank_access.h"
#include "layoutcheck/cli/notations/grid_views.h"
#include "layoutcheck/cli/pictures/draw_text.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/hlo/dump_reader.h"
#include "layoutcheck/core/hlo/instruction.h"
#include "layoutcheck/core/hlo/parser.h"
#include "layoutcheck/core/hlo/printer.h"
#include "layoutcheck/core/linear/linear_notation.h"
#include "layoutcheck/core/linear/linear_text.h"
#include "layoutcheck/core/shape_stride/text.h"
#include "layoutcheck/core/xla_util/bitcast.h"
#include "layoutcheck/json/json.h"

namespace layoutcheck {
namespace {

std::string LayoutFact(const AnyLayout& layout) {
  const AllocationSizes sizes = layout.Sizes();
  std::string text = StrCat(layout.Text(), ": ", sizes.elements, " elements");
  if (sizes.bytes) StrAppend(text, ", ", *sizes.bytes, " bytes");
  const std::optional<bool> contiguous = IsContiguous(layout);
  if (contiguous == true) return text += ", contiguous";
  if (contiguous == false) StrAppend(text, ", in ", sizes.padded_elements, " places");
  return text;
}

template <auto parse>
Expected<std::string> Canonical(std::string_view text) {
  LAYOUTCHECK_TRY(const auto value, parse(text));
  return ToString(value);
}

Expected<HloInstruction> ReadLine(std::string_view text) { return ReadInstructionLine(text); }

Expected<std::string> CanonicalOfAny(std::string_view text) {
  LAYOUTCHECK_TRY(const auto layout, ReadLayout(text));
  return layout->Text();
}

constexpr ParsedKind kParsedKinds[] = {
    {"shape", Canonical<[](std::string_view text) { return ParseShape(text); }>},
    {"layout", Canonical<ParseLayout>},
    {"instruction", Canonical<ReadLine>},
    {"shape-stride", Canonical<ParseShapeStrideLayout>},
    {"linear", Canonical<ReadLinearLayout>},
    {"any", CanonicalOfAny},
};

}  // namespace

Picture PictureOf(const AnyLayout& layout, std::string_view view, const Views& views,
                  const std::optional<AccessedBanks>& banks) {
  Picture picture{layout.Text(), SummaryOf(layout), views.boxes ? &*views.boxes : nullptr,
                  views.grid ? &*views.grid : nullptr};
  if (banks) {
    std::ranges::move(BanksFacts(*banks), std::back_inserter(picture.summary));
    picture.banks = &*banks;
    if (view == "memory") picture.boxes = nullptr;
  }
  return picture;
}

Json ShowJson(const AnyLayout& layout, const std::optional<AccessedBanks>& banks) {
  Json document{{"layout", layout.Text()}};
  document.update(SizesJson(layout));
  document["waste"] = layout.Waste();
  if (auto sizes = layout.ExpandedSizes()) document["expanded"] = *std::move(sizes);
  if (banks) document["access"] = BanksJson(*banks);
  document.update(layout.Details());
  return document;
}

Expected<Views> ViewsOf(const AnyLayout& layout, std::string_view view, std::span<const int64_t> tile) {
  Views views;
  const AllocationSizes sizes = layout.Sizes();
  if (sizes.elements > 0 && view == "threads") {
    LAYOUTCHECK_TRY(views.grid, ThreadGrid(layout, tile));
  } else if (sizes.elements > 0 && view != "memory") {
    views.grid = LogicalGrid(layout);
  }
  if (sizes.padded_elements > 0 && (view == "memory" || view == "both")) views.boxes = layout.Boxes();
  return views;
}

std::string ShowText(const AnyLayout& layout, const Views& views, const std::optional<AccessedBanks>& banks,
                     const TextStyle& style) {
  std::string text = StrCat(layout.Text(), "\n\n", FactsText(SummaryOf(layout), style));
  if (banks) StrAppend(text, "\n", FactsText(BanksFacts(*banks), style));
  if (views.grid) StrAppend(text, "\n", DrawText(*views.grid, style));
  if (!views.boxes) return text;
  StrAppend(text, "\n", DrawText(*views.boxes, style));
  const std::string letters = DrawLetters(*views.boxes, layout.PaddingSymbol(), style);
  if (!letters.empty()) {
    StrAppend(text, "\n", WrappedWords("In one line, elements lettered in logical order:", 0, style), "\n\n  ", letters,
              "\n");
  }
  return text;
}

std::string RelationText(const ComparedLayouts& answered) {
  return answered.comparison ? std::string(RelationName(answered.comparison->relation)) : "undecided";
}

std::vector<Fact> ComparisonFacts(const ComparedLayouts& answered) {
  const auto& [a, b, transpose, comparison] = answered;
  std::vector<Fact> facts{{"A", LayoutFact(a)}, {"B", LayoutFact(b)}};
  if (transpose) facts.push_back({"transpose", StrJoin(*transpose, ",")});
  if (!comparison) {
    facts.push_back({"undecided", comparison.error().message});
    return facts;
  }
  if (!comparison->reason.empty()) facts.push_back({"differ in", comparison->reason});
  if (const auto& moved = comparison->moved) {
    const auto coordinate = [](const std::vector<int64_t>& index) { return StrCat("(", StrJoin(index, ","), ")"); };
    facts.push_back({moved->is_first ? "first that moves" : "moves",
                     StrCat("element ", coordinate(moved->a), " at ", a.Index(moved->a), " in A, ",
                            moved->a == moved->b ? "" : StrCat("as element ", coordinate(moved->b), " "), "at ",
                            b.Index(moved->b), " in B")});
  }
  if (const auto& slice = comparison->slice) {
    facts.push_back(
        {"slice", StrCat(slice->of_a ? "B is A" : "A is B", " from (", StrJoin(slice->start, ","), ") on")});
  }
  if (comparison->as_bitcast) facts.push_back({"A's bytes as B", DecompositionText(*comparison->as_bitcast)});
  return facts;
}

std::string ComparisonText(const ComparedLayouts& answered) {
  return StrCat(RelationText(answered), "\n\n", FactsText(ComparisonFacts(answered)));
}

std::span<const ParsedKind> ParsedKinds() { return kParsedKinds; }

Json ParsedJson(const Expected<std::string>& result) {
  if (result) return Json{{"ok", true}, {"text", *result}};
  // Any other error means that a well-formed text breaks a rule of layouts.
  const bool syntax = result.error().kind == ErrorKind::kSyntax;
  return Json{{"ok", false},
              {"stage", syntax ? "syntax" : "layout"},
              {"column", result.error().column},
              {"error", result.error().message}};
}

}  // namespace layoutcheck
