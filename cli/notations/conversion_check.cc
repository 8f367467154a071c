// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <functional>
#include <optional>
#include <random>
#include <set>
#include "layoutcheck/cli/notations/conversion_internal.h"
#include "layoutcheck/core/base/integer.h"
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

using IndexFunction = std::function<int64_t(std::span<const int64_t>)>;

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
std::optional<std::vector<int64_t>> FirstDifference(const ConversionSource& source, const IndexFunction& candidate) {
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

bool ConversionSource::IsEmpty() const { return std::ranges::find(sizes, 0) != sizes.end(); }

bool ConversionSource::IsComparedEverywhere() const {
  CheckedInt64 elements = 1;
  for (const int64_t size : sizes) elements = elements * size;
  return !elements.overflow && elements.value <= kMostCompared;
}

Expected<void> CheckSameIndex(const ConversionSource& source, const IndexFunction& candidate, std::string_view text) {
  const auto difference = FirstDifference(source, candidate);
  if (!difference) return {};
  return MakeError(ErrorKind::kUnavailable, StrCat("'", text, "' was discarded: it has another index at (",
                                                   StrJoin(*difference, ","), "); please report this layout"));
}

}  // namespace layoutcheck
