// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Places that are computed by loops which run as often as a size or an index says.

// Walks over the rows of tiles of T(8,128).
int tile_by_loop(int row, int col, int cols) {
  int tiles = (cols + 127) / 128;
  int offset = 0;
  for (int t = 0; t < row / 8; ++t) offset += tiles * 1024;
  return offset + col / 128 * 1024 + row % 8 * 128 + col % 128;
}

// Walks one row of tiles too far.
int tile_by_loop_one_more(int row, int col, int cols) {
  int tiles = (cols + 127) / 128;
  int offset = 0;
  for (int t = 0; t <= row / 8; ++t) offset += tiles * 1024;
  return offset + col / 128 * 1024 + row % 8 * 128 + col % 128;
}

// Two loops: over the rows of tiles, then over the tiles of the row.
int tile_by_two_loops(int row, int col, int cols) {
  int tiles = (cols + 127) / 128;
  int offset = row % 8 * 128 + col % 128;
  for (int t = row / 8; t > 0; --t) offset += tiles * 1024;
  for (int t = 0; t != col / 128; ++t) offset += 1024;
  return offset;
}

// The second loop stops before the tile's last columns.
int tile_by_two_loops_rounded(int row, int col, int cols) {
  int tiles = (cols + 127) / 128;
  int offset = row % 8 * 128 + col % 128;
  for (int t = row / 8; t > 0; --t) offset += tiles * 1024;
  for (int c = 128; c < col; c += 128) offset += 1024;
  return offset;
}

// Rounds the columns up to whole tiles by steps.
int padded_row(int row, int col, int cols) {
  int padded = 0;
  while (padded < cols) padded += 128;
  return row * padded + col;
}

// Makes one step more where the columns come in whole tiles.
int padded_row_too_far(int row, int col, int cols) {
  int padded = 0;
  while (padded <= cols) padded += 128;
  return row * padded + col;
}

// Adds up the lengths of the rows of a lower triangle, the diagonal included.
int triangle(int row, int col) {
  int offset = 0;
  for (int r = 0; r < row; ++r) offset += r + 1;
  return offset + col;
}

// Leaves the diagonal out.
int triangle_without_diagonal(int row, int col) {
  int offset = 0;
  for (int r = 0; r < row; ++r) offset += r;
  return offset + col;
}

// Two accumulators, one of which counts the rows.
int row_and_count(int row, int col, int cols) {
  int offset = 0;
  int seen = 0;
  for (int r = 0; r < row; ++r) {
    offset += cols;
    ++seen;
  }
  return offset + col + seen - row;
}

// The columns left over after whole vectors of 8.
int tail_of_vectors(int cols) {
  while (cols >= 8) cols -= 8;
  return cols;
}

// Leaves a whole vector where there is no tail.
int tail_of_vectors_too_long(int cols) {
  while (cols > 8) cols -= 8;
  return cols;
}

// Sums up in 32 bits before the sum is widened.
long row_in_int(int row, int col, int cols) {
  int offset = 0;
  for (int r = 0; r < row; ++r) offset += cols;
  return (long)offset + col;
}

long row_in_long(int row, int col, int cols) {
  long offset = 0;
  for (int r = 0; r < row; ++r) offset += cols;
  return offset + col;
}

// Gaps between rows: one less than there are rows, and none without a row.
unsigned gaps(unsigned rows) {
  unsigned width = 0;
  if (rows == 0) return 0;
  for (unsigned r = 0; r < rows - 1; ++r) width += 4;
  return width;
}

// The sum over blocks of a size that is a name: rows rounded up to whole blocks.
int rows_of_blocks(int rows, int block) {
  int end = 0;
  for (; end < rows; end += block) {
  }
  return end;
}

// Blocks of the rows, and blocks of columns within.
int nested(int row_blocks, int col_blocks) {
  int places = 0;
  for (int r = 0; r < row_blocks; ++r) {
    for (int c = 0; c < col_blocks; ++c) places += 64;
  }
  return places;
}

// Looks for the row of tiles that has the row, among at most 64. The loop ends inside of a block with a variable.
int row_of_tiles_by_search(int row, int rows) {
  int tile = 0;
  for (int t = 0; t < 64; ++t) {
    int begin = t * 8;
    if (row < begin + 8) break;
    tile += 1;
  }
  return tile;
}

// Goes on where the row is the last one of its tile.
int row_of_tiles_by_search_late(int row, int rows) {
  int tile = 0;
  for (int t = 0; t < 64; ++t) {
    int begin = t * 8;
    if (row < begin + 7) break;
    tile += 1;
  }
  return tile;
}

// Two conditions end the loop.
int elements_before(int row, int rows, int columns) {
  int offset = 0;
  int r = 0;
  while (r < rows && r != row) {
    offset += columns;
    ++r;
  }
  return offset;
}

// Adds the columns of the row itself.
int elements_up_to(int row, int rows, int columns) {
  int offset = 0;
  for (int r = 0; r < rows; ++r) {
    offset += columns;
    if (r == row) break;
  }
  return offset;
}
