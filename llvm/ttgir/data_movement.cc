// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/ttgir/data_movement.h"
#include <algorithm>
#include <array>
#include <span>
#include <string_view>
#include <vector>
#include "layoutcheck/core/base/integer.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/linear/f2_span.h"

namespace layoutcheck {
namespace {

// The inputs of a layout from the nearest to the farthest.
constexpr std::array<std::string_view, 4> kPlaceInputs = {"register", "lane", "warp", "block"};
constexpr size_t kRegister = 0;
constexpr size_t kLevels = kPlaceInputs.size();
constexpr size_t kMostVectors = 64;  // of an F2Span

using Images = std::vector<uint64_t>;

std::array<Images, kLevels> ImagesByInput(const LinearLayout& layout) {
  std::array<Images, kLevels> images;
  for (size_t level = 0; level < kLevels; ++level) {
    if (const auto place = layout.FindInput(kPlaceInputs[level])) images[level] = layout.inputs()[*place].images;
  }
  return images;
}

// Returns the images of the inputs up to a level, this one included.
Images ImagesUpTo(const std::array<Images, kLevels>& images, size_t level) {
  Images joined;
  for (size_t k = 0; k <= level; ++k) joined.insert(joined.end(), images[k].begin(), images[k].end());
  return joined;
}

// Returns the dimension of the span of `vectors` and `space`, less that of `space`.
size_t RankBeyond(const Images& space, Images vectors) {
  vectors.insert(vectors.end(), space.begin(), space.end());
  return F2Span(vectors).rank() - F2Span(space).rank();
}

int64_t PowerOfTwo(size_t exponent) { return int64_t{1} << exponent; }

// Returns `count` x ceil(2^bits x element_bytes / kPassBytes).
Expected<int64_t> Passes(int64_t count, size_t bits, int64_t element_bytes) {
  const CheckedInt64 bytes = CheckedInt64(PowerOfTwo(bits)) * CheckedInt64(element_bytes);
  LAYOUTCHECK_TRY(const int64_t rounded, ValueOrOverflow(bytes + CheckedInt64(kPassBytes - 1), "the bytes of a warp"));
  return ValueOrOverflow(CheckedInt64(count) * CheckedInt64(rounded / kPassBytes), "a number of passes");
}

Expected<void> CheckComparable(const LinearLayout& from, const LinearLayout& to,
                               const std::array<Images, kLevels>& from_images,
                               const std::array<Images, kLevels>& to_images) {
  if (from.outputs() != to.outputs()) return ArgumentError("expected layouts of the same shape");
  for (size_t level = kRegister + 1; level < kLevels; ++level) {
    if (from_images[level].size() == to_images[level].size()) continue;
    return ArgumentError("expected layouts of equal numbers of ", kPlaceInputs[level], "s, found ",
                         PowerOfTwo(from_images[level].size()), " and ", PowerOfTwo(to_images[level].size()));
  }
  if (from.input_bits() + to.input_bits() > kMostVectors) {
    return UnsupportedError("expected layouts of at most ", kMostVectors, " bits together, found ",
                            from.input_bits() + to.input_bits());
  }
  if (!from.IsOnto()) return ArgumentError("the layout before the change does not hold every element");
  return {};
}

}  // namespace

Replication ReplicationOf(const LinearLayout& layout) {
  // The places of one element differ by the kernel of the layout. Its part within the inputs up to a level has the
  // dimension: bits of these inputs, less the rank of their images.
  const std::array<Images, kLevels> images = ImagesByInput(layout);
  std::array<int64_t, kLevels> copies{};
  size_t dimension = 0;
  for (size_t level = 0; level < kLevels; ++level) {
    const Images up_to = ImagesUpTo(images, level);
    const size_t up_to_level = up_to.size() - F2Span(up_to).rank();
    copies[level] = PowerOfTwo(up_to_level - dimension);
    dimension = up_to_level;
  }
  return {copies[0], copies[1], copies[2], copies[3]};
}

Expected<Movement> MovementBetween(const LinearLayout& from, const LinearLayout& to) {
  const std::array<Images, kLevels> old_images = ImagesByInput(from);
  const std::array<Images, kLevels> new_images = ImagesByInput(to);
  LAYOUTCHECK_RETURN_IF_ERROR(CheckComparable(from, to, old_images, new_images));
  const size_t bits = ImagesUpTo(new_images, kLevels - 1).size();

  // A place x of the new layout whose inputs beyond a level are u has its element within this level if
  // to(x) + from(0, u) is in the span of the old images up to the level. That is linear in x, so that the places are
  // 2^(bits - rank) many. Each pair of a thread and an element is as many places as the thread has copies.
  const size_t copies = new_images[kRegister].size() - F2Span(new_images[kRegister]).rank();
  std::array<int64_t, kLevels> within{};
  for (size_t level = 0; level < kLevels; ++level) {
    Images differences = ImagesUpTo(new_images, level);
    for (size_t beyond = level + 1; beyond < kLevels; ++beyond) {
      for (size_t k = 0; k < new_images[beyond].size(); ++k) {
        differences.push_back(new_images[beyond][k] ^ old_images[beyond][k]);
      }
    }
    within[level] = PowerOfTwo(bits - RankBeyond(ImagesUpTo(old_images, level), differences) - copies);
  }

  bool has_same_registers = new_images[kRegister].size() <= old_images[kRegister].size();
  for (size_t level = 0; level < kLevels && has_same_registers; ++level) {
    has_same_registers =
        std::ranges::equal(new_images[level], std::span(old_images[level]).first(new_images[level].size()));
  }
  return Movement{within[0], within[1] - within[0], within[2] - within[1], within[3] - within[2], has_same_registers};
}

Expected<int64_t> LeastStorePasses(const LinearLayout& layout, int64_t element_bytes) {
  const std::array<Images, kLevels> images = ImagesByInput(layout);
  const size_t of_warp = F2Span(ImagesUpTo(images, 1)).rank();
  const size_t of_all = F2Span(ImagesUpTo(images, kLevels - 1)).rank();
  return Passes(PowerOfTwo(of_all - of_warp), of_warp, element_bytes);
}

Expected<int64_t> LeastLoadPasses(const LinearLayout& layout, int64_t element_bytes) {
  const std::array<Images, kLevels> images = ImagesByInput(layout);
  const size_t of_warp = F2Span(ImagesUpTo(images, 1)).rank();
  return Passes(PowerOfTwo(images[2].size() + images[3].size()), of_warp, element_bytes);
}

}  // namespace layoutcheck
