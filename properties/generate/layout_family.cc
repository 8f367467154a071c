// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/properties/generate/layout_family.h"
#include <algorithm>
#include <iterator>
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

// The tilings of TPU programs, with types of their width.
struct TpuTiling {
  const char* type;
  const char* tiling;
};
constexpr TpuTiling kTpuMatrices[] = {
    {"bf16", "T(8,128)(2,1)"},     {"f32", "T(8,128)"},           {"s8", "T(8,128)(4,1)"},
    {"s4", "T(8,128)(8,1)E(4)"},   {"s32", "T(2,128)"},           {"bf16", "T(4,128)(2,1)"},
    {"f32", "T(4,128)"},           {"pred", "T(32,128)(4,1)"},    {"f16", "T(16,128)(2,1)"},
    {"s32", "T(1,128)"},           {"bf16", "T(2,128)(2,1)"},     {"u4", "T(64,128)(8,1)E(4)"},
    {"s2", "T(16,128)(16,1)E(2)"}, {"u1", "T(32,128)(32,1)E(1)"}, {"u32", "T(8,128)"},
    {"f8e4m3fn", "T(8,128)(4,1)"},
};
constexpr TpuTiling kTpuVectors[] = {
    {"f32", "T(1024)"}, {"bf16", "T(1024)(128)(2,1)"}, {"s8", "T(1024)(128)(4,1)"},
    {"s32", "T(128)"},  {"bf16", "T(256)(128)(2,1)"},  {"f32", "T(256)"},
};
// Sizes and dimension orders. The tiled dimensions are most often, but not always, the last ones of the shape.
constexpr const char* kMatrixShapes[][2] = {
    {"M,N", "1,0"},
    {"A,M,N", "2,1,0"},
    {"M,N", "0,1"},
    {"1,M,N", "2,1,0"},
    {"A,B,M,N", "2,3,1,0"},
    {"M,A,N", "2,0,1"},
    {"A,B,M,N", "3,2,0,1"},
    {"A,B,M,N", "3,2,1,0"},
    {"N", "0"},
    {"1,1,A,M,N", "4,3,2,1,0"},
    {"A,1,M,B,1,N", "5,2,3,4,1,0"},
};
constexpr const char* kVectorShapes[][2] = {
    {"N", "0"}, {"1,N", "1,0"}, {"A,N", "1,0"}, {"N,A", "0,1"}, {"A,B,N", "2,1,0"}};
constexpr const char* kMemorySpaces[] = {"", "", "S(1)", "", "S(5)", "", "S(2)", "", "S(6)"};
constexpr const char* kTpuOthers[] = {
    "s32[]{:T(128)}",
    "s32[<=N]{0:T(8)M(1024)}",
    "f32[M,N]{1,0:T(8)L(1024)}",
    "bf16[]{:T(512)}",
    "bf16[A,<=M,N]{2,1,0:T(8,128)(2,1)M(1024)}",
    "f32[N]{0:L(1024)}",
    "bf16[A,M,N]{2,1,0:T(8,128)(2,1)SC(1:1)}",
    "f32[M,N]{1,0:T(8,128)SC(1:128)}",
};

std::vector<std::string> TpuTexts() {
  std::vector<std::string> texts;
  const auto add = [&](const TpuTiling& tiling, const auto& shapes, size_t number) {
    const auto& [sizes, order] = shapes[number % std::size(shapes)];
    const char* const space = kMemorySpaces[number % std::size(kMemorySpaces)];
    texts.push_back(StrCat(tiling.type, "[", sizes, "]{", order, ":", tiling.tiling, space, "}"));
  };
  // The n-th tiling begins with the n-th shape, so that a short run has many of both.
  for (size_t pass = 0; pass < std::size(kMatrixShapes); ++pass) {
    for (size_t n = 0; n < std::size(kTpuMatrices); ++n) {
      add(kTpuMatrices[n], kMatrixShapes, n + pass);
      if (n % 3 == 2) add(kTpuVectors[n / 3 % std::size(kTpuVectors)], kVectorShapes, n / 3 + pass);
    }
    if (pass == 0) texts.insert(texts.end(), std::begin(kTpuOthers), std::end(kTpuOthers));
  }
  return texts;
}

std::vector<std::string> FractalTexts() {
  std::vector<std::string> texts;
  constexpr const char* kTags[] = {"zN", "nZ", "zZ", "nN", "L0C"};
  constexpr const char* kTypes[] = {"f16", "s8", "f32", "s4", "s64"};
  for (size_t pass = 0; pass < std::size(kTypes); ++pass) {
    for (size_t n = 0; n < std::size(kTags); ++n) {
      texts.push_back(StrCat(kTags[n], ":", kTypes[(n + pass) % std::size(kTypes)], "[M,N]"));
    }
    // Tensors, and fractals whose column of blocks is an axis.
    constexpr const char* kOthers[] = {
        "NC1HWC0:f16[B,C,H,W]",  "s8[C,M,32]{2,1,0:T(16,32)}", "NDC1HWC0:f16[B,C,D,H,W]",
        "FractalZ:f16[O,C,H,W]", "Weight4BitnZ:s4[M,N]",
    };
    texts.emplace_back(kOthers[pass]);
  }
  for (const char* const text : {"PaddingRowMajor<64,128>:f16[M,N]", "PaddingColumnMajor<16,32>:s8[M,N]",
                                 "CI1KHKWCOCI0:s8[O,C,H,W]", "KDC1KHKWN1N0C0:f16[O,C,D,H,W]", "FractalZ:s8[O,C,H,W]",
                                 "KDC1KHKWN1N0C0:f32[O,C,D,H,W]", "FractalZ:f32[O,C,H,W]"}) {
    texts.emplace_back(text);
  }
  return texts;
}

constexpr const char* kBlockedTexts[] = {
    "f32[N,C,H,W]{3,2,1,0:T(16,1,1)}",                       // nChw16c
    "f32[O,I,H,W]{3,2,1,0:T(16,16,1,1)(16,1,1,1)}",          // OIhw16i16o
    "f32[N,C,H,W]{3,2,1,0:T(8,1,1)}",                        // nChw8c
    "s8[O,I,H,W]{3,2,1,0:T(16,16,1,1)(16,4,1,1)}",           // OIhw4i16o4i
    "f32[G,O,I,H,W]{4,3,2,1,0:T(16,16,1,1)(16,1,1,1)}",      // gOIhw16i16o
    "bf16[O,I,H,W]{3,2,1,0:T(16,16,1,1)(16,2,1,1)}",         // OIhw8i16o2i
    "f32[M,N]{0,1:T(16,8)(16,1)}",                           // tensor.pack, tiles 8x16, outer and inner order exchanged
    "f32[N,C,H,W]{3,2,1,0:T(4,1,1)}",                        // nChw4c
    "f32[O,I,H,W]{1,3,2,0:T(16,1,1,1)}",                     // Ohwi16o
    "f32[N,C,H,W]{3,2,1,0:T(16,16,1,1)}",                    // NChw16n16c
    "f32[N,C,W]{2,1,0:T(16,1)}",                             // nCw16c
    "f32[G,O,I,H,W]{4,3,2,1,0:T(16,1,1,1,1)}",               // Goihw16g
    "bf16[N,C,H,W]{3,2,1,0:T(16,1,1)}",                      // nChw16c
    "f32[O,I,H,W]{3,2,1,0:T(8,8,1,1)(8,1,1,1)}",             // OIhw8i8o
    "s8[G,O,I,H,W]{4,3,2,1,0:T(16,16,1,1)(16,4,1,1)}",       // gOIhw4i16o4i
    "f32[O,I,H,W]{3,2,1,0:T(16,16,1,1)}",                    // OIhw16o16i
    "f32[N,C,D,H,W]{4,3,2,1,0:T(16,1,1,1)}",                 // nCdhw16c
    "bf16[M,K]{1,0:T(16,16)(16,2)}",                         // AB8b16a2b
    "s8[K,N]{1,0:T(16,64)(16,4)}",                           // AB16b16a4b
    "f32[O,I,H,W]{3,2,1,0:T(4,4,1,1)(4,1,1,1)}",             // OIhw4i4o
    "f32[M,K]{1,0:T(8,1)}",                                  // tensor.pack of a left operand, tiles 8x1
    "f32[K,N]{0,1:T(32,1)}",                                 // tensor.pack of a right operand, transposed
    "f32[O,I,H,W]{3,2,0,1:T(16,16,1,1)(16,1,1,1)}",          // IOhw16o16i
    "bf16[N,C,H,W]{3,2,1,0:T(32,32,1,1)}",                   // NChw32n32c
    "s8[N,C,H,W]{3,2,1,0:T(16,1,1)}",                        // nChw16c
    "f32[M,N]{1,0:T(64,16)(64,1)}",                          // AB16b64a
    "f32[O,I,D,H,W]{4,3,2,1,0:T(16,16,1,1,1)(16,1,1,1,1)}",  // OIdhw16i16o
    "f32[N,C,H,W]{3,2,1,0:T(64,1,1)}",                       // channels in blocks of 64
    "s8[N,C,H,W]{3,2,1,0:T(32,1,1)}",                        // nChw32c
    "f32[G,O,I,W]{3,2,1,0:T(8,8,1)(8,1,1)}",                 // gOIw8i8o
};

// Layouts that no XLA layout equals (swizzles, broadcasts, negative strides) are arguments of the algebra alone.
constexpr const char* kCuteTexts[] = {
    "(M,N):(1,M)",
    "((8,M),(4,N)):((4,32*N),(1,32))",
    "Sw<3,4,3> o 0 o (8,64):(64,1)",
    "(M,N):(N,1)",
    "((2,M),(2,N)):((1,4),(2,4*M))",
    "((4,8),(2,2)):((32,1),(16,8))",  // accumulators of mma.m16n8, thread and value
    "(M,N):(1,0)",
    "((4,M),(8,N)):((8,32),(1,32*M))",
    "Sw<2,4,3> o 0 o (8,32):(32,1)",
    "((4,8),(2,2,2)):((32,1),(16,8,128))",  // the left operand of mma.m16n8k16
    "((2,2),(2,2)):((1,4),(2,8))",
    "(M,N,K):(1,M,M*N)",
    "(N):(-1)",
    "Sw<3,3,3> o 0 o (8,64):(64,1)",
    "(8,64):(64,1)",
    "((4,8),(2,2)):((16,1),(8,64))",  // its right operand
    "(M,N):(0,1)",
    "(64,8):(1,64)",
    "((8,M),(8,N)):((8,64),(1,64*M))",
    "Sw<3,4,3> o 0 o (64,8):(1,64)",
    "((4,8,4),(2,2,N)):((128,1,16),(64,8,512))",  // accumulators of wgmma 64xN
    "(M,N):(N,-1)",
    "(M,(N,2)):(2,(2*M,1))",
    "((M,2),N):((2*N,N),1)",
};

constexpr const char* kMemoryFormatTexts[] = {
    "f32[N,C,H,W]{1,3,2,0}",      // NHWC
    "f32[M,N]{1,0:T(1,P)}",       // rows of a pitch P
    "f32[M,N]{0,1}",              // column major
    "u8[H,W,C]{2,1,0:T(1,P,1)}",  // rows of pixels, padded
    "f16[N,C,D,H,W]{1,4,3,2,0}",  // NDHWC
    "f32[M,N]{1,0}",              // row major
    "f32[M,N]{0,1:T(1,P)}",       // columns of a pitch P
    "f32[N,C,H,W]{3,2,1,0}",      // NCHW
    "bf16[B,M,N]{2,1,0:T(1,P)}",  // batches of rows of a pitch P
    "f32[N,C,H,W]{0,3,2,1}",      // CHWN
};

// The scale factors of block-scaled matrices. NVIDIA's are in blocks of 128 x 4 in which row m % 32 comes first; those
// of CATLASS are in pairs.
constexpr const char* kScaleFactorTexts[] = {
    "f8e8m0fnu[M,K]{1,0:T(128,4)(32,4)(4,1,1,4)}",
    "MxScalezZ:f8e8m0fnu[M,K]",
    "f8e4m3fn[M,K]{1,0:T(128,4)(32,4)(4,1,1,4)}",
    "MxScalenN:f8e8m0fnu[M,K]",
    "f8e8m0fnu[B,M,K]{2,1,0:T(128,4)(32,4)(4,1,1,4)}",
    "MxScaleRowMajorB:f8e8m0fnu[M,K]",
    "f8e8m0fnu[M,K]{1,0:T(128,4)}",
    "MxScaleRowMajorA:f8e8m0fnu[M,K]",
};

template <class Texts>
LayoutFamily MakeFamily(std::string_view name, std::string_view description, const Texts& texts) {
  LayoutFamily family{name, description, {}};
  for (const auto& text : texts) family.patterns.push_back(LayoutPattern::Parse(text).value());
  return family;
}

}  // namespace

std::span<const LayoutFamily> AllFamilies() {
  static const std::vector<LayoutFamily> families = {
      MakeFamily("tpu", "tilings of TPU programs for elements of 1 to 32 bits, such as bf16[M,N]{1,0:T(8,128)(2,1)}",
                 TpuTexts()),
      MakeFamily("fractal", "layouts of CATLASS by tag, such as zN:f16[M,N] and NC1HWC0:f16[B,C,H,W]", FractalTexts()),
      MakeFamily("blocked", "blocked formats of oneDNN and tensor.pack, such as nChw16c", kBlockedTexts),
      MakeFamily("cute", "layouts of CuTe kernels, such as ((8,M),(4,N)):((4,32*N),(1,32)) and swizzled ones",
                 kCuteTexts),
      MakeFamily("memory-format", "row and column major, NHWC, NDHWC, and rows of a padded pitch", kMemoryFormatTexts),
      MakeFamily("scale-factor", "scale factors of block-scaled matrices, in blocks of 128 x 4 and in pairs",
                 kScaleFactorTexts),
  };
  return families;
}

const LayoutFamily* FindFamily(std::string_view name) {
  const auto families = AllFamilies();
  const auto found = std::ranges::find(families, name, &LayoutFamily::name);
  return found == families.end() ? nullptr : &*found;
}

std::string FamilyNames() {
  std::string names;
  for (const LayoutFamily& family : AllFamilies()) StrAppend(names, names.empty() ? "" : ", ", family.name);
  return names;
}

}  // namespace layoutcheck
