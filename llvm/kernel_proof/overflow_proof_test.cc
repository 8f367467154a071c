// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests the law "no-overflow" with known answers, and on random indices against arithmetic in 128 bits.
#include <gtest/gtest.h>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <random>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/base/wide_integer.h"
#include "layoutcheck/core/process/temporary_directory.h"
#include "layoutcheck/llvm/kernel_proof/prove_kernel.h"

namespace layoutcheck {
namespace {

class NoOverflow : public testing::Test {
 protected:
  // Returns the verdict on a kernel f(in, out, n) of N elements with 256 threads per block, and its border.
  std::string Ask(std::string_view body, std::string_view size = "int") {
    const std::string file = directory_.path() + "/kernel.cu";
    std::ofstream(file) << "__global__ void f(const float* in, float* out, " << size << " n) { " << body << " }\n";
    const auto proofs = ProveKernel({.file = file,
                                     .function = "f",
                                     .arrays = {{"in", "f32[N]{0}"}, {"out", "f32[N]{0}"}},
                                     .arguments = "in,out,N",
                                     .grid = "N ceildiv 256",
                                     .block = "256",
                                     .laws = {"no-overflow"}});
    if (!proofs) return proofs.error().ToString();
    const KernelProof& proof = proofs->back();
    return StrCat(ProofVerdictName(proof.result.verdict), proof.right_while.empty() ? "" : " right while ",
                  proof.right_while, proof.result.reason);
  }

 private:
  const TemporaryDirectory directory_;
};

constexpr std::string_view kUnsigned = "unsigned i = blockIdx.x * blockDim.x + threadIdx.x; ";

TEST_F(NoOverflow, AnAddressThatWrapsIsRefutedWithItsBorder) {
  EXPECT_EQ(Ask("int i = blockIdx.x * 256 + threadIdx.x; if (i < n) out[2 * i] = in[i];"),
            "refuted right while N <= 1073741824");
  EXPECT_EQ(Ask("int i = blockIdx.x * 256 + threadIdx.x; if (i < n) out[2ll * i] = in[i];"), "proved");
  EXPECT_EQ(Ask("long long i = blockIdx.x * 256ll + threadIdx.x; if (i < n) out[int(i)] = in[i];", "long long"),
            "refuted right while N <= 2147483648");
}

// A number that wraps is no mistake of an address if it comes back, or only decides a branch or is a value.
TEST_F(NoOverflow, ANumberThatReachesNoAddressMayWrap) {
  const std::string i(kUnsigned);
  EXPECT_EQ(Ask(i + "if (i < n) out[i] = i * 2654435761u;"), "proved");
  EXPECT_EQ(Ask(i + "if (i < n && i * 2654435761u >> 31) out[i] = in[i];"), "proved");
  EXPECT_EQ(Ask(i + "if (i < n) out[i] = in[i * 2654435761u & 255];"), "proved");
  EXPECT_EQ(Ask(i + "if (i < n) out[i] = in[i * 2654435761u >> 24];"), "refuted");
  EXPECT_EQ(Ask("int i = blockIdx.x * 256 + threadIdx.x - 1; if (i >= 0 && i < n) out[i] = in[i];"), "proved");
  EXPECT_EQ(Ask("unsigned i = threadIdx.x - 1; if (i < n) out[i + 1] = in[i];"), "proved");
  EXPECT_EQ(Ask("unsigned i = threadIdx.x - 1; if (n > 0) out[0] = in[i];").substr(0, 7), "refuted");
}

TEST_F(NoOverflow, IsAskedOnlyByName) {
  const KernelRequest request{.file = std::string(LAYOUTCHECK_CORPUS) + "/triton/copy_rows.ttir",
                              .function = "copy_rows",
                              .arrays = {{"in", "f32[M,N]{1,0}:(LD,1)"}, {"out", "f32[M,N]{1,0}:(LD,1)"}},
                              .arguments = "in,out,LD,N",
                              .grid = "M, N ceildiv 1024",
                              .assumptions = {"N <= 2097120"},
                              .laws = {"no-overflow"}};
  const auto alone = ProveKernel(request);
  ASSERT_TRUE(alone.has_value()) << alone.error().ToString();
  ASSERT_EQ(alone->size(), 1);
  EXPECT_EQ((*alone)[0].right_while, "LD * M - LD <= 2147483647");
  EXPECT_TRUE((*alone)[0].is_border_exact);
}

// An index of N and M in one type, with the values of it by the machine and without limits.
struct RandomIndex {
  std::string text;
  std::function<Int128(Int128 n, Int128 m)> machine;
  std::function<Int128(Int128 n, Int128 m)> exact;
};

class IndexDrawer {
 public:
  IndexDrawer(uint64_t seed, bool is_unsigned) : random_(seed), is_unsigned_(is_unsigned) {}

  RandomIndex Draw(int depth) {
    const int kind = depth == 0 ? Below(2) : 2 + Below(7);
    if (kind == 0) return {"n", [](Int128 n, Int128) { return n; }, [](Int128 n, Int128) { return n; }};
    if (kind == 1) return {"m", [](Int128, Int128 m) { return m; }, [](Int128, Int128 m) { return m; }};
    const RandomIndex a = Draw(depth - 1 - Below(2) * (depth - 1));
    const std::vector<int64_t> constants = {1, 3, 64, 255, 65537, is_unsigned_ ? 2654435761 : 1000003};
    const int64_t constant = constants[static_cast<size_t>(Below(static_cast<int>(constants.size())))];
    const RandomIndex literal{StrCat(constant, is_unsigned_ ? "u" : ""),
                              [constant](Int128, Int128) { return constant; },
                              [constant](Int128, Int128) { return constant; }};
    switch (kind) {
      case 2: return Join(a, "+", Second(literal), [](Int128 x, Int128 y) { return x + y; });
      case 3: return Join(a, "-", Second(literal), [](Int128 x, Int128 y) { return x - y; });
      case 4: return Join(a, "*", Second(literal), [](Int128 x, Int128 y) { return x * y; });
      case 5: return Join(a, "/", literal, [](Int128 x, Int128 y) { return x / y; });
      case 6: return Join(a, "%", literal, [](Int128 x, Int128 y) { return x % y; });
      case 7: return Join(a, "&", literal, [](Int128 x, Int128 y) { return x & y; });
      default: {
        const int amount = 1 + Below(8);
        const RandomIndex by{StrCat(amount), [amount](Int128, Int128) { return amount; },
                             [amount](Int128, Int128) { return amount; }};
        return Join(a, ">>", by, [](Int128 x, Int128 y) { return x >> static_cast<int>(y); });
      }
    }
  }

  int Below(int bound) { return static_cast<int>(random_() % static_cast<uint64_t>(bound)); }

 private:
  RandomIndex Second(const RandomIndex& literal) {
    const int which = Below(3);
    return which == 0 ? literal : Draw(0);
  }

  template <class Op>
  RandomIndex Join(const RandomIndex& a, std::string_view op, const RandomIndex& b, Op apply) const {
    const auto wrap = [is_unsigned = is_unsigned_](Int128 value) {
      return is_unsigned ? Int128{static_cast<uint32_t>(value)} : Int128{static_cast<int32_t>(value)};
    };
    return {StrCat("(", a.text, " ", op, " ", b.text, ")"),
            [=](Int128 n, Int128 m) { return wrap(apply(a.machine(n, m), b.machine(n, m))); },
            [=](Int128 n, Int128 m) { return apply(a.exact(n, m), b.exact(n, m)); }};
  }

  std::mt19937_64 random_;
  bool is_unsigned_;
};

TEST(NoOverflowOnRandomIndices, AgreesWithArithmeticIn128Bits) {
  const TemporaryDirectory directory;
  const bool is_nightly = std::getenv("LAYOUTCHECK_NIGHTLY") != nullptr;
  const uint64_t cases = is_nightly ? 400 : 6;
  constexpr int64_t kPoints = 3;  // of each name
  int unknown = 0;
  for (uint64_t seed = 0; seed < cases; ++seed) {
    const bool is_unsigned = seed % 2 == 0;
    IndexDrawer drawer(seed, is_unsigned);
    const RandomIndex index = drawer.Draw(3);
    const std::vector<int64_t> beginnings = {0, 253, 46339, 65535, 1073741822, 2147483640};
    const int64_t n0 = beginnings[static_cast<size_t>(drawer.Below(6))];
    const int64_t m0 = beginnings[static_cast<size_t>(drawer.Below(6))];
    bool is_right = true;
    for (int64_t n = n0; n < n0 + kPoints; ++n) {
      for (int64_t m = m0; m < m0 + kPoints; ++m) is_right = is_right && index.machine(n, m) == index.exact(n, m);
    }
    const std::string file = directory.path() + "/index.cu";
    const std::string_view type = is_unsigned ? "unsigned" : "int";
    const std::string source = StrCat("__global__ void f(const float* in, float* out, ", type, " n, ", type,
                                      " m) { out[0] = in[", index.text, "]; }\n");
    std::ofstream(file) << source;
    const auto proofs = ProveKernel({.file = file,
                                     .function = "f",
                                     .arrays = {{"in", "f32[1]{0}"}, {"out", "f32[1]{0}"}},
                                     .arguments = "in,out,N,M",
                                     .grid = "1",
                                     .block = "1",
                                     .assumptions = {StrCat("N >= ", n0), StrCat("N < ", n0 + kPoints),
                                                     StrCat("M >= ", m0), StrCat("M < ", m0 + kPoints)},
                                     .laws = {"no-overflow"}});
    ASSERT_TRUE(proofs.has_value()) << source << proofs.error().ToString();
    const ProofResult& result = proofs->back().result;
    if (result.verdict == ProofVerdict::kUnknown) {
      ++unknown;
      continue;
    }
    EXPECT_EQ(result.verdict == ProofVerdict::kProved, is_right)
        << seed << ": " << source << "N from " << n0 << ", M from " << m0 << "\n"
        << ProofVerdictName(result.verdict) << " " << result.subexpression;
  }
  EXPECT_LE(unknown, static_cast<int>(cases) / 10);
}

}  // namespace
}  // namespace layoutcheck
