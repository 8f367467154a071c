// Moving an array's elements from one layout to another.
#ifndef LAYOUTCHECK_CORE_RELAYOUT_RELAYOUT_H_
#define LAYOUTCHECK_CORE_RELAYOUT_RELAYOUT_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/hlo/shape.h"
#include "layoutcheck/core/relayout/relayout_loops.h"

namespace layoutcheck {

// How the inner loops are executed.
enum class RelayoutBody {
  kRuns,     // one inner loop, contiguous on both sides: runs are copied whole
  kStrided,  // one inner loop, element by element
  kBlocks,   // two inner loops, one contiguous in the source, the other in the destination: blocks are transposed
  kBits,     // one inner loop of elements of which at least one side has several in a byte
};

// A plan that depends on the two layouts alone. It can be run any number of times, from several threads at once.
class Relayout {
 public:
  // Plans moving the elements of an array with the shape and layout `from` to the layout of `to`. Both must have the
  // same element type and dimensions, and store elements in the same number of bits (8, 16, 32, 64 or 128, or 1, 2 or
  // 4: packed, element 0 in the low bits); 1, 2 or 4 bits on one side and 8 on the other are allowed, the high bits of
  // the byte are zero then. Layout attributes that place no element (memory space, metadata) are ignored: offsets count
  // from the first element. Errors: those of TiledIndex and SizesOf; shapes that do not fit each other (invalid
  // argument); other widths, and layouts whose tables would be too large (unsupported).
  static Expected<Relayout> Create(const Shape& from, const Shape& to);

  // Moves every element. `source` and `destination` are the arrays in memory, source_bytes() and destination_bytes()
  // long, of any alignment; they must not overlap. With `padding` empty, the destination's padding is left as it is;
  // otherwise `padding` is one element (its bytes as stored; one byte, of which the low bits count, where elements are
  // packed) that every cell without an element gets, and the unused high bits of the last byte become zero. Allocates
  // nothing. Errors (invalid argument): a size that is not as said.
  Expected<void> Run(std::span<const std::byte> source, std::span<std::byte> destination,
                     std::span<const std::byte> padding = {}) const;

  int64_t source_bytes() const { return source_bytes_; }
  int64_t destination_bytes() const { return destination_bytes_; }
  RelayoutBody body() const { return body_; }

 private:
  Relayout() = default;

  void CoalesceLoops();
  void WidenElements();
  void ChooseBody();
  void ScaleToBytes();
  void FillPadding(std::span<std::byte> destination, std::span<const std::byte> padding) const;

  int64_t elements_ = 0;
  int64_t padded_elements_ = 0;  // of the destination
  int64_t source_bytes_ = 0;
  int64_t destination_bytes_ = 0;
  int64_t source_bits_ = 0;
  int64_t destination_bits_ = 0;
  int64_t move_bytes_ = 0;  // the width that is moved at once: an element, or several that stay together

  RelayoutBody body_ = RelayoutBody::kStrided;
  // Offsets and strides in bytes, in elements for kBits.
  std::vector<RelayoutLoop> outer_;
  RelayoutLoop inner_;           // kBlocks: contiguous in the source
  RelayoutLoop inner_of_block_;  // kBlocks only: contiguous in the destination
};

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_CORE_RELAYOUT_RELAYOUT_H_
