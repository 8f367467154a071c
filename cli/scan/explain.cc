// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/scan/explain.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/hlo/printer.h"
#include "layoutcheck/core/xla_util/bitcast.h"
#include "layoutcheck/json/json.h"
#include "layoutcheck/properties/module/rule.h"

namespace layoutcheck {
namespace {

bool IsExplained(std::string_view opcode) {
  return opcode == "bitcast" || opcode == "reshape" || opcode == "transpose";
}

// Returns what is wrong with the bitcast, or else which steps it is.
std::string ExplainBitcast(const ModuleScan& scan, const ModuleInstruction& bitcast, const Shape& operand) {
  for (const RuleFinding& finding : scan.verdict.findings) {
    if (finding.instruction == &bitcast && finding.rule.starts_with("bitcast-")) return finding.message;
  }
  const auto steps = DecomposeBitcast(operand, *bitcast.shape);
  if (steps && steps->has_value()) return DecompositionText(**steps);
  return "elements and padding are at the same places, and no reshape and transpose say which element becomes which";
}

// Returns what a reshape or transpose moves.
std::string ExplainMove(const ModuleScan& scan, const ModuleInstruction& instruction) {
  if (!IsStaticReshapeOrTranspose(*scan.facts, instruction)) {
    return StrCat("a dimension is dynamic, or the shapes are not those of a ", instruction.opcode);
  }
  const auto move = DataMoveOf(*scan.facts, instruction);
  if (!move) return StrCat("it may move data: ", move.error().message);
  if (*move) return StrCat("moves ", (*move)->bytes, " bytes: ", (*move)->reason);
  return "each element keeps its offset: a bitcast would do";
}

}  // namespace

std::vector<Json> ExplainInstructions(const ModuleScan& scan, std::string_view name) {
  std::vector<Json> rows;
  for (const ModuleComputation& computation : scan.module->computations) {
    for (const ModuleInstruction& instruction : computation.instructions) {
      if (instruction.name != name || !IsExplained(instruction.opcode) || instruction.operands.size() != 1) continue;
      const ModuleOperand& operand = instruction.operands[0];
      const Shape* const from = operand.defined != nullptr ? operand.defined : operand.printed;
      if (scan.facts->Sizes(from) == nullptr || scan.facts->Sizes(instruction.shape) == nullptr) continue;
      rows.push_back({{"type", instruction.opcode},
                      {"file", scan.file},
                      {"line", instruction.place.line},
                      {"computation", computation.name},
                      {"instruction", instruction.name},
                      {"operand", ToString(*from)},
                      {"shape", ToString(*instruction.shape)},
                      {"explanation", instruction.opcode == "bitcast" ? ExplainBitcast(scan, instruction, *from)
                                                                      : ExplainMove(scan, instruction)}});
    }
  }
  return rows;
}

std::string ExplanationText(const std::vector<Json>& rows) {
  std::string text;
  for (const Json& row : rows) {
    StrAppend(text, row["file"].text(), ":", row["line"].get<int64_t>(), ": ", row["instruction"].text(), "\n  from ",
              row["operand"].text(), " to ", row["shape"].text(), "\n  ", row["explanation"].text(), "\n\n");
  }
  return text;
}

}  // namespace layoutcheck
