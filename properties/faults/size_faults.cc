// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Faults in sizes.
#include <algorithm>
#include "layoutcheck/core/base/integer.h"
#include "layoutcheck/core/tiling/sizes.h"
#include "layoutcheck/properties/faults/fault.h"

namespace layoutcheck {
namespace {

// Sets the padded elements, and the bytes that follow from them.
void SetPadded(const Shape& shape, SizeAnswer& sizes, int64_t padded) {
  sizes.padded_elements = padded;
  if (const auto bytes = PackedBytes(padded, ElementSizeInBits(shape))) sizes.bytes = *bytes;
}

// Returns the product modulo 2^64, which a fault does not check either.
int64_t Wrapped(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
}

int64_t PaddedOf(Shape shape, void (*change)(Shape&)) {
  change(shape);
  const auto sizes = SizesOf(shape);
  return sizes ? sizes->padded_elements : 0;
}

// Returns a fault that gives the padded size of the layout after a change.
ChangeSize Padded(void (*change)(Shape&)) {
  return [change](const Shape& shape, SizeAnswer& sizes) { SetPadded(shape, sizes, PaddedOf(shape, change)); };
}

void DropTail(Shape& shape) { shape.layout->tail_padding_alignment_in_elements = 1; }

int64_t MinorSize(const Shape& shape) {
  return shape.rank() == 0 ? 1 : std::max<int64_t>(shape.dimensions[static_cast<size_t>(shape.layout->Minor(0))], 1);
}

std::vector<Fault> PaddingFaults() {
  return {
      {"size-unpadded", "XLA #47378: plain size where the tiled one is meant",
       [](const Shape& s, SizeAnswer& a) { SetPadded(s, a, *a.elements); }},
      {"size-to-last-element", "XLA #47378: f32[28,1,1] with T(2,128), bytes up to the last element only",
       [](const Shape& s, SizeAnswer& a) {
         if (a.extent) SetPadded(s, a, *a.extent);
       }},
      {"size-first-tile-only", "XLA ArraySize: later tiles are assumed to add nothing",
       Padded([](Shape& t) { KeepTiles(t, 1); })},
      {"size-padded-twice", "tt-metal #19513: 64x64 in place of 34x40, padding on top of padding",
       [](const Shape& s, SizeAnswer& a) {
         if (*a.padded_elements > *a.elements) SetPadded(s, a, 2 * *a.padded_elements - *a.elements);
       }},
      {"size-tail-ignored", "XLA ArraySize: L(n) is ignored", Padded(DropTail)},
      {"size-tail-ignored-untiled", "XLA ArraySize: L(n) is ignored exactly where there are no tiles",
       [](const Shape& s, SizeAnswer& a) {
         if (s.layout->tiles.empty()) SetPadded(s, a, *a.elements);
       }},
      {"size-tail-rounded-down", "TileLang #210: the division loses the part that is no whole unit",
       [](const Shape& s, SizeAnswer& a) {
         const int64_t tail = s.layout->tail_padding_alignment_in_elements;
         SetPadded(s, a, PaddedOf(s, DropTail) / tail * tail);
       }},
      {"size-tail-always-added", "a whole alignment is added where none is needed",
       [](const Shape& s, SizeAnswer& a) {
         const int64_t tail = s.layout->tail_padding_alignment_in_elements;
         if (tail > 1) SetPadded(s, a, PaddedOf(s, DropTail) / tail * tail + tail);
       }},
      {"size-in-order-of-dimensions", "LLVM #82539: tiles meet the logical, not the physical dimensions",
       Padded(MakeRowMajor)},
      {"size-combine-ignored", "* taken as 1 when sizes are computed", Padded(CombineNothing)},
  };
}

std::vector<Fault> ElementWidthFaults() {
  return {
      {"size-element-width-ignored", "XLA a6a61b3cae: ArrayDataSize takes the byte width for s4",
       [](const Shape& s, SizeAnswer& a) { a.bytes = *a.padded_elements * ByteWidth(s.element_type); }},
      {"size-element-width-in-bytes", "oneDNN 64f06d6040: s4 is read as s8",
       [](const Shape& s, SizeAnswer& a) { a.bytes = Wrapped(*a.padded_elements, CeilDiv(ElementSizeInBits(s), 8)); }},
      {"size-bits-as-bytes", "onnx #6161: a size that is several times too large",
       [](const Shape& s, SizeAnswer& a) {
         if (s.layout->element_size_in_bits != 0) a.bytes = Wrapped(*a.padded_elements, s.layout->element_size_in_bits);
       }},
      {"size-rows-rounded", "IREE #16219: packed rows rounded up to whole bytes",
       [](const Shape& s, SizeAnswer& a) {
         const int64_t row = MinorSize(s);
         if (s.layout->tiles.empty() && s.layout->tail_padding_alignment_in_elements == 1) {
           a.bytes = Wrapped(*a.elements / row, CeilDiv(Wrapped(row, ElementSizeInBits(s)), 8));
         }
       }},
      {"size-bytes-floor", "IREE #14481: half a byte at the end is lost",
       [](const Shape& s, SizeAnswer& a) { a.bytes = Wrapped(*a.padded_elements, ElementSizeInBits(s)) / 8; }},
      {"size-pred-as-bit", "pred counted as one bit without E(1)",
       [](const Shape& s, SizeAnswer& a) {
         if (s.element_type == ElementType::kPred) a.bytes = CeilDiv(*a.padded_elements, 8);
       }},
      {"size-sub-byte-always-packed", "XLA 9d9a10aad1: sub-byte types taken as packed without E(n)",
       [](const Shape& s, SizeAnswer& a) {
         if (IsSubByteNonPred(s.element_type))
           a.bytes = CeilDiv(Wrapped(*a.padded_elements, BitWidth(s.element_type)), 8);
       }},
      {"size-bytes-of-elements", "XLA ByteSizeOfElements: documented to include padding, never does",
       [](const Shape& s, SizeAnswer& a) { a.bytes = CeilDiv(Wrapped(*a.elements, ElementSizeInBits(s)), 8); }},
      {"size-metadata-added", "the bytes of M(n) counted into the array",
       [](const Shape& s, SizeAnswer& a) {
         const auto prefix = static_cast<uint64_t>(s.layout->dynamic_shape_metadata_prefix_bytes);
         a.bytes = static_cast<int64_t>(static_cast<uint64_t>(*a.bytes) + prefix);
       }},
      {"size-element-width-uint8", "XLA 4386e9238b: E(n) stored in a narrow integer",
       [](const Shape& s, SizeAnswer& a) {
         if (s.layout->element_size_in_bits >= 32) a.bytes = *a.bytes / 2;
       }},
      {"size-dynamic-as-zero", "XLA #40750 review: a bounded dimension counts as 0",
       [](const Shape& s, SizeAnswer& a) {
         if (s.HasDynamicDimension()) a.elements = 0;
       }},
      {"size-empty-takes-a-tile", "an empty array is given one tile, max(count, 1)",
       [](const Shape& s, SizeAnswer& a) {
         if (*a.elements == 0) SetPadded(s, a, 1);
       }},
      {"size-scalar-empty", "XLA 58982ed7d1: a scalar taken for something without elements",
       [](const Shape& s, SizeAnswer& a) {
         if (s.rank() == 0) a.elements = 0;
       }},
      {"size-scalar-untiled", "u32[]{:T(128)}: the tile of a scalar is forgotten",
       [](const Shape& s, SizeAnswer& a) {
         if (s.rank() == 0) SetPadded(s, a, 1);
       }},
  };
}

std::vector<Fault> ExtentAndIntegerFaults() {
  return {
      {"extent-is-allocation", "mdspan examples: required_span_size gives the padded size",
       [](const Shape&, SizeAnswer& a) { a.extent = a.padded_elements; }},
      {"extent-is-elements", "NumPy #7451: the number of elements taken for the span",
       [](const Shape&, SizeAnswer& a) { a.extent = a.elements; }},
      {"extent-off-by-one", "the largest offset in place of one more",
       [](const Shape&, SizeAnswer& a) {
         if (a.extent && *a.extent > 0) --*a.extent;
       }},
      {"extent-of-empty", "1 + the largest offset also where there is none",
       [](const Shape&, SizeAnswer& a) {
         if (*a.elements == 0) a.extent = 1;
       }},
      {"size-int32", "XLA be8239e102: the product of the dimensions in 32 bits",
       [](const Shape& s, SizeAnswer& a) { SetPadded(s, a, static_cast<int32_t>(*a.padded_elements)); }},
      {"size-bytes-uint32", "XLA #48286: the count fits, the bytes wrap",
       [](const Shape&, SizeAnswer& a) { a.bytes = static_cast<uint32_t>(*a.bytes); }},
      {"size-elements-int32", "XLA 374ac3371b: f32[4096,4096,128] and larger accumulated in 32 bits",
       [](const Shape&, SizeAnswer& a) { a.elements = static_cast<int32_t>(*a.elements); }},
      {"size-wraps", "oneDNN before #4745: the size of 2^64 bytes is 0",
       [](FaultHooks& hooks) {
         std::get<RefusedSize>(hooks) = [](const Shape& s) {
           uint64_t bytes = static_cast<uint64_t>(ElementSizeInBits(s)) / 8;
           for (const int64_t size : s.dimensions) bytes *= static_cast<uint64_t>(size);
           SizeAnswer sizes;
           sizes.bytes = static_cast<int64_t>(bytes);
           return sizes;
         };
       }},
  };
}

}  // namespace

std::vector<Fault> SizeFaults() {
  return JoinFaults({PaddingFaults(), ElementWidthFaults(), ExtentAndIntegerFaults()});
}

}  // namespace layoutcheck
