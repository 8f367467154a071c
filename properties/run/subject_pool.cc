// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/properties/run/subject_pool.h"
#include <algorithm>
#include <thread>
#include <utility>

namespace layoutcheck {

SubjectPool::SubjectPool(Subject& subject, size_t jobs, Start start) : start_(std::move(start)), subjects_{&subject} {
  if (start_ == nullptr || jobs <= 1) return;
  owned_.resize(jobs - 1);
  // All start together, because the start of a process may take seconds.
  std::vector<std::jthread> starting;
  for (std::unique_ptr<Subject>& owned : owned_) starting.emplace_back([&] { owned = start_(); });
  starting.clear();
  std::erase(owned_, nullptr);
  for (const std::unique_ptr<Subject>& owned : owned_) subjects_.push_back(owned.get());
}

Subject* SubjectPool::ForMinimizing() {
  if (minimizing_) return *minimizing_;
  if (jobs() == 1) return *(minimizing_ = subjects_.front());
  minimizing_ = nullptr;
  if (std::unique_ptr<Subject> started = start_()) minimizing_ = owned_.emplace_back(std::move(started)).get();
  if (*minimizing_ != nullptr) (*minimizing_)->EndWith(end_);
  return *minimizing_;
}

void SubjectPool::EndWith(const RunEndNow& end) {
  end_ = end;
  subjects_.front()->EndWith(end);
  for (const std::unique_ptr<Subject>& owned : owned_) owned->EndWith(end);
}

std::optional<Failed> SubjectPool::Finish() {
  std::vector<Subject*> all{subjects_.front()};
  for (const std::unique_ptr<Subject>& owned : owned_) all.push_back(owned.get());
  std::vector<std::optional<Failed>> ends(all.size());
  std::vector<std::jthread> ending;
  for (size_t k = 0; k < all.size(); ++k) ending.emplace_back([&, k] { ends[k] = all[k]->Finish(); });
  ending.clear();
  const auto failed = std::ranges::find_if(ends, [](const auto& end) { return end.has_value(); });
  return failed == ends.end() ? std::nullopt : std::move(*failed);
}

std::vector<std::string> SubjectPool::Warnings() const {
  std::vector<std::string> all = subjects_.front()->Warnings();
  for (const std::unique_ptr<Subject>& owned : owned_) {
    for (std::string& warning : owned->Warnings()) {
      if (std::ranges::find(all, warning) == all.end()) all.push_back(std::move(warning));
    }
  }
  return all;
}

}  // namespace layoutcheck
