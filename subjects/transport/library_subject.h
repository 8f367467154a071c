// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The subject lib:FILE.so: an implementation in a shared library with the C interface of layoutcheck/subject.h, loaded
// into this process.
#pragma once

#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/properties/model/subject.h"
#include "layoutcheck/subject.h"
#include "layoutcheck/subjects/protocol/layout_text.h"
#include "layoutcheck/subjects/transport/call_record.h"

namespace layoutcheck {

// A subject in a loaded library. It gets the layouts that have a text in a notation that it takes (LayoutText). An
// exception that leaves the library is a crash; an undefined status, a text longer than promised, or a write past an
// array breaks the protocol. Signals, hangs and other memory damage hit this process; SubjectOptions::isolate_with
// gives the library its own process.
class LibrarySubject final : public Subject {
 public:
  // Loads the library. A name without '/' is a file in the current directory, not on the search path. Errors
  // (kUnavailable): no shared library, no function layoutcheck_get_subject, no struct, another version of the
  // interface, or a struct without a name or an operation. Each call of the library is noted in `record`, if not null.
  static Expected<std::unique_ptr<LibrarySubject>> Load(const std::string& path, CallRecord* record = nullptr);

  ~LibrarySubject() override;

  const SubjectInfo& info() const override { return info_; }
  Answer<ParseAnswer> Parse(std::string_view kind, std::string_view text) override;
  Answer<int64_t> Offset(const Shape& shape, std::span<const int64_t> coordinate) override;
  Answer<std::vector<int64_t>> Table(const Shape& shape) override;
  Answer<std::optional<Coordinate>> CoordinateAt(const Shape& shape, int64_t offset) override;
  Answer<SizeAnswer> Size(const Shape& shape) override;
  Answer<std::vector<int64_t>> Relayout(const Shape& from, const Shape& to, std::span<const int64_t> data) override;
  Answer<bool> Bitcast(const Shape& from, const Shape& to, std::optional<std::span<const int64_t>> transpose) override;
  Answer<bool> AreEqual(const Shape& a, const Shape& b, std::span<const std::string> ignored_parts) override;
  Answer<EditAnswer> Edit(std::string_view function, const Shape& shape, std::span<const int64_t> arguments) override;
  Answer<std::string> Make(std::string_view tag, int64_t element_bits, std::span<const int64_t> sizes) override;
  Answer<ApplyAnswer> Apply(std::string_view function, std::span<const std::string> arguments) override;
  Answer<ViewAnswer> ViewOf(const ViewQuestion& question) override;

 private:
  class Handed {
   public:
    // Returns the C form of the shape, valid until the next call, or null if the shape has no text in one of the
    // notations. Keeps the latest one, because consecutive questions are often about one layout.
    const layoutcheck_layout* Set(const Notations& notations, const Shape& shape);
    const std::string& text() const { return text_; }

   private:
    Shape shape_;
    std::string text_;
    std::vector<layoutcheck_tile> tiles_;
    layoutcheck_layout layout_{};
  };

  // A question as it is noted before the library gets it.
  struct Question {
    std::string_view operation;
    std::string_view text;
    std::string_view kind = {};
  };

  LibrarySubject(void* handle, const layoutcheck_subject& operations);

  // Calls the library by ask(why) and returns read(status) if the status is one of `expected`.
  template <class T, class Ask, class Read>
  Answer<T> Call(const Question& question, std::initializer_list<int> expected, Ask ask, Read read);
  // Calls an operation that answers with 1 or 0 by ask(flag, why).
  template <class Ask>
  Answer<bool> CallForFlag(const Question& question, Ask ask);
  // Like Call for an operation that answers with a text: asks again with enough room if it was too small. Returns
  // read(status, words).
  template <class T, class Ask, class Read>
  Answer<T> CallForText(const Question& question, std::initializer_list<int> expected, Ask ask, Read read);

  void* handle_;  // of dlopen
  CallRecord* record_ = nullptr;
  layoutcheck_subject operations_{};
  Notations notations_;
  SubjectInfo info_;
  Handed layout_;
  Handed to_;
  std::vector<char> text_;  // room for the library's texts
};

}  // namespace layoutcheck
