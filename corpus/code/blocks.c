// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Offsets in blocked formats of convolutions.
#include <stdint.h>

typedef int64_t dim_t;

static dim_t div_up(dim_t a, dim_t b) { return (a + b - 1) / b; }

int nChw16c(int n, int c, int h, int w, int C, int H, int W) {
  int CB = (C + 15) / 16;
  return (((n * CB + c / 16) * H + h) * W + w) * 16 + c % 16;
}

// Drops the last, partial block of channels.
int nChw16c_floor(int n, int c, int h, int w, int C, int H, int W) {
  int CB = C / 16;
  return (((n * CB + c / 16) * H + h) * W + w) * 16 + c % 16;
}

dim_t nChw8c(dim_t n, dim_t c, dim_t h, dim_t w, dim_t C, dim_t H, dim_t W) {
  return (((n * div_up(C, 8) + c / 8) * H + h) * W + w) * 8 + c % 8;
}

// The block of channels is inside of the rows.
int nhCw16c(int n, int c, int h, int w, int C, int H, int W) {
  int CB = (C + 15) / 16;
  return (((n * H + h) * CB + c / 16) * W + w) * 16 + c % 16;
}

int OIhw16i16o(int o, int i, int h, int w, int I, int H, int W) {
  int IB = (I + 15) / 16;
  return (((o / 16 * IB + i / 16) * H + h) * W + w) * 256 + (i % 16) * 16 + o % 16;
}

int OIhw16o16i(int o, int i, int h, int w, int I, int H, int W) {
  int IB = (I + 15) / 16;
  return (((o / 16 * IB + i / 16) * H + h) * W + w) * 256 + (o % 16) * 16 + i % 16;
}

struct conv_weights {
  int O, I, H, W;
};

int OIhw8i8o(struct conv_weights d, int o, int i, int h, int w) {
  int inner = (i & 7) << 3 | (o & 7);
  int outer = ((o >> 3) * ((d.I + 7) >> 3) + (i >> 3)) * d.H * d.W + h * d.W + w;
  return outer * 64 + inner;
}

// Blocks of the output are counted in the number of outputs.
int OIhw8i8o_by_outputs(struct conv_weights d, int o, int i, int h, int w) {
  int inner = (i & 7) << 3 | (o & 7);
  int outer = ((o >> 3) * ((d.O + 7) >> 3) + (i >> 3)) * d.H * d.W + h * d.W + w;
  return outer * 64 + inner;
}

// Blocks of 4 channels: the vectors of int8 dot products.
int nChw4c(const int* dims, int n, int c, int h, int w) {
  const int blocks = (dims[1] + 3) / 4;
  return (((n * blocks + c / 4) * dims[2] + h) * dims[3] + w) * 4 + c % 4;
}

// The loop over the dimensions stops before the last one.
int nchw_by_loop(const int* dims, int n, int c, int h, int w) {
  const int index[4] = {n, c, h, w};
  int offset = 0;
  for (int k = 0; k < 3; k++) offset = offset * dims[k] + index[k];
  return offset;
}
