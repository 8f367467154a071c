// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks the rows about XLA's layout functions. In a row, "fn" names the function, "text" holds its shapes or layouts
// ("A", "A -> B" or "A vs B"), and "args" the other arguments.
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
#include "layoutcheck/core/hlo/equality.h"
#include "layoutcheck/core/hlo/printer.h"
#include "layoutcheck/core/testing/conformance.h"
#include "layoutcheck/core/testing/conformance_row.h"
#include "layoutcheck/core/xla_util/bitcast.h"
#include "layoutcheck/core/xla_util/permutation.h"
#include "layoutcheck/core/xla_util/shape_edits.h"
#include "layoutcheck/json/json.h"

namespace layoutcheck {
namespace {

using Numbers = std::vector<int64_t>;
using Row = ConformanceRow;

// Return the result of a function as a row states it. An error is {"error": message}.
Json ToJson(const Error& error) { return {{"error", error.ToString()}}; }
Json ToJson(bool value) { return value; }
Json ToJson(const Numbers& value) { return value; }
Json ToJson(const std::vector<Json>& value) { return value; }
Json ToJson(const std::vector<DimensionPair>& value) {
  Json pairs = Json::array();
  for (const auto& [a, b] : value) pairs.push_back(Json::array({a, b}));
  return pairs;
}
Json ToJson(const Shape& value) { return ToString(value); }
Json ToJson(const Layout& value) { return ToString(value); }
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

using Check = std::function<Json(const Row&)>;

const std::map<std::string, Check>& Checks() {
  static const auto* checks = new std::map<std::string, Check>{
      {"IsPermutation",
       [](const Row& r) {
         const Numbers numbers = r.numbers(0);
         return Json(ValidatePermutation(numbers, static_cast<int64_t>(numbers.size())).has_value());
       }},
      {"InversePermutation", [](const Row& r) { return ToJson(InversePermutation(r.numbers(0))); }},
      {"ComposePermutations", [](const Row& r) { return ToJson(ComposePermutations(r.numbers(0), r.numbers(1))); }},
      {"Permute", [](const Row& r) { return ToJson(Permute(r.arg(0).get<std::vector<Json>>(), r.numbers(1))); }},
      {"CommonFactors", [](const Row& r) { return ToJson(CommonFactors(r.numbers(0), r.numbers(1))); }},

      {"Layout::DeleteDimension", [](const Row& r) { return ToJson(DeleteDimension(r.layout(), r.number(0))); }},
      {"Layout::Equal",
       [](const Row& r) {
         return Json(Equal(Row::ParseOneLayout(r.Part(0)), Row::ParseOneLayout(r.Part(1)), ReadLayoutFlags(r.flags())));
       }},
      {"LayoutUtil::MakeDescendingLayout",
       [](const Row& r) { return Json(MakeDescendingLayout(r.number(0)).minor_to_major); }},
      {"LayoutUtil::MakeAscendingLayout",
       [](const Row& r) { return Json(MakeAscendingLayout(r.number(0)).minor_to_major); }},
      {"LayoutUtil::MoveDimToMajor", [](const Row& r) { return ToJson(MoveDimToMajor(r.layout(), r.number(0))); }},
      {"LayoutUtil::MoveDimToMinor", [](const Row& r) { return ToJson(MoveDimToMinor(r.layout(), r.number(0))); }},

      {"ShapeUtil::PermuteDimensions", [](const Row& r) { return ToJson(PermuteDimensions(r.numbers(0), r.shape())); }},
      {"ShapeUtil::PermuteDimensionsIgnoringLayout",
       [](const Row& r) { return ToJson(PermuteDimensionsIgnoringLayout(r.numbers(0), r.shape())); }},
      {"ShapeUtil::ReorderLogicalDimensions",
       [](const Row& r) { return ToJson(PermuteDimensions(r.numbers(0), r.shape())); }},
      {"ShapeUtil::MakeShapeWithDescendingLayoutAndSamePhysicalLayout",
       [](const Row& r) { return ToJson(MakeShapeWithDescendingLayoutAndSamePhysicalLayout(r.shape())); }},
      {"ShapeUtil::DeleteDimension", [](const Row& r) { return ToJson(DeleteDimension(r.number(0), r.shape())); }},
      {"ShapeUtil::DeleteDimensions", [](const Row& r) { return ToJson(DeleteDimensions(r.numbers(0), r.shape())); }},
      {"ShapeUtil::DropDegenerateDimensions", [](const Row& r) { return ToJson(DropDegenerateDimensions(r.shape())); }},
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
      {"ShapeUtil::Equal", [](const Row& r) { return Json(Equal(r.lhs(), r.rhs(), ReadShapeFlags(r.flags()))); }},
      {"Shape::Equal", [](const Row& r) { return Json(Equal(r.lhs(), r.rhs(), ReadShapeFlags(r.flags()))); }},
      {"ShapeUtil::Compatible", [](const Row& r) { return Json(Compatible(r.lhs(), r.rhs())); }},
      {"ShapeUtil::CompatibleIgnoringElementType",
       [](const Row& r) { return Json(CompatibleIgnoringElementType(r.lhs(), r.rhs())); }},

      {"ShapeUtil::ReshapeIsBitcast",
       [](const Row& r) { return ToJson(ReshapeIsBitcast(r.lhs(), r.rhs(), r.element_types(0))); }},
      {"ShapeUtil::TransposeIsBitcast",
       [](const Row& r) { return ToJson(TransposeIsBitcast(r.lhs(), r.rhs(), r.numbers(0), r.element_types(1))); }},
      {"ShapeUtil::DeduceTransposeDimensionsForBitcast",
       [](const Row& r) { return ToJson(DeduceTransposeDimensionsForBitcast(r.lhs(), r.rhs())); }},
      {"ShapeUtil::DecomposeBitcast", [](const Row& r) { return ToJson(DecomposeBitcast(r.lhs(), r.rhs())); }},

  };
  return *checks;
}

}  // namespace

std::optional<RowResult> CheckFunctionRow(const Json& row) {
  if (row.value("kind", "") != "api" || !row.contains("fn")) return std::nullopt;
  const std::string function = row["fn"].text();
  const auto check = Checks().find(function);
  if (check == Checks().end()) return std::nullopt;
  // ConformanceRow throws if a row lacks the fields that its function needs.
  try {
    return Compare(row.at("expect"), check->second(Row(row)));
  } catch (const std::exception& error) {
    return RowResult{RowResult::Verdict::kFail, std::string("the row cannot be read: ") + error.what()};
  }
}

}  // namespace layoutcheck
