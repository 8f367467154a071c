// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>
#include <string>
#include <variant>
#include <vector>
#include "layoutcheck/properties/reference/reference_subject.h"
#include "layoutcheck/subjects/protocol/operations.h"
#include "layoutcheck/subjects/protocol/serve.h"

namespace layoutcheck {
namespace {

constexpr std::string_view kTile = "broadcast(expand_dims(range(4,8),0),[2,4])";

TEST(AxisProtocol, CarriesQuestionsAndAnswers) {
  ReferenceSubject reference;
  std::string request = *RequestOf(AxisInfoQuestion{kTile});
  EXPECT_EQ(request, "{\"op\":\"axis-info\",\"expression\":\"broadcast(expand_dims(range(4,8),0),[2,4])\"}\n");
  request.pop_back();
  const std::string line = AnswerRequest(reference, request);
  EXPECT_EQ(line, R"({"constancy":[2,1],"contiguity":[1,4],"divisibility":[1,4]})");
  const Answer<AxisInfo> read = ReadAnswer<AxisInfoQuestion>(line);
  ASSERT_TRUE(std::holds_alternative<AxisInfo>(read));
  EXPECT_EQ(std::get<AxisInfo>(read).divisibility, (std::vector<int64_t>{1, 4}));
}

TEST(AxisProtocol, WrongRequestsHaveAReason) {
  ReferenceSubject reference;
  EXPECT_EQ(AnswerRequest(reference, R"-({"op":"axis-info","expression":"range(0,6)"})-"),
            R"({"error":"column 1: size 6: expected a power of two"})");
  for (const char* request : {R"({"op":"axis-info"})", R"({"op":"axis-info","expression":5})"}) {
    EXPECT_TRUE(AnswerRequest(reference, request).starts_with(R"({"unsupported":")")) << request;
  }
}

TEST(AxisProtocol, WrongAnswersBreakTheProtocol) {
  for (const char* line :
       {R"({"contiguity":[1],"divisibility":[1]})", R"({"contiguity":[1],"divisibility":[1.5],"constancy":[1]})",
        R"({"contiguity":1,"divisibility":[1],"constancy":[1]})"}) {
    const Answer<AxisInfo> read = ReadAnswer<AxisInfoQuestion>(line);
    ASSERT_TRUE(std::holds_alternative<Failed>(read)) << line;
    EXPECT_EQ(std::get<Failed>(read).kind, Failed::Kind::kProtocol) << line;
  }
}

}  // namespace
}  // namespace layoutcheck
