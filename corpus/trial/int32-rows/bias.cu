// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Adds a bias to each row of the activations.
__global__ void add_bias(const float* x, const float* bias, float* y, int rows, int columns) {
  int row = blockIdx.y;
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows && column < columns) {
    int at = row * columns + column;
    y[at] = x[at] + bias[column];
  }
}
