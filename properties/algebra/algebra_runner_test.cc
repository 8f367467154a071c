// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/properties/algebra/algebra_runner.h"
#include <gtest/gtest.h>
#include <algorithm>
#include <cstdio>
#include <limits>
#include <map>
#include <set>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/shape_stride/fractal_layout.h"
#include "layoutcheck/core/shape_stride/tla.h"
#include "layoutcheck/properties/algebra/algebra_generator.h"
#include "layoutcheck/properties/algebra/algebra_judge.h"
#include "layoutcheck/properties/algebra/algebra_reference.h"
#include "layoutcheck/properties/reference/reference_subject.h"

namespace layoutcheck {
namespace {

#ifdef LAYOUTCHECK_SANITIZED
constexpr uint64_t kCases = 300;
#else
constexpr uint64_t kCases = 1000;
#endif

TEST(Algebra, TheReferenceKeepsEveryLaw) {
  ReferenceSubject reference;
  CheckOptions options;
  options.cases = kCases;
  const CheckSummary summary = CheckAlgebra(reference, AlgebraLaws(), options);
  for (const Finding& finding : summary.findings) {
    ADD_FAILURE() << finding.law << " " << finding.layout << ": expected " << finding.expected << ", got "
                  << finding.actual;
  }
  for (const auto& [name, tally] : summary.laws) {
    EXPECT_GT(tally.agreed, static_cast<int64_t>(kCases / 50)) << name;
    EXPECT_EQ(tally.declined, 0) << name;
    std::printf("%-18s %5lld agreed, %5lld outside of the domain or rejected\n", name.c_str(),
                static_cast<long long>(tally.agreed), static_cast<long long>(tally.outside_domain));
  }
}

TEST(Algebra, AProductThatIsTooLargeForATableIsNotJudged) {
  ReferenceSubject reference;
  const std::vector<std::string> arguments = {"(2,3,(3,8)):(1,2,(6,18))", "(6,6,13):(1,1,1)"};
  for (const char* name : {"logical-product", "blocked-product", "raked-product"}) {
    const AlgebraLaw* const law = FindAlgebraLaw(name);
    const CheckSummary summary = CheckArguments(reference, std::span(&law, 1), std::span(&arguments, 1), {});
    EXPECT_TRUE(summary.findings.empty()) << name;
    EXPECT_EQ(summary.laws.at(name).outside_domain, 1) << name;
  }
}

TEST(Algebra, LawsHaveTheirOwnNamesAndFunctionsThatTheReferenceKnows) {
  ReferenceSubject reference;
  for (const AlgebraLaw* law : AlgebraLaws()) {
    EXPECT_EQ(FindAlgebraLaw(law->name), law);
    EXPECT_EQ(FindLaw(law->name), nullptr) << law->name;
    EXPECT_TRUE(law->statement.ends_with(".")) << law->name;
    ReplayedChoices simplest({});
    const auto answer = reference.Apply(law->function, law->arguments_of(AlgebraCaseSource::Draw(simplest, nullptr)));
    EXPECT_EQ(std::holds_alternative<ApplyAnswer>(answer), !law->function.empty()) << law->name;
  }
}

TEST(Algebra, ArgumentsAreTextAndBack) {
  const std::vector<std::string> arguments = {"(4,3):(3,1)", "6:1"};
  EXPECT_EQ(ArgumentsText(arguments), "(4,3):(3,1); 6:1");
  EXPECT_EQ(ReadArguments("(4,3):(3,1); 6:1"), arguments);
  EXPECT_EQ(ReadArguments(""), std::vector<std::string>{""});
}

class Rejecting final : public ReferenceSubject {
 public:
  Answer<ApplyAnswer> Apply(std::string_view, std::span<const std::string>) override {
    ApplyAnswer answer;
    answer.rejected = "no";
    return answer;
  }
};

TEST(Algebra, RejectionsCountAsDeclined) {
  Rejecting subject;
  const AlgebraLaw* const law = FindAlgebraLaw("coalesce");
  CheckOptions options;
  options.cases = 20;
  const CheckSummary summary = CheckAlgebra(subject, std::span(&law, 1), options);
  EXPECT_EQ(summary.laws.at("coalesce").declined, 20);
  EXPECT_TRUE(summary.findings.empty());
}

// Makes one stride too large in the layouts of two tags.
class TwoTagsWrong final : public ReferenceSubject {
 public:
  Answer<std::string> Make(std::string_view tag, int64_t bits, std::span<const int64_t> sizes) override {
    std::vector<int64_t> others(sizes.begin(), sizes.end());
    if (tag == "zN" || tag == "nZ") others[0] += 64;
    return ReferenceSubject::Make(tag, bits, others);
  }
};

TEST(Algebra, EachTagHasAFindingOfItsOwn) {
  TwoTagsWrong subject;
  const AlgebraLaw* const law = FindAlgebraLaw("make-layout");
  CheckOptions options;
  options.cases = 200;
  const CheckSummary summary = CheckAlgebra(subject, std::span(&law, 1), options);
  std::set<std::string> smallest;
  for (const Finding& finding : summary.findings) smallest.insert(finding.layout);
  EXPECT_EQ(smallest, (std::set<std::string>{"nZ; 16; 1; 1", "zN; 16; 1; 1"}));
  int64_t counted = 0;
  for (const Finding& finding : summary.findings) counted += finding.count;
  EXPECT_EQ(counted, summary.laws.at("make-layout").disagreed);
}

TEST(Algebra, SizesOfTagsAreDrawnBeyond32Bits) {
  bool is_past_32_bits = false;
  bool is_large_square = false;
  for (uint64_t number = 0; number < 1000; ++number) {
    RandomChoices choices(1, number);
    const AlgebraCase drawn = AlgebraCaseSource::Draw(choices, nullptr);
    is_past_32_bits |= drawn.rows > int64_t{1} << 32 || drawn.columns > int64_t{1} << 32;
    is_large_square |= drawn.rows > int64_t{1} << 15 && drawn.columns > int64_t{1} << 15;
    EXPECT_TRUE(drawn.row >= 0 && drawn.column >= 0);
    EXPECT_LT(drawn.row, drawn.rows);
    EXPECT_LT(drawn.column, drawn.columns);
  }
  EXPECT_TRUE(is_past_32_bits);
  EXPECT_TRUE(is_large_square);
}

TEST(Algebra, EveryTagIsMadeAndMatricesInBlocksOfAnySize) {
  std::map<std::string_view, int64_t> largest;  // size that is drawn, per tag
  std::set<std::string> in_blocks;
  for (uint64_t number = 0; number < 6000; ++number) {
    RandomChoices choices(1, number);
    const DrawnTag made = AlgebraCaseSource::Draw(choices, nullptr).made;
    const auto tag = ParseBlockedTag(made.tag);
    ASSERT_TRUE(tag) << made.tag;
    EXPECT_TRUE(MakeLayoutByTag(made.tag, 16, made.sizes)) << made.tag << " " << StrJoin(made.sizes, ",");
    int64_t& size = largest[TlaTagName(tag->tag)];
    size = std::max(size, std::ranges::max(made.sizes));
    if (!tag->blocks.empty()) in_blocks.insert(made.tag);
  }
  for (const TagOrder& order : kTagOrders) EXPECT_GE(largest[order.name], int64_t{1} << 32) << order.name;
  EXPECT_GT(in_blocks.size(), 100u);
}

TEST(Algebra, TensorsAndBlocksThatAreMade) {
  const auto make = [](std::string_view tag, std::vector<int64_t> sizes) {
    return std::get<std::string>(ReferenceSubject().Make(tag, 16, sizes));
  };
  EXPECT_EQ(make("zN<8,4>", {20, 40}), "((8,3),(4,10)):((4,32),(1,96))");
  EXPECT_EQ(make("NC1HWC0", {2, 20, 5, 7}), "(2,(16,2),5,7):(1120,(1,560),112,16)");
  EXPECT_TRUE(std::holds_alternative<Declined>(ReferenceSubject().Make("zN<8", 16, std::vector<int64_t>{2, 3})));
  EXPECT_TRUE(std::holds_alternative<Failed>(ReferenceSubject().Make("zN<8>", 16, std::vector<int64_t>{2, 3})));
  EXPECT_TRUE(std::holds_alternative<Failed>(ReferenceSubject().Make("NC1HWC0", 16, std::vector<int64_t>{2, 3})));
}

// A wrong answer that CuTe's documentation or pycute gives.
struct Wrong {
  const char* law;
  std::vector<std::string> arguments;
  const char* layout;
};

class Fixed final : public ReferenceSubject {
 public:
  explicit Fixed(std::string layout) : layout_(std::move(layout)) {}
  Answer<ApplyAnswer> Apply(std::string_view, std::span<const std::string>) override {
    ApplyAnswer answer;
    answer.layout = layout_;
    return answer;
  }

 private:
  std::string layout_;
};

TEST(Algebra, KnownWrongAnswersAreFound) {
  const Wrong rows[] = {
      {"composition", {"(4,3):(3,1)", "6:1"}, "4:3"},
      {"complement", {"(2,2):(1,3)", "12"}, "(2,2):(1,6)"},
      {"complement", {"(2,2):(1,1)", "12"}, "(1,0):(0,2)"},  // pycute: an extent of 0
      {"left-inverse", {"(2,2,2):(1,1,4)"}, "(1,4,1):(0,1,4)"},
      {"upcast", {"(4,4):(1,2)", "4"}, "(1,2):(1,1)"},
      {"logical-product", {"(2,2):(4,11)", "5:1"}, "((2,2),5):((4,11),1)"},
      {"coalesce", {"(2,3):(1,4)"}, "not a layout"},
  };
  for (const Wrong& row : rows) {
    Fixed subject(row.layout);
    const AlgebraLaw* const law = FindAlgebraLaw(row.law);
    ASSERT_NE(law, nullptr);
    const CheckSummary summary = CheckArguments(subject, std::span(&law, 1), std::span(&row.arguments, 1), {});
    EXPECT_EQ(summary.findings.size(), 1u) << row.law << " " << row.layout;
  }
}

// Close values are looked up in a table, distant ones are sorted.
TEST(AlgebraJudge, FindsRepeatedValuesCloseAndDistant) {
  constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  EXPECT_TRUE(algebra::Distinct({}));
  EXPECT_TRUE(algebra::Distinct({3, -1, 2, 0}));
  EXPECT_FALSE(algebra::Distinct({3, -1, 2, -1}));
  EXPECT_TRUE(algebra::Distinct({kMost, kLeast, 0}));
  EXPECT_FALSE(algebra::Distinct({kMost, kLeast, 0, kMost}));
}

// Gives a wrong layout for the functions of these names.
class WrongFunctions final : public ReferenceSubject {
 public:
  explicit WrongFunctions(std::set<std::string_view> functions) : functions_(std::move(functions)) {}
  Answer<ApplyAnswer> Apply(std::string_view function, std::span<const std::string> arguments) override {
    auto answer = ReferenceSubject::Apply(function, arguments);
    auto* const given = std::get_if<ApplyAnswer>(&answer);
    if (functions_.contains(function) && given != nullptr && given->layout) given->layout = "7:13";
    return answer;
  }

 private:
  std::set<std::string_view> functions_;
};

TEST(Algebra, ADefectIsReportedUnderTheLawOfTheFunctionThatHasIt) {
  using Names = std::vector<std::string>;
  const auto broken = [](std::set<std::string_view> functions) {
    WrongFunctions subject(std::move(functions));
    CheckOptions options;
    options.cases = 200;
    Names laws;
    for (const Finding& finding : CheckAlgebra(subject, AlgebraLaws(), options).findings) laws.push_back(finding.law);
    return laws;
  };
  EXPECT_EQ(broken({"logical_divide", "zipped_divide", "tiled_divide", "flat_divide"}), Names{"logical-divide"});
  EXPECT_EQ(broken({"logical_product", "blocked_product", "raked_product"}), Names{"logical-product"});
  EXPECT_EQ(broken({"zipped_divide"}), Names{"zipped-divide"});
  const Names of_composition =
      broken({"composition", "logical_divide", "zipped_divide", "tiled_divide", "flat_divide"});
  EXPECT_EQ(of_composition.front(), "composition");
  EXPECT_EQ(std::ranges::count(of_composition, "zipped-divide"), 0);
}

}  // namespace
}  // namespace layoutcheck
