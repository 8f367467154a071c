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
#include "layoutcheck/properties/model/check_result.h"
#include "layoutcheck/properties/model/subject.h"
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
//   ParseAnswer parse(std::string_view kind, std::string_view text)
//   SubjectInfo info()                                        name, version and limits
template <class T>
concept LayoutImplementation = requires(T& implementation, const Shape& shape, std::span<const int64_t> coordinate) {
  { implementation.offset(shape, coordinate) } -> std::convertible_to<std::optional<int64_t>>;
};

template <LayoutImplementation T>
class ImplementationSubject final : public Subject {
 public:
  // `implementation` must outlive the subject.
  explicit ImplementationSubject(T& implementation) : implementation_(implementation) {
    if constexpr (requires { implementation.info(); }) {
      info_ = implementation.info();
    } else {
      info_.name = "implementation";
    }
  }

  const SubjectInfo& info() const override { return info_; }

  Answer<ParseAnswer> Parse(std::string_view kind, std::string_view text) override {
    if constexpr (requires { implementation_.parse(kind, text); }) {
      return Ask<ParseAnswer>([&] { return implementation_.parse(kind, text); });
    } else {
      return Subject::Parse(kind, text);
    }
  }

  Answer<int64_t> Offset(const Shape& shape, std::span<const int64_t> coordinate) override {
    return Ask<int64_t>([&] { return implementation_.offset(shape, coordinate); });
  }

  Answer<std::vector<int64_t>> Table(const Shape& shape) override {
    if constexpr (requires { implementation_.table(shape); }) {
      return Ask<std::vector<int64_t>>([&] { return implementation_.table(shape); });
    } else {
      CheckedInt64 elements = 1;
      for (const int64_t size : shape.dimensions) elements = elements * CheckedInt64(size);
      if (elements.overflow) return Declined{"more elements than int64 counts"};
      if (elements.value <= 0) return Declined{"no table, and the array has no element to ask for"};
      return Ask<std::vector<int64_t>>([&] {
        std::optional<std::vector<int64_t>> offsets(std::in_place, static_cast<size_t>(elements.value));
        int64_t* next = offsets->data();
        bool declined = false;
        ForEachIndex(shape.dimensions, [&](std::span<const int64_t> index) {
          const std::optional<int64_t> offset = implementation_.offset(shape, index);
          declined = !offset;
          *next++ = offset.value_or(0);
          return !declined;
        });
        if (declined) offsets.reset();
        return offsets;
      });
    }
  }

  Answer<std::optional<Coordinate>> CoordinateAt(const Shape& shape, int64_t offset) override {
    if constexpr (requires { implementation_.coordinate(shape, offset); }) {
      return Ask<std::optional<Coordinate>>([&] {
        // An empty coordinate is an answer, too: padding.
        return std::optional(std::optional<Coordinate>(implementation_.coordinate(shape, offset)));
      });
    } else {
      return Subject::CoordinateAt(shape, offset);
    }
  }

  Answer<SizeAnswer> Size(const Shape& shape) override {
    if constexpr (requires { implementation_.size(shape); }) {
      return Ask<SizeAnswer>([&] { return implementation_.size(shape); });
    } else {
      return Subject::Size(shape);
    }
  }

  Answer<std::vector<int64_t>> Relayout(const Shape& from, const Shape& to, std::span<const int64_t> data) override {
    if constexpr (requires { implementation_.relayout(from, to, data); }) {
      return Ask<std::vector<int64_t>>([&] { return implementation_.relayout(from, to, data); });
    } else {
      return Subject::Relayout(from, to, data);
    }
  }

  Answer<bool> Bitcast(const Shape& from, const Shape& to, std::optional<std::span<const int64_t>> transpose) override {
    if constexpr (requires { implementation_.bitcast(from, to, transpose); }) {
      return Ask<bool>([&] { return implementation_.bitcast(from, to, transpose); });
    } else {
      return Subject::Bitcast(from, to, transpose);
    }
  }

  Answer<bool> AreEqual(const Shape& a, const Shape& b, std::span<const std::string> ignored_parts) override {
    if constexpr (requires { implementation_.equal(a, b, ignored_parts); }) {
      return Ask<bool>([&] { return implementation_.equal(a, b, ignored_parts); });
    } else {
      return Subject::AreEqual(a, b, ignored_parts);
    }
  }

  Answer<EditAnswer> Edit(std::string_view function, const Shape& shape, std::span<const int64_t> arguments) override {
    if constexpr (requires { implementation_.edit(function, shape, arguments); }) {
      return Ask<EditAnswer>([&] { return implementation_.edit(function, shape, arguments); });
    } else {
      return Subject::Edit(function, shape, arguments);
    }
  }

  Answer<ViewAnswer> ViewOf(const ViewQuestion& question) override {
    if constexpr (requires { implementation_.view(question); }) {
      return Ask<ViewAnswer>([&] { return implementation_.view(question); });
    } else {
      return Subject::ViewOf(question);
    }
  }

 private:
  // Returns the answer of ask(), which is declined if it is empty. An exception is an error.
  template <class A, class AskIt>
  static Answer<A> Ask(AskIt ask) try {
    std::optional<A> answer = ask();
    if (!answer) return Declined{"no answer"};
    return *std::move(answer);
  } catch (const std::exception& error) {
    return Failed{Failed::Kind::kError, std::string("exception: ") + error.what()};
  } catch (...) {
    return Failed{Failed::Kind::kError, "an exception"};
  }

  T& implementation_;
  SubjectInfo info_;
};

// Returns a run's findings for a person: each broken law with its smallest layout. Fails if nothing was checked.
CheckResult ResultOf(const CheckSummary& summary);

// Checks every law on random layouts, 1000 by default.
template <class T>
  requires LayoutImplementation<std::remove_cvref_t<T>>
CheckResult Check(T&& implementation, CheckOptions options = {.cases = 1000}) {
  ImplementationSubject<std::remove_reference_t<T>> subject(implementation);
  return ResultOf(CheckRandom(subject, options));
}

}  // namespace layoutcheck
