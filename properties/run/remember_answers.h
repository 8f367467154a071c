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
#include "layoutcheck/core/tiling/sizes.h"
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
    constexpr size_t kLayouts = 8;
    if (entries_.size() < kLayouts) return entries_.emplace_back(shape, ask(), law).answer;
    Entry& oldest = entries_[next_++ % kLayouts];
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

// Asks another subject once per table and size, because several laws need those of a layout or its counterpart.
// Declines questions about layouts beyond the subject's limits. Passes on all other questions.
class RememberAnswers final : public Subject {
 public:
  // `subject` must outlive this object.
  explicit RememberAnswers(Subject& subject) : subject_(subject) {}

  // Marks the questions from here on as those of another law.
  void BeginLaw() { ++law_; }
  // Returns the layouts for whose tables the present law has asked.
  std::vector<Shape> TablesOfLaw() const { return tables_.LayoutsOf(law_); }

  const SubjectInfo& info() const override { return subject_.info(); }
  int64_t Requests() const override { return subject_.Requests(); }
  Answer<std::vector<int64_t>> Table(const Shape& shape) override {
    if (auto declined = NotAskedForTable(shape)) return *std::move(declined);
    return tables_.For(shape, law_, [&] { return subject_.Table(shape); });
  }
  Answer<SizeAnswer> Size(const Shape& shape) override {
    if (auto declined = NotAsked(shape)) return *std::move(declined);
    return sizes_.For(shape, law_, [&] { return subject_.Size(shape); });
  }

  Answer<ParseAnswer> Parse(std::string_view kind, std::string_view text) override {
    return subject_.Parse(kind, text);
  }
  std::vector<Answer<ParseAnswer>> Parses(std::string_view kind, std::span<const std::string> texts) override {
    return subject_.Parses(kind, texts);
  }
  Answer<int64_t> Offset(const Shape& shape, std::span<const int64_t> coordinate) override {
    if (auto declined = NotAsked(shape)) return *std::move(declined);
    return subject_.Offset(shape, coordinate);
  }
  Answer<std::vector<int64_t>> Offsets(const Shape& shape, std::span<const Coordinate> coordinates) override {
    if (auto declined = NotAsked(shape)) return *std::move(declined);
    return subject_.Offsets(shape, coordinates);
  }
  Answer<std::optional<Coordinate>> CoordinateAt(const Shape& shape, int64_t offset) override {
    if (auto declined = NotAsked(shape)) return *std::move(declined);
    return subject_.CoordinateAt(shape, offset);
  }
  Answer<CoordinateList> CoordinatesAt(const Shape& shape, std::span<const int64_t> offsets) override {
    if (auto declined = NotAsked(shape)) return *std::move(declined);
    return subject_.CoordinatesAt(shape, offsets);
  }
  Answer<std::vector<int64_t>> Relayout(const Shape& from, const Shape& to, std::span<const int64_t> data) override {
    if (auto declined = NotAsked(from)) return *std::move(declined);
    if (auto declined = NotAsked(to)) return *std::move(declined);
    return subject_.Relayout(from, to, data);
  }
  Answer<std::string> Make(std::string_view tag, int64_t element_bits, std::span<const int64_t> sizes) override {
    return subject_.Make(tag, element_bits, sizes);
  }
  Answer<bool> Bitcast(const Shape& from, const Shape& to, std::optional<std::span<const int64_t>> transpose) override {
    if (auto declined = NotAsked(from)) return *std::move(declined);
    if (auto declined = NotAsked(to)) return *std::move(declined);
    return subject_.Bitcast(from, to, transpose);
  }
  Answer<bool> AreEqual(const Shape& a, const Shape& b, std::span<const std::string> ignored_parts) override {
    if (auto declined = NotAsked(a)) return *std::move(declined);
    if (auto declined = NotAsked(b)) return *std::move(declined);
    return subject_.AreEqual(a, b, ignored_parts);
  }
  Answer<EditAnswer> Edit(std::string_view function, const Shape& shape, std::span<const int64_t> arguments) override {
    if (auto declined = NotAsked(shape)) return *std::move(declined);
    return subject_.Edit(function, shape, arguments);
  }
  Answer<ApplyAnswer> Apply(std::string_view function, std::span<const std::string> arguments) override {
    return subject_.Apply(function, arguments);
  }
  Answer<ViewAnswer> ViewOf(const ViewQuestion& question) override { return subject_.ViewOf(question); }

 private:
  // Returns why the subject is not asked about a layout, or nothing.
  std::optional<Declined> NotAsked(const Shape& shape) const {
    const SubjectInfo& limits = subject_.info();
    if (limits.max_rank && shape.rank() > *limits.max_rank) return Declined{"a rank beyond the subject's max_rank"};
    if (limits.max_tiles && shape.layout && std::cmp_greater(shape.layout->tiles.size(), *limits.max_tiles)) {
      return Declined{"more tiles than the subject's max_tiles"};
    }
    return std::nullopt;
  }
  std::optional<Declined> NotAskedForTable(const Shape& shape) const {
    const auto most = subject_.info().max_table_elements;
    const auto elements = most ? ElementsIn(shape) : Expected<int64_t>(0);
    if (most && (!elements || *elements > *most)) return Declined{"a table beyond the subject's max_table_elements"};
    return NotAsked(shape);
  }

  Subject& subject_;
  uint64_t law_ = 0;
  LastAnswers<std::vector<int64_t>> tables_;
  LastAnswers<SizeAnswer> sizes_;
};

}  // namespace layoutcheck
