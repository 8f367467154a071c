// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Records the call that a library executes in memory that another process can read after the library has ended this
// process.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace layoutcheck {

// The latest call. A plain object, so that it can be in shared memory.
class CallRecord {
 public:
  // Records the beginning of a call. `question` is a text, of the kind `kind`, or a layout; its end may be cut off.
  void Begin(std::string_view operation, std::string_view kind, std::string_view question) {
    Copy(operation, operation_);
    Copy(kind, kind_);
    size_ = question.copy(question_.data(), question_.size());
    in_progress_ = true;
  }
  void End() { in_progress_ = false; }

  bool in_progress() const { return in_progress_; }
  std::string_view operation() const { return operation_.data(); }
  std::string_view kind() const { return kind_.data(); }  // empty if the question is a layout
  std::string_view question() const { return {question_.data(), size_}; }

 private:
  using Name = std::array<char, 24>;
  static void Copy(std::string_view name, Name& to) { to[name.copy(to.data(), to.size() - 1)] = '\0'; }

  bool in_progress_ = false;
  Name operation_{};
  Name kind_{};
  size_t size_ = 0;
  std::array<char, size_t{64} << 10> question_{};
};

// Marks a call in the record, if there is one, as in progress for as long as this object lives.
class NotedCall {
 public:
  NotedCall(CallRecord* record, std::string_view operation, std::string_view kind, std::string_view question)
      : record_(record) {
    if (record_ != nullptr) record_->Begin(operation, kind, question);
  }
  ~NotedCall() {
    if (record_ != nullptr) record_->End();
  }
  NotedCall(const NotedCall&) = delete;
  NotedCall& operator=(const NotedCall&) = delete;

 private:
  CallRecord* record_;
};

}  // namespace layoutcheck
