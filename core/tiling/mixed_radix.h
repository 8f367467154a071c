// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definition (c) of a tiled layout: mixed-radix digits. A box is a list of sizes; its points are lists of digits, each
// below its size. A layout is a chain of maps between boxes, each with its own inverse:
//
//     permute into memory order;
//     for each tile: prepend digits of size 1, merge (`*`), pad, split every tiled digit by its tile size, reorder;
//     linearize.
//
// All maps are bijections except pad, which maps onto the part of its larger box where every digit is below its old
// size. An address holds padding if and only if some pad, on the way back, meets a digit that is not.
//
// Source: XLA's document "Tiled layout". A tile applies to the sizes that the previous tile left, after leading sizes
// of 1 if it is longer. tiled_index_program.h has definition (a), pad_reshape_transpose.h has (b). All are written
// independently; tests and proofs hold them equal.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <variant>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/base/integer.h"
#include "layoutcheck/core/tiling/tiled_layout.h"

namespace layoutcheck {

// Each step below maps a point `in` of one box to the point `out` of the next (Forward) and back (Inverse). `in` and
// `out` do not overlap. Inverse calls in_box(digit, size) for each digit that may have left its box, and returns false
// as soon as a call does.

// Sets out[k] = in[source[k]].
template <class Int>
struct PermuteStep {
  std::vector<size_t> source;

  void Forward(std::span<const Int> in, std::span<Int> out) const {
    for (size_t k = 0; k < source.size(); ++k) out[k] = in[source[k]];
  }
  template <class InBox>
  bool Inverse(std::span<const Int> out, std::span<Int> in, InBox&&) const {
    for (size_t k = 0; k < source.size(); ++k) in[source[k]] = out[k];
    return true;
  }
};

// Prepends `count` digits of size 1, which are 0. Requires count >= 1.
template <class Int>
struct PrependStep {
  size_t count = 0;

  void Forward(std::span<const Int> in, std::span<Int> out) const {
    std::fill_n(out.begin(), count, Int(0));
    std::copy(in.begin(), in.end(), out.begin() + static_cast<ptrdiff_t>(count));
  }
  template <class InBox>
  bool Inverse(std::span<const Int> out, std::span<Int> in, InBox&& in_box) const {
    for (size_t k = 0; k < count; ++k) {
      if (!in_box(out[k], Int(1))) return false;
    }
    std::copy(out.begin() + static_cast<ptrdiff_t>(count), out.end(), in.begin());
    return true;
  }
};

// Merges the digits at `position` and position + 1 into major * minor_size + minor.
template <class Int>
struct MergeStep {
  size_t position = 0;
  Int minor_size{};

  void Forward(std::span<const Int> in, std::span<Int> out) const {
    std::copy_n(in.begin(), position, out.begin());
    out[position] = in[position] * minor_size + in[position + 1];
    std::copy(in.begin() + static_cast<ptrdiff_t>(position) + 2, in.end(),
              out.begin() + static_cast<ptrdiff_t>(position) + 1);
  }
  template <class InBox>
  bool Inverse(std::span<const Int> out, std::span<Int> in, InBox&&) const {
    std::copy_n(out.begin(), position, in.begin());
    in[position] = FloorDiv(out[position], minor_size);
    in[position + 1] = Mod(out[position], minor_size);
    std::copy(out.begin() + static_cast<ptrdiff_t>(position) + 1, out.end(),
              in.begin() + static_cast<ptrdiff_t>(position) + 2);
    return true;
  }
};

// Keeps the digits and makes the box larger: the digits from `first` on had the sizes `sizes` before.
template <class Int>
struct PadStep {
  size_t first = 0;
  std::vector<Int> sizes;
  std::vector<Int> padded_sizes;

  void Forward(std::span<const Int> in, std::span<Int> out) const { std::copy(in.begin(), in.end(), out.begin()); }
  template <class InBox>
  bool Inverse(std::span<const Int> out, std::span<Int> in, InBox&& in_box) const {
    for (size_t k = 0; k < sizes.size(); ++k) {
      if (!in_box(out[first + k], sizes[k])) return false;
    }
    std::copy(out.begin(), out.end(), in.begin());
    return true;
  }
};

// Splits every digit x from `first` on into x floordiv t and x mod t, where t is its entry of `tile`.
template <class Int>
struct SplitStep {
  size_t first = 0;
  std::vector<Int> tile;

  void Forward(std::span<const Int> in, std::span<Int> out) const {
    std::copy_n(in.begin(), first, out.begin());
    for (size_t k = 0; k < tile.size(); ++k) {
      out[first + 2 * k] = FloorDiv(in[first + k], tile[k]);
      out[first + 2 * k + 1] = Mod(in[first + k], tile[k]);
    }
  }
  template <class InBox>
  bool Inverse(std::span<const Int> out, std::span<Int> in, InBox&&) const {
    std::copy_n(out.begin(), first, in.begin());
    for (size_t k = 0; k < tile.size(); ++k) {
      in[first + k] = out[first + 2 * k] * tile[k] + out[first + 2 * k + 1];
    }
    return true;
  }
};

// Maps a point to its row-major number: out = (in[0] * sizes[1] + in[1]) * sizes[2] + ...
template <class Int>
struct LinearizeStep {
  std::vector<Int> sizes;

  void Forward(std::span<const Int> in, std::span<Int> out) const {
    Int linear = Int(0);
    for (size_t k = 0; k < sizes.size(); ++k) linear = k == 0 ? in[0] : linear * sizes[k] + in[k];
    out[0] = linear;
  }
  template <class InBox>
  bool Inverse(std::span<const Int> out, std::span<Int> in, InBox&&) const {
    Int linear = out[0];
    for (size_t k = sizes.size(); k-- > 1;) {
      in[k] = Mod(linear, sizes[k]);
      linear = FloorDiv(linear, sizes[k]);
    }
    if (!sizes.empty()) in[0] = linear;
    return true;
  }
};

template <class Int>
using MixedRadixStep =
    std::variant<PermuteStep<Int>, PrependStep<Int>, MergeStep<Int>, PadStep<Int>, SplitStep<Int>, LinearizeStep<Int>>;

// The chain of steps of one layout, from the box of its logical dimensions to the addresses (linear indices).
template <class Int>
class MixedRadix {
 public:
  // Requires a valid layout: minor_to_major is a permutation, tile sizes are >= 1, and no tile ends with `*`. Sizes may
  // overflow here; MakeMixedRadix rejects them.
  explicit MixedRadix(const BasicTiledLayout<Int>& layout) : boxes_{layout.dimensions} {
    std::vector<size_t> memory_order;
    for (int64_t p = 0; p < layout.rank(); ++p) memory_order.push_back(static_cast<size_t>(layout.Major(p)));
    Permute(std::move(memory_order));
    for (const auto& tile : layout.tiles) AppendTile(tile);
    Append(LinearizeStep<Int>{box()}, {Product(box())});
  }

  std::span<const MixedRadixStep<Int>> steps() const { return steps_; }
  // boxes()[i] is the box that steps()[i] starts from. The last box has one size, the number of addresses.
  std::span<const std::vector<Int>> boxes() const { return boxes_; }
  // Returns the sizes of the digits that make up the address, major to minor.
  std::span<const Int> expanded_sizes() const { return boxes_[boxes_.size() - 2]; }
  // Returns the number of addresses: the product of the expanded sizes.
  const Int& padded_elements() const { return boxes_.back().front(); }

  // Returns the address of `index`, a point of the logical box.
  Int Index(std::span<const Int> index) const {
    return WithBuffers([&](std::span<Int> now, std::span<Int> next) {
      std::copy(index.begin(), index.end(), now.begin());
      for (size_t i = 0; i < steps_.size(); ++i) {
        std::visit([&](const auto& step) { step.Forward(Points(now, i), Points(next, i + 1)); }, steps_[i]);
        std::swap(now, next);
      }
      return now[0];
    });
  }

  // Writes the index at `address` to `index` (size: the rank) and returns true, or returns false as soon as
  // in_box(digit, size) does. Requires 0 <= address < padded_elements(). For a symbolic integer, in_box records the
  // conditions digit < size under which the address holds an element, and returns true.
  template <class InBox>
  bool Coordinate(const Int& address, std::span<Int> index, InBox&& in_box) const {
    return WithBuffers([&](std::span<Int> now, std::span<Int> next) {
      now[0] = address;
      for (size_t i = steps_.size(); i-- > 0;) {
        const bool inside = std::visit(
            [&](const auto& step) { return step.Inverse(Points(now, i + 1), Points(next, i), in_box); }, steps_[i]);
        if (!inside) return false;
        std::swap(now, next);
      }
      std::copy_n(now.begin(), index.size(), index.begin());
      return true;
    });
  }

  // Writes the index at `address` to `index` (size: the rank) and returns true, or returns false if `address` holds
  // padding or is not an address of the layout.
  bool Coordinate(int64_t address, std::span<int64_t> index) const
    requires(std::same_as<Int, int64_t>)
  {
    if (address < 0 || address >= padded_elements()) return false;
    return Coordinate(address, index, [](int64_t digit, int64_t size) { return digit < size; });
  }

 private:
  const std::vector<Int>& box() const { return boxes_.back(); }

  template <class Step>
  void Append(Step step, std::vector<Int> next_box) {
    width_ = std::max({width_, next_box.size(), box().size()});
    steps_.emplace_back(std::move(step));
    boxes_.push_back(std::move(next_box));
  }

  void Permute(std::vector<size_t> source) {
    std::vector<Int> next;
    for (const size_t k : source) next.push_back(box()[k]);
    Append(PermuteStep<Int>{std::move(source)}, std::move(next));
  }

  void AppendTile(const std::vector<TileDimension<Int>>& tile) {
    if (tile.size() > box().size()) {
      const size_t count = tile.size() - box().size();
      std::vector<Int> next(count, Int(1));
      next.insert(next.end(), box().begin(), box().end());
      Append(PrependStep<Int>{count}, std::move(next));
    }
    const size_t first = box().size() - tile.size();
    std::vector<Int> tile_sizes;
    for (const auto& entry : tile) {
      // Merging keeps the position: each earlier dimension of the tile has one digit and one entry in tile_sizes.
      const size_t position = first + tile_sizes.size();
      if (!entry.combine) {
        tile_sizes.push_back(entry.size);
        continue;
      }
      std::vector<Int> next = box();
      const Int minor_size = next[position + 1];
      next[position] = next[position] * minor_size;
      next.erase(next.begin() + static_cast<ptrdiff_t>(position) + 1);
      Append(MergeStep<Int>{position, minor_size}, std::move(next));
    }
    Pad(first, tile_sizes);
    Split(first, tile_sizes);
    // Split leaves pairs (count, tile). In memory all counts come first, then all tile digits.
    std::vector<size_t> order;
    for (size_t k = 0; k < first; ++k) order.push_back(k);
    for (size_t k = 0; k < tile_sizes.size(); ++k) order.push_back(first + 2 * k);
    for (size_t k = 0; k < tile_sizes.size(); ++k) order.push_back(first + 2 * k + 1);
    Permute(std::move(order));
  }

  void Pad(size_t first, const std::vector<Int>& tile) {
    std::vector<Int> next = box();
    PadStep<Int> step{first, {next.begin() + static_cast<ptrdiff_t>(first), next.end()}, {}};
    for (size_t k = 0; k < tile.size(); ++k) {
      next[first + k] = CeilDiv(next[first + k], tile[k]) * tile[k];
      step.padded_sizes.push_back(next[first + k]);
    }
    Append(std::move(step), std::move(next));
  }

  void Split(size_t first, const std::vector<Int>& tile) {
    std::vector<Int> next(box().begin(), box().begin() + static_cast<ptrdiff_t>(first));
    const std::vector<Int>& unpadded = boxes_[boxes_.size() - 2];
    for (size_t k = 0; k < tile.size(); ++k) {
      next.push_back(CeilDiv(unpadded[first + k], tile[k]));
      next.push_back(tile[k]);
    }
    Append(SplitStep<Int>{first, tile}, std::move(next));
  }

  static Int Product(const std::vector<Int>& sizes) {
    if constexpr (std::same_as<Int, int64_t>) {
      // An array with a dimension of size 0 is empty, even if the product of the other sizes overflows.
      if (std::ranges::find(sizes, 0) != sizes.end()) return 0;
    }
    Int product = Int(1);
    for (size_t k = 0; k < sizes.size(); ++k) product = k == 0 ? sizes[0] : product * sizes[k];
    return product;
  }

  std::span<Int> Points(std::span<Int> buffer, size_t box_number) const {
    return buffer.first(boxes_[box_number].size());
  }

  // Calls f with two buffers, each large enough for a point of any box. Allocates only for large ranks.
  template <class F>
  auto WithBuffers(F&& f) const {
    constexpr size_t kInline = 32;
    if (width_ <= kInline) {
      std::array<Int, 2 * kInline> buffer;
      return f(std::span<Int>(buffer).first(width_), std::span<Int>(buffer).last(width_));
    }
    std::vector<Int> buffer(2 * width_);
    return f(std::span<Int>(buffer).first(width_), std::span<Int>(buffer).last(width_));
  }

  std::vector<MixedRadixStep<Int>> steps_;
  std::vector<std::vector<Int>> boxes_;
  size_t width_ = 1;
};

// Returns the chain of a concrete layout. Errors: a negative dimension, a minor_to_major that is no permutation, an
// empty tile, a tile size below 1, or a tile that ends with `*` (invalid layout); a size that does not fit int64
// (overflow). No address of an array without elements holds an element; such an array has 0 padded elements.
Expected<MixedRadix<int64_t>> MakeMixedRadix(const TiledLayout& layout);

}  // namespace layoutcheck
