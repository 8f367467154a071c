// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/tiling/pad_reshape_transpose.h"
#include "layoutcheck/core/tiling/tiling_laws.h"
#include "layoutcheck/properties/model/law.h"
#include "layoutcheck/properties/model/laws_internal.h"

namespace layoutcheck {
namespace {

// Judges the subject's offsets of all elements.
template <LawResult (*Judge)(const LayoutCase&, const std::vector<int64_t>& offsets)>
LawResult OnOffsets(Subject& subject, const LayoutCase& layout_case) {
  const Answer<std::vector<int64_t>> answer = OffsetsOf(subject, layout_case);
  if (auto unanswered = Unanswered(answer)) return *std::move(unanswered);
  return Judge(layout_case, std::get<std::vector<int64_t>>(answer));
}

LawResult DisagreeAt(const LayoutCase& layout_case, size_t element, std::string expected, int64_t actual) {
  return LawResult::Disagree(std::move(expected), std::to_string(actual)).At(layout_case.IndexOf(element));
}

LawResult JudgeLinearIndex(const LayoutCase& layout_case, const std::vector<int64_t>& offsets) {
  return CompareOffsets(layout_case, offsets, [&](size_t e) { return layout_case.offsets[e]; });
}

LawResult CheckHugeLinearIndex(Subject& subject, const HugeCase& huge_case) {
  if (huge_case.elements.empty()) return LawResult::OutsideDomain();
  const auto answer = subject.Offsets(huge_case.shape, huge_case.elements);
  if (auto unanswered = Unanswered(answer)) return *std::move(unanswered);
  const auto& offsets = std::get<std::vector<int64_t>>(answer);
  for (size_t e = 0; e < offsets.size(); ++e) {
    const int64_t expected = huge_case.index(huge_case.elements[e]);
    if (offsets[e] == expected) continue;
    return LawResult::Disagree(std::to_string(expected), std::to_string(offsets[e])).At(huge_case.elements[e]);
  }
  return LawResult::Agree();
}

LawResult JudgeInBounds(const LayoutCase& layout_case, const std::vector<int64_t>& offsets) {
  for (size_t e = 0; e < offsets.size(); ++e) {
    if (offsets[e] < 0 || offsets[e] >= layout_case.sizes.padded_elements) {
      return DisagreeAt(layout_case, e, StrCat("an offset below ", layout_case.sizes.padded_elements), offsets[e]);
    }
  }
  return LawResult::Agree();
}

LawResult JudgeInjective(const LayoutCase& layout_case, const std::vector<int64_t>& offsets) {
  std::vector<size_t> by_offset(offsets.size());
  for (size_t e = 0; e < offsets.size(); ++e) by_offset[e] = e;
  std::ranges::stable_sort(by_offset, {}, [&](size_t e) { return offsets[e]; });
  for (size_t k = 1; k < by_offset.size(); ++k) {
    if (offsets[by_offset[k - 1]] != offsets[by_offset[k]]) continue;
    const std::string other = StrJoin(layout_case.IndexOf(by_offset[k - 1]), ",");
    return DisagreeAt(layout_case, by_offset[k], StrCat("an offset of its own, not that of (", other, ")"),
                      offsets[by_offset[k]]);
  }
  return LawResult::Agree();
}

LawResult JudgePadReshapeTranspose(const LayoutCase& layout_case, const std::vector<int64_t>& offsets) {
  std::vector<int64_t> elements(offsets.size());
  for (size_t e = 0; e < elements.size(); ++e) elements[e] = static_cast<int64_t>(e);
  const auto memory = PadReshapeTranspose<int64_t>(layout_case.layout, elements, -1);
  if (!memory) return LawResult::Decline(memory.error().ToString());
  for (size_t place = 0; place < memory->size(); ++place) {
    if ((*memory)[place] < 0) continue;
    const auto e = static_cast<size_t>((*memory)[place]);
    if (offsets[e] != static_cast<int64_t>(place)) {
      return DisagreeAt(layout_case, e, std::to_string(place), offsets[e]);
    }
  }
  return LawResult::Agree();
}

// Returns the layout with each dimension grown to a multiple of the first tile's size, or nothing if padding remains.
std::optional<LayoutCase> GrowToFullTiles(const LayoutCase& layout_case) {
  Shape grown = layout_case.shape;
  grown.layout->tail_padding_alignment_in_elements = 1;
  grown.layout->split_configs.clear();
  if (!grown.layout->tiles.empty()) {
    const std::vector<int64_t>& tile = grown.layout->tiles[0].dimensions;
    const size_t tiled = std::min(tile.size(), grown.dimensions.size());
    for (size_t k = 0; k < tiled; ++k) {  // from the minor end
      const int64_t size = tile[tile.size() - 1 - k];
      int64_t& dimension = grown.dimensions[static_cast<size_t>(grown.layout->minor_to_major[k])];
      if (size != Tile::kCombineDimension) dimension = CeilDiv(dimension, size) * size;
    }
  }
  auto result = LayoutCase::Create(grown);
  if (!result || result->sizes.elements != result->sizes.padded_elements) return std::nullopt;
  return std::move(*result);
}

LawResult JudgeFullTilesBijective(const LayoutCase& layout_case, const std::vector<int64_t>& offsets) {
  std::vector<bool> taken(offsets.size(), false);
  for (size_t e = 0; e < offsets.size(); ++e) {
    const bool inside = offsets[e] >= 0 && offsets[e] < static_cast<int64_t>(offsets.size());
    if (inside && !taken[static_cast<size_t>(offsets[e])]) {
      taken[static_cast<size_t>(offsets[e])] = true;
      continue;
    }
    const std::string expected = StrCat("an offset below ", offsets.size(), " that no other element has");
    return DisagreeAt(layout_case, e, expected, offsets[e]).On(layout_case.text);
  }
  return LawResult::Agree();
}

LawResult CheckFullTilesBijective(Subject& subject, const LayoutCase& layout_case) {
  const std::optional<LayoutCase> grown = GrowToFullTiles(layout_case);
  if (!grown) return LawResult::OutsideDomain();
  return OnOffsets<JudgeFullTilesBijective>(subject, *grown);
}

std::string Text(const std::optional<std::span<const int64_t>>& coordinate) {
  return coordinate ? StrCat("(", StrJoin(*coordinate, ","), ")") : "padding";
}

// Returns the number of the element at a coordinate, or -2 if the array has no such coordinate.
int64_t ElementAt(const LayoutCase& layout_case, std::span<const int64_t> coordinate) {
  const std::vector<int64_t>& sizes = layout_case.layout.dimensions;
  if (coordinate.size() != sizes.size()) return -2;
  int64_t element = 0;
  for (size_t d = 0; d < sizes.size(); ++d) {
    if (coordinate[d] < 0 || coordinate[d] >= sizes[d]) return -2;
    element = element * sizes[d] + coordinate[d];
  }
  return element;
}

LawResult CheckInverse(Subject& subject, const LayoutCase& layout_case) {
  if (layout_case.sizes.padded_elements == 0) return LawResult::OutsideDomain();
  std::vector<int64_t> element_at(static_cast<size_t>(layout_case.sizes.padded_elements), -1);  // -1 for padding
  for (size_t e = 0; e < layout_case.offsets.size(); ++e) {
    element_at[static_cast<size_t>(layout_case.offsets[e])] = static_cast<int64_t>(e);
  }
  // Asks for all offsets, or for as many as the subject allows: evenly spread, with the last one among them.
  const auto count = static_cast<int64_t>(element_at.size());
  const int64_t step = std::max<int64_t>(1, CeilDiv(count, subject.info().max_questions.value_or(count + 1)));
  std::vector<int64_t> asked;
  for (int64_t offset = (count - 1) % step; offset < count; offset += step) asked.push_back(offset);
  const auto answer = subject.CoordinatesAt(layout_case.shape, asked);
  if (auto unanswered = Unanswered(answer)) return *std::move(unanswered);
  const auto& coordinates = std::get<CoordinateList>(answer);
  for (size_t k = 0; k < asked.size(); ++k) {
    const int64_t element = element_at[static_cast<size_t>(asked[k])];
    const auto actual = coordinates[k];
    if (element == (actual ? ElementAt(layout_case, *actual) : -1)) continue;
    std::vector<int64_t> index;
    if (element >= 0) index = layout_case.IndexOf(static_cast<size_t>(element));
    return LawResult::Disagree(element >= 0 ? Text(index) : Text(std::nullopt), Text(actual)).AtOffset(asked[k]);
  }
  return LawResult::Agree();
}

LawResult CheckHugeInverse(Subject& subject, const HugeCase& huge_case) {
  if (huge_case.elements.empty()) return LawResult::OutsideDomain();
  std::vector<int64_t> offsets;
  for (const std::vector<int64_t>& element : huge_case.elements) offsets.push_back(huge_case.index(element));
  const auto answer = subject.CoordinatesAt(huge_case.shape, offsets);
  if (auto unanswered = Unanswered(answer)) return *std::move(unanswered);
  const auto& coordinates = std::get<CoordinateList>(answer);
  for (size_t e = 0; e < offsets.size(); ++e) {
    const auto actual = coordinates[e];
    if (actual && std::ranges::equal(*actual, huge_case.elements[e])) continue;
    return LawResult::Disagree(Text(huge_case.elements[e]), Text(actual)).AtOffset(offsets[e]);
  }
  return LawResult::Agree();
}

}  // namespace

std::span<const Law> IndexLaws() {
  static constexpr Law kLaws[] = {
      {"linear-index", "Every element is at the linear index that the tiling's closed formula gives it.",
       "every layout", OnOffsets<JudgeLinearIndex>, CheckHugeLinearIndex},
      {kInjectiveLaw.name, kInjectiveLaw.statement, "every layout", OnOffsets<JudgeInjective>},
      {kInBoundsLaw.name, kInBoundsLaw.statement, "every layout", OnOffsets<JudgeInBounds>},
      {"full-tiles-bijective",
       "The array grown to the multiples of its tile fills the allocation: every offset has exactly one element.",
       "layouts whose later tiles divide what they tile, and whose * merge no padding", CheckFullTilesBijective},
      {kInverseLaw.name, kInverseLaw.statement, "every layout", CheckInverse, CheckHugeInverse},
      {kEqualsPadReshapeTransposeLaw.name, kEqualsPadReshapeTransposeLaw.statement, "every layout",
       OnOffsets<JudgePadReshapeTranspose>},
  };
  return kLaws;
}

}  // namespace layoutcheck
