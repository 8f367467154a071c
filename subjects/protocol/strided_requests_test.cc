// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>
#include <string>
#include <vector>
#include "layoutcheck/core/hlo/parser.h"
#include "layoutcheck/json/json.h"
#include "layoutcheck/properties/reference/reference_subject.h"
#include "layoutcheck/subjects/protocol/layout_text.h"
#include "layoutcheck/subjects/protocol/protocol.h"
#include "layoutcheck/subjects/protocol/serve.h"

namespace layoutcheck {
namespace {

Json Served(const Json& request) {
  ReferenceSubject reference;
  return Json::Parse(AnswerRequest(reference, request.Dump())).value();
}

// A layout without padding has the same offsets, coordinates and extent in both notations, and moves the same.
TEST(StridedRequests, AgreeWithHloOnLayoutsWithoutPadding) {
  const std::vector<std::string> shapes = {"f32[]",
                                           "f32[7]{0}",
                                           "f32[1,1]{1,0}",
                                           "f32[4,6]{1,0}",
                                           "f32[4,6]{0,1}",
                                           "f32[2,3,4]{0,2,1}",
                                           "f32[4,6]{1,0:T(2,2)}",
                                           "f32[4,6]{0,1:T(3,2)}",
                                           "f32[8,12]{1,0:T(4,6)(2,3)}",
                                           "f32[12]{0:T(6)(2)}",
                                           "f32[2,3,6]{2,0,1:T(2,2)}",
                                           "f32[8,8,8]{2,1,0:T(4,4,4)(2,2,2)(2,2)}"};
  for (const std::string& hlo : shapes) {
    const auto text = LayoutText({.hlo = false, .shape_stride = true}, *ParseShape(hlo));
    ASSERT_TRUE(text.has_value()) << hlo;
    const Json table = Served({{"op", "table"}, {"layout", hlo}});
    EXPECT_EQ(Served({{"op", "table"}, {"layout", *text}}), table) << *text;
    const Json hlo_size = Served({{"op", "size"}, {"layout", hlo}});
    const Json size = Served({{"op", "size"}, {"layout", *text}});
    EXPECT_EQ(size, (Json{{"elements", hlo_size["elements"]}, {"extent", hlo_size["extent"]}})) << *text;
    for (int64_t offset = -1; offset <= hlo_size["extent"].get<int64_t>(); ++offset) {
      const Json coordinate = Served({{"op", "coordinate"}, {"layout", *text}, {"offset", offset}});
      EXPECT_EQ(coordinate, Served({{"op", "coordinate"}, {"layout", hlo}, {"offset", offset}})) << *text << offset;
      if (!coordinate["coordinate"].is_array()) continue;
      EXPECT_EQ(Served({{"op", "offset"}, {"layout", *text}, {"coordinate", coordinate["coordinate"]}}),
                (Json{{"offset", offset}}))
          << *text;
    }
  }
}

TEST(StridedRequests, MoveWhatHloMoves) {
  const std::string a = "f32[4,6]{1,0:T(2,2)}";
  const std::string b = "f32[4,6]{0,1:T(3,2)}";
  const Notations strided{.hlo = false, .shape_stride = true};
  std::vector<int> data(24);
  for (int k = 0; k < 24; ++k) data[static_cast<size_t>(k)] = k * k;
  const Json expected = Served({{"op", "relayout"}, {"from", a}, {"to", b}, {"data", data}});
  ASSERT_TRUE(expected.contains("data"));
  EXPECT_EQ(Served({{"op", "relayout"},
                    {"from", *LayoutText(strided, *ParseShape(a))},
                    {"to", *LayoutText(strided, *ParseShape(b))},
                    {"data", data}}),
            expected);
}

Json Offset(const std::string& layout, const std::vector<int>& coordinate) {
  return Served({{"op", "offset"}, {"layout", layout}, {"coordinate", coordinate}});
}
Json Coordinate(const std::string& layout, int offset) {
  return Served({{"op", "coordinate"}, {"layout", layout}, {"offset", offset}});
}

TEST(StridedRequests, AnswerLayoutsThatXlaHasNot) {
  EXPECT_EQ(Offset("(4,2):(1,100)", {3, 1}), (Json{{"offset", 103}}));
  EXPECT_EQ(Offset("Sw<1,0,1> o 0 o (2,2):(1,2)", {0, 1}), (Json{{"offset", 3}}));
  EXPECT_EQ(Coordinate("(4,2):(1,100)", 102), (Json{{"coordinate", Json::array({2, 1})}}));
  EXPECT_EQ(Coordinate("(4,2):(1,100)", 50), (Json{{"coordinate", nullptr}}));
  EXPECT_EQ(Served({{"op", "table"}, {"layout", "(2,3):(-1,0)"}}),
            (Json{{"offsets", Json::array({0, 0, 0, -1, -1, -1})}}));
  EXPECT_EQ(Served({{"op", "size"}, {"layout", "(4,2):(1,100)"}}), (Json{{"elements", 8}, {"extent", 104}}));
}

TEST(StridedRequests, SayWhatIsWrong) {
  EXPECT_EQ(Offset("(4,2:(1,4)", {1, 1})["error"], "column 5: expected ',' or ')', found ':'");
  EXPECT_TRUE(Offset("(4,2):(1,4)", {4, 1}).contains("error"));
  EXPECT_TRUE(Offset("(4,2):(1,4)", {1}).contains("error"));
  EXPECT_EQ(Served({{"op", "table"}, {"layout", "(4194304,2):(1,4194304)"}})["unsupported"],
            "a table of more than 4194304 elements");
  EXPECT_TRUE(Coordinate("(2,3):(1,1)", 1).contains("unsupported"));
  EXPECT_TRUE(
      Served({{"op", "relayout"}, {"from", "4:2"}, {"to", "4:1"}, {"data", Json::array({1, 2})}}).contains("error"));
}

// A library without these functions declines, and is not answered for by the reference.
TEST(StridedRequests, AskTheSubject) {
  class Bare : public Subject {
   public:
    const SubjectInfo& info() const override { return info_; }

   private:
    SubjectInfo info_{.name = "bare", .version = "1"};
  } bare;
  for (const char* op : {"table", "size"}) {
    const std::string answer = AnswerRequest(bare, Json{{"op", op}, {"layout", "(4,2):(1,4)"}}.Dump());
    EXPECT_TRUE(Json::Parse(answer).value().contains("unsupported")) << answer;
  }
}

}  // namespace
}  // namespace layoutcheck
