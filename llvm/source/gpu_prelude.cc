// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/source/gpu_prelude.h"
#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/llvm/source/gpu_functions.h"

namespace layoutcheck {
namespace {

constexpr std::string_view kDeviceQualifiers = R"(#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
)";

// Kernels that are not called are left out, and the symbols that they need.
constexpr std::string_view kHostQualifiers = R"(#define __global__ __attribute__((internal_linkage))
#define __device__
#define __host__
#define __shared__
#define __constant__ static
#define __launch_bounds__(...)
)";

// Storage of 16-bit floating point is all that moving it needs.
constexpr std::string_view kTypes = R"(#define __forceinline__ inline
struct dim3 {
  unsigned x, y, z;
  __device__ __host__ constexpr dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1) : x(a), y(b), z(c) {}
};
typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef __INTPTR_TYPE__ intptr_t;
typedef __UINTPTR_TYPE__ uintptr_t;
#define LAYOUTCHECK_INTEGERS(width)              \
  typedef __INT##width##_TYPE__ int##width##_t; \
  typedef __UINT##width##_TYPE__ uint##width##_t
LAYOUTCHECK_INTEGERS(8);
LAYOUTCHECK_INTEGERS(16);
LAYOUTCHECK_INTEGERS(32);
LAYOUTCHECK_INTEGERS(64);
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned uint;
typedef unsigned long ulong;
typedef long clock_t;
#define LAYOUTCHECK_VECTORS(name, type)                                                                          \
  typedef type name##2 __attribute__((ext_vector_type(2)));                                                      \
  typedef type name##4 __attribute__((ext_vector_type(4)));                                                      \
  struct name##3 { type x, y, z; };                                                                              \
  __device__ __host__ inline name##2 make_##name##2(type x, type y) { return name##2{x, y}; }                    \
  __device__ __host__ inline name##3 make_##name##3(type x, type y, type z) { return name##3{x, y, z}; }         \
  __device__ __host__ inline name##4 make_##name##4(type x, type y, type z, type w) { return name##4{x, y, z, w}; }
#define LAYOUTCHECK_LEAST(type)                                                                 \
  __device__ __host__ constexpr inline type min(type a, type b) { return a < b ? a : b; } \
  __device__ __host__ constexpr inline type max(type a, type b) { return a < b ? b : a; }
#define LAYOUTCHECK_MIXED(type, other)                                                              \
  __device__ __host__ constexpr inline type min(type a, other b) { return min(a, (type)b); } \
  __device__ __host__ constexpr inline type min(other a, type b) { return min((type)a, b); } \
  __device__ __host__ constexpr inline type max(type a, other b) { return max(a, (type)b); } \
  __device__ __host__ constexpr inline type max(other a, type b) { return max((type)a, b); }
LAYOUTCHECK_LEAST(int)
LAYOUTCHECK_LEAST(unsigned)
LAYOUTCHECK_LEAST(long)
LAYOUTCHECK_LEAST(unsigned long)
LAYOUTCHECK_LEAST(long long)
LAYOUTCHECK_LEAST(unsigned long long)
LAYOUTCHECK_LEAST(float)
LAYOUTCHECK_LEAST(double)
LAYOUTCHECK_MIXED(unsigned, int)
LAYOUTCHECK_MIXED(unsigned long, long)
LAYOUTCHECK_MIXED(unsigned long long, long long)
LAYOUTCHECK_VECTORS(char, signed char)
LAYOUTCHECK_VECTORS(uchar, unsigned char)
LAYOUTCHECK_VECTORS(short, short)
LAYOUTCHECK_VECTORS(ushort, unsigned short)
LAYOUTCHECK_VECTORS(int, int)
LAYOUTCHECK_VECTORS(uint, unsigned)
LAYOUTCHECK_VECTORS(longlong, long long)
LAYOUTCHECK_VECTORS(ulonglong, unsigned long long)
LAYOUTCHECK_VECTORS(float, float)
LAYOUTCHECK_VECTORS(double, double)
typedef _Float16 __half;
typedef _Float16 half;
typedef _Float16 __half2 __attribute__((ext_vector_type(2)));
typedef __half2 half2;
typedef __bf16 __nv_bfloat16;
typedef __bf16 __hip_bfloat16;
)";

constexpr std::string_view kNumbers = R"(#define LAYOUTCHECK_NUMBER(axis, value) \
  __device__ static unsigned get_##axis() { return (unsigned)value(axis); } \
  __declspec(property(get = get_##axis)) unsigned axis
#define LAYOUTCHECK_NUMBERS(variable, value)                                                                   \
  extern const __device__ struct layoutcheck_##variable {                                                      \
    LAYOUTCHECK_NUMBER(x, value); LAYOUTCHECK_NUMBER(y, value); LAYOUTCHECK_NUMBER(z, value);                  \
    __device__ operator dim3() const { return dim3(get_x(), get_y(), get_z()); }                               \
  } variable
LAYOUTCHECK_NUMBERS(threadIdx, LAYOUTCHECK_THREAD);
LAYOUTCHECK_NUMBERS(blockIdx, LAYOUTCHECK_BLOCK);
LAYOUTCHECK_NUMBERS(blockDim, LAYOUTCHECK_THREADS);
LAYOUTCHECK_NUMBERS(gridDim, LAYOUTCHECK_BLOCKS);
)";

constexpr std::string_view kNvidia = R"(#define LAYOUTCHECK_THREAD(axis) __nvvm_read_ptx_sreg_tid_##axis()
#define LAYOUTCHECK_BLOCK(axis) __nvvm_read_ptx_sreg_ctaid_##axis()
#define LAYOUTCHECK_THREADS(axis) __nvvm_read_ptx_sreg_ntid_##axis()
#define LAYOUTCHECK_BLOCKS(axis) __nvvm_read_ptx_sreg_nctaid_##axis()
extern "C" int cudaConfigureCall(dim3, dim3, unsigned long = 0, void* = 0);
static constexpr int warpSize = 32;
)";

constexpr std::string_view kAmd = R"(#define LAYOUTCHECK_THREAD(axis) __builtin_amdgcn_workitem_id_##axis()
#define LAYOUTCHECK_BLOCK(axis) __builtin_amdgcn_workgroup_id_##axis()
#define LAYOUTCHECK_THREADS(axis) __builtin_amdgcn_workgroup_size_##axis()
#define LAYOUTCHECK_PLACE_x 0
#define LAYOUTCHECK_PLACE_y 1
#define LAYOUTCHECK_PLACE_z 2
#define LAYOUTCHECK_BLOCKS(axis) \
  ((const __attribute__((address_space(4))) unsigned*)__builtin_amdgcn_implicitarg_ptr())[LAYOUTCHECK_PLACE_##axis]
__device__ inline void __syncthreads() { __builtin_amdgcn_s_barrier(); }
extern "C" int __hipPushCallConfiguration(dim3, dim3, unsigned long = 0, void* = 0);
static constexpr int warpSize = 64;
)";

constexpr std::string_view kHost = R"(extern "C" void layoutcheck_barrier(void);
static inline void __syncthreads() { layoutcheck_barrier(); }
static inline void __syncwarp(unsigned long long mask = 0) { layoutcheck_barrier(); }
static constexpr int warpSize = 32;
#define __builtin_amdgcn_s_barrier() layoutcheck_barrier()
static uint3 threadIdx, blockIdx;
static dim3 blockDim, gridDim;
#define __nvvm_read_ptx_sreg_tid_x() ((int)threadIdx.x)
#define __nvvm_read_ptx_sreg_tid_y() ((int)threadIdx.y)
#define __nvvm_read_ptx_sreg_tid_z() ((int)threadIdx.z)
#define __nvvm_read_ptx_sreg_ctaid_x() ((int)blockIdx.x)
#define __nvvm_read_ptx_sreg_ctaid_y() ((int)blockIdx.y)
#define __nvvm_read_ptx_sreg_ctaid_z() ((int)blockIdx.z)
#define __nvvm_read_ptx_sreg_ntid_x() ((int)blockDim.x)
#define __nvvm_read_ptx_sreg_ntid_y() ((int)blockDim.y)
#define __nvvm_read_ptx_sreg_ntid_z() ((int)blockDim.z)
#define __nvvm_read_ptx_sreg_nctaid_x() ((int)gridDim.x)
#define __nvvm_read_ptx_sreg_nctaid_y() ((int)gridDim.y)
#define __nvvm_read_ptx_sreg_nctaid_z() ((int)gridDim.z)
#define __builtin_amdgcn_workitem_id_x() threadIdx.x
#define __builtin_amdgcn_workitem_id_y() threadIdx.y
#define __builtin_amdgcn_workitem_id_z() threadIdx.z
#define __builtin_amdgcn_workgroup_id_x() blockIdx.x
#define __builtin_amdgcn_workgroup_id_y() blockIdx.y
#define __builtin_amdgcn_workgroup_id_z() blockIdx.z
#define __builtin_amdgcn_workgroup_size_x() blockDim.x
#define __builtin_amdgcn_workgroup_size_y() blockDim.y
#define __builtin_amdgcn_workgroup_size_z() blockDim.z
)";

constexpr std::string_view kHipNames = R"(#define hipThreadIdx_x threadIdx.x
#define hipThreadIdx_y threadIdx.y
#define hipThreadIdx_z threadIdx.z
#define hipBlockIdx_x blockIdx.x
#define hipBlockIdx_y blockIdx.y
#define hipBlockIdx_z blockIdx.z
#define hipBlockDim_x blockDim.x
#define hipBlockDim_y blockDim.y
#define hipBlockDim_z blockDim.z
#define hipGridDim_x gridDim.x
#define hipGridDim_y gridDim.y
#define hipGridDim_z gridDim.z
)";

constexpr std::array<std::string_view, 31> kHeaders{"cuda_pipeline.h",
                                                    "cuda_pipeline_primitives.h",
                                                    "curand_kernel.h",
                                                    "cuda.h",
                                                    "cuda_runtime.h",
                                                    "cuda_runtime_api.h",
                                                    "cuda_device_runtime_api.h",
                                                    "device_launch_parameters.h",
                                                    "cuda_fp16.h",
                                                    "cuda_bf16.h",
                                                    "cuda_fp8.h",
                                                    "vector_types.h",
                                                    "vector_functions.h",
                                                    "cooperative_groups.h",
                                                    "cooperative_groups/reduce.h",
                                                    "device_functions.h",
                                                    "device_atomic_functions.h",
                                                    "sm_20_intrinsics.h",
                                                    "math_constants.h",
                                                    "math_functions.h",
                                                    "mma.h",
                                                    "helper_cuda.h",
                                                    "helper_functions.h",
                                                    "cuda_profiler_api.h",
                                                    "cublas_v2.h",
                                                    "hip/hip_runtime.h",
                                                    "hip/hip_runtime_api.h",
                                                    "hip/hip_fp16.h",
                                                    "hip/hip_bf16.h",
                                                    "hip/hip_cooperative_groups.h",
                                                    "hip/device_functions.h"};

// An assertion that fails is a trap. The system's header would call a function of the host.
constexpr std::string_view kAssert = R"(#undef assert
#ifdef NDEBUG
#define assert(claim) ((void)0)
#else
#define assert(claim) ((claim) ? (void)0 : __builtin_trap())
#endif
)";

}  // namespace

std::string GpuPrelude(GpuTarget target) {
  if (target == GpuTarget::kHost) return StrCat(kHostQualifiers, kTypes, kHost, GpuFunctions(), kHipNames);
  const bool is_amd = target == GpuTarget::kAmd;
  return StrCat(kDeviceQualifiers, kTypes, is_amd ? kAmd : kNvidia, kNumbers, GpuFunctions(), is_amd ? kHipNames : "");
}

bool WriteGpuHeaders(const std::string& folder) {
  const auto write = [&](std::string_view name, std::string_view text) {
    const std::filesystem::path path = StrCat(folder, "/", name);
    std::error_code error;
    std::filesystem::create_directories(path.parent_path(), error);
    return !error && (std::ofstream(path) << text).good();
  };
  bool is_written = write("assert.h", kAssert) && write("cassert", kAssert);
  for (const std::string_view header : kHeaders) is_written = is_written && write(header, "#pragma once\n");
  return is_written;
}

bool IsToolkitHeader(std::string_view name) {
  static constexpr std::array kNames = std::to_array<std::string_view>(
      {"cub/",     "thrust/", "cuda/",  "cooperative_groups/", "hipcub/", "hip/",   "cuda_", "curand", "cublas",
       "cudnn",    "nccl",    "nvtx3/", "nvToolsExt",          "helper_", "torch/", "ATen/", "c10/",   "pybind11/",
       "cutlass/", "cute/"});
  return std::ranges::any_of(kNames, [&](std::string_view known) { return name.starts_with(known); });
}

}  // namespace layoutcheck
