// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definition (b) of a tiled layout: operations on an array. The array is transposed to physical order; each tile then
// pads it, reshapes each tiled dimension d to (d/t, t), and transposes every t to the end. This definition shares no
// code with the closed formula (tiled_index_program.h) or the mixed-radix digits (mixed_radix.h).
//
// Each tile, in order, applies to the sizes that the previous one left (major to minor; at first the physical order):
//
//     1. A tile with more entries than there are dimensions puts dimensions of size 1 in front.
//     2. Tile entries belong to the most minor dimensions. From left to right, each `*` merges two by a reshape.
//     3. Each tiled dimension is padded at its end to a multiple of its tile size t, then reshaped from d to (d/t, t).
//     4. The array is transposed so that all the d/t, in their order, come before all the t, in theirs.
//
// Memory is the resulting array, row major.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/base/integer.h"
#include "layoutcheck/core/tiling/tiled_layout.h"

namespace layoutcheck {

// A copy between two arrays: for each index of the box `sizes`, the source cell at the sum of index * source_strides
// becomes the destination cell at the sum of index * destination_strides. Strides are in elements.
struct ArrayStep {
  std::vector<int64_t> sizes;
  std::vector<int64_t> source_strides;
  std::vector<int64_t> destination_strides;
  int64_t source_elements = 0;
  int64_t destination_elements = 0;
};

// The steps from the logical array to memory: the permutation to physical order, then a padding and a transposition per
// tile. Reshapes move nothing, so they show only in the sizes.
struct PadReshapeTransposeSteps {
  std::vector<ArrayStep> steps;
  // the expanded sizes of memory, major to minor
  std::vector<int64_t> memory_sizes;
  int64_t elements = 0;         // number of elements of the logical array
  int64_t padded_elements = 0;  // number of elements in memory: the product of memory_sizes
};

// Plans the steps of a layout. Errors: a layout that ValidateTiledLayout rejects (invalid layout); a size that does not
// fit int64 (overflow).
Expected<PadReshapeTransposeSteps> MakePadReshapeTransposeSteps(const TiledLayout& layout);

// Returns an error (unsupported) if an array of `elements` cells of `element_bytes` bytes exceeds 2^36 bytes.
Expected<void> CheckArrayBytes(int64_t elements, size_t element_bytes);

// A type whose arrays can be moved. std::vector<bool> is not an array of bool.
template <class T>
concept ArrayElement = std::is_trivially_copyable_v<T> && !std::same_as<T, bool>;

// Copies the cells of one step from `source` to `destination`. Requires sizes >= 1.
template <ArrayElement T>
void CopyCells(std::span<const int64_t> sizes, const T* source, std::span<const int64_t> source_strides, T* destination,
               std::span<const int64_t> destination_strides) {
  const size_t rank = sizes.size();
  std::vector<int64_t> index(rank, 0);
  int64_t from = 0;
  int64_t to = 0;
  while (true) {
    destination[to] = source[from];
    size_t d = rank;
    while (d > 0) {
      --d;
      from += source_strides[d];
      to += destination_strides[d];
      if (++index[d] < sizes[d]) break;
      from -= source_strides[d] * sizes[d];
      to -= destination_strides[d] * sizes[d];
      index[d] = 0;
      if (d == 0) return;
    }
    if (rank == 0) return;
  }
}

// Returns memory, row major over the expanded sizes, for elements in logical row-major order (the last logical
// dimension fastest). Cells without an element hold `padding`. Errors: those of MakePadReshapeTransposeSteps and
// CheckArrayBytes; a number of elements that is not the product of the dimensions (invalid argument).
template <ArrayElement T>
Expected<std::vector<T>> PadReshapeTranspose(const TiledLayout& layout, std::span<const T> elements, T padding) {
  LAYOUTCHECK_TRY(PadReshapeTransposeSteps plan, MakePadReshapeTransposeSteps(layout));
  LAYOUTCHECK_RETURN_IF_ERROR(CheckArrayBytes(plan.padded_elements, sizeof(T)));
  if (static_cast<int64_t>(elements.size()) != plan.elements) {
    return ArgumentError("the number of elements is not the product of the dimensions");
  }
  std::vector<T> array(elements.begin(), elements.end());
  for (const ArrayStep& step : plan.steps) {
    std::vector<T> next(static_cast<size_t>(step.destination_elements), padding);
    if (step.source_elements > 0) {
      CopyCells<T>(step.sizes, array.data(), step.source_strides, next.data(), step.destination_strides);
    }
    array = std::move(next);
  }
  return array;
}

// Returns the row-major position of `index` in an array of the given sizes, by Horner's scheme from the major end.
template <class Int>
Int LinearizeRowMajor(std::span<const Int> sizes, std::span<const Int> index) {
  if (index.empty()) return Int(int64_t{0});
  Int position = index[0];
  for (size_t d = 1; d < index.size(); ++d) position = position * sizes[d] + index[d];
  return position;
}

// Returns the index at a row-major position: digit d is (position div the product of the sizes after d) mod size d. The
// major digit needs no mod, because the position is within the array. Requires sizes >= 1.
template <class Int>
std::vector<Int> DelinearizeRowMajor(std::span<const Int> sizes, const Int& position) {
  std::vector<Int> index(sizes.size(), position);
  if (sizes.empty()) return index;
  Int stride = sizes.back();
  for (size_t d = sizes.size() - 1; d > 0; --d) {
    index[d] = Mod(index[d], sizes[d]);
    index[d - 1] = FloorDiv(position, stride);
    if (d > 1) stride = sizes[d - 1] * stride;
  }
  return index;
}

// Returns the position in memory of the element at a logical index by following this one element through the steps.
// Each reshape computes the row-major position in the array before it and the index there in the array after it. The
// function neither compares nor branches on an Int, so it runs on symbolic integers. Requires a valid layout
// (ValidateTiledLayout), 0 <= index[d] < dimensions[d], and an Int that can hold the padded element count.
template <class Int>
Int PadReshapeTransposeIndex(const BasicTiledLayout<Int>& layout, std::span<const Int> index) {
  std::vector<Int> sizes;
  std::vector<Int> at;
  for (int64_t p = 0; p < layout.rank(); ++p) {
    const auto logical = static_cast<size_t>(layout.Major(p));
    sizes.push_back(layout.dimensions[logical]);
    at.push_back(index[logical]);
  }
  for (const auto& tile : layout.tiles) {
    if (tile.size() > sizes.size()) {
      const size_t missing = tile.size() - sizes.size();
      sizes.insert(sizes.begin(), missing, Int(int64_t{1}));
      at.insert(at.begin(), missing, Int(int64_t{0}));
    }
    const size_t prefix = sizes.size() - tile.size();

    // Combine each run of `*` and the size after it into one dimension.
    std::vector<Int> merged(sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(prefix));
    std::vector<Int> tile_sizes;
    bool continues = false;
    for (size_t k = 0; k < tile.size(); ++k) {
      const Int& size = sizes[prefix + k];
      if (continues) {
        merged.back() = merged.back() * size;
      } else {
        merged.push_back(size);
      }
      continues = tile[k].combine;
      if (!continues) tile_sizes.push_back(tile[k].size);
    }
    if (merged.size() != sizes.size()) {
      at = DelinearizeRowMajor<Int>(merged, LinearizeRowMajor<Int>(sizes, at));
    }

    // Pad, then reshape (prefix, padded...) to (prefix, d/t, t, d/t, t, ...).
    std::vector<Int> padded(merged.begin(), merged.begin() + static_cast<std::ptrdiff_t>(prefix));
    std::vector<Int> reshaped = padded;
    for (size_t k = 0; k < tile_sizes.size(); ++k) {
      const Int count = CeilDiv(merged[prefix + k], tile_sizes[k]);
      padded.push_back(count * tile_sizes[k]);
      reshaped.push_back(count);
      reshaped.push_back(tile_sizes[k]);
    }
    const std::vector<Int> in_reshaped = DelinearizeRowMajor<Int>(reshaped, LinearizeRowMajor<Int>(padded, at));

    sizes.assign(reshaped.begin(), reshaped.begin() + static_cast<std::ptrdiff_t>(prefix));
    at.assign(in_reshaped.begin(), in_reshaped.begin() + static_cast<std::ptrdiff_t>(prefix));
    for (size_t half = 0; half < 2; ++half) {
      for (size_t k = prefix + half; k < reshaped.size(); k += 2) {
        sizes.push_back(reshaped[k]);
        at.push_back(in_reshaped[k]);
      }
    }
  }
  return LinearizeRowMajor<Int>(sizes, at);
}

}  // namespace layoutcheck
