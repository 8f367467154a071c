// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Proves the laws of random layouts with names, compares each verdict with numbers, and counts those that stay unknown.
// LAYOUTCHECK_SYMBOLIC_LAYOUTS=N draws N layouts; LAYOUTCHECK_SHOW_UNKNOWN=1 prints the unknown verdicts.
#include <gtest/gtest.h>
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/core/base/index_stepper.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/tiling/mixed_radix.h"
#include "layoutcheck/core/tiling/pad_reshape_transpose.h"
#include "layoutcheck/core/tiling/tiled_index.h"
#include "layoutcheck/properties/generate/choices.h"
#include "layoutcheck/solver/layout_proof/padded_box.h"
#include "layoutcheck/solver/layout_proof/prove.h"
#include "layoutcheck/solver/layout_proof/symbolic_layout.h"

namespace layoutcheck {
namespace {

#if defined(LAYOUTCHECK_SANITIZED)
constexpr uint64_t kLayouts = 20;
#else
constexpr uint64_t kLayouts = 80;
#endif
constexpr uint64_t kSeed = 20261123;
constexpr int64_t kMostPaddedElements = 3000;  // of an array whose offsets are enumerated
constexpr int kMostArrays = 30;                // per layout

// Draws the text of a layout as users write it: sizes and tile sizes that are numbers or names, in any order, with up
// to two levels of tiles.
class LayoutText {
 public:
  explicit LayoutText(Choices& choices) : choices_(choices) {}

  std::string Draw() {
    const auto type = Pick<std::string_view>({"f32", "bf16", "s8", "s4"});
    const size_t rank = 1 + choices_.Choose(3);
    std::vector<std::string> sizes;
    for (size_t d = 0; d < rank; ++d) {
      sizes.push_back(choices_.Choose(4) == 0 ? StrCat(Pick<int64_t>({1, 2, 3, 5, 8, 16, 24, 128}))
                                              : std::string(1, "JKLMN"[choices_.Choose(5)]));
    }
    std::vector<std::string> order;
    for (size_t d = 0; d < rank; ++d) {
      order.insert(order.begin() + static_cast<std::ptrdiff_t>(choices_.Choose(order.size() + 1)), StrCat(d));
    }
    std::string tiles = DrawTile(rank);
    if (choices_.Choose(2) == 0) tiles += DrawTile(rank);
    return StrCat(type, "[", StrJoin(sizes, ","), "]{", StrJoin(order, ","), ":T", tiles, type == "s4" ? "E(4)}" : "}");
  }

 private:
  template <class T>
  T Pick(std::initializer_list<T> values) {
    return values.begin()[choices_.Choose(values.size())];
  }

  // Most tiles have as many entries as the array has dimensions, or one less; few have one more.
  std::string DrawTile(size_t rank) {
    const size_t entries = choices_.Choose(10) == 0 ? rank + 1 : 1 + choices_.Choose(rank);
    std::vector<std::string> tile;
    for (size_t k = 0; k < entries; ++k) {
      if (k + 1 < entries && choices_.Choose(8) == 0) {
        tile.emplace_back("*");
      } else if (choices_.Choose(2) == 0) {
        tile.emplace_back(1, "PQR"[choices_.Choose(3)]);
      } else {
        tile.push_back(StrCat(Pick<int64_t>({1, 2, 4, 8, 16, 32, 128})));
      }
    }
    return StrCat("(", StrJoin(tile, ","), ")");
  }

  Choices& choices_;
};

// Returns true if all these offsets are different and in [0, count).
bool AreDistinctBelow(std::vector<int64_t> offsets, int64_t count) {
  std::ranges::sort(offsets);
  return std::ranges::adjacent_find(offsets) == offsets.end() &&
         (offsets.empty() || (offsets.front() >= 0 && offsets.back() < count));
}

// Decides a law of one concrete layout by looking at every index. Requires valid sizes.
class LawInNumbers {
 public:
  explicit LawInNumbers(const TiledLayout& layout)
      : layout_(layout), chain_(*MakeMixedRadix(layout)), formula_(*MakeTiledIndex(layout)) {}

  int64_t padded_elements() const { return chain_.padded_elements(); }

  bool Holds(SymbolicLawId law) const {
    switch (law) {
      case SymbolicLawId::kInjective:
      case SymbolicLawId::kInBounds: return AreDistinctBelow(Offsets(layout_.dimensions, formula_), padded_elements());
      case SymbolicLawId::kOntoPaddedBox: return IsOnto();
      case SymbolicLawId::kInverse: return HasInverse();
      case SymbolicLawId::kPaddingMinimal: return PadsLittle();
      case SymbolicLawId::kEqualsPadReshapeTranspose:
        return ForAll([&](const std::vector<int64_t>& index) {
          return PadReshapeTransposeIndex<int64_t>(layout_, index) == formula_(index);
        });
      case SymbolicLawId::kEqualsMixedRadix:
        return formula_.padded_elements() == padded_elements() &&
               ForAll([&](const std::vector<int64_t>& index) { return chain_.Index(index) == formula_(index); });
      case SymbolicLawId::kEqualsHlo: break;
    }
    return false;
  }

 private:
  template <class Claim>
  bool ForAll(Claim&& claim) const {
    bool holds = true;
    ForEachIndex(layout_.dimensions, [&](std::span<const int64_t> index) {
      holds = claim(std::vector<int64_t>(index.begin(), index.end()));
      return holds;
    });
    return holds;
  }

  static std::vector<int64_t> Offsets(const std::vector<int64_t>& sizes, const TiledIndex& formula) {
    std::vector<int64_t> offsets;
    ForEachIndex(sizes, [&](std::span<const int64_t> index) { offsets.push_back(formula(index)); });
    return offsets;
  }

  bool IsOnto() const {
    const TiledLayout extended = WithLeadingDimensions(layout_, int64_t{1});
    const std::vector<int64_t> offsets =
        Offsets(PaddedBoxOf(*MakeMixedRadix(extended)).sizes, *MakeTiledIndex(extended));
    return static_cast<int64_t>(offsets.size()) == padded_elements() && AreDistinctBelow(offsets, padded_elements());
  }

  // Every element's offset has its index, and every offset that has an index is that of an element.
  bool HasInverse() const {
    std::vector<int64_t> index(layout_.dimensions.size());
    const bool forth = ForAll([&](const std::vector<int64_t>& element) {
      return chain_.Coordinate(formula_(element), index) && index == element;
    });
    for (int64_t offset = 0; forth && offset < padded_elements(); ++offset) {
      if (chain_.Coordinate(offset, index) && (!CheckIndex(index, layout_.dimensions) || formula_(index) != offset)) {
        return false;
      }
    }
    return forth;
  }

  bool PadsLittle() const {
    for (size_t i = 0; i < chain_.steps().size(); ++i) {
      const auto* pad = std::get_if<PadStep<int64_t>>(&chain_.steps()[i]);
      if (pad == nullptr) continue;
      const auto& tile = std::get<SplitStep<int64_t>>(chain_.steps()[i + 1]).tile;
      for (size_t k = 0; k < tile.size(); ++k) {
        const int64_t added = pad->padded_sizes[k] - pad->sizes[k];
        if (added < 0 || added >= tile[k] || pad->padded_sizes[k] % tile[k] != 0) return false;
      }
    }
    return true;
  }

  TiledLayout layout_;
  MixedRadix<int64_t> chain_;
  TiledIndex formula_;
};

using Values = std::map<std::string, int64_t>;

// Draws values for all names at which the array is small enough.
std::vector<TiledLayout> SmallArrays(const SymbolicLayout& layout, Choices& choices) {
  constexpr std::array<int64_t, 10> kSizes = {1, 2, 3, 4, 5, 7, 8, 9, 17, 0};
  std::vector<TiledLayout> arrays;
  for (int draw = 0; draw < 2 * kMostArrays && arrays.size() < kMostArrays; ++draw) {
    Values values;
    for (const std::string& name : layout.names) {
      values[name] = kSizes[choices.Choose(kSizes.size() - (layout.IsTileName(name) ? 1 : 0))];
    }
    TiledLayout numbers = ToNumbers(layout.layout, values);
    const auto chain = MakeMixedRadix(numbers);
    if (chain && chain->padded_elements() <= kMostPaddedElements) arrays.push_back(std::move(numbers));
  }
  return arrays;
}

TEST(RandomSymbolicLayouts, VerdictsAgreeWithNumbersAndFewAreUnknown) {
  const char* const asked = std::getenv("LAYOUTCHECK_SYMBOLIC_LAYOUTS");
  const bool shows_unknown = std::getenv("LAYOUTCHECK_SHOW_UNKNOWN") != nullptr;
  const uint64_t layouts = asked != nullptr ? std::strtoull(asked, nullptr, 10) : kLayouts;
  std::map<ProofVerdict, int64_t> verdicts;
  int64_t undecided_layouts = 0;
  int64_t compared = 0;
  for (uint64_t number = 0; number < layouts; ++number) {
    RandomChoices choices(kSeed, number);
    const std::string text = LayoutText(choices).Draw();
    const auto layout = ParseSymbolicLayout(text);
    ASSERT_TRUE(layout.has_value()) << text << ": " << layout.error().ToString();
    const auto results = ProveLayout(*layout, {}, {.exports = {}, .certificates = true});
    ASSERT_TRUE(results.has_value()) << text << ": " << results.error().ToString();
    const std::vector<TiledLayout> arrays = SmallArrays(*layout, choices);
    bool is_decided = true;
    for (size_t law = 0; law < results->size(); ++law) {
      const ProofResult& result = (*results)[law];
      const SymbolicLawId id = SymbolicLaws()[law].id;
      ++verdicts[result.verdict];
      if (result.verdict == ProofVerdict::kProved) {
        EXPECT_EQ(result.no_certificate, "") << text << " " << result.law;
        for (const TiledLayout& numbers : arrays) {
          EXPECT_TRUE(LawInNumbers(numbers).Holds(id)) << text << " " << result.law;
          ++compared;
        }
      } else if (result.verdict == ProofVerdict::kRefuted) {
        const Values values(result.counterexample.begin(), result.counterexample.end());
        const LawInNumbers numbers(ToNumbers(layout->layout, values));
        if (numbers.padded_elements() <= 64 * kMostPaddedElements) {
          EXPECT_FALSE(numbers.Holds(id)) << text << " " << result.law;
          ++compared;
        }
      } else {
        is_decided = false;
        if (shows_unknown) std::printf("%-28s %s: %s\n", result.law.c_str(), text.c_str(), result.reason.c_str());
      }
    }
    undecided_layouts += is_decided ? 0 : 1;
  }
  const int64_t unknown = verdicts[ProofVerdict::kUnknown];
  const int64_t all = verdicts[ProofVerdict::kProved] + verdicts[ProofVerdict::kRefuted] + unknown;
  std::printf(
      "%lld random layouts with names: %lld laws proved, %lld refuted, %lld unknown (of %lld layouts); %lld verdicts "
      "compared with numbers\n",
      static_cast<long long>(layouts), static_cast<long long>(verdicts[ProofVerdict::kProved]),
      static_cast<long long>(verdicts[ProofVerdict::kRefuted]), static_cast<long long>(unknown),
      static_cast<long long>(undecided_layouts), static_cast<long long>(compared));
  EXPECT_LT(100 * unknown, all);
}

}  // namespace
}  // namespace layoutcheck
