// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests a whole session of `layoutcheck mcp`.
#include <gtest/gtest.h>
#include <string>
#include <vector>
#include "layoutcheck/cli/testing/json_schema.h"
#include "layoutcheck/cli/testing/run_program.h"

namespace layoutcheck {
namespace {

std::string Request(int id, const std::string& method, const std::string& params) {
  return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"method":")" + method + R"(","params":)" + params +
         "}\n";
}

std::string Call(int id, const std::string& tool, const std::string& arguments) {
  return Request(id, "tools/call", R"({"name":")" + tool + R"(","arguments":)" + arguments + "}");
}

TEST(Mcp, AnswersASession) {
  const std::string compose =
      R"x({"request":{"op":"apply","function":"composition","arguments":["(6,2):(8,2)","(4,3):(3,1)"]}})x";
  const ProgramResult result = StartLayoutcheck(
      {"mcp"}, Request(0, "initialize", R"({"protocolVersion":"2025-06-18","capabilities":{}})") +
                   R"({"jsonrpc":"2.0","method":"notifications/initialized"})" + "\n" + Request(1, "tools/list", "{}") +
                   Call(2, "index", R"x({"layout":"f32[3,5]{1,0:T(2,2)}","coord":"2,3"})x") +
                   Call(3, "prove", R"({"layout":["f32[M,N]{0,1}"],"formula":"i0*N+i1"})") +
                   Call(4, "show", R"({"layout":"f32[3,5"})") + Call(5, "show", R"({"layuot":"f32[3,5]"})") +
                   "garbage\n\n" + Call(6, "serve", compose) + Call(7, "parse", R"({"text":"-"})") +
                   Call(8, "coord", R"({"layout":"f32[3]","offset":"-1"})") +
                   Call(9, "show", R"({"layout":"--html=page.html"})") + Request(10, "ping", "{}"));
  EXPECT_EQ(result.exit_code, 0);
  const std::vector<Json> answers = JsonLines(result.out);
  ASSERT_EQ(answers.size(), 12u) << result.out;
  EXPECT_EQ(answers[0]["result"]["protocolVersion"], "2025-06-18");
  EXPECT_EQ(answers[1]["result"]["tools"].size(), 15u);
  const auto content = [&](size_t k) -> const Json& { return answers[k]["result"]["structuredContent"]; };
  EXPECT_EQ(content(2)["documents"][0]["offset"], 17);
  EXPECT_EQ(content(3)["exit_code"], 1);
  EXPECT_EQ(content(3)["documents"][0]["verdict"], "refuted");
  EXPECT_EQ(answers[3]["result"]["isError"], false);
  EXPECT_EQ(answers[4]["result"]["isError"], true);
  EXPECT_EQ(content(4)["documents"][0]["error"]["column"], 8);
  EXPECT_EQ(answers[5]["error"]["code"], -32602);
  EXPECT_EQ(answers[6]["error"]["code"], -32700);
  EXPECT_EQ(content(7)["documents"][0]["layout"], "((2,2),3):((24,2),8)");
  EXPECT_EQ(content(8)["documents"].size(), 0u) << "a call reads no standard input";
  EXPECT_EQ(content(9)["exit_code"], 2);
  EXPECT_EQ(content(10)["exit_code"], 2) << "a text is no option";
  EXPECT_EQ(answers[11]["result"], Json::object());
  // The documents of a tool match the schema of its command.
  EXPECT_EQ(WhyNotDocumented("prove", content(3)["documents"][0].Dump()), "");
}

}  // namespace
}  // namespace layoutcheck
