// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks every known answer about shape:stride layouts in corpus/vectors/shape_stride.jsonl.
#include <gtest/gtest.h>
#include <cstdio>
#include <fstream>
#include <functional>
#include <map>
#include <string>
#include "layoutcheck/core/algebra/coalesce.h"
#include "layoutcheck/core/algebra/complement.h"
#include "layoutcheck/core/algebra/composition.h"
#include "layoutcheck/core/algebra/divide_product.h"
#include "layoutcheck/core/algebra/inverse.h"
#include "layoutcheck/core/algebra/recast.h"
#include "layoutcheck/core/base/index_stepper.h"
#include "layoutcheck/core/bridges/text_to_hlo.h"
#include "layoutcheck/core/hlo/parser.h"
#include "layoutcheck/core/shape_stride/composed_layout.h"
#include "layoutcheck/core/shape_stride/coordinate.h"
#include "layoutcheck/core/shape_stride/evaluate.h"
#include "layoutcheck/core/shape_stride/swizzle.h"
#include "layoutcheck/core/shape_stride/text.h"
#include "layoutcheck/core/shape_stride/tla.h"
#include "layoutcheck/core/shape_stride/view.h"
#include "layoutcheck/core/tiling/offset_table.h"
#include "layoutcheck/json/json.h"

namespace layoutcheck {
namespace {

// Returns the answer of an operation in the form of `expect`: a text, a number, a truth value, or "rejected: REASON".
Json AnswerOf(const Expected<ShapeStrideLayout>& result) {
  return result ? Json(ToString(*result)) : Json("rejected: " + result.error().ToString());
}
Json AnswerOf(const Expected<IntTuple>& result) {
  if (!result) return "rejected: " + result.error().ToString();
  return result->is_leaf() ? Json(result->value()) : Json(ToString(*result));
}
Json AnswerOf(const Expected<int64_t>& result) {
  return result ? Json(*result) : Json("rejected: " + result.error().ToString());
}
Json AnswerOf(const Expected<bool>& result) {
  return result ? Json(*result) : Json("rejected: " + result.error().ToString());
}

// Returns a layout, with its origin shape if the row states one.
Json AnswerWithOrigin(const Json& row, const Expected<ShapeStrideLayout>& result) {
  if (result && row.contains("originShape") && result->origin_shape &&
      row.at("originShape") != Json(ToString(*result->origin_shape))) {
    return "origin shape " + ToString(*result->origin_shape);
  }
  return AnswerOf(result);
}

// Returns the value or throws, because unparsable arguments are an error of the test, not of the operation.
template <class T>
T Read(const Expected<T>& value) {
  if (!value) throw std::runtime_error(value.error().ToString());
  return *value;
}

struct Row {
  const Json& json;
  std::string Text(size_t i) const {
    const Json& arg = json.at("args").at(i);
    return arg.is_string() ? arg.text() : arg.Dump();
  }
  bool Has(size_t i) const { return json.at("args").size() > i; }
  ShapeStrideLayout Layout(size_t i) const { return Read(ParseShapeStrideLayout(Text(i))); }
  ComposedLayout Composed(size_t i) const { return Read(ParseComposedLayout(Text(i))); }
  IntTuple Tuple(size_t i) const { return Read(ParseIntTuple(Text(i))); }
  std::vector<int64_t> Integers(size_t i) const {
    std::vector<int64_t> integers;
    for (const IntTuple& leaf : Leaves(Tuple(i))) integers.push_back(leaf.value());
    return integers;
  }
  Tiler ReadTiler(size_t i) const { return Read(ParseTiler(Text(i))); }
  int64_t Number(size_t i) const { return std::stoll(Text(i)); }
  TlaTag Tag(size_t i) const {
    const std::optional<TlaTag> tag = TlaTagFromName(Text(i));
    if (!tag) throw std::runtime_error("no tag " + Text(i));
    return *tag;
  }
  Simplification Form() const {
    return json.value("dynamic", false) ? Simplification::kStaticOnly : Simplification::kFull;
  }
};

std::string ReplaceAll(std::string text, const std::string& name, int64_t number) {
  for (size_t at = text.find(name); at != std::string::npos; at = text.find(name)) {
    text.replace(at, name.size(), std::to_string(number));
  }
  return text;
}

// Returns the tag of MX scales for "RowMajor A", "zZ B", ...: zZ and nN are the same for both matrices.
std::string MxScaleName(const std::string& tag_and_matrix) {
  const std::string tag = tag_and_matrix.substr(0, tag_and_matrix.find(' '));
  if (tag == "zZ" || tag == "nN") return "MxScale" + tag;
  return "MxScale" + tag + (tag_and_matrix.ends_with('B') ? "B" : "A");
}

// Returns the layout that a row of as_xla_layout names, for one size and element width: a tag, "MxScale TAG A|B", "fp4
// TAG" or "PaddingRowMajor(br,bc)" with blocks of 4 x 8, and notes in parentheses.
ShapeStrideLayout NamedLayout(const std::string& name, int64_t bits, int64_t rows, int64_t columns) {
  const auto tag = [](const std::string& text) {
    const std::optional<TlaTag> found = TlaTagFromName(text);
    if (!found) throw std::runtime_error("no tag " + text);
    return *found;
  };
  if (name.starts_with("MxScale ")) return Read(MakeTlaLayout(tag(MxScaleName(name.substr(8))), 8, rows, columns));
  if (name.starts_with("fp4 ")) return Read(MakeTlaLayout(tag(name.substr(4)), 4, rows, columns));
  if (name.starts_with("Padding")) {
    const std::vector<int64_t> sizes = {rows, columns};
    const std::vector<int64_t> blocks = {4, 8};
    return Read(MakeTagLayout(tag(name.substr(0, name.find('('))), bits, sizes, blocks));
  }
  return Read(MakeTlaLayout(tag(name.substr(0, name.find('('))), bits, rows, columns));
}

// Checks for many sizes that a row's XLA layout, with numbers for its names, has the offsets of the layout that the row
// names, and equals HloOfFractal's if it belongs to a tag. Returns the text of the row if so.
Json AsXlaLayout(const Json& row) {
  const std::string name = row.at("args").at(0).text();
  const std::string expected = row.at("expect").text();
  for (const auto& [bits, type] : {std::pair{4, "s4"}, {8, "s8"}, {16, "f16"}, {32, "f32"}, {64, "f64"}}) {
    for (const int64_t rows : {1, 2, 15, 16, 17, 33, 64, 65}) {
      for (const int64_t columns : {1, 2, 15, 16, 17, 33, 64, 65}) {
        // RowMajor and ColumnMajor of 4 bits have rows of their own.
        if (bits == 4 && (name == "RowMajor" || name == "ColumnMajor")) continue;
        std::string text = ReplaceAll(expected, "C0", 256 / bits);
        text = ReplaceAll(text, "Mp", CeilDiv(rows, 16) * 16);
        text = ReplaceAll(text, "Np", CeilDiv(columns, 16) * 16);
        text = ReplaceAll(ReplaceAll(text, "br", 4), "bc", 8);
        const Shape hlo = Read(
            ParseShape(std::string(type) + "[" + std::to_string(rows) + "," + std::to_string(columns) + "]" + text));
        const ShapeStrideLayout named = NamedLayout(name, bits, rows, columns);
        const std::vector<int64_t> offsets = Read(AllOffsets(hlo));
        size_t next = 0;
        for (int64_t i = 0; i < rows; ++i) {
          for (int64_t j = 0; j < columns; ++j, ++next) {
            if (Read(Crd2Idx(IntTuple::Tuple({i, j}), named)) != offsets[next]) {
              return text + " differs at " + std::to_string(i) + "," + std::to_string(j);
            }
          }
        }
        const std::optional<TlaTag> tag = TlaTagFromName(name.substr(0, name.find("(TLA)")));
        if (!tag) continue;
        Shape ours = Read(HloOfFractal({*tag, hlo.element_type, {rows, columns}, {}}));
        ours.layout->element_size_in_bits = 0;
        if (ours != hlo) return "the translation of the tag is another layout";
      }
    }
  }
  return expected;
}

const std::map<std::string, std::function<Json(const Row&)>>& Operations() {
  static const auto* const kOperations = new std::map<std::string, std::function<Json(const Row&)>>{
      {"crd2idx", [](const Row& r) { return AnswerOf(Crd2Idx(r.Tuple(0), r.Composed(1))); }},
      {"idx2crd", [](const Row& r) { return AnswerOf(Idx2Crd(r.Number(0), r.Tuple(1))); }},
      {"size", [](const Row& r) { return AnswerOf(Size(r.Layout(0))); }},
      {"cosize", [](const Row& r) { return AnswerOf(Cosize(r.Layout(0))); }},
      {"coshape", [](const Row& r) { return AnswerOf(Coshape(r.Layout(0))); }},
      {"compact_row_major", [](const Row& r) { return AnswerOf(CompactRowMajor(r.Tuple(0))); }},
      {"compact_col_major", [](const Row& r) { return AnswerOf(CompactColMajor(r.Tuple(0))); }},
      {"make_ordered_layout", [](const Row& r) { return AnswerOf(MakeOrderedLayout(r.Tuple(0), r.Tuple(1))); }},
      {"coalesce",
       [](const Row& r) {
         return AnswerOf(r.Has(1) ? CoalesceByMode(r.Layout(0), r.Tuple(1), r.Form())
                                  : Coalesce(r.Layout(0), r.Form()));
       }},
      {"filter",
       [](const Row& r) { return AnswerOf(r.Has(1) ? FilterByMode(r.Layout(0), r.Tuple(1)) : Filter(r.Layout(0))); }},
      {"composition",
       [](const Row& r) {
         const Tiler tiler = r.ReadTiler(1);
         return AnswerOf(tiler.kind == Tiler::Kind::kLayout ? Composition(r.Layout(0), tiler.layout, r.Form())
                                                            : Composition(r.Layout(0), tiler));
       }},
      {"complement",
       [](const Row& r) { return AnswerOf(r.Has(1) ? Complement(r.Layout(0), r.Tuple(1)) : Complement(r.Layout(0))); }},
      {"right_inverse", [](const Row& r) { return AnswerOf(RightInverse(r.Layout(0))); }},
      {"left_inverse", [](const Row& r) { return AnswerOf(LeftInverse(r.Layout(0))); }},
      {"logical_divide", [](const Row& r) { return AnswerOf(Divide(r.Layout(0), r.ReadTiler(1), Gather::kLogical)); }},
      {"zipped_divide", [](const Row& r) { return AnswerOf(Divide(r.Layout(0), r.ReadTiler(1), Gather::kZipped)); }},
      {"tiled_divide", [](const Row& r) { return AnswerOf(Divide(r.Layout(0), r.ReadTiler(1), Gather::kTiled)); }},
      {"flat_divide", [](const Row& r) { return AnswerOf(Divide(r.Layout(0), r.ReadTiler(1), Gather::kFlat)); }},
      {"logical_product",
       [](const Row& r) { return AnswerOf(Multiply(r.Layout(0), r.ReadTiler(1), Gather::kLogical)); }},
      {"zipped_product", [](const Row& r) { return AnswerOf(Multiply(r.Layout(0), r.ReadTiler(1), Gather::kZipped)); }},
      {"tiled_product", [](const Row& r) { return AnswerOf(Multiply(r.Layout(0), r.ReadTiler(1), Gather::kTiled)); }},
      {"flat_product", [](const Row& r) { return AnswerOf(Multiply(r.Layout(0), r.ReadTiler(1), Gather::kFlat)); }},
      {"blocked_product", [](const Row& r) { return AnswerOf(BlockedProduct(r.Layout(0), r.Layout(1))); }},
      {"raked_product", [](const Row& r) { return AnswerOf(RakedProduct(r.Layout(0), r.Layout(1))); }},
      {"tile_to_shape",
       [](const Row& r) {
         return AnswerOf(TileToShape(r.Layout(0), r.Tuple(1), r.Has(2) ? std::optional(r.Tuple(2)) : std::nullopt));
       }},
      {"zip", [](const Row& r) { return AnswerOf(Zip(r.Layout(0), r.Layout(1))); }},
      {"nullspace", [](const Row& r) { return AnswerOf(Nullspace(r.Layout(0))); }},
      {"domain_distribute", [](const Row& r) { return AnswerOf(DomainDistribute(r.Tuple(0), r.Number(1))); }},
      {"max_common_layout", [](const Row& r) { return AnswerOf(MaxCommonLayout(r.Layout(0), r.Layout(1))); }},
      {"max_common_vector", [](const Row& r) { return AnswerOf(MaxCommonVector(r.Layout(0), r.Layout(1))); }},
      {"upcast", [](const Row& r) { return AnswerOf(Upcast(r.Layout(1), r.Number(0))); }},
      {"downcast", [](const Row& r) { return AnswerOf(Downcast(r.Layout(1), r.Number(0))); }},
      {"recast_layout",
       [](const Row& r) {  // "16->8"
         const std::string widths = r.Text(0);
         const size_t arrow = widths.find("->");
         return AnswerOf(
             RecastLayout(r.Layout(1), std::stoll(widths.substr(0, arrow)), std::stoll(widths.substr(arrow + 2))));
       }},
      {"max_alignment", [](const Row& r) { return AnswerOf(MaxAlignment(r.Layout(0))); }},
      {"compatible", [](const Row& r) { return Json(Compatible(r.Tuple(0), r.Tuple(1))); }},
      {"congruent", [](const Row& r) { return Json(Congruent(r.Tuple(0), r.Tuple(1))); }},
      {"weakly_congruent", [](const Row& r) { return Json(WeaklyCongruent(r.Tuple(0), r.Tuple(1))); }},
      {"evenly_divides", [](const Row& r) { return AnswerOf(EvenlyDivides(r.Tuple(0), r.Tuple(1))); }},
      {"ceil_div", [](const Row& r) { return AnswerOf(CeilDivShape(r.Tuple(0), r.Tuple(1))); }},
      {"shape_div", [](const Row& r) { return AnswerOf(ShapeDiv(r.Tuple(0), r.Tuple(1))); }},
      {"swizzle_apply", [](const Row& r) { return Json(ApplySwizzle(Read(ParseSwizzle(r.Text(0))), r.Number(1))); }},
      {"tla_make_layout",
       [](const Row& r) {
         return AnswerWithOrigin(r.json, MakeTlaLayout(r.Tag(1), r.Number(0), r.Number(2), r.Number(3)));
       }},
      {"tla_get_tile_layout",
       [](const Row& r) {
         ShapeStrideLayout parent = r.Layout(0);
         parent.origin_shape = r.Tuple(1);
         return AnswerWithOrigin(r.json, GetTileLayout(parent, r.Tuple(2), r.Tuple(3)));
       }},
      {"view",
       [](const Row& r) -> Json {
         // Arguments: whole, perhaps by tag, its extents, origin, tile. The answer is the strided form, or the first
         // wrong element of it.
         const auto view = MakeView(r.Integers(1), r.Integers(2), r.Integers(3));
         const ComposedLayout whole =
             IsFractalText(r.Text(0))
                 ? ComposedLayout{std::nullopt, 0, Read(ShapeStrideOf(Read(ParseFractalLayout(r.Text(0)))))}
                 : r.Composed(0);
         const auto strided = StridedViewOf(whole, Read(view));
         if (strided && !strided->is_right()) return ToString(*strided->first_wrong);
         if (strided && r.json.at("valid") != Json(ValidExtents(*view))) return "other valid extents";
         return strided ? ToString(strided->layout) : "rejected: " + strided.error().ToString();
       }},
      {"tla_make_mxscale_layout",
       [](const Row& r) {
         const bool is_b = r.json.at("args").at(1).get<bool>();
         const std::optional<TlaTag> tag = TlaTagFromName(MxScaleName(r.Text(0) + (is_b ? " B" : " A")));
         if (!tag) return Json("no tag of scales");
         return AnswerWithOrigin(r.json, MakeTlaLayout(*tag, 8, r.Number(2), r.Number(3)));
       }},
      {"tag_layout",
       [](const Row& r) -> Json {
         // Argument: a layout by tag, "NC1HWC0<16>:f16[2,20,5,7]". The XLA layout has the same offsets.
         const FractalLayout fractal = Read(ParseFractalLayout(r.Text(0)));
         const ShapeStrideLayout layout = Read(ShapeStrideOf(fractal));
         const std::vector<int64_t> offsets = Read(AllOffsets(Read(HloOfFractal(fractal))));
         std::vector<int64_t> index(fractal.sizes.size(), 0);
         const StridedLayout strided = Read(StridedLayoutOf(layout));
         for (const int64_t offset : offsets) {
           if (StridedOffset<int64_t>(strided, index) != offset) return "the XLA layout differs";
           NextIndex(index, SizesOf(fractal));
         }
         return ToString(layout);
       }},
      {"tag_offset",
       [](const Row& r) -> Json {
         // Arguments: a layout by tag and a coordinate with one integer per dimension.
         const ShapeStrideLayout layout = Read(ShapeStrideOf(Read(ParseFractalLayout(r.Text(0)))));
         return AnswerOf(Crd2Idx(r.Tuple(1), layout));
       }},
      {"as_xla_layout", [](const Row& r) { return AsXlaLayout(r.json); }},
  };
  return *kOperations;
}

TEST(ShapeStrideConformance, EveryVector) {
  std::ifstream file(LAYOUTCHECK_CORPUS "/vectors/shape_stride.jsonl");
  ASSERT_TRUE(file.is_open());
  int vectors = 0;
  int failures = 0;
  int left_out = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.empty()) continue;
    const Json row = Json::Parse(line).value();
    ++vectors;
    const auto operation = Operations().find(row.at("op").text());
    if (operation == Operations().end()) {
      ++left_out;
      std::printf("left out: %s\n", line.c_str());
      continue;
    }
    Json answer;
    try {
      answer = operation->second(Row{row});
    } catch (const std::exception& error) {
      answer = error.what();
    }
    if (answer != row.at("expect")) {
      ++failures;
      ADD_FAILURE() << line << "\n  answered " << answer;
    }
  }
  std::printf("%d vectors, %d failures, %d left out\n", vectors, failures, left_out);
  EXPECT_GT(vectors, 200);
  EXPECT_EQ(left_out, 0);
}

}  // namespace
}  // namespace layoutcheck
