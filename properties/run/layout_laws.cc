// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/properties/run/layout_laws.h"
#include <utility>
#include "layoutcheck/properties/run/law_order.h"

namespace layoutcheck {

LayoutLaws::LayoutLaws(std::span<const Law* const> laws) : laws_(laws.begin(), laws.end()) {
  for (const Law* law : laws_) names_.push_back(law->name());
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
