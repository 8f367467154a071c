// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>
#include "layoutcheck/properties/model/law.h"
#include "layoutcheck/properties/run/confirm.h"
#include "layoutcheck/properties/run/remember_answers.h"

namespace layoutcheck {

// Returns the law on which a law rests, or an empty name. A law rests on another if its answer is computed from values
// that the other judges by themselves: if a table has a wrong offset, linear-index fails, and with it most laws that
// compare, sort or move offsets. In the algebra, a law rests on that of the function by which CuTe defines its own, if
// both are asked about the same arguments: the tile of logical-divide is the composition of its arguments. So that one
// defect is not reported under several laws, a failure of the dependent law counts as one of the law on which it rests
// if both fail for the same layout or arguments.
std::string_view RestsOn(std::string_view law);

// Returns per law the number of the law among them on which it rests, or nothing.
std::vector<std::optional<size_t>> BasesOf(std::span<const std::string_view> laws);

// The laws of layouts of one run, by number, and which rests on which.
class LayoutLaws {
 public:
  explicit LayoutLaws(std::span<const Law* const> laws);

  const std::vector<std::string_view>& names() const { return names_; }

  // Return a law's answer about all elements of a layout, or about some elements of a huge one.
  LawResult Ask(size_t law, Subject& subject, const LayoutCase& checked) const {
    return laws_[law]->Check(subject, checked);
  }
  LawResult Ask(size_t law, Subject& subject, const HugeCase& checked) const {
    return laws_[law]->CheckHuge(subject, checked);
  }

  // Returns the failure of a law on which this one rests, about another layout than `own` for whose table this one
  // asked (RememberAnswers::BeginLaw).
  std::optional<BaseFailure> FailureOfBase(size_t law, RememberAnswers& subject, const Shape& own) const;

  // Returns true if a law on which this one rests fails, too: about the same layout or another for which this one
  // asked. Shrinking to such a layout would change the cause.
  template <class Case>
  bool RestOnFailure(size_t law, RememberAnswers& subject, const Case& checked) const {
    if (FailureOfBase(law, subject, checked.shape)) return true;
    for (auto base = bases_[law]; base; base = bases_[*base]) {
      if (IsWrong(Ask(*base, subject, checked))) return true;
    }
    return false;
  }

 private:
  // Returns true if the subject answered and the answer is wrong.
  static bool IsWrong(const LawResult& result) {
    return result.verdict == LawResult::Verdict::kDisagree && result.why.empty();
  }

  std::vector<const Law*> laws_;
  std::vector<std::string_view> names_;
  std::vector<std::optional<size_t>> bases_;
};

}  // namespace layoutcheck
