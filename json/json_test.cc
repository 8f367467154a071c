// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/json/json.h"
#include <gtest/gtest.h>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

namespace layoutcheck {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr auto kReplace = json::error_handler_t::replace;

// Expects that a text is taken or refused as nlohmann-json does, and printed with the same bytes.
void ExpectAsNlohmann(const std::string& text) {
  const ordered_json expected = ordered_json::parse(text, nullptr, false);
  std::optional<Json> value = Json::Parse(text);
  ASSERT_EQ(value.has_value(), !expected.is_discarded()) << text;
  if (!value) return;
  EXPECT_EQ(value->Dump(), expected.dump(-1, ' ', false, kReplace)) << text;
  EXPECT_EQ(value->DumpIndented(), expected.dump(2, ' ', false, kReplace)) << text;
  EXPECT_EQ(Json::Parse(value->Dump()), value) << text;
  value->SortMembers();
  EXPECT_EQ(value->Dump(), json::parse(text).dump(-1, ' ', false, kReplace)) << text;
}

const std::vector<std::string>& TrickyTexts() {
  static const std::vector<std::string> texts = {
      "null",
      " true ",
      "[false,true]",
      "0",
      "-0",
      "-0.0",
      "1.0",
      "1e5",
      "1E+2",
      "1e-7",
      "123456789012345678",
      "1e15",
      "1e16",
      "0.1",
      "1.7976931348623157e308",
      "5e-324",
      "9223372036854775807",
      "9223372036854775808",
      "-9223372036854775808",
      "-9223372036854775809",
      "18446744073709551615",
      "18446744073709551616",
      "\"\"",
      "\"a\\\"b\\\\c\\/d\\b\\f\\n\\r\\t\\u0000\\u001f\x7f\"",
      "\"\\u00e9\\ud83d\\ude00 \xc3\xa9 \xf0\x9f\x98\x80\"",
      "\"</script>\"",
      "{}",
      "[]",
      "[[],{},[[]]]",
      "{\"b\":1,\"a\":{\"d\":[1,2,{\"y\":null,\"x\":1.5}],\"c\":\"\"}}",
      "{\"a\":1,\"b\":2,\"a\":3}",
      "{\"\":0,\"\xc3\xa9\":1,\"z\":2,\"B\":3,\"a\\n\":4}",
      "\xef\xbb\xbf[1]",
      "\t[1 , 2\n,\r3 ] ",
      // The rest is no JSON.
      "",
      " ",
      "nul",
      "tru",
      "+1",
      "01",
      "-",
      "1.",
      ".5",
      "1e",
      "1e999",
      "-1e999",
      "NaN",
      "Infinity",
      "[1,]",
      "[1",
      "]",
      "{",
      "{\"a\"}",
      "{\"a\":}",
      "{\"a\":1,}",
      "{a:1}",
      "{1:1}",
      "1 2",
      "[] []",
      "'a'",
      "\"a",
      "\"\\x\"",
      "\"\\u12\"",
      "\"\\ud800\"",
      "\"\\udc00\"",
      "\"\n\"",
      "\"\xff\"",
      "\"\xc0\xaf\"",
      "\"\xed\xa0\x80\"",
      "\"\xf5\x80\x80\x80\"",
      "// a\n1",
      std::string("1\0", 2),
      std::string("\"\0\"", 3),
  };
  return texts;
}

TEST(Json, TrickyTextsAreReadAndPrintedAsByNlohmann) {
  for (const std::string& text : TrickyTexts()) ExpectAsNlohmann(text);
}

TEST(Json, MutantsOfTrickyTextsAreReadAndPrintedAsByNlohmann) {
  std::mt19937 random(20261127);
  const auto below = [&random](size_t bound) { return random() % bound; };
  constexpr std::string_view kBytes = "{}[]\",:\\0123456789eE+-.truefalsn \n\t\xc3\xa9\xff";
  for (int k = 0; k < 20000; ++k) {
    const auto& texts = TrickyTexts();
    std::string text = texts[below(texts.size())];
    for (size_t edits = 1 + below(3); edits > 0; --edits) {
      const size_t at = below(text.size() + 1);
      switch (below(3)) {
        case 0: text.insert(at, 1, kBytes[below(kBytes.size())]); break;
        case 1: text.erase(at == text.size() ? 0 : at, 1 + below(4)); break;
        default: text.insert(at, texts[below(texts.size())]); break;
      }
    }
    ExpectAsNlohmann(text);
    if (HasFailure()) return;
  }
}

TEST(Json, LinesOfTheCorpusAreReadAndPrintedAsByNlohmann) {
  size_t lines = 0;
  for (const char* folder : {"vectors", "findings", "code"}) {
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(std::filesystem::path(LAYOUTCHECK_CORPUS) / folder)) {
      if (entry.path().extension() != ".jsonl") continue;
      std::ifstream in(entry.path());
      for (std::string line; std::getline(in, line) && !HasFailure(); ++lines) ExpectAsNlohmann(line);
    }
  }
  EXPECT_GT(lines, 1000u);
}

TEST(Json, BytesThatAreNotUtf8ArePrintedAsByNlohmann) {
  std::mt19937 random(7);
  constexpr std::string_view kBytes = "a\"\\\x01\x7f\x80\xbf\xc2\xc3\xe2\x82\xac\xed\xf0\x9f\x98\x80\xff";
  for (int k = 0; k < 2000; ++k) {
    std::string text;
    for (size_t size = random() % 8; size > 0; --size) text += kBytes[random() % kBytes.size()];
    EXPECT_EQ(Json(text).Dump(), json(text).dump(-1, ' ', false, kReplace));
    bool is_utf8 = true;
    try {
      (void)json(text).dump();
    } catch (const json::type_error&) {
      is_utf8 = false;
    }
    EXPECT_EQ(IsUtf8(text), is_utf8) << Json(text);
  }
}

TEST(Json, NumbersArePrintedAsByNlohmann) {
  std::mt19937_64 random(1);
  for (int k = 0; k < 2000; ++k) {
    const uint64_t bits = random();
    double number = 0;
    std::memcpy(&number, &bits, sizeof number);
    EXPECT_EQ(Json(number).Dump(), json(number).dump());
    EXPECT_EQ(Json(static_cast<double>(bits % 1000) / 8).Dump(), json(static_cast<double>(bits % 1000) / 8).dump());
    EXPECT_EQ(Json(bits).Dump(), json(bits).dump());
    EXPECT_EQ(Json(static_cast<int64_t>(bits)).Dump(), json(static_cast<int64_t>(bits)).dump());
  }
  for (const double number : {std::numeric_limits<double>::infinity(), std::nan(""), 0.0, -0.0, 1e100}) {
    EXPECT_EQ(Json(number).Dump(), json(number).dump());
  }
}

TEST(Json, BracesMakeObjects) {
  const std::string text = "x";
  const Json value{{"b", 1},
                   {"a", {{"text", text}, {"none", nullptr}}},
                   {"list", Json::array({1, "two", 3.5})},
                   {"numbers", std::vector<int64_t>{4, 5}},
                   {"map", std::map<std::string, bool>{{"yes", true}}},
                   {"empty", Json::object()},
                   {"null", {}}};
  EXPECT_EQ(value.Dump(), R"({"b":1,"a":{"text":"x","none":null},"list":[1,"two",3.5],"numbers":[4,5],)"
                          R"("map":{"yes":true},"empty":{},"null":null})");
}

TEST(Json, TheLastOfMembersWithOneNameCounts) {
  for (const int members : {2, 15, 16, 100}) {
    std::string text = "{";
    for (int k = 0; k < 2 * members; ++k)
      text += (k == 0 ? "\"m" : ",\"m") + std::to_string(k % members) + "\":" + std::to_string(k);
    ExpectAsNlohmann(text + "}");
  }
}

TEST(Json, NestingIsLimited) {
  const auto nested = [](size_t depth, const std::string& open, const std::string& close) {
    std::string text;
    for (size_t k = 0; k < depth; ++k) text += open;
    text += "1";
    for (size_t k = 0; k < depth; ++k) text += close;
    return text;
  };
  for (const auto& [open, close] : {std::pair{"[", "]"}, std::pair{"{\"a\":", "}"}}) {
    const std::string deepest = nested(Json::kMaxDepth, open, close);
    const auto value = Json::Parse(deepest);
    ASSERT_TRUE(value.has_value());
    Json copy = *value;
    copy.SortMembers();
    EXPECT_EQ(copy, *value);
    EXPECT_EQ(copy.Dump(), deepest);
    EXPECT_FALSE(Json::Parse(nested(Json::kMaxDepth + 1, open, close)));
    EXPECT_FALSE(Json::Parse(nested(1000000, open, close)));
    EXPECT_FALSE(Json::Parse(nested(1000000, open, "")));
  }
  EXPECT_TRUE(
      Json::Parse("[" + nested(Json::kMaxDepth - 1, "[", "]") + "," + nested(Json::kMaxDepth - 1, "[", "]") + "]"));
}

TEST(Json, ManyMembersAreReadInTimeThatIsNotQuadratic) {
  std::string text = "{";
  for (int k = 0; k < 100000; ++k) text += (k == 0 ? "\"" : ",\"") + std::to_string(k) + "\":0";
  const auto value = Json::Parse(text + "}");
  ASSERT_TRUE(value.has_value());
  EXPECT_EQ(value->size(), 100000u);
}

TEST(Json, AValueOfAnotherTypeIsNothing) {
  const std::vector<Json> values = {Json(),
                                    true,
                                    -1,
                                    std::numeric_limits<uint64_t>::max(),
                                    1.5,
                                    "text",
                                    Json::array({1, "a"}),
                                    Json{{"a", 1}, {"b", "c"}}};
  for (const Json& value : values) {
    EXPECT_EQ(value.as<bool>().has_value(), value.is_boolean());
    EXPECT_EQ(value.as<std::string>().has_value(), value.is_string());
    EXPECT_EQ(value.as<double>().has_value(), value.is_number());
    EXPECT_EQ(value.as<int64_t>().has_value(), value == -1);
    EXPECT_FALSE(value.as<uint32_t>().has_value());
    EXPECT_FALSE(value.as<std::vector<int64_t>>().has_value());
    EXPECT_EQ(value.as<std::vector<Json>>().has_value(), value.is_array());
    EXPECT_FALSE((value.as<std::map<std::string, int>>().has_value()));
    EXPECT_EQ(value.text(), value.is_string() ? "text" : "");
    EXPECT_EQ(value.size(), value.is_array() || value.is_object() ? 2u : 0u);
    EXPECT_TRUE(value.at("missing").is_null());
    EXPECT_TRUE(value.at("missing").at(7).at("more").is_null());
    EXPECT_TRUE(value.at(2).is_null());
    EXPECT_EQ(value.find("a") != nullptr, value.is_object());
    EXPECT_EQ(value.value("b", 5), 5);
    EXPECT_EQ(value.value("a", "text"), "text");
    Json object = value;
    EXPECT_EQ(object.erase("b"), value.is_object());
    object["b"] = 1;
    EXPECT_TRUE(object.is_object());
    Json array = value;
    array.push_back(1);
    EXPECT_TRUE(array.is_array());
  }
}

TEST(Json, IntegersHaveTheRangeOfTheirType) {
  EXPECT_EQ(Json(200).as<uint8_t>(), 200);
  EXPECT_EQ(Json(256).as<uint8_t>(), std::nullopt);
  EXPECT_EQ(Json(-1).as<uint64_t>(), std::nullopt);
  EXPECT_EQ(Json::Parse("9223372036854775807")->as<int64_t>(), std::numeric_limits<int64_t>::max());
  EXPECT_EQ(Json::Parse("9223372036854775808")->as<int64_t>(), std::nullopt);
  EXPECT_EQ(Json::Parse("9223372036854775808")->as<uint64_t>(), uint64_t{1} << 63);
  EXPECT_EQ(Json::Parse("1.0")->as<int64_t>(), std::nullopt);
  EXPECT_EQ(Json::Parse("1")->as<double>(), 1.0);
}

TEST(Json, ObjectsAreEqualInAnyOrder) {
  EXPECT_EQ((Json{{"a", 1}, {"b", Json::array({1, 2})}}), (Json{{"b", Json::array({1, 2})}, {"a", 1.0}}));
  EXPECT_NE((Json{{"a", 1}}), (Json{{"a", 1}, {"b", 2}}));
  EXPECT_NE((Json{{"a", 1}}), (Json{{"b", 1}}));
  EXPECT_NE(Json::array({1, 2}), Json::array({2, 1}));
  EXPECT_EQ(Json(3u), Json(3));
  EXPECT_NE(Json(-1), Json(std::numeric_limits<uint64_t>::max()));
  EXPECT_NE(Json("1"), Json(1));
  EXPECT_NE(Json(), Json(false));
  EXPECT_EQ(Json(), Json(nullptr));
}

TEST(Json, MembersAreChangedInPlace) {
  Json value{{"b", 1}, {"a", 2}};
  value["c"]["d"] = "x";
  value["b"] = 3;
  value.update({{"a", nullptr}, {"e", Json::array()}});
  EXPECT_EQ(value.Dump(), R"({"b":3,"a":null,"c":{"d":"x"},"e":[]})");
  EXPECT_TRUE(value.erase("a"));
  EXPECT_FALSE(value.erase("a"));
  value["e"][1] = 7;
  value = value["c"];
  EXPECT_EQ(value.Dump(), R"({"d":"x"})");
  const Json moved = std::move(value);
  EXPECT_EQ(moved.Dump(), R"({"d":"x"})");
}

}  // namespace
}  // namespace layoutcheck
