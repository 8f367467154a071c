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
template <class T> LAYOUTCHECK_ANY unsigned __match_any_sync(unsigned mask, T value);
LAYOUTCHECK_ANY unsigned __ballot(int value);
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
__device__ inline void __nanosleep(unsigned) {}
__device__ inline void __trap() { __builtin_trap(); }
// An operation on all GPUs of a system, or within a block, is atomic for the threads that perform it.
#define LAYOUTCHECK_SCOPES(define, name, operation) \
  define(name, operation) define(name##_block, operation) define(name##_system, operation)
#define LAYOUTCHECK_ATOMIC(name, operation)                                                          \
  template <class T> __device__ inline T name(T* place, typename layoutcheck_type<T>::type value) { \
    return operation(place, value, __ATOMIC_RELAXED);                                                \
  }
LAYOUTCHECK_SCOPES(LAYOUTCHECK_ATOMIC, atomicAdd, __atomic_fetch_add)
LAYOUTCHECK_SCOPES(LAYOUTCHECK_ATOMIC, atomicSub, __atomic_fetch_sub)
LAYOUTCHECK_SCOPES(LAYOUTCHECK_ATOMIC, atomicMin, __atomic_fetch_min)
LAYOUTCHECK_SCOPES(LAYOUTCHECK_ATOMIC, atomicMax, __atomic_fetch_max)
LAYOUTCHECK_SCOPES(LAYOUTCHECK_ATOMIC, atomicAnd, __atomic_fetch_and)
LAYOUTCHECK_SCOPES(LAYOUTCHECK_ATOMIC, atomicOr, __atomic_fetch_or)
LAYOUTCHECK_SCOPES(LAYOUTCHECK_ATOMIC, atomicXor, __atomic_fetch_xor)
#define LAYOUTCHECK_EXCHANGE(name, operation)                                                       \
  template <class T> __device__ inline T name(T* place, typename layoutcheck_type<T>::type value) { \
    T old;                                                                                          \
    operation(place, &value, &old, __ATOMIC_RELAXED);                                               \
    return old;                                                                                     \
  }
LAYOUTCHECK_SCOPES(LAYOUTCHECK_EXCHANGE, atomicExch, __atomic_exchange)
#define LAYOUTCHECK_COMPARE(name, operation)                                                         \
  template <class T>                                                                                 \
  __device__ inline T name(T* place, typename layoutcheck_type<T>::type expected,                    \
                           typename layoutcheck_type<T>::type value) {                               \
    operation(place, &expected, &value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);                  \
    return expected;                                                                                 \
  }
LAYOUTCHECK_SCOPES(LAYOUTCHECK_COMPARE, atomicCAS, __atomic_compare_exchange)
// Nothing is known of the number that they store. Threads of the host run one after another.
#if defined(__CUDA__) || defined(__HIP__)
#define LAYOUTCHECK_COUNT(name, next) \
  __device__ inline unsigned name(unsigned* place, unsigned) { return __atomic_fetch_add(place, 1, __ATOMIC_RELAXED); }
#else
#define LAYOUTCHECK_COUNT(name, next)                     \
  inline unsigned name(unsigned* place, unsigned last) { \
    const unsigned old = *place;                         \
    *place = next;                                       \
    return old;                                          \
  }
#endif
LAYOUTCHECK_COUNT(atomicInc, old >= last ? 0 : old + 1)
LAYOUTCHECK_COUNT(atomicDec, old == 0 || old > last ? last : old - 1)
__device__ __host__ inline int __popc(unsigned value) { return __builtin_popcount(value); }
__device__ __host__ inline int __popcll(unsigned long long value) { return __builtin_popcountll(value); }
__device__ __host__ inline int __clz(int value) { return value == 0 ? 32 : __builtin_clz((unsigned)value); }
__device__ __host__ inline int __clzll(long long value) {
  return value == 0 ? 64 : __builtin_clzll((unsigned long long)value);
}
__device__ __host__ inline int __ffs(int value) { return value == 0 ? 0 : __builtin_ctz((unsigned)value) + 1; }
__device__ __host__ inline int __ffsll(long long value) {
  return value == 0 ? 0 : __builtin_ctzll((unsigned long long)value) + 1;
}
__device__ __host__ inline unsigned __brev(unsigned value) { return __builtin_bitreverse32(value); }
__device__ __host__ inline unsigned long long __brevll(unsigned long long value) {
  return __builtin_bitreverse64(value);
}
__device__ __host__ inline unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
  return (unsigned)(((unsigned long long)high << 32 | low) << (shift & 31) >> 32);
}
__device__ __host__ inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
  return (unsigned)(((unsigned long long)high << 32 | low) >> (shift & 31));
}
__device__ __host__ inline int __mulhi(int a, int b) { return (int)((long long)a * b >> 32); }
__device__ __host__ inline unsigned __umulhi(unsigned a, unsigned b) {
  return (unsigned)((unsigned long long)a * b >> 32);
}
__device__ __host__ inline long long __mul64hi(long long a, long long b) { return (long long)((__int128)a * b >> 64); }
__device__ __host__ inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return (unsigned long long)((unsigned __int128)a * b >> 64);
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
#if defined(__CUDA__) || defined(__HIP__)
LAYOUTCHECK_ANY long long clock();
extern "C" LAYOUTCHECK_ANY int printf(const char*, ...);
extern "C" __device__ void* memcpy(void* to, const void* from, size_t bytes) noexcept;
extern "C" __device__ void* memmove(void* to, const void* from, size_t bytes) noexcept;
extern "C" __device__ void* memset(void* to, int byte, size_t bytes) noexcept;
extern "C" __device__ void* malloc(size_t bytes) noexcept;
extern "C" __device__ void free(void* place) noexcept;
// Copies that go on while the thread does.
__device__ void __pipeline_memcpy_async(void* to, const void* from, size_t bytes, size_t zeros = 0);
__device__ void __pipeline_commit();
__device__ void __pipeline_wait_prior(size_t groups);
#else
inline void __pipeline_memcpy_async(void* to, const void* from, size_t bytes, size_t zeros = 0) {
  __builtin_memcpy(to, from, bytes - zeros);
  __builtin_memset((char*)to + bytes - zeros, 0, zeros);
}
inline void __pipeline_commit() {}
inline void __pipeline_wait_prior(size_t) {}
#include <math.h>
#include <stdio.h>
#include <time.h>
#endif
)";

}  // namespace

std::string GpuFunctions() { return StrCat(kFunctions, GpuNumbers(), GpuGroups()); }

}  // namespace layoutcheck
