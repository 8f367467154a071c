// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Faults that show in arrays of 16 to 24 bits, most of them in subjects that decline larger ones.
#include <algorithm>
#include "layoutcheck/core/tiling/sizes.h"
#include "layoutcheck/properties/faults/fault.h"

namespace layoutcheck {
namespace {

// Returns the size of the padded array in bytes, or the largest integer if that does not fit.
int64_t BytesOf(const Shape& shape) {
  const auto sizes = SizesOf(shape);
  return sizes ? sizes->bytes : INT64_MAX;
}

// Plants a fault in a subject that declines arrays of more than `most` bytes, as one for the memory of a chip does.
std::function<void(FaultHooks&)> OnChip(int64_t most, ChangeOffset offset) {
  return [most, offset = std::move(offset)](FaultHooks& hooks) {
    std::get<DeclineLayout>(hooks) = [most](const Shape& shape) { return BytesOf(shape) > most; };
    std::get<ChangeOffset>(hooks) = offset;
  };
}

}  // namespace

std::vector<Fault> MiddleSizeFaults() {
  return {
      {"uint16-offset-on-chip", "CATLASS 06914f8e: an index in 16 bits, for a buffer of 192 KiB",
       OnChip(192 << 10, [](const Shape&, int64_t o) { return o & 0xFFFF; })},
      {"byte-offset-of-18-bits", "a descriptor has 18 bits for an offset in bytes; arrays have up to 16 MiB",
       OnChip(16 << 20,
              [](const Shape& s, int64_t o) {
                const int64_t width = std::max<int64_t>(ByteWidth(s.element_type), 1);
                return (o * width & 0x3FFFF) / width;
              })},
      {"float-offset-on-chip", "an offset that went through a float, for a buffer of 20 MB",
       OnChip(20'000'000, [](const Shape&, int64_t o) { return static_cast<int64_t>(static_cast<float>(o)); })},
      {"tail-of-the-largest", "the last row of the largest array that fits is computed as if it were full",
       OnChip(3'000'000,
              [](const Shape& s, int64_t o) { return BytesOf(s) > 2'950'000 ? o + (o > 2'000'000 ? 1 : 0) : o; })},
      {"path-of-middle-sizes", "a path for arrays of 64 KiB to 128 KiB swaps two words",
       [](const Shape& s, int64_t o) {
         const int64_t bytes = BytesOf(s);
         return bytes >= 64 << 10 && bytes < 128 << 10 ? o ^ 1 : o;
       }},
  };
}

}  // namespace layoutcheck
