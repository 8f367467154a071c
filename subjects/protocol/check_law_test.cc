// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/subjects/protocol/check_law.h"
#include <gtest/gtest.h>
#include <string>
#include <variant>
#include <vector>
#include "layoutcheck/core/hlo/parser.h"
#include "layoutcheck/properties/algebra/algebra_law.h"
#include "layoutcheck/properties/faults/fault.h"
#include "layoutcheck/properties/reference/reference_subject.h"

namespace layoutcheck {
namespace {

const char* const kLayouts[] = {"f32[3,5]{1,0:T(2,2)}", "bf16[5,6]{1,0:T(2,4)(2,1)}", "s4[7]{0:E(4)}", "pred[]"};

LawResult Served(LawServer& server, const LawQuestion& question) {
  std::string request = CheckLawRequest(question);
  request.pop_back();  // the newline
  const auto line = server.Answer(request);
  const Answer<LawResult> read = ReadLawResult(line.value());
  EXPECT_TRUE(std::holds_alternative<LawResult>(read)) << *line;
  return std::get<LawResult>(read);
}

void ExpectSame(const LawResult& served, const LawResult& direct, std::string_view what) {
  EXPECT_EQ(served.verdict, direct.verdict) << what;
  EXPECT_EQ(served.expected, direct.expected) << what;
  EXPECT_EQ(served.actual, direct.actual) << what;
  EXPECT_EQ(served.coordinate, direct.coordinate) << what;
  EXPECT_EQ(served.offset, direct.offset) << what;
  EXPECT_EQ(served.text, direct.text) << what;
  EXPECT_EQ(served.why, direct.why) << what;
  EXPECT_EQ(served.is_refusal, direct.is_refusal) << what;
  EXPECT_EQ(served.reference_answer, direct.reference_answer) << what;
}

TEST(CheckLaw, TheServerGivesTheResultOfTheLawForEveryFault) {
  size_t broken = 0;
  for (const Fault& fault : AllFaults()) {
    const auto subject = MakeFaultySubject(fault);
    LawServer server(*subject);
    for (const char* text : kLayouts) {
      const auto layout_case = LayoutCase::Create(ParseShape(text).value()).value();
      const auto huge_case = HugeCase::Create(layout_case.shape).value();
      for (const Law* law : AllLaws()) {
        const LawResult all = law->Check(*subject, layout_case);
        broken += all.verdict == LawResult::Verdict::kDisagree ? 1 : 0;
        ExpectSame(Served(server, {law->name, LawQuestion::About::kAllElements, {layout_case.text}}), all, law->name);
        ExpectSame(Served(server, {law->name, LawQuestion::About::kSomeElements, {layout_case.text}}),
                   law->CheckHuge(*subject, huge_case), law->name);
      }
    }
  }
  EXPECT_GT(broken, 100u);
}

TEST(CheckLaw, LawsOfTheAlgebraTakeTheirArguments) {
  ReferenceSubject reference;
  LawServer server(reference);
  const std::vector<std::string> arguments = {"(4,3):(3,1)", "6:1"};
  const AlgebraLaw& law = *FindAlgebraLaw("composition");
  ExpectSame(Served(server, {law.name, LawQuestion::About::kArguments, arguments}), law.check(reference, arguments),
             law.name);
}

TEST(CheckLaw, OtherRequestsAreNotAnswered) {
  ReferenceSubject reference;
  LawServer server(reference);
  EXPECT_FALSE(server.Answer(R"({"op":"table","layout":"f32[2]{0}"})"));
  for (const char* request : {R"({"op":"check-law"})", R"({"op":"check-law","law":"no-such","arguments":[]})",
                              R"({"op":"check-law","law":"injective","about":"all-elements","arguments":["f32["]})"}) {
    const auto line = server.Answer(request);
    ASSERT_TRUE(line) << request;
    EXPECT_TRUE(std::holds_alternative<Declined>(ReadLawResult(*line))) << *line;
  }
  for (const char* answer :
       {"", "{}", R"({"verdict":"maybe"})", R"({"verdict":1})", R"({"verdict":"agree","offset":"x"})"}) {
    EXPECT_TRUE(std::holds_alternative<Failed>(ReadLawResult(answer))) << answer;
  }
}

}  // namespace
}  // namespace layoutcheck
