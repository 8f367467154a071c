// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks the rows about XLA's layout functions. In a row, "fn" names the function, "text" holds its shapes or layouts
// ("A", "A -> B" or "A vs B"), and "args" the other arguments.
#include <algorithm>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
#include "layoutcheck/core/hlo/printer.h"
#include "layoutcheck/core/testing/conformance.h"
#include "layoutcheck/core/testing/conformance_row.h"
#include "layoutcheck/core/xla_util/bitcast.h"
#include "layoutcheck/core/xla_util/byte_strides.h"
#include "layoutcheck/core/xla_util/index_util.h"
#include "layoutcheck/core/xla_util/layout_edits.h"
#include "layoutcheck/core/xla_util/permutation.h"
#include "layoutcheck/core/xla_util/reshape_factors.h"
#include "layoutcheck/core/xla_util/shape_edits.h"
#include "layoutcheck/core/xla_util/tile_strides.h"

namespace layoutcheck {
namespace {

using Json = nlohmann::json;
using Numbers = std::vector<int64_t>;
using Row = ConformanceRow;

// Return the result of a function as a row states it. An error is {"error": message}.
Json ToJson(const Error& error) { return {{"error", error.ToString()}}; }
Json ToJson(bool value) { return value; }
Json ToJson(int value) { return value; }
Json ToJson(int64_t value) { return value; }
Json ToJson(const Numbers& value) { return value; }
Json ToJson(const std::vector<Json>& value) { return value; }
Json ToJson(const std::vector<DimensionPair>& value) { return value; }
Json ToJson(const Shape& value) { return ToString(value); }
Json ToJson(const Layout& value) { return ToString(value); }
Json ToJson(const NormalizedTranspose& value) { return {{"shape", value.dimensions}, {"perm", value.permutation}}; }
Json ToJson(const TiledShape& value) { return {{"shape", value.shape}, {"strides", value.strides}}; }
Json ToJson(const BitcastDecomposition& value) {
  if (std::holds_alternative<BitcastReshape>(value)) return "reshape";
  if (const auto* transpose = std::get_if<BitcastTranspose>(&value)) return {{"transpose", transpose->permutation}};
  const auto& trt = std::get<BitcastTransposeReshapeTranspose>(value);
  return {{"t1", trt.transpose1},
          {"t1_shape", ToString(trt.transpose1_shape)},
          {"reshape", ToString(trt.reshape_shape)},
          {"t2", trt.transpose2}};
}
template <class T>
Json ToJson(const std::optional<T>& value) {
  return value ? ToJson(*value) : Json(nullptr);
}
template <class T>
Json ToJson(const Expected<T>& value) {
  return value ? ToJson(*value) : ToJson(value.error());
}

LayoutEqualOptions ReadLayoutFlags(const std::vector<std::string>& flags) {
  static const std::map<std::string, bool LayoutEqualOptions::*> known = {
      {"IgnoreTiles", &LayoutEqualOptions::ignore_tiles},
      {"IgnoreTailPaddingAlignmentInElements", &LayoutEqualOptions::ignore_tail_padding},
      {"IgnoreTailPadding", &LayoutEqualOptions::ignore_tail_padding},
      {"IgnoreIndexPrimitiveType", &LayoutEqualOptions::ignore_index_primitive_type},
      {"IgnoreIndexType", &LayoutEqualOptions::ignore_index_primitive_type},
      {"IgnorePointerPrimitiveType", &LayoutEqualOptions::ignore_pointer_primitive_type},
      {"IgnorePointerType", &LayoutEqualOptions::ignore_pointer_primitive_type},
      {"IgnoreMemorySpace", &LayoutEqualOptions::ignore_memory_space},
      {"IgnoreSplitConfigs", &LayoutEqualOptions::ignore_split_configs},
      {"IgnorePhysicalShape", &LayoutEqualOptions::ignore_physical_shape},
      {"IgnoreElementSize", &LayoutEqualOptions::ignore_element_size},
  };
  LayoutEqualOptions options;
  for (const std::string& flag : flags) {
    if (flag == "MinorToMajorOnly") {
      options = LayoutEqualOptions::MinorToMajorOnly();
    } else {
      options.*known.at(flag) = true;
    }
  }
  return options;
}

ShapeEqualOptions ReadShapeFlags(const std::vector<std::string>& flags) {
  static const std::map<std::string, bool ShapeEqualOptions::*> of_shape = {
      {"IgnoreLayout", &ShapeEqualOptions::ignore_layout},
      {"IgnoreElementType", &ShapeEqualOptions::ignore_element_type},
      {"IgnoreFpPrecision", &ShapeEqualOptions::ignore_fp_precision},
      {"IgnoreDynamicDimension", &ShapeEqualOptions::ignore_dynamic_dimension},
      {"IgnoreDimensions", &ShapeEqualOptions::ignore_dimensions},
      {"IgnoreBuffer", &ShapeEqualOptions::ignore_buffer},
  };
  static const std::map<std::string, bool LayoutEqualOptions::*> of_layout = {
      {"IgnoreTilesInLayout", &LayoutEqualOptions::ignore_tiles},
      {"IgnoreTailPaddingAlignmentInElements", &LayoutEqualOptions::ignore_tail_padding},
      {"IgnoreElementSizeInLayout", &LayoutEqualOptions::ignore_element_size},
      {"IgnoreMemorySpaceInLayout", &LayoutEqualOptions::ignore_memory_space},
      {"IgnoreSplitConfigInLayout", &LayoutEqualOptions::ignore_split_configs},
  };
  ShapeEqualOptions options;
  for (const std::string& flag : flags) {
    if (flag == "MinorToMajorOnlyInLayout") {
      options.layout = LayoutEqualOptions::MinorToMajorOnly();
    } else if (of_layout.contains(flag)) {
      options.layout.*of_layout.at(flag) = true;
    } else {
      options.*of_shape.at(flag) = true;
    }
  }
  return options;
}

// Returns the bracketed list after `key=` in a text such as "shape=['?', 4]". '?' is an unbounded size.
Json ListAfter(const std::string& text, const std::string& key) {
  const size_t begin = text.find(key + "=") + key.size() + 1;
  int depth = 0;
  size_t end = begin;
  do {
    depth += text.at(end) == '[' ? 1 : text.at(end) == ']' ? -1 : 0;
    ++end;
  } while (depth > 0);
  std::string list = text.substr(begin, end - begin);
  std::ranges::replace(list, '\'', '"');
  Json result = Json::parse(list);
  for (Json& entry : result) {
    if (entry == "?") entry = Shape::kUnboundedSize;
  }
  return result;
}

// Returns the parenthesized numbers after `word` in a text such as "tiling (32,1)".
Numbers TupleAfter(const std::string& text, const std::string& word) {
  const size_t begin = text.find('(', text.find(word));
  const size_t end = text.find(')', begin);
  return Json::parse("[" + text.substr(begin + 1, end - begin - 1) + "]").get<Numbers>();
}

Json VisitedIndices(const Row& row) {
  const Json& range = row.arg(0);
  std::vector<Numbers> visited;
  const auto done = ForEachIndex(row.shape(), range.at("base").get<Numbers>(), range.at("count").get<Numbers>(),
                                 range.at("incr").get<Numbers>(), [&](std::span<const int64_t> index) {
                                   visited.emplace_back(index.begin(), index.end());
                                   return true;
                                 });
  if (!done) return ToJson(done.error());
  std::ranges::sort(visited);
  return visited;
}

Json VisitCount(const Row& row) {
  int64_t visits = 0;
  const auto done = ForEachIndex(row.shape(), [&](std::span<const int64_t>) {
    ++visits;
    return true;
  });
  return done ? Json(visits) : ToJson(done.error());
}

// Answers a row about inserted and deleted dimensions. Some rows ask only whether a size-1 dimension and nothing else
// was inserted or deleted; later versions of XLA answer a reshape that changes nothing with two empty lists.
Json InsertedOrDeleted(const Row& row) {
  const auto found = InsertedOrDeleted1SizedDimensions(row.lhs(), row.rhs());
  if (!found) return ToJson(found.error());
  if (row.expect().is_object()) {
    return *found ? Json{{"deleted", (*found)->deleted_dimensions}, {"inserted", (*found)->inserted_dimensions}}
                  : Json(nullptr);
  }
  return found->has_value() && **found != ShapeEqualityDescriptor{};
}

// Answers a row about AlignLayouts: a layout, a shape, null, or "some ..." for any layout that yields a bitcast.
Json Aligned(const Row& row) {
  const auto aligned = AlignLayouts(row.lhs(), row.rhs());
  if (!aligned) return ToJson(aligned.error());
  if (!*aligned) return nullptr;
  if (row.expect().is_string() && row.expect().get<std::string>().starts_with("some")) {
    const auto is_bitcast = ReshapeIsBitcast(row.lhs(), **aligned);
    return is_bitcast && *is_bitcast ? row.expect() : Json(ToString(**aligned));
  }
  if (row.expect().is_string() && row.expect().get<std::string>().starts_with("{"))
    return ToString(*(*aligned)->layout);
  return ToString(**aligned);
}

Json ChangedElementType(const Row& row) {
  const auto type = ElementTypeFromName(row.Part(1));
  if (!type) throw std::invalid_argument("no element type: " + row.Part(1));
  return ToJson(ChangeElementType(row.lhs(), *type));
}

using Check = std::function<Json(const Row&)>;

const std::map<std::string, Check>& Checks() {
  static const auto* checks = new std::map<std::string, Check>{
      {"IsPermutation", [](const Row& r) { return Json(IsPermutation(r.numbers(0))); }},
      {"InversePermutation", [](const Row& r) { return ToJson(InversePermutation(r.numbers(0))); }},
      {"ComposePermutations", [](const Row& r) { return ToJson(ComposePermutations(r.numbers(0), r.numbers(1))); }},
      {"Permute", [](const Row& r) { return ToJson(Permute(r.arg(0).get<std::vector<Json>>(), r.numbers(1))); }},
      {"PermuteInverse",
       [](const Row& r) { return ToJson(PermuteInverse(r.arg(0).get<std::vector<Json>>(), r.numbers(1))); }},
      {"CommonFactors", [](const Row& r) { return ToJson(CommonFactors(r.numbers(0), r.numbers(1))); }},

      {"IndexUtil::MultidimensionalIndexToLinearIndex",
       [](const Row& r) { return ToJson(MultidimensionalIndexToLinearIndex(r.shape(), r.numbers(0))); }},
      {"IndexUtil::LinearIndexToMultidimensionalIndex",
       [](const Row& r) { return ToJson(LinearIndexToMultidimensionalIndex(r.shape(), r.number(0))); }},
      {"IndexUtil::GetDimensionStride",
       [](const Row& r) { return ToJson(GetDimensionStride(r.shape(), r.number(0))); }},
      {"IndexUtil::IndexInBounds", [](const Row& r) { return Json(IndexInBounds(r.shape(), r.numbers(0))); }},
      {"IndexUtil::CompareIndices", [](const Row& r) { return ToJson(CompareIndices(r.numbers(0), r.numbers(1))); }},
      {"ShapeUtil::ForEachIndex visit count", VisitCount},
      {"ShapeUtil::ForEachIndex", VisitedIndices},
      {"ShapeUtil::ForEachIndexParallel", VisitedIndices},

      {"Layout::DeleteDimension", [](const Row& r) { return ToJson(DeleteDimension(r.layout(), r.number(0))); }},
      {"Layout::Equal",
       [](const Row& r) {
         return Json(Equal(Row::ParseOneLayout(r.Part(0)), Row::ParseOneLayout(r.Part(1)), ReadLayoutFlags(r.flags())));
       }},
      {"LayoutUtil::MakeDescendingLayout",
       [](const Row& r) { return Json(MakeDescendingLayout(r.number(0)).minor_to_major); }},
      {"LayoutUtil::MakeAscendingLayout",
       [](const Row& r) { return Json(MakeAscendingLayout(r.number(0)).minor_to_major); }},
      {"LayoutUtil::MakeLogicalToPhysical", [](const Row& r) { return ToJson(MakeLogicalToPhysical(r.layout())); }},
      {"LayoutUtil::IsMonotonicWithDim0Major", [](const Row& r) { return Json(IsMonotonicWithDim0Major(r.layout())); }},
      {"LayoutUtil::IsMonotonicWithDim0Minor", [](const Row& r) { return Json(IsMonotonicWithDim0Minor(r.layout())); }},
      {"LayoutUtil::AreDimensionsConsecutive",
       [](const Row& r) { return ToJson(AreDimensionsConsecutive(r.layout(), r.numbers(0))); }},
      {"LayoutUtil::MoveDimToMajor", [](const Row& r) { return ToJson(MoveDimToMajor(r.layout(), r.number(0))); }},
      {"LayoutUtil::MoveDimToMinor", [](const Row& r) { return ToJson(MoveDimToMinor(r.layout(), r.number(0))); }},
      {"LayoutUtil::IsUntiledLayout", [](const Row& r) { return ToJson(IsUntiledLayout(r.tiles(0), r.numbers(1))); }},
      {"LayoutUtil::HasCustomElementSizeInBits",
       [](const Row& r) { return Json(HasCustomElementSizeInBits(r.shape())); }},
      {"LayoutUtil::MaxSplitSize", [](const Row& r) { return ToJson(MaxSplitSize(r.shape(), r.number(0))); }},
      {"LayoutUtil::MaxElementsInPerSplit", [](const Row& r) { return ToJson(MaxElementsInPerSplit(r.shape())); }},

      {"ShapeUtil::PermuteDimensions", [](const Row& r) { return ToJson(PermuteDimensions(r.numbers(0), r.shape())); }},
      {"ShapeUtil::PermuteDimensionsIgnoringLayout",
       [](const Row& r) { return ToJson(PermuteDimensionsIgnoringLayout(r.numbers(0), r.shape())); }},
      {"ShapeUtil::ReorderLogicalDimensions",
       [](const Row& r) { return ToJson(ReorderLogicalDimensions(r.shape(), r.numbers(0))); }},
      {"ShapeUtil::MakeShapeWithDescendingLayoutAndSamePhysicalLayout",
       [](const Row& r) { return ToJson(MakeShapeWithDescendingLayoutAndSamePhysicalLayout(r.shape())); }},
      {"ShapeUtil::DeleteDimension", [](const Row& r) { return ToJson(DeleteDimension(r.number(0), r.shape())); }},
      {"ShapeUtil::DeleteDimensions", [](const Row& r) { return ToJson(DeleteDimensions(r.numbers(0), r.shape())); }},
      {"ShapeUtil::DropDegenerateDimensions", [](const Row& r) { return ToJson(DropDegenerateDimensions(r.shape())); }},
      {"ShapeUtil::HasDegenerateDimensions", [](const Row& r) { return ToJson(HasDegenerateDimensions(r.shape())); }},
      {"ShapeUtil::AppendMajorDimension",
       [](const Row& r) { return ToJson(AppendMajorDimension(r.number(0), r.shape())); }},
      {"ShapeUtil::AppendMinorDimension",
       [](const Row& r) { return ToJson(AppendMinorDimension(r.number(0), r.shape())); }},
      {"ShapeUtil::PrependMajorDimension",
       [](const Row& r) { return ToJson(PrependMajorDimension(r.number(0), r.shape())); }},
      {"ShapeUtil::InsertDimensionAtIndex",
       [](const Row& r) { return ToJson(InsertDimensionAtIndex(r.shape(), r.number(0), r.number(1))); }},
      {"ShapeUtil::InsertDimensionsAtIndex",
       [](const Row& r) { return ToJson(InsertDimensionsAtIndex(r.shape(), r.number(0), r.numbers(1))); }},
      {"ShapeUtil::MoveDimToMajor", [](const Row& r) { return ToJson(MoveDimToMajor(r.shape(), r.number(0))); }},
      {"ShapeUtil::ChangeElementType", ChangedElementType},
      {"ShapeUtil::DeviceShapeToHostShape", [](const Row& r) { return ToJson(DeviceShapeToHostShape(r.shape())); }},
      {"ShapeUtil::UpdateElementSizeInBits",
       [](const Row& r) { return ToJson(UpdateElementSizeInBits(r.shape(), r.arg(0).get<bool>())); }},
      {"ShapeUtil::LastDimIsMinorMost", [](const Row& r) { return ToJson(LastDimIsMinorMost(r.shape())); }},
      {"ShapeUtil::IsEffectivelyMostMajorDimension",
       [](const Row& r) { return ToJson(IsEffectivelyMostMajorDimension(r.shape(), r.number(0))); }},
      {"ShapeUtil::UnpackedByteStrides", [](const Row& r) { return ToJson(UnpackedByteStrides(r.shape())); }},
      {"ShapeUtil::ByteStrides", [](const Row& r) { return ToJson(ByteStrides(r.shape())); }},
      {"ShapeUtil::Equal", [](const Row& r) { return Json(Equal(r.lhs(), r.rhs(), ReadShapeFlags(r.flags()))); }},
      {"Shape::Equal", [](const Row& r) { return Json(Equal(r.lhs(), r.rhs(), ReadShapeFlags(r.flags()))); }},
      {"ShapeUtil::Compatible", [](const Row& r) { return Json(Compatible(r.lhs(), r.rhs())); }},
      {"ShapeUtil::CompatibleIgnoringElementType",
       [](const Row& r) { return Json(CompatibleIgnoringElementType(r.lhs(), r.rhs())); }},

      {"ShapeUtil::DimensionsUnmodifiedByReshape",
       [](const Row& r) { return ToJson(DimensionsUnmodifiedByReshape(r.lhs(), r.rhs())); }},
      {"ShapeUtil::InsertedOrDeleted1SizedDimensions", InsertedOrDeleted},
      {"ShapeUtil::ReshapeLeavesDimensionsUnmodified",
       [](const Row& r) { return ToJson(ReshapeLeavesDimensionsUnmodified(r.lhs(), r.rhs(), r.numbers(0))); }},
      {"ShapeUtil::GetNormalizedLogicalTransposeShape",
       [](const Row& r) { return ToJson(GetNormalizedLogicalTransposeShape(r.lhs(), r.rhs(), r.numbers(0))); }},

      {"ShapeUtil::ReshapeIsBitcast",
       [](const Row& r) { return ToJson(ReshapeIsBitcast(r.lhs(), r.rhs(), r.element_types(0))); }},
      {"ShapeUtil::TransposeIsBitcast",
       [](const Row& r) { return ToJson(TransposeIsBitcast(r.lhs(), r.rhs(), r.numbers(0), r.element_types(1))); }},
      {"ShapeUtil::IsReshapeOrTransposeBitcast",
       [](const Row& r) { return ToJson(IsReshapeOrTransposeBitcast(r.lhs(), r.rhs(), r.element_types(0))); }},
      {"ShapeUtil::DeduceTransposeDimensionsForBitcast",
       [](const Row& r) { return ToJson(DeduceTransposeDimensionsForBitcast(r.lhs(), r.rhs())); }},
      {"ShapeUtil::DecomposeBitcast", [](const Row& r) { return ToJson(DecomposeBitcast(r.lhs(), r.rhs())); }},
      {"ShapeUtil::AlignLayouts", Aligned},

      {"mosaic TiledLayoutAttr::getNumTrailingDimsWithContiguousTiles",
       [](const Row& r) {
         std::vector<Tile> tiles;
         for (const Json& tile : ListAfter(r.text(), "tiles")) tiles.push_back(Tile{tile.get<Numbers>()});
         return ToJson(NumTrailingDimsWithContiguousTiles(tiles, ListAfter(r.text(), "tile_strides").get<Numbers>(),
                                                          ListAfter(r.text(), "shape").get<Numbers>()));
       }},
      {"mosaic gpu tile_strides",
       [](const Row& r) {
         return ToJson(TileRowMajorShape(TupleAfter(r.text(), "memref"), TupleAfter(r.text(), "tiling")));
       }},
  };
  return *checks;
}

}  // namespace

std::optional<RowResult> CheckFunctionRow(const nlohmann::json& row) {
  if (row.value("kind", "") != "api" || !row.contains("fn")) return std::nullopt;
  const std::string function = row["fn"].get<std::string>();
  const auto check = Checks().find(function);
  if (check == Checks().end()) return std::nullopt;
  // nlohmann::json throws if a row lacks the fields that its function needs.
  try {
    return Compare(row.at("expect"), check->second(Row(row)));
  } catch (const std::exception& error) {
    return RowResult{RowResult::Verdict::kFail, std::string("the row cannot be read: ") + error.what()};
  }
}

}  // namespace layoutcheck
