// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/sharding/view_sharding.h"
#include <algorithm>
#include <optional>
#include <utility>
#include <variant>
#include <vector>
#include "layoutcheck/core/base/integer.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/sharding/sharding_conversion.h"
#include "layoutcheck/core/xla_util/permutation.h"

namespace layoutcheck {
namespace {

using Integers = std::vector<int64_t>;

// A cut by the row-major number of an element: the element is in part floor((number mod block) / chunk).
struct NumberCut {
  int64_t block = 1;
  int64_t chunk = 1;
  int64_t parts = 1;  // >= ceil(block / chunk)
};

// The digits of an index of one dimension that no cut has taken. A digit is floor(number / low) mod (high / low), where
// `number` is the row-major number of the element.
class DimensionDigits {
 public:
  // `inner` is the product of the sizes of the dimensions behind this one.
  DimensionDigits(int64_t size, int64_t inner) : size_(size), inner_(inner), digits_({{inner, inner * size}}) {}

  int64_t size() const { return size_; }
  int64_t low() const { return inner_; }
  int64_t high() const { return inner_ * size_; }
  // Returns true if every part has at most one index.
  bool IsUsedUp() const { return !is_uneven_ && Count(digits_.begin(), digits_.end()) == 1; }

  // Takes the digits of a cut, and returns them, major to minor. Returns nothing if the cut has blocks or parts that no
  // digits describe.
  std::optional<std::vector<NumberCut>> Take(int64_t parts, int64_t blocks) {
    const int64_t count = Count(digits_.begin(), digits_.end());
    const int64_t block = CeilDiv(count, blocks);
    if (count % block != 0) return std::nullopt;
    if (is_uneven_ && (count % blocks != 0 || block % parts != 0)) return std::nullopt;
    if (block == 1) return std::vector<NumberCut>{{1, 1, parts}};
    const int64_t chunk = CeilDiv(block, parts);
    std::vector<NumberCut> taken;
    int64_t rest = parts;  // parts / those that the digits taken so far count
    // The product of the digits behind digit k is `below`. The cut takes what is between `chunk` and `block`.
    int64_t below = 1;
    for (size_t k = digits_.size(); k-- > 0;) {
      const auto [low, high] = digits_[k];
      const int64_t above = below * (high / low);
      const int64_t from = std::max(chunk, below);
      const int64_t to = std::min(block, above);
      if (from < to) {
        if (from % below != 0 || to % below != 0 || above % to != 0) return std::nullopt;
        const NumberCut cut{to / below * low, from / below * low, rest};
        taken.insert(taken.begin(), cut);
        if (to < block) {  // more major digits count the rest
          if (to % from != 0 || rest % (to / from) != 0) return std::nullopt;
          taken[0].parts = to / from;
          rest /= to / from;
        }
      }
      below = above;
    }
    for (const NumberCut& cut : taken) Remove(cut);
    return taken;
  }

  // Takes the digit of the cut, and returns the cut of this dimension that has its parts, or nothing if there is none.
  // Requires low() <= cut.chunk and cut.block <= high().
  std::optional<DimensionCut<int64_t>> Place(const NumberCut& cut) {
    const auto digit =
        std::ranges::find_if(digits_, [&](const Digit& d) { return d.low <= cut.chunk && cut.block <= d.high; });
    if (digit == digits_.end()) return std::nullopt;
    if (cut.chunk % digit->low != 0 || cut.block % digit->low != 0 || digit->high % cut.block != 0) return std::nullopt;
    const int64_t blocks = Count(digits_.begin(), digit) * (digit->high / cut.block);
    const int64_t behind = Count(digit + 1, digits_.end());
    const int64_t chunk = cut.chunk / digit->low * behind;
    if (CeilDiv(cut.block / digit->low * behind, cut.parts) != chunk) return std::nullopt;
    if (is_uneven_ && cut.chunk * cut.parts != cut.block) return std::nullopt;
    Remove(cut);
    return DimensionCut<int64_t>{0, cut.parts, blocks};
  }

 private:
  struct Digit {
    int64_t low;
    int64_t high;
  };
  using Iterator = std::vector<Digit>::const_iterator;

  static int64_t Count(Iterator begin, Iterator end) {
    int64_t count = 1;
    for (; begin != end; ++begin) count *= begin->high / begin->low;
    return count;
  }

  // Removes the digit of a cut, and the more minor ones if parts differ in size and so have different digits.
  void Remove(const NumberCut& cut) {
    const auto found =
        std::ranges::find_if(digits_, [&](const Digit& d) { return d.low <= cut.chunk && cut.block <= d.high; });
    const Digit digit = *found;
    auto at = digits_.erase(found);
    if (cut.block % cut.chunk != 0) {
      is_uneven_ = true;
      at = digits_.erase(at, digits_.end());
    } else if (digit.low < cut.chunk) {
      at = digits_.insert(at, {digit.low, cut.chunk});
    }
    if (cut.block < digit.high) digits_.insert(at, {cut.block, digit.high});
  }

  int64_t size_;
  int64_t inner_;
  std::vector<Digit> digits_;  // major to minor
  bool is_uneven_ = false;     // the digits count parts whose sizes differ
};

// Returns the dimensions of an array with these sizes, or nothing if it has more than 2^62 elements. Requires sizes
// >= 1.
std::optional<std::vector<DimensionDigits>> DigitsOf(std::span<const int64_t> sizes) {
  std::vector<DimensionDigits> dimensions;
  CheckedInt64 inner = 1;
  for (size_t d = sizes.size(); d-- > 0;) {
    dimensions.insert(dimensions.begin(), {sizes[d], inner.value});
    inner = inner * CheckedInt64(sizes[d]);
    if (inner.overflow || inner.value > Sharding::kMaxSize) return std::nullopt;
  }
  return dimensions;
}

// A cut of a view, and the number of the cut of the array whose parts it has.
struct ViewCut {
  DimensionCut<int64_t> cut;
  size_t source;
};

class ViewFinder {
 public:
  ViewFinder(const Sharding& sharding, std::vector<DimensionDigits> array, std::vector<DimensionDigits> view)
      : sharding_(sharding), array_(std::move(array)), view_(std::move(view)) {}

  Expected<std::vector<ViewCut>> Find() {
    for (; source_ < sharding_.cuts().cuts.size(); ++source_) {
      const DimensionCut<int64_t>& cut = sharding_.cuts().cuts[source_];
      if (cut.parts == 1 || AddSame(cut)) continue;
      const auto taken = array_[static_cast<size_t>(cut.dimension)].Take(cut.parts, cut.blocks);
      if (!taken) {
        return UnsupportedError("dimension ", cut.dimension, " is cut into ", cut.parts,
                                " parts in a way that only a dimension of the same size can be");
      }
      if (!std::ranges::all_of(*taken, [&](const NumberCut& number_cut) { return Add(number_cut); })) {
        return UnsupportedError("dimension ", cut.dimension, " is cut into ", cut.parts, " parts of ",
                                taken->back().chunk, " consecutive elements",
                                taken->back().block % taken->back().chunk == 0 ? "" : ", the last one shorter",
                                ", and no dimension of the view can be");
      }
    }
    return std::move(cuts_);
  }

 private:
  // Copies a cut to the dimension of the view that has the same indices. Returns false if there is none.
  bool AddSame(const DimensionCut<int64_t>& cut) {
    const DimensionDigits& from = array_[static_cast<size_t>(cut.dimension)];
    if (from.size() == 1) return false;
    for (size_t d = 0; d < view_.size(); ++d) {
      if (view_[d].low() != from.low() || view_[d].high() != from.high()) continue;
      cuts_.push_back({{static_cast<int64_t>(d), cut.parts, cut.blocks}, source_});
      return true;
    }
    return false;
  }

  // Adds the cuts of the view that have the parts of this one, major to minor. Returns false if there are none.
  bool Add(const NumberCut& cut) {
    if (cut.block == cut.chunk) return AddFirstPart(cut.parts);
    const auto at = std::ranges::find_if(
        view_, [&](const DimensionDigits& digits) { return digits.low() <= cut.chunk && cut.chunk < digits.high(); });
    if (at == view_.end()) return false;
    const int64_t high = at->high();
    if (cut.block > high) {
      if (high % cut.chunk != 0 || cut.parts % (high / cut.chunk) != 0) return false;
      const int64_t minor = high / cut.chunk;
      return Add({cut.block, high, cut.parts / minor}) && Add({high, cut.chunk, minor});
    }
    const auto placed = at->Place(cut);
    if (!placed || (placed->blocks != 1 && sharding_.sizes() == ShardSizes::kPadded)) return false;
    cuts_.push_back({{at - view_.begin(), placed->parts, placed->blocks}, source_});
    return true;
  }

  // Adds a cut that has all elements in its first part.
  bool AddFirstPart(int64_t parts) {
    for (size_t d = 0; d < view_.size(); ++d) {
      const bool is_one = view_[d].size() == 1 || view_[d].IsUsedUp();
      if (!is_one && sharding_.sizes() == ShardSizes::kPadded) continue;
      cuts_.push_back({{static_cast<int64_t>(d), parts, is_one ? 1 : view_[d].size()}, source_});
      return true;
    }
    return false;
  }

  const Sharding& sharding_;
  std::vector<DimensionDigits> array_;
  std::vector<DimensionDigits> view_;
  std::vector<ViewCut> cuts_;
  size_t source_ = 0;  // number of the cut that is read
};

// Returns the cuts of a free view. Errors: those of ShardingOfView.
Expected<std::vector<ViewCut>> FindViewCuts(const Sharding& sharding, std::span<const int64_t> sizes) {
  const std::vector<DimensionCut<int64_t>>& cuts_before = sharding.cuts().cuts;
  if (std::ranges::any_of(cuts_before, [](const DimensionCut<int64_t>& cut) { return cut.length.has_value(); })) {
    return UnsupportedError("a view of shards of a given shape");
  }
  const Integers& before = sharding.cuts().dimensions;
  const CheckedInt64 elements = ProductOfSizes(before);
  const CheckedInt64 viewed = ProductOfSizes(sizes);
  if (elements.overflow || viewed.overflow) return UnsupportedError("a view of more than 2^62 elements");
  if (elements.value != viewed.value) {
    return ArgumentError("expected a view of ", elements.value, " elements, found ", viewed.value);
  }
  if (elements.value == 0) {
    // No device holds an element, and any cut of the view will do.
    std::vector<ViewCut> cuts;
    for (const DimensionCut<int64_t>& cut : cuts_before) cuts.push_back({{0, cut.parts, 1}, cuts.size()});
    return cuts;
  }
  auto array = DigitsOf(before);
  auto view = DigitsOf(sizes);
  if (!array || !view) return UnsupportedError("a view of more than 2^62 elements");
  return ViewFinder(sharding, *std::move(array), *std::move(view)).Find();
}

// Returns the placements of a view of DTensor.
Expected<std::string> PlacementsOf(const ShardingText& text, const MeshSharding& mesh,
                                   const std::vector<ViewCut>& cuts) {
  std::vector<std::string> placements(mesh.axes.size(), "R");
  for (const auto& [cut, source] : cuts) {
    std::string& placement = placements[mesh.cuts[source].axes[0].axis];
    if (placement != "R") return UnsupportedError("an axis of the mesh would cut two dimensions of the view");
    placement = cut.blocks == 1 ? StrCat("S(", cut.dimension, ")")
                                : StrCat("_StridedShard(", cut.dimension, ",sf=", cut.blocks, ")");
  }
  return StrCat(text.text.substr(0, text.text.find(']') + 1), " ", StrJoin(placements, ","));
}

}  // namespace

Expected<Sharding> ShardingOfView(const Sharding& sharding, std::span<const int64_t> sizes) {
  LAYOUTCHECK_TRY(const std::vector<ViewCut> found, FindViewCuts(sharding, sizes));
  ShardCuts<int64_t> cuts{{sizes.begin(), sizes.end()}, {}};
  for (const ViewCut& cut : found) cuts.cuts.push_back(cut.cut);
  return Sharding::Create(std::move(cuts), sharding.replicas(), sharding.devices_by_part(), sharding.sizes());
}

Expected<std::string> TextOfView(const ShardingText& text, const Sharding& sharding, std::span<const int64_t> sizes) {
  const auto* mesh = std::get_if<MeshSharding>(&text.form);
  LAYOUTCHECK_TRY(const Sharding view, ShardingOfView(sharding, sizes));
  if (mesh != nullptr && mesh->sizes == ShardSizes::kExact) {
    LAYOUTCHECK_TRY(const std::vector<ViewCut> cuts, FindViewCuts(sharding, sizes));
    return PlacementsOf(text, *mesh, cuts);
  }
  return ConvertSharding({"", 0, MeshSharding()}, view, ShardingNotation::kHlo);
}

Expected<Sharding> ShardingOfTranspose(const Sharding& sharding, std::span<const int64_t> permutation) {
  ShardCuts<int64_t> cuts = sharding.cuts();
  LAYOUTCHECK_TRY(cuts.dimensions, Permute(sharding.cuts().dimensions, permutation));
  for (DimensionCut<int64_t>& cut : cuts.cuts) {
    cut.dimension = std::ranges::find(permutation, cut.dimension) - permutation.begin();
  }
  return Sharding::Create(std::move(cuts), sharding.replicas(), sharding.devices_by_part(), sharding.sizes());
}

}  // namespace layoutcheck
