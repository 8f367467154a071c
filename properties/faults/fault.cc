// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/properties/faults/fault.h"
#include <algorithm>
#include <iterator>
#include <utility>
#include "layoutcheck/core/base/index_stepper.h"
#include "layoutcheck/core/tiling/tiled_index.h"
#include "layoutcheck/properties/reference/reference_subject.h"

namespace layoutcheck {
namespace {

class FaultySubject final : public UniformSubject<FaultySubject> {
 public:
  explicit FaultySubject(const Fault& fault) : info_{std::string(fault.name), "1", {}, {}, {}, {}} {
    std::visit(
        [this]<class Place>(const Place& place) {
          if constexpr (std::is_invocable_v<Place, FaultHooks&>) {
            place(hooks_);
          } else {
            std::get<Place>(hooks_) = place;
          }
        },
        fault.plant);
  }

  const SubjectInfo& info() const override { return info_; }

  template <class Question>
  Answer<typename Question::Result> Ask(const Question& question) {
    auto answer = question.AskOf(reference_);
    if (auto* value = std::get_if<0>(&answer)) ChangeAnswer(question, *value);
    return answer;
  }

  Answer<int64_t> Ask(const OffsetQuestion& question) {
    const auto offset = [&](const auto& offset_of) { return offset_of(question.coordinate); };
    return AskAboutOffsets(question, offset);
  }

  Answer<std::vector<int64_t>> Ask(const TableQuestion& question) {
    return AskAboutOffsets(question, [&](const auto& offset_of) {
      std::vector<int64_t> offsets;
      ForEachIndex(question.shape.dimensions,
                   [&](std::span<const int64_t> index) { offsets.push_back(offset_of(index)); });
      return offsets;
    });
  }

  Answer<std::optional<Coordinate>> Ask(const CoordinateQuestion& question) {
    if (Declines(question.shape)) return Declined{"too large"};
    auto answer = question.AskOf(reference_);
    auto* const coordinate = std::get_if<0>(&answer);
    if (coordinate && Hook<ChangeCoordinate>()) {
      Hook<ChangeCoordinate>()(question.shape, question.offset, *coordinate);
    }
    return answer;
  }

  Answer<CoordinateList> CoordinatesAt(const Shape& shape, std::span<const int64_t> offsets) override {
    if (Declines(shape)) return Declined{"too large"};
    const bool one_by_one = Hook<ChangeCoordinate>() != nullptr;
    return one_by_one ? UniformSubject::CoordinatesAt(shape, offsets) : reference_.CoordinatesAt(shape, offsets);
  }

  Answer<SizeAnswer> Ask(const SizeQuestion& question) {
    auto answer = question.AskOf(reference_);
    if (auto* sizes = std::get_if<0>(&answer); sizes && Hook<ChangeSize>()) Hook<ChangeSize>()(question.shape, *sizes);
    if (std::holds_alternative<Failed>(answer) && Hook<RefusedSize>()) return Hook<RefusedSize>()(question.shape);
    return answer;
  }

  Answer<std::vector<int64_t>> Ask(const RelayoutQuestion& question) {
    Shape from = question.from;
    Shape to = question.to;
    if (Hook<DistortMove>()) Hook<DistortMove>()(from, to);
    auto answer = reference_.Relayout(from, to, question.data);
    // Returns data that does not fit the distorted layouts unmoved.
    if (answer.index() != 0) answer = std::vector(question.data.begin(), question.data.end());
    ChangeAnswer(question, std::get<0>(answer));
    return answer;
  }

  Answer<ParseAnswer> Ask(const ParseQuestion& question) {
    std::string text(question.text);
    if (Hook<ChangeText>()) Hook<ChangeText>()(text);
    auto answer = reference_.Parse(question.kind, text);
    if (auto* parsed = std::get_if<ParseAnswer>(&answer)) ChangeAnswer(question, *parsed);
    return answer;
  }

 private:
  using OffsetFunction = std::function<int64_t(std::span<const int64_t>)>;

  template <class Place>
  const Place& Hook() const {
    return std::get<Place>(hooks_);
  }
  template <class Question>
  void ChangeAnswer(const Question& question, typename Question::Result& answer) const {
    if (Hook<Change<Question>>()) Hook<Change<Question>>()(question, answer);
  }

  bool Declines(const Shape& shape) const { return Hook<DeclineLayout>() && Hook<DeclineLayout>()(shape); }

  // Answers with answer_of(faulty linear index), or as the reference does if the fault does not change indices.
  template <class Question, class AnswerOf>
  Answer<typename Question::Result> AskAboutOffsets(const Question& question, AnswerOf answer_of) {
    if (Declines(question.shape)) return Declined{"too large"};
    if (Hook<RefuseLayout>()) {
      if (auto failed = Hook<RefuseLayout>()(question.shape)) return *std::move(failed);
    }
    const OffsetFunction offset_of = OffsetsOf(question.shape);
    return offset_of ? answer_of(offset_of) : question.AskOf(reference_);
  }

  // Returns the faulty linear index of a layout, or null if the fault does not change indices.
  OffsetFunction OffsetsOf(const Shape& shape) const {
    if (!Hook<DistortLayout>() && !Hook<FaultyFormula>() && !Hook<ChangeOffset>()) return nullptr;
    Shape distorted = shape;
    if (Hook<DistortLayout>()) Hook<DistortLayout>()(distorted);
    auto layout = TiledLayoutOf(distorted);
    if (!layout) return nullptr;
    OffsetFunction formula;
    if (Hook<FaultyFormula>()) {
      formula = [this, layout = *std::move(layout)](std::span<const int64_t> index) {
        return Hook<FaultyFormula>()(layout, index);
      };
    } else {
      formula = BasicTiledIndex<int64_t>(*layout);
    }
    if (!Hook<ChangeOffset>()) return formula;
    return [this, shape, formula = std::move(formula)](std::span<const int64_t> index) {
      return Hook<ChangeOffset>()(shape, formula(index));
    };
  }

  SubjectInfo info_;
  FaultHooks hooks_;
  ReferenceSubject reference_;
};

}  // namespace

void KeepTiles(Shape& shape, size_t most) {
  if (shape.layout->tiles.size() > most) shape.layout->tiles.resize(most);
}

void DropTiles(Shape& shape) { shape.layout->tiles.clear(); }

void MakeRowMajor(Shape& shape) { std::ranges::sort(shape.layout->minor_to_major, std::ranges::greater()); }

void CombineNothing(Shape& shape) {
  for (Tile& tile : shape.layout->tiles) std::ranges::replace(tile.dimensions, Tile::kCombineDimension, int64_t{1});
}

DistortLayout Where(bool (*applies)(const Shape&), void (*change)(Shape&)) {
  return [applies, change](Shape& shape) {
    if (applies(shape)) change(shape);
  };
}

std::vector<Fault> JoinFaults(std::vector<std::vector<Fault>> lists) {
  std::vector<Fault> all;
  for (std::vector<Fault>& list : lists) std::ranges::move(list, std::back_inserter(all));
  return all;
}

std::vector<Fault> AllFaults() {
  const std::pair<std::string_view, std::vector<Fault>> lists[] = {
      {"index", IndexFaults()},        {"size", SizeFaults()},       {"coordinate", CoordinateFaults()},
      {"relayout", RelayoutFaults()},  {"bitcast", BitcastFaults()}, {"equal", EqualityFaults()},
      {"edit", DimensionEditFaults()}, {"text", TextFaults()},       {"affine", AffineFaults()},
      {"memref", MemRefFaults()},      {"family", FamilyFaults()},   {"middle-size", MiddleSizeFaults()}};
  std::vector<Fault> all;
  for (const auto& [kind, faults] : lists) {
    for (const Fault& fault : faults) all.emplace_back(fault).kind = kind;
  }
  return all;
}

std::unique_ptr<Subject> MakeFaultySubject(const Fault& fault) { return std::make_unique<FaultySubject>(fault); }

}  // namespace layoutcheck
