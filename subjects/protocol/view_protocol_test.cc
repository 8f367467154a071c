// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>
#include <string>
#include <variant>
#include <vector>
#include "layoutcheck/properties/algebra/algebra_reference.h"
#include "layoutcheck/properties/reference/reference_subject.h"
#include "layoutcheck/subjects/protocol/operations.h"
#include "layoutcheck/subjects/protocol/serve.h"

namespace layoutcheck {
namespace {

constexpr const char* kZN = "((16,2),(16,3)):((16,256),(1,512))";  // zN:f16[20,40]

std::vector<ViewQuestion> Questions() {
  return {
      {ViewQuestion::Kind::kView, kZN, {20, 40}, {4, 16}, {16, 16}, {}, {{0, 0}, {15, 15}}},
      {ViewQuestion::Kind::kView, kZN, {20, 40}, {5, 7}, {7, 16}, {}, {{0, 0}, {0, 9}}},
      {ViewQuestion::Kind::kView, kZN, {20, 40}, {2, 1}, {3, 99}, {{{5, 7}, {7, 13}}}, {{0, 0}}},
      {ViewQuestion::Kind::kTileView, kZN, {20, 40}, {1, 2}, {16, 16}, {}, {}},
      {ViewQuestion::Kind::kSlice, "(8,16):(16,1)", {8, 16}, {std::nullopt, 3}, {}, {}, {{7}}},
      {ViewQuestion::Kind::kTileView, "8:2", {8}, {int64_t{1} << 62}, {4}, {}, {}},
  };
}

// A view asked for through the protocol has the answer that it has without it.
TEST(ViewProtocol, CarriesQuestionsAndAnswers) {
  ReferenceSubject reference;
  for (const ViewQuestion& question : Questions()) {
    std::string request = *RequestOf(question);
    request.pop_back();
    const Answer<ViewAnswer> read = ReadAnswer<ViewQuestion>(AnswerRequest(reference, request), AnswerSizeOf(question));
    const Answer<ViewAnswer> direct = ViewReference(question);
    ASSERT_TRUE(std::holds_alternative<ViewAnswer>(read)) << request;
    const auto& a = std::get<ViewAnswer>(read);
    const auto& b = std::get<ViewAnswer>(direct);
    EXPECT_EQ(a.layout, b.layout) << request;
    EXPECT_EQ(a.offset, b.offset) << request;
    EXPECT_EQ(a.offsets, b.offsets) << request;
    EXPECT_EQ(a.valid, b.valid) << request;
    EXPECT_EQ(a.rejected, b.rejected) << request;
  }
}

TEST(ViewProtocol, RequestsAreOneLineEach) {
  EXPECT_EQ(*RequestOf(Questions()[0]),
            "{\"op\":\"view\",\"layout\":\"((16,2),(16,3)):((16,256),(1,512))\",\"extents\":[20,40],\"origin\":[4,16],"
            "\"tile\":[16,16],\"coordinates\":[[0,0],[15,15]]}\n");
  EXPECT_EQ(*RequestOf(Questions()[4]),
            "{\"op\":\"slice\",\"layout\":\"(8,16):(16,1)\",\"extents\":[8,16],\"coordinate\":[\"_\",3],"
            "\"coordinates\":[[7]]}\n");
}

TEST(ViewProtocol, WrongRequestsAreDeclined) {
  ReferenceSubject reference;
  for (const char* request :
       {R"({"op":"view"})", R"({"op":"view","layout":5})", R"({"op":"view","layout":"8:2","extents":[8]})",
        R"({"op":"view","layout":"8:2","extents":[8],"origin":[1]})",
        R"({"op":"view","layout":"8:2","extents":[8],"origin":["_"],"tile":[1]})",
        R"({"op":"view","layout":"8:2","extents":[8],"origin":[1],"tile":[1],"of":[]})",
        R"({"op":"view","layout":"8:2","extents":[8],"origin":[1],"tile":[1],"coordinates":[1]})",
        R"({"op":"slice","layout":"8:2","extents":[8],"coordinate":["x"]})"}) {
    EXPECT_TRUE(AnswerRequest(reference, request).starts_with("{\"unsupported\":")) << request;
  }
  // Numbers that name no view are rejected, and a layout that cannot be read is an error.
  const auto answer_about = [&](const std::string& layout, const std::string& origin) {
    return AnswerRequest(
        reference, R"({"op":"view","layout":")" + layout + R"(","extents":[8],"origin":)" + origin + R"(,"tile":[1]})");
  };
  EXPECT_TRUE(answer_about("8:2", "[1]").starts_with("{\"layout\":"));
  EXPECT_TRUE(answer_about("8:2", "[1,2]").starts_with("{\"rejected\":"));
  EXPECT_TRUE(answer_about("8:2", "[-1]").starts_with("{\"rejected\":"));
  EXPECT_TRUE(answer_about("(8,8):(8,1)", "[1]").starts_with("{\"rejected\":"));
  EXPECT_TRUE(answer_about("8", "[1]").starts_with("{\"error\":"));
}

TEST(ViewProtocol, WrongAnswersAreFailures) {
  const ViewQuestion question = Questions()[1];
  for (const char* line : {"", "[]", "{}", R"({"layout":"8:1"})", R"({"layout":5,"offset":1})", R"({"offsets":[1]})",
                           R"({"offsets":[1,2],"valid":[1]})", R"({"offsets":[1,2],"rejected":"why"})",
                           R"({"offsets":[1,2.5]})", R"({"layout":"8:1","offset":9223372036854775808})"}) {
    const Answer<ViewAnswer> answer = ReadAnswer<ViewQuestion>(line, AnswerSizeOf(question));
    ASSERT_TRUE(std::holds_alternative<Failed>(answer)) << line;
    EXPECT_EQ(std::get<Failed>(answer).kind, Failed::Kind::kProtocol) << line;
  }
  EXPECT_TRUE(
      std::holds_alternative<Declined>(ReadAnswer<ViewQuestion>(R"({"unsupported":"no"})", AnswerSizeOf(question))));
  EXPECT_TRUE(
      std::holds_alternative<ViewAnswer>(ReadAnswer<ViewQuestion>(R"({"offsets":[1,2]})", AnswerSizeOf(question))));
}

}  // namespace
}  // namespace layoutcheck
