// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The C interface of a layout implementation in a shared library, which `layoutcheck check --subject lib:FILE.so`
 * tests.
 *
 * It is plain C11 and also C++. A library defines one function, layoutcheck_get_subject, which returns a table of
 * function pointers. A null pointer is an operation that the library does not have; that is not counted against it.
 * Complete examples: subjects/examples/c_subject.c, cpp_subject.cc, algebra_subject.cc and sharding_subject.cc.
 *
 * All calls come from one thread. All memory belongs to the caller: arguments are valid during the call, answers are
 * written to the memory that the caller hands over, and neither side frees memory of the other. */
#ifndef LAYOUTCHECK_SUBJECT_H_
#define LAYOUTCHECK_SUBJECT_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this interface. It changes when a library built for an older version can no longer be asked. New
 * members at the end of layoutcheck_subject do not change it: struct_size tells which ones a library has. */
#define LAYOUTCHECK_SUBJECT_ABI 1u

/* The status that an operation returns. */
enum {
  LAYOUTCHECK_OK = 0,
  /* The library does not take this layout or text: not counted against it. */
  LAYOUTCHECK_UNSUPPORTED = 1,
  /* The library should know the answer but failed: counted against it. */
  LAYOUTCHECK_ERROR = 2,
  /* parse: the text is no layout. apply, edit: the function has no result for these arguments. */
  LAYOUTCHECK_REJECTED = 3,
  /* coordinate: no element is stored at that offset. */
  LAYOUTCHECK_PADDING = 4,
  /* apply: the result is a number. */
  LAYOUTCHECK_VALUE = 5,
  /* view: the result is the offsets of the elements that were asked for. */
  LAYOUTCHECK_OFFSETS = 6,
  /* shard and reshard: the result is the numbers of the elements. */
  LAYOUTCHECK_ELEMENTS = 7,
  /* shard: the sharding gives the device no part, not even an empty one. */
  LAYOUTCHECK_NO_PART = 8
};

/* The kinds of views. */
enum {
  LAYOUTCHECK_VIEW = 0,      /* begins at the coordinate `at` */
  LAYOUTCHECK_TILE_VIEW = 1, /* is tile number `at` of the layout cut into tiles: begins at at[d] * tile[d] */
  LAYOUTCHECK_SLICE = 2      /* fixes the modes with a number in `at`, and keeps those with LAYOUTCHECK_KEEP */
};

/* A mode that a slice keeps (`_`). */
#define LAYOUTCHECK_KEEP INT64_MIN

/* The entry `*` of a tile: the dimension is combined with the next more minor one before tiling. */
#define LAYOUTCHECK_COMBINE INT64_MIN

/* The limit zero: in the limits of a subject, 0 stands for no limit. */
#define LAYOUTCHECK_AT_MOST_ZERO (-1)

/* A size that the library does not have. */
#define LAYOUTCHECK_NO_SIZE (-1)

/* T(8,128): rank 2, sizes 8 and 128, major to minor. */
typedef struct layoutcheck_tile {
  int64_t rank;
  const int64_t* sizes;
} layoutcheck_tile;

/* An array shape with its layout. Pointers to arrays are never null. */
typedef struct layoutcheck_layout {
  const char* text;         /* all of it in HLO notation, "bf16[8,1280]{1,0:T(8,128)(2,1)}", NUL-terminated; or in
                               shape:stride notation (see layoutcheck_subject.notations) */
  const char* element_type; /* "bf16" */
  int64_t element_bits;     /* width of one stored element: n of E(n), otherwise 8 times the type's width in bytes */
  int64_t rank;
  const int64_t* dimensions;     /* sizes of the logical dimensions, each >= 0 */
  const int64_t* minor_to_major; /* [0] is the logical dimension that varies fastest in memory */
  int64_t tile_count;
  const layoutcheck_tile* tiles; /* in the order in which they are applied */
  int64_t tail_alignment;        /* L(n): elements are padded at the end to a multiple of it; 1 for none */
  int64_t memory_space;          /* S(n) */
} layoutcheck_layout;

/* Room for a text. The library writes up to `capacity` bytes to `data` and sets `size` to the length of the whole text,
 * without a terminating NUL. If a canonical text is longer than the room, the operation is called again with enough. */
typedef struct layoutcheck_text {
  char* data;
  size_t capacity;
  size_t size; /* 0 when the call begins */
} layoutcheck_text;

/* The answer to `size`; each member is LAYOUTCHECK_NO_SIZE when the call begins. */
typedef struct layoutcheck_sizes {
  int64_t elements;
  int64_t padded_elements; /* elements allocated */
  int64_t bytes;           /* bytes allocated */
  int64_t extent;          /* 1 + the largest offset of an element, 0 where there is none */
} layoutcheck_sizes;

/* A view of a layout of CuTe or CATLASS TLA. Arrays with one integer per mode have `rank` integers and are never null
 * unless it is said. */
typedef struct layoutcheck_view {
  int kind;                    /* LAYOUTCHECK_VIEW, LAYOUTCHECK_TILE_VIEW or LAYOUTCHECK_SLICE */
  const char* layout;          /* shape:stride text, "((16,2),(16,3)):((16,256),(1,512))" */
  int64_t rank;                /* top-level modes of the layout */
  const int64_t* extents;      /* elements of the layout per mode; its shape may be larger (padding) */
  const int64_t* at;           /* see the kinds */
  const int64_t* tile;         /* at most this many elements per mode; null for a slice */
  const int64_t* outer_origin; /* null, or the view is one of the view that begins here ... */
  const int64_t* outer_tile;   /* ... and has at most this many elements per mode */
  int64_t kept_rank;           /* modes of the view: `rank` unless it is a slice */
  size_t coordinate_count;
  const int64_t* coordinates; /* coordinate_count times kept_rank integers: coordinates within the view */
} layoutcheck_view;

/* The answer to `view`. */
typedef struct layoutcheck_view_answer {
  layoutcheck_text* layout; /* shape:stride text of the view, or the reason of another status */
  int64_t offset;           /* of the view's first element, for LAYOUTCHECK_OK */
  int64_t* offsets;         /* room for coordinate_count offsets, for LAYOUTCHECK_OFFSETS */
  int64_t* valid;           /* room for kept_rank integers, each LAYOUTCHECK_NO_SIZE when the call begins: the number of
                               elements of the view per mode */
} layoutcheck_view_answer;

/* A device of an array on many devices. */
typedef struct layoutcheck_shard {
  const char* layout;        /* the whole array and its sharding, "f32[8,6]{1,0} sharding={devices=[2,1]<=[2]}" */
  const char* sharding;      /* the sharding alone, in one of the notations that docs/protocol.md lists */
  int64_t rank;              /* of the array */
  const int64_t* dimensions; /* sizes of the whole array; never null */
  int64_t device;
} layoutcheck_shard;

/* The answer to `shard` and, in `elements` alone, to `reshard`. All integers but those of `elements` are
 * LAYOUTCHECK_NO_SIZE when the call begins. */
typedef struct layoutcheck_shard_answer {
  int64_t* shape;  /* room for `rank` integers: the sizes of the device's array, with its padding; may be left unset */
  int64_t* ranges; /* room for 2 * rank integers, for LAYOUTCHECK_OK: the first index that the device holds, and one
                      past the last one, of each dimension; may be left unset if the shape is set */
  int64_t* elements; /* room for `capacity` integers, for LAYOUTCHECK_ELEMENTS: the numbers of the elements in row-major
                        order of the whole array, in row-major order of the device's array */
  size_t capacity;   /* the number of elements of the whole array */
  size_t count;      /* the number of elements written; 0 when the call begins */
} layoutcheck_shard_answer;

/* A subject. Offsets count elements from the beginning of the allocation; coordinates are in logical order. The last
 * parameter of every operation is room for the reason of a status other than LAYOUTCHECK_OK; it may be left empty. */
/* NOLINTNEXTLINE(readability-identifier-naming): a C name */
typedef struct layoutcheck_subject {
  uint32_t abi;         /* LAYOUTCHECK_SUBJECT_ABI */
  uint32_t struct_size; /* sizeof(layoutcheck_subject) */
  const char* name;     /* "mine" */
  const char* version;  /* may be null */

  /* Limits of the layouts that are asked about; 0 is no limit, LAYOUTCHECK_AT_MOST_ZERO is the limit zero. */
  int64_t max_rank;
  int64_t max_tiles;
  int64_t max_table_elements;

  /* Reads `text`, which has `size` bytes and a NUL behind them; `kind` is "shape", "layout" or "instruction". Writes
   * the canonical text for LAYOUTCHECK_OK, or the reason for LAYOUTCHECK_REJECTED. */
  int (*parse)(const char* kind, const char* text, size_t size, layoutcheck_text* answer);

  /* Computes the offset of one element. */
  int (*offset)(const layoutcheck_layout* layout, const int64_t* coordinate, int64_t* offset, layoutcheck_text* why);

  /* Writes the offsets of all elements, the last logical dimension fastest; `count` is the product of the dimensions.
   * If it is null, `offset` is called for each element. */
  int (*table)(const layoutcheck_layout* layout, int64_t* offsets, size_t count, layoutcheck_text* why);

  /* Writes the coordinate of the element at `offset`, or returns LAYOUTCHECK_PADDING. */
  int (*coordinate)(const layoutcheck_layout* layout, int64_t offset, int64_t* coordinate, layoutcheck_text* why);

  int (*size)(const layoutcheck_layout* layout, layoutcheck_sizes* sizes, layoutcheck_text* why);

  /* Copies an array of element numbers from one layout to another: `data` in memory order of `from`, `moved` in memory
   * order of `to`, -1 for padding in both. The counts are the padded elements. */
  int (*relayout)(const layoutcheck_layout* from, const layoutcheck_layout* to, const int64_t* data, size_t data_count,
                  int64_t* moved, size_t moved_count, layoutcheck_text* why);

  /* The next two operations take layouts of CuTe and CATLASS TLA as text in shape:stride notation. As for `parse`, they
   * are called again if the text is longer than the room. */

  /* Computes TLA's MakeLayout<Element, Tag>(rows, columns); `tag` is "zN", for example, or with the sizes of its blocks
   * "zN<8,4>". Writes the layout's text, "((16,2),(16,3)):((16,256),(1,512))". */
  int (*make)(const char* tag, int64_t element_bits, int64_t rows, int64_t columns, layoutcheck_text* layout);

  /* Applies a function of CuTe, such as "composition", to `argument_count` layouts, tuples and numbers as text. Writes
   * the text of a layout for LAYOUTCHECK_OK, a number to `value` for LAYOUTCHECK_VALUE, or the reason for
   * LAYOUTCHECK_REJECTED. */
  int (*apply)(const char* function, const char* const* arguments, size_t argument_count, int64_t* value,
               layoutcheck_text* answer);

  /* The next three operations are about the dimensions and fields of layouts, as XLA's ShapeUtil and LayoutUtil know
   * them. docs/protocol.md says what each answer must be. */

  /* Writes 1 to `bitcast` if reading `from` as `to` moves no element, otherwise 0. Dimension i of `to` is dimension
   * transpose[i] of `from`; if `transpose` is null, the elements keep their row-major order (a reshape). */
  int (*bitcast)(const layoutcheck_layout* from, const layoutcheck_layout* to, const int64_t* transpose, int* bitcast,
                 layoutcheck_text* why);

  /* Writes 1 to `equal` if both are equal in all parts but the `ignored_count` named ones, such as "tiles". */
  int (*equal)(const layoutcheck_layout* a, const layoutcheck_layout* b, const char* const* ignored,
               size_t ignored_count, int* equal, layoutcheck_text* why);

  /* Applies an edit, such as "move-dim-to-major", and writes the resulting shape in HLO notation, or returns
   * LAYOUTCHECK_REJECTED. As for `parse`, it is called again if the text is longer than the room. */
  int (*edit)(const char* function, const layoutcheck_layout* layout, const int64_t* arguments, size_t argument_count,
              layoutcheck_text* answer);

  /* Computes a view of a layout: its text and the offset of its first element (LAYOUTCHECK_OK), or the offset of each
   * element asked for (LAYOUTCHECK_OFFSETS), or LAYOUTCHECK_REJECTED. As for `parse`, it is called again if the text is
   * longer than the room. */
  int (*view)(const layoutcheck_view* view, layoutcheck_view_answer* answer);

  /* The notations that layoutcheck_layout.text may have, separated by commas without spaces: "hlo", "shape-stride" or
   * both. Null stands for "hlo"; an unknown word counts for nothing. A library that takes shape-stride and not hlo is
   * asked only about layouts without padding, whose text then has one mode per dimension:
   * "((2,2),(2,3)):((2,12),(1,4))"; it is not asked to parse, bitcast, equal or edit. */
  const char* notations;

  /* Computes the layout of a tensor by a tag such as "NC1HWC0"; `sizes` has one size per dimension of the array. Writes
   * the text as `make` does, with one mode per dimension. */
  int (*make_tensor)(const char* tag, int64_t element_bits, const int64_t* sizes, size_t size_count,
                     layoutcheck_text* layout);

  /* Computes which elements a device holds: ranges of indices (LAYOUTCHECK_OK), or a list of elements where ranges do
   * not say it (LAYOUTCHECK_ELEMENTS), or LAYOUTCHECK_NO_PART. It is asked about arrays of up to 2^20 elements. */
  int (*shard)(const layoutcheck_shard* shard, layoutcheck_shard_answer* answer, layoutcheck_text* why);

  /* Computes which elements a device receives from one sharding of an array to the other, those that it needs and does
   * not hold: writes their numbers to answer->elements, in ascending order (LAYOUTCHECK_ELEMENTS). The device and the
   * sizes are the same in `from` and `to`. */
  int (*reshard)(const layoutcheck_shard* from, const layoutcheck_shard* to, layoutcheck_shard_answer* answer,
                 layoutcheck_text* why);
} layoutcheck_subject;

#if defined(__GNUC__)
#define LAYOUTCHECK_EXPORT __attribute__((visibility("default")))
#else
#define LAYOUTCHECK_EXPORT
#endif

/* Returns the subject, which must stay valid until the library is unloaded. The library defines this function. */
LAYOUTCHECK_EXPORT const layoutcheck_subject* layoutcheck_get_subject(void);

#ifdef __cplusplus
}
#endif

#endif /* LAYOUTCHECK_SUBJECT_H_ */
