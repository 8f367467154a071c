// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tiles whose sizes are powers of two, given by their logarithms: shifts by names, and masks made of them.

// Row-major blocks of 2^log_rows rows of 2^log_cols columns.
long block_by_logs(long row, long col, int log_rows, int log_cols, long blocks) {
  long block = (row >> log_rows) * blocks + (col >> log_cols);
  long in_row = row & ((1L << log_rows) - 1);
  long in_col = col & ((1L << log_cols) - 1);
  return (block << (log_rows + log_cols)) + (in_row << log_cols) + in_col;
}

// Packs the bits of the row, the column and the block, which do not overlap.
long block_by_logs_packed(long row, long col, int log_rows, int log_cols, long blocks) {
  long block = (row >> log_rows) * blocks + (col >> log_cols);
  long in_row = row & ((1L << log_rows) - 1);
  long in_col = col & ((1L << log_cols) - 1);
  return block << (log_rows + log_cols) | in_row << log_cols | in_col;
}

// Steps over the rows of a block by its rows.
long block_by_logs_exchanged(long row, long col, int log_rows, int log_cols, long blocks) {
  long block = (row >> log_rows) * blocks + (col >> log_cols);
  long in_row = row & ((1L << log_rows) - 1);
  long in_col = col & ((1L << log_cols) - 1);
  return (block << (log_rows + log_cols)) + (in_row << log_rows) + in_col;
}

// Takes the low bits by a mask that is one bit short.
long block_by_logs_short_mask(long row, long col, int log_rows, int log_cols, long blocks) {
  long block = (row >> log_rows) * blocks + (col >> log_cols);
  long in_row = row & ((1L << log_rows) - 1);
  long in_col = col & ((1L << log_cols) - 2);
  return (block << (log_rows + log_cols)) + (in_row << log_cols) + in_col;
}

// Rounds up to blocks of 2^log elements, twice.
int rows_rounded_up(int rows, int log, int log_of_groups) {
  int blocks = (rows + (1 << log) - 1) >> log;
  return (blocks + (1 << log_of_groups) - 1) >> log_of_groups << (log + log_of_groups);
}

// Rounds the blocks down to groups.
int rows_rounded_down(int rows, int log, int log_of_groups) {
  int blocks = (rows + (1 << log) - 1) >> log;
  return blocks >> log_of_groups << (log + log_of_groups);
}

static const int kLogs[4] = {0, 3, 5, 7};

// The block's size is an entry of a table.
int block_by_table(int element, int kind, int log) { return (element >> kLogs[kind & 3]) << log; }

// 1 is an int, which 2^31 leaves.
long mask_of_int(long element, int log) { return element & ((1 << log) - 1); }
