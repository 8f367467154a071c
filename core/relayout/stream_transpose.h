// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Moves arrays that are larger than the cache: whole lines of the destination are written past the cache, because an
// ordinary store would first read the line from memory. Transposes take blocks of four lines per side through a buffer.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include "layoutcheck/core/base/integer.h"
#include "layoutcheck/core/relayout/block_transpose.h"
#include "layoutcheck/core/relayout/relayout.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace layoutcheck {

// Copies bytes. Whole lines go past the cache.
inline void StreamLines(const std::byte* source, std::byte* destination, int64_t bytes) {
#if defined(__SSE2__)
  if ((reinterpret_cast<uintptr_t>(destination) | static_cast<uintptr_t>(bytes)) % kCacheLineBytes == 0) {
    for (int64_t at = 0; at < bytes; at += 16) {
      __m128i vector;
      std::memcpy(&vector, source + at, sizeof(vector));
      _mm_stream_si128(reinterpret_cast<__m128i*>(destination + at), vector);
    }
    return;
  }
#endif
  std::memcpy(destination, source, static_cast<size_t>(bytes));
}

// Bytes that are neighbors in the source and in the destination.
struct StreamedRun {
  const std::byte* source = nullptr;
  std::byte* destination = nullptr;
  int64_t bytes = 0;
};

// Bytes of the next run that are requested at once; the others are requested line by line.
inline constexpr int64_t kReadAhead = 1024;

// Copies a run to any address, and reads the next one into the cache at the same time. The whole lines between the
// first and the last byte go past the cache.
inline void StreamRun(const StreamedRun& run, const StreamedRun& next) {
  for (int64_t at = 0; at < std::min(next.bytes, kReadAhead); at += kCacheLineBytes) {
    __builtin_prefetch(next.source + at);
  }
  if (run.bytes == 0) return;
  const auto before_line = static_cast<int64_t>(-reinterpret_cast<uintptr_t>(run.destination) % kCacheLineBytes);
  const int64_t head = std::min(before_line, run.bytes);
  const int64_t end = run.bytes - (run.bytes - head) % kCacheLineBytes;
  const int64_t end_ahead = std::clamp(next.bytes - kReadAhead, head, end);
  std::memcpy(run.destination, run.source, static_cast<size_t>(head));
  for (int64_t at = head; at < end_ahead; at += kCacheLineBytes) {
    __builtin_prefetch(next.source + kReadAhead + at);
    StreamLines(run.source + at, run.destination + at, kCacheLineBytes);
  }
  const int64_t rest = head + CeilDiv(end_ahead - head, kCacheLineBytes) * kCacheLineBytes;
  StreamLines(run.source + rest, run.destination + rest, end - rest);
  std::memcpy(run.destination + end, run.source + end, static_cast<size_t>(run.bytes - end));
}

// Orders the lines that were written past the cache before all later stores, as other threads see them.
inline void FinishStreaming() {
#if defined(__SSE2__)
  _mm_sfence();
#endif
}

// Moves the elements of two loops: `columns` is contiguous in the source, `rows` in the destination.
template <class T>
class StreamTranspose {
 public:
  // The loops must outlive this object.
  StreamTranspose(const RelayoutLoop& columns, const RelayoutLoop& rows) : columns_(columns), rows_(rows) {}

  // Moves all elements. A band of rows is read along a group of columns before the next band.
  void Run(const std::byte* source, std::byte* destination) {
    ForEachBand(columns_, kGroupLength, [&](size_t begin, size_t end) {
      const std::span<const RelayoutSegment> segments = std::span(columns_.segments).subspan(begin, end - begin);
      for (const RelayoutSegment& row : rows_.segments) {
        MoveRows(segments, row.length, source + row.source, destination + row.destination);
      }
    });
    FinishStreaming();
  }

 private:
  static constexpr auto kBytes = static_cast<int64_t>(sizeof(T));
  static constexpr int64_t kLine = kCacheLineBytes / kBytes;
  static constexpr auto kLanes = static_cast<int64_t>(VectorOf<T>::kSize);
  // The size of a block. Rows are often at a distance of a power of two, so the cache has places for few of them.
  static constexpr int64_t kRows = std::min<int64_t>((kBytes < 4 ? 4 : 2) * kLine, 128);
  static constexpr int64_t kColumns = std::min<int64_t>(4 * kLine, 128);
  // A column of the buffer is one line longer than needed, so that columns do not compete for places of the cache.
  static constexpr int64_t kColumnBytes = kRows * kBytes + kCacheLineBytes;

  // Columns that are neighbors in the source. Offsets are in bytes.
  struct Group {
    int64_t source = 0;
    int64_t count = 0;
    std::array<int64_t, static_cast<size_t>(kColumns)> destinations;
  };

  // A place in a list of segments.
  struct Position {
    std::span<const RelayoutSegment> segments;
    int64_t index = 0;  // index in the first segment
  };

  // Sets `group` to the next columns, at most `most`, and moves `at` behind them. Sets count 0 after the last column.
  void Next(Position& at, int64_t most, Group& group) const {
    group.count = 0;
    while (!at.segments.empty() && group.count < most) {
      const RelayoutSegment& from = at.segments.front();
      const int64_t source = from.source + at.index * kBytes;
      if (group.count == 0) group.source = source;
      if (source != group.source + group.count * kBytes) return;
      const int64_t end = std::min(from.length, at.index + most - group.count);
      for (; at.index < end; ++at.index) {
        group.destinations[static_cast<size_t>(group.count++)] =
            from.destination + at.index * columns_.destination_stride;
      }
      if (end < from.length) return;
      at = {at.segments.subspan(1), 0};
    }
  }

  // Moves `length` rows by bands that begin at a line of the destination, if the columns do.
  void MoveRows(std::span<const RelayoutSegment> columns, int64_t length, const std::byte* source,
                std::byte* destination) {
    const int64_t before_line =
        static_cast<int64_t>(-reinterpret_cast<uintptr_t>(destination) % kCacheLineBytes) / kBytes;
    int64_t rows = std::min(before_line > 0 ? before_line : kRows, length);
    for (int64_t r = 0; r < length; r += rows) {
      if (r > 0) rows = std::min(kRows, length - r);
      if (rows > kLine) rows -= rows % kLine;
      MoveBand(columns, rows, source + r * rows_.source_stride, destination + r * kBytes);
    }
  }

  void MoveBand(std::span<const RelayoutSegment> columns, int64_t rows, const std::byte* source,
                std::byte* destination) {
    // Columns before the first line of the source are a group of their own, so that each line is read once.
    const int64_t before_line = static_cast<int64_t>(-reinterpret_cast<uintptr_t>(source) % kCacheLineBytes) / kBytes;
    Position at = {columns};
    Group* group = &groups_[0];
    Group* next = &groups_[1];
    for (Next(at, before_line > 0 ? before_line : kColumns, *group); group->count > 0; std::swap(group, next)) {
      Next(at, kColumns, *next);
      for (int64_t r = 0; r < rows; ++r) {
        for (int64_t byte = 0; byte < next->count * kBytes; byte += kCacheLineBytes) {
          __builtin_prefetch(source + next->source + r * rows_.source_stride + byte);
        }
      }
      MoveBlock(*group, rows, source + group->source, destination);
    }
  }

  void MoveBlock(const Group& group, int64_t rows, const std::byte* source, std::byte* destination) {
    const TransposeBlockSizes block = {group.count, rows, rows_.source_stride, kColumnBytes};
    const int64_t whole_columns = group.count - group.count % kLanes;
    const int64_t whole_rows = rows - rows % kLanes;
    for (int64_t r = 0; r < whole_rows; r += kLine) {
      for (int64_t c = 0; c < whole_columns; c += kLine) {
        TransposeSquares<T>(source + c * kBytes + r * block.row_stride, block.row_stride,
                            buffer_ + c * kColumnBytes + r * kBytes, kColumnBytes, std::min(kLine, whole_columns - c),
                            std::min(kLine, whole_rows - r));
      }
    }
    TransposeElements<T>(source, buffer_, block, 0, whole_columns, whole_rows, rows);
    TransposeElements<T>(source, buffer_, block, whole_columns, group.count, 0, rows);
    for (int64_t c = 0; c < group.count; ++c) {
      StreamLines(buffer_ + c * kColumnBytes, destination + group.destinations[static_cast<size_t>(c)], rows * kBytes);
    }
  }

  const RelayoutLoop& columns_;
  const RelayoutLoop& rows_;
  Group groups_[2];
  alignas(kCacheLineBytes) std::byte buffer_[static_cast<size_t>(kColumns * kColumnBytes)];
};

}  // namespace layoutcheck
