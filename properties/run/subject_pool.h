// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>
#include "layoutcheck/properties/model/subject.h"

namespace layoutcheck {

// The subjects of a run: one per thread, one on which failures are minimized, and fresh ones that have been asked
// nothing. They share no state.
class SubjectPool {
 public:
  // Starts a subject, or returns null if that fails. Called by several threads at once.
  using Start = std::function<std::unique_ptr<Subject>()>;

  // A pool of one subject for one thread, without fresh ones. `subject` must outlive the pool.
  explicit SubjectPool(Subject& subject) : SubjectPool(subject, 1, nullptr) {}
  // A pool for `jobs` threads, or for as many as there are subjects that start.
  SubjectPool(Subject& subject, size_t jobs, Start start);

  const SubjectInfo& info() const { return subjects_.front()->info(); }
  // Returns the number of threads, at least 1.
  size_t jobs() const { return subjects_.size(); }
  // Returns the subject of a thread, the one of the constructor for thread 0.
  Subject& OfThread(size_t thread) { return *subjects_[thread]; }

  // Returns a subject that no thread asks meanwhile, always the same one, or null if it does not start.
  Subject* ForMinimizing();
  // Makes the end of a run reach all subjects but fresh ones (Subject::EndWith).
  void EndWith(const RunEndNow& end);
  bool has_fresh() const { return start_ != nullptr; }
  // Starts a subject. Returns null if that fails.
  std::unique_ptr<Subject> Fresh() const { return start_(); }

  // Ends all subjects. Returns the first failure at an end.
  std::optional<Failed> Finish();
  // Returns the warnings of all subjects, each once.
  std::vector<std::string> Warnings() const;

 private:
  Start start_;
  std::vector<std::unique_ptr<Subject>> owned_;
  std::vector<Subject*> subjects_;      // one per thread
  std::optional<Subject*> minimizing_;  // empty until it is needed
  RunEndNow end_;
};

// The subjects that a run asks: those of a pool, or one subject for one thread.
class AskedSubjects {
 public:
  // NOLINTBEGIN(google-explicit-constructor): callers pass one or the other.
  AskedSubjects(SubjectPool& pool) : pool_(pool) {}
  AskedSubjects(Subject& subject) : own_(std::in_place, subject), pool_(*own_) {}
  // NOLINTEND(google-explicit-constructor)
  AskedSubjects(const AskedSubjects&) = delete;

  SubjectPool& pool() const { return pool_; }

 private:
  std::optional<SubjectPool> own_;
  SubjectPool& pool_;
};

}  // namespace layoutcheck
