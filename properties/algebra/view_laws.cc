// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include "layoutcheck/core/base/index_stepper.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/shape_stride/evaluate.h"
#include "layoutcheck/core/shape_stride/fractal_layout.h"
#include "layoutcheck/core/shape_stride/text.h"
#include "layoutcheck/core/shape_stride/view.h"
#include "layoutcheck/properties/algebra/algebra_law.h"
#include "layoutcheck/properties/algebra/algebra_reference.h"

namespace layoutcheck {
namespace {

using Integers = std::vector<int64_t>;
using ViewKind = ViewQuestion::Kind;

// A question with the right answer.
struct ViewCase {
  ViewQuestion question;
  ComposedLayout whole;
  View view;
  StridedView strided;
};

// Returns coordinates that stand for all of a view: all of them if they are few, otherwise the first and the last ones
// of each mode, those around the ends of blocks, and those around powers of two.
std::vector<Integers> CoordinatesOf(const ComposedLayout& whole, const View& view) {
  constexpr int64_t kMostVisitedCoordinates = 256;
  const Integers valid = ValidExtents(view);
  if (IsEmpty(view)) return {};
  const CheckedInt64 elements = ProductOfSizes(valid);
  const bool all = !elements.overflow && elements.value <= kMostVisitedCoordinates;
  std::vector<Integers> choices;
  const std::vector<ShapeStrideLayout> modes = Modes(whole.layout);
  for (size_t d = 0; d < modes.size(); ++d) {
    const ViewRange& range = view.ranges[d];
    if (!range.is_kept) continue;
    const int64_t size = valid[choices.size()];
    std::set<int64_t> chosen;
    const auto add = [&](int64_t c) {
      if (c >= 0 && c < size) chosen.insert(c);
    };
    if (all) {
      for (int64_t c = 0; c < size; ++c) add(c);
    } else {
      CheckedInt64 block = 1;
      for (const IntTuple& extent : Leaves(modes[d].shape)) {
        block = block * extent.value();
        if (block.overflow || block.value < 1) break;
        const int64_t left = block.value - range.begin % block.value;  // until the end of the block
        for (const int64_t c : {left - 1, left, block.value}) add(c);
      }
      for (const int64_t c : {int64_t{0}, int64_t{1}, size - 1, size / 2, int64_t{1} << 31, int64_t{1} << 32}) add(c);
    }
    choices.emplace_back(chosen.begin(), chosen.end());
  }
  Integers counts;
  for (const Integers& choice : choices) counts.push_back(static_cast<int64_t>(choice.size()));
  std::vector<Integers> coordinates;
  ForEachIndex(counts, [&](std::span<const int64_t> number) {
    Integers& coordinate = coordinates.emplace_back();
    for (size_t d = 0; d < number.size(); ++d) coordinate.push_back(choices[d][static_cast<size_t>(number[d])]);
    return std::ssize(coordinates) < kMostVisitedCoordinates;
  });
  return coordinates;
}

std::optional<ComposedLayout> ReadWhole(std::string_view text) {
  if (const auto fractal = ParseFractalLayout(text)) {
    auto layout = ShapeStrideOf(*fractal);
    if (layout) return ComposedLayout{std::nullopt, 0, *std::move(layout)};
    return std::nullopt;
  }
  auto layout = ParseShapeStrideLayout(text);
  if (!layout) return std::nullopt;
  return ComposedLayout{std::nullopt, 0, *std::move(layout)};
}

// Sets what the question asks of a view. Returns false if an operation of this kind cannot ask for it.
bool AskFor(const View& view, ViewKind kind, ViewQuestion& question) {
  question.kind = kind;
  for (size_t d = 0; d < view.ranges.size(); ++d) {
    const auto& [begin, tile, is_kept] = view.ranges[d];
    if (kind == ViewKind::kSlice) {
      if (is_kept && (begin != 0 || tile != view.extents[d])) return false;
      question.at.push_back(is_kept ? std::nullopt : std::optional(begin));
      continue;
    }
    const bool is_tile = kind == ViewKind::kTileView;
    if (!is_kept || (is_tile && (tile == 0 || begin % tile != 0))) return false;
    question.at.emplace_back(is_tile ? begin / tile : begin);
    question.tile.push_back(tile);
  }
  return kind != ViewKind::kSlice || question.KeptModes() > 0;
}

// Reads the text of a view, or of a view of a view if `of_view`. Returns nothing for texts that the operation does not
// take, and for those without a right answer.
std::optional<ViewCase> ReadCase(std::string_view text, ViewKind kind, bool of_view) {
  const size_t last = FindView(text);
  if (last == std::string_view::npos) return std::nullopt;
  const size_t first = FindView(text.substr(0, last));
  if ((first != std::string_view::npos) != of_view) return std::nullopt;
  ViewCase view_case;
  auto whole = ReadWhole(text.substr(0, of_view ? first : last));
  if (!whole) return std::nullopt;
  view_case.whole = *std::move(whole);
  auto extents = LogicalSizes(view_case.whole.layout);
  if (!extents) return std::nullopt;
  ViewQuestion& question = view_case.question;
  question.layout = ToString(view_case.whole.layout);
  question.extents = *extents;
  if (of_view) {
    const auto outer = ParseView(text.substr(0, last), first, *extents);
    if (!outer) return std::nullopt;
    question.of.emplace();
    for (const ViewRange& range : outer->ranges) {
      if (!range.is_kept) return std::nullopt;
      question.of->origin.push_back(range.begin);
      question.of->tile.push_back(range.tile);
    }
    *extents = ValidExtents(*outer);
  }
  const auto inner = ParseView(text, last, *extents);
  if (!inner || !AskFor(*inner, kind, question)) return std::nullopt;
  auto view = ViewOf(question);
  if (!view) return std::nullopt;
  view_case.view = *std::move(view);
  auto strided = StridedViewOf(view_case.whole, view_case.view);
  if (!strided) return std::nullopt;
  view_case.strided = *std::move(strided);
  question.coordinates = CoordinatesOf(view_case.whole, view_case.view);
  return view_case;
}

std::string ListText(const Integers& list) { return StrCat("(", StrJoin(list, ","), ")"); }

// Judges the offsets of the elements asked for.
LawResult JudgeElements(const ViewCase& view_case, const ViewAnswer& given) {
  const auto& coordinates = view_case.question.coordinates;
  std::optional<ShapeStrideLayout> layout;
  if (given.layout) {
    auto read = ParseShapeStrideLayout(*given.layout);
    const auto kept = static_cast<int64_t>(view_case.question.KeptModes());
    if (!read || Rank(*read) != kept) return LawResult::Disagree(StrCat("a layout of ", kept, " modes"), *given.layout);
    layout = *std::move(read);
  } else if (given.offsets->size() != coordinates.size()) {
    return LawResult::Disagree(StrCat(coordinates.size(), " offsets"), StrCat(given.offsets->size()));
  }
  for (size_t i = 0; i < coordinates.size(); ++i) {
    const Expected<int64_t> expected = OffsetInView(view_case.whole, view_case.view, coordinates[i]);
    if (!expected) return LawResult::OutsideDomain();
    std::optional<int64_t> actual;
    if (layout) {
      const IntTuple c = layout->shape.is_leaf() ? IntTuple(coordinates[i][0])
                                                 : IntTuple::Tuple({coordinates[i].begin(), coordinates[i].end()});
      if (const auto inside = Crd2Idx(c, *layout)) {
        const CheckedInt64 sum = CheckedInt64(*inside) + given.offset;
        if (!sum.overflow) actual = sum.value;
      }
    } else {
      actual = (*given.offsets)[i];
    }
    if (actual == *expected) continue;
    const std::string where = layout ? StrCat(" in ", given.offset, " o ", *given.layout) : "";
    return LawResult::Disagree(StrCat(*expected), StrCat(actual ? StrCat(*actual) : "no offset", where))
        .At(coordinates[i]);
  }
  return LawResult::Agree();
}

LawResult JudgeExtents(const ViewCase& view_case, const ViewAnswer& given) {
  const Integers expected = ValidExtents(view_case.view);
  if (!given.valid) return LawResult::Decline("no valid extents in the answer");
  if (*given.valid == expected) return LawResult::Agree();
  return LawResult::Disagree(StrCat("valid extents ", ListText(expected)), ListText(*given.valid));
}

LawResult JudgeBoth(const ViewCase& view_case, const ViewAnswer& given) {
  LawResult elements = JudgeElements(view_case, given);
  if (elements.verdict != LawResult::Verdict::kAgree || !given.valid) return elements;
  return JudgeExtents(view_case, given);
}

bool IsAnyView(const ViewCase&) { return true; }
bool HasElements(const ViewCase& view_case) { return !IsEmpty(view_case.view); }
bool HasStridedForm(const ViewCase& view_case) { return HasElements(view_case) && view_case.strided.is_right(); }
bool HasNoStridedForm(const ViewCase& view_case) { return !view_case.strided.is_right(); }
bool IsCutOff(const ViewCase& view_case) { return ValidExtents(view_case.view) != view_case.question.tile; }

struct ViewLawRow {
  std::string_view name;
  std::string_view statement;
  std::string_view domain;
  ViewKind kind;
  bool of_view;
  std::string DrawnViews::* drawn;
  bool (*applies)(const ViewCase&);
  LawResult (*judge)(const ViewCase&, const ViewAnswer&);
};

constexpr ViewLawRow kRows[] = {
    {"view", "Element c of a view is element origin + c of the whole.",
     "views of shape:stride and fractal layouts whose strided form is right", ViewKind::kView, false, &DrawnViews::view,
     HasStridedForm, JudgeElements},
    {"view-extent", "A view has min(tile, max(extent - origin, 0)) elements per mode.",
     "views of shape:stride and fractal layouts", ViewKind::kView, false, &DrawnViews::view, IsAnyView, JudgeExtents},
    {"unaligned-view", "A view that begins inside of a block and reaches into the next one is right or rejected.",
     "views whose strided form is wrong", ViewKind::kView, false, &DrawnViews::view, HasNoStridedForm, JudgeElements},
    {"tile-view", "Tile t is the view at t times the tile shape, also beyond 2^32.",
     "layouts cut into tiles of any shape", ViewKind::kTileView, false, &DrawnViews::tile_view, HasElements,
     JudgeElements},
    {"end-tile", "A tile that reaches beyond the end has the elements that are left, and no others.",
     "last tiles, and tiles behind the end", ViewKind::kTileView, false, &DrawnViews::tile_view, IsCutOff, JudgeBoth},
    {"slice", "A slice has the elements of the whole at the fixed coordinates, in the modes that are kept.",
     "layouts, and an index or _ per mode", ViewKind::kSlice, false, &DrawnViews::slice, HasElements, JudgeBoth},
    {"view-of-view", "A view of a view is the view of the whole at the sum of the origins, within the first one.",
     "views of views of shape:stride and fractal layouts", ViewKind::kView, true, &DrawnViews::view_of_view, IsAnyView,
     JudgeBoth},
};

LawResult CheckView(const ViewLawRow& row, Subject& subject, std::span<const std::string> arguments) {
  if (arguments.size() != 1) return LawResult::OutsideDomain();
  const auto view_case = ReadCase(arguments[0], row.kind, row.of_view);
  if (!view_case || !row.applies(*view_case)) return LawResult::OutsideDomain();
  const Answer<ViewAnswer> answer = subject.ViewOf(view_case->question);
  if (auto unanswered = Unanswered(answer)) return *std::move(unanswered);
  const auto& given = std::get<ViewAnswer>(answer);
  const bool is_strided = view_case->strided.is_right();
  if (given.rejected) return is_strided ? LawResult::Refuse(*given.rejected) : LawResult::Agree();
  LawResult result = row.judge(*view_case, given);
  if (result.verdict == LawResult::Verdict::kDisagree) {
    result.reference_answer = is_strided ? ToString(view_case->strided.layout) : "offsets, without a strided form";
  }
  return result;
}

}  // namespace

std::vector<AlgebraLaw> ViewLaws() {
  std::vector<AlgebraLaw> laws;
  for (const ViewLawRow& row : kRows) {
    laws.push_back(
        {row.name, row.statement, row.domain, "",
         [&row](const AlgebraCase& c) { return std::vector<std::string>{c.views.*row.drawn}; },
         [&row](Subject& subject, std::span<const std::string> texts) { return CheckView(row, subject, texts); }});
  }
  return laws;
}

}  // namespace layoutcheck
