// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Unpacks weights of four bits, two per byte, into bytes.
__global__ void unpack(const unsigned char* packed, unsigned char* out, int bytes) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= bytes) return;
  out[2 * (long long)i] = packed[i] >> 4;
  out[2 * (long long)i + 1] = packed[i] & 15;
}
