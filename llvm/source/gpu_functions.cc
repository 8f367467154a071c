// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/source/gpu_functions.h"
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

// Functions of the toolkits. A value that other threads say, or that is no integer, has a function without a body:
// nothing is known about it. Fences are nothing here, because nobody waits at one.
constexpr std::string_view kFunctions = R"(typedef struct layoutcheck_stream *cudaStream_t, *hipStream_t;
typedef struct layoutcheck_event *cudaEvent_t, *hipEvent_t;
enum cudaError_t { cudaSuccess };
enum hipError_t { hipSuccess };
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __grid_constant__
#define LAYOUTCHECK_READ(name) template <class T> __device__ inline T name(const T* place) { return *place; }
LAYOUTCHECK_READ(__ldg)
LAYOUTCHECK_READ(__ldca)
LAYOUTCHECK_READ(__ldcg)
LAYOUTCHECK_READ(__ldcs)
LAYOUTCHECK_READ(__ldcv)
LAYOUTCHECK_READ(__ldlu)
template <class T> struct layoutcheck_type { typedef T type; };
#define LAYOUTCHECK_WRITE(name) \
  template <class T> __device__ inline void name(T* place, typename layoutcheck_type<T>::type value) { *place = value; }
LAYOUTCHECK_WRITE(__stcg)
LAYOUTCHECK_WRITE(__stcs)
LAYOUTCHECK_WRITE(__stwb)
LAYOUTCHECK_WRITE(__stwt)
#define LAYOUTCHECK_ANY __device__ __attribute__((const))
#define LAYOUTCHECK_SHUFFLE(name, lane)                                                                   \
  template <class T> LAYOUTCHECK_ANY T __##name##_sync(unsigned mask, T value, lane, int width = 32); \
  template <class T> LAYOUTCHECK_ANY T __##name(T value, lane, int width = 32);
LAYOUTCHECK_SHUFFLE(shfl, int lane)
LAYOUTCHECK_SHUFFLE(shfl_up, unsigned lanes)
LAYOUTCHECK_SHUFFLE(shfl_down, unsigned lanes)
LAYOUTCHECK_SHUFFLE(shfl_xor, int lanes)
#define LAYOUTCHECK_REDUCE(name) template <class T> LAYOUTCHECK_ANY T __reduce_##name##_sync(unsigned mask, T value);
LAYOUTCHECK_REDUCE(add)
LAYOUTCHECK_REDUCE(min)
LAYOUTCHECK_REDUCE(max)
LAYOUTCHECK_REDUCE(and)
LAYOUTCHECK_REDUCE(or)
LAYOUTCHECK_REDUCE(xor)
LAYOUTCHECK_ANY int __any_sync(unsigned mask, int value);
LAYOUTCHECK_ANY int __all_sync(unsigned mask, int value);
LAYOUTCHECK_ANY unsigned __ballot_sync(unsigned mask, int value);
LAYOUTCHECK_ANY unsigned __activemask();
LAYOUTCHECK_ANY int __any(int value);
LAYOUTCHECK_ANY int __all(int value);
LAYOUTCHECK_ANY long long clock64();
LAYOUTCHECK_ANY int layoutcheck_vote(int value);
__device__ inline int __syncthreads_count(int value) { __syncthreads(); return layoutcheck_vote(value); }
__device__ inline int __syncthreads_and(int value) { __syncthreads(); return layoutcheck_vote(value); }
__device__ inline int __syncthreads_or(int value) { __syncthreads(); return layoutcheck_vote(value); }
__device__ void layoutcheck_tile_barrier(unsigned size);
#if defined(__HIP__)
__device__ void __syncwarp(unsigned long long mask = 0xffffffffffffffff);
#elif defined(__CUDA__)
__device__ void __syncwarp(unsigned mask = 0xffffffff);
#endif
__device__ inline void __threadfence() {}
__device__ inline void __threadfence_block() {}
__device__ inline void __threadfence_system() {}
#define LAYOUTCHECK_ATOMIC(name, operation)                                                          \
  template <class T> __device__ inline T name(T* place, typename layoutcheck_type<T>::type value) { \
    return operation(place, value, __ATOMIC_RELAXED);                                                \
  }
LAYOUTCHECK_ATOMIC(atomicAdd, __atomic_fetch_add)
LAYOUTCHECK_ATOMIC(atomicSub, __atomic_fetch_sub)
LAYOUTCHECK_ATOMIC(atomicMin, __atomic_fetch_min)
LAYOUTCHECK_ATOMIC(atomicMax, __atomic_fetch_max)
LAYOUTCHECK_ATOMIC(atomicAnd, __atomic_fetch_and)
LAYOUTCHECK_ATOMIC(atomicOr, __atomic_fetch_or)
LAYOUTCHECK_ATOMIC(atomicXor, __atomic_fetch_xor)
template <class T> __device__ inline T atomicExch(T* place, typename layoutcheck_type<T>::type value) {
  T old;
  __atomic_exchange(place, &value, &old, __ATOMIC_RELAXED);
  return old;
}
template <class T>
__device__ inline T atomicCAS(T* place, typename layoutcheck_type<T>::type expected,
                              typename layoutcheck_type<T>::type value) {
  __atomic_compare_exchange(place, &expected, &value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  return expected;
}
__device__ __host__ inline int __popc(unsigned value) { return __builtin_popcount(value); }
__device__ __host__ inline int __popcll(unsigned long long value) { return __builtin_popcountll(value); }
__device__ __host__ inline int __clz(int value) { return value == 0 ? 32 : __builtin_clz((unsigned)value); }
__device__ __host__ inline int __ffs(int value) { return __builtin_ffs(value); }
__device__ __host__ inline unsigned __brev(unsigned value) { return __builtin_bitreverse32(value); }
__device__ __host__ inline int __mulhi(int a, int b) { return (int)((long long)a * b >> 32); }
__device__ __host__ inline unsigned __umulhi(unsigned a, unsigned b) {
  return (unsigned)((unsigned long long)a * b >> 32);
}
__device__ __host__ inline int __mul24(int a, int b) { return ((a << 8) >> 8) * ((b << 8) >> 8); }
__device__ __host__ inline unsigned __umul24(unsigned a, unsigned b) { return (a & 0xffffffu) * (b & 0xffffffu); }
__device__ __host__ inline unsigned __byte_perm(unsigned a, unsigned b, unsigned selector) {
  unsigned long long bytes = (unsigned long long)b << 32 | a;
  unsigned result = 0;
  for (int k = 0; k < 4; ++k) {
    unsigned byte = (unsigned)(bytes >> (selector >> 4 * k & 7) * 8) & 255;
    if (selector >> 4 * k & 8) byte = byte & 128 ? 255 : 0;
    result |= byte << 8 * k;
  }
  return result;
}
__device__ __host__ inline unsigned umin(unsigned a, unsigned b) { return min(a, b); }
__device__ __host__ inline unsigned umax(unsigned a, unsigned b) { return max(a, b); }
#define LAYOUTCHECK_BITS(name, to, from) \
  __device__ __host__ inline to name(from value) { return __builtin_bit_cast(to, value); }
LAYOUTCHECK_BITS(__float_as_int, int, float)
LAYOUTCHECK_BITS(__float_as_uint, unsigned, float)
LAYOUTCHECK_BITS(__int_as_float, float, int)
LAYOUTCHECK_BITS(__uint_as_float, float, unsigned)
LAYOUTCHECK_BITS(__half_as_ushort, unsigned short, half)
LAYOUTCHECK_BITS(__ushort_as_half, half, unsigned short)
#define LAYOUTCHECK_CONVERSION(name, to, from) \
  __device__ __host__ inline to name(from value) { return (to)value; }
LAYOUTCHECK_CONVERSION(__float2half, half, float)
LAYOUTCHECK_CONVERSION(__float2half_rn, half, float)
LAYOUTCHECK_CONVERSION(__half2float, float, half)
LAYOUTCHECK_CONVERSION(__int2half_rn, half, int)
LAYOUTCHECK_CONVERSION(__float2int_rn, int, float)
LAYOUTCHECK_CONVERSION(__float2int_rd, int, float)
LAYOUTCHECK_CONVERSION(__int2float_rn, float, int)
LAYOUTCHECK_CONVERSION(__float2bfloat16, __nv_bfloat16, float)
LAYOUTCHECK_CONVERSION(__float2bfloat16_rn, __nv_bfloat16, float)
LAYOUTCHECK_CONVERSION(__bfloat162float, float, __nv_bfloat16)
typedef __nv_bfloat16 __nv_bfloat162 __attribute__((ext_vector_type(2)));
__device__ inline half2 __floats2half2_rn(float a, float b) { return half2{(half)a, (half)b}; }
__device__ inline half2 __halves2half2(half a, half b) { return half2{a, b}; }
__device__ inline half2 __float2half2_rn(float a) { return half2{(half)a, (half)a}; }
__device__ inline float2 __half22float2(half2 a) { return float2{(float)a.x, (float)a.y}; }
__device__ inline half __low2half(half2 a) { return a.x; }
__device__ inline half __high2half(half2 a) { return a.y; }
#define LAYOUTCHECK_FLOATS(name, type) \
  LAYOUTCHECK_ANY type name(type a);  \
  LAYOUTCHECK_ANY type name(type a, type b); \
  LAYOUTCHECK_ANY type name(type a, type b, type c);
#if defined(__CUDA__) || defined(__HIP__)
LAYOUTCHECK_ANY long long clock();
extern "C" LAYOUTCHECK_ANY int printf(const char*, ...);
extern "C" __device__ void* memcpy(void* to, const void* from, size_t bytes) noexcept;
extern "C" __device__ void* memmove(void* to, const void* from, size_t bytes) noexcept;
extern "C" __device__ void* memset(void* to, int byte, size_t bytes) noexcept;
#define LAYOUTCHECK_FLOAT(name) LAYOUTCHECK_FLOATS(name##f, float) LAYOUTCHECK_FLOATS(name, double) \
  LAYOUTCHECK_ANY float name(float a); LAYOUTCHECK_ANY float name(float a, float b);
LAYOUTCHECK_FLOAT(exp)
LAYOUTCHECK_FLOAT(exp2)
LAYOUTCHECK_FLOAT(expm1)
LAYOUTCHECK_FLOAT(log)
LAYOUTCHECK_FLOAT(log2)
LAYOUTCHECK_FLOAT(log1p)
LAYOUTCHECK_FLOAT(sqrt)
LAYOUTCHECK_FLOAT(tanh)
LAYOUTCHECK_FLOAT(sin)
LAYOUTCHECK_FLOAT(cos)
LAYOUTCHECK_FLOAT(erf)
LAYOUTCHECK_FLOAT(pow)
LAYOUTCHECK_FLOAT(fabs)
LAYOUTCHECK_FLOAT(floor)
LAYOUTCHECK_FLOAT(ceil)
LAYOUTCHECK_FLOAT(round)
LAYOUTCHECK_FLOAT(rint)
LAYOUTCHECK_FLOAT(fmax)
LAYOUTCHECK_FLOAT(fmin)
LAYOUTCHECK_FLOAT(fma)
LAYOUTCHECK_FLOAT(fmod)
#else
#include <math.h>
#include <stdio.h>
#include <time.h>
#endif
LAYOUTCHECK_FLOATS(rsqrtf, float)
LAYOUTCHECK_FLOATS(rsqrt, double)
LAYOUTCHECK_FLOATS(__expf, float)
LAYOUTCHECK_FLOATS(__logf, float)
LAYOUTCHECK_FLOATS(__powf, float)
LAYOUTCHECK_FLOATS(__sinf, float)
LAYOUTCHECK_FLOATS(__cosf, float)
LAYOUTCHECK_FLOATS(__fdividef, float)
LAYOUTCHECK_FLOATS(__frcp_rn, float)
LAYOUTCHECK_FLOATS(__fmaf_rn, float)
LAYOUTCHECK_FLOATS(__fmul_rn, float)
LAYOUTCHECK_FLOATS(__fadd_rn, float)
LAYOUTCHECK_FLOATS(__saturatef, float)
#define LAYOUTCHECK_HALF(name) LAYOUTCHECK_FLOATS(name, half) LAYOUTCHECK_FLOATS(name, __nv_bfloat16)
LAYOUTCHECK_HALF(__hadd)
LAYOUTCHECK_HALF(__hsub)
LAYOUTCHECK_HALF(__hmul)
LAYOUTCHECK_HALF(__hdiv)
LAYOUTCHECK_HALF(__hfma)
LAYOUTCHECK_HALF(__hmax)
LAYOUTCHECK_HALF(__hmin)
LAYOUTCHECK_HALF(__hneg)
LAYOUTCHECK_HALF(hexp)
LAYOUTCHECK_HALF(hsqrt)
LAYOUTCHECK_FLOATS(__hadd2, half2)
LAYOUTCHECK_FLOATS(__hsub2, half2)
LAYOUTCHECK_FLOATS(__hmul2, half2)
LAYOUTCHECK_FLOATS(__hfma2, half2)
LAYOUTCHECK_FLOATS(__hmax2, half2)
)";

// Groups of threads, as of <cooperative_groups.h>.
constexpr std::string_view kGroups = R"(namespace cooperative_groups {
__device__ inline unsigned layoutcheck_rank() {
  return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
struct thread_block {
  __device__ void sync() const { __syncthreads(); }
  __device__ unsigned thread_rank() const { return layoutcheck_rank(); }
  __device__ unsigned size() const { return blockDim.x * blockDim.y * blockDim.z; }
  __device__ unsigned num_threads() const { return size(); }
  __device__ dim3 group_index() const { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  __device__ dim3 thread_index() const { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
  __device__ dim3 group_dim() const { return dim3(blockDim.x, blockDim.y, blockDim.z); }
};
template <unsigned Size> struct thread_block_tile {
  __device__ void sync() const { layoutcheck_tile_barrier(Size); }
  __device__ unsigned thread_rank() const { return layoutcheck_rank() % Size; }
  __device__ unsigned meta_group_rank() const { return layoutcheck_rank() / Size; }
  __device__ static constexpr unsigned size() { return Size; }
  __device__ static constexpr unsigned num_threads() { return Size; }
  template <class T> LAYOUTCHECK_ANY T shfl(T value, unsigned lane) const;
  template <class T> LAYOUTCHECK_ANY T shfl_up(T value, unsigned lanes) const;
  template <class T> LAYOUTCHECK_ANY T shfl_down(T value, unsigned lanes) const;
  template <class T> LAYOUTCHECK_ANY T shfl_xor(T value, unsigned lanes) const;
  LAYOUTCHECK_ANY int any(int value) const;
  LAYOUTCHECK_ANY int all(int value) const;
  LAYOUTCHECK_ANY unsigned ballot(int value) const;
};
__device__ inline thread_block this_thread_block() { return thread_block(); }
template <unsigned Size, class Group> __device__ inline thread_block_tile<Size> tiled_partition(const Group&) {
  return thread_block_tile<Size>();
}
template <class Group> __device__ inline void sync(const Group& group) { group.sync(); }
template <class T> struct plus {};
template <class T> struct less {};
template <class T> struct greater {};
template <class Group, class T, class F> LAYOUTCHECK_ANY T reduce(const Group& group, T value, F operation);
}  // namespace cooperative_groups
)";

}  // namespace

std::string GpuFunctions() { return StrCat(kFunctions, kGroups); }

}  // namespace layoutcheck
