#include <algorithm>
#include <array>

#include "layoutcheck/core/hlo/printer.h"
#include "layoutcheck/core/tiling/offset_table.h"
#include "layoutcheck/properties/model/law.h"
#include "layoutcheck/properties/model/laws_internal.h"

namespace layoutcheck {

Expected<LayoutCase> LayoutCase::Create(const Shape& shape) {
  LayoutCase result;
  result.shape = shape;
  result.text = ToString(shape);
  auto layout = TiledLayoutOf(shape);
  if (!layout) return std::unexpected(layout.error());
  result.layout = std::move(*layout);
  const auto index = MakeTiledIndex(result.layout);
  if (!index) return std::unexpected(index.error());
  const auto sizes = SizesOf(shape, *index);
  if (!sizes) return std::unexpected(sizes.error());
  result.sizes = *sizes;
  const auto table = OffsetTable::Create(result.layout, *index);
  if (!table) return std::unexpected(table.error());
  if (table->size() > OffsetTable::kMaxEntries)
    return MakeError(ErrorKind::kUnsupported, "too many elements for a table");
  result.offsets.resize(static_cast<size_t>(table->size()));
  table->Fill(result.offsets);
  return result;
}

std::vector<int64_t> LayoutCase::IndexOf(size_t element) const {
  std::vector<int64_t> index(layout.dimensions.size());
  auto rest = static_cast<int64_t>(element);
  for (size_t d = index.size(); d-- > 0;) {
    index[d] = rest % layout.dimensions[d];
    rest /= layout.dimensions[d];
  }
  return index;
}

Expected<HugeCase> HugeCase::Create(const Shape& shape) {
  const auto index = MakeTiledIndex(shape);
  if (!index) return std::unexpected(index.error());
  const auto sizes = SizesOf(shape, *index);
  if (!sizes) return std::unexpected(sizes.error());
  if (sizes->elements == 0) return MakeError(ErrorKind::kInvalidArgument, "the array has no elements");
  HugeCase result{shape, ToString(shape), *index, *sizes, {}};
  const auto add = [&](auto at) {
    std::vector<int64_t>& element = result.elements.emplace_back();
    for (size_t d = 0; d < shape.dimensions.size(); ++d) element.push_back(at(d, shape.dimensions[d]));
  };
  add([](size_t, int64_t) { return int64_t{0}; });
  add([](size_t, int64_t size) { return size - 1; });
  for (const int bits : {15, 16, 31, 32}) {
    for (const int64_t difference : {-1, 0}) {
      add([&](size_t, int64_t size) { return std::min(size - 1, (int64_t{1} << bits) + difference); });
    }
  }
  // Multiplied by an odd number the hash runs through all residues, so that the places differ from dimension to
  // dimension.
  uint64_t mixed = HashValue(shape) | 1;
  for (int k = 0; k < 4; ++k) {
    add([&](size_t, int64_t size) {
      mixed = mixed * 6364136223846793005u + 1442695040888963407u;
      return static_cast<int64_t>((mixed >> 1) % static_cast<uint64_t>(size));
    });
  }
  return result;
}

LawResult Law::CheckHuge(Subject&, const HugeCase&) const { return LawResult::OutsideDomain(); }

std::span<const Law* const> AllLaws() {
  static const std::vector<const Law*> laws = [] {
    std::vector<const Law*> all;
    for (const auto list :
         {IndexLaws(), TransformLaws(), SizeLaws(), RelayoutLaws(), TextLaws(), AffineLaws(), MemRefLaws()})
      all.insert(all.end(), list.begin(), list.end());
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
  LawResult result = LawResult::Disagree("an answer", failed.what);
  switch (failed.kind) {
    case Failed::Kind::kError: break;
    case Failed::Kind::kCrash: result.why = "subject-crash"; break;
    case Failed::Kind::kTimeout: result.why = "subject-timeout"; break;
    case Failed::Kind::kProtocol: result.why = "subject-protocol"; break;
  }
  return result;
}

Answer<std::vector<int64_t>> OffsetsOf(Subject& subject, const LayoutCase& layout_case) {
  Answer<std::vector<int64_t>> table = subject.Table(layout_case.shape);
  if (const auto* offsets = std::get_if<std::vector<int64_t>>(&table)) {
    if (offsets->size() == layout_case.offsets.size()) return table;
    return Failed{Failed::Kind::kProtocol, "a table of " + std::to_string(offsets->size()) + " offsets for " +
                                               std::to_string(layout_case.offsets.size()) + " elements"};
  }
  if (!std::holds_alternative<Declined>(table)) return table;
  if (layout_case.offsets.empty()) return Declined{"no table, and the array has no element to ask for"};
  std::vector<Subject::Coordinate> coordinates;
  coordinates.reserve(layout_case.offsets.size());
  for (size_t e = 0; e < layout_case.offsets.size(); ++e) coordinates.push_back(layout_case.IndexOf(e));
  return subject.Offsets(layout_case.shape, coordinates);
}

}  // namespace layoutcheck
