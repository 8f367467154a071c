// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Faults in the decision about bitcasts, in the equality of layouts, and in edits of dimensions.
#include <algorithm>
#include "layoutcheck/core/hlo/equality.h"
#include "layoutcheck/core/hlo/printer.h"
#include "layoutcheck/core/xla_util/bitcast.h"
#include "layoutcheck/core/xla_util/permutation.h"
#include "layoutcheck/core/xla_util/shape_edits.h"
#include "layoutcheck/properties/faults/fault.h"

namespace layoutcheck {
namespace {

using EditArguments = std::span<const int64_t>;

// Returns a fault in the edits of one name; `change` gets the edited shape.
Change<EditQuestion> InEdit(std::string_view function,
                            void (*change)(const Shape& shape, EditArguments arguments, Shape& edited)) {
  return [function, change](const EditQuestion& asked, EditAnswer& answer) {
    if (asked.function != function || !answer.layout) return;
    auto edited = ApplyEdit(function, asked.shape, asked.arguments);
    if (!edited) return;
    change(asked.shape, asked.arguments, *edited);
    answer.layout = ToString(*edited);
  };
}

// Returns a fault that answers as core does for the shapes after a change.
Change<BitcastQuestion> BitcastOf(void (*change)(Shape&)) {
  return [change](const BitcastQuestion& q, bool& answer) {
    Shape from = q.from;
    Shape to = q.to;
    change(from);
    change(to);
    const auto other = q.transpose ? TransposeIsBitcast(from, to, *q.transpose) : ReshapeIsBitcast(from, to);
    if (other) answer = *other;
  };
}

// Returns a fault that compares with other options.
Change<EqualQuestion> EqualWith(void (*change)(LayoutEqualOptions& options)) {
  return [change](const EqualQuestion& q, bool& answer) {
    auto options = *ShapeEqualOptionsOf(q.ignored_parts);
    change(options.layout);
    answer = Equal(q.a, q.b, options);
  };
}

}  // namespace

std::vector<Fault> BitcastFaults() {
  return {
      {"bitcast-order-only", "XLA ReshapeIsBitcast: minor_to_major decides, tiles are not looked at",
       BitcastOf(DropTiles)},
      {"bitcast-tail-padding-ignored", "XLA: L(n) is not compared although the allocations differ",
       BitcastOf([](Shape& shape) { shape.layout->tail_padding_alignment_in_elements = 1; })},
      {"bitcast-memory-space-ignored", "XLA: a copy to S(5) is dropped as a bitcast",
       BitcastOf([](Shape& shape) { shape.layout->memory_space = 0; })},
      {"bitcast-permutation-inverted",
       "XLA IsReshapeOrTransposeBitcast: a permutation that is not its own inverse is inverted",
       [](const BitcastQuestion& q, bool& answer) {
         if (!q.transpose) return;
         const auto inverse = InversePermutation(*q.transpose);
         const auto other = inverse ? TransposeIsBitcast(q.from, q.to, *inverse) : answer;
         if (other) answer = *other;
       }},
      {"bitcast-same-rank-only", "a reshape that adds a dimension of size 1 is copied",
       [](const BitcastQuestion& q, bool& answer) { answer = answer && q.from.rank() == q.to.rank(); }},
      {"bitcast-unit-dimensions-move", "XLA TransposeIsBitcast: false if only size-1 dimensions change order",
       [](const BitcastQuestion& q, bool& answer) {
         for (size_t k = 0; q.transpose && k < q.transpose->size(); ++k) {
           const auto d = static_cast<size_t>(q.to.layout->minor_to_major[k]);
           answer = answer && (*q.transpose)[d] == q.from.layout->minor_to_major[k];
         }
       }},
  };
}

std::vector<Fault> EqualityFaults() {
  return {
      {"equal-first-tile-only", "XLA before repeated tiling: only the first tile is compared",
       [](const EqualQuestion& q, bool& answer) {
         if (std::ranges::find(q.ignored_parts, "layout") != q.ignored_parts.end()) return;
         Shape a = q.a;
         Shape b = q.b;
         for (Shape* shape : {&a, &b}) KeepTiles(*shape, 1);
         answer = Equal(a, b, *ShapeEqualOptionsOf(q.ignored_parts));
       }},
      {"equal-tail-padding-forgotten", "XLA: a field that was added later is missing in Equal, as M(n) is",
       EqualWith([](LayoutEqualOptions& options) { options.ignore_tail_padding = true; })},
      {"equal-ignores-too-much", "an option to ignore one field makes only minor_to_major count",
       EqualWith([](LayoutEqualOptions& options) {
         if (options.ignore_tiles) options = LayoutEqualOptions::MinorToMajorOnly();
       })},
      {"equal-option-unused", "the option to ignore the memory space is not passed on",
       EqualWith([](LayoutEqualOptions& options) { options.ignore_memory_space = false; })},
  };
}

std::vector<Fault> DimensionEditFaults() {
  return {
      {"edit-permutation-inverted",
       "XLA 3376395d39: ReorderLogicalDimensions used the permutation in place of its inverse",
       InEdit("permute-dimensions",
              [](const Shape& shape, EditArguments permutation, Shape& edited) {
                const auto order = ComposePermutations(permutation, shape.layout->minor_to_major);
                if (order) edited.layout->minor_to_major = *order;
              })},
      {"edit-delete-by-position", "the dimension at a physical position is deleted, not the logical one",
       InEdit("delete-dimensions",
              [](const Shape& shape, EditArguments arguments, Shape& edited) {
                if (arguments.size() != 1) return;
                const int64_t dimension = shape.layout->Major(arguments[0]);
                if (const auto other = ApplyEdit("delete-dimensions", shape, {&dimension, 1})) edited = *other;
              })},
      {"edit-move-exchanges", "moving a dimension to the major end exchanges two dimensions",
       InEdit("move-dim-to-major",
              [](const Shape& shape, EditArguments arguments, Shape& edited) {
                std::vector<int64_t> order = shape.layout->minor_to_major;
                std::iter_swap(std::ranges::find(order, arguments[0]), order.end() - 1);
                edited.layout->minor_to_major = order;
              })},
      {"edit-insert-more-minor", "an inserted dimension lands on the other side of its neighbor",
       InEdit("insert-dimension",
              [](const Shape& shape, EditArguments arguments, Shape& edited) {
                if (arguments[0] == shape.rank()) return;
                std::vector<int64_t>& order = edited.layout->minor_to_major;
                const auto at = std::ranges::find(order, arguments[0]);
                std::iter_swap(at, at - 1);
              })},
      {"edit-dynamic-flags-stay", "XLA c23ec9a737: the sizes are put into memory order, the dynamic flags are not",
       InEdit("descending-layout", [](const Shape& shape, EditArguments,
                                      Shape& edited) { edited.dynamic_dimensions = shape.dynamic_dimensions; })},
      {"edit-append-at-wrong-end", "XLA 54c5fb6a22: AppendMinorDimension appends at the major end",
       InEdit("append-minor-dimension",
              [](const Shape&, EditArguments, Shape& edited) {
                std::vector<int64_t>& order = edited.layout->minor_to_major;
                std::ranges::rotate(order, order.begin() + 1);
              })},
      {"edit-tiles-lost", "XLA ShapeUtil::MoveDimToMajor: the tiles are gone",
       InEdit("move-dim-to-minor", [](const Shape&, EditArguments, Shape& edited) { DropTiles(edited); })},
  };
}

}  // namespace layoutcheck
