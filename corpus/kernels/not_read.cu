// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels of which something is not read: no law may be proved that rests on it.
#include <cmath>
#include <ctime>
#include <cub/cub.cuh>

// The body does not compile: nobody knows what it reads.
__device__ float table(int i) { return cub::nothing(i); }

__global__ void reads_a_table(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = table(i);
}

// Reads behind the end in one iteration, which an argument says.
__global__ void one_iteration(const float* in, float* out, long long n, long long iteration) {
  const long long first = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  for (long long i = first; i < n; i += (long long)blockDim.x * gridDim.x) out[i] = in[i == iteration ? n : i];
}

// Both loops store the same elements.
__global__ void twice(const float* in, float* out, long long n) {
  const long long first = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  for (long long i = first; i < n; i += (long long)blockDim.x * gridDim.x) out[i] = in[i];
  for (long long i = first; i < n; i += (long long)blockDim.x * gridDim.x) out[i] = in[i];
}

__global__ void counts_beside(const float* in, float* out, unsigned* count, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) { out[0] = in[i]; atomicAdd(count, 1u); }
}

// The instance of a template that does not compile costs the others nothing.
template <class T>
__global__ void sum_of_cub(const T* in, T* out) {
  out[0] = cub::nothing(in[0]);
}
template __global__ void sum_of_cub<float>(const float*, float*);
