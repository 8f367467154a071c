// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>
#include "layoutcheck/core/tiling/sizes.h"
#include "layoutcheck/properties/model/law.h"
#include "layoutcheck/properties/model/question.h"
#include "layoutcheck/properties/model/subject.h"

namespace layoutcheck {

// The answers to one kind of question about the last eight layouts.
template <class T>
class LastAnswers {
 public:
  // Returns the answer for this layout: the remembered one, otherwise ask(). `law` is the number of the asking law.
  template <class Ask>
  const Answer<T>& For(const Shape& shape, uint64_t law, Ask ask) {
    for (Entry& entry : entries_) {
      if (entry.shape != shape) continue;
      entry.law = law;
      return entry.answer;
    }
    constexpr size_t kRememberedLayouts = 8;
    if (entries_.size() < kRememberedLayouts) return entries_.emplace_back(shape, ask(), law).answer;
    Entry& oldest = entries_[next_++ % kRememberedLayouts];
    oldest = {shape, ask(), law};
    return oldest.answer;
  }

  // Returns the layouts about which the law with this number asked last.
  std::vector<Shape> LayoutsOf(uint64_t law) const {
    std::vector<Shape> shapes;
    for (const Entry& entry : entries_) {
      if (entry.law == law) shapes.push_back(entry.shape);
    }
    return shapes;
  }

 private:
  struct Entry {
    Shape shape;
    Answer<T> answer;
    uint64_t law;
  };
  std::vector<Entry> entries_;
  size_t next_ = 0;  // counts replaced entries
};

// Returns the one or two layouts that a question is about; null where it is about fewer.
template <class Question>
std::array<const Shape*, 2> LayoutsIn(const Question& question) {
  if constexpr (requires { question.shape; }) {
    return {&question.shape, nullptr};
  } else if constexpr (requires { question.from; }) {
    return {&question.from, &question.to};
  } else if constexpr (requires { question.b; }) {
    return {&question.a, &question.b};
  } else {
    return {};
  }
}

// Asks another subject once per table (TableOf) and size, because several laws need those of a layout or its
// counterpart. Declines questions about layouts beyond the subject's limits. Passes on all other questions.
class RememberAnswers final : public UniformSubject<RememberAnswers> {
 public:
  // `subject` must outlive this object.
  explicit RememberAnswers(Subject& subject) : subject_(subject) {}

  // Marks the questions from here on as those of another law.
  void BeginLaw() { ++law_; }
  // Returns the layouts for whose tables the present law has asked.
  std::vector<Shape> TablesOfLaw() const { return tables_.LayoutsOf(law_); }

  const SubjectInfo& info() const override { return subject_.info(); }
  int64_t Requests() const override { return subject_.Requests(); }
  template <class Question>
  Answer<typename Question::Result> Ask(const Question& question) {
    if constexpr (std::is_same_v<Question, TableQuestion>) {
      if (IsTableTooLarge(question.shape)) return Declined{"a table beyond the subject's max_table_elements"};
    }
    for (const Shape* shape : LayoutsIn(question)) {
      if (auto declined = NotAsked(shape)) return *std::move(declined);
    }
    if constexpr (std::is_same_v<Question, TableQuestion>) {
      return tables_.For(question.shape, law_, [&] { return TableOf(subject_, question.shape); });
    } else if constexpr (std::is_same_v<Question, SizeQuestion>) {
      return sizes_.For(question.shape, law_, [&] { return question.AskOf(subject_); });
    } else {
      return question.AskOf(subject_);
    }
  }
  std::vector<Answer<ParseAnswer>> Parses(std::string_view kind, std::span<const std::string> texts) override {
    return subject_.Parses(kind, texts);
  }
  Answer<std::vector<int64_t>> Offsets(const Shape& shape, std::span<const Coordinate> coordinates) override {
    if (auto declined = NotAsked(&shape)) return *std::move(declined);
    return subject_.Offsets(shape, coordinates);
  }
  Answer<CoordinateList> CoordinatesAt(const Shape& shape, std::span<const int64_t> offsets) override {
    if (auto declined = NotAsked(&shape)) return *std::move(declined);
    return subject_.CoordinatesAt(shape, offsets);
  }

 private:
  // Returns why the subject is not asked about a layout, or nothing.
  std::optional<Declined> NotAsked(const Shape* shape) const {
    const SubjectInfo& limits = subject_.info();
    if (shape == nullptr) return std::nullopt;
    if (limits.max_rank && shape->rank() > *limits.max_rank) return Declined{"a rank beyond the subject's max_rank"};
    if (limits.max_tiles && shape->layout && std::cmp_greater(shape->layout->tiles.size(), *limits.max_tiles)) {
      return Declined{"more tiles than the subject's max_tiles"};
    }
    return std::nullopt;
  }
  bool IsTableTooLarge(const Shape& shape) const {
    const auto most = subject_.info().max_table_elements;
    const auto elements = most ? ElementsIn(shape) : Expected<int64_t>(0);
    return most && (!elements || *elements > *most);
  }

  Subject& subject_;
  uint64_t law_ = 0;
  LastAnswers<std::vector<int64_t>> tables_;
  LastAnswers<SizeAnswer> sizes_;
};

}  // namespace layoutcheck
