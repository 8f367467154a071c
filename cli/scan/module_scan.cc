// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/scan/module_scan.h"
#include <limits>
#include "layoutcheck/cli/base/line_reader.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/hlo/printer.h"
#include "layoutcheck/core/module/log_reader.h"
#include "layoutcheck/core/module/module_reader.h"
#include "layoutcheck/json/json.h"
#include "layoutcheck/properties/module/instruction_sharding.h"

namespace layoutcheck {
namespace {

int64_t SaturatedSum(int64_t a, int64_t b) {
  int64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? std::numeric_limits<int64_t>::max() : sum;
}

// Returns "computation/instruction" of the entry's peak.
std::string PeakInstruction(const ModuleScan& scan) {
  const ModuleComputation& entry = *scan.module->Entry();
  return StrCat(entry.name, "/", entry.instructions[scan.live->peak].name);
}

// Puts one problem in the place of those of a line whose end has not been read.
void ReportCutLine(HloModule& module, int64_t line) {
  const auto is_in_line = [&](const ReadProblem& problem) { return problem.place.line == line; };
  std::erase_if(module.problems, is_in_line);
  module.problems.push_back(
      {{.line = line}, StrCat("the line is longer than ", LineReader::kDefaultLimit >> 20, " MiB")});
}

}  // namespace

void MemoryTotals::Add(const MemoryTotals& other) {
  arrays += other.arrays;
  bytes = SaturatedSum(bytes, other.bytes);
  needed_bytes = SaturatedSum(needed_bytes, other.needed_bytes);
}

bool IsCopy(const ModuleInstruction& instruction) {
  return instruction.opcode == "copy" || instruction.opcode == "transpose" || instruction.opcode == "reshape" ||
         instruction.opcode == "copy-start";
}

ModuleScan ScanModule(ModuleText text, const std::vector<Tiling>& tilings, std::span<const std::string> requirements) {
  ModuleScan scan{.file = std::move(text.file)};
  scan.module = std::make_unique<HloModule>(text.is_log ? ReadLog(std::move(text.text), text.first_line)
                                                        : ReadModule(std::move(text.text), text.first_line));
  for (const int64_t line : text.cut_lines) ReportCutLine(*scan.module, line);
  scan.facts = std::make_unique<ModuleFacts>(*scan.module, tilings);
  scan.verdict = CheckModule(*scan.facts, requirements);
  scan.arrays = ArraysOf(*scan.facts);
  AddBytesOnDevice(*scan.facts, scan.arrays);
  scan.live = LiveMemoryOf(*scan.facts);
  for (const ModuleComputation& computation : scan.module->computations) {
    scan.instructions += static_cast<int64_t>(computation.instructions.size());
  }
  for (const ArrayCost& array : scan.arrays) {
    const MemoryTotals one{1, array.bytes, array.needed_bytes};
    scan.totals.Add(one);
    if (IsCopy(*array.instruction)) scan.copies.Add(one);
    scan.by_memory_space[array.shape->layout->memory_space].Add(one);
    if (array.on_device) {
      if (!scan.on_device) scan.on_device.emplace();
      scan.on_device->Add({1, array.on_device->bytes, array.on_device->needed_bytes});
    }
  }
  return scan;
}

bool IsHlo(const ModuleScan& scan) { return scan.instructions > 0 || !scan.module->name.empty(); }

Json ModuleJson(const ModuleScan& scan) {
  Json rules = Json::array();
  for (const std::string_view rule : scan.verdict.applied) rules.push_back(rule);
  Json not_applied = Json::object();
  for (const auto& [rule, why] : scan.verdict.not_applied) not_applied[std::string(rule)] = why;
  Json json{{"type", "module"},
            {"file", scan.file},
            {"name", scan.module->name},
            {"instructions", scan.instructions},
            {"arrays", scan.totals.arrays},
            {"bytes", scan.totals.bytes},
            {"needed_bytes", scan.totals.needed_bytes},
            {"scheduled", scan.module->is_scheduled},
            {"rules", std::move(rules)},
            {"not_applied", std::move(not_applied)}};
  if (scan.on_device) {
    json["device_bytes"] = scan.on_device->bytes;
    json["device_needed_bytes"] = scan.on_device->needed_bytes;
  }
  if (scan.live) {
    const LiveBytes& peak = scan.live->curve[scan.live->peak];
    json["peak_bytes"] = peak.bytes;
    json["peak_padding"] = peak.padding();
    json["peak_at"] = PeakInstruction(scan);
  }
  return json;
}

Json FindingJson(const ModuleScan& scan, const RuleFinding& finding) {
  Json json{{"type", "finding"},
            {"rule", finding.rule},
            {"file", scan.file},
            {"line", finding.place.line},
            {"column", finding.place.column}};
  if (finding.computation != nullptr) json["computation"] = finding.computation->name;
  if (finding.instruction != nullptr) {
    json["instruction"] = finding.instruction->name;
    json["opcode"] = finding.instruction->opcode;
    if (!finding.instruction->source_file.empty()) {
      json["source_file"] = finding.instruction->source_file;
      json["source_line"] = finding.instruction->source_line;
    }
  }
  if (finding.shape != nullptr) json["shape"] = ToString(*finding.shape);
  json["severity"] = SeverityName(finding.severity);
  json["message"] = finding.message;
  if (const auto& witness = finding.witness) {
    const auto side = [&](bool is_operand) {
      return witness->is_element_of_a == is_operand ? Json(witness->coordinate) : Json("padding");
    };
    json["witness"] = {
        {"address", witness->bit / 8}, {"bit", witness->bit}, {"operand", side(true)}, {"result", side(false)}};
  }
  if (finding.move) {
    json["moved_bytes"] = finding.move->bytes;
    if (const auto& element = finding.move->element) {
      json["witness"] = {{"operand", element->input},
                         {"operand_offset", element->from},
                         {"result", element->output},
                         {"result_offset", element->to}};
    }
  }
  return json;
}

Json ArrayJson(ModuleScan& scan, const ArrayCost& array) {
  const std::optional<Shape>& tightest = scan.facts->Tightest(array.shape);
  const Shape& best = tightest ? *tightest : *array.shape;
  const auto best_sizes = SizesOf(best);
  Json json{{"type", "array"},
            {"file", scan.file},
            {"line", array.instruction->place.line},
            {"computation", array.computation->name},
            {"instruction", array.instruction->name},
            {"opcode", array.instruction->opcode},
            {"shape", ToString(*array.shape)},
            {"bytes", array.bytes},
            {"needed_bytes", array.needed_bytes},
            {"waste", array.waste()},
            {"tightest", ToString(*best.layout)},
            {"tightest_bytes", best_sizes ? best_sizes->bytes : array.bytes},
            {"memory_space", array.shape->layout->memory_space}};
  if (array.on_device) {
    json["device_bytes"] = array.on_device->bytes;
    if (!array.on_device->sharding.empty()) json["sharding"] = array.on_device->sharding;
  }
  if (!array.instruction->source_file.empty()) {
    json["source_file"] = array.instruction->source_file;
    json["source_line"] = array.instruction->source_line;
  }
  return json;
}

}  // namespace layoutcheck
