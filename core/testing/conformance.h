// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks the known answers in corpus/vectors, row by row. Test support; not installed.
#pragma once

#include <optional>
#include <string>
#include "layoutcheck/json/json.h"

namespace layoutcheck {

// The result of checking one row.
struct RowResult {
  enum class Verdict { kPass, kFail };
  Verdict verdict = Verdict::kFail;
  std::string detail;  // expected and actual value of a failure; empty for a success
};

// Returns a pass if the values are equal, and otherwise a failure that shows both.
inline RowResult Compare(const Json& expected, const Json& actual) {
  if (expected == actual) return {RowResult::Verdict::kPass, ""};
  return {RowResult::Verdict::kFail, "expected " + expected.Dump() + "\nactual   " + actual.Dump()};
}

// Each checks the rows of its own kinds and returns nothing for other rows.
std::optional<RowResult> CheckTextRow(const Json& row);      // parse, print, validate, instruction lines
std::optional<RowResult> CheckIndexRow(const Json& row);     // offset, coordinate, table, sizes
std::optional<RowResult> CheckFunctionRow(const Json& row);  // XLA's layout functions
std::optional<RowResult> CheckArrayRow(const Json& row);     // packing, transposes, 2017 layouts

}  // namespace layoutcheck
