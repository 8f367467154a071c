// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Faults in sizes.
#include <algorithm>
#include "layoutcheck/core/base/integer.h"
#include "layoutcheck/core/tiling/sizes.h"
#include "layoutcheck/properties/faults/fault.h"

namespace layoutcheck {
namespace {

using Plant = std::function<void(FaultHooks&)>;
Plant InSize(void (*change)(const Shape&, SizeAnswer&)) {
  return [change](FaultHooks& hooks) { hooks.size = change; };
}

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

int64_t MinorSize(const Shape& shape) {
  return shape.rank() == 0 ? 1 : std::max<int64_t>(shape.dimensions[static_cast<size_t>(shape.layout->Minor(0))], 1);
}

std::vector<Fault> PaddingFaults() {
  return {
      {"size-unpadded", "size", "XLA #47378: plain size where the tiled one is meant",
       InSize([](const Shape& s, SizeAnswer& a) { SetPadded(s, a, *a.elements); })},
      {"size-to-last-element", "size", "XLA #47378: f32[28,1,1] with T(2,128), bytes up to the last element only",
       InSize([](const Shape& s, SizeAnswer& a) {
         if (a.extent) SetPadded(s, a, *a.extent);
       })},
      {"size-first-tile-only", "size", "XLA ArraySize: later tiles are assumed to add nothing",
       InSize([](const Shape& s, SizeAnswer& a) {
         SetPadded(s, a, PaddedOf(s, [](Shape& t) {
                     if (t.layout->tiles.size() > 1) t.layout->tiles.resize(1);
                   }));
       })},
      {"size-padded-twice", "size", "tt-metal #19513: 64x64 in place of 34x40, padding on top of padding",
       InSize([](const Shape& s, SizeAnswer& a) {
         if (*a.padded_elements > *a.elements) SetPadded(s, a, 2 * *a.padded_elements - *a.elements);
       })},
      {"size-tail-ignored", "size", "XLA ArraySize: L(n) is ignored", InSize([](const Shape& s, SizeAnswer& a) {
         SetPadded(s, a, PaddedOf(s, [](Shape& t) { t.layout->tail_padding_alignment_in_elements = 1; }));
       })},
      {"size-tail-ignored-untiled", "size", "XLA ArraySize: L(n) is ignored exactly where there are no tiles",
       InSize([](const Shape& s, SizeAnswer& a) {
         if (s.layout->tiles.empty()) SetPadded(s, a, *a.elements);
       })},
      {"size-tail-rounded-down", "size", "TileLang #210: the division loses the part that is no whole unit",
       InSize([](const Shape& s, SizeAnswer& a) {
         const int64_t tail = s.layout->tail_padding_alignment_in_elements;
         const int64_t tiled = PaddedOf(s, [](Shape& t) { t.layout->tail_padding_alignment_in_elements = 1; });
         SetPadded(s, a, tiled / tail * tail);
       })},
      {"size-tail-always-added", "size", "a whole alignment is added where none is needed",
       InSize([](const Shape& s, SizeAnswer& a) {
         const int64_t tail = s.layout->tail_padding_alignment_in_elements;
         if (tail > 1)
           SetPadded(
               s, a,
               PaddedOf(s, [](Shape& t) { t.layout->tail_padding_alignment_in_elements = 1; }) / tail * tail + tail);
       })},
      {"size-in-order-of-dimensions", "size", "LLVM #82539: tiles meet the logical, not the physical dimensions",
       InSize([](const Shape& s, SizeAnswer& a) {
         SetPadded(s, a,
                   PaddedOf(s, [](Shape& t) { std::ranges::sort(t.layout->minor_to_major, std::ranges::greater()); }));
       })},
      {"size-combine-ignored", "size", "* taken as 1 when sizes are computed",
       InSize([](const Shape& s, SizeAnswer& a) {
         SetPadded(s, a, PaddedOf(s, [](Shape& t) {
                     for (Tile& tile : t.layout->tiles)
                       std::ranges::replace(tile.dimensions, Tile::kCombineDimension, 1);
                   }));
       })},
  };
}

std::vector<Fault> ElementWidthFaults() {
  return {
      {"size-element-width-ignored", "size", "XLA a6a61b3cae: ArrayDataSize takes the byte width for s4",
       InSize([](const Shape& s, SizeAnswer& a) { a.bytes = *a.padded_elements * ByteWidth(s.element_type); })},
      {"size-element-width-in-bytes", "size", "oneDNN 64f06d6040: s4 is read as s8",
       InSize([](const Shape& s, SizeAnswer& a) {
         a.bytes = Wrapped(*a.padded_elements, CeilDiv(ElementSizeInBits(s), 8));
       })},
      {"size-bits-as-bytes", "size", "onnx #6161: a size that is several times too large",
       InSize([](const Shape& s, SizeAnswer& a) {
         if (s.layout->element_size_in_bits != 0) a.bytes = Wrapped(*a.padded_elements, s.layout->element_size_in_bits);
       })},
      {"size-rows-rounded", "size", "IREE #16219: packed rows rounded up to whole bytes",
       InSize([](const Shape& s, SizeAnswer& a) {
         const int64_t row = MinorSize(s);
         if (s.layout->tiles.empty() && s.layout->tail_padding_alignment_in_elements == 1) {
           a.bytes = Wrapped(*a.elements / row, CeilDiv(Wrapped(row, ElementSizeInBits(s)), 8));
         }
       })},
      {"size-bytes-floor", "size", "IREE #14481: half a byte at the end is lost",
       InSize([](const Shape& s, SizeAnswer& a) { a.bytes = Wrapped(*a.padded_elements, ElementSizeInBits(s)) / 8; })},
      {"size-pred-as-bit", "size", "pred counted as one bit without E(1)", InSize([](const Shape& s, SizeAnswer& a) {
         if (s.element_type == ElementType::kPred) a.bytes = CeilDiv(*a.padded_elements, 8);
       })},
      {"size-sub-byte-always-packed", "size", "XLA 9d9a10aad1: sub-byte types taken as packed without E(n)",
       InSize([](const Shape& s, SizeAnswer& a) {
         if (IsSubByteNonPred(s.element_type))
           a.bytes = CeilDiv(Wrapped(*a.padded_elements, BitWidth(s.element_type)), 8);
       })},
      {"size-bytes-of-elements", "size", "XLA ByteSizeOfElements: documented to include padding, never does",
       InSize([](const Shape& s, SizeAnswer& a) { a.bytes = CeilDiv(Wrapped(*a.elements, ElementSizeInBits(s)), 8); })},
      {"size-metadata-added", "size", "the bytes of M(n) counted into the array",
       InSize([](const Shape& s, SizeAnswer& a) {
         const auto prefix = static_cast<uint64_t>(s.layout->dynamic_shape_metadata_prefix_bytes);
         a.bytes = static_cast<int64_t>(static_cast<uint64_t>(*a.bytes) + prefix);
       })},
      {"size-element-width-uint8", "size", "XLA 4386e9238b: E(n) stored in a narrow integer",
       InSize([](const Shape& s, SizeAnswer& a) {
         if (s.layout->element_size_in_bits >= 32) a.bytes = *a.bytes / 2;
       })},
  };
}

std::vector<Fault> DegenerateFaults() {
  return {
      {"size-dynamic-as-zero", "size", "XLA #40750 review: a bounded dimension counts as 0",
       InSize([](const Shape& s, SizeAnswer& a) {
         if (s.HasDynamicDimension()) a.elements = 0;
       })},
      {"size-empty-takes-a-tile", "size", "an empty array is given one tile, max(count, 1)",
       InSize([](const Shape& s, SizeAnswer& a) {
         if (*a.elements == 0) SetPadded(s, a, 1);
       })},
      {"size-scalar-empty", "size", "XLA 58982ed7d1: a scalar taken for something without elements",
       InSize([](const Shape& s, SizeAnswer& a) {
         if (s.rank() == 0) a.elements = 0;
       })},
      {"size-scalar-untiled", "size", "u32[]{:T(128)}: the tile of a scalar is forgotten",
       InSize([](const Shape& s, SizeAnswer& a) {
         if (s.rank() == 0) SetPadded(s, a, 1);
       })},
  };
}

std::vector<Fault> ExtentAndIntegerFaults() {
  return {
      {"extent-is-allocation", "size", "mdspan examples: required_span_size gives the padded size",
       InSize([](const Shape&, SizeAnswer& a) { a.extent = a.padded_elements; })},
      {"extent-is-elements", "size", "NumPy #7451: the number of elements taken for the span",
       InSize([](const Shape&, SizeAnswer& a) { a.extent = a.elements; })},
      {"extent-off-by-one", "size", "the largest offset in place of one more", InSize([](const Shape&, SizeAnswer& a) {
         if (a.extent && *a.extent > 0) --*a.extent;
       })},
      {"extent-of-empty", "size", "1 + the largest offset also where there is none",
       InSize([](const Shape&, SizeAnswer& a) {
         if (*a.elements == 0) a.extent = 1;
       })},
      {"size-int32", "size", "XLA be8239e102: the product of the dimensions in 32 bits",
       InSize([](const Shape& s, SizeAnswer& a) { SetPadded(s, a, static_cast<int32_t>(*a.padded_elements)); })},
      {"size-bytes-uint32", "size", "XLA #48286: the count fits, the bytes wrap",
       InSize([](const Shape&, SizeAnswer& a) { a.bytes = static_cast<uint32_t>(*a.bytes); })},
      {"size-elements-int32", "size", "XLA 374ac3371b: f32[4096,4096,128] and larger accumulated in 32 bits",
       InSize([](const Shape&, SizeAnswer& a) { a.elements = static_cast<int32_t>(*a.elements); })},
      {"size-wraps", "size", "oneDNN before #4745: the size of 2^64 bytes is 0",
       [](FaultHooks& hooks) {
         hooks.refused_size = [](const Shape& s) {
           uint64_t bytes = static_cast<uint64_t>(ElementSizeInBits(s)) / 8;
           for (const int64_t size : s.dimensions) bytes *= static_cast<uint64_t>(size);
           SizeAnswer sizes;
           sizes.bytes = static_cast<int64_t>(bytes);
           return sizes;
         };
       }},
  };
}

std::vector<Fault> MakeFaults() {
  return JoinFaults({PaddingFaults(), ElementWidthFaults(), DegenerateFaults(), ExtentAndIntegerFaults()});
}

}  // namespace

std::span<const Fault> SizeFaults() {
  static const std::vector<Fault> faults = MakeFaults();
  return faults;
}

}  // namespace layoutcheck
