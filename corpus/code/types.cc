// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes and indices behind references and in arrays inside of structs, whose elements are not int.
#include <cstdint>

template <class T, int kCount>
struct Array {
  T values[kCount];
  const T& operator[](int k) const { return values[k]; }
};

struct Shape {
  int64_t sizes[2];
};

int64_t index_of_references(const int64_t (&sizes)[2], const int64_t (&index)[2]) {
  return index[0] * sizes[1] + index[1];
}
int64_t index_of_references_column(const int64_t (&sizes)[2], const int64_t (&index)[2]) {
  return index[1] * sizes[0] + index[0];
}

int64_t index_of_arrays(const Array<int64_t, 2>& sizes, const Array<int64_t, 2>& index) {
  return index[0] * sizes[1] + index[1];
}
int64_t index_of_arrays_swapped(const Array<int64_t, 2>& sizes, const Array<int64_t, 2>& index) {
  return index[0] * sizes[0] + index[1];
}

int64_t index_in_shape(const Shape* shape, int64_t r, int64_t c) { return r * shape->sizes[1] + c; }
int64_t index_in_shape_in_int(const Shape* shape, int64_t r, int64_t c) {
  return static_cast<int>(r * shape->sizes[1]) + c;
}

int index_of_bytes(const uint8_t (&sizes)[2], const uint8_t (&index)[2]) { return index[0] * sizes[1] + index[1]; }
int index_of_bytes_column(const uint8_t (&sizes)[2], const uint8_t (&index)[2]) {
  return index[1] * sizes[0] + index[0];
}

int index_of_shorts(const short (&sizes)[4], int r, int c) { return r * sizes[1] + c; }
int index_of_shorts_past(const short (&sizes)[4], int r, int c) { return r * sizes[2] + c; }

enum Offset : unsigned {};
Offset offset_of_enum(unsigned r, unsigned c, unsigned columns) { return Offset(r * columns + c); }
Offset offset_of_enum_next(unsigned r, unsigned c, unsigned columns) { return Offset(r * columns + c + 1); }
