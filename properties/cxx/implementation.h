// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks an implementation of layouts in the same program: any class with the right members, without a base class.
//
//   struct Mine { int64_t offset(const layoutcheck::Shape& shape, std::span<const int64_t> coordinate); };
//   TEST(Mine, KeepsTheLaws) { EXPECT_TRUE(layoutcheck::Check(Mine())); }
#pragma once

#include <concepts>
#include <cstdint>
#include <exception>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>
#include "layoutcheck/core/base/index_stepper.h"
#include "layoutcheck/core/base/integer.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/hlo/printer.h"
#include "layoutcheck/core/process/crash_notice.h"
#include "layoutcheck/properties/model/check_result.h"
#include "layoutcheck/properties/model/question.h"
#include "layoutcheck/properties/run/runner.h"

namespace layoutcheck {

// A class with a member that returns the linear index of an element. All other members are optional; laws that need a
// missing one are not checked. Every answer may be a std::optional that is empty for layouts that are not implemented;
// an exception breaks the law that asked.
//
//   int64_t offset(const Shape&, std::span<const int64_t> coordinate)
//   std::vector<int64_t> table(const Shape&)                  all offsets, the last logical dimension fastest
//   std::optional<std::vector<int64_t>> coordinate(const Shape&, int64_t offset)     nothing for padding
//   SizeAnswer size(const Shape&)
//   std::vector<int64_t> relayout(const Shape& from, const Shape& to, std::span<const int64_t> data)
//   bool bitcast(const Shape& from, const Shape& to, std::optional<std::span<const int64_t>> transpose)
//   bool equal(const Shape& a, const Shape& b, std::span<const std::string> ignored_parts)
//   EditAnswer edit(std::string_view function, const Shape&, std::span<const int64_t> arguments)
//   ViewAnswer view(const ViewQuestion&)                      views of shape:stride layouts
//   AxisInfo axis_info(std::string_view expression)           claims about a tensor of integers
//   ShardAnswer shard(std::string_view layout, int64_t device)  the part of a sharded array that a device has
//   std::vector<int64_t> reshard(std::string_view from, std::string_view to, int64_t device)
//   ParseAnswer parse(std::string_view kind, std::string_view text)
//   SubjectInfo info()                                        name, version and limits
template <class T>
concept LayoutImplementation = requires(T& implementation, const Shape& shape, std::span<const int64_t> coordinate) {
  { implementation.offset(shape, coordinate) } -> std::convertible_to<std::optional<int64_t>>;
};

template <LayoutImplementation T>
class ImplementationSubject final : public UniformSubject<ImplementationSubject<T>> {
 public:
  using Coordinate = Subject::Coordinate;

  // `implementation` must outlive the subject.
  explicit ImplementationSubject(T& implementation) : implementation_(implementation) {
    if constexpr (requires { implementation.info(); }) {
      info_ = implementation.info();
    } else {
      info_.name = "implementation";
    }
  }

  const SubjectInfo& info() const override { return info_; }

  // Asks the member for the question, if there is one.
  template <class Question>
  Answer<typename Question::Result> Ask(const Question& question) {
    if constexpr (requires { Call(implementation_, question); }) {
      const CrashNotice::Call call(Asked(question));
      return AnswerOf<typename Question::Result>([&] { return Call(implementation_, question); });
    } else if constexpr (std::is_same_v<Question, TableQuestion>) {
      return TableOfOffsets(question.shape);
    } else {
      return this->NotImplemented(question);
    }
  }

 private:
  // The calls of the members, per question.
  static auto Call(auto& t, const ParseQuestion& q) -> decltype(t.parse(q.kind, q.text)) {
    return t.parse(q.kind, q.text);
  }
  static auto Call(auto& t, const OffsetQuestion& q) -> decltype(t.offset(q.shape, q.coordinate)) {
    return t.offset(q.shape, q.coordinate);
  }
  static auto Call(auto& t, const TableQuestion& q) -> decltype(t.table(q.shape)) { return t.table(q.shape); }
  // An empty coordinate is an answer, too: padding.
  static auto Call(auto& t, const CoordinateQuestion& q)
      -> std::optional<decltype(std::optional<Coordinate>(t.coordinate(q.shape, q.offset)))> {
    return std::optional<Coordinate>(t.coordinate(q.shape, q.offset));
  }
  static auto Call(auto& t, const SizeQuestion& q) -> decltype(t.size(q.shape)) { return t.size(q.shape); }
  static auto Call(auto& t, const RelayoutQuestion& q) -> decltype(t.relayout(q.from, q.to, q.data)) {
    return t.relayout(q.from, q.to, q.data);
  }
  static auto Call(auto& t, const BitcastQuestion& q) -> decltype(t.bitcast(q.from, q.to, q.transpose)) {
    return t.bitcast(q.from, q.to, q.transpose);
  }
  static auto Call(auto& t, const EqualQuestion& q) -> decltype(t.equal(q.a, q.b, q.ignored_parts)) {
    return t.equal(q.a, q.b, q.ignored_parts);
  }
  static auto Call(auto& t, const EditQuestion& q) -> decltype(t.edit(q.function, q.shape, q.arguments)) {
    return t.edit(q.function, q.shape, q.arguments);
  }
  static auto Call(auto& t, const ViewQuestion& q) -> decltype(t.view(q)) { return t.view(q); }
  static auto Call(auto& t, const AxisInfoQuestion& q) -> decltype(t.axis_info(q.expression)) {
    return t.axis_info(q.expression);
  }
  static auto Call(auto& t, const ShardQuestion& q) -> decltype(t.shard(q.layout, q.device)) {
    return t.shard(q.layout, q.device);
  }
  static auto Call(auto& t, const ReshardQuestion& q) -> decltype(t.reshard(q.from_layout, q.to_layout, q.device)) {
    return t.reshard(q.from_layout, q.to_layout, q.device);
  }

  // Returns the answer of ask(), which is declined if it is empty. An exception is an error.
  template <class A, class AskIt>
  static Answer<A> AnswerOf(AskIt ask) try {
    std::optional<A> answer = ask();
    if (!answer) return Declined{"no answer"};
    return *std::move(answer);
  } catch (const std::exception& error) {
    return Failed{Failed::Kind::kError, std::string("exception: ") + error.what()};
  } catch (...) {
    return Failed{Failed::Kind::kError, "an exception"};
  }

  Answer<std::vector<int64_t>> TableOfOffsets(const Shape& shape) {
    CheckedInt64 elements = 1;
    for (const int64_t size : shape.dimensions) elements = elements * CheckedInt64(size);
    if (elements.overflow) return Declined{"more elements than int64 counts"};
    if (elements.value <= 0) return Declined{"no table, and the array has no element to ask for"};
    return AnswerOf<std::vector<int64_t>>([&] {
      std::optional<std::vector<int64_t>> offsets(std::in_place, static_cast<size_t>(elements.value));
      int64_t* next = offsets->data();
      bool declined = false;
      CallUnderWay asked = Asked(OffsetQuestion{shape, {}});
      ForEachIndex(shape.dimensions, [&](std::span<const int64_t> index) {
        asked.at = index;
        const CrashNotice::Call call(asked);
        const std::optional<int64_t> offset = implementation_.offset(shape, index);
        declined = !offset;
        *next++ = offset.value_or(0);
        return !declined;
      });
      if (declined) offsets.reset();
      return offsets;
    });
  }

  // The latest question as texts. Questions about one layout follow each other.
  struct Latest {
    std::string operation;
    std::string function;
    Shape shape;
    std::optional<Shape> to;
    std::string rest;
    std::string lines;
    std::string call;
  };

  // Returns the question for a person whose class crashes at it. Valid until the next question.
  template <class Question>
  CallUnderWay Asked(const Question& q) {
    return AskedAbout(Question::kOperation, q.shape);
  }
  CallUnderWay Asked(const ParseQuestion& q) { return AskedFor("parse", StrCat(q.kind, "      ", q.text)); }
  CallUnderWay Asked(const ViewQuestion& q) { return AskedFor("view", StrCat("layout     ", q.layout)); }
  CallUnderWay Asked(const AxisInfoQuestion& q) { return AskedFor("axis-info", StrCat("expression ", q.expression)); }
  CallUnderWay Asked(const ShardQuestion& q) {
    return AskedFor("shard", StrCat("layout     ", q.layout, " on device ", q.device));
  }
  CallUnderWay Asked(const ReshardQuestion& q) {
    return AskedFor("reshard", StrCat("layouts    ", q.from_layout, "; ", q.to_layout, " on device ", q.device));
  }
  CallUnderWay Asked(const OffsetQuestion& q) {
    CallUnderWay asked = AskedAbout("offset", q.shape, {}, ", std::vector<int64_t>{");
    asked.at_name = "at element";
    asked.at = q.coordinate;
    asked.after_at = "})";
    return asked;
  }
  CallUnderWay Asked(const CoordinateQuestion& q) {
    CallUnderWay asked = AskedAbout("coordinate", q.shape, {}, ", ");
    asked.at_name = "at offset";
    asked.at = std::span(&q.offset, 1);
    asked.after_at = ")";
    return asked;
  }
  CallUnderWay Asked(const RelayoutQuestion& q) { return AskedAbout("relayout", q.from, q.to, ", data)"); }
  CallUnderWay Asked(const BitcastQuestion& q) {
    const std::string order = q.transpose ? StrCat("std::vector<int64_t>{", StrJoin(*q.transpose, ","), "}") : "{}";
    return AskedAbout("bitcast", q.from, q.to, StrCat(", ", order, ")"));
  }
  CallUnderWay Asked(const EqualQuestion& q) {
    return AskedAbout("equal", q.a, q.b, StrCat(", {", StrJoin(q.ignored_parts, ", "), "})"));
  }
  CallUnderWay Asked(const EditQuestion& q) {
    return AskedAbout("edit", q.shape, {}, StrCat(", std::vector<int64_t>{", StrJoin(q.arguments, ","), "})"),
                      q.function);
  }

  // Returns a question about no array: the operation, and what was asked as a line.
  CallUnderWay AskedFor(std::string_view operation, const std::string& line) {
    latest_ = {.lines = StrCat("  asked      ", operation, "\n  ", line, "\n")};
    return {.subject = info_.name, .question = latest_.lines};
  }
  // Returns the question about a layout, or about two. `rest` is the end of the call behind the layouts, and `function`
  // stands before them.
  CallUnderWay AskedAbout(std::string_view operation, const Shape& shape, const std::optional<Shape>& to = {},
                          std::string_view rest = ")", std::string_view function = "") {
    if (latest_.operation != operation || latest_.function != function || latest_.shape != shape || latest_.to != to ||
        latest_.rest != rest) {
      latest_ = {std::string(operation), std::string(function), shape, to, std::string(rest), "", ""};
      const auto add = [&](std::string_view name, const Shape& layout) {
        StrAppend(latest_.lines, "  ", name, "     ", ToString(layout), "\n");
        StrAppend(latest_.call, latest_.call.ends_with('(') ? "" : ", ", "*layoutcheck::ParseShape(\"",
                  ToString(layout), "\")");
      };
      latest_.lines = StrCat("  asked      ", operation, function.empty() ? "" : " ", function, "\n");
      latest_.call = StrCat("implementation.", operation, "(");
      if (!function.empty()) StrAppend(latest_.call, "\"", function, "\"");
      add("layout", shape);
      if (to) add("and   ", *to);
      StrAppend(latest_.call, rest);
    }
    return {.subject = info_.name, .question = latest_.lines, .repeat = latest_.call};
  }

  T& implementation_;
  SubjectInfo info_;
  Latest latest_;
};

// Returns a run's findings for a person: each broken law with its smallest layout. Fails if nothing was checked.
CheckResult ResultOf(const CheckSummary& summary);

// Checks every law on random layouts, 1000 by default. Where the implementation ends the process by a signal, the
// layout and the call are written to stderr before (CrashNotice).
template <class T>
  requires LayoutImplementation<std::remove_cvref_t<T>>
CheckResult Check(T&& implementation, CheckOptions options = {.cases = 1000}) {
  const CrashNotice notice;
  ImplementationSubject<std::remove_reference_t<T>> subject(implementation);
  return ResultOf(CheckRandom(subject, options));
}

}  // namespace layoutcheck
