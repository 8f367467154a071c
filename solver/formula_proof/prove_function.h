// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Proofs about code: a user's function template, instantiated with a symbolic integer, is the linear index of a layout
// for every shape, tile size and index. A user's test:
//
//   template <class Int>
//   Int Offset(std::span<const Int> index, std::span<const Int> dimensions);
//
//   TEST(Offset, IsTheTilingForEveryShape) {
//     EXPECT_TRUE(layoutcheck::Prove("f32[M,N]{1,0:T(8,128)}",
//                                    [](auto index, auto dimensions) { return Offset(index, dimensions); }));
//   }
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/solver/certificate/proof_result.h"
#include "layoutcheck/solver/paths/function_run.h"
#include "layoutcheck/solver/paths/symbolic_integer.h"

namespace layoutcheck {

// The result of a proof about a function. EXPECT_TRUE(layoutcheck::Prove(...)) prints the message of a failed proof,
// although this header does not include GoogleTest.
class FunctionProof {
 public:
  explicit FunctionProof(Expected<ProofResult> result) : result_(std::move(result)) {}

  explicit operator bool() const { return result_ && result_->verdict == ProofVerdict::kProved; }
  // Returns the verdict with any counterexample, or the error that prevented a verdict.
  const Expected<ProofResult>& result() const { return result_; }
  // Returns a text for people: "f32[M,N]{1,0}: proved for all M, N >= 0 and every index"; the smallest counterexample
  // found, with both values; or the reason why the verdict is unknown.
  std::string message() const;

  // Converts to testing::AssertionResult and types like it.
  template <class Assertion>
    requires requires(Assertion assertion, const std::string& text) {
      Assertion(true);
      assertion.failure_message();
      assertion << text;
    }
  operator Assertion() const {  // NOLINT(google-explicit-constructor): for EXPECT_TRUE
    return static_cast<bool>(*this) ? Assertion(true) : Assertion(false) << "\n" + message();
  }

  friend std::ostream& operator<<(std::ostream& stream, const FunctionProof& proof) {
    return stream << proof.message();
  }

 private:
  Expected<ProofResult> result_;
};

// The two instances of a function of the index, the sizes of the dimensions, and the sizes of all tile entries from
// left to right (P, Q, R for f32[M,N]{1,0:T(P,*,Q)(R)}).
struct LayoutFunction {
  template <class Int>
  using Of =
      std::function<Int(std::span<const Int> index, std::span<const Int> dimensions, std::span<const Int> tiles)>;

  Of<SymbolicInteger> symbolic;
  Of<int64_t> numeric;
  std::optional<size_t> rank = std::nullopt;  // the only rank that it accepts; none for spans of any rank
};

// Implements Prove if `integers` is empty, ProveNoOverflow otherwise.
Expected<ProofResult> ProveLayoutFunction(std::string_view layout, const LayoutFunction& function,
                                          std::string_view integers, const ProveOptions& options);

// Proves or refutes that two functions are equal for every index with 0 <= i[d] < sizes[d]. Errors: a size below 1.
Expected<ProofResult> ProveEqual(std::span<const int64_t> sizes, const SymbolicFunction& function,
                                 const SymbolicFunction& expected, const ProveOptions& options = {});
// Proves or refutes that no result in the function overflows `integers` (as in the template below) in that box.
Expected<ProofResult> ProveNoOverflow(std::span<const int64_t> sizes, const SymbolicFunction& function,
                                      std::string_view integers, const ProveOptions& options = {});

namespace prove_function_internal {

template <class Int, size_t kRank>
std::array<Int, kRank> ToArray(std::span<const Int> values) {
  std::array<Int, kRank> array;
  for (size_t k = 0; k < kRank; ++k) array[k] = values[k];
  return array;
}

// Calls f with as many of the three arguments as it takes.
template <class F, class Index, class Dimensions, class Tiles>
auto CallWith(F& f, const Index& index, const Dimensions& dimensions, const Tiles& tiles) {
  if constexpr (std::invocable<F&, Index>) {
    return f(index);
  } else if constexpr (std::invocable<F&, Index, Dimensions>) {
    return f(index, dimensions);
  } else {
    return f(index, dimensions, tiles);
  }
}

template <class F, class Index, class Tiles>
constexpr bool kTakes =
    std::invocable<F&, Index> || std::invocable<F&, Index, Index> || std::invocable<F&, Index, Index, Tiles>;

inline constexpr size_t kMaxArrayRank = 8;
inline constexpr size_t kSpans = kMaxArrayRank + 1;
inline constexpr size_t kNeither = kMaxArrayRank + 2;

// Returns the rank of the arrays that F takes, kSpans if it takes spans, or kNeither.
template <class F, size_t kRank = 0>
constexpr size_t ArrayRank() {
  using Span = std::span<const SymbolicInteger>;
  if constexpr (kRank == 0 && kTakes<F, Span, Span>) {
    return kSpans;
  } else if constexpr (kTakes<F, std::array<SymbolicInteger, kRank>, Span>) {
    return kRank;
  } else if constexpr (kRank < kMaxArrayRank) {
    return ArrayRank<F, kRank + 1>();
  } else {
    return kNeither;
  }
}

template <class Int, class F>
LayoutFunction::Of<Int> MakeInstance(F& f) {
  return [&f](std::span<const Int> index, std::span<const Int> dimensions, std::span<const Int> tiles) -> Int {
    constexpr size_t kRank = ArrayRank<F>();
    if constexpr (kRank == kSpans) {
      return CallWith(f, index, dimensions, tiles);
    } else {
      return CallWith(f, ToArray<Int, kRank>(index), ToArray<Int, kRank>(dimensions), tiles);
    }
  };
}

template <class F>
LayoutFunction MakeLayoutFunction(F& f) {
  constexpr size_t kRank = ArrayRank<F>();
  static_assert(kRank != kNeither,
                "expected a function of (index), (index, dimensions) or (index, dimensions, tiles), each a "
                "std::span<const Int> or, but for the tiles, a std::array<Int, rank>, for every integer type Int");
  return {MakeInstance<SymbolicInteger>(f), MakeInstance<int64_t>(f),
          kRank == kSpans ? std::nullopt : std::optional(kRank)};
}

}  // namespace prove_function_internal

// Proves or refutes that f is the linear index of the layout, whose sizes may be names (symbolic_layout.h). A
// counterexample is minimized and evaluated in numbers.
//
// f takes the index; the index and the sizes of the dimensions; or these and the sizes of the tile entries. Each
// argument is a std::span<const Int> or, except for the tiles, a std::array<Int, rank>. The result is an Int that
// depends only on the arguments. f is called many times with Int = SymbolicInteger, and with int64_t where no result
// overflows. Branches, loops, arrays and exceptions are allowed. Each side of a branch that depends on names is a path
// of its own.
//
// Arithmetic is that of unbounded integers (see ProveNoOverflow for machine integers). f is refuted where it divides by
// zero, throws, or returns a different int64_t. The verdict is unknown after more than 200 paths, 64 such branches on
// one path or 100,000 operations (as in a loop that a name ends), for a value that cannot be written as a term (a shift
// by many amounts), and when a solver's budget is spent. A loop that never uses Int and does not terminate is not
// detected. A certificate is about the formula that was read from f. Errors: those of ParseSymbolicLayout; an array
// whose rank is not the layout's; a layout without elements (invalid argument).
template <class F>
FunctionProof Prove(std::string_view layout, F&& f, const ProveOptions& options = {}) {
  return FunctionProof(ProveLayoutFunction(layout, prove_function_internal::MakeLayoutFunction(f), "", options));
}

// Proves or refutes that no result in f overflows `integers` ("int32", "uint32" or "int64") or is undefined in C for
// every shape whose padded elements take at most as many bytes as the largest integer. "int32:c++20" allows left shifts
// of negative numbers. Where f uses ~ on uint32, its result must also be that of unbounded integers. A counterexample
// has the smallest shape found and names the operation. Errors: those of Prove; an unknown type (invalid argument).
template <class F>
FunctionProof ProveNoOverflow(std::string_view layout, F&& f, std::string_view integers,
                              const ProveOptions& options = {}) {
  return FunctionProof(ProveLayoutFunction(layout, prove_function_internal::MakeLayoutFunction(f), integers, options));
}

}  // namespace layoutcheck
