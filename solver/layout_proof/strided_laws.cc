// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <numeric>
#include <optional>
#include <utility>
#include "layoutcheck/core/base/nearest_name.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/shape_stride/composed_layout.h"
#include "layoutcheck/core/shape_stride/coordinate.h"
#include "layoutcheck/core/shape_stride/swizzle.h"
#include "layoutcheck/core/shape_stride/text.h"
#include "layoutcheck/solver/layout_proof/numeric_laws.h"

namespace layoutcheck {
namespace {

constexpr std::array<StridedLaw, 4> kStridedLaws = {{
    kInjectiveLaw,
    kInBoundsLaw,
    {"onto", "Every offset from the smallest to the largest is that of an element."},
    kInverseLaw,
}};
constexpr int64_t kMostEnumerated = int64_t{1} << 20;

// An integer > 1 of the shape. Its coordinate 1, with all others 0, is the integral coordinate `weight`.
struct Leaf {
  int64_t extent;
  int64_t stride;
  int64_t weight;
};

// The offsets of a composed layout, by coordinate.
struct StridedOffsets {
  std::string text;
  ComposedLayout layout;
  int64_t size;          // number of coordinates
  int64_t smallest = 0;  // smallest offset
  std::vector<Leaf> leaves = {};
  std::vector<Leaf> by_stride = {};
  // (offset, integral coordinate), sorted; empty if there are too many.
  std::vector<std::pair<int64_t, int64_t>> table = {};

  static Expected<StridedOffsets> Create(std::string_view text) {
    LAYOUTCHECK_TRY(ComposedLayout composed, ParseComposedLayout(text));
    LAYOUTCHECK_TRY(const int64_t size, Size(composed.layout));
    StridedOffsets offsets{.text = std::string(text), .layout = std::move(composed), .size = size};
    if (size == 0) return offsets;
    LAYOUTCHECK_TRY(const OffsetRange range, RangeOfOffsets(offsets.layout.layout));
    const CheckedInt64 smallest = CheckedInt64(range.smallest) + offsets.layout.offset;
    const CheckedInt64 largest = CheckedInt64(range.largest) + offsets.layout.offset;
    const CheckedInt64 span = largest - smallest + 1;
    if (largest.overflow || span.overflow) {
      return OverflowError("the offsets of ", text, " do not fit int64");
    }
    if (offsets.layout.swizzle && smallest.value < 0) {
      return ArgumentError(text, " has offsets below 0, where a swizzle has no meaning");
    }
    offsets.smallest = smallest.value;
    int64_t weight = 1;
    const std::vector<IntTuple> extents = Leaves(offsets.layout.layout.shape);
    const std::vector<IntTuple> strides = Leaves(offsets.layout.layout.stride);
    for (size_t k = 0; k < extents.size(); ++k) {
      if (extents[k].value() > 1) offsets.leaves.push_back({extents[k].value(), strides[k].value(), weight});
      weight *= extents[k].value();  // fits: the size does
    }
    offsets.by_stride = offsets.leaves;
    std::ranges::stable_sort(offsets.by_stride, {}, [](const Leaf& leaf) { return std::abs(leaf.stride); });
    for (int64_t i = 0; size <= kMostEnumerated && i < size; ++i) offsets.table.emplace_back(offsets.At(i), i);
    std::ranges::sort(offsets.table);
    return offsets;
  }

  // Returns the offset of an integral coordinate.
  int64_t At(int64_t coordinate) const {
    int64_t offset = layout.offset;
    for (const Leaf& leaf : leaves) offset += coordinate / leaf.weight % leaf.extent * leaf.stride;
    return layout.swizzle ? ApplySwizzle(*layout.swizzle, offset) : offset;
  }

  // Returns the integral coordinate of the smallest offset.
  int64_t SmallestCoordinate() const {
    int64_t coordinate = 0;
    for (const Leaf& leaf : leaves) coordinate += leaf.stride < 0 ? (leaf.extent - 1) * leaf.weight : 0;
    return coordinate;
  }

  // Returns true if each stride is larger than all that smaller ones add up to.
  bool HasDominatingStrides() const {
    int64_t reach = 0;
    for (const Leaf& leaf : by_stride) {
      if (std::abs(leaf.stride) <= reach) return false;
      reach += (leaf.extent - 1) * std::abs(leaf.stride);
    }
    return true;
  }

  // Returns two coordinates with one offset, the larger one first and as small as possible, or nothing. If there are
  // too many coordinates to visit, only those with two or three nonzero integers are tried.
  std::optional<std::pair<int64_t, int64_t>> FindCollision() const {
    std::optional<std::pair<int64_t, int64_t>> found;
    const auto offer = [&](int64_t i, int64_t j) {
      if (!found || std::max(i, j) < found->first) found = {std::max(i, j), std::min(i, j)};
    };
    for (size_t k = 0; k + 1 < table.size(); ++k) {
      const bool second_of_its_offset = k == 0 || table[k - 1].first != table[k].first;
      if (table[k].first == table[k + 1].first && second_of_its_offset) offer(table[k + 1].second, table[k].second);
    }
    if (!table.empty()) return found;
    for (const Leaf& a : leaves) {
      if (a.stride == 0) offer(a.weight, 0);
      for (const Leaf& b : leaves) {
        if (&a >= &b || a.stride == 0 || b.stride == 0) continue;
        // x and y are the least with |x a.stride| = |y b.stride|. With opposite signs, both belong to one coordinate.
        const int64_t common = std::gcd(a.stride, b.stride);
        const int64_t x = std::abs(b.stride) / common;
        const int64_t y = std::abs(a.stride) / common;
        if (x >= a.extent || y >= b.extent) continue;
        if ((a.stride > 0) == (b.stride > 0)) {
          offer(x * a.weight, y * b.weight);
        } else {
          offer(x * a.weight + y * b.weight, 0);
        }
      }
    }
    return found;
  }
};

class StridedProver {
 public:
  explicit StridedProver(const StridedOffsets& offsets) : offsets_(offsets) {}

  ProofResult Prove(std::string_view law) {
    const auto begin = std::chrono::steady_clock::now();
    result_ = {};
    result_.layout = offsets_.text;
    result_.law = law;
    result_.obligations = 1;
    if (offsets_.size == 0) {
      MarkProved("no coordinate");
    } else if (law == kInjectiveLaw.name) {
      ProveInjective();
    } else if (law == kInBoundsLaw.name) {
      ProveInBounds();
    } else if (law == kInverseLaw.name) {
      ProveInverse();
    } else {
      ProveOnto();
    }
    result_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return result_;
  }

 private:
  void ProveInjective() {
    if (offsets_.HasDominatingStrides()) return MarkProved("dominating-strides");  // a swizzle is a bijection
    if (const auto pair = offsets_.FindCollision()) return RefuteByPair(*pair);
    if (!offsets_.table.empty()) return MarkProved("enumeration");
    MarkUnknown("strides that are not each larger than what smaller ones add up to");
  }

  void ProveInBounds() {
    if (offsets_.layout.swizzle) return MarkProved("signs");
    if (offsets_.smallest >= 0) return MarkProved("signs");
    if (offsets_.layout.offset < 0) return RefuteAt(0);
    if (offsets_.layout.offset == 0) {
      // The witness has 1 in the first integer with a negative stride: smaller coordinates have only zeros there.
      const auto first = std::ranges::find_if(offsets_.leaves, [](const Leaf& leaf) { return leaf.stride < 0; });
      return RefuteAt(first->weight);
    }
    if (offsets_.table.empty()) return RefuteAt(offsets_.SmallestCoordinate());
    int64_t least = offsets_.size;
    for (const auto& [value, coordinate] : offsets_.table) {
      if (value < 0) least = std::min(least, coordinate);
    }
    RefuteAt(least);
  }

  // In the order of growing strides, the offsets of the integers so far are all of 0..reach. That stays so if the
  // stride of the next integer is at most reach + 1; otherwise no later one gives reach + 1. Negative strides mirror.
  void ProveOnto() {
    if (offsets_.layout.swizzle) return ProveOntoByTable();
    int64_t reach = 0;
    for (const Leaf& leaf : offsets_.by_stride) {
      if (std::abs(leaf.stride) > reach + 1) return RefuteByHole(offsets_.smallest + reach + 1);
      reach += (leaf.extent - 1) * std::abs(leaf.stride);
    }
    MarkProved("reach");
  }

  void ProveOntoByTable() {
    if (offsets_.table.empty()) return MarkUnknown("a swizzle");
    for (size_t k = 0; k + 1 < offsets_.table.size(); ++k) {
      if (offsets_.table[k + 1].first > offsets_.table[k].first + 1) return RefuteByHole(offsets_.table[k].first + 1);
    }
    MarkProved("enumeration");
  }

  void ProveInverse() {
    if (!offsets_.HasDominatingStrides()) {
      if (const auto pair = offsets_.FindCollision()) return RefuteByPair(*pair);
    }
    if (offsets_.table.empty()) {
      if (offsets_.HasDominatingStrides()) return MarkProved("dominating-strides");
      return MarkUnknown("strides that are not each larger than what smaller ones add up to");
    }
    for (const auto& [value, coordinate] : offsets_.table) {
      const Expected<std::optional<IntTuple>> found = FindCoordinate(offsets_.layout, value);
      if (!found) return MarkUnknown(found.error().message);
      const Expected<int64_t> back =
          *found ? Crd2Integral(**found, offsets_.layout.layout.shape) : Expected<int64_t>(-1);
      if (!back || *back != coordinate) return RefuteByPair({coordinate, back.value_or(-1)});
    }
    MarkProved("enumeration");
  }

  void MarkProved(std::string_view method) {
    result_.verdict = ProofVerdict::kProved;
    result_.method = method;
  }
  void MarkUnknown(std::string_view why) {
    result_.reason = StrCat("more than ", kMostEnumerated, " coordinates, and ", why);
  }
  void MarkRefuted() {
    result_.verdict = ProofVerdict::kRefuted;
    result_.method = "witness";
  }
  void RefuteByPair(std::pair<int64_t, int64_t> pair) {
    MarkRefuted();
    AddCoordinate("i", pair.first);
    AddCoordinate("j", pair.second);
    result_.counterexample.emplace_back("offset", offsets_.At(pair.first));
  }
  void RefuteAt(int64_t coordinate) {
    MarkRefuted();
    AddCoordinate("i", coordinate);
    result_.counterexample.insert(result_.counterexample.end(), {{"expected", 0}, {"actual", offsets_.At(coordinate)}});
  }
  void RefuteByHole(int64_t offset) {
    MarkRefuted();
    result_.counterexample.insert(result_.counterexample.end(), {{"offset", offset}, {"expected", 1}, {"actual", 0}});
  }
  // Adds one integer per top-level mode to the counterexample.
  void AddCoordinate(std::string_view letter, int64_t integral) {
    const std::vector<IntTuple> modes = Modes(offsets_.layout.layout.shape);
    for (size_t d = 0; d < modes.size(); ++d) {
      const int64_t extent = CheckedProduct(modes[d]).value;
      result_.counterexample.emplace_back(StrCat(letter, d), integral % extent);
      integral /= extent;
    }
  }

  const StridedOffsets& offsets_;
  ProofResult result_;
};

}  // namespace

std::span<const StridedLaw> StridedLaws() { return kStridedLaws; }

Expected<std::vector<ProofResult>> ProveStridedLayout(std::string_view text, const std::vector<std::string>& laws) {
  LAYOUTCHECK_TRY(const StridedOffsets offsets, StridedOffsets::Create(text));
  LAYOUTCHECK_TRY(const auto chosen, ChooseLaws("of shape:stride layouts", NamesOf(kStridedLaws), laws));
  StridedProver prover(offsets);
  std::vector<ProofResult> results;
  for (const std::string_view law : chosen) results.push_back(prover.Prove(law));
  return results;
}

Expected<std::vector<std::string_view>> ChooseLaws(std::string_view kind, const std::vector<std::string_view>& laws,
                                                   const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    if (std::ranges::find(laws, name) != laws.end()) continue;
    return ArgumentError("expected the name of a law ", kind, " (", StrJoin(laws, ", "), "), got '", name, "'",
                         DidYouMean(name, laws));
  }
  std::vector<std::string_view> chosen;
  for (const std::string_view law : laws) {
    if (names.empty() || std::ranges::find(names, law) != names.end()) chosen.push_back(law);
  }
  return chosen;
}

}  // namespace layoutcheck
