// Proofs about the code that runs: a user's function template, instantiated with a symbolic integer, is the linear
// index of a layout for every shape, every tile size and every index. In a test of one's own:
//
//   template <class Int>
//   Int Offset(std::span<const Int> index, std::span<const Int> dimensions);
//
//   TEST(Offset, IsTheTilingForEveryShape) {
//     EXPECT_TRUE(layoutcheck::Prove("f32[M,N]{1,0:T(8,128)}",
//                                    [](auto index, auto dimensions) { return Offset(index, dimensions); }));
//   }
#ifndef LAYOUTCHECK_SOLVER_FORMULA_PROOF_PROVE_FUNCTION_H_
#define LAYOUTCHECK_SOLVER_FORMULA_PROOF_PROVE_FUNCTION_H_

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
#include <type_traits>
#include <utility>

#include "layoutcheck/core/base/error.h"
#include "layoutcheck/solver/certificate/proof_result.h"
#include "layoutcheck/solver/certificate/prove_options.h"
#include "layoutcheck/solver/formula_proof/function_run.h"
#include "layoutcheck/solver/formula_proof/symbolic_integer.h"

namespace layoutcheck {

// What is known of a function. EXPECT_TRUE(layoutcheck::Prove(...)) prints the message where it was not proved, without
// any GoogleTest header here.
class FunctionProof {
 public:
  explicit FunctionProof(Expected<ProofResult> result) : result_(std::move(result)) {}

  // Whether it was proved.
  explicit operator bool() const { return result_ && result_->verdict == ProofVerdict::kProved; }
  // The verdict with its counterexample, or the error that says why there is none.
  const Expected<ProofResult>& result() const { return result_; }
  // For a person: "f32[M,N]{1,0}: proved for all M, N", or the smallest counterexample that was found, what was
  // expected there and what the function gives, or why it is not known.
  std::string message() const;

  // testing::AssertionResult and what looks like it.
  template <class Assertion>
    requires requires(Assertion assertion, const std::string& text) {
      Assertion(true);
      assertion.failure_message();
      assertion << text;
    }
  operator Assertion() const {
    return static_cast<bool>(*this) ? Assertion(true) : Assertion(false) << "\n" + message();
  }

  friend std::ostream& operator<<(std::ostream& stream, const FunctionProof& proof) {
    return stream << proof.message();
  }

 private:
  Expected<ProofResult> result_;
};

// The two instances of a function of the index, the sizes of the dimensions, and the sizes of the entries of all tiles
// from left to right (those of f32[M,N]{1,0:T(P,*,Q)(R)} are P, Q, R).
struct LayoutFunction {
  template <class Int>
  using Of =
      std::function<Int(std::span<const Int> index, std::span<const Int> dimensions, std::span<const Int> tiles)>;

  Of<SymbolicInteger> symbolic;
  Of<int64_t> numeric;
  std::optional<size_t> rank = std::nullopt;  // that it is for; every one where it takes spans
};

// What Prove and ProveNoOverflow do.
Expected<ProofResult> ProveLayoutFunction(std::string_view layout, const LayoutFunction& function,
                                          std::string_view integers, const ProveOptions& options);

// Proves that two functions of an index are equal for every index with 0 <= i[d] < sizes[d], or refutes it. Errors: a
// size below 1, where there is no index (invalid argument).
Expected<ProofResult> ProveEqual(std::span<const int64_t> sizes, const SymbolicFunction& function,
                                 const SymbolicFunction& expected, const ProveOptions& options = {});
// Proves that no result in the function overflows `integers` (see below) for any of these indices.
Expected<ProofResult> ProveNoOverflow(std::span<const int64_t> sizes, const SymbolicFunction& function,
                                      std::string_view integers, const ProveOptions& options = {});

namespace prove_function_internal {

template <class Int, size_t kRank>
std::array<Int, kRank> ToArray(std::span<const Int> values) {
  std::array<Int, kRank> array;
  for (size_t k = 0; k < kRank; ++k) array[k] = values[k];
  return array;
}

// Calls f with as many of the three as it takes.
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

template <class F>
constexpr bool kTakesSpans = kTakes<F, std::span<const SymbolicInteger>, std::span<const SymbolicInteger>>;

inline constexpr size_t kMaxArrayRank = 8;

// The rank of the arrays that f takes, kMaxArrayRank + 1 if it takes none.
template <class F, size_t kRank = 0>
constexpr size_t ArrayRank() {
  if constexpr (kRank > kMaxArrayRank) {
    return kRank;
  } else if constexpr (kTakes<F, std::array<SymbolicInteger, kRank>, std::span<const SymbolicInteger>>) {
    return kRank;
  } else {
    return ArrayRank<F, kRank + 1>();
  }
}

template <class F>
constexpr bool TakesAny() {
  if constexpr (kTakesSpans<F>) {
    return true;
  } else {
    return ArrayRank<F>() <= kMaxArrayRank;
  }
}

template <class Int, class F>
LayoutFunction::Of<Int> Instance(F& f) {
  return [&f](std::span<const Int> index, std::span<const Int> dimensions, std::span<const Int> tiles) -> Int {
    if constexpr (kTakesSpans<F>) {
      return CallWith(f, index, dimensions, tiles);
    } else {
      return CallWith(f, ToArray<Int, ArrayRank<F>()>(index), ToArray<Int, ArrayRank<F>()>(dimensions), tiles);
    }
  };
}

template <class F>
LayoutFunction FunctionOf(F& f) {
  static_assert(TakesAny<F>(),
                "expected a function of (index), (index, dimensions) or (index, dimensions, tiles), each a "
                "std::span<const Int> or, but for the tiles, a std::array<Int, rank>, for every integer type Int");
  LayoutFunction function{Instance<SymbolicInteger>(f), Instance<int64_t>(f)};
  if constexpr (!kTakesSpans<F>) function.rank = ArrayRank<F>();
  return function;
}

}  // namespace prove_function_internal

// Proves that f is the linear index of the layout, whose sizes may be names (symbolic_layout.h), or refutes it with a
// counterexample, minimized and evaluated in numbers. f is a function of the index, or of the index and the sizes of
// the dimensions, or of these and the sizes of the tiles' entries; each is a std::span<const Int>, or std::array<Int,
// 2> for an array of two dimensions. Its value is an Int. f is called with Int = SymbolicInteger, often, and with
// int64_t where no result overflows; what it gives must depend on its arguments alone. Branches, loops, arrays and
// exceptions are the program's own. Where a branch depends on names, each side is a path of its own.
//
// Arithmetic is that of the integers: see ProveNoOverflow. Where f divides by zero, throws, or gives something else
// with int64_t it is refuted. Unknown: more than 200 paths, 64 such branches on one path or 100,000 operations (a loop
// that a name ends), a value that cannot be written down (a shift by many amounts), a budget of the solver. What
// neither computes with Int nor ends is not ended. Errors: those of ParseSymbolicLayout; an array whose rank is not the
// layout's; a layout without elements (invalid argument).
template <class F>
FunctionProof Prove(std::string_view layout, F&& f, const ProveOptions& options = {}) {
  return FunctionProof(ProveLayoutFunction(layout, prove_function_internal::FunctionOf(f), "", options));
}

// Proves that no result in f overflows `integers`, "int32", "uint32" or "int64", for every shape whose padded elements
// take at most as many bytes as it counts; or refutes it with the smallest shape found and the operation. Errors: as
// Prove; another name of integers (invalid argument).
template <class F>
FunctionProof ProveNoOverflow(std::string_view layout, F&& f, std::string_view integers,
                              const ProveOptions& options = {}) {
  return FunctionProof(ProveLayoutFunction(layout, prove_function_internal::FunctionOf(f), integers, options));
}

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_SOLVER_FORMULA_PROOF_PROVE_FUNCTION_H_
