// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/source/gpu_functions.h"

namespace layoutcheck {
namespace {

// Functions of floating-point numbers, about whose results nothing is known, and conversions.
constexpr std::string_view kFloatFunctions = R"(#define LAYOUTCHECK_BITS(name, to, from) \
  __device__ __host__ inline to name(from value) { return __builtin_bit_cast(to, value); }
LAYOUTCHECK_BITS(__float_as_int, int, float)
LAYOUTCHECK_BITS(__float_as_uint, unsigned, float)
LAYOUTCHECK_BITS(__int_as_float, float, int)
LAYOUTCHECK_BITS(__uint_as_float, float, unsigned)
LAYOUTCHECK_BITS(__double_as_longlong, long long, double)
LAYOUTCHECK_BITS(__longlong_as_double, double, long long)
LAYOUTCHECK_BITS(__half_as_ushort, unsigned short, half)
LAYOUTCHECK_BITS(__half_as_short, short, half)
LAYOUTCHECK_BITS(__ushort_as_half, half, unsigned short)
LAYOUTCHECK_BITS(__short_as_half, half, short)
LAYOUTCHECK_BITS(__bfloat16_as_ushort, unsigned short, __nv_bfloat16)
LAYOUTCHECK_BITS(__ushort_as_bfloat16, __nv_bfloat16, unsigned short)
#define LAYOUTCHECK_CONVERSION(name, to, from) \
  __device__ __host__ inline to name(from value) { return (to)value; }
LAYOUTCHECK_CONVERSION(__float2half, half, float)
LAYOUTCHECK_CONVERSION(__float2half_rn, half, float)
LAYOUTCHECK_CONVERSION(__half2float, float, half)
LAYOUTCHECK_CONVERSION(__int2half_rn, half, int)
#define LAYOUTCHECK_ROUNDED(name, to, from) \
  LAYOUTCHECK_CONVERSION(name##_rn, to, from) LAYOUTCHECK_CONVERSION(name##_rz, to, from) \
  LAYOUTCHECK_CONVERSION(name##_ru, to, from) LAYOUTCHECK_CONVERSION(name##_rd, to, from)
LAYOUTCHECK_ROUNDED(__float2int, int, float)
LAYOUTCHECK_ROUNDED(__float2uint, unsigned, float)
LAYOUTCHECK_ROUNDED(__float2ll, long long, float)
LAYOUTCHECK_ROUNDED(__double2int, int, double)
LAYOUTCHECK_ROUNDED(__double2float, float, double)
LAYOUTCHECK_ROUNDED(__int2float, float, int)
LAYOUTCHECK_ROUNDED(__uint2float, float, unsigned)
LAYOUTCHECK_ROUNDED(__ll2float, float, long long)
LAYOUTCHECK_ROUNDED(__half2int, int, half)
LAYOUTCHECK_ROUNDED(__half2uint, unsigned, half)
LAYOUTCHECK_CONVERSION(__int2double_rn, double, int)
LAYOUTCHECK_CONVERSION(__float2half_rz, half, float)
LAYOUTCHECK_CONVERSION(__double2half, half, double)
LAYOUTCHECK_CONVERSION(__short2half_rn, half, short)
LAYOUTCHECK_CONVERSION(__uint2half_rn, half, unsigned)
LAYOUTCHECK_CONVERSION(__int2bfloat16_rn, __nv_bfloat16, int)
LAYOUTCHECK_CONVERSION(__float2bfloat16, __nv_bfloat16, float)
LAYOUTCHECK_CONVERSION(__float2bfloat16_rn, __nv_bfloat16, float)
LAYOUTCHECK_CONVERSION(__bfloat162float, float, __nv_bfloat16)
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat16 __nv_bfloat162 __attribute__((ext_vector_type(2)));
typedef __nv_bfloat162 nv_bfloat162;
// Pairs of 16 bits: `of` names them in functions' names.
#define LAYOUTCHECK_PAIRS(of, one, pair)                                                      \
  __device__ inline pair __floats2##of##2_rn(float a, float b) { return pair{(one)a, (one)b}; } \
  __device__ inline pair __float2##of##2_rn(float a) { return pair{(one)a, (one)a}; }           \
  __device__ inline pair __float22##of##2_rn(float2 a) { return pair{(one)a.x, (one)a.y}; }     \
  __device__ inline pair __halves2##of##2(one a, one b) { return pair{a, b}; }                  \
  __device__ inline pair __##of##2##of##2(one a) { return pair{a, a}; }                         \
  __device__ inline pair make_##of##2(one a, one b) { return pair{a, b}; }                      \
  __device__ inline float2 __##of##22float2(pair a) { return float2{(float)a.x, (float)a.y}; }  \
  __device__ inline float __low2float(pair a) { return (float)a.x; }                            \
  __device__ inline float __high2float(pair a) { return (float)a.y; }                           \
  __device__ inline one __low2##of(pair a) { return a.x; }                                      \
  __device__ inline one __high2##of(pair a) { return a.y; }                                     \
  __device__ inline pair __low2##of##2(pair a) { return pair{a.x, a.x}; }                       \
  __device__ inline pair __high2##of##2(pair a) { return pair{a.y, a.y}; }                      \
  __device__ inline pair __lows2##of##2(pair a, pair b) { return pair{a.x, b.x}; }              \
  __device__ inline pair __highs2##of##2(pair a, pair b) { return pair{a.y, b.y}; }             \
  __device__ inline pair __lowhigh2highlow(pair a) { return pair{a.y, a.x}; }
LAYOUTCHECK_PAIRS(half, half, half2)
LAYOUTCHECK_PAIRS(bfloat16, __nv_bfloat16, __nv_bfloat162)
#if defined(__CUDA__) || defined(__HIP__)
#define LAYOUTCHECK_ANY_VALUE(type) ;
#else
#define LAYOUTCHECK_ANY_VALUE(type) { return type(); }
#endif
#define LAYOUTCHECK_FLOATS(name, type)                                   \
  LAYOUTCHECK_ANY type name(type) LAYOUTCHECK_ANY_VALUE(type)             \
  LAYOUTCHECK_ANY type name(type, type) LAYOUTCHECK_ANY_VALUE(type)       \
  LAYOUTCHECK_ANY type name(type, type, type) LAYOUTCHECK_ANY_VALUE(type)
#if defined(__CUDA__) || defined(__HIP__)
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
LAYOUTCHECK_FLOAT(exp10)
LAYOUTCHECK_FLOAT(log10)
LAYOUTCHECK_FLOAT(cbrt)
LAYOUTCHECK_FLOAT(sinh)
LAYOUTCHECK_FLOAT(cosh)
LAYOUTCHECK_FLOAT(tan)
LAYOUTCHECK_FLOAT(asin)
LAYOUTCHECK_FLOAT(acos)
LAYOUTCHECK_FLOAT(atan)
LAYOUTCHECK_FLOAT(atan2)
LAYOUTCHECK_FLOAT(asinh)
LAYOUTCHECK_FLOAT(acosh)
LAYOUTCHECK_FLOAT(atanh)
LAYOUTCHECK_FLOAT(hypot)
LAYOUTCHECK_FLOAT(erfc)
LAYOUTCHECK_FLOAT(trunc)
LAYOUTCHECK_FLOAT(nearbyint)
LAYOUTCHECK_FLOAT(copysign)
LAYOUTCHECK_FLOAT(fdim)
LAYOUTCHECK_FLOAT(ldexp)
LAYOUTCHECK_FLOAT(scalbn)
LAYOUTCHECK_FLOAT(remainder)
LAYOUTCHECK_FLOAT(lgamma)
LAYOUTCHECK_FLOAT(tgamma)
LAYOUTCHECK_FLOAT(sinpi)
LAYOUTCHECK_FLOAT(cospi)
LAYOUTCHECK_FLOAT(rcbrt)
LAYOUTCHECK_FLOAT(normcdf)
#define LAYOUTCHECK_CLASS(name)       \
  LAYOUTCHECK_ANY bool name(float a); \
  LAYOUTCHECK_ANY bool name(double a);
LAYOUTCHECK_CLASS(isnan)
LAYOUTCHECK_CLASS(isinf)
LAYOUTCHECK_CLASS(isfinite)
LAYOUTCHECK_CLASS(signbit)
#define LAYOUTCHECK_INTEGER_OF(name, type) \
  LAYOUTCHECK_ANY type name##f(float a);   \
  LAYOUTCHECK_ANY type name(double a);
LAYOUTCHECK_INTEGER_OF(lrint, long)
LAYOUTCHECK_INTEGER_OF(lround, long)
LAYOUTCHECK_INTEGER_OF(llrint, long long)
LAYOUTCHECK_INTEGER_OF(llround, long long)
#endif
LAYOUTCHECK_FLOATS(rsqrtf, float)
LAYOUTCHECK_FLOATS(rsqrt, double)
LAYOUTCHECK_FLOATS(__expf, float)
LAYOUTCHECK_FLOATS(__exp10f, float)
LAYOUTCHECK_FLOATS(__logf, float)
LAYOUTCHECK_FLOATS(__log2f, float)
LAYOUTCHECK_FLOATS(__log10f, float)
LAYOUTCHECK_FLOATS(__powf, float)
LAYOUTCHECK_FLOATS(__sinf, float)
LAYOUTCHECK_FLOATS(__cosf, float)
LAYOUTCHECK_FLOATS(__tanf, float)
LAYOUTCHECK_FLOATS(__tanhf, float)
LAYOUTCHECK_FLOATS(__fdividef, float)
LAYOUTCHECK_FLOATS(__frsqrt_rn, float)
LAYOUTCHECK_FLOATS(__saturatef, float)
#define LAYOUTCHECK_EACH_ROUNDING(name, type) \
  LAYOUTCHECK_FLOATS(name##_rn, type) LAYOUTCHECK_FLOATS(name##_rz, type) \
  LAYOUTCHECK_FLOATS(name##_ru, type) LAYOUTCHECK_FLOATS(name##_rd, type)
LAYOUTCHECK_EACH_ROUNDING(__frcp, float)
LAYOUTCHECK_EACH_ROUNDING(__fmaf, float)
LAYOUTCHECK_EACH_ROUNDING(__fmul, float)
LAYOUTCHECK_EACH_ROUNDING(__fadd, float)
LAYOUTCHECK_EACH_ROUNDING(__fsub, float)
LAYOUTCHECK_EACH_ROUNDING(__fdiv, float)
LAYOUTCHECK_EACH_ROUNDING(__fsqrt, float)
LAYOUTCHECK_EACH_ROUNDING(__dadd, double)
LAYOUTCHECK_EACH_ROUNDING(__dmul, double)
LAYOUTCHECK_EACH_ROUNDING(__fma, double)
LAYOUTCHECK_EACH_ROUNDING(__ddiv, double)
LAYOUTCHECK_EACH_ROUNDING(__drcp, double)
LAYOUTCHECK_EACH_ROUNDING(__dsqrt, double)
#define LAYOUTCHECK_SINES(name, type, sine, cosine) \
  __device__ inline void name(type a, type* s, type* c) { *s = sine(a); *c = cosine(a); }
LAYOUTCHECK_SINES(sincosf, float, sinf, cosf)
LAYOUTCHECK_SINES(__sincosf, float, sinf, cosf)
LAYOUTCHECK_SINES(sincospif, float, sinf, cosf)
LAYOUTCHECK_SINES(sincos, double, sin, cos)
LAYOUTCHECK_ANY int __dp4a(int a, int b, int sum);
LAYOUTCHECK_ANY unsigned __dp4a(unsigned a, unsigned b, unsigned sum);
#define LAYOUTCHECK_BYTES(name) LAYOUTCHECK_ANY unsigned name(unsigned a, unsigned b);
LAYOUTCHECK_BYTES(__vadd2)
LAYOUTCHECK_BYTES(__vadd4)
LAYOUTCHECK_BYTES(__vsub2)
LAYOUTCHECK_BYTES(__vsub4)
LAYOUTCHECK_BYTES(__vaddss2)
LAYOUTCHECK_BYTES(__vaddss4)
LAYOUTCHECK_BYTES(__vsubss2)
LAYOUTCHECK_BYTES(__vsubss4)
LAYOUTCHECK_BYTES(__vcmpeq2)
LAYOUTCHECK_BYTES(__vcmpeq4)
LAYOUTCHECK_BYTES(__vcmpne2)
LAYOUTCHECK_BYTES(__vcmpne4)
LAYOUTCHECK_BYTES(__vmaxs2)
LAYOUTCHECK_BYTES(__vmaxs4)
LAYOUTCHECK_BYTES(__vmins2)
LAYOUTCHECK_BYTES(__vmins4)
LAYOUTCHECK_BYTES(__vmaxu2)
LAYOUTCHECK_BYTES(__vmaxu4)
LAYOUTCHECK_BYTES(__vminu2)
LAYOUTCHECK_BYTES(__vminu4)
LAYOUTCHECK_BYTES(__vabsdiffu2)
LAYOUTCHECK_BYTES(__vabsdiffu4)
#define LAYOUTCHECK_HALF(name) LAYOUTCHECK_FLOATS(name, half) LAYOUTCHECK_FLOATS(name, __nv_bfloat16)
LAYOUTCHECK_HALF(__hadd)
LAYOUTCHECK_HALF(__hsub)
LAYOUTCHECK_HALF(__hmul)
LAYOUTCHECK_HALF(__hdiv)
LAYOUTCHECK_HALF(__hfma)
LAYOUTCHECK_HALF(__hmax)
LAYOUTCHECK_HALF(__hmin)
LAYOUTCHECK_HALF(__hneg)
LAYOUTCHECK_HALF(__habs)
LAYOUTCHECK_HALF(__hadd_sat)
LAYOUTCHECK_HALF(__hmul_sat)
LAYOUTCHECK_HALF(__hadd_rn)
LAYOUTCHECK_HALF(hexp)
LAYOUTCHECK_HALF(hexp2)
LAYOUTCHECK_HALF(hexp10)
LAYOUTCHECK_HALF(hlog)
LAYOUTCHECK_HALF(hlog2)
LAYOUTCHECK_HALF(hlog10)
LAYOUTCHECK_HALF(hsqrt)
LAYOUTCHECK_HALF(hrsqrt)
LAYOUTCHECK_HALF(hrcp)
LAYOUTCHECK_HALF(hsin)
LAYOUTCHECK_HALF(hcos)
LAYOUTCHECK_HALF(htanh)
LAYOUTCHECK_HALF(hfloor)
LAYOUTCHECK_HALF(hceil)
LAYOUTCHECK_HALF(hrint)
LAYOUTCHECK_HALF(htrunc)
#define LAYOUTCHECK_HALF2(name) LAYOUTCHECK_FLOATS(name, half2) LAYOUTCHECK_FLOATS(name, __nv_bfloat162)
LAYOUTCHECK_HALF2(__hadd2)
LAYOUTCHECK_HALF2(__hsub2)
LAYOUTCHECK_HALF2(__hmul2)
LAYOUTCHECK_HALF2(__hfma2)
LAYOUTCHECK_HALF2(__hmax2)
LAYOUTCHECK_HALF2(__hmin2)
LAYOUTCHECK_HALF2(__hneg2)
LAYOUTCHECK_HALF2(__habs2)
LAYOUTCHECK_HALF2(__h2div)
LAYOUTCHECK_HALF2(h2exp)
LAYOUTCHECK_HALF2(h2exp2)
LAYOUTCHECK_HALF2(h2log)
LAYOUTCHECK_HALF2(h2sqrt)
LAYOUTCHECK_HALF2(h2rsqrt)
LAYOUTCHECK_HALF2(h2rcp)
LAYOUTCHECK_HALF2(h2tanh)
#define LAYOUTCHECK_HALF_COMPARISON(name)           \
  LAYOUTCHECK_ANY bool name(half a, half b = 0);    \
  LAYOUTCHECK_ANY bool name(__nv_bfloat16 a, __nv_bfloat16 b = 0);
LAYOUTCHECK_HALF_COMPARISON(__heq)
LAYOUTCHECK_HALF_COMPARISON(__hne)
LAYOUTCHECK_HALF_COMPARISON(__hlt)
LAYOUTCHECK_HALF_COMPARISON(__hle)
LAYOUTCHECK_HALF_COMPARISON(__hgt)
LAYOUTCHECK_HALF_COMPARISON(__hge)
LAYOUTCHECK_HALF_COMPARISON(__hisnan)
)";

// Constants that nvcc defines without a header, and those of math_constants.h. Headers of the host may define them
// again.
constexpr std::string_view kFloatConstants = R"(#define CUDART_INF_F __builtin_inff()
#define CUDART_INF __builtin_inf()
#define CUDART_NAN_F __builtin_nanf("")
#define CUDART_NAN __builtin_nan("")
#define CUDART_PI_F 3.141592654f
#define CUDART_PI 3.1415926535897931
#define CUDART_MAX_NORMAL_F __FLT_MAX__
#ifndef INFINITY
#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#endif
#define M_PI 3.14159265358979323846
#define M_SQRT1_2 0.70710678118654752440
#define M_2_SQRTPI 1.12837916709551257390
#define M_LOG2E 1.4426950408889634074
#define FLT_MAX __FLT_MAX__
#define FLT_MIN __FLT_MIN__
#define FLT_EPSILON __FLT_EPSILON__
#define DBL_MAX __DBL_MAX__
#define DBL_MIN __DBL_MIN__
#define DBL_EPSILON __DBL_EPSILON__
#define SHRT_MAX __SHRT_MAX__
#define SHRT_MIN (-__SHRT_MAX__ - 1)
#define INT_MAX __INT_MAX__
#define INT_MIN (-__INT_MAX__ - 1)
#define UINT_MAX (__INT_MAX__ * 2U + 1U)
#define LONG_MAX __LONG_MAX__
#define LONG_MIN (-__LONG_MAX__ - 1L)
#define ULONG_MAX (__LONG_MAX__ * 2UL + 1UL)
#define LLONG_MAX __LONG_LONG_MAX__
#define LLONG_MIN (-__LONG_LONG_MAX__ - 1LL)
#define ULLONG_MAX (__LONG_LONG_MAX__ * 2ULL + 1ULL)
)";

}  // namespace

std::string GpuNumbers() { return std::string(kFloatFunctions) + std::string(kFloatConstants); }

}  // namespace layoutcheck
