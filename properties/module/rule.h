// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rules of HLO modules: laws that relate the layouts of a module to each other.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/module/module.h"
#include "layoutcheck/core/tiling/occupancy.h"
#include "layoutcheck/core/xla_util/bitcast.h"
#include "layoutcheck/properties/module/module_facts.h"

namespace layoutcheck {

// The data that a reshape or transpose moves because the layouts of its operand and result make it no bitcast.
struct DataMove {
  int64_t bytes = 0;  // allocated for the result, which is written
  // An element that moves. Nothing if all keep their offsets and the allocations differ, if an element has another
  // number of bits, or if none could be named.
  std::optional<ElementMove> element;
  std::string reason;  // why the operation is no bitcast, in words
};

// Returns true if the instruction is a reshape or transpose between arrays with valid layouts and static dimensions,
// and the result has the element type and the dimensions that the operation gives it.
bool IsStaticReshapeOrTranspose(ModuleFacts& facts, const ModuleInstruction& instruction);

// Returns the data that the instruction moves, or nothing if it is a bitcast. Memory spaces are not compared. Requires
// IsStaticReshapeOrTranspose. Error (unsupported): it is not known whether elements move.
Expected<std::optional<DataMove>> DataMoveOf(ModuleFacts& facts, const ModuleInstruction& instruction);

enum class Severity {
  kError,      // the module is wrong
  kAdvice,     // it is right, and could be cheaper
  kUndecided,  // neither shown nor refuted
};
// Returns "error", "advice" or "undecided".
std::string_view SeverityName(Severity severity);

// A place in a module where a rule is broken.
struct RuleFinding {
  std::string_view rule;
  Severity severity = Severity::kError;
  TextPlace place;
  const ModuleComputation* computation = nullptr;  // null for the header
  const ModuleInstruction* instruction = nullptr;  // null for a header or head
  const Shape* shape = nullptr;                    // the shape that is judged; null if there is none
  std::string message;
  // For bitcast-reads-padding: `a` is the operand, `b` the result.
  std::optional<OccupancyDifference> witness;
  std::optional<DataMove> move = std::nullopt;  // for reshape-moves-data
};

class ModuleFacts;

// One rule. Users see statement() wherever the rule is named.
struct ModuleRule {
  std::string_view name;
  std::string_view statement;
  std::string_view domain;  // the instructions to which it applies, in words
  bool needs_layouts;       // says nothing about a module before layout assignment
  // The name by which users require that the rule is kept. Its findings are advice, and errors if it is required. Empty
  // for a rule whose findings are always errors.
  std::string_view requirement;
  void (*check)(ModuleFacts& facts, std::vector<RuleFinding>& findings);  // appends what breaks the rule
};

// Returns all rules, in the order in which they are listed and checked.
std::span<const ModuleRule> ModuleRules();

// The findings of one module, and the rules that were checked.
struct ModuleVerdict {
  std::vector<RuleFinding> findings;  // in the order of the text; of equal places, in the order of the rules
  std::vector<std::string_view> applied;
  std::vector<std::pair<std::string_view, std::string>> not_applied;  // rule, and why
};

// Checks all rules. Text that could not be read is a finding of the rule `unreadable`. `requirements` are those of
// rules whose findings shall be errors; what such a rule cannot decide is a finding, too. The result refers to the
// module of the facts.
ModuleVerdict CheckModule(ModuleFacts& facts, std::span<const std::string> requirements = {});

}  // namespace layoutcheck
