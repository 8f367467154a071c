// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
#include "layoutcheck/properties/model/subject.h"

namespace layoutcheck {

// The answers to one kind of question about the last eight layouts.
template <class T>
class LastAnswers {
 public:
  // Returns the answer for this layout: the remembered one, otherwise ask().
  template <class Ask>
  const Answer<T>& For(const Shape& shape, Ask ask) {
    for (const auto& [known, answer] : entries_) {
      if (known == shape) return answer;
    }
    constexpr size_t kLayouts = 8;
    if (entries_.size() < kLayouts) return entries_.emplace_back(shape, ask()).second;
    auto& oldest = entries_[next_++ % kLayouts];
    oldest = {shape, ask()};
    return oldest.second;
  }

 private:
  std::vector<std::pair<Shape, Answer<T>>> entries_;
  size_t next_ = 0;  // counts replaced entries
};

// Asks another subject once per table and size, because several laws need those of a layout or its counterpart. Passes
// on all other questions.
class RememberAnswers final : public Subject {
 public:
  // `subject` must outlive this object.
  explicit RememberAnswers(Subject& subject) : subject_(subject) {}

  const SubjectInfo& info() const override { return subject_.info(); }
  Answer<std::vector<int64_t>> Table(const Shape& shape) override {
    return tables_.For(shape, [&] { return subject_.Table(shape); });
  }
  Answer<SizeAnswer> Size(const Shape& shape) override {
    return sizes_.For(shape, [&] { return subject_.Size(shape); });
  }

  Answer<ParseAnswer> Parse(std::string_view kind, std::string_view text) override {
    return subject_.Parse(kind, text);
  }
  std::vector<Answer<ParseAnswer>> Parses(std::string_view kind, std::span<const std::string> texts) override {
    return subject_.Parses(kind, texts);
  }
  Answer<int64_t> Offset(const Shape& shape, std::span<const int64_t> coordinate) override {
    return subject_.Offset(shape, coordinate);
  }
  Answer<std::vector<int64_t>> Offsets(const Shape& shape, std::span<const Coordinate> coordinates) override {
    return subject_.Offsets(shape, coordinates);
  }
  Answer<std::optional<Coordinate>> CoordinateAt(const Shape& shape, int64_t offset) override {
    return subject_.CoordinateAt(shape, offset);
  }
  Answer<std::vector<std::optional<Coordinate>>> CoordinatesAt(const Shape& shape,
                                                               std::span<const int64_t> offsets) override {
    return subject_.CoordinatesAt(shape, offsets);
  }
  Answer<std::vector<int64_t>> Relayout(const Shape& from, const Shape& to, std::span<const int64_t> data) override {
    return subject_.Relayout(from, to, data);
  }
  Answer<ApplyAnswer> Apply(std::string_view function, std::span<const std::string> arguments) override {
    return subject_.Apply(function, arguments);
  }

 private:
  Subject& subject_;
  LastAnswers<std::vector<int64_t>> tables_;
  LastAnswers<SizeAnswer> sizes_;
};

}  // namespace layoutcheck
