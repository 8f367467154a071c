// The linear index of a tiled layout: the closed formula, definition (a).
//
// Source: XLA's document "Tiled layout", extended as XLA's nested tiling is: a tile with more dimensions than the array
// gets leading ones, and the next tile works on what the previous one made. For each tile, in order:
//
//   1. where the tile has more dimensions than the list, dimensions of size 1 are put before the list;
//   2. each `*` combines its dimension a with the next more minor one b: size S_a S_b, index I_a S_b + I_b;
//   3. every remaining tile dimension t replaces its dimension (S, I) by an outer one (ceil(S / t), floor(I / t)),
//   which stays in
//      place, and an inner one (t, I mod t), which goes to the minor end, in order.
//
// The result is the row-major linear index of the last list, and its size the product of the last sizes.
#ifndef LAYOUTCHECK_CORE_TILING_TILED_INDEX_H_
#define LAYOUTCHECK_CORE_TILING_TILED_INDEX_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "layoutcheck/core/base/divisor.h"
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/base/integer.h"
#include "layoutcheck/core/hlo/shape.h"
#include "layoutcheck/core/tiling/tiled_layout.h"

namespace layoutcheck {

// The formula, worked out for one layout. What depends on the layout alone (the order of the lists, sizes, strides,
// divisors) is computed once; evaluating an index does not allocate for layouts of up to kInlineValues values.
//
// `Int` is int64_t for the fast evaluator, CheckedInt64 to find overflow, a symbolic integer for a proof, a printing
// one for source text. Sizes are not looked at, so that they may be names.
template <class Int>
class BasicTiledIndex {
 public:
  static constexpr size_t kInlineValues = 64;
  // Of the folded sum. For numbers it is modulo 2^64: a weight may leave int64 where no linear index does.
  using Weight = std::conditional_t<std::is_same_v<Int, int64_t>, uint64_t, Int>;

  // One computation on values, which are numbered: the first rank() are the index in physical order. It splits value
  // `a` by `size` into `result` (the quotient) and result + 1 (the remainder), or combines values a and b into a * size
  // + b.
  struct Step {
    bool combine;
    size_t a;
    size_t b;
    size_t result;
    Int size;
    Divisor<Int> divisor;
    // In the folded sum (see Fold): of the quotient, and whether the remainder is divided again.
    Weight weight = Weight(0);
    bool needs_remainder = true;
  };
  // A summand of the linear index: a value times a stride.
  struct Term {
    size_t value;
    Int stride;
  };

  // Requires minor_to_major to be a permutation, no `*` as the last entry of a tile, and tile sizes >= 1.
  explicit BasicTiledIndex(const BasicTiledLayout<Int>& layout) : rank_(layout.dimensions.size()), value_count_(rank_) {
    for (int64_t p = 0; p < layout.rank(); ++p) {
      const auto dimension = static_cast<size_t>(layout.Major(p));
      list_.push_back(Place{dimension, layout.dimensions[dimension]});
    }
    for (const auto& tile : layout.tiles) ApplyTile(tile);
    Int stride = Int(1);
    strides_.resize(list_.size(), stride);
    for (size_t k = list_.size(); k-- > 0;) {
      strides_[k] = stride;
      if (!IsOne(list_[k].size)) terms_.push_back(Term{list_[k].value, stride});
      stride = stride * list_[k].size;
    }
    padded_elements_ = stride;
    if constexpr (std::is_same_v<Int, int64_t>) Fold();
  }

  // The same formula over another integer type; `convert` maps each size and stride.
  template <class Other, class Convert>
  BasicTiledIndex(const BasicTiledIndex<Other>& other, Convert convert)
      : rank_(other.rank_),
        value_count_(other.value_count_),
        zero_(other.zero_),
        padded_elements_(convert(other.padded_elements_)) {
    for (const auto& step : other.steps_) {
      const Int size = convert(step.size);
      AddStep(step.combine, step.a, step.b, step.result, size);
    }
    for (const auto& place : other.list_) list_.push_back(Place{place.value, convert(place.size)});
    for (const auto& stride : other.strides_) strides_.push_back(convert(stride));
    for (const auto& term : other.terms_) terms_.push_back(Term{term.value, convert(term.stride)});
    if constexpr (std::is_same_v<Int, int64_t>) Fold();
  }

  // The linear index of a logical index. Requires index.size() == rank and 0 <= index[d] < dimensions[d]. Once it was
  // folded, as it is for numbers, the folded sum.
  Int operator()(std::span<const Int> index) const {
    if (value_count_ <= kInlineValues) {
      std::array<Int, kInlineValues> values;
      return LinearIndex(index, values.data());
    }
    std::vector<Int> values(value_count_);
    return LinearIndex(index, values.data());
  }

  // A remainder is the dividend less a multiple of the quotient, so the linear index is also a weighted sum of the
  // logical index and of the quotients, and a remainder is computed only where another step divides it.
  void Fold();

  // The digits whose row-major linear index is the result: one for each of expanded_sizes().
  std::vector<Int> Digits(std::span<const Int> index) const {
    std::vector<Int> values(value_count_);
    EvaluateSteps(index, values.data());
    std::vector<Int> digits;
    for (const Place& place : list_) digits.push_back(values[place.value]);
    return digits;
  }

  // The sizes after all tiles, major to minor: f32[3,5]{1,0:T(2,2)} has 2, 3, 2, 2.
  std::vector<Int> expanded_sizes() const {
    std::vector<Int> sizes;
    for (const Place& place : list_) sizes.push_back(place.size);
    return sizes;
  }

  // The elements between neighbors in each expanded dimension: 12, 4, 2, 1 for the same layout.
  const std::vector<Int>& expanded_strides() const { return strides_; }

  // The product of the expanded sizes: what the tiles make of the array, before any tail padding.
  const Int& padded_elements() const { return padded_elements_; }

  int64_t rank() const { return static_cast<int64_t>(rank_); }

  // The formula itself: what is computed from the index, in order, and the sum over it.
  const std::vector<Step>& steps() const { return steps_; }
  const std::vector<Term>& terms() const { return terms_; }
  size_t value_count() const { return value_count_; }

  // For each logical dimension the number of its group: dimensions are in one group when a `*` combines them, directly
  // or through digits of theirs. The linear index is a sum of one function a group. Groups are numbered from 0 by first
  // dimension.
  std::vector<size_t> Groups() const;

 private:
  template <class Other>
  friend class BasicTiledIndex;

  // A dimension of the current list: which value holds its index, and its size.
  struct Place {
    size_t value;
    Int size;
  };
  // Numbers are looked at, so that no time goes into dimensions of size 1; names are not.
  static constexpr bool kIsNumber = std::is_same_v<Int, int64_t> || std::is_same_v<Int, CheckedInt64>;
  static bool IsOne(const Int& size) {
    if constexpr (std::is_same_v<Int, int64_t>) return size == 1;
    if constexpr (std::is_same_v<Int, CheckedInt64>) return size.value == 1 && !size.overflow;
    return false;
  }

  size_t NewValue() { return value_count_++; }

  // The value that is 0 for every index.
  size_t Zero() {
    if (!zero_) zero_ = NewValue();
    return *zero_;
  }

  void ApplyTile(const std::vector<TileDimension<Int>>& tile) {
    if (tile.size() > list_.size()) list_.insert(list_.begin(), tile.size() - list_.size(), Place{Zero(), Int(1)});
    const auto tiled_begin = list_.end() - static_cast<std::ptrdiff_t>(tile.size());
    const std::vector<Place> tiled(tiled_begin, list_.end());
    list_.erase(tiled_begin, list_.end());
    std::vector<Place> inner;
    Place current{0, Int(1)};
    bool combining = false;
    for (size_t k = 0; k < tile.size(); ++k) {
      current = combining ? Combine(current, tiled[k]) : tiled[k];
      combining = tile[k].combine;
      if (combining) continue;
      const auto [outer, remainder] = Split(current, tile[k].size);
      list_.push_back(outer);
      inner.push_back(remainder);
    }
    list_.insert(list_.end(), inner.begin(), inner.end());
  }

  std::pair<Place, Place> Split(const Place& place, const Int& size) {
    const Int outer_size = CeilDiv(place.size, size);
    if (kIsNumber && place.value == zero_) return {Place{Zero(), outer_size}, Place{Zero(), size}};
    if (IsOne(size)) return {place, Place{Zero(), size}};
    const size_t quotient = NewValue();
    const size_t remainder = NewValue();
    AddStep(false, place.value, 0, quotient, size);
    return {Place{quotient, outer_size}, Place{remainder, size}};
  }

  Place Combine(const Place& a, const Place& b) {
    const Int size = a.size * b.size;
    if (kIsNumber && a.value == zero_) return Place{b.value, size};
    if (kIsNumber && b.value == zero_ && IsOne(b.size)) return Place{a.value, size};
    const size_t result = NewValue();
    AddStep(true, a.value, b.value, result, b.size);
    return Place{result, size};
  }

  void AddStep(bool combine, size_t a, size_t b, size_t result, const Int& size) {
    steps_.push_back(Step{combine, a, b, result, size, Divisor<Int>(combine ? Int(1) : size)});
  }

  Int LinearIndex(std::span<const Int> index, Int* values) const {
    if (!weights_.empty()) return FoldedSum(index, values);
    EvaluateSteps(index, values);
    Int result = Int(0);
    for (const Term& term : terms_) result = result + values[term.value] * term.stride;
    return result;
  }

  Int FoldedSum(std::span<const Int> index, Int* values) const {
    Weight result = Weight(0);
    for (size_t d = 0; d < rank_; ++d) {
      values[d] = index[d];
      result = result + static_cast<Weight>(index[d]) * weights_[d];
    }
    if (zero_) values[*zero_] = Int(0);
    for (const Step& step : steps_) {
      if (step.combine) {
        values[step.result] = values[step.a] * step.size + values[step.b];
        continue;
      }
      const Int quotient = step.divisor.Quotient(values[step.a]);
      if (step.needs_remainder) values[step.result + 1] = step.divisor.Remainder(values[step.a], quotient);
      values[step.result] = quotient;
      result = result + static_cast<Weight>(quotient) * step.weight;
    }
    return static_cast<Int>(result);
  }

  void EvaluateSteps(std::span<const Int> index, Int* values) const {
    for (size_t d = 0; d < rank_; ++d) values[d] = index[d];
    if (zero_) values[*zero_] = Int(0);
    for (const Step& step : steps_) {
      if (step.combine) {
        values[step.result] = values[step.a] * step.size + values[step.b];
      } else {
        const Int quotient = step.divisor.Quotient(values[step.a]);
        values[step.result + 1] = step.divisor.Remainder(values[step.a], quotient);
        values[step.result] = quotient;
      }
    }
  }

  size_t rank_ = 0;
  size_t value_count_ = 0;
  std::optional<size_t> zero_;
  std::vector<Step> steps_;
  std::vector<Place> list_;      // the expanded dimensions, major to minor
  std::vector<Int> strides_;     // theirs
  std::vector<Term> terms_;      // those that can be other than 0
  std::vector<Weight> weights_;  // of the logical index in the folded sum; empty before Fold()
  Int padded_elements_ = Int(1);
};

template <class Int>
void BasicTiledIndex<Int>::Fold() {
  std::vector<Weight> weights(value_count_, Weight(0));
  std::vector<bool> is_operand(value_count_);
  for (const Term& term : terms_) weights[term.value] = weights[term.value] + static_cast<Weight>(term.stride);
  for (size_t k = steps_.size(); k-- > 0;) {
    Step& step = steps_[k];
    const auto size = static_cast<Weight>(step.size);
    is_operand[step.a] = true;
    if (step.combine) {
      is_operand[step.b] = true;
      weights[step.a] = weights[step.a] + weights[step.result] * size;
      weights[step.b] = weights[step.b] + weights[step.result];
    } else {
      weights[step.a] = weights[step.a] + weights[step.result + 1];
      step.weight = weights[step.result] - weights[step.result + 1] * size;
      step.needs_remainder = is_operand[step.result + 1];
    }
  }
  weights.resize(rank_, Weight(0));
  weights_ = std::move(weights);
}

template <class Int>
std::vector<size_t> BasicTiledIndex<Int>::Groups() const {
  const size_t rank = rank_;
  // root[v]: a dimension that value v depends on; the zero depends on nothing (rank).
  std::vector<size_t> root(value_count_, rank);
  std::vector<size_t> parent(rank);
  for (size_t d = 0; d < rank; ++d) parent[d] = d;
  const auto find = [&](size_t d) {
    while (parent[d] != d) d = parent[d];
    return d;
  };
  for (size_t d = 0; d < rank; ++d) root[d] = d;
  for (const Step& step : steps_) {
    if (!step.combine) {
      root[step.result] = root[step.result + 1] = root[step.a];
    } else if (root[step.a] == rank || root[step.b] == rank) {
      root[step.result] = root[step.a] == rank ? root[step.b] : root[step.a];
    } else {
      parent[find(root[step.a])] = find(root[step.b]);
      root[step.result] = root[step.b];
    }
  }
  std::vector<size_t> group_of_root(rank, rank);
  std::vector<size_t> groups;
  size_t count = 0;
  for (size_t d = 0; d < rank; ++d) {
    size_t& group = group_of_root[find(d)];
    if (group == rank) group = count++;
    groups.push_back(group);
  }
  return groups;
}

using TiledIndex = BasicTiledIndex<int64_t>;

// The formula of a concrete layout, after every size and stride that it computes was seen to fit int64. Errors: as
// TiledLayoutOf; overflow.
Expected<TiledIndex> MakeTiledIndex(const TiledLayout& layout);
Expected<TiledIndex> MakeTiledIndex(const Shape& shape);

// Whether 0 <= index[d] < dimensions[d] for every d and the index has one entry a dimension; the error names the
// dimension.
Expected<void> CheckIndex(std::span<const int64_t> index, std::span<const int64_t> dimensions);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_CORE_TILING_TILED_INDEX_H_
