// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>
#include <fstream>
#include <iostream>
#include <string>
#include "layoutcheck/core/hlo/parser.h"
#include "layoutcheck/core/hlo/printer.h"
#include "layoutcheck/core/testing/conformance.h"

namespace layoutcheck {
namespace {

TEST(ConformanceText, EveryRowAboutTextPasses) {
  std::ifstream file(LAYOUTCHECK_CORPUS "/vectors/xla.jsonl");
  ASSERT_TRUE(file.is_open());
  int64_t rows = 0;
  int64_t failures = 0;
  for (std::string line; std::getline(file, line);) {
    const std::optional<RowResult> result = CheckTextRow(Json::Parse(line).value());
    if (!result) continue;
    ++rows;
    if (result->verdict == RowResult::Verdict::kPass) continue;
    ++failures;
    ADD_FAILURE() << line << "\n" << result->detail;
  }
  EXPECT_EQ(rows, 588);
  std::cout << rows << " vectors about text, " << failures << " failures\n";
}

// A file that the reference wrote (properties/conformance) fixes which texts are accepted and which are rejected.
TEST(ConformanceText, EveryTextOfTheConformanceFilesIsReadAsTheySay) {
  std::ifstream file(LAYOUTCHECK_CORPUS "/conformance/texts.jsonl");
  ASSERT_TRUE(file.is_open());
  int64_t rows = 0;
  std::string line;
  std::getline(file, line);  // skips the header
  for (; std::getline(file, line); ++rows) {
    const Json row = Json::Parse(line).value();
    const Expected<Shape> shape = ParseShape(row.at("text").text());
    if (row.at("verdict") == "accept") {
      ASSERT_TRUE(shape.has_value()) << line << "\n" << shape.error().ToString();
      EXPECT_EQ(ToString(*shape), row.at("canonical").text());
    } else {
      ASSERT_FALSE(shape.has_value()) << line;
      EXPECT_EQ(shape.error().kind, row.at("verdict") == "may" ? ErrorKind::kInvalidLayout : ErrorKind::kSyntax)
          << line;
    }
  }
  EXPECT_EQ(rows, 3276);
}

// Rows with a wrong expectation must fail; otherwise, passing rows would prove nothing.
TEST(ConformanceText, WrongExpectationsFail) {
  const Json rejected_as_syntax = {{"ok", false}, {"stage", "syntax"}};
  const auto parse = [](const char* kind, const char* text, const Json& expect) {
    return Json{{"op", "parse"}, {"kind", kind}, {"text", text}, {"expect", expect}};
  };
  const auto row = [](const char* kind, const char* text, const char* expect) {
    return Json{{"kind", kind}, {"text", text}, {"expect", expect}};
  };
  const Json rows[] = {
      parse("shape", "f32[2]", {{"ok", true}, {"text", "f32[2]"}}),
      parse("shape", "f32[2]{5}", rejected_as_syntax),
      parse("layout", "{0}", rejected_as_syntax),
      row("print", "Tile 7,8", "(7, 8)"),
      row("print", "something else", "{}"),
      row("validate_ok", "f32[2]{5}", "ok"),
      row("validate_err", "f32[2]{0}", "minor_to_major duplicate"),
      row("validate_err", "f32[2]{5}", "minor_to_major duplicate"),
      row("instr_ok", "x = f32[2] add(a)", "name x"),
      row("instr_ok", "x = f32[2] negate(f32[2])", "name y"),
      row("instr_err", "x = f32[2] negate(f32[2])", "anything"),
      row("instr_err", "x = f32[2] add(a)", "Expected eof"),
  };
  for (const Json& wrong : rows) {
    const std::optional<RowResult> result = CheckTextRow(wrong);
    ASSERT_TRUE(result.has_value()) << wrong;
    EXPECT_EQ(result->verdict, RowResult::Verdict::kFail) << wrong;
  }
  EXPECT_FALSE(CheckTextRow({{"op", "offset"}, {"layout", "f32[]"}}).has_value());
}

}  // namespace
}  // namespace layoutcheck
