// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/properties/run/law_order.h"
#include <algorithm>
#include <string>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {

std::string_view RestsOn(std::string_view law) {
  struct Base {
    std::string_view law;
    std::string_view dependents;  // the laws that rest on it, each between blanks
  };
  static constexpr Base kBases[] = {
      {"linear-index",
       " injective in-bounds full-tiles-bijective inverse equals-pad-reshape-transpose untiled-strides repeated-tiling "
       "combined-dimensions short-tile unit-tile unit-dimension permuted-dimensions attributes-move-nothing relayout "},
      {"relayout", " relayout-back "},
      {"sizes", " allocation-minimal "},
      {"text-round-trip", " text-blanks "},
      {"composition", " logical-divide "},
      {"logical-divide", " zipped-divide tiled-divide flat-divide "},
      {"logical-product", " blocked-product raked-product "},
  };
  const std::string word = StrCat(" ", law, " ");
  const auto* const found =
      std::ranges::find_if(kBases, [&](const Base& base) { return base.dependents.contains(word); });
  return found == std::end(kBases) ? std::string_view() : found->law;
}

std::vector<std::optional<size_t>> BasesOf(std::span<const std::string_view> laws) {
  std::vector<std::optional<size_t>> bases;
  for (const std::string_view law : laws) {
    const auto base = std::ranges::find(laws, RestsOn(law));
    bases.push_back(base == laws.end() ? std::nullopt : std::optional(static_cast<size_t>(base - laws.begin())));
  }
  return bases;
}

LayoutLaws::LayoutLaws(std::span<const Law* const> laws) : laws_(laws.begin(), laws.end()) {
  for (const Law* law : laws_) names_.push_back(law->name);
  bases_ = BasesOf(names_);
}

std::optional<BaseFailure> LayoutLaws::FailureOfBase(size_t law, RememberAnswers& subject, const Shape& own) const {
  if (!bases_[law]) return std::nullopt;
  for (const Shape& shape : subject.TablesOfLaw()) {
    const auto other = LayoutCase::Create(shape);
    if (!other || shape == own) continue;
    for (auto base = bases_[law]; base; base = bases_[*base]) {
      LawResult result = Ask(*base, subject, *other);
      if (IsWrong(result)) return BaseFailure{*base, {other->text, std::move(result), subject.Requests()}};
    }
  }
  return std::nullopt;
}

}  // namespace layoutcheck
