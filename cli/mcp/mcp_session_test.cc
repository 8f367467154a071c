// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/mcp/mcp_session.h"
#include <gtest/gtest.h>
#include <random>

namespace layoutcheck {
namespace {

// A session with one command that has an option of every kind, whose runner keeps the arguments.
class McpSessionTest : public testing::Test {
 protected:
  // Returns the answer without "jsonrpc", or "none".
  std::string Answer(std::string_view line) const {
    auto answer = session_.Answer(line);
    if (!answer) return "none";
    EXPECT_EQ((*answer)["jsonrpc"], "2.0");
    answer->erase("jsonrpc");
    return answer->Dump();
  }

  std::string Call(const std::string& arguments) {
    ran_.clear();
    const std::string request = R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"make","arguments":)";
    return Answer(request + arguments + "}}");
  }

  std::string text_;
  std::vector<std::string> list_;
  bool flag_ = false;
  uint64_t number_ = 0;
  std::string kind_;
  bool json_ = false;
  std::vector<std::string> rest_;
  std::vector<std::string> ran_;
  int exit_code_ = 0;
  McpSession session_{{Command{.name = "make",
                               .description = "make things",
                               .options = {{"TEXT", "what to make", &text_, kRequired},
                                           {"--list NAME", "names", &list_},
                                           {"--flag", "a flag", &flag_},
                                           {"--number N", "a number", &number_},
                                           {"--kind a|b", "a word", &kind_, kOneOf},
                                           {"--json", "", &json_},
                                           {"--secret N", "", &number_, kUnlisted},
                                           {"--then ARG...", "", &rest_, kRest}}}},
                      [this](const std::vector<std::string>& arguments, const std::string&) -> Expected<ProgramResult> {
                        ran_ = arguments;
                        return ProgramResult{exit_code_, "{\"a\":1}\n", ""};
                      }};
};

TEST_F(McpSessionTest, AgreesOnAVersion) {
  const auto version = [&](const std::string& asked) {
    const auto answer =
        session_.Answer(R"({"jsonrpc":"2.0","id":"x","method":"initialize","params":{"protocolVersion":")" + asked +
                        R"(","capabilities":{},"clientInfo":{"name":"c","version":"1"}}})");
    EXPECT_TRUE(answer->at("result")["capabilities"].contains("tools"));
    EXPECT_EQ(answer->at("result")["serverInfo"]["name"], "layoutcheck");
    return answer->at("result")["protocolVersion"].text();
  };
  EXPECT_EQ(version("2025-06-18"), "2025-06-18");
  EXPECT_EQ(version("2024-11-05"), "2024-11-05");
  EXPECT_EQ(version("2031-01-01"), "2025-06-18");
  EXPECT_NE(Answer(R"({"jsonrpc":"2.0","id":1,"method":"initialize"})").find("-32602"), std::string::npos);
}

TEST_F(McpSessionTest, ListsTheToolWithItsOptions) {
  EXPECT_EQ(
      Answer(R"({"jsonrpc":"2.0","id":2,"method":"tools/list"})"),
      R"({"id":2,"result":{"tools":[{"name":"make","description":"make things","inputSchema":{"type":"object","properties":{)"
      R"("text":{"type":"string","description":"what to make"},)"
      R"("list":{"type":"array","description":"names","items":{"type":"string"}},)"
      R"("flag":{"type":"boolean","description":"a flag"},"number":{"type":"integer","description":"a number"},)"
      R"("kind":{"type":"string","description":"a word","enum":["a","b"]}},)"
      R"("required":["text"],"additionalProperties":false}}]}})");
}

TEST_F(McpSessionTest, CallsWithWhatWasGiven) {
  EXPECT_EQ(Call(R"({"text":"--x","list":["a","-b"],"flag":true,"number":7,"kind":"b"})"),
            R"({"id":1,"result":{"content":[{"type":"text","text":"{\"exit_code\":0,\"documents\":[{\"a\":1}]}"}],)"
            R"("structuredContent":{"exit_code":0,"documents":[{"a":1}]},"isError":false}})");
  EXPECT_EQ(ran_, (std::vector<std::string>{"make", "--json", "--list=a", "--list=-b", "--flag", "--number=7",
                                            "--kind=b", "--", "--x"}));
  EXPECT_NE(Call(R"({"text":"f","flag":false,"number":null})").find("false"), std::string::npos);
  EXPECT_EQ(ran_, (std::vector<std::string>{"make", "--json", "--", "f"}));
  exit_code_ = 2;
  EXPECT_NE(Call(R"({"text":"f"})").find("\"isError\":true"), std::string::npos);
  exit_code_ = 1;  // a refutation is no error of the tool
  EXPECT_NE(Call(R"({"text":"f"})").find("\"isError\":false"), std::string::npos);
}

TEST_F(McpSessionTest, RefusesWrongArguments) {
  const auto refused = [&](const std::string& arguments) {
    const std::string answer = Call(arguments);
    EXPECT_TRUE(ran_.empty()) << arguments;
    return answer;
  };
  const std::string begin = R"({"id":1,"error":{"code":-32602,"message":"make: )";
  EXPECT_EQ(refused("{}"), begin + R"(text: expected a value, found none"}})");
  EXPECT_EQ(refused(R"({"text":1})"), begin + R"(text: expected string, found 1"}})");
  EXPECT_EQ(refused(R"({"text":"f","list":["a",1]})"),
            begin + R"(list: expected an array of strings, found [\"a\",1]"}})");
  EXPECT_EQ(refused(R"({"text":"f","numbr":1})"),
            begin + R"x(numbr: no argument of make (did you mean 'number'?)"}})x");
  EXPECT_EQ(refused(R"({"text":"f","json":true})"), begin + R"(json: no argument of make"}})");
  EXPECT_EQ(refused("[]"), begin + R"(arguments: expected an object"}})");
  EXPECT_EQ(Answer(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"mak"}})"),
            R"x({"id":1,"error":{"code":-32602,"message":"unknown tool 'mak' (did you mean 'make'?)"}})x");
}

TEST_F(McpSessionTest, AnswersWhatIsNoRequest) {
  EXPECT_EQ(Answer("{"), R"({"id":null,"error":{"code":-32700,"message":"the line is no JSON"}})");
  for (const char* line : {"[]", "1", R"({"id":1,"method":"ping"})", R"({"jsonrpc":"2.0","id":null,"method":"ping"})",
                           R"({"jsonrpc":"2.0","id":[],"method":"ping"})", R"({"jsonrpc":"2.0","id":1,"method":5})",
                           R"({"jsonrpc":"2.0","id":1})"}) {
    EXPECT_NE(Answer(line).find("-32600"), std::string::npos) << line << Answer(line);
  }
  EXPECT_NE(Answer(R"({"jsonrpc":"2.0","id":1,"method":"tools/lst"})").find("-32601"), std::string::npos);
  EXPECT_NE(Answer(R"({"jsonrpc":"2.0","id":1,"method":"ping","params":[]})").find("-32602"), std::string::npos);
  EXPECT_NE(Answer(R"({"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"x"}})").find("-32602"),
            std::string::npos);
  EXPECT_EQ(Answer(R"({"jsonrpc":"2.0","id":1.5,"method":"ping"})"), R"({"id":1.5,"result":{}})");
  // Notifications and answers take no answer.
  EXPECT_EQ(Answer(R"({"jsonrpc":"2.0","method":"notifications/initialized"})"), "none");
  EXPECT_EQ(Answer(R"({"jsonrpc":"2.0","method":"unknown"})"), "none");
  EXPECT_EQ(Answer(R"({"jsonrpc":"2.0","id":1,"result":{}})"), "none");
}

// Whatever the bytes are, there is an answer of JSON-RPC or none.
TEST_F(McpSessionTest, SurvivesDamagedMessages) {
  const std::string message =
      R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"make","arguments":{"text":"f","list":["a"]}}})";
  std::mt19937 random(1);
  for (int round = 0; round < 3000; ++round) {
    std::string damaged = message;
    for (size_t edits = 1 + random() % 3; edits > 0; --edits) {
      damaged[random() % damaged.size()] = static_cast<char>(random() % 256);
    }
    Answer(damaged);
  }
}

}  // namespace
}  // namespace layoutcheck
