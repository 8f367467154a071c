// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>
#include <string>
#include <string_view>
#include <variant>
#include <vector>
#include "layoutcheck/properties/reference/reference_subject.h"
#include "layoutcheck/subjects/protocol/operations.h"
#include "layoutcheck/subjects/protocol/serve.h"

namespace layoutcheck {
namespace {

constexpr std::string_view kHalves = "f32[8,6]{1,0} sharding={devices=[2,1]<=[2]}";
constexpr std::string_view kRows = "f32[2,2]{1,0} mesh[2] S(0)";
constexpr std::string_view kColumns = "f32[2,2]{1,0} mesh[2] S(1)";

std::string Answered(std::string_view request) {
  ReferenceSubject reference;
  return AnswerRequest(reference, request);
}

TEST(ShardProtocol, CarriesQuestionsAndAnswers) {
  std::string request = *RequestOf(ShardQuestion{kHalves, 1});
  EXPECT_EQ(request, "{\"op\":\"shard\",\"layout\":\"f32[8,6]{1,0} sharding={devices=[2,1]<=[2]}\",\"device\":1}\n");
  request.pop_back();
  const std::string line = Answered(request);
  EXPECT_EQ(line, R"({"elements":[[4,8],[0,6]],"shape":[4,6]})");
  const ShardAnswer read = std::get<ShardAnswer>(ReadAnswer<ShardQuestion>(line));
  EXPECT_TRUE(read.has_part);
  EXPECT_EQ(read.shape, (std::vector<int64_t>{4, 6}));
  EXPECT_EQ(std::get<0>(*read.elements), (std::vector<IndexRange>{{4, 8}, {0, 6}}));
  request = *RequestOf(ReshardQuestion{kRows, kColumns, 1});
  request.pop_back();
  EXPECT_EQ(request,
            R"-({"op":"reshard","from":"f32[2,2]{1,0} mesh[2] S(0)","to":"f32[2,2]{1,0} mesh[2] S(1)","device":1})-");
  EXPECT_EQ(Answered(request), R"({"elements":[1]})");
  EXPECT_EQ(std::get<0>(ReadAnswer<ReshardQuestion>(R"({"elements":[1]})")), std::vector<int64_t>{1});
}

TEST(ShardProtocol, CarriesDevicesWithoutElementsAndLists) {
  const std::string none = AnswerLineOf<ShardQuestion>(ShardAnswer{false, {}, {}});
  EXPECT_EQ(none, R"({"shape":null})");
  EXPECT_FALSE(std::get<ShardAnswer>(ReadAnswer<ShardQuestion>(none)).has_part);
  const std::string list = AnswerLineOf<ShardQuestion>(ShardAnswer{true, {}, std::vector<int64_t>{0, 1, 3}});
  EXPECT_EQ(list, R"({"elements":[0,1,3]})");
  const ShardAnswer read = std::get<ShardAnswer>(ReadAnswer<ShardQuestion>(list));
  EXPECT_FALSE(read.shape);
  EXPECT_EQ(std::get<1>(*read.elements), (std::vector<int64_t>{0, 1, 3}));
  const ShardAnswer empty = std::get<ShardAnswer>(ReadAnswer<ShardQuestion>(R"({"shape":[0],"elements":[]})"));
  EXPECT_TRUE(std::get<1>(*empty.elements).empty());
}

TEST(ShardProtocol, WrongRequestsHaveAReason) {
  EXPECT_EQ(Answered(R"-({"op":"shard","layout":"f32[8]{0} mesh[2] S(1)","device":0})-"),
            R"({"error":"column 21: expected a dimension of the array, which has 1, found 1"})");
  for (const char* request : {R"({"op":"shard","device":0})", R"({"op":"shard","layout":"f32[8]{0} mesh[2] R"})",
                              R"({"op":"reshard","from":"f32[8]{0} mesh[2] R","device":0})"}) {
    EXPECT_TRUE(Answered(request).starts_with(R"({"unsupported":")")) << request;
  }
}

TEST(ShardProtocol, WrongAnswersBreakTheProtocol) {
  for (const char* line :
       {R"({})", R"({"shape":4})", R"({"shape":[4.5]})", R"({"elements":7})", R"({"elements":[[0,1],[2]]})",
        R"({"elements":[[0,1],2]})", R"({"elements":["0"]})", R"({"elements":[[0,1.5]]})"}) {
    const Answer<ShardAnswer> read = ReadAnswer<ShardQuestion>(line);
    ASSERT_TRUE(std::holds_alternative<Failed>(read)) << line;
    EXPECT_EQ(std::get<Failed>(read).kind, Failed::Kind::kProtocol) << line;
  }
  EXPECT_TRUE(std::holds_alternative<Failed>(ReadAnswer<ReshardQuestion>(R"({"elements":[[0,1]]})")));
}

}  // namespace
}  // namespace layoutcheck
