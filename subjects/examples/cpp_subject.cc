// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A subject in C++: tiled layouts, any number of tiles, as the XLA document describes them. `*` in a tile is declined.
//
//   c++ -std=c++20 -O2 -shared -fPIC -I INSTALLED/include cpp_subject.cc -o cpp_subject.so
//   layoutcheck check --subject lib:cpp_subject.so
#include <layoutcheck/subject.h>
#include <algorithm>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

namespace {

using Integers = std::vector<int64_t>;

int Say(int status, layoutcheck_text* why, std::string_view words) {
  why->size = words.size();
  std::memcpy(why->data, words.data(), std::min(words.size(), why->capacity));
  return status;
}

// Returns the sizes of the physical dimensions after all tiles, major to minor. Changes `digits` from an index into the
// untiled dimensions to one into these.
Integers Tiled(const layoutcheck_layout& layout, Integers& digits) {
  Integers sizes;
  for (int64_t k = layout.rank; k-- > 0;) sizes.push_back(layout.dimensions[layout.minor_to_major[k]]);
  for (const layoutcheck_tile& tile : std::span(layout.tiles, static_cast<size_t>(layout.tile_count))) {
    const auto rank = static_cast<size_t>(tile.rank);
    // A tile with more dimensions applies to the array with leading ones.
    while (sizes.size() < rank) {
      sizes.insert(sizes.begin(), 1);
      digits.insert(digits.begin(), 0);
    }
    const size_t first = sizes.size() - rank;
    for (size_t t = 0; t < rank; ++t) {
      const int64_t size = tile.sizes[t];
      sizes.push_back(size);
      digits.push_back(digits[first + t] % size);
      sizes[first + t] = (sizes[first + t] + size - 1) / size;
      digits[first + t] /= size;
    }
  }
  return sizes;
}

bool Combines(const layoutcheck_layout& layout) {
  return std::ranges::any_of(std::span(layout.tiles, static_cast<size_t>(layout.tile_count)),
                             [](const layoutcheck_tile& tile) {
                               const std::span sizes(tile.sizes, static_cast<size_t>(tile.rank));
                               return std::ranges::find(sizes, LAYOUTCHECK_COMBINE) != sizes.end();
                             });
}

int64_t OffsetOf(const layoutcheck_layout& layout, const int64_t* coordinate) {
  Integers digits;
  for (int64_t k = layout.rank; k-- > 0;) digits.push_back(coordinate[layout.minor_to_major[k]]);
  const Integers sizes = Tiled(layout, digits);
  int64_t offset = 0;
  for (size_t p = 0; p < sizes.size(); ++p) offset = offset * sizes[p] + digits[p];
  return offset;
}

int Offset(const layoutcheck_layout* layout, const int64_t* coordinate, int64_t* offset, layoutcheck_text* why) {
  if (Combines(*layout)) return Say(LAYOUTCHECK_UNSUPPORTED, why, "no *");
  *offset = OffsetOf(*layout, coordinate);
  return LAYOUTCHECK_OK;
}

// Writes the offsets of all elements with fixed indices before dimension `d` and returns the end of the output. An
// offset is the sum of one term per dimension, because no tile combines dimensions.
int64_t* Fill(const std::vector<Integers>& added, size_t d, int64_t offset, int64_t* out) {
  if (d + 1 == added.size()) return std::ranges::transform(added[d], out, [&](int64_t a) { return offset + a; }).out;
  for (const int64_t a : added[d]) out = Fill(added, d + 1, offset + a, out);
  return out;
}

int Table(const layoutcheck_layout* layout, int64_t* offsets, size_t count, layoutcheck_text* why) {
  if (Combines(*layout)) return Say(LAYOUTCHECK_UNSUPPORTED, why, "no *");
  if (count == 0) return LAYOUTCHECK_OK;
  const auto rank = static_cast<size_t>(layout->rank);
  if (rank == 0) offsets[0] = 0;
  std::vector<Integers> added(rank);
  Integers coordinate(rank);
  for (size_t d = 0; d < rank; ++d) {
    for (coordinate[d] = 0; coordinate[d] < layout->dimensions[d]; ++coordinate[d]) {
      added[d].push_back(OffsetOf(*layout, coordinate.data()));
    }
    coordinate[d] = 0;
  }
  if (rank > 0) Fill(added, 0, 0, offsets);
  return LAYOUTCHECK_OK;
}

int Size(const layoutcheck_layout* layout, layoutcheck_sizes* sizes, layoutcheck_text* why) {
  if (Combines(*layout)) return Say(LAYOUTCHECK_UNSUPPORTED, why, "no *");
  Integers digits(static_cast<size_t>(layout->rank));
  const Integers tiled = Tiled(*layout, digits);
  bool overflows = false;
  const auto product = [&](std::span<const int64_t> factors) {
    int64_t result = 1;
    for (const int64_t factor : factors) overflows |= __builtin_mul_overflow(result, factor, &result);
    return result;
  };
  const int64_t alignment = layout->tail_alignment;
  sizes->elements = product({layout->dimensions, static_cast<size_t>(layout->rank)});
  const int64_t cells = product(tiled);
  int64_t tail = 0;
  overflows |= __builtin_add_overflow(cells, alignment - 1, &tail);
  sizes->padded_elements = tail / alignment * alignment;
  // The bits may overflow int64 although the bytes do not.
  overflows |= __builtin_mul_overflow(sizes->padded_elements / 8, layout->element_bits, &sizes->bytes);
  overflows |=
      __builtin_add_overflow(sizes->bytes, (sizes->padded_elements % 8 * layout->element_bits + 7) / 8, &sizes->bytes);
  if (overflows) return Say(LAYOUTCHECK_ERROR, why, "a size outside int64");
  return LAYOUTCHECK_OK;
}

}  // namespace

const layoutcheck_subject* layoutcheck_get_subject() {
  static constexpr layoutcheck_subject kSubject = {
      .abi = LAYOUTCHECK_SUBJECT_ABI,
      .struct_size = sizeof(layoutcheck_subject),
      .name = "cpp_subject",
      .version = "1",
      .offset = Offset,
      .table = Table,
      .size = Size,
  };
  return &kSubject;
}
