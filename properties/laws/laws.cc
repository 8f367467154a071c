// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include "layoutcheck/core/base/index_stepper.h"
#include "layoutcheck/core/tiling/offset_table.h"
#include "layoutcheck/properties/model/law.h"
#include "layoutcheck/properties/model/laws_internal.h"

namespace layoutcheck {

std::span<const Law* const> AllLaws() {
  static const std::vector<const Law*> laws = [] {
    std::vector<const Law*> all;
    for (const auto list : {IndexLaws(), TransformLaws(), SizeLaws(), RelayoutLaws(), BitcastLaws(), EditLaws(),
                            TextLaws(), AffineLaws(), MemRefLaws()}) {
      for (const Law& law : list) all.push_back(&law);
    }
    return all;
  }();
  return laws;
}

const Law* FindLaw(std::string_view name) {
  const auto laws = AllLaws();
  const auto found = std::ranges::find(laws, name, &Law::name);
  return found == laws.end() ? nullptr : *found;
}

LawResult NotAnswered(const Declined& declined) { return LawResult::Decline(declined.why); }

LawResult NotAnswered(const Failed& failed) {
  LawResult result = LawResult::Disagree(std::string(kAnAnswer), failed.what);
  result.request = failed.request;
  switch (failed.kind) {
    case Failed::Kind::kError: break;
    case Failed::Kind::kCrash: result.why = "subject-crash"; break;
    case Failed::Kind::kTimeout: result.why = "subject-timeout"; break;
    case Failed::Kind::kProtocol: result.why = "subject-protocol"; break;
  }
  return result;
}

Answer<std::vector<int64_t>> OffsetsOf(Subject& subject, const LayoutCase& layout_case) {
  Answer<std::vector<int64_t>> table = TableOf(subject, layout_case.shape);
  if (const auto* offsets = std::get_if<std::vector<int64_t>>(&table)) {
    if (offsets->size() == layout_case.offsets.size()) return table;
    return Failed{Failed::Kind::kProtocol, "a table of " + std::to_string(offsets->size()) + " offsets for " +
                                               std::to_string(layout_case.offsets.size()) + " elements"};
  }
  return table;
}

Answer<std::vector<int64_t>> TableOf(Subject& subject, const Shape& shape) {
  Answer<std::vector<int64_t>> table = subject.Table(shape);
  if (!std::holds_alternative<Declined>(table)) return table;
  const auto elements = ElementsIn(shape);
  if (!elements || *elements == 0) return Declined{"no table, and the array has no element to ask for"};
  if (*elements > subject.info().max_questions.value_or(OffsetTable::kMaxEntries)) {
    return Declined{"no table, and more elements than it is asked for one by one"};
  }
  std::vector<Subject::Coordinate> coordinates;
  coordinates.reserve(static_cast<size_t>(*elements));
  ForEachIndex(shape.dimensions,
               [&](std::span<const int64_t> index) { coordinates.emplace_back(index.begin(), index.end()); });
  return subject.Offsets(shape, coordinates);
}

}  // namespace layoutcheck
