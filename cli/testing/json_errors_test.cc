// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests that with --json every command prints its errors as JSON, too.
#include <gtest/gtest.h>
#include <string>
#include <vector>
#include "layoutcheck/cli/testing/run_program.h"

namespace layoutcheck {
namespace {

struct JsonError {
  std::vector<std::string> arguments;  // beside --json
  std::string error;                   // in JSON, or the beginning of it
};

const JsonError kJsonErrors[] = {
    {{}, R"({"kind":"argument","message":"unknown option '--json')"},
    {{"shoe"},
     R"({"kind":"argument","message":"unknown command 'shoe' (did you mean 'show'?); see layoutcheck --help"})"},
    {{"show", "--nope"}, R"({"kind":"argument","message":"unknown option '--nope')"},
    {{"parse"}, R"({"kind":"argument","message":"TEXT is required; see layoutcheck parse --help"})"},
    {{"show", "f32[3,5]{1,0:T(2,2}"},
     R"({"kind":"syntax","argument":"LAYOUT","column":19,"message":"expected ',' or ')' in the tile, found '}'"})"},
    {{"index", "f32[3,5]", "3,0"}, R"({"kind":"argument","argument":"COORD","message":"coordinate y=3 is outside)"},
    {{"coord", "f32[3]", "1.5"}, R"({"kind":"syntax","argument":"OFFSET","column":2,"message":)"},
    {{"convert", "token[]", "--to", "c"}, R"({"kind":"argument","argument":"LAYOUT","message":"a token has no)"},
    {{"compare", "f32[3]", "f32[3"}, R"({"kind":"syntax","argument":"B","column":6,"message":)"},
    {{"prove", "f32[3"}, R"({"kind":"syntax","argument":"f32[3","column":6,"message":)"},
    {{"prove", "f32[M]{0}", "--formula", "i0+"}, R"({"kind":"syntax","argument":"--formula","column":4,"message":)"},
    {{"prove", "--tiles", "missing"}, R"({"kind":"unavailable","argument":"--tiles","message":"cannot read missing)"},
    {{"prove-code", "missing.c", "--function", "f", "--args", "i0", "f32[N]{0}"}, R"({"kind":)"},
    {{"prove-kernel", "missing.cu", "--function", "f", "--args", "i0", "--array", "a"},
     R"({"kind":"argument","message":"--array: expected NAME=LAYOUT, found 'a'"})"},
    {{"verify", "missing"}, R"({"kind":"unavailable","message":"cannot read missing)"},
    {{"check", "(4,3):(3,1); 6:", "--law", "composition"},
     R"({"kind":"syntax","argument":"'(4,3):(3,1); 6:': argument '6:'","column":3,"message":)"},
    {{"check", "--known", "missing"}, R"({"kind":"unavailable","argument":"--known","message":"cannot read missing)"},
    {{"fuzz", "--subject", "nope"}, R"({"kind":"argument","argument":"--subject","message":"expected reference)"},
    {{"replay", "missing"}, R"({"kind":"unavailable","argument":"FINDING","message":"cannot read missing)"},
    {{"merge", "missing", "--out", "out"}, R"({"kind":"unavailable","message":)"},
    {{"report", "{}", "--html", "p.html"}, R"({"kind":"syntax","argument":"FINDINGS","message":)"},
    {{"scan", "missing"}, R"({"kind":"unavailable","message":"missing: No such file or directory"})"},
    {{"serve", "--subject", "nope"}, R"({"kind":"argument","message":"--subject: expected reference)"},
    {{"laws", "x"}, R"({"kind":"argument","message":"unexpected argument 'x'; see layoutcheck laws --help"})"},
    {{"subjects", "--self-test", "nope"}, R"({"kind":"argument","argument":"--self-test","message":)"},
};

TEST(JsonErrors, SayWhatStderrSays) {
  for (const JsonError& row : kJsonErrors) {
    std::vector<std::string> arguments = row.arguments;
    arguments.insert(arguments.begin() + (arguments.empty() ? 0 : 1), "--json");
    SCOPED_TRACE(testing::PrintToString(arguments));
    const ProgramResult result = RunLayoutcheck(arguments);
    EXPECT_EQ(result.exit_code, 2);
    const std::vector<Json> lines = JsonLines(result.out);
    ASSERT_EQ(lines.size(), 1u) << result.out;
    EXPECT_EQ(lines[0].size(), 1u) << result.out;
    const Json& error = lines[0]["error"];
    EXPECT_TRUE(error.Dump().starts_with(row.error)) << "expected " << row.error << "\nactual   " << error.Dump();
    std::string said = error["argument"].text();
    if (error.contains("argument")) said += ": ";
    if (error.contains("column")) said += "column " + error["column"].Dump() + ": ";
    EXPECT_TRUE(result.err.ends_with(": " + said + error["message"].text() + "\n")) << result.err;
  }
}

// A result that is no error has its own document: a rejected text, what cannot be expressed, an undecided question.
TEST(JsonErrors, AreNoResults) {
  EXPECT_EQ(RunLayoutcheck({"parse", "f32[3,", "--json"}).out.find(R"({"ok":false,"stage":"syntax","column":7,)"), 0u);
  EXPECT_EQ(RunLayoutcheck({"show", "f32[3]", "--json"}).out.find("error"), std::string::npos);
  EXPECT_EQ(RunLayoutcheck({"show", "f32[3,"}).out, "");
}

}  // namespace
}  // namespace layoutcheck
