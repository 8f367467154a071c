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

class FaultySubject final : public ReferenceSubject {
 public:
  explicit FaultySubject(const Fault& fault) : info_{std::string(fault.name), "1", {}, {}, {}, {}} {
    fault.plant(hooks_);
  }

  const SubjectInfo& info() const override { return info_; }

  Answer<int64_t> Offset(const Shape& shape, std::span<const int64_t> coordinate) override {
    if (hooks_.refuse) {
      if (auto failed = hooks_.refuse(shape)) return *std::move(failed);
    }
    const auto offset_of = OffsetFunction(shape);
    if (!offset_of) return ReferenceSubject::Offset(shape, coordinate);
    return offset_of(coordinate);
  }

  Answer<std::vector<int64_t>> Table(const Shape& shape) override {
    if (hooks_.refuse) {
      if (auto failed = hooks_.refuse(shape)) return *std::move(failed);
    }
    const auto offset_of = OffsetFunction(shape);
    if (!offset_of) return ReferenceSubject::Table(shape);
    int64_t elements = 1;
    for (const int64_t size : shape.dimensions) elements *= size;
    std::vector<int64_t> offsets(static_cast<size_t>(elements));
    std::vector<int64_t> index(shape.dimensions.size(), 0);
    for (int64_t& offset : offsets) {
      offset = offset_of(index);
      NextIndex(index, shape.dimensions);
    }
    return offsets;
  }

  Answer<std::optional<Coordinate>> CoordinateAt(const Shape& shape, int64_t offset) override {
    auto answer = ReferenceSubject::CoordinateAt(shape, offset);
    if (auto* coordinate = std::get_if<std::optional<Coordinate>>(&answer); coordinate && hooks_.coordinate) {
      hooks_.coordinate(shape, offset, *coordinate);
    }
    return answer;
  }

  Answer<CoordinateList> CoordinatesAt(const Shape& shape, std::span<const int64_t> offsets) override {
    // NOLINTNEXTLINE(bugprone-parent-virtual-call): that of Subject asks CoordinateAt one by one
    return hooks_.coordinate ? Subject::CoordinatesAt(shape, offsets) : ReferenceSubject::CoordinatesAt(shape, offsets);
  }

  Answer<std::string> Make(std::string_view tag, int64_t element_bits, std::span<const int64_t> sizes) override {
    auto answer = ReferenceSubject::Make(tag, element_bits, sizes);
    if (auto* layout = std::get_if<std::string>(&answer); layout && hooks_.make) {
      hooks_.make(tag, element_bits, sizes, *layout);
    }
    return answer;
  }

  Answer<ApplyAnswer> Apply(std::string_view function, std::span<const std::string> arguments) override {
    auto answer = ReferenceSubject::Apply(function, arguments);
    if (auto* result = std::get_if<ApplyAnswer>(&answer); result && hooks_.apply) {
      hooks_.apply(function, arguments, *result);
    }
    return answer;
  }

  Answer<ViewAnswer> ViewOf(const ViewQuestion& question) override {
    auto answer = ReferenceSubject::ViewOf(question);
    if (auto* given = std::get_if<ViewAnswer>(&answer); given && hooks_.view) hooks_.view(question, *given);
    return answer;
  }

  Answer<SizeAnswer> Size(const Shape& shape) override {
    auto answer = ReferenceSubject::Size(shape);
    if (auto* sizes = std::get_if<SizeAnswer>(&answer); sizes && hooks_.size) hooks_.size(shape, *sizes);
    if (std::holds_alternative<Failed>(answer) && hooks_.refused_size) return hooks_.refused_size(shape);
    return answer;
  }

  Answer<std::vector<int64_t>> Relayout(const Shape& from, const Shape& to, std::span<const int64_t> data) override {
    Shape used_from = from;
    Shape used_to = to;
    if (hooks_.relayout_distort) hooks_.relayout_distort(used_from, used_to);
    auto answer = ReferenceSubject::Relayout(used_from, used_to, data);
    // Returns data that does not fit the distorted layouts unmoved.
    if (!std::holds_alternative<std::vector<int64_t>>(answer)) answer = std::vector(data.begin(), data.end());
    if (hooks_.relayout) hooks_.relayout(from, to, data, std::get<std::vector<int64_t>>(answer));
    return answer;
  }

  Answer<bool> Bitcast(const Shape& from, const Shape& to, std::optional<std::span<const int64_t>> transpose) override {
    auto answer = ReferenceSubject::Bitcast(from, to, transpose);
    if (auto* flag = std::get_if<bool>(&answer); flag && hooks_.bitcast) hooks_.bitcast(from, to, transpose, *flag);
    return answer;
  }

  Answer<bool> AreEqual(const Shape& a, const Shape& b, std::span<const std::string> ignored_parts) override {
    auto answer = ReferenceSubject::AreEqual(a, b, ignored_parts);
    if (auto* flag = std::get_if<bool>(&answer); flag && hooks_.equal) hooks_.equal(a, b, ignored_parts, *flag);
    return answer;
  }

  Answer<EditAnswer> Edit(std::string_view function, const Shape& shape, std::span<const int64_t> arguments) override {
    auto answer = ReferenceSubject::Edit(function, shape, arguments);
    if (auto* edited = std::get_if<EditAnswer>(&answer); edited && hooks_.edit) {
      hooks_.edit(function, shape, arguments, *edited);
    }
    return answer;
  }

  Answer<ParseAnswer> Parse(std::string_view kind, std::string_view text) override {
    std::string read(text);
    if (hooks_.text) hooks_.text(read);
    auto answer = ReferenceSubject::Parse(kind, read);
    if (auto* parsed = std::get_if<ParseAnswer>(&answer); parsed && hooks_.parse) {
      hooks_.parse(std::string(text), *parsed);
    }
    return answer;
  }

 private:
  // Returns the faulty linear index of a layout, or null if the fault does not change indices.
  std::function<int64_t(std::span<const int64_t>)> OffsetFunction(const Shape& shape) const {
    if (!hooks_.distort && !hooks_.formula && !hooks_.offset) return nullptr;
    Shape distorted = shape;
    if (hooks_.distort) hooks_.distort(distorted);
    auto layout = TiledLayoutOf(distorted);
    if (!layout) return nullptr;
    std::function<int64_t(std::span<const int64_t>)> formula;
    if (hooks_.formula) {
      formula = [this, layout = *std::move(layout)](std::span<const int64_t> index) {
        return hooks_.formula(layout, index);
      };
    } else {
      formula = [made = BasicTiledIndex<int64_t>(*layout)](std::span<const int64_t> index) { return made(index); };
    }
    if (!hooks_.offset) return formula;
    return [this, shape, formula = std::move(formula)](std::span<const int64_t> index) {
      return hooks_.offset(shape, formula(index));
    };
  }

  SubjectInfo info_;
  FaultHooks hooks_;
};

}  // namespace

std::vector<Fault> JoinFaults(std::vector<std::vector<Fault>> lists) {
  std::vector<Fault> all;
  for (std::vector<Fault>& list : lists) std::ranges::move(list, std::back_inserter(all));
  return all;
}

std::vector<Fault> AllFaults() {
  std::vector<Fault> all;
  for (const auto list : {IndexFaults(), SizeFaults(), CoordinateFaults(), RelayoutFaults(), EditFaults(), TextFaults(),
                          AffineFaults(), MemRefFaults(), FamilyFaults()}) {
    all.insert(all.end(), list.begin(), list.end());
  }
  return all;
}

std::unique_ptr<Subject> MakeFaultySubject(const Fault& fault) { return std::make_unique<FaultySubject>(fault); }

}  // namespace layoutcheck
