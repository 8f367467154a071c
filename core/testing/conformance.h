// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Test support: the known answers in corpus/vectors, each row checked by the part of core that it is about.
#ifndef LAYOUTCHECK_CORE_TESTING_CONFORMANCE_H_
#define LAYOUTCHECK_CORE_TESTING_CONFORMANCE_H_

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace layoutcheck {

struct RowResult {
  enum class Verdict { kPass, kFail, kLeftOut };
  Verdict verdict = Verdict::kFail;
  std::string detail;  // expected and actual, or why the row is left out
};

// Each answers a row of its own kinds and nothing for the others.
std::optional<RowResult> CheckTextRow(const nlohmann::json& row);      // parse, print, validate, instruction lines
std::optional<RowResult> CheckIndexRow(const nlohmann::json& row);     // offset, coordinate, table, sizes
std::optional<RowResult> CheckFunctionRow(const nlohmann::json& row);  // XLA's layout functions
std::optional<RowResult> CheckArrayRow(const nlohmann::json& row);     // packing, transposes, 2017 layouts

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_CORE_TESTING_CONFORMANCE_H_
