// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/solver/layout_proof/strided_laws.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <numeric>
#include <optional>
#include <ranges>
#include <string>
#include <utility>

#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/shape_stride/composed_layout.h"
#include "layoutcheck/core/shape_stride/coordinate.h"
#include "layoutcheck/core/shape_stride/swizzle.h"
#include "layoutcheck/core/shape_stride/text.h"

namespace layoutcheck {
namespace {

constexpr std::array<StridedLaw, 4> kLaws = {{
    kInjectiveLaw,
    kInBoundsLaw,
    {"onto", "Every offset from the smallest to the largest is that of an element."},
    kInverseLaw,
}};
constexpr int64_t kMostEnumerated = int64_t{1} << 20;

using Place = std::pair<std::string, int64_t>;

// An integer of the shape that is larger than 1. Its coordinate 1, with all others 0, is the integral coordinate
// `weight`.
struct Leaf {
  int64_t extent;
  int64_t stride;
  int64_t weight;
};

class StridedProver {
 public:
  static Expected<StridedProver> Create(std::string_view text) {
    Expected<ComposedLayout> composed = ParseComposedLayout(text);
    if (!composed) return std::unexpected(composed.error());
    const Expected<int64_t> size = Size(composed->layout);
    if (!size) return std::unexpected(size.error());
    StridedProver prover(std::string(text), *std::move(composed), *size);
    if (*size == 0) return prover;
    const Expected<OffsetRange> range = RangeOfOffsets(prover.composed_.layout);
    if (!range) return std::unexpected(range.error());
    const CheckedInt64 smallest = CheckedInt64(range->smallest) + prover.composed_.offset;
    const CheckedInt64 largest = CheckedInt64(range->largest) + prover.composed_.offset;
    const CheckedInt64 span = largest - smallest + 1;
    if (largest.overflow || span.overflow) {
      return MakeError(ErrorKind::kOverflow, StrCat("the offsets of ", text, " do not fit int64"));
    }
    if (prover.composed_.swizzle && smallest.value < 0) {
      return MakeError(ErrorKind::kInvalidArgument,
                       StrCat(text, " has offsets below 0, where a swizzle has no meaning"));
    }
    prover.smallest_ = smallest.value;
    int64_t weight = 1;
    const std::vector<IntTuple> extents = Leaves(prover.composed_.layout.shape);
    const std::vector<IntTuple> strides = Leaves(prover.composed_.layout.stride);
    for (size_t k = 0; k < extents.size(); ++k) {
      if (extents[k].value() > 1) prover.leaves_.push_back({extents[k].value(), strides[k].value(), weight});
      weight *= extents[k].value();  // fits: the size does
    }
    prover.by_stride_ = prover.leaves_;
    std::ranges::stable_sort(prover.by_stride_, std::ranges::less{},
                             [](const Leaf& leaf) { return std::abs(leaf.stride); });
    prover.Tabulate();
    return prover;
  }

  ProofResult Prove(std::string_view law) {
    const auto begin = std::chrono::steady_clock::now();
    result_ = {};
    result_.layout = text_;
    result_.law = law;
    result_.obligations = 1;
    if (size_ == 0) {
      Proved("no coordinate");
    } else if (law == "injective") {
      Injective();
    } else if (law == "in-bounds") {
      InBounds();
    } else if (law == "onto") {
      Onto();
    } else {
      Inverse();
    }
    result_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return result_;
  }

 private:
  StridedProver(std::string text, ComposedLayout composed, int64_t size)
      : text_(std::move(text)), composed_(std::move(composed)), size_(size) {}

  void Tabulate() {
    if (size_ > kMostEnumerated) return;
    table_.reserve(static_cast<size_t>(size_));
    for (int64_t i = 0; i < size_; ++i) table_.emplace_back(ValueAt(i), i);
    std::ranges::sort(table_);
  }

  int64_t ValueAt(int64_t coordinate) const {
    int64_t offset = composed_.offset;
    for (const Leaf& leaf : leaves_) offset += coordinate / leaf.weight % leaf.extent * leaf.stride;
    return composed_.swizzle ? ApplySwizzle(*composed_.swizzle, offset) : offset;
  }

  // Returns true if each stride is larger than all that smaller ones add up to.
  bool Dominating() const {
    int64_t reach = 0;
    for (const Leaf& leaf : by_stride_) {
      if (std::abs(leaf.stride) <= reach) return false;
      reach += (leaf.extent - 1) * std::abs(leaf.stride);
    }
    return true;
  }

  // Returns two coordinates with one offset, the larger one first and as small as possible, or nothing. If there are
  // too many coordinates to visit, only those with two or three nonzero integers are tried.
  std::optional<std::pair<int64_t, int64_t>> Collision() const {
    std::optional<std::pair<int64_t, int64_t>> found;
    const auto offer = [&](int64_t i, int64_t j) {
      if (!found || std::max(i, j) < found->first) found = {std::max(i, j), std::min(i, j)};
    };
    for (size_t k = 0; k + 1 < table_.size(); ++k) {
      const bool second_of_its_offset = k == 0 || table_[k - 1].first != table_[k].first;
      if (table_[k].first == table_[k + 1].first && second_of_its_offset) offer(table_[k + 1].second, table_[k].second);
    }
    if (!table_.empty()) return found;
    for (const Leaf& a : leaves_) {
      if (a.stride == 0) offer(a.weight, 0);
      for (const Leaf& b : leaves_) {
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

  void Injective() {
    if (Dominating()) return Proved("dominating-strides");  // a swizzle is a bijection
    if (const auto pair = Collision()) return RefutedBy(*pair);
    if (!table_.empty()) return Proved("enumeration");
    Unknown("strides that are not each larger than what smaller ones add up to");
  }

  void InBounds() {
    if (composed_.swizzle) return Proved("signs");
    if (smallest_ >= 0) return Proved("signs");
    if (composed_.offset < 0) return RefutedAt(0);
    if (composed_.offset == 0) {
      // The witness has 1 in the first integer with a negative stride: smaller coordinates have only zeros there.
      const auto first = std::ranges::find_if(leaves_, [](const Leaf& leaf) { return leaf.stride < 0; });
      return RefutedAt(first->weight);
    }
    if (table_.empty()) return RefutedAt(SmallestValue());
    int64_t least = size_;
    for (const auto& [value, coordinate] : table_) {
      if (value < 0) least = std::min(least, coordinate);
    }
    RefutedAt(least);
  }

  int64_t SmallestValue() const {
    int64_t coordinate = 0;
    for (const Leaf& leaf : leaves_) coordinate += leaf.stride < 0 ? (leaf.extent - 1) * leaf.weight : 0;
    return coordinate;
  }

  // In the order of growing strides, the offsets of the integers so far are all of 0..reach. That stays so if the
  // stride of the next integer is at most reach + 1; otherwise no later one gives reach + 1. A negative stride mirrors
  // the set.
  void Onto() {
    if (composed_.swizzle) return OntoByTable();
    int64_t reach = 0;
    for (const Leaf& leaf : by_stride_) {
      if (std::abs(leaf.stride) > reach + 1) return RefutedWithout(smallest_ + reach + 1);
      reach += (leaf.extent - 1) * std::abs(leaf.stride);
    }
    Proved("reach");
  }

  void OntoByTable() {
    if (table_.empty()) return Unknown("a swizzle");
    for (size_t k = 0; k + 1 < table_.size(); ++k) {
      if (table_[k + 1].first > table_[k].first + 1) return RefutedWithout(table_[k].first + 1);
    }
    Proved("enumeration");
  }

  void Inverse() {
    if (!Dominating()) {
      if (const auto pair = Collision()) return RefutedBy(*pair);
    }
    if (table_.empty()) {
      if (Dominating()) return Proved("dominating-strides");
      return Unknown("strides that are not each larger than what smaller ones add up to");
    }
    for (const auto& [value, coordinate] : table_) {
      const Expected<std::optional<IntTuple>> found = FindCoordinate(composed_, value);
      if (!found) return Unknown(found.error().message);
      const Expected<int64_t> back = *found ? Crd2Integral(**found, composed_.layout.shape) : Expected<int64_t>(-1);
      if (!back || *back != coordinate) return RefutedBy({coordinate, back.value_or(-1)});
    }
    Proved("enumeration");
  }

  void Proved(std::string_view method) {
    result_.verdict = ProofVerdict::kProved;
    result_.method = method;
  }
  void Unknown(std::string_view why) {
    result_.reason = StrCat("more than ", kMostEnumerated, " coordinates, and ", why);
  }
  void Refuted() {
    result_.verdict = ProofVerdict::kRefuted;
    result_.method = "witness";
  }
  void RefutedBy(std::pair<int64_t, int64_t> pair) {
    Refuted();
    AddCoordinate("i", pair.first);
    AddCoordinate("j", pair.second);
    result_.counterexample.emplace_back("offset", ValueAt(pair.first));
  }
  void RefutedAt(int64_t coordinate) {
    Refuted();
    AddCoordinate("i", coordinate);
    result_.counterexample.insert(result_.counterexample.end(), {{"expected", 0}, {"actual", ValueAt(coordinate)}});
  }
  void RefutedWithout(int64_t offset) {
    Refuted();
    result_.counterexample.insert(result_.counterexample.end(), {{"offset", offset}, {"expected", 1}, {"actual", 0}});
  }
  // Adds one integer per top-level mode to the counterexample.
  void AddCoordinate(std::string_view letter, int64_t integral) {
    const std::vector<IntTuple> modes = Modes(composed_.layout.shape);
    for (size_t d = 0; d < modes.size(); ++d) {
      const int64_t extent = CheckedProduct(modes[d]).value;
      result_.counterexample.emplace_back(StrCat(letter, d), integral % extent);
      integral /= extent;
    }
  }

  std::string text_;
  ComposedLayout composed_;
  int64_t size_;
  int64_t smallest_ = 0;
  std::vector<Leaf> leaves_;
  std::vector<Leaf> by_stride_;
  std::vector<std::pair<int64_t, int64_t>>
      table_;  // (offset, integral coordinate), sorted; empty if there are too many
  ProofResult result_;
};

}  // namespace

std::span<const StridedLaw> StridedLaws() { return kLaws; }

Expected<std::vector<ProofResult>> ProveStridedLayout(std::string_view text, const std::vector<std::string>& laws) {
  Expected<StridedProver> prover = StridedProver::Create(text);
  if (!prover) return std::unexpected(prover.error());
  for (const std::string& name : laws) {
    if (std::ranges::find(kLaws, name, &StridedLaw::name) != kLaws.end()) continue;
    return MakeError(ErrorKind::kInvalidArgument,
                     StrCat("expected the name of a law of shape:stride layouts (",
                            StrJoin(kLaws | std::views::transform(&StridedLaw::name), ", "), "), got '", name, "'"));
  }
  std::vector<ProofResult> results;
  for (const StridedLaw& law : kLaws) {
    if (laws.empty() || std::ranges::find(laws, law.name) != laws.end()) results.push_back(prover->Prove(law.name));
  }
  return results;
}

}  // namespace layoutcheck
