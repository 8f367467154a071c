// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/algebra/inverse.h"
#include <algorithm>
#include <cstddef>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>
#include "layoutcheck/core/algebra/composition.h"
#include "layoutcheck/core/base/integer.h"
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

// A mode of a layout, and the growth of the layout's index per step in it.
struct IndexedMode {
  StridedMode mode;
  int64_t index_step = 1;
};

// Returns the modes of the coalesced layout by increasing stride.
Expected<std::vector<IndexedMode>> SortedModes(const ShapeStrideLayout& layout) {
  LAYOUTCHECK_TRY(const ShapeStrideLayout coalesced, Coalesce(layout));
  LAYOUTCHECK_TRY(const std::vector<StridedMode> modes, FlatModes(coalesced));
  const Expected<int64_t> size = Size(coalesced);  // makes sure that no product below overflows
  if (!size) return std::unexpected(size.error());
  std::vector<IndexedMode> sorted;
  int64_t step = 1;
  for (const StridedMode& mode : modes) {
    sorted.push_back({mode, step});
    step *= mode.extent;
  }
  std::ranges::stable_sort(sorted, std::ranges::less{}, [](const IndexedMode& m) { return m.mode.stride; });
  return sorted;
}

// Returns the modes of the inverse in the mixed radix of the strides, or nothing unless every stride is a multiple of
// the previous one and no mode reaches the next one. Requires a mode, and sorted strides above 0. Error: overflow.
Expected<std::optional<std::vector<StridedMode>>> InverseInRadixOfStrides(const std::vector<IndexedMode>& modes) {
  std::vector<StridedMode> result;
  int64_t radix = 1;         // the product of the extents so far
  int64_t step = 0;          // the stride of the next mode of the result, in indices
  CheckedInt64 reached = 1;  // the offset where the modes so far end
  for (const auto& [mode, index_step] : modes) {
    if (mode.stride % radix != 0 || reached.value > mode.stride) return std::nullopt;
    result.push_back({mode.stride / radix, step});
    step = index_step;
    radix = mode.stride;
    reached = CheckedInt64(mode.stride) * mode.extent;
    if (reached.overflow) return OverflowError("the end of the layout does not fit int64");
  }
  result.push_back({modes.back().mode.extent, step});
  return result;
}

constexpr int64_t kMostValues = int64_t{1} << 12;
constexpr int64_t kMostEquations = int64_t{1} << 20;

using Row = std::vector<int64_t>;

// The integer solutions of a system of linear equations: one point plus all integer combinations of directions.
class Solutions {
 public:
  // Adds an unknown that no equation constrains yet.
  void AddUnknown() {
    for (Row& direction : directions_) direction.push_back(0);
    Row unit(point_.size(), 0);
    unit.push_back(1);
    directions_.push_back(std::move(unit));
    point_.push_back(0);
  }

  // Keeps the solutions of the equation sum of coefficient * unknown = right_side. Returns false if none is left, or if
  // a number does not fit int64; the latter sets `overflow`.
  bool Require(const Row& coefficients, int64_t right_side, bool& overflow) {
    const auto dot = [&](const Row& vector) {
      CheckedInt64 sum = 0;
      for (size_t i = 0; i < vector.size(); ++i) sum = sum + CheckedInt64(coefficients[i]) * vector[i];
      overflow = overflow || sum.overflow;
      return sum.value;
    };
    const CheckedInt64 missing = CheckedInt64(right_side) - dot(point_);
    Row along;  // per direction: the growth of the sum with one step
    for (const Row& direction : directions_) along.push_back(dot(direction));
    if (overflow || missing.overflow) return Fail(overflow);
    // Euclid's algorithm combines the directions until only one of them changes the sum.
    while (true) {
      std::optional<size_t> least;
      bool others = false;
      for (size_t i = 0; i < along.size(); ++i) {
        if (along[i] == 0) continue;
        others = others || least.has_value();
        if (!least || Magnitude(along[i]) < Magnitude(along[*least])) least = i;
      }
      if (!least) return missing.value == 0;
      if (!others) {
        if (missing.value % along[*least] != 0) return false;
        if (!AddMultiple(point_, directions_[*least], missing.value / along[*least])) return Fail(overflow);
        directions_.erase(directions_.begin() + static_cast<ptrdiff_t>(*least));
        return true;
      }
      for (size_t i = 0; i < along.size(); ++i) {
        if (i == *least || along[i] == 0) continue;
        const int64_t times = along[i] / along[*least];
        along[i] %= along[*least];
        if (!AddMultiple(directions_[i], directions_[*least], -times)) return Fail(overflow);
      }
    }
  }

  const Row& point() const { return point_; }

 private:
  static uint64_t Magnitude(int64_t value) {
    return value < 0 ? -static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
  }
  static bool Fail(bool& overflow) {
    overflow = true;
    return false;
  }
  static bool AddMultiple(Row& row, const Row& other, int64_t times) {
    for (size_t i = 0; i < row.size(); ++i) {
      const CheckedInt64 sum = CheckedInt64(row[i]) + CheckedInt64(times) * other[i];
      if (sum.overflow) return false;
      row[i] = sum.value;
    }
    return true;
  }

  Row point_;
  std::vector<Row> directions_;
};

// A set of values that share their higher digits, represented by one of them.
struct Block {
  int64_t high = 0;   // the value divided by the product of the radices so far
  Row digits;         // the lower digits of the value, in the radices so far
  int64_t index = 0;  // index of the value in the layout
};

// A depth-first search over chains of primes as radices.
class RadixSearch {
 public:
  RadixSearch(std::vector<int64_t> primes, int64_t largest) : primes_(std::move(primes)), largest_(largest) {}

  // Extends the radices chosen so far and returns true if strides were found. `blocks` are sorted by value; the strides
  // of their lower digits are `solutions`. `product` is the product of the radices so far.
  bool ExtendRadices(const std::vector<Block>& blocks, const Solutions& solutions, int64_t product) {
    if (SolveWithLastDigit(blocks, solutions)) return true;
    for (const int64_t prime : primes_) {
      if (prime > largest_ / product) continue;
      if (gave_up_) return false;
      Solutions narrower = solutions;
      narrower.AddUnknown();
      std::vector<Block> merged;
      bool possible = true;
      for (const Block& block : blocks) {  // sorted by value, so blocks that merge are neighbors
        Block next = block;
        next.digits.push_back(block.high % prime);
        next.high /= prime;
        if (merged.empty() || merged.back().high != next.high) {
          merged.push_back(std::move(next));
          continue;
        }
        Row difference = next.digits;
        for (size_t i = 0; i < difference.size(); ++i) difference[i] -= merged.back().digits[i];
        possible = Require(narrower, difference, next.index - merged.back().index);
        if (!possible) break;
      }
      if (!possible) continue;
      radices_.push_back(prime);
      if (ExtendRadices(merged, narrower, product * prime)) return true;
      radices_.pop_back();
    }
    return false;
  }

  bool gave_up() const { return gave_up_; }
  // Returns the modes of the inverse. Requires that ExtendRadices returned true.
  std::vector<StridedMode> modes() const {
    std::vector<StridedMode> modes;
    int64_t product = 1;
    for (size_t i = 0; i < radices_.size(); ++i) {
      modes.push_back({radices_[i], strides_[i]});
      product *= radices_[i];
    }
    modes.push_back({largest_ / product + 1, strides_.back()});
    return modes;
  }

 private:
  bool Require(Solutions& solutions, const Row& coefficients, int64_t right_side) {
    bool overflow = false;
    const bool solvable = solutions.Require(coefficients, right_side, overflow);
    if (overflow || ++equations_ > kMostEquations) gave_up_ = true;
    return solvable && !gave_up_;
  }

  // Returns true and sets the strides if the part above the digits of each block can be one last digit.
  bool SolveWithLastDigit(const std::vector<Block>& blocks, Solutions solutions) {
    solutions.AddUnknown();
    for (const Block& block : blocks) {
      Row digits = block.digits;
      digits.push_back(block.high);
      if (!Require(solutions, digits, block.index)) return false;
    }
    strides_ = solutions.point();
    return true;
  }

  std::vector<int64_t> primes_;
  int64_t largest_;
  int64_t equations_ = 0;
  bool gave_up_ = false;
  Row radices_;
  Row strides_;
};

// Returns the primes up to `largest`, those that divide a stride first.
std::vector<int64_t> Primes(std::span<const IndexedMode> modes, int64_t largest) {
  std::vector<int64_t> dividing;
  std::vector<int64_t> others;
  std::vector<bool> composite(static_cast<size_t>(largest) + 1, false);
  for (int64_t p = 2; p <= largest; ++p) {
    if (composite[static_cast<size_t>(p)]) continue;
    for (int64_t multiple = 2 * p; multiple <= largest; multiple += p) composite[static_cast<size_t>(multiple)] = true;
    const bool divides =
        std::ranges::any_of(modes, [&](const IndexedMode& indexed) { return indexed.mode.stride % p == 0; });
    (divides ? dividing : others).push_back(p);
  }
  dividing.insert(dividing.end(), others.begin(), others.end());
  return dividing;
}

// Returns the modes of a layout that maps each value of the given modes to its index: the sum of digit * stride over
// the value's digits in the mixed radix of the result's extents. The last digit is unbounded. Requires extents > 1 and
// strides > 0.
//
// The search is complete, because every such layout is one over the digits of some chain of primes whose product need
// not exceed the largest value. The strides for a chain are the integer solutions of one equation per value. A chain is
// abandoned if the values that share all higher digits leave no solution. Errors: a proof that there is no left
// inverse, or two coordinates of one value (invalid argument); more than 2^20 equations or 2^12 values (unavailable).
Expected<std::vector<StridedMode>> SearchLeftInverse(std::span<const IndexedMode> modes) {
  constexpr int64_t kLargestValue = int64_t{1} << 20;
  std::vector<Block> blocks = {{}};
  CheckedInt64 largest = 0;
  for (const auto& [mode, step] : modes) {
    const size_t before = blocks.size();
    largest = largest + CheckedInt64(mode.stride) * (mode.extent - 1);
    if (largest.overflow || largest.value > kLargestValue || mode.extent > kMostValues / static_cast<int64_t>(before)) {
      return UnavailableError("other radices than the layout's are looked at for up to ", kMostValues, " values up to ",
                              kLargestValue);
    }
    for (int64_t c = 1; c < mode.extent; ++c) {
      for (size_t i = 0; i < before; ++i) {
        blocks.push_back({blocks[i].high + c * mode.stride, {}, blocks[i].index + c * step});
      }
    }
  }
  std::ranges::sort(blocks, std::ranges::less{}, &Block::high);
  const auto twice = std::ranges::adjacent_find(blocks, std::ranges::equal_to{}, &Block::high);
  if (twice != blocks.end()) return ArgumentError("two coordinates have the value ", twice->high);
  RadixSearch search(Primes(modes, largest.value), largest.value);
  if (search.ExtendRadices(blocks, Solutions(), 1)) return search.modes();
  if (search.gave_up()) return UnavailableError("none was found within ", kMostEquations, " equations");
  return ArgumentError("in no mixed radix are the indices of the values 0 to ", largest.value,
                       " a sum of digits times strides");
}

}  // namespace

Expected<ShapeStrideLayout> RightInverse(const ShapeStrideLayout& layout) {
  LAYOUTCHECK_TRY(const std::vector<IndexedMode> modes, SortedModes(layout));
  std::vector<StridedMode> result = {{1, 0}};
  int64_t next = 1;  // offset at the end of the chain; at most the size of the layout
  for (const IndexedMode& indexed : modes) {
    if (indexed.mode.stride != next || indexed.mode.extent == 1) continue;
    result.push_back({indexed.mode.extent, indexed.index_step});
    next *= indexed.mode.extent;
  }
  return Coalesce(LayoutOfModes(result, IsStatic(layout)));
}

Expected<ShapeStrideLayout> LeftInverse(const ShapeStrideLayout& layout) {
  LAYOUTCHECK_TRY(std::vector<IndexedMode> modes, SortedModes(layout));
  const int64_t last_extent = modes.back().mode.extent;
  std::erase_if(modes, [](const IndexedMode& m) { return m.mode.stride == 0 || m.mode.extent == 1; });
  if (modes.empty()) return LayoutOfModes({{last_extent, 0}}, IsStatic(layout));  // in the form that CuTe gives it
  if (modes.front().mode.stride < 0) {
    return ArgumentError("the stride ", modes.front().mode.stride, " of ", ToString(layout), " is negative");
  }
  LAYOUTCHECK_TRY(const auto direct, InverseInRadixOfStrides(modes));
  if (direct) return Coalesce(LayoutOfModes(*direct, IsStatic(layout)));
  const Expected<std::vector<StridedMode>> found = SearchLeftInverse(modes);
  if (!found) {
    return MakeError(found.error().kind, StrCat("no left inverse of ", ToString(layout), ": ", found.error().message));
  }
  return Coalesce(LayoutOfModes(*found, IsStatic(layout)));
}

Expected<ShapeStrideLayout> Nullspace(const ShapeStrideLayout& layout) {
  LAYOUTCHECK_TRY(const std::vector<StridedMode> modes, FlatModes(layout));
  const Expected<int64_t> size = Size(layout);  // makes sure that no product below overflows
  if (!size) return std::unexpected(size.error());
  std::vector<StridedMode> result;
  int64_t step = 1;
  for (const StridedMode& mode : modes) {
    if (mode.stride == 0) result.push_back({mode.extent, mode.extent == 1 ? 0 : step});
    step *= mode.extent;
  }
  return LayoutOfModes(result, IsStatic(layout));
}

Expected<int64_t> MaxCommonVector(const ShapeStrideLayout& a, const ShapeStrideLayout& b) {
  LAYOUTCHECK_TRY(const ShapeStrideLayout inverse, RightInverse(b));
  LAYOUTCHECK_TRY(const ShapeStrideLayout composed, Composition(a, inverse));
  const StridedMode first = FlatModes(*Coalesce(composed))->front();
  return first.stride == 1 ? first.extent : 1;
}

Expected<ShapeStrideLayout> MaxCommonLayout(const ShapeStrideLayout& a, const ShapeStrideLayout& b) {
  LAYOUTCHECK_TRY(const int64_t count, MaxCommonVector(a, b));
  const bool is_static = IsStatic(a) && IsStatic(b);
  if (count == 1) return LayoutOfModes({}, is_static);
  Expected<ShapeStrideLayout> result = Composition(*RightInverse(b), LayoutOfModes({{count, 1}}));
  return result ? WithStatic(*result, is_static) : result;
}

Expected<ShapeStrideLayout> DomainDistribute(const IntTuple& shape, int64_t count) {
  if (count < 1) return ArgumentError("count ", count, ": expected at least 1");
  LAYOUTCHECK_RETURN_IF_ERROR(Product(shape));
  std::vector<StridedMode> modes;
  int64_t step = 1;
  for (const IntTuple& extent : Leaves(shape)) {
    if (extent.value() < 1) return ArgumentError("shape ", ToString(shape), " has no coordinate");
    const int64_t part = std::gcd(extent.value(), count);
    modes.push_back({part, part == 1 ? 0 : step});
    count /= part;
    step *= extent.value();
  }
  return Coalesce(LayoutOfModes(modes, IsStatic(shape)));
}

}  // namespace layoutcheck
