// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A subject in C: the strided layouts of arrays without tiles. Everything else is declined.
 *
 *   cc -std=c11 -O2 -shared -fPIC -I INSTALLED/include c_subject.c -o c_subject.so
 *   layoutcheck check --subject lib:c_subject.so */
#include <layoutcheck/subject.h>

#define MAX_RANK 8

/* Computes the strides, in elements. Returns 0 if the layout is not one of those that this subject has. */
static int strides_of(const layoutcheck_layout* layout, int64_t* strides) {
  int64_t stride = 1;
  if (layout->rank > MAX_RANK || layout->tile_count != 0 || layout->tail_alignment != 1) return 0;
  for (int64_t k = 0; k < layout->rank; ++k) {
    const int64_t dimension = layout->minor_to_major[k];
    strides[dimension] = stride;
    if (__builtin_mul_overflow(stride, layout->dimensions[dimension], &stride)) return 0;
  }
  return 1;
}

static int offset_of(const layoutcheck_layout* layout, const int64_t* coordinate, int64_t* offset,
                     layoutcheck_text* why) {
  int64_t strides[MAX_RANK];
  (void)why;
  if (!strides_of(layout, strides)) return LAYOUTCHECK_UNSUPPORTED;
  *offset = 0;
  for (int64_t d = 0; d < layout->rank; ++d) *offset += coordinate[d] * strides[d];
  return LAYOUTCHECK_OK;
}

static int table_of(const layoutcheck_layout* layout, int64_t* offsets, size_t count, layoutcheck_text* why) {
  int64_t strides[MAX_RANK];
  int64_t coordinate[MAX_RANK] = {0};
  int64_t offset = 0;
  (void)why;
  if (!strides_of(layout, strides)) return LAYOUTCHECK_UNSUPPORTED;
  for (size_t element = 0; element < count; ++element) {
    offsets[element] = offset;
    for (int64_t d = layout->rank - 1; d >= 0; --d) { /* the next coordinate, like an odometer */
      offset += strides[d];
      if (++coordinate[d] < layout->dimensions[d]) break;
      offset -= coordinate[d] * strides[d];
      coordinate[d] = 0;
    }
  }
  return LAYOUTCHECK_OK;
}

static int size_of(const layoutcheck_layout* layout, layoutcheck_sizes* sizes, layoutcheck_text* why) {
  int64_t strides[MAX_RANK];
  int64_t elements = 1;
  (void)why;
  if (!strides_of(layout, strides)) return LAYOUTCHECK_UNSUPPORTED;
  for (int64_t d = 0; d < layout->rank; ++d) {
    if (__builtin_mul_overflow(elements, layout->dimensions[d], &elements)) return LAYOUTCHECK_ERROR;
  }
  sizes->elements = elements;
  sizes->padded_elements = elements;
  sizes->extent = elements;
  return LAYOUTCHECK_OK;
}

const layoutcheck_subject* layoutcheck_get_subject(void) {
  static const layoutcheck_subject subject = {
      .abi = LAYOUTCHECK_SUBJECT_ABI,
      .struct_size = sizeof(layoutcheck_subject),
      .name = "c_subject",
      .max_rank = MAX_RANK,
      .max_tiles = LAYOUTCHECK_AT_MOST_ZERO,
      .offset = offset_of,
      .table = table_of,
      .size = size_of,
  };
  return &subject;
}
