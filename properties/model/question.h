// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operations of a subject as types, for code that treats all questions alike: the protocol, wrappers of subjects.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/properties/model/subject.h"

namespace layoutcheck {

// One question per operation, ViewQuestion among them. A question refers to its arguments; Result is the type of its
// regular answers, kOperation the operation's name in the protocol, and AskOf(subject) asks a subject.
struct ParseQuestion {
  using Result = ParseAnswer;
  static constexpr std::string_view kOperation = "parse";
  std::string_view kind;
  std::string_view text;
  Answer<Result> AskOf(Subject& subject) const { return subject.Parse(kind, text); }
};

struct OffsetQuestion {
  using Result = int64_t;
  static constexpr std::string_view kOperation = "offset";
  const Shape& shape;
  std::span<const int64_t> coordinate;
  Answer<Result> AskOf(Subject& subject) const { return subject.Offset(shape, coordinate); }
};

struct TableQuestion {
  using Result = std::vector<int64_t>;
  static constexpr std::string_view kOperation = "table";
  const Shape& shape;
  Answer<Result> AskOf(Subject& subject) const { return subject.Table(shape); }
};

struct CoordinateQuestion {
  using Result = std::optional<Subject::Coordinate>;
  static constexpr std::string_view kOperation = "coordinate";
  const Shape& shape;
  int64_t offset;
  Answer<Result> AskOf(Subject& subject) const { return subject.CoordinateAt(shape, offset); }
};

struct SizeQuestion {
  using Result = SizeAnswer;
  static constexpr std::string_view kOperation = "size";
  const Shape& shape;
  Answer<Result> AskOf(Subject& subject) const { return subject.Size(shape); }
};

struct RelayoutQuestion {
  using Result = std::vector<int64_t>;
  static constexpr std::string_view kOperation = "relayout";
  const Shape& from;
  const Shape& to;
  std::span<const int64_t> data;
  Answer<Result> AskOf(Subject& subject) const { return subject.Relayout(from, to, data); }
};

struct BitcastQuestion {
  using Result = bool;
  static constexpr std::string_view kOperation = "bitcast";
  const Shape& from;
  const Shape& to;
  std::optional<std::span<const int64_t>> transpose;
  Answer<Result> AskOf(Subject& subject) const { return subject.Bitcast(from, to, transpose); }
};

struct EqualQuestion {
  using Result = bool;
  static constexpr std::string_view kOperation = "equal";
  const Shape& a;
  const Shape& b;
  std::span<const std::string> ignored_parts;
  Answer<Result> AskOf(Subject& subject) const { return subject.AreEqual(a, b, ignored_parts); }
};

struct EditQuestion {
  using Result = EditAnswer;
  static constexpr std::string_view kOperation = "edit";
  std::string_view function;
  const Shape& shape;
  std::span<const int64_t> arguments;
  Answer<Result> AskOf(Subject& subject) const { return subject.Edit(function, shape, arguments); }
};

struct MakeQuestion {
  using Result = std::string;
  static constexpr std::string_view kOperation = "make";
  std::string_view tag;
  int64_t element_bits;
  std::span<const int64_t> sizes;
  Answer<Result> AskOf(Subject& subject) const { return subject.Make(tag, element_bits, sizes); }
};

struct ApplyQuestion {
  using Result = ApplyAnswer;
  static constexpr std::string_view kOperation = "apply";
  std::string_view function;
  std::span<const std::string> arguments;
  Answer<Result> AskOf(Subject& subject) const { return subject.Apply(function, arguments); }
};

struct AxisInfoQuestion {
  using Result = AxisInfo;
  static constexpr std::string_view kOperation = "axis-info";
  std::string_view expression;
  Answer<Result> AskOf(Subject& subject) const { return subject.AxisInfoOf(expression); }
};

struct ShardQuestion {
  using Result = ShardAnswer;
  static constexpr std::string_view kOperation = "shard";
  std::string_view layout;
  int64_t device;
  Answer<Result> AskOf(Subject& subject) const { return subject.ShardOf(layout, device); }
};

struct ReshardQuestion {
  using Result = std::vector<int64_t>;
  static constexpr std::string_view kOperation = "reshard";
  std::string_view from_layout;
  std::string_view to_layout;
  int64_t device;
  Answer<Result> AskOf(Subject& subject) const { return subject.Reshard(from_layout, to_layout, device); }
};

// A subject that has one place for all questions: Derived has, as a template or as overloads,
//   Answer<typename Question::Result> Ask(const Question& question).
// Offsets, CoordinatesAt and Parses stay those of Subject, which ask one by one.
template <class Derived>
class UniformSubject : public Subject {
 public:
  Answer<ParseAnswer> Parse(std::string_view kind, std::string_view text) override {
    return derived().Ask(ParseQuestion{kind, text});
  }
  Answer<int64_t> Offset(const Shape& shape, std::span<const int64_t> coordinate) override {
    return derived().Ask(OffsetQuestion{shape, coordinate});
  }
  Answer<std::vector<int64_t>> Table(const Shape& shape) override { return derived().Ask(TableQuestion{shape}); }
  Answer<std::optional<Coordinate>> CoordinateAt(const Shape& shape, int64_t offset) override {
    return derived().Ask(CoordinateQuestion{shape, offset});
  }
  Answer<SizeAnswer> Size(const Shape& shape) override { return derived().Ask(SizeQuestion{shape}); }
  Answer<std::vector<int64_t>> Relayout(const Shape& from, const Shape& to, std::span<const int64_t> data) override {
    return derived().Ask(RelayoutQuestion{from, to, data});
  }
  Answer<bool> Bitcast(const Shape& from, const Shape& to, std::optional<std::span<const int64_t>> transpose) override {
    return derived().Ask(BitcastQuestion{from, to, transpose});
  }
  Answer<bool> AreEqual(const Shape& a, const Shape& b, std::span<const std::string> ignored_parts) override {
    return derived().Ask(EqualQuestion{a, b, ignored_parts});
  }
  Answer<EditAnswer> Edit(std::string_view function, const Shape& shape, std::span<const int64_t> arguments) override {
    return derived().Ask(EditQuestion{function, shape, arguments});
  }
  Answer<std::string> Make(std::string_view tag, int64_t element_bits, std::span<const int64_t> sizes) override {
    return derived().Ask(MakeQuestion{tag, element_bits, sizes});
  }
  Answer<ApplyAnswer> Apply(std::string_view function, std::span<const std::string> arguments) override {
    return derived().Ask(ApplyQuestion{function, arguments});
  }
  Answer<ViewAnswer> ViewOf(const ViewQuestion& question) override { return derived().Ask(question); }
  Answer<AxisInfo> AxisInfoOf(std::string_view expression) override {
    return derived().Ask(AxisInfoQuestion{expression});
  }
  Answer<ShardAnswer> ShardOf(std::string_view layout, int64_t device) override {
    return derived().Ask(ShardQuestion{layout, device});
  }
  Answer<std::vector<int64_t>> Reshard(std::string_view from, std::string_view to, int64_t device) override {
    return derived().Ask(ReshardQuestion{from, to, device});
  }

 protected:
  // Returns the answer of a subject that does not implement the question.
  template <class Question>
  static Declined NotImplemented(const Question&) {
    return {"no " + std::string(Question::kOperation)};
  }

 private:
  friend Derived;
  UniformSubject() = default;

  Derived& derived() { return static_cast<Derived&>(*this); }
};

}  // namespace layoutcheck
