// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/properties/model/subject.h"
#include "layoutcheck/properties/model/law.h"

namespace layoutcheck {
namespace {

// Passes the answer to ask(item) of each item to add(list, value), and returns the list, or the first answer that is
// declined or failed. Declines if the run ends.
template <class List, class Items, class Ask, class Add>
Answer<List> AskOneByOne(const Subject& subject, List list, const Items& items, Ask ask, Add add) {
  for (const auto& item : items) {
    if (subject.End() != RunEnd::kNone) return RunIsOver();
    auto answer = ask(item);
    if (auto* declined = std::get_if<Declined>(&answer)) return std::move(*declined);
    if (auto* failed = std::get_if<Failed>(&answer)) return std::move(*failed);
    add(list, std::get<0>(answer));
  }
  return list;
}

// Returns the answer to ask(item) of each item, up to the first failed one. Declines the rest if the run ends.
template <class Items, class Ask>
auto AnswersOneByOne(const Subject& subject, const Items& items, Ask ask) {
  std::vector<decltype(ask(items[0]))> answers;
  answers.reserve(items.size());
  for (const auto& item : items) {
    if (subject.End() != RunEnd::kNone) {
      answers.resize(items.size(), RunIsOver());
      break;
    }
    answers.push_back(ask(item));
    if (std::holds_alternative<Failed>(answers.back())) break;
  }
  return answers;
}

}  // namespace

Answer<ParseAnswer> Subject::Parse(std::string_view, std::string_view) { return Declined{"no parse"}; }
std::vector<Answer<ParseAnswer>> Subject::Parses(std::string_view kind, std::span<const std::string> texts) {
  return AnswersOneByOne(*this, texts, [&](const std::string& text) { return Parse(kind, text); });
}
Answer<int64_t> Subject::Offset(const Shape&, std::span<const int64_t>) { return Declined{"no offset"}; }
Answer<std::vector<int64_t>> Subject::Offsets(const Shape& shape, std::span<const Coordinate> coordinates) {
  return AskOneByOne(
      *this, std::vector<int64_t>(), coordinates,
      [&](const Coordinate& coordinate) { return Offset(shape, coordinate); },
      [](std::vector<int64_t>& list, int64_t offset) { list.push_back(offset); });
}
Answer<std::vector<int64_t>> Subject::Table(const Shape&) { return Declined{"no table"}; }
Answer<std::optional<Subject::Coordinate>> Subject::CoordinateAt(const Shape&, int64_t) {
  return Declined{"no coordinate"};
}
Answer<CoordinateList> Subject::CoordinatesAt(const Shape& shape, std::span<const int64_t> offsets) {
  return AskOneByOne(
      *this, CoordinateList(offsets.size(), shape.dimensions.size()), offsets,
      [&](int64_t offset) { return CoordinateAt(shape, offset); },
      [](CoordinateList& list, const std::optional<Coordinate>& coordinate) { list.Add(coordinate); });
}
Answer<SizeAnswer> Subject::Size(const Shape&) { return Declined{"no size"}; }
Answer<std::vector<int64_t>> Subject::Relayout(const Shape&, const Shape&, std::span<const int64_t>) {
  return Declined{"no relayout"};
}

Answer<bool> Subject::Bitcast(const Shape&, const Shape&, std::optional<std::span<const int64_t>>) {
  return Declined{"no bitcast"};
}
Answer<bool> Subject::AreEqual(const Shape&, const Shape&, std::span<const std::string>) {
  return Declined{"no equal"};
}
Answer<EditAnswer> Subject::Edit(std::string_view, const Shape&, std::span<const int64_t>) {
  return Declined{"no edit"};
}

Answer<std::string> Subject::Make(std::string_view, int64_t, std::span<const int64_t>) { return Declined{"no make"}; }
Answer<ViewAnswer> Subject::ViewOf(const ViewQuestion&) { return Declined{"no view"}; }
Answer<AxisInfo> Subject::AxisInfoOf(std::string_view) { return Declined{"no axis-info"}; }
Answer<ShardAnswer> Subject::ShardOf(std::string_view, int64_t) { return Declined{"no shard"}; }
std::vector<Answer<ShardAnswer>> Subject::ShardsOf(std::string_view layout, std::span<const int64_t> devices) {
  return AnswersOneByOne(*this, devices, [&](int64_t device) { return ShardOf(layout, device); });
}
Answer<std::vector<int64_t>> Subject::Reshard(std::string_view, std::string_view, int64_t) {
  return Declined{"no reshard"};
}
Answer<ApplyAnswer> Subject::Apply(std::string_view, std::span<const std::string>) { return Declined{"no apply"}; }

std::vector<Answer<LawResult>> Subject::CheckLaws(std::span<const LawQuestion>) { return {Declined{"no laws"}}; }

}  // namespace layoutcheck
