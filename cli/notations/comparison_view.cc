// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/notations/comparison_view.h"
#include <functional>
#include <span>
#include <utility>
#include "layoutcheck/cli/notations/logical_view.h"

namespace layoutcheck {
namespace {

using Integers = std::vector<int64_t>;
// Maps a coordinate of one layout to that of the corresponding element of the other.
using Correspondence = std::function<Integers(std::span<const int64_t>)>;

// Calls visit(d) for each dimension, the one that counts fastest first.
template <class Visit>
void FastestFirst(size_t rank, bool colexicographic, Visit visit) {
  for (size_t k = 0; k < rank; ++k) visit(colexicographic ? k : rank - 1 - k);
}

// Lets elements correspond by their number.
Correspondence ByNumber(Integers from, Integers to, bool colexicographic) {
  return [from = std::move(from), to = std::move(to), colexicographic](std::span<const int64_t> coordinate) {
    int64_t number = 0;
    int64_t weight = 1;
    FastestFirst(from.size(), colexicographic, [&](size_t d) {
      number += coordinate[d] * weight;
      weight *= from[d];
    });
    Integers result(to.size());
    FastestFirst(to.size(), colexicographic, [&](size_t d) {
      result[d] = number % to[d];
      number /= to[d];
    });
    return result;
  };
}

// Lets element c correspond to the one with coordinates c[permutation[0]], c[permutation[1]], ...
Correspondence ByPermutation(const Integers& permutation) {
  return [permutation](std::span<const int64_t> coordinate) {
    Integers result;
    for (const int64_t d : permutation) result.push_back(coordinate[static_cast<size_t>(d)]);
    return result;
  };
}

Integers Inverse(const Integers& permutation) {
  Integers inverse(permutation.size());
  for (size_t i = 0; i < permutation.size(); ++i)
    inverse[static_cast<size_t>(permutation[i])] = static_cast<int64_t>(i);
  return inverse;
}

// Returns the grid of `layout` with the elements marked that `other` has at another index.
CellGrid MarkedGrid(const AnyLayout& layout, const AnyLayout& other, Correspondence correspondence) {
  CellGrid grid = LogicalGrid(layout);
  grid.marks = "moves";
  grid.colors = {{0, 1, false, "stays"}, {1, 1, true, "moves"}};
  grid.cell = [&layout, &other, correspondence = std::move(correspondence),
               cell = std::move(grid.cell)](std::span<const int64_t> coordinate) {
    GridCell result = cell(coordinate);
    const int64_t at_other = other.Index(correspondence(coordinate));
    result.marked = layout.Index(coordinate) != at_other;
    result.color = result.marked ? 1 : 0;
    if (result.marked) result.details += ", in the other array at " + std::to_string(at_other);
    return result;
  };
  return grid;
}

// Implements ComparisonGrids, but for what folded pictures keep.
GridPair MarkedGrids(const AnyLayout& a, const AnyLayout& b, const std::optional<Integers>& transpose) {
  if (a.Sizes().elements != b.Sizes().elements) return {LogicalGrid(a), LogicalGrid(b)};
  if (transpose) {
    return {MarkedGrid(a, b, ByPermutation(*transpose)), MarkedGrid(b, a, ByPermutation(Inverse(*transpose)))};
  }
  const Integers sizes_a = a.Dimensions();
  const Integers sizes_b = b.Dimensions();
  if (sizes_a == sizes_b) {
    const auto same = [](std::span<const int64_t> c) { return Integers(c.begin(), c.end()); };
    return {MarkedGrid(a, b, same), MarkedGrid(b, a, same)};
  }
  const bool colexicographic = !a.Forms().shape && !b.Forms().shape;
  return {MarkedGrid(a, b, ByNumber(sizes_a, sizes_b, colexicographic)),
          MarkedGrid(b, a, ByNumber(sizes_b, sizes_a, colexicographic))};
}

}  // namespace

GridPair ComparisonGrids(const AnyLayout& a, const AnyLayout& b, const std::optional<Integers>& transpose,
                         const std::optional<MovedElement>& moved) {
  GridPair grids = MarkedGrids(a, b, transpose);
  if (moved) {
    grids.a.focus = moved->a;
    grids.b.focus = moved->b;
  }
  return grids;
}

}  // namespace layoutcheck
