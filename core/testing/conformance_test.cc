// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks every row of corpus/vectors/xla.jsonl with the part of core that the row is about.
#include "layoutcheck/core/testing/conformance.h"
#include <gtest/gtest.h>
#include <cstdio>
#include <fstream>

namespace layoutcheck {
namespace {

constexpr std::optional<RowResult> (*kCheckers[])(const Json&) = {CheckTextRow, CheckIndexRow, CheckFunctionRow,
                                                                  CheckArrayRow};

TEST(Conformance, EveryKnownAnswer) {
  std::ifstream file(LAYOUTCHECK_CORPUS "/vectors/xla.jsonl");
  ASSERT_TRUE(file.is_open());
  int vectors = 0;
  int failures = 0;
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    const Json row = Json::Parse(line).value();
    std::optional<RowResult> result;
    for (const auto checker : kCheckers) {
      if (!result) result = checker(row);
    }
    if (!result) result = {RowResult::Verdict::kFail, "no part of core checks this row"};
    ++vectors;
    if (result->verdict == RowResult::Verdict::kPass) continue;
    ++failures;
    ADD_FAILURE() << "row " << number << ": " << result->detail << "\n  " << line;
  }
  std::printf("%d vectors, %d failures (xla.jsonl)\n", vectors, failures);
  EXPECT_GT(vectors, 800);
}

}  // namespace
}  // namespace layoutcheck
