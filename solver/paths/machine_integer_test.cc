// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations that are defined for integers but not for machine integers, each with neighbors that are defined.
#include "layoutcheck/solver/paths/machine_integer.h"
#include <gtest/gtest.h>
#include <concepts>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>
#include "layoutcheck/solver/formula_proof/prove_formula.h"
#include "layoutcheck/solver/formula_proof/prove_function.h"

namespace layoutcheck {
namespace {

constexpr auto kProved = ProofVerdict::kProved;
constexpr auto kRefuted = ProofVerdict::kRefuted;

ProofResult Fits(const std::string& layout, const std::string& formula, std::string_view integer) {
  const auto type = MachineIntegerOf(integer);
  EXPECT_TRUE(type.has_value()) << integer;
  const auto result = ProveNoOverflow({layout, formula, {}, {}}, *type);
  EXPECT_TRUE(result.has_value()) << formula << ": " << (result ? "" : result.error().ToString());
  return result ? *result : ProofResult{};
}

struct Question {
  std::string formula;  // MIN stands for the least value of the type
  ProofVerdict int32, uint32, int64;
};

void ExpectVerdicts(const std::vector<Question>& questions) {
  for (const Question& question : questions) {
    for (const auto& [integer, least, verdict] :
         {std::tuple("int32", "(-2147483647 - 1)", question.int32), std::tuple("uint32", "0", question.uint32),
          std::tuple("int64", "(-9223372036854775807 - 1)", question.int64)}) {
      std::string formula = question.formula;
      if (const size_t at = formula.find("MIN"); at != std::string::npos) formula.replace(at, 3, least);
      const ProofResult result = Fits("f32[N]{0}", formula, integer);
      EXPECT_EQ(result.verdict, verdict) << formula << " in " << integer << ": " << result.reason;
    }
  }
}

TEST(MachineInteger, Names) {
  for (const char* name : {"int32", "uint32", "int64", "int32:c++20", "uint32:c++20", "int64:c++20"}) {
    const auto integer = MachineIntegerOf(name);
    ASSERT_TRUE(integer.has_value()) << name;
    EXPECT_EQ(integer->name, name);
    EXPECT_EQ(integer->shifts_negative_numbers, std::string_view(name).ends_with("c++20"));
  }
  EXPECT_EQ(MachineIntegerOf("int32:c")->name, "int32");
  for (const char* name : {"", "int8", "int32:", "int32:c++17", "int32:c++20:c", "int32:c:c", ":c", "int32 "}) {
    EXPECT_FALSE(MachineIntegerOf(name).has_value()) << name;
  }
}

// The remainder of the least value by -1 is 0, but its quotient does not fit: undefined in C, and a trap on x86.
TEST(MachineInteger, RemainderOfTheLeastValue) {
  ExpectVerdicts({
      {"MIN % (0 - 1)", kRefuted, kRefuted, kRefuted},
      {"MIN / (0 - 1)", kRefuted, kRefuted, kRefuted},
      {"MIN % (0 - 1 - i0)", kRefuted, kRefuted, kRefuted},
      {"(MIN + i0) % (0 - 1)", kRefuted, kRefuted, kRefuted},
      {"MIN % (1 - i0 % 3)", kRefuted, kRefuted, kRefuted},
      {"(MIN + 1) % (0 - 1)", kProved, kRefuted, kProved},
      {"(MIN + 1) / (0 - 1)", kProved, kRefuted, kProved},
      {"(MIN + 1 + i0) % (0 - 1)", kProved, kRefuted, kProved},
      {"MIN % (0 - 2 - i0 % 2)", kProved, kRefuted, kProved},
      {"MIN % (1 + i0)", kProved, kProved, kProved},
      {"i0 % (0 - 1)", kProved, kRefuted, kProved},
  });
  EXPECT_EQ(Fits("f32[N]{0}", "(-2147483647 - 1) % (0 - 1)", "int64").verdict, kProved);
  const ProofResult result = Fits("f32[N]{0}", "(-2147483647 - 1) % (0 - 1)", "int32");
  EXPECT_EQ(result.subexpression, "(-2147483647 - 1) % (0 - 1)");
  ASSERT_EQ(result.without_value.size(), 1u);
  EXPECT_EQ(result.without_value[0].second,
            "the remainder is undefined, because the quotient 2147483648 does not fit int32");
}

TEST(MachineInteger, ShiftsOfNegativeNumbers) {
  for (const std::string width : {"int32", "int64"}) {
    for (const char* formula : {"-1 << 3", "(0 - i0) << 3", "(0 - 1 - i0) << 0"}) {
      EXPECT_EQ(Fits("f32[N]{0}", formula, width).verdict, kRefuted) << formula;
      EXPECT_EQ(Fits("f32[N]{0}", formula, width + ":c").verdict, kRefuted) << formula;
    }
    EXPECT_EQ(Fits("f32[N]{0}", "-1 << 3", width + ":c++20").verdict, kProved);
    EXPECT_EQ(Fits("f32[N]{0}", "(0 - i0 % 8) << 3", width + ":c++20").verdict, kProved);
    EXPECT_EQ(Fits("f32[N]{0}", "(i0 % 8) << 3", width).verdict, kProved);
    EXPECT_EQ(Fits("f32[N]{0}", "(0 - i0) >> 3", width).verdict, kProved);
    // C++20 wraps, which is an overflow here, too.
    EXPECT_EQ(Fits("f32[N]{0}", width == "int32" ? "1 << 31" : "2 << 62", width + ":c++20").verdict, kRefuted);
    EXPECT_EQ(Fits("f32[N]{0}", width == "int32" ? "1 << 30" : "1 << 62", width).verdict, kProved);
  }
  EXPECT_EQ(Fits("f32[N]{0}", "1 << 31", "uint32").verdict, kProved);
  EXPECT_EQ(Fits("f32[N]{0}", "-1 << 3", "int32").without_value[0].second,
            "C does not define a left shift of a negative number; C++20 does: int32:c++20");
}

TEST(MachineInteger, ShiftAmounts) {
  ExpectVerdicts({
      {"i0 >> 31", kProved, kProved, kProved},
      {"i0 >> 32", kRefuted, kRefuted, kProved},
      {"i0 >> 63", kRefuted, kRefuted, kProved},
      {"i0 >> (i0 % 4)", kProved, kProved, kProved},
      {"0 << (i0 % 33)", kRefuted, kRefuted, kProved},
  });
}

template <class F>
ProofResult FunctionFits(const F& function, std::string_view integer) {
  const FunctionProof proof = ProveNoOverflow("f32[N]{0}", function, integer);
  EXPECT_TRUE(proof.result().has_value());
  return proof.result() ? *proof.result() : ProofResult{};
}

TEST(MachineInteger, FunctionsShiftByLessThanTheWidth) {
  const auto by = [](int amount) { return [amount](auto i) { return i[0] >> amount; }; };
  const auto by_index = [](auto i) { return i[0] * 0 << i[0] % 33; };
  for (const char* integer : {"int32", "uint32"}) {
    EXPECT_EQ(FunctionFits(by(31), integer).verdict, kProved) << integer;
    EXPECT_EQ(FunctionFits(by(32), integer).verdict, kRefuted) << integer;
    EXPECT_EQ(FunctionFits(by_index, integer).verdict, kRefuted) << integer;
  }
  EXPECT_EQ(FunctionFits(by(63), "int64").verdict, kProved);
  EXPECT_EQ(FunctionFits(by(64), "int64").verdict, kRefuted);
  EXPECT_EQ(FunctionFits(by_index, "int64").verdict, kProved);
  EXPECT_EQ(FunctionFits(by(32), "int32").subexpression, "0 >> 32");
  EXPECT_EQ(FunctionFits(by(32), "int32").without_value[0].second,
            "a shift by 32 is undefined for int32, which has 32 bits");
  // The search does not meet the only index at which the amount is too large.
  const auto rare = [](auto i) {
    if (i[0] == 1234577) return i[0] >> (i[0] - 1234544);
    return i[0];
  };
  EXPECT_NE(FunctionFits(rare, "int32").verdict, kProved);
  EXPECT_EQ(FunctionFits(rare, "int64").verdict, kProved);
}

// The int64_t instance would trap if the search called it.
TEST(MachineInteger, FunctionsWithTheLeastRemainder) {
  const auto remainder = [](int64_t least, int divisor) {
    return [least, divisor](auto i) { return (i[0] - i[0] + least) % (i[0] - i[0] + divisor); };
  };
  constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
  EXPECT_EQ(FunctionFits(remainder(kLeast, -1), "int64").verdict, kRefuted);
  EXPECT_EQ(FunctionFits(remainder(kLeast + 1, -1), "int64").verdict, kProved);
  EXPECT_EQ(FunctionFits(remainder(kLeast, -2), "int64").verdict, kProved);
  EXPECT_EQ(FunctionFits(remainder(-2147483648, -1), "int32").verdict, kRefuted);
  EXPECT_EQ(FunctionFits(remainder(-2147483648, -1), "int64").verdict, kProved);
  EXPECT_EQ(FunctionFits(remainder(-2147483647, -1), "int32").verdict, kProved);
  EXPECT_TRUE(Prove("f32[N]{0}", [&](auto i) { return i[0] + remainder(kLeast, -1)(i); }));
}

// Arithmetic on numbers that only one path reaches.
TEST(MachineInteger, NumbersOnOnePathFit) {
  const auto square = [](int64_t number) {
    return [number](auto i) {
      auto result = i[0];
      if (i[0] == 1234577) {
        auto product = i[0] - i[0];
        product = product * 0 + number;
        result = product * product % 7;
      }
      return result;
    };
  };
  EXPECT_NE(FunctionFits(square(65536), "int32").verdict, kProved);
  EXPECT_EQ(FunctionFits(square(46340), "int32").verdict, kProved);
  EXPECT_EQ(FunctionFits(square(65536), "int64").verdict, kProved);
}

TEST(MachineInteger, ComplementOfUnsigned) {
  const auto align = []<class Int>(std::span<const Int> i) { return i[0] & ~Int(127); };
  for (const char* integer : {"int32", "uint32", "int64"}) {
    const ProofResult result = FunctionFits(align, integer);
    EXPECT_EQ(result.verdict, kProved) << integer << ": " << result.reason << result.subexpression;
  }
  EXPECT_EQ(FunctionFits([](auto i) { return i[0] & ~127; }, "uint32").verdict, kProved);
  // The result of uint32 is another one than that of int64_t, of which Prove() speaks.
  const auto high = []<class Int>(std::span<const Int> i) { return ~i[0] >> 31; };
  EXPECT_EQ(FunctionFits(high, "uint32").verdict, kRefuted);
  EXPECT_EQ(FunctionFits(high, "int32").verdict, kProved);
  const auto complement = [](auto i) { return ~i[0]; };
  EXPECT_EQ(FunctionFits(complement, "uint32").verdict, kRefuted);
  EXPECT_EQ(FunctionFits(complement, "int32").verdict, kProved);
  // A negative number in a comparison or division is a large one in uint32.
  EXPECT_EQ(FunctionFits([](auto i) { return i[0] % -2; }, "uint32").verdict, kRefuted);
  EXPECT_EQ(FunctionFits([](auto i) { return i[0] > -2 ? i[0] : i[0] * 0; }, "uint32").verdict, kRefuted);
  EXPECT_EQ(FunctionFits([](auto i) { return i[0] % -2; }, "int32").verdict, kProved);
  EXPECT_EQ(FunctionFits([](auto i) { return i[0] > 2 ? i[0] + -1 : i[0]; }, "uint32").verdict, kProved);
  EXPECT_EQ((~SymbolicInteger(5)).number(), -6);
}

template <class T>
concept MixesWithSymbolic = requires(const SymbolicInteger& a, T b) {
  a + b;
  b* a;
  a < b;
  a == b;
  SymbolicInteger(b);
};

// int64_t becomes unsigned beside these, so that i - 1 < 5u is false for i = 0, and a SymbolicInteger does not.
TEST(MachineInteger, UnsignedOperandsOf64BitsDoNotCompile) {
  static_assert(!MixesWithSymbolic<uint64_t>);
  static_assert(!MixesWithSymbolic<size_t>);
  static_assert(!MixesWithSymbolic<unsigned long>);
  static_assert(!MixesWithSymbolic<unsigned long long>);
  static_assert(MixesWithSymbolic<int>);
  static_assert(MixesWithSymbolic<unsigned>);
  static_assert(MixesWithSymbolic<uint8_t>);
  static_assert(MixesWithSymbolic<int64_t>);
  static_assert(MixesWithSymbolic<bool>);
  static_assert(MixesWithSymbolic<SymbolicInteger>);
  EXPECT_EQ(SymbolicInteger::FromUnsigned(~uint64_t{0}).number(), Int128{~uint64_t{0}});
  EXPECT_EQ(static_cast<size_t>(SymbolicInteger(7)), 7u);
}

// The text of a verdict that nothing is known, because two calls with the same arguments differ.
void ExpectState(const FunctionProof& proof) {
  ASSERT_TRUE(proof.result().has_value());
  EXPECT_EQ(proof.result()->verdict, ProofVerdict::kUnknown) << proof.message();
  EXPECT_EQ(proof.result()->reason, kFunctionHasState);
}

TEST(MachineInteger, FunctionsWithAState) {
  ExpectState(Prove("f32[N]{0}", []<class Int>(std::span<const Int> i) {
    static bool seen = false;
    if (seen) return i[0];
    seen = true;
    return i[0] * 2;
  }));
  // It is right on numbers and wrong on expressions, every second time.
  auto on_paths = [calls = 0]<class Int>(std::span<const Int> i) mutable {
    if constexpr (std::same_as<Int, SymbolicInteger>) {
      if (!i[0].number() && ++calls % 2 == 0) return i[0] + 1;
    }
    return i[0];
  };
  ExpectState(Prove("f32[N]{0}", on_paths));
  EXPECT_FALSE(ProveNoOverflow("f32[N]{0}", on_paths, "int32"));
  // The second of two calls at one point is wrong.
  EXPECT_FALSE(Prove("f32[N]{0}", [last = int64_t{-1}]<class Int>(std::span<const Int> i) mutable {
    if constexpr (std::same_as<Int, SymbolicInteger>) {
      if (const auto number = i[0].number(); number && *number > 7) {
        if (std::exchange(last, static_cast<int64_t>(*number)) == *number) return i[0] + 1;
      }
    }
    return i[0];
  }));
  EXPECT_TRUE(Prove("f32[N]{0}", []<class Int>(std::span<const Int> i) {
    [[maybe_unused]] static int calls = 0;  // The result does not depend on it.
    ++calls;
    return i[0];
  }));
}

}  // namespace
}  // namespace layoutcheck
