// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The subject lib:FILE.so: an implementation in a shared library with the C interface of layoutcheck/subject.h, loaded
// into this process.
#pragma once

#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/properties/model/question.h"
#include "layoutcheck/subject.h"
#include "layoutcheck/subjects/protocol/layout_text.h"
#include "layoutcheck/subjects/transport/call_record.h"

namespace layoutcheck {

// A subject in a loaded library. It gets the layouts that have a text in a notation that it takes (LayoutText). An
// exception that leaves the library is a crash; an undefined status, a text longer than promised, or a write past an
// array breaks the protocol. Signals, hangs and other memory damage hit this process; SubjectOptions::isolate_with
// gives the library its own process.
class LibrarySubject final : public UniformSubject<LibrarySubject> {
 public:
  // Loads the library. A name without '/' is a file in the current directory, not on the search path. Errors
  // (kUnavailable): no shared library, no function layoutcheck_get_subject, no struct, another version of the
  // interface, or a struct without a name or an operation; and that of RequireLoading. Each call of the library is
  // noted in `record`, if not null.
  static Expected<std::unique_ptr<LibrarySubject>> Load(const std::string& path, CallRecord* record = nullptr);
  // Error (kUnavailable): this program was linked without dynamic dependencies (LAYOUTCHECK_STATIC), and loads none.
  static Expected<void> RequireLoading(const std::string& path);

  ~LibrarySubject() override;

  const SubjectInfo& info() const override { return info_; }
  Answer<ParseAnswer> Ask(const ParseQuestion& q);
  Answer<int64_t> Ask(const OffsetQuestion& q);
  Answer<std::vector<int64_t>> Ask(const TableQuestion& q);
  Answer<std::optional<Coordinate>> Ask(const CoordinateQuestion& q);
  Answer<SizeAnswer> Ask(const SizeQuestion& q);
  Answer<std::vector<int64_t>> Ask(const RelayoutQuestion& q);
  Answer<bool> Ask(const BitcastQuestion& q);
  Answer<bool> Ask(const EqualQuestion& q);
  Answer<EditAnswer> Ask(const EditQuestion& q);
  Answer<std::string> Ask(const MakeQuestion& q);
  Answer<ApplyAnswer> Ask(const ApplyQuestion& q);
  Answer<ViewAnswer> Ask(const ViewQuestion& q);
  Answer<AxisInfo> Ask(const AxisInfoQuestion& q) { return NotImplemented(q); }
  Answer<ShardAnswer> Ask(const ShardQuestion& q);
  Answer<std::vector<int64_t>> Ask(const ReshardQuestion& q);

 private:
  class Handed {
   public:
    // Makes the C form of the shape. Returns false if the shape has no text in one of the notations. Keeps the latest
    // one, because consecutive questions are often about one layout.
    bool Set(const Notations& notations, const Shape& shape);
    const layoutcheck_layout* get() const { return &layout_; }
    const std::string& text() const { return text_; }

   private:
    Shape shape_;
    std::string text_;
    std::vector<layoutcheck_tile> tiles_;
    layoutcheck_layout layout_{};
  };

  LibrarySubject(void* handle, const layoutcheck_subject& operations);

  // Sets layout_ and to_ to the layouts of a question. Returns why the library is not asked it, or nothing.
  template <class Question>
  std::optional<Declined> HandOver(const Question& q);
  // Calls the library by ask(why), unless it has no function for the question or does not take the question's
  // layouts, and returns read(status) if the status is one of `expected`.
  template <class Question, class Function, class Read>
  Answer<typename Question::Result> Call(const Question& q, bool has_function, std::initializer_list<int> expected,
                                         Function ask, Read read);
  // Calls a function that answers with 1 or 0 by ask(flag, why).
  template <class Question, class Function>
  Answer<bool> CallForFlag(const Question& q, bool has_function, Function ask);
  // Like Call for a function that answers with a text: asks again with enough room if it was too small. Returns
  // read(status, words).
  template <class Question, class Function, class Read>
  Answer<typename Question::Result> CallForText(const Question& q, bool has_function,
                                                std::initializer_list<int> expected, Function ask, Read read);

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
