// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/scan/explain.h"
#include <nlohmann/json.hpp>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/hlo/printer.h"
#include "layoutcheck/core/xla_util/bitcast_text.h"

namespace layoutcheck {
namespace {

// Returns what is wrong with the bitcast, or else which steps it is.
std::string Explanation(const ModuleScan& scan, const ModuleInstruction& bitcast, const Shape& operand) {
  for (const RuleFinding& finding : scan.verdict.findings) {
    if (finding.instruction == &bitcast && finding.rule.starts_with("bitcast-")) return finding.message;
  }
  const auto steps = DecomposeBitcast(operand, *bitcast.shape);
  if (steps && steps->has_value()) return DecompositionText(**steps);
  return "elements and padding are at the same places, and no reshape and transpose say which element becomes which";
}

}  // namespace

std::vector<Json> ExplainBitcasts(const ModuleScan& scan, std::string_view name) {
  std::vector<Json> rows;
  for (const ModuleComputation& computation : scan.module->computations) {
    for (const ModuleInstruction& bitcast : computation.instructions) {
      if (bitcast.name != name || bitcast.opcode != "bitcast" || bitcast.operands.size() != 1) continue;
      const ModuleOperand& operand = bitcast.operands[0];
      const Shape* const from = operand.defined != nullptr ? operand.defined : operand.printed;
      if (scan.facts->Sizes(from) == nullptr || scan.facts->Sizes(bitcast.shape) == nullptr) continue;
      rows.push_back({{"type", "bitcast"},
                      {"file", scan.file},
                      {"line", bitcast.place.line},
                      {"computation", computation.name},
                      {"instruction", bitcast.name},
                      {"operand", ToString(*from)},
                      {"shape", ToString(*bitcast.shape)},
                      {"explanation", Explanation(scan, bitcast, *from)}});
    }
  }
  return rows;
}

std::string ExplanationText(const std::vector<Json>& rows) {
  std::string text;
  for (const Json& row : rows) {
    StrAppend(text, row["file"].get<std::string>(), ":", row["line"].get<int64_t>(), ": ",
              row["instruction"].get<std::string>(), "\n  from ", row["operand"].get<std::string>(), " to ",
              row["shape"].get<std::string>(), "\n  ", row["explanation"].get<std::string>(), "\n\n");
  }
  return text;
}

}  // namespace layoutcheck
