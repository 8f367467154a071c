// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/testing/json_schema.h"
#include <gtest/gtest.h>
#include <string>
#include "layoutcheck/cli/testing/run_program.h"

namespace layoutcheck {
namespace {

std::string WhyNot(std::string_view schema, std::string_view value) {
  return WhyNotValid(Json::Parse(schema).value(), Json::Parse(value).value());
}

TEST(JsonSchema, NamesWhatDoesNotMatch) {
  EXPECT_EQ(WhyNot(R"({"type":["integer","null"]})", "null"), "");
  EXPECT_EQ(WhyNot(R"({"type":"integer"})", "1.5"), "$: found 1.5, expected \"integer\"");
  EXPECT_EQ(WhyNot(R"({"type":"number"})", "1"), "");
  EXPECT_EQ(WhyNot(R"({"enum":["a","b"]})", "\"c\""), "$: found \"c\", expected one of [\"a\",\"b\"]");
  EXPECT_EQ(WhyNot(R"({"const":true})", "false"), "$: found false, expected true");
  const std::string record =
      R"({"type":"object","properties":{"a":{"items":{"type":"string"}}},"required":["a"],"additionalProperties":false})";
  EXPECT_EQ(WhyNot(record, R"({"a":["x"]})"), "");
  EXPECT_EQ(WhyNot(record, R"({"a":["x",1]})"), "$.a[1]: found 1, expected \"string\"");
  EXPECT_EQ(WhyNot(record, R"({"a":[],"b":1})"), "$: unknown member b");
  EXPECT_EQ(WhyNot(record, "{}"), "$: no member \"a\"");
  EXPECT_EQ(WhyNot(record, "[]"), "$: found [], expected \"object\"");
  EXPECT_EQ(WhyNot(R"({"additionalProperties":{"type":"integer"}})", R"({"x":1,"y":"z"})"),
            "$.y: found \"z\", expected \"integer\"");
  EXPECT_EQ(WhyNot(R"({"anyOf":[{"type":"null"},{"type":"string"}]})", "1"),
            "$: found 1, expected \"null\"; or $: found 1, expected \"string\"");
  EXPECT_EQ(WhyNot(R"({"$ref":"#/$defs/x","$defs":{"x":{"const":1}}})", "2"), "$: found 2, expected 1");
  EXPECT_EQ(WhyNot(R"({"$ref":"#/$defs/y"})", "2"), "no definition #/$defs/y");
  EXPECT_EQ(WhyNot(R"({"minimum":1})", "2"), "unknown word minimum");
}

TEST(JsonSchema, EveryCommandHasOne) {
  size_t commands = 0;
  for (const Json& line : JsonLines(RunLayoutcheck({"explain", "--json"}).out)) {
    if (line["kind"] != "command") continue;
    ++commands;
    const std::string file = std::string(LAYOUTCHECK_SOURCE) + "/docs/schema/" + line["topic"].text() + ".json";
    EXPECT_FALSE(ReadFile(file).empty()) << file;
  }
  EXPECT_GE(commands, 19u);
}

// The transcript of the protocol has each operation, and its answers by the reference.
TEST(JsonSchema, OfTheProtocolMatchesTheTranscript) {
  const std::string serve = std::string("exec:") + LAYOUTCHECK_PROGRAM + " serve";
  size_t requests = 0;
  for (const Json& step : JsonLines(RunLayoutcheck({"subjects", "--self-test", serve, "--json"}).out)) {
    const std::string& sent = step["sent"].text();
    if (sent.empty() || sent.find("self") != std::string::npos) continue;  // what a subject ignores or refuses
    EXPECT_EQ(WhyNotDocumented("protocol", sent), "");
    EXPECT_EQ(WhyNotDocumented("serve", step["received"].text()), "");
    ++requests;
  }
  EXPECT_GE(requests, 30u);
}

}  // namespace
}  // namespace layoutcheck
