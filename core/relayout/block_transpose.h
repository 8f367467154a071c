// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Transposes small blocks of elements between two strided arrays with 16-byte vectors.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

namespace layoutcheck {

// An element of 16 bytes. Smaller elements are the unsigned integers of their width.
struct Bytes16 {
  uint64_t low;
  uint64_t high;
};

// Copies one element between addresses of any alignment.
template <class T>
inline void CopyElement(const std::byte* source, std::byte* destination) {
  T element;
  std::memcpy(&element, source, sizeof(T));
  std::memcpy(destination, &element, sizeof(T));
}

template <class T>
struct VectorOf {
  static constexpr size_t kSize = 16 / sizeof(T);
  using Type [[gnu::vector_size(16)]] = T;

  static Type Load(const std::byte* source) {
    Type vector;
    std::memcpy(&vector, source, sizeof(vector));
    return vector;
  }
  static void Store(const Type& vector, std::byte* destination) { std::memcpy(destination, &vector, sizeof(vector)); }
};

// Returns a0 b0 a1 b1 ... of the low halves (kHalf 0) or the high halves (kHalf 1) of two vectors.
template <class T, size_t kHalf, size_t... kLane>
inline auto Zip(const typename VectorOf<T>::Type& a, const typename VectorOf<T>::Type& b,
                std::index_sequence<kLane...>) {
  constexpr size_t n = sizeof...(kLane);
  return __builtin_shufflevector(a, b, static_cast<int>(kHalf * (n / 2) + kLane / 2 + (kLane % 2) * n)...);
}

// Applies kStages perfect shuffles to kRows vectors (a power of 2, at most the lanes of one) taken as one sequence.
// Each shuffle puts the elements of the second half between those of the first.
template <class T, size_t kRows, size_t kStages>
inline void Shuffle(typename VectorOf<T>::Type (&rows)[kRows]) {
  using Lanes = std::make_index_sequence<VectorOf<T>::kSize>;
#pragma GCC unroll 4
  for (size_t stage = 0; stage < kStages; ++stage) {
    typename VectorOf<T>::Type next[kRows];
#pragma GCC unroll 8
    for (size_t i = 0; i < kRows / 2; ++i) {
      next[2 * i] = Zip<T, 0>(rows[i], rows[i + kRows / 2], Lanes());
      next[2 * i + 1] = Zip<T, 1>(rows[i], rows[i + kRows / 2], Lanes());
    }
#pragma GCC unroll 16
    for (size_t i = 0; i < kRows; ++i) rows[i] = next[i];
  }
}

// Reorders the elements so that the vectors hold lane 0 of every row, then lane 1 of every row, and so on. This is a
// transposition if there are as many rows as lanes.
template <class T, size_t kRows>
inline void Interleave(typename VectorOf<T>::Type (&rows)[kRows]) {
  Shuffle<T, kRows, std::countr_zero(kRows)>(rows);
}

// Inverts Interleave. A perfect shuffle rotates the bits of an element's position; these stages complete the full turn.
template <class T, size_t kRows>
inline void Deinterleave(typename VectorOf<T>::Type (&rows)[kRows]) {
  Shuffle<T, kRows, std::countr_zero(VectorOf<T>::kSize)>(rows);
}

// A block of `columns` x `rows` elements. Element (c, r) is at c * sizeof(T) + r * row_stride of the source and at c *
// column_stride + r * sizeof(T) of the destination. Strides are in bytes.
struct TransposeBlockSizes {
  int64_t columns;
  int64_t rows;
  int64_t row_stride;
  int64_t column_stride;
};

template <class T>
inline void TransposeElements(const std::byte* source, std::byte* destination, const TransposeBlockSizes& block,
                              int64_t first_column, int64_t end_column, int64_t first_row, int64_t end_row) {
  constexpr auto kBytes = static_cast<int64_t>(sizeof(T));
  for (int64_t c = first_column; c < end_column; ++c) {
    for (int64_t r = first_row; r < end_row; ++r) {
      CopyElement<T>(source + c * kBytes + r * block.row_stride, destination + c * block.column_stride + r * kBytes);
    }
  }
}

// Transposes a block of kRows rows whose elements alternate in the destination: column_stride == kRows * sizeof(T).
template <class T, size_t kRows>
void InterleaveRows(const std::byte* source, std::byte* destination, const TransposeBlockSizes& block) {
  using Vector = VectorOf<T>;
  constexpr auto kLanes = static_cast<int64_t>(Vector::kSize);
  int64_t c = 0;
  for (; c + kLanes <= block.columns; c += kLanes) {
    typename Vector::Type rows[kRows];
#pragma GCC unroll 8
    for (size_t r = 0; r < kRows; ++r) {
      rows[r] = Vector::Load(source + c * static_cast<int64_t>(sizeof(T)) + static_cast<int64_t>(r) * block.row_stride);
    }
    Interleave<T>(rows);
    std::byte* out = destination + c * block.column_stride;
#pragma GCC unroll 8
    for (size_t r = 0; r < kRows; ++r) Vector::Store(rows[r], out + 16 * r);
  }
  TransposeElements<T>(source, destination, block, c, block.columns, 0, static_cast<int64_t>(kRows));
}

// Transposes a block of kColumns columns whose elements alternate in the source: row_stride == kColumns * sizeof(T).
template <class T, size_t kColumns>
void DeinterleaveColumns(const std::byte* source, std::byte* destination, const TransposeBlockSizes& block) {
  using Vector = VectorOf<T>;
  constexpr auto kLanes = static_cast<int64_t>(Vector::kSize);
  int64_t r = 0;
  for (; r + kLanes <= block.rows; r += kLanes) {
    typename Vector::Type columns[kColumns];
    const std::byte* in = source + r * block.row_stride;
#pragma GCC unroll 8
    for (size_t c = 0; c < kColumns; ++c) columns[c] = Vector::Load(in + 16 * c);
    Deinterleave<T>(columns);
#pragma GCC unroll 8
    for (size_t c = 0; c < kColumns; ++c) {
      Vector::Store(columns[c],
                    destination + r * static_cast<int64_t>(sizeof(T)) + static_cast<int64_t>(c) * block.column_stride);
    }
  }
  TransposeElements<T>(source, destination, block, 0, static_cast<int64_t>(kColumns), r, block.rows);
}

// Transposes a block by squares of one vector per side. Requires columns and rows to be multiples of its lanes.
template <class T>
inline void TransposeSquares(const std::byte* source, int64_t row_stride, std::byte* destination, int64_t column_stride,
                             int64_t columns, int64_t rows) {
  using Vector = VectorOf<T>;
  constexpr auto kLanes = static_cast<int64_t>(Vector::kSize);
  for (int64_t r = 0; r < rows; r += kLanes) {
    for (int64_t c = 0; c < columns; c += kLanes) {
      typename Vector::Type square[Vector::kSize];
#pragma GCC unroll 16
      for (int64_t k = 0; k < kLanes; ++k) {
        square[k] = Vector::Load(source + c * static_cast<int64_t>(sizeof(T)) + (r + k) * row_stride);
      }
      Interleave<T>(square);
#pragma GCC unroll 16
      for (int64_t k = 0; k < kLanes; ++k) {
        Vector::Store(square[k], destination + (c + k) * column_stride + r * static_cast<int64_t>(sizeof(T)));
      }
    }
  }
}

// Transposes any block. If it is large enough, squares of one cache line (64 bytes) per side go through a buffer, so
// that each line is read once and written once, even if lines compete for the same places of the cache.
template <class T>
void TransposeAny(const std::byte* source, std::byte* destination, const TransposeBlockSizes& block) {
  constexpr auto kBytes = static_cast<int64_t>(sizeof(T));
  constexpr auto kLanes = static_cast<int64_t>(VectorOf<T>::kSize);
  constexpr size_t kLineElements = 64 / sizeof(T);
  constexpr auto kLine = static_cast<int64_t>(kLineElements);
  const int64_t whole_columns = block.columns - block.columns % kLanes;
  const int64_t whole_rows = block.rows - block.rows % kLanes;
  const int64_t buffered_rows = block.rows >= kLine ? block.rows - block.rows % kLine : 0;
  int64_t c = 0;
  for (; c + kLine <= whole_columns && buffered_rows > 0; c += kLine) {
    for (int64_t r = 0; r < buffered_rows; r += kLine) {
      alignas(64) std::byte buffer[64 * kLineElements];
      TransposeSquares<T>(source + c * kBytes + r * block.row_stride, block.row_stride, buffer, 64, kLine, kLine);
      std::byte* out = destination + c * block.column_stride + r * kBytes;
      for (int64_t k = 0; k < kLine; ++k) std::memcpy(out + k * block.column_stride, buffer + 64 * k, 64);
    }
  }
  TransposeSquares<T>(source + buffered_rows * block.row_stride, block.row_stride, destination + buffered_rows * kBytes,
                      block.column_stride, c, whole_rows - buffered_rows);
  TransposeSquares<T>(source + c * kBytes, block.row_stride, destination + c * block.column_stride, block.column_stride,
                      whole_columns - c, whole_rows);
  TransposeElements<T>(source, destination, block, 0, whole_columns, whole_rows, block.rows);
  TransposeElements<T>(source, destination, block, whole_columns, block.columns, 0, block.rows);
}

// Copies the block from `source` to `destination` by the fastest of the ways above.
template <class T>
void TransposeBlock(const std::byte* source, std::byte* destination, const TransposeBlockSizes& block) {
  constexpr auto kBytes = static_cast<int64_t>(sizeof(T));
  if constexpr (sizeof(T) == 16) {
    TransposeElements<T>(source, destination, block, 0, block.columns, 0, block.rows);
  } else {
    constexpr size_t kLanes = VectorOf<T>::kSize;
    if (block.column_stride == block.rows * kBytes) {
      if (block.rows == 2) return InterleaveRows<T, 2>(source, destination, block);
      if constexpr (kLanes >= 4) {
        if (block.rows == 4) return InterleaveRows<T, 4>(source, destination, block);
      }
      if constexpr (kLanes >= 8) {
        if (block.rows == 8) return InterleaveRows<T, 8>(source, destination, block);
      }
    }
    if (block.row_stride == block.columns * kBytes) {
      if (block.columns == 2) return DeinterleaveColumns<T, 2>(source, destination, block);
      if constexpr (kLanes >= 4) {
        if (block.columns == 4) return DeinterleaveColumns<T, 4>(source, destination, block);
      }
      if constexpr (kLanes >= 8) {
        if (block.columns == 8) return DeinterleaveColumns<T, 8>(source, destination, block);
      }
    }
    TransposeAny<T>(source, destination, block);
  }
}

}  // namespace layoutcheck
