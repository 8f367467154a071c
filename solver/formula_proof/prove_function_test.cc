// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/solver/formula_proof/prove_function.h"
#include <gtest/gtest.h>
#include <algorithm>
#include <cstdio>
#include <stdexcept>
#include "layoutcheck/core/hlo/parser.h"
#include "layoutcheck/core/relayout/relayout.h"
#include "layoutcheck/core/tiling/tiled_index.h"
#include "layoutcheck/solver/formula_proof/formula_point.h"
#include "layoutcheck/solver/formula_proof/formula_search.h"
#include "layoutcheck/solver/formula_proof/prove_formula.h"
#include "layoutcheck/solver/layout_proof/symbolic_layout.h"

namespace layoutcheck {
namespace {

template <class Int>
BasicTiledLayout<Int> LayoutOver(const SymbolicLayout& layout, std::span<const Int> dimensions,
                                 std::span<const Int> tiles) {
  BasicTiledLayout<Int> result;
  result.dimensions.assign(dimensions.begin(), dimensions.end());
  result.minor_to_major = layout.layout.minor_to_major;
  size_t next = 0;
  for (const auto& tile : layout.layout.tiles) {
    auto& entries = result.tiles.emplace_back();
    for (const auto& entry : tile) entries.push_back({entry.combine, entry.combine ? Int(1) : tiles[next++]});
  }
  return result;
}

constexpr const char* kLayouts[] = {"f32[M,N]{1,0:T(8,128)}",
                                    "f32[M,N]{1,0:T(P,Q)}",
                                    "bf16[A,M,N]{2,1,0:T(P,Q)(R,1)}",
                                    "s8[M,N]{0,1:T(8,128)(4,1)}",
                                    "f32[A,B,C]{2,1,0:T(2,*,4)}",
                                    "bf16[N]{0:T(1024)(128)(2,1)}",
                                    "f32[8,N]{1,0:T(2,2)(2,2,2)}",
                                    "f32[M,N]{1,0}",
                                    "f32[1048583,1048589]{1,0:T(8,128)}"};

// Every proof compares with the reference's index; this one runs it as a user's template.
TEST(ProveFunction, TheReferencesIndex) {
  double seconds = 0;
  for (const char* text : kLayouts) {
    const SymbolicLayout layout = *ParseSymbolicLayout(text);
    const FunctionProof proof = Prove(
        text, [&]<class Int>(std::span<const Int> index, std::span<const Int> dimensions, std::span<const Int> tiles) {
          return BasicTiledIndex<Int>(LayoutOver(layout, dimensions, tiles))(index);
        });
    EXPECT_TRUE(proof);
    seconds += proof.result()->seconds;
  }
  std::printf("%.2f s\n", seconds);
}

// Proves the weighted sum of quotients to which the index is folded for int64_t.
TEST(ProveFunction, TheReferencesFoldedIndex) {
  double seconds = 0;
  for (const char* text : kLayouts) {
    const SymbolicLayout layout = *ParseSymbolicLayout(text);
    const FunctionProof proof = Prove(
        text, [&]<class Int>(std::span<const Int> index, std::span<const Int> dimensions, std::span<const Int> tiles) {
          const auto program = TiledIndexCompiler<Int>().Compile(LayoutOver(layout, dimensions, tiles));
          std::vector<Int> values(program.value_count);
          return FoldedIndex<Int>(program).Evaluate(index, values.data());
        });
    EXPECT_TRUE(proof);
    seconds += proof.result()->seconds;
  }
  std::printf("%.2f s\n", seconds);
}

// Proves the digits of the reference's index, joined by Horner's rule over the expanded sizes.
TEST(ProveFunction, TheReferencesDigits) {
  double seconds = 0;
  for (const char* text : kLayouts) {
    const SymbolicLayout layout = *ParseSymbolicLayout(text);
    const FunctionProof proof = Prove(
        text, [&]<class Int>(std::span<const Int> index, std::span<const Int> dimensions, std::span<const Int> tiles) {
          const auto program = TiledIndexCompiler<Int>().Compile(LayoutOver(layout, dimensions, tiles));
          const std::vector<Int> values = EvaluateProgram<Int>(program, index);
          Int position = 0;
          for (const auto& digit : program.digits) position = position * digit.size + values[digit.value];
          return position;
        });
    EXPECT_TRUE(proof);
    seconds += proof.result()->seconds;
  }
  std::printf("%.2f s\n", seconds);
}

// A certificate is about the formula that was read from the function.
TEST(ProveFunction, HasACertificate) {
  const FunctionProof proof = Prove("f32[M,N]{1,0}",
                                    []<class Int>(std::span<const Int> index, std::span<const Int> dimensions) {
                                      return index[0] * dimensions[1] + index[1];
                                    },
                                    {.certificates = true});
  ASSERT_TRUE(proof);
  EXPECT_EQ(proof.result()->no_certificate, "");
  EXPECT_TRUE(
      proof.result()->certificate.starts_with("layoutcheck certificate 1\nlaw formula\nlayout f32[M,N]{1,0}\n"
                                              "formula i0 * N + i1\nsource a C++ function\npath\n"))
      << proof.result()->certificate;
}

// The loop segments of relayout give the offset of every element in the source and the destination.
TEST(ProveFunction, TheWalkOfRelayout) {
  const char* const from_text = "f32[1048583,20,300]{2,1,0:T(8,128)}";
  const char* const to_text = "f32[1048583,20,300]{1,2,0:T(4,128)}";
  const Shape from = *ParseShape(from_text);
  const TiledIndex source = *MakeTiledIndex(from);
  const TiledIndex destination = *MakeTiledIndex(*ParseShape(to_text));
  const auto loops = RelayoutLoops(from, source, destination);
  ASSERT_TRUE(loops.has_value());
  ASSERT_EQ(loops->size(), 3U);  // one per dimension, from major to minor
  for (const bool to_source : {true, false}) {
    const FunctionProof proof = Prove(to_source ? from_text : to_text, [&]<class Int>(std::span<const Int> index) {
      Int offset = 0;
      for (size_t d = 0; d < index.size(); ++d) {
        const RelayoutLoop& loop = (*loops)[d];
        int64_t first = 0;
        for (const RelayoutSegment& segment : loop.segments) {
          if (index[d] < first + segment.length) {
            const Int start = to_source ? segment.source : segment.destination;
            const Int stride = to_source ? loop.source_stride : loop.destination_stride;
            offset += start + (index[d] - first) * stride;
            break;
          }
          first += segment.length;
        }
      }
      return offset;
    });
    EXPECT_TRUE(proof);
    std::printf("%s: %ld paths, %.2f s\n", to_source ? "source" : "destination", proof.result()->obligations,
                proof.result()->seconds);
  }
}

// Three functions as people write them. The second forgets that the last tile of a row is padded.

template <class Int>
Int TileOffset(std::span<const Int> index, std::span<const Int> dimensions) {
  constexpr int kRows = 8;
  constexpr int kColumns = 128;
  const Int tiles_per_row = (dimensions[1] + kColumns - 1) / kColumns;
  const Int tile = index[0] / kRows * tiles_per_row + index[1] / kColumns;
  return tile * (kRows * kColumns) + index[0] % kRows * kColumns + index[1] % kColumns;
}

template <class Int>
Int UnpaddedTileOffset(std::span<const Int> index, std::span<const Int> dimensions) {
  const Int tile = index[0] / 8 * (dimensions[1] / 128) + index[1] / 128;
  return tile * 1024 + index[0] % 8 * 128 + index[1] % 128;
}

// Interleaves pairs of rows and computes the sizes dimension by dimension.
template <class Int, size_t kRank>
Int PackedOffset(const std::array<Int, kRank>& index, const std::array<Int, kRank>& dimensions) {
  constexpr std::array<int64_t, 2> kTile = {8, 128};
  std::array<Int, kRank> outer{};
  std::array<Int, kRank> outer_size{};
  for (size_t d = 0; d < kRank; ++d) {
    const bool tiled = d + 2 >= kRank;
    const int64_t size = tiled ? kTile[d + 2 - kRank] : 1;
    outer[d] = index[d] / size;
    outer_size[d] = dimensions[d] / size;
    if (dimensions[d] % size != 0) ++outer_size[d];
  }
  Int tile = 0;
  for (size_t d = 0; d < kRank; ++d) tile = tile * outer_size[d] + outer[d];
  const Int row = index[kRank - 2] - outer[kRank - 2] * 8;
  const Int column = index[kRank - 1] & 127;
  return (tile << 10) + ((row >> 1) * 128 + column) * 2 + (row & 1);
}

TEST(ProveFunction, FunctionsAsPeopleWriteThem) {
  const FunctionProof tiles =
      Prove("f32[M,N]{1,0:T(8,128)}", [](auto index, auto dimensions) { return TileOffset(index, dimensions); });
  EXPECT_TRUE(tiles);
  EXPECT_EQ(tiles.message(), "f32[M,N]{1,0:T(8,128)}: proved for all M, N >= 0 and every index");
  const FunctionProof packed = Prove("bf16[A,M,N]{2,1,0:T(8,128)(2,1)}",
                                     []<class Int>(const std::array<Int, 3>& index, const std::array<Int, 3>& sizes) {
                                       return PackedOffset(index, sizes);
                                     });
  EXPECT_TRUE(packed);
  EXPECT_GE(packed.result()->obligations, 4) << "the two branches of two dimensions";
  const FunctionProof unpadded = Prove(
      "f32[M,N]{1,0:T(8,128)}", [](auto index, auto dimensions) { return UnpaddedTileOffset(index, dimensions); });
  EXPECT_FALSE(unpadded);
  EXPECT_EQ(unpadded.message(),
            "f32[M,N]{1,0:T(8,128)}: refuted for M = 9, N = 1\n  index (8,0): expected 1024, actual 0");
  EXPECT_EQ(testing::PrintToString(unpadded), unpadded.message());
}

TEST(ProveFunction, MessagesExplainMissingValues) {
  const char* const row = "f32[N]{0}";
  EXPECT_EQ(Prove(row, [](auto i) { return i[0] / (i[0] - i[0]); }).message(),
            "f32[N]{0}: refuted for N = 1\n  index (0): expected 0, actual has no value: 0 / 0: division by zero");
  EXPECT_EQ(Prove(row,
                  [](auto i) {
                    if (i[0] > 5) throw std::out_of_range("more than 5");
                    return i[0];
                  })
                .message(),
            "f32[N]{0}: refuted for N = 7\n  index (6): expected 6, actual has no value: it threw: more than 5");
  EXPECT_TRUE(Prove(row, []<class Int>(std::span<const Int> i, std::span<const Int> n) {
    if (i[0] >= n[0]) throw std::out_of_range("past the end");
    return i[0];
  }));
  EXPECT_EQ(Prove(row,
                  []<class Int>(std::span<const Int> i) {
                    Int k = 0;
                    while (k < i[0]) ++k;
                    return k;
                  })
                .message(),
            "f32[N]{0}: unknown: more than 64 branches one after another depend on the names");
  EXPECT_EQ(Prove(row,
                  []<class Int>(std::span<const Int> i) {
                    for (Int k = 0; k >= 0;) k = 1 - k;
                    return i[0];
                  })
                .message(),
            "f32[N]{0}: unknown: the function takes more than 100000 operations");
  // The function catches the exception that should end it.
  EXPECT_FALSE(Prove(row, []<class Int>(std::span<const Int> i) {
    try {
      for (Int k = 0; k >= 0;) k = 1 - k;
    } catch (...) {
    }
    return i[0];
  }));
  EXPECT_EQ(Prove(row, []<class Int>(std::span<const Int> i) { return Int(1) << i[0]; }).result()->verdict,
            ProofVerdict::kRefuted);
  int calls = 0;
  EXPECT_FALSE(Prove(row, [&calls](auto i) { return ++calls > 30'000 && i[0] > calls ? i[0] + 1 : i[0]; }));
}

// A proof with symbolic integers alone is not enough, because a function may behave differently with int64_t.
TEST(ProveFunction, TheBuiltInTypeIsAskedToo) {
  const FunctionProof proof = Prove(
      "f32[N]{0}", []<class Int>(std::span<const Int> i) { return std::same_as<Int, int64_t> ? i[0] + 1 : i[0]; });
  EXPECT_EQ(proof.message(),
            "f32[N]{0}: refuted for N = 1\n  index (0): expected 0, actual has no value: it is 1 with int64_t and 0 "
            "with the symbolic integer");
}

TEST(ProveFunction, ArithmeticIsThatOfCpp) {
  EXPECT_TRUE(Prove("f32[N]{0}", [](auto i) { return -((-i[0] - 1) / 1) - 1 + (-i[0]) % 1; }));
  EXPECT_TRUE(Prove("f32[N]{0}", []<class Int>(std::span<const Int> i) {
    constexpr int64_t kTable[] = {0, 1, 2, 3};
    return i[0] / 4 * 4 + kTable[static_cast<size_t>(i[0] % 4)];
  }));
  EXPECT_TRUE(Prove("f32[M,N]{1,0}", []<class Int>(std::span<const Int> i, std::span<const Int> n) {
    return std::min(i[0], n[0] - 1) * n[1] + std::max(i[1], Int(0));
  }));
  EXPECT_TRUE(Prove("f32[N]{0}", [](auto i) { return (i[0] ^ 5) ^ 5; }));
}

TEST(ProveFunction, Overflow) {
  const auto offset = [](auto index, auto dimensions) { return TileOffset(index, dimensions); };
  EXPECT_TRUE(ProveNoOverflow("f32[M,N]{1,0:T(8,128)}", offset, "int64"));
  EXPECT_TRUE(ProveNoOverflow("f32[M,N]{1,0:T(8,128)}", offset, "int32"));
  const FunctionProof bits = ProveNoOverflow("f32[N]{0}", [](auto index) { return index[0] * 32 / 32; }, "int32");
  EXPECT_EQ(bits.message(),
            "f32[N]{0}: refuted for N = 67108865\n  index (67108864): 67108864 * 32: expected 2147483648, actual "
            "-2147483648");
  EXPECT_EQ(ProveNoOverflow(
                "f32[N]{0}", [](auto index) { return index[0]; }, "int8")
                .message(),
            "expected int32, uint32 or int64, for C++20 followed by :c++20, got 'int8'");
}

// The search for the largest value must not visit the 2^60 corners of the box.
TEST(ProveFunction, OverflowInSixtyDimensions) {
  const std::vector<int64_t> sizes(60, 2);
  const auto sum = [](auto index) {
    auto result = index[0];
    for (size_t d = 1; d < index.size(); ++d) result = result + index[d];
    return result;
  };
  // Only the last corner, or only its neighbor in the last dimension, exceeds int32.
  const auto largest_at_end = [&](auto index) { return sum(index) * ((int64_t{1} << 31) / 60 + 1); };
  const auto largest_beside_end = [&](auto index) {
    return (sum(index) - 2 * index[59]) * ((int64_t{1} << 31) / 59 + 1);
  };
  const auto prove = [&](const auto& function) {
    return ProveNoOverflow(sizes, SymbolicFunction{function, function}, "int32");
  };
  EXPECT_EQ(prove(sum)->verdict, ProofVerdict::kProved);
  EXPECT_EQ(prove(largest_at_end)->verdict, ProofVerdict::kRefuted);
  EXPECT_EQ(prove(largest_beside_end)->verdict, ProofVerdict::kRefuted);
}

TEST(ProveFunction, InvalidQuestions) {
  const auto array = []<class Int>(const std::array<Int, 2>& index) { return index[0]; };
  EXPECT_EQ(Prove("f32[N]{0}", array).message(),
            "f32[N]{0} has 1 dimensions: expected a function of 1 coordinates, it takes an array of 2");
  EXPECT_FALSE(Prove("f32[", array).result().has_value());
  EXPECT_FALSE(Prove("f32[0,N]{1,0}", array).result().has_value());
}

// The paths that agree in their first decisions are too many to be followed, and no random point is on the others.
TEST(ProveFunction, AFaultBesideTooManyPathsIsFound) {
  auto question = MakeFormulaQuestion({.formula = "A + B + C + D + E + F + G + H + J + K + L", .equals = "0"});
  const auto is_one_at_few = [](std::span<const SymbolicInteger> names) -> SymbolicInteger {
    const SymbolicInteger sum = names[0] * 5 + names[1] * 7;
    const bool is_above = !(sum <= 987654321);
    if (is_above && sum <= 987654322) return 1;
    for (const SymbolicInteger& name : names.subspan(2)) {
      if (name < 7) continue;
    }
    return 0;
  };
  question->formula = BindFunction(*question, {.symbolic = is_one_at_few, .numeric = nullptr, .is_pure = true},
                                   question->formula.names, "IsOneAtFew");
  EqualityGoal goal(*question);
  const auto proof = ProveGoal(goal, {});
  ASSERT_TRUE(proof.has_value()) << proof.error().ToString();
  ASSERT_EQ(proof->verdict, ProofVerdict::kRefuted) << proof->reason;
  EXPECT_EQ(proof->counterexample[0].second * 5 + proof->counterexample[1].second * 7, 987654322);
}

// A function has no formula to be assumed, and 0 in its place would leave no point to prove anything of.
TEST(ProveFunction, AFunctionIsNoAssumption) {
  auto question = MakeFormulaQuestion({.layout = "f32[N]{0}", .formula = "i0 * 7 == 864197523861 ? 0 : i0"});
  ASSERT_TRUE(question.has_value()) << question.error().ToString();
  const auto has_one = [](std::span<const SymbolicInteger> given) -> SymbolicInteger { return given[0] > 0 ? 1 : 0; };
  question->assumptions.push_back(
      BindFunction(*question, {.symbolic = has_one, .numeric = nullptr, .is_pure = true}, {{0, 0}}, "HasOne"));
  EqualityGoal goal(*question);
  const auto proof = ProveGoal(goal, {});
  ASSERT_FALSE(proof.has_value()) << ProofVerdictName(proof->verdict);
  EXPECT_EQ(proof.error().message, "an assumption has to be a formula, and HasOne is a function");
  const FormulaPaths paths = ExplorePaths(goal, {}, {});
  ASSERT_EQ(paths.paths.size(), 1);
  EXPECT_EQ(paths.paths[0].status, PathStatus::kUnsupported);
}

}  // namespace
}  // namespace layoutcheck
