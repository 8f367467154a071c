// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Correct implementations pass, and each kind of error has its message.
#include "layoutcheck/properties/cxx/mapping.h"
#include <gtest/gtest.h>
#include <array>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <string>
#include "layoutcheck/core/tiling/sizes.h"
#include "layoutcheck/core/tiling/tiled_index.h"
#include "layoutcheck/properties/cxx/implementation.h"
#include "layoutcheck/properties/reference/reference_subject.h"

namespace layoutcheck {
namespace {

// Extents like std::extents with all sizes known at run time.
template <size_t kRank>
struct Extents {
  std::array<int64_t, kRank> sizes;
  static constexpr size_t rank() { return kRank; }
  int64_t extent(size_t d) const { return sizes[d]; }
};

// A row-major mapping with a row pitch. A test can make each member wrong.
struct Pitched {
  using index_type = int32_t;

  Extents<2> extents_;
  int64_t pitch;
  int64_t span_error = 0;
  bool claims_exhaustive = false;
  int64_t stride_error = 0;
  bool transposed_read = false;

  const Extents<2>& extents() const { return extents_; }
  index_type operator()(index_type i, index_type j) const {
    return static_cast<index_type>(transposed_read ? j * pitch + i : i * pitch + j);
  }
  index_type required_span_size() const {
    const bool empty = extents_.extent(0) == 0 || extents_.extent(1) == 0;
    return static_cast<index_type>((empty ? 0 : (extents_.extent(0) - 1) * pitch + extents_.extent(1)) + span_error);
  }
  static constexpr bool is_always_unique() { return true; }
  bool is_unique() const { return true; }
  static constexpr bool is_always_exhaustive() { return false; }
  bool is_exhaustive() const { return claims_exhaustive || pitch == extents_.extent(1); }
  bool is_strided() const { return true; }
  index_type stride(size_t r) const { return static_cast<index_type>((r == 0 ? pitch : 1) + stride_error); }
};

// A mapping of any rank with only the required members.
template <size_t kRank>
struct RowMajor {
  Extents<kRank> extents_;
  const Extents<kRank>& extents() const { return extents_; }
  template <class... Index>
  int64_t operator()(Index... index) const {
    int64_t offset = 0;
    size_t d = 0;
    ((offset = offset * extents_.extent(d++) + index), ...);
    return offset;
  }
};

void ExpectFound(const CheckResult& result, const std::string& law, const std::string& text) {
  EXPECT_FALSE(result);
  EXPECT_TRUE(result.message().starts_with("FOUND: the mapping breaks " + law + "\n")) << result;
  EXPECT_NE(result.message().find(text), std::string::npos) << result;
}

TEST(Mapping, RightOnesPass) {
  EXPECT_TRUE(Check(Pitched{{{3, 5}}, 5}));
  EXPECT_TRUE(Check(Pitched{{{3, 5}}, 8}));
  EXPECT_TRUE(Check(Pitched{{{0, 5}}, 8}));
  EXPECT_TRUE(Check(RowMajor<0>{}));
  EXPECT_TRUE(Check(RowMajor<3>{{{2, 3, 4}}}));
  EXPECT_EQ(Check(RowMajor<3>{{{2, 3, 4}}}).evaluations(), 24);
  EXPECT_EQ(Check(RowMajor<2>{{{2, 0}}}).evaluations(), 0);
  EXPECT_TRUE(Check(RowMajor<3>{{{2, 3, 4}}}, "f32[2,3,4]{2,1,0}"));
  EXPECT_TRUE(Check(RowMajor<2>{{{3, 5}}}, "f32[3,5]{1,0:S(1)}"));
}

TEST(Mapping, EachWayToBeWrongIsFound) {
  // A pitch of 4 makes two rows overlap.
  ExpectFound(Check(Pitched{{{3, 5}}, 4}), "unique",
              "  at element (1,0)\n  expected   an offset of its own: (0,4) is at 4\n  actual     4\n");
  ExpectFound(Check(Pitched{.extents_ = {{3, 5}}, .pitch = 5, .span_error = 1}), "required-span-size",
              "  expected   15\n  actual     16\n");
  ExpectFound(Check(Pitched{.extents_ = {{3, 5}}, .pitch = 5, .span_error = -1}), "in-bounds",
              "  at element (2,4)\n  expected   0 to 13\n  actual     14\n");
  ExpectFound(Check(Pitched{.extents_ = {{0, 5}}, .pitch = 5, .span_error = 1}), "required-span-size",
              "  expected   0\n  actual     1\n");
  ExpectFound(Check(Pitched{.extents_ = {{3, 5}}, .pitch = 6, .claims_exhaustive = true}), "exhaustive",
              "  expected   an element at offset 5\n");
  ExpectFound(Check(Pitched{.extents_ = {{3, 5}}, .pitch = 5, .stride_error = 1}), "strided",
              "  at element (0,1)\n  expected   stride(1) = 2 from (0,0)\n  actual     1\n");
  ExpectFound(Check(Pitched{.extents_ = {{3, 5}}, .pitch = 5, .transposed_read = true}), "strided", "(0,1)");
  // The index type is too narrow.
  ExpectFound(Check(Pitched{{{70000, 70000}}, 70000}), "in-bounds", "actual     ");
  struct Liar : RowMajor<1> {
    static constexpr bool is_always_unique() { return true; }
    bool is_unique() const { return false; }
  };
  ExpectFound(Check(Liar{{{{3}}}}), "is_always_unique", "is_always_unique() and not is_unique()");
  ExpectFound(Check(RowMajor<1>{{{-1}}}), "extents", "actual     -1");
}

TEST(Mapping, IsComparedWithALayout) {
  ExpectFound(Check(RowMajor<2>{{{3, 5}}}, "f32[3,5]{0,1}"), "linear-index",
              "  extents    (3,5)\n  at element (0,1)\n  expected   3\n  actual     1\n\n"
              "  offsets, the last dimension from left to right\n\n"
              "    0  [1]  2   3   4 \n    5   6   7   8   9 \n   10  11  12  13  14 \n");
  ExpectFound(Check(RowMajor<2>{{{5, 3}}}, "f32[3,5]{1,0}"), "extents", "expected   (3,5)");
  EXPECT_NE(Check(RowMajor<2>{{{3, 5}}}, "f32[3,5").message().find("column 8"), std::string::npos);
  EXPECT_NE(Check(RowMajor<2>{{{3, 5}}}, "token[]").message().find("a token"), std::string::npos);
  // A span size may only be the extent or the allocation.
  struct Spanned : RowMajor<1> {
    int64_t span;
    int64_t required_span_size() const { return span; }
  };
  EXPECT_TRUE(Check(Spanned{{{{5}}}, 5}, "f32[5]{0:T(4)}"));
  EXPECT_TRUE(Check(Spanned{{{{5}}}, 8}, "f32[5]{0:T(4)}"));
  ExpectFound(Check(Spanned{{{{5}}}, 6}, "f32[5]{0:T(4)}"), "required-span-size", "expected   5 or 8");
}

#ifdef LAYOUTCHECK_SANITIZED
constexpr uint64_t kMappingCases = 30;
#else
constexpr uint64_t kMappingCases = 200;
#endif

// The tiled index as a user writes it, correct or without tiles.
struct Tiled {
  bool rounds_down = false;
  std::optional<int64_t> offset(const Shape& shape, std::span<const int64_t> coordinate) {
    if (!shape.layout->tiles.empty() && !rounds_down) {
      const auto index = MakeTiledIndex(shape);
      return index ? std::optional((*index)(coordinate)) : std::nullopt;
    }
    int64_t result = 0;
    for (int64_t p = 0; p < shape.rank(); ++p) {
      const auto d = static_cast<size_t>(shape.layout->Major(p));
      result = result * shape.dimensions[d] + coordinate[d];
    }
    return result;
  }
};

TEST(Implementation, IsHeldToTheLawsThatItAnswers) {
  const CheckResult right = Check(Tiled(), {.cases = kMappingCases});
  EXPECT_TRUE(right) << right;
  EXPECT_GT(right.evaluations(), 1000);
  const CheckResult wrong = Check(Tiled{.rounds_down = true}, {.cases = kMappingCases});
  EXPECT_FALSE(wrong);
  EXPECT_NE(wrong.message().find("FOUND: implementation breaks linear-index\n  law        Every element is at the "),
            std::string::npos)
      << wrong;
  struct Nothing {
    std::optional<int64_t> offset(const Shape&, std::span<const int64_t>) { return std::nullopt; }
  };
  EXPECT_EQ(Check(Nothing(), {.cases = 20}).message(), "nothing was checked: every question was declined\n");
}

// Throws for tiles, as real code does for what it does not expect.
struct Throwing {
  std::optional<int64_t> offset(const Shape& shape, std::span<const int64_t> coordinate) {
    if (!shape.layout->tiles.empty()) throw std::runtime_error("no tiles here");
    return Tiled().offset(shape, coordinate);
  }
};

struct ThrowingMapping : RowMajor<2> {
  int64_t operator()(int64_t i, int64_t j) const {
    if (i == 1 && j == 2) throw std::out_of_range("row 1");
    return i * extents_.extent(1) + j;
  }
};

struct ThrowingSize : RowMajor<2> {
  int64_t required_span_size() const { throw std::logic_error("unknown size"); }
};

TEST(Exceptions, AreFindingsWithLayoutAndLaw) {
  const CheckResult result = Check(Throwing(), {.cases = kMappingCases});
  EXPECT_FALSE(result);
  EXPECT_NE(result.message().find("FOUND: implementation breaks linear-index\n"), std::string::npos) << result;
  EXPECT_NE(result.message().find("  layout     f32[]{:T(1)}\n"), std::string::npos) << result;
  EXPECT_NE(result.message().find("  actual     exception: no tiles here\n"), std::string::npos) << result;
  ExpectFound(Check(ThrowingMapping{{{{2, 3}}}}), "no-exception",
              "  at element (1,2)\n  expected   an answer\n  actual     exception: row 1\n\n"
              "  offsets, the last dimension from left to right\n\n   0  1  2 \n   3  4 [-]\n");
  ExpectFound(Check(ThrowingSize{{{{2, 3}}}}), "no-exception", "  actual     exception: unknown size\n");
}

// An implementation with all members, answered by the reference.
struct Everything {
  ReferenceSubject reference;
  template <class T>
  static std::optional<T> Value(Answer<T> answer) {
    auto* value = std::get_if<T>(&answer);
    return value == nullptr ? std::nullopt : std::optional<T>(std::move(*value));
  }
  std::optional<int64_t> offset(const Shape& shape, std::span<const int64_t> coordinate) {
    return Value(reference.Offset(shape, coordinate));
  }
  std::optional<std::vector<int64_t>> table(const Shape& shape) { return Value(reference.Table(shape)); }
  std::optional<std::vector<int64_t>> coordinate(const Shape& shape, int64_t offset) {
    return Value(reference.CoordinateAt(shape, offset)).value_or(std::nullopt);
  }
  std::optional<SizeAnswer> size(const Shape& shape) { return Value(reference.Size(shape)); }
  std::optional<std::vector<int64_t>> relayout(const Shape& from, const Shape& to, std::span<const int64_t> data) {
    return Value(reference.Relayout(from, to, data));
  }
  std::optional<ParseAnswer> parse(std::string_view kind, std::string_view text) {
    return Value(reference.Parse(kind, text));
  }
  std::optional<bool> bitcast(const Shape& from, const Shape& to, std::optional<std::span<const int64_t>> transpose) {
    return Value(reference.Bitcast(from, to, transpose));
  }
  std::optional<bool> equal(const Shape& a, const Shape& b, std::span<const std::string> ignored_parts) {
    return Value(reference.AreEqual(a, b, ignored_parts));
  }
  std::optional<EditAnswer> edit(std::string_view function, const Shape& shape, std::span<const int64_t> arguments) {
    return Value(reference.Edit(function, shape, arguments));
  }
  SubjectInfo info() { return {"everything", "1", 3, {}, {}, {}}; }
};

TEST(Implementation, MayHaveEveryMember) {
  Everything everything;
  ImplementationSubject subject(everything);
  const CheckSummary summary = CheckRandom(subject, {.cases = 200});
  // A class without exceptions refuses an overflow by no answer. It has no members for index expressions and MLIR. Two
  // laws have nothing to ask about a layout that none of their rewrites changes.
  int64_t declined = 0;
  for (const char* law :
       {"size-overflow", "affine-value", "memref-text", "memref-view", "repeated-tiling", "unit-dimension"}) {
    declined += summary.laws.at(law).declined;
  }
  EXPECT_EQ(summary.declined(), declined);
  EXPECT_EQ(summary.scope.max_rank, 3);
  for (const auto& [name, tally] : summary.laws) EXPECT_GT(tally.agreed + tally.declined, 0) << name;
  EXPECT_TRUE(ResultOf(summary)) << ResultOf(summary);
}

TEST(CheckResult, IsWhatATestNeeds) {
  const CheckResult found = Check(Pitched{{{3, 5}}, 4});
  const ::testing::AssertionResult assertion = found;
  EXPECT_FALSE(assertion);
  EXPECT_EQ(std::string(assertion.failure_message()), "\n" + found.message());
  std::ostringstream stream;
  stream << found;
  EXPECT_EQ(stream.str(), found.message());
}

}  // namespace
}  // namespace layoutcheck
