// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Faults in the decision about bitcasts, in the equality of layouts, and in edits of dimensions.
#include <algorithm>
#include <utility>
#include "layoutcheck/core/hlo/equality.h"
#include "layoutcheck/core/hlo/parser.h"
#include "layoutcheck/core/hlo/printer.h"
#include "layoutcheck/core/xla_util/bitcast.h"
#include "layoutcheck/core/xla_util/layout_edits.h"
#include "layoutcheck/core/xla_util/named_edit.h"
#include "layoutcheck/core/xla_util/permutation.h"
#include "layoutcheck/properties/faults/fault.h"

namespace layoutcheck {
namespace {

using Plant = std::function<void(FaultHooks&)>;
using Transpose = std::optional<std::span<const int64_t>>;
using Parts = std::span<const std::string>;
using Arguments = std::span<const int64_t>;

Plant InBitcast(void (*change)(const Shape& from, const Shape& to, Transpose transpose, bool& answer)) {
  return [change](FaultHooks& hooks) { hooks.bitcast = change; };
}

Plant InEqual(void (*change)(const Shape& a, const Shape& b, Parts ignored_parts, bool& answer)) {
  return [change](FaultHooks& hooks) { hooks.equal = change; };
}

// Plants a fault in the edits of one name; `change` gets the edited shape.
Plant InEdit(std::string_view function, void (*change)(const Shape& shape, Arguments arguments, Shape& edited)) {
  return [function, change](FaultHooks& hooks) {
    hooks.edit = [function, change](std::string_view asked, const Shape& shape, Arguments arguments,
                                    EditAnswer& answer) {
      if (asked != function || !answer.layout) return;
      auto edited = ApplyEdit(asked, shape, arguments);
      if (!edited) return;
      change(shape, arguments, *edited);
      answer.layout = ToString(*edited);
    };
  };
}

// Answers with core for the shapes after a change.
template <class Change>
void AnswerFor(Shape from, Shape to, Transpose transpose, bool& answer, Change change) {
  change(from);
  change(to);
  const auto other = transpose ? TransposeIsBitcast(from, to, *transpose) : ReshapeIsBitcast(from, to);
  if (other) answer = *other;
}

std::vector<Fault> BitcastFaults() {
  return {
      {"bitcast-order-only", "bitcast", "XLA ReshapeIsBitcast: minor_to_major decides, tiles are not looked at",
       InBitcast([](const Shape& from, const Shape& to, Transpose transpose, bool& answer) {
         AnswerFor(from, to, transpose, answer, [](Shape& shape) { shape.layout->tiles.clear(); });
       })},
      {"bitcast-tail-padding-ignored", "bitcast", "XLA: L(n) is not compared although the allocations differ",
       InBitcast([](const Shape& from, const Shape& to, Transpose transpose, bool& answer) {
         AnswerFor(from, to, transpose, answer,
                   [](Shape& shape) { shape.layout->tail_padding_alignment_in_elements = 1; });
       })},
      {"bitcast-memory-space-ignored", "bitcast", "XLA: a copy to S(5) is dropped as a bitcast",
       InBitcast([](const Shape& from, const Shape& to, Transpose transpose, bool& answer) {
         AnswerFor(from, to, transpose, answer, [](Shape& shape) { shape.layout->memory_space = 0; });
       })},
      {"bitcast-permutation-inverted", "bitcast",
       "XLA IsReshapeOrTransposeBitcast: a permutation that is not its own inverse is inverted",
       InBitcast([](const Shape& from, const Shape& to, Transpose transpose, bool& answer) {
         if (!transpose) return;
         const auto inverse = InversePermutation(*transpose);
         if (inverse) AnswerFor(from, to, *inverse, answer, [](Shape&) {});
       })},
      {"bitcast-same-rank-only", "bitcast", "a reshape that adds a dimension of size 1 is copied",
       InBitcast([](const Shape& from, const Shape& to, Transpose, bool& answer) {
         answer = answer && from.rank() == to.rank();
       })},
      {"bitcast-unit-dimensions-move", "bitcast",
       "XLA TransposeIsBitcast: false if only size-1 dimensions change order",
       InBitcast([](const Shape& from, const Shape& to, Transpose transpose, bool& answer) {
         if (!transpose) return;
         for (size_t k = 0; k < transpose->size(); ++k) {
           const auto d = static_cast<size_t>(to.layout->minor_to_major[k]);
           answer = answer && (*transpose)[d] == from.layout->minor_to_major[k];
         }
       })},
  };
}

std::vector<Fault> EqualityFaults() {
  return {
      {"equal-first-tile-only", "equal", "XLA before repeated tiling: only the first tile is compared",
       InEqual([](const Shape& a, const Shape& b, Parts ignored_parts, bool& answer) {
         if (std::ranges::find(ignored_parts, "layout") != ignored_parts.end()) return;
         Shape first_a = a;
         Shape first_b = b;
         for (Shape* shape : {&first_a, &first_b}) {
           if (shape->layout->tiles.size() > 1) shape->layout->tiles.resize(1);
         }
         answer = Equal(first_a, first_b, *ShapeEqualOptionsOf(ignored_parts));
       })},
      {"equal-tail-padding-forgotten", "equal", "XLA: a field that was added later is missing in Equal, as M(n) is",
       InEqual([](const Shape& a, const Shape& b, Parts ignored_parts, bool& answer) {
         auto options = *ShapeEqualOptionsOf(ignored_parts);
         options.layout.ignore_tail_padding = true;
         answer = Equal(a, b, options);
       })},
      {"equal-ignores-too-much", "equal", "an option to ignore one field makes only minor_to_major count",
       InEqual([](const Shape& a, const Shape& b, Parts ignored_parts, bool& answer) {
         auto options = *ShapeEqualOptionsOf(ignored_parts);
         if (options.layout.ignore_tiles) options.layout = LayoutEqualOptions::MinorToMajorOnly();
         answer = Equal(a, b, options);
       })},
      {"equal-option-unused", "equal", "the option to ignore the memory space is not passed on",
       InEqual([](const Shape& a, const Shape& b, Parts ignored_parts, bool& answer) {
         auto options = *ShapeEqualOptionsOf(ignored_parts);
         options.layout.ignore_memory_space = false;
         answer = Equal(a, b, options);
       })},
  };
}

std::vector<Fault> DimensionEditFaults() {
  return {
      {"edit-permutation-inverted", "edit",
       "XLA 3376395d39: ReorderLogicalDimensions used the permutation in place of its inverse",
       InEdit("permute-dimensions",
              [](const Shape& shape, Arguments permutation, Shape& edited) {
                const auto order = ComposePermutations(permutation, shape.layout->minor_to_major);
                if (order) edited.layout->minor_to_major = *order;
              })},
      {"edit-delete-by-position", "edit", "the dimension at a physical position is deleted, not the logical one",
       InEdit("delete-dimensions",
              [](const Shape& shape, Arguments arguments, Shape& edited) {
                if (arguments.size() != 1) return;
                const int64_t dimension = shape.layout->Major(arguments[0]);
                if (const auto other = ApplyEdit("delete-dimensions", shape, {&dimension, 1})) edited = *other;
              })},
      {"edit-move-exchanges", "edit", "moving a dimension to the major end exchanges two dimensions",
       InEdit("move-dim-to-major",
              [](const Shape& shape, Arguments arguments, Shape& edited) {
                std::vector<int64_t> order = shape.layout->minor_to_major;
                std::iter_swap(std::ranges::find(order, arguments[0]), order.end() - 1);
                edited.layout->minor_to_major = order;
              })},
      {"edit-insert-more-minor", "edit", "an inserted dimension lands on the other side of its neighbor",
       InEdit("insert-dimension",
              [](const Shape& shape, Arguments arguments, Shape& edited) {
                if (arguments[0] == shape.rank()) return;
                std::vector<int64_t>& order = edited.layout->minor_to_major;
                const auto at = std::ranges::find(order, arguments[0]);
                std::iter_swap(at, at - 1);
              })},
      {"edit-dynamic-flags-stay", "edit",
       "XLA c23ec9a737: the sizes are put into memory order, the dynamic flags are not",
       InEdit("descending-layout", [](const Shape& shape, Arguments,
                                      Shape& edited) { edited.dynamic_dimensions = shape.dynamic_dimensions; })},
      {"edit-append-at-wrong-end", "edit", "XLA 54c5fb6a22: AppendMinorDimension appends at the major end",
       InEdit("append-minor-dimension",
              [](const Shape&, Arguments, Shape& edited) {
                std::vector<int64_t>& order = edited.layout->minor_to_major;
                std::ranges::rotate(order, order.begin() + 1);
              })},
      {"edit-tiles-lost", "edit", "XLA ShapeUtil::MoveDimToMajor: the tiles are gone",
       InEdit("move-dim-to-minor",
              [](const Shape&, Arguments, Shape& edited) { edited = ClearTiles(std::move(edited)); })},
  };
}

std::vector<Fault> MakeFaults() { return JoinFaults({BitcastFaults(), EqualityFaults(), DimensionEditFaults()}); }

}  // namespace

std::span<const Fault> EditFaults() {
  static const std::vector<Fault> faults = MakeFaults();
  return faults;
}

}  // namespace layoutcheck
