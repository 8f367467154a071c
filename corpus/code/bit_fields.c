// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Places whose parts are the bit-fields of a struct.

struct place {
  unsigned in_tile : 3;
  unsigned tile : 13;
  unsigned bank : 4;
};

struct signed_place {
  int step : 4;
  int tile : 20;
};

// Takes a row apart, and puts it together.
unsigned row_by_fields(unsigned row) {
  struct place p;
  p.in_tile = row;
  p.tile = row >> 3;
  return p.tile * 8 + p.in_tile;
}

// Puts the fields into a struct that is copied, and then changed.
unsigned tile_start(unsigned row) {
  struct place p = {row & 7, row / 8, 1};
  struct place q = p;
  q.in_tile = 0;
  return q.tile * 8 + q.in_tile;
}

static struct place place_of(unsigned row) {
  struct place p;
  p.in_tile = row % 8;
  p.tile = row / 8;
  p.bank = p.tile % 16;
  return p;
}

// Returns the struct by value.
unsigned bank_of(unsigned row) {
  struct place p = place_of(row);
  return p.bank * 65536 + p.tile * 8 + p.in_tile;
}

// A field of 4 bits with a sign.
int step_back(int step) {
  struct signed_place p;
  p.tile = 100;
  p.step = step;
  return p.tile + p.step;
}

// Adds up the fields of a loop's struct.
unsigned sum_of_fields(unsigned row) {
  unsigned sum = 0;
  for (unsigned k = 0; k < 4; ++k) {
    struct place p;
    p.tile = k;
    p.in_tile = row;
    sum += p.in_tile + p.tile;
  }
  return sum;
}

// The row has bits beyond the 16 of both fields.
unsigned row_by_fields_of_any(unsigned row) {
  struct place p;
  p.in_tile = row;
  p.tile = row >> 3;
  return p.tile * 8 + p.in_tile;
}

// Bank and tile are written, and the place in the tile is not.
unsigned row_without_place(unsigned row) {
  struct place p;
  p.tile = row >> 3;
  p.bank = 0;
  return p.tile * 8 + p.in_tile;
}
