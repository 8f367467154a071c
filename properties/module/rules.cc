// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include "layoutcheck/properties/module/instruction_sharding.h"
#include "layoutcheck/properties/module/rules_internal.h"

namespace layoutcheck {
namespace {

// Makes the findings of an advisory rule, which begin at `first`, errors if the rule is required. Otherwise what the
// rule could not decide is left out.
void ApplyRequirement(bool is_required, std::vector<RuleFinding>& findings, size_t first) {
  const auto begin = findings.begin() + static_cast<std::ptrdiff_t>(first);
  if (!is_required) {
    const auto is_undecided = [](const RuleFinding& finding) { return finding.severity == Severity::kUndecided; };
    findings.erase(std::remove_if(begin, findings.end(), is_undecided), findings.end());
    return;
  }
  for (auto finding = begin; finding != findings.end(); ++finding) {
    if (finding->severity == Severity::kAdvice) finding->severity = Severity::kError;
  }
}

// Returns true if the rule is about shardings of arrays that are not cut into parts yet.
bool IsAboutWholeArrays(const ModuleRule& rule) {
  return rule.check == CheckUnevenSharding || rule.check == CheckShardingMismatch ||
         rule.check == CheckOperandResharded;
}

}  // namespace

std::string_view SeverityName(Severity severity) {
  switch (severity) {
    case Severity::kError: return "error";
    case Severity::kAdvice: return "advice";
    case Severity::kUndecided: return "undecided";
  }
  return "";
}

std::span<const ModuleRule> ModuleRules() {
  static constexpr ModuleRule kRules[] = {
      {"illegal-layout", "Every shape of a module is valid, with its layout.",
       "headers, heads, operands, results and operand_layout_constraints", false, "", CheckIllegalLayout},
      {"illegal-sharding",
       "A sharding names each device of the program once, in a tile assignment of the array's rank; one of a tuple has "
       "one sharding per array.",
       "the attribute sharding", false, "", CheckIllegalSharding},
      {"uneven-sharding", "The size of a sharded dimension is a multiple of its parts, so that no part has padding.",
       "the attribute sharding of modules that are not partitioned yet", false, "sharding-is-even",
       CheckUnevenSharding},
      {"sharding-mismatch",
       "An elementwise operation or copy and its operands are manual over the same groups of devices, or the result is "
       "manual over all devices and the operand over none. XLA's partitioner fails otherwise.",
       "the attribute sharding of modules that are not partitioned yet", false, "", CheckShardingMismatch},
      {"operand-resharded",
       "Each device holds what it needs of the operands of an elementwise operation. XLA reshards an operand "
       "otherwise.",
       "the attribute sharding of modules that are not partitioned yet", false, "operands-keep-sharding",
       CheckOperandResharded},
      {"bitcast-changes-size", "Both sides of a bitcast allocate the same number of bytes.",
       "bitcasts between arrays with layouts", true, "", CheckBitcastSize},
      {"bitcast-reads-padding", "Both sides of a bitcast hold elements at the same places, and padding at the others.",
       "bitcasts between arrays of one size in bytes", true, "", CheckBitcastPadding},
      {"layout-mismatch",
       "A value has one layout on its whole way: where it is defined, at operands, through calls, and at the entry; "
       "elementwise operations and updates in place keep it.",
       "operands, tuples, fusions, calls, whiles, conditionals, aliases; elementwise operations and updates where "
       "values have memory of their own",
       true, "", CheckLayoutMismatch},
      {"reshape-moves-data",
       "A reshape or transpose is a bitcast: each element keeps its place in memory, and both sides allocate the same "
       "number of bytes. Memory spaces are not compared.",
       "reshapes and transposes of static arrays where values have memory of their own", true, "reshape-is-bitcast",
       CheckReshapeMovesData},
      {"copy-is-free",
       "A copy, transpose or reshape moves an element; otherwise a bitcast would do. A copy that keeps its layout is "
       "exempt: it makes a buffer.",
       "computations whose values have memory of their own", true, "copy-moves-data", CheckCopyIsFree},
      {"copy-of-copy", "No copy undoes a copy.", "computations whose values have memory of their own", true,
       "copy-is-not-undone", CheckCopyOfCopy},
      {"padding-waste", "An array of 64 KiB or more has less padding than elements.",
       "computations whose values have memory of their own", true, "padding-below-half", CheckPaddingWaste},
  };
  return kRules;
}

ModuleVerdict CheckModule(ModuleFacts& facts, std::span<const std::string> requirements) {
  ModuleVerdict verdict;
  for (const ReadProblem& problem : facts.module().problems) {
    verdict.findings.push_back({.rule = "unreadable", .place = problem.place, .message = problem.message});
  }
  for (const ModuleRule& rule : ModuleRules()) {
    if (rule.needs_layouts && !facts.has_assigned_layouts()) {
      verdict.not_applied.emplace_back(rule.name, "no layouts yet");
      continue;
    }
    if (facts.module().is_log && rule.check != CheckIllegalLayout && rule.check != CheckPaddingWaste) {
      verdict.not_applied.emplace_back(rule.name, "a log does not say what depends on what");
      continue;
    }
    if (IsAboutWholeArrays(rule) && HasShardingsOfParts(facts)) {
      verdict.not_applied.emplace_back(rule.name, "shapes are those of the devices' parts");
      continue;
    }
    verdict.applied.push_back(rule.name);
    const size_t first = verdict.findings.size();
    rule.check(facts, verdict.findings);
    for (RuleFinding& finding : std::span(verdict.findings).subspan(first)) finding.rule = rule.name;
    if (rule.requirement.empty()) continue;
    const bool is_required = std::ranges::find(requirements, rule.requirement) != requirements.end();
    ApplyRequirement(is_required, verdict.findings, first);
  }
  std::ranges::stable_sort(verdict.findings, {}, [](const RuleFinding& finding) {
    return std::pair(finding.place.line, finding.place.column);
  });
  return verdict;
}

}  // namespace layoutcheck
