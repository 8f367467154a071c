// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/properties/run/early_results.h"
#include <algorithm>
#include <variant>
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {

EarlyResults::EarlyResults(Subject& subject, const std::vector<size_t>& laws,
                           const std::function<LawQuestion(size_t law)>& question) {
  if (laws.empty() || !subject.ChecksLaws()) return;
  std::vector<LawQuestion> questions;
  questions.reserve(laws.size());
  for (const size_t law : laws) questions.push_back(question(law));
  std::vector<Answer<LawResult>> answers = subject.CheckLaws(questions);
  results_.resize(std::ranges::max(laws) + 1);
  decides_all_ = answers.size() == laws.size();
  for (size_t k = 0; k < answers.size(); ++k) {
    if (auto* const result = std::get_if<LawResult>(&answers[k])) {
      const bool is_broken = result->verdict == LawResult::Verdict::kDisagree;
      decides_all_ = decides_all_ && !is_broken;
      results_[laws[k]].emplace(std::move(*result), StrJoin(questions[k].arguments, "; "));
      continue;
    }
    decides_all_ = false;
    const auto* const failed = std::get_if<Failed>(&answers[k]);
    if (failed == nullptr || failed->kind == Failed::Kind::kTimeout) continue;
    crash_ = {laws[k], NotAnswered(*failed), StrJoin(questions[k].arguments, "; ")};
  }
}

const LawResult* EarlyResults::Decided(size_t law) const {
  if (law >= results_.size() || !results_[law]) return nullptr;
  const LawResult& result = results_[law]->first;
  return result.verdict == LawResult::Verdict::kDisagree ? nullptr : &result;
}

const LawResult* EarlyResults::Broken(size_t law) const {
  if (law >= results_.size() || !results_[law]) return nullptr;
  const LawResult& result = results_[law]->first;
  return result.verdict == LawResult::Verdict::kDisagree ? &result : nullptr;
}

}  // namespace layoutcheck
