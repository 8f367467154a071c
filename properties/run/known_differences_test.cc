// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/properties/run/known_differences.h"
#include <gtest/gtest.h>
#include <fstream>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/process/temporary_directory.h"
#include "layoutcheck/properties/algebra/algebra_runner.h"
#include "layoutcheck/properties/reference/reference_subject.h"
#include "layoutcheck/properties/run/known_rate.h"

namespace layoutcheck {
namespace {

// Reads a file of known differences that has these members, in one line, besides the ones that every line has.
Expected<KnownDifferences> Read(const std::string& members) {
  const TemporaryDirectory directory;
  const std::string path = directory.path() + "/known.jsonl";
  std::ofstream(path) << "\n{" << members << (members.empty() ? "" : ",")
                      << R"("law":"composition","reason":"r","version":"1","reference":"#1"})" << "\n";
  return KnownDifferences::Read(path);
}

TEST(KnownDifferences, LinesThatAcceptEveryAnswerAreRefused) {
  struct Case {
    const char* members;
    const char* error;
  };
  for (const Case& c : {
           Case{"", ":2: this accepts every answer: add \"actual\""},
           Case{R"("pattern":"[^]*-[^]*")", ":2: this accepts every answer: add \"actual\""},
           Case{R"("actual":".*")", ":2: \"actual\" matches every text, '.*': leave it out, or name the texts"},
           Case{R"("actual":"[^]*")", ":2: \"actual\" matches every text"},
           Case{R"("actual":"9","pattern":"(?:.|x)+")", ":2: \"pattern\" matches every text"},
           Case{R"("expected":"[\\s\\S]+?")", ":2: \"expected\" matches every text"},
           Case{R"("actual":"(")", ":2: \"actual\" is no regular expression"},
           Case{R"("actal":"9")", ":2: no member 'actal' of this type"},
           Case{R"("actual":9)", ":2: no member 'actual' of this type"},
           Case{R"("predicate":"always")", ":2: no predicate 'always'; expected one of memory-space-of-8-bits, "},
           Case{R"("actual":"9","rate":0)", ":2: \"rate\", the share of a law's cases"},
           Case{R"("actual":"9","rate":1.5)", ":2: \"rate\", the share of a law's cases"},
       }) {
    const auto known = Read(c.members);
    ASSERT_FALSE(known) << c.members;
    EXPECT_NE(known.error().message.find(c.error), std::string::npos) << known.error().message;
  }
  for (const char* members : {R"("actual":"\\d+")", R"("text":"a.*","rate":1)", R"("reference_answer":"rejected: .*")",
                              R"("predicate":"strides-do-not-divide")", R"("layout":"4:1; 2:1")"}) {
    EXPECT_TRUE(Read(members)) << members;
  }
}

TEST(KnownDifferences, EveryPartMustMatch) {
  auto known = Read(R"("pattern":"\\(.*","actual":"\\d+ in .*","reference_answer":"rejected: .*")");
  ASSERT_TRUE(known);
  const Difference difference{"composition", "(2,2):(1,3); 2:1", "3", "2 in 2:1", "", "rejected: no layout"};
  EXPECT_TRUE(known->MatchesClass(difference, true));
  for (const auto& [member, text] :
       {std::pair{&Difference::law, "complement"}, std::pair{&Difference::layout, "4:1; 2:1"},
        std::pair{&Difference::actual, "7:13"}, std::pair{&Difference::reference_answer, "2:1"}}) {
    Difference other = difference;
    other.*member = text;
    EXPECT_FALSE(known->MatchesClass(other, true)) << text;
  }
  EXPECT_EQ(known->all()[0].times_seen, 1);
  known = Read(R"("layout":"4:1; 2:1","actual":"2 in 2:1")");
  ASSERT_TRUE(known);
  EXPECT_FALSE(known->MatchesClass({"composition", "4:1; 2:1", "3", "2 in 2:1", "", ""}, true));
  EXPECT_EQ(known->MatchLayout({"composition", "4:1; 2:1", "3", "7 in 7:13", "", ""}), nullptr);
  EXPECT_NE(known->MatchLayout({"composition", "4:1; 2:1", "3", "2 in 2:1", "", ""}), nullptr);
}

TEST(KnownDifferences, PredicatesAcceptOneAnswer) {
  struct Case {
    const char* predicate;
    Difference difference;
    bool is_known;
  };
  for (const Case& c : {
           Case{"memory-space-of-8-bits", {"", "", "f32[2]{0:S(257)}", "f32[2]{0:S(1)}", "", ""}, true},
           Case{"memory-space-of-8-bits",
                {"", "", "(f32[]{:S(256)}, s4[]{:S(200)})", "(f32[], s4[]{:S(-56)})", "", ""},
                true},
           Case{"memory-space-of-8-bits", {"", "", "f32[2]{0:E(4)S(512)}", "f32[2]{0:E(4)}", "", ""}, true},
           Case{"memory-space-of-8-bits", {"", "", "f32[2]{0:S(1)}", "f32[2]{0:S(2)}", "", ""}, false},
           Case{"memory-space-of-8-bits", {"", "", "f32[2,3]{1,0:S(257)}", "f32[2,3]{0,1:S(1)}", "", ""}, false},
           Case{"memory-space-of-8-bits", {"", "", "f32[2]{0:T(8)S(257)}", "f32[2]{0:S(1)}", "", ""}, false},
           Case{"without-memory-space", {"", "", "{1,0:T(8)S(3)}", "{1,0:T(8)}", "", ""}, true},
           Case{"without-memory-space", {"", "", "{1,0:T(8)S(3)}", "{1,0}", "", ""}, false},
           Case{"without-memory-space", {"", "", "{1,0:S(", "{1,0:S(", "", ""}, true},
           Case{"cosize-without-swizzle", {"", "Sw<1,0,-1> o 0 o 2:1", "4", "2", "", ""}, true},
           Case{"cosize-without-swizzle", {"", "Sw<1,0,-1> o 0 o 2:1", "4", "7", "", ""}, false},
           Case{"cosize-of-last-coordinate", {"", "4:-1", "4", "-2", "", ""}, true},
           Case{"cosize-of-last-coordinate", {"", "4:-1", "4", "7", "", ""}, false},
           Case{"strides-do-not-divide", {"", "(2,2):(2,3)", "1", "0", "", ""}, true},
           Case{"strides-do-not-divide", {"", "(2,1):(2,3)", "1", "0", "", ""}, false},
           Case{"strides-do-not-divide", {"", "(2,2):(1,3)", "1", "0", "", ""}, false},
           Case{"modes-leave-holes", {"", "(2,2):(1,3)", "1", "0", "", ""}, true},
           Case{"modes-leave-holes", {"", "(2,2):(1,2)", "1", "0", "", ""}, false},
           Case{"modes-do-not-divide", {"", "(3,2):(1,3); 4:1", "size 4", "size 3: (3,1):(1,3)", "", ""}, true},
           Case{"modes-do-not-divide", {"", "(3,2):(1,3); 3:1", "size 3", "size 7: 7:13", "", ""}, false},
           Case{"shapes-of-one-size", {"", "(2,2); 4", "0", "1", "", ""}, true},
           Case{"shapes-of-one-size", {"", "(2,2); 8", "0", "1", "", ""}, false},
           Case{"wraps-at-32-bits", {"", "", "8589934655", "63", "", ""}, true},
           Case{"wraps-at-32-bits", {"", "", "4294967296", "1", "", ""}, false},
           Case{"wraps-at-32-bits", {"", "", "4294967296", "0 in 1:1", "", ""}, false},
       }) {
    auto known = Read(StrCat(R"("predicate":")", c.predicate, "\""));
    ASSERT_TRUE(known);
    Difference difference = c.difference;
    difference.law = "composition";
    EXPECT_EQ(known->MatchesClass(difference, false), c.is_known) << c.predicate << " " << difference.actual;
  }
}

// Answers one function by a constant, or refuses it.
class Constant final : public ReferenceSubject {
 public:
  explicit Constant(ApplyAnswer answer) : answer_(std::move(answer)) {}
  Answer<ApplyAnswer> Apply(std::string_view, std::span<const std::string>) override { return answer_; }

 private:
  ApplyAnswer answer_;
};

std::vector<Finding> Hidden(const ApplyAnswer& answer, const std::string& members) {
  auto known = Read(members);
  EXPECT_TRUE(known) << known.error().message;
  Constant subject(answer);
  const AlgebraLaw* const law = FindAlgebraLaw("composition");
  CheckOptions options;
  options.cases = 100;
  options.known = &*known;
  const CheckSummary summary = CheckAlgebra(subject, std::span(&law, 1), options);
  for (const Finding& finding : summary.findings) ADD_FAILURE() << finding.layout << " is " << finding.actual;
  return HiddenLaws(summary.laws, SeenLines(*known));
}

TEST(KnownRate, ALawOfWhichNearlyEveryCaseIsKnownIsReported) {
  const ApplyAnswer constant{"7:13", {}, {}};
  const auto findings = Hidden(constant, R"("actual":"[^]*7[^]*")");
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].law, "composition");
  EXPECT_NE(findings[0].actual.find("cases of composition are known, by line 2: "), std::string::npos)
      << findings[0].actual;
  EXPECT_FALSE(findings[0].layout.empty());
  EXPECT_TRUE(Hidden(constant, R"("actual":"[^]*7[^]*","rate":1)").empty());
}

TEST(KnownRate, AKnownLayoutInFrontDoesNotHideTheRate) {
  auto known = Read(R"("layout":"4:1; 2:1","law":"composition","reason":"r","version":"1","reference":"#1"})"
                    "\n{"
                    R"("actual":"[^]*7[^]*","pattern":"\\(.*")");
  ASSERT_TRUE(known) << known.error().message;
  Constant subject({"7:13", {}, {}});
  const AlgebraLaw* const law = FindAlgebraLaw("composition");
  std::vector<std::vector<std::string>> arguments = {{"4:1", "2:1"}};
  for (int size = 5; size < 40; ++size) arguments.push_back({StrCat("(", size, ",2):(1,", size, ")"), "2:1"});
  CheckOptions options;
  options.known = &*known;
  const CheckSummary summary = CheckArguments(subject, std::span(&law, 1), arguments, options);
  EXPECT_TRUE(summary.findings.empty());
  const auto findings = HiddenLaws(summary.laws, SeenLines(*known));
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_NE(findings[0].actual.find("36 of 36 cases"), std::string::npos) << findings[0].actual;
}

TEST(KnownRate, AFunctionThatRefusesEveryArgumentIsReported) {
  const auto findings = Hidden({{}, {}, "no"}, R"("actual":"7")");
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_NE(findings[0].actual.find("are refused, the first with 'rejected: no'"), std::string::npos)
      << findings[0].actual;
}

}  // namespace
}  // namespace layoutcheck
