// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks the rows about the offsets of elements and the sizes of allocations.
#include "layoutcheck/core/hlo/parser.h"
#include "layoutcheck/core/testing/conformance.h"
#include "layoutcheck/core/tiling/mixed_radix.h"
#include "layoutcheck/core/tiling/offset_table.h"
#include "layoutcheck/core/tiling/sizes.h"
#include "layoutcheck/core/tiling/tiled_index.h"

namespace layoutcheck {
namespace {

RowResult Fail(const Error& error) { return {RowResult::Verdict::kFail, error.ToString()}; }

RowResult CheckOffset(const Json& row, const Shape& shape) {
  const auto index = MakeTiledIndex(shape);
  if (!index) return Fail(index.error());
  const auto element = row["coordinate"].get<std::vector<int64_t>>();
  if (auto inside = CheckIndex(element, shape.dimensions); !inside) return Fail(inside.error());
  return Compare(row["expect"]["offset"], (*index)(element));
}

RowResult CheckCoordinate(const Json& row, const Shape& shape) {
  const auto layout = TiledLayoutOf(shape);
  if (!layout) return Fail(layout.error());
  const auto digits = MakeMixedRadix(*layout);
  if (!digits) return Fail(digits.error());
  std::vector<int64_t> element(shape.dimensions.size());
  const bool found = digits->Coordinate(row["offset"].get<int64_t>(), element);
  return Compare(row["expect"]["coordinate"], found ? Json(element) : Json(nullptr));
}

RowResult CheckTable(const Json& row, const Shape& shape) {
  const auto offsets = AllOffsets(shape);
  if (!offsets) return Fail(offsets.error());
  const auto sizes = SizesOf(shape);
  if (!sizes) return Fail(sizes.error());
  if (row.contains("padded_elements") && row["padded_elements"] != sizes->padded_elements) {
    return Compare(row["padded_elements"], sizes->padded_elements);
  }
  return Compare(row["expect"]["offsets"], *offsets);
}

RowResult CheckSize(const Json& row, const Shape& shape) {
  const auto sizes = SizesOf(shape);
  if (!sizes) return Fail(sizes.error());
  const Json all = {
      {"elements", sizes->elements}, {"padded_elements", sizes->padded_elements}, {"bytes", sizes->bytes}};
  for (const auto& [name, expected] : row["expect"].items()) {
    if (name == "extent") {
      const auto extent = ExtentOf(shape);
      if (!extent) return Fail(extent.error());
      if (expected != *extent) return Compare(expected, *extent);
    } else if (!all.contains(name) || all[name] != expected) {
      return Compare(row["expect"], all);
    }
  }
  if (!row.contains("expanded")) return {RowResult::Verdict::kPass, ""};
  return Compare(row["expanded"], MakeTiledIndex(shape)->expanded_sizes());
}

std::optional<RowResult> CheckSizeFunction(const std::string& function, const Json& row, const Shape& shape) {
  const auto compare = [&](const Expected<int64_t>& actual) {
    return actual ? Compare(row["expect"], *actual) : Fail(actual.error());
  };
  if (function == "ShapeUtil::ElementsIn") return compare(ElementsIn(shape));
  if (function == "ShapeUtil::ArraySize") {
    const auto sizes = SizesOf(shape);
    return sizes ? Compare(row["expect"], sizes->bytes) : Fail(sizes.error());
  }
  // The bytes up to the end of the last element.
  if (function == "ShapeUtil::ArrayDataSize") {
    const auto extent = ExtentOf(shape);
    return extent ? compare(PackedBytes(*extent, ElementSizeInBits(shape))) : Fail(extent.error());
  }
  return std::nullopt;
}

}  // namespace

std::optional<RowResult> CheckIndexRow(const Json& row) {
  const std::string op = row.value("op", "");
  const bool is_size_function = row.value("kind", "") == "size";
  if (!is_size_function && op != "offset" && op != "coordinate" && op != "table" && op != "size") return std::nullopt;
  const auto shape = ParseShape(row[is_size_function ? "text" : "layout"].text());
  if (!shape) return Fail(shape.error());
  if (is_size_function) return CheckSizeFunction(row.value("fn", ""), row, *shape);
  if (op == "offset") return CheckOffset(row, *shape);
  if (op == "coordinate") return CheckCoordinate(row, *shape);
  if (op == "table") return CheckTable(row, *shape);
  return CheckSize(row, *shape);
}

}  // namespace layoutcheck
