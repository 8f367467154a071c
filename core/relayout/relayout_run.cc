// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include "layoutcheck/core/base/integer.h"
#include "layoutcheck/core/relayout/bit_packing.h"
#include "layoutcheck/core/relayout/block_transpose.h"
#include "layoutcheck/core/relayout/relayout.h"
#include "layoutcheck/core/relayout/stream_transpose.h"

namespace layoutcheck {
namespace {

// Largest number of loops: each has at least two indices, and the element count fits int64.
constexpr size_t kMaxLoops = 64;

// Steps through all combinations of loop indices, the last loop fastest.
class Odometer {
 public:
  explicit Odometer(std::span<const RelayoutLoop> loops) : loops_(loops) {}

  int64_t source() const { return source_; }
  int64_t destination() const { return destination_; }

  bool Next() {
    for (size_t k = loops_.size(); k > 0; --k) {
      const RelayoutLoop& loop = loops_[k - 1];
      Position& at = positions_[k - 1];
      if (++at.in_segment < loop.segments[at.segment].length) {
        source_ += loop.source_stride;
        destination_ += loop.destination_stride;
        return true;
      }
      const RelayoutSegment& left = loop.segments[at.segment];
      source_ -= left.source + (left.length - 1) * loop.source_stride;
      destination_ -= left.destination + (left.length - 1) * loop.destination_stride;
      at.in_segment = 0;
      if (++at.segment < loop.segments.size()) {
        source_ += loop.segments[at.segment].source;
        destination_ += loop.segments[at.segment].destination;
        return true;
      }
      at.segment = 0;  // segment 0 begins at offset 0 on both sides
    }
    return false;
  }

 private:
  struct Position {
    size_t segment = 0;
    int64_t in_segment = 0;
  };
  std::span<const RelayoutLoop> loops_;
  std::array<Position, kMaxLoops> positions_;
  int64_t source_ = 0;
  int64_t destination_ = 0;
};

void MoveRuns(const RelayoutLoop& inner, int64_t bytes, const std::byte* source, std::byte* destination) {
  for (const RelayoutSegment& segment : inner.segments) {
    std::memcpy(destination + segment.destination, source + segment.source,
                static_cast<size_t>(segment.length * bytes));
  }
}

// Copies runs past the cache. Each is read ahead while the one before it is copied, because it is often on another
// page.
class RunStream {
 public:
  ~RunStream() {
    StreamRun(run_, {});
    FinishStreaming();
  }
  void Add(const StreamedRun& run) {
    StreamRun(run_, run);
    run_ = run;
  }

 private:
  StreamedRun run_;
};

template <class T>
void MoveStrided(const RelayoutLoop& inner, const std::byte* source, std::byte* destination) {
  for (const RelayoutSegment& segment : inner.segments) {
    const std::byte* in = source + segment.source;
    std::byte* out = destination + segment.destination;
    for (int64_t i = 0; i < segment.length; ++i) {
      CopyElement<T>(in + i * inner.source_stride, out + i * inner.destination_stride);
    }
  }
}

template <class T>
void MoveBlock(const RelayoutLoop& columns, const RelayoutSegment& column, const RelayoutLoop& rows,
               const RelayoutSegment& row, const std::byte* source, std::byte* destination) {
  TransposeBlock<T>(source + row.source + column.source, destination + row.destination + column.destination,
                    {column.length, row.length, rows.source_stride, columns.destination_stride});
}

// Transposes blocks. `columns` is contiguous in the source, `rows` in the destination. If neighbors of one side
// alternate in memory, as in bf16 T(8,128)(2,1), a band of a few rows of the other side is visited along its whole
// length: this is the order of the tiles and keeps the band's pages in the TLB. Otherwise a few rows are read along a
// group of columns before the next rows.
template <class T>
void MoveBlocks(const RelayoutLoop& columns, const RelayoutLoop& rows, const std::byte* source,
                std::byte* destination) {
  constexpr int64_t kBandLength = 8;
  const bool columns_alternate = rows.source_stride <= kCacheLineBytes;
  if (!columns_alternate && columns.destination_stride <= kCacheLineBytes) {
    ForEachBand(rows, kBandLength, [&](size_t begin, size_t end) {
      for (const RelayoutSegment& column : columns.segments) {
        for (size_t r = begin; r < end; ++r) {
          MoveBlock<T>(columns, column, rows, rows.segments[r], source, destination);
        }
      }
    });
    return;
  }
  ForEachBand(columns, columns_alternate ? kBandLength : kGroupLength, [&](size_t begin, size_t end) {
    for (const RelayoutSegment& row : rows.segments) {
      for (size_t c = begin; c < end; ++c) {
        MoveBlock<T>(columns, columns.segments[c], rows, row, source, destination);
      }
    }
  });
}

// Returns element number `element` of elements of `bits` bits (1, 2, 4 or 8), numbered from the low bits of byte 0.
unsigned GetBits(const std::byte* bytes, int64_t bits, int64_t element) {
  const int64_t bit = element * bits;
  return (std::to_integer<unsigned>(bytes[bit / 8]) >> (bit % 8)) & ((1U << bits) - 1);
}
void SetBits(std::byte* bytes, int64_t bits, int64_t element, unsigned value) {
  const int64_t bit = element * bits;
  const unsigned mask = ((1U << bits) - 1) << (bit % 8);
  std::byte& byte = bytes[bit / 8];
  byte = static_cast<std::byte>((std::to_integer<unsigned>(byte) & ~mask) | ((value << (bit % 8)) & mask));
}

// Moves elements that may be packed. Offsets are in elements.
void MoveBits(const RelayoutLoop& inner, int64_t source_bits, int64_t destination_bits, const std::byte* source,
              int64_t source_offset, std::byte* destination, int64_t destination_offset) {
  const int64_t bits = std::min(source_bits, destination_bits);
  const unsigned mask = (1U << bits) - 1;
  for (const RelayoutSegment& segment : inner.segments) {
    const int64_t from = source_offset + segment.source;
    const int64_t to = destination_offset + segment.destination;
    int64_t i = 0;
    const int64_t per_byte = 8 / bits;
    if (inner.source_stride == 1 && inner.destination_stride == 1 && (from * source_bits) % 8 == 0 &&
        (to * destination_bits) % 8 == 0 && segment.length >= per_byte) {
      i = segment.length - segment.length % per_byte;
      const std::byte* in = source + from * source_bits / 8;
      std::byte* out = destination + to * destination_bits / 8;
      const auto count = static_cast<size_t>(i);
      const auto packed = static_cast<size_t>(i / per_byte);
      if (source_bits == destination_bits) {
        std::memcpy(out, in, packed);
      } else if (source_bits == 8) {
        (void)PackIntN(bits, {in, count}, {out, packed});
      } else {
        (void)UnpackIntN(bits, {in, packed}, {out, count});
      }
    }
    for (; i < segment.length; ++i) {
      SetBits(destination, destination_bits, to + i * inner.destination_stride,
              GetBits(source, source_bits, from + i * inner.source_stride) & mask);
    }
  }
}

// Calls function(T()) with the element type of `bytes` bytes: 1, 2, 4, 8 or 16.
template <class Function>
void WithElementOf(int64_t bytes, Function function) {
  switch (bytes) {
    case 1: return function(uint8_t());
    case 2: return function(uint16_t());
    case 4: return function(uint32_t());
    case 8: return function(uint64_t());
    default: return function(Bytes16());
  }
}

}  // namespace

void Relayout::FillPadding(std::span<std::byte> destination, std::span<const std::byte> padding) const {
  if (destination.empty()) return;
  if (destination_bits_ < 8) {
    unsigned byte = 0;
    for (int64_t k = 0; k < 8 / destination_bits_; ++k) {
      byte |= GetBits(padding.data(), destination_bits_, 0) << (k * destination_bits_);
    }
    std::memset(destination.data(), static_cast<int>(byte), destination.size());
    const int64_t used_bits = padded_elements_ * destination_bits_ - (destination_bytes_ - 1) * 8;
    destination.back() &= static_cast<std::byte>((1U << used_bits) - 1);
    return;
  }
  // The pattern is written once and then doubled.
  std::memcpy(destination.data(), padding.data(), padding.size());
  for (size_t filled = padding.size(); filled < destination.size(); filled *= 2) {
    std::memcpy(destination.data() + filled, destination.data(), std::min(filled, destination.size() - filled));
  }
}

Expected<void> Relayout::Run(std::span<const std::byte> source, std::span<std::byte> destination,
                             std::span<const std::byte> padding) const {
  const auto expect_size = [](std::string_view what, size_t size, int64_t expected) -> Expected<void> {
    if (size == static_cast<size_t>(expected)) return {};
    return ArgumentError(what, " has ", size, " bytes, expected ", expected);
  };
  const int64_t padding_bytes = CeilDiv(destination_bits_, 8);
  if (auto fits = expect_size("the source", source.size(), source_bytes_); !fits) return fits;
  if (auto fits = expect_size("the destination", destination.size(), destination_bytes_); !fits) return fits;
  if (!padding.empty()) {
    if (auto fits = expect_size("the padding value", padding.size(), padding_bytes); !fits) return fits;
    if (padded_elements_ != elements_ || destination_bits_ < 8) FillPadding(destination, padding);
  }
  if (elements_ == 0) return {};

  const std::byte* in = source.data();
  std::byte* out = destination.data();
  Odometer at(outer_);
  switch (body_) {
    case RelayoutBody::kRuns:
      do MoveRuns(inner_, move_bytes_, in + at.source(), out + at.destination());
      while (at.Next());
      break;
    case RelayoutBody::kRunStreams: {
      RunStream stream;
      do {
        for (const RelayoutSegment& segment : inner_.segments) {
          stream.Add({in + at.source() + segment.source, out + at.destination() + segment.destination,
                      segment.length * move_bytes_});
        }
      } while (at.Next());
      break;
    }
    case RelayoutBody::kStrided:
      WithElementOf(move_bytes_, [&]<class T>(T) {
        do MoveStrided<T>(inner_, in + at.source(), out + at.destination());
        while (at.Next());
      });
      break;
    case RelayoutBody::kBlocks:
      WithElementOf(move_bytes_, [&]<class T>(T) {
        do MoveBlocks<T>(inner_, inner_of_block_, in + at.source(), out + at.destination());
        while (at.Next());
      });
      break;
    case RelayoutBody::kStreams:
      WithElementOf(move_bytes_, [&]<class T>(T) {
        if constexpr (sizeof(T) < 16) {
          do StreamTranspose<T>(inner_, inner_of_block_).Run(in + at.source(), out + at.destination());
          while (at.Next());
        }
      });
      break;
    case RelayoutBody::kBits:
      do MoveBits(inner_, source_bits_, destination_bits_, in, at.source(), out, at.destination());
      while (at.Next());
      break;
  }
  return {};
}

}  // namespace layoutcheck
