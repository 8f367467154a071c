// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/ir/loop_decisions.h"
#include <llvm/IR/Instructions.h>
#include <cctype>
#include <string>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/llvm/ir/instructions.h"
#include "layoutcheck/solver/paths/function_run.h"

namespace layoutcheck {
namespace {

// A branch that decided so often ends a loop, which is not followed further; the lower number where decisions run out.
constexpr size_t kLoopDecisions = 8;
constexpr size_t kMostLoopDecisions = 24;

// Returns the names in the text of a formula: "N, M".
std::string NamesIn(const std::string& text) {
  std::string names;
  const auto is_letter = [](char c) { return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0; };
  for (size_t at = 0; at < text.size(); ++at) {
    const size_t begin = at;
    while (at < text.size() && is_letter(text[at])) ++at;
    const std::string word = text.substr(begin, at - begin);
    const bool is_name = !word.empty() && std::isdigit(static_cast<unsigned char>(word[0])) == 0 && word != "mod" &&
                         word != "floordiv" && word != "min" && word != "max";
    if (is_name && !names.contains(word)) StrAppend(names, names.empty() ? "" : ", ", word);
  }
  return names;
}

}  // namespace

void LoopDecisions::CountBranch(const llvm::BranchInst& branch,
                                const std::function<MachineValue(const llvm::Value& operand)>& value_of) {
  if (compared_ == counted_) return;
  counted_ = compared_;
  const size_t decisions = SymbolicInteger::DecisionsOfRun();
  const size_t times = ++decided_at_[&branch];
  if (times < kMostLoopDecisions && (times < kLoopDecisions || decisions + 4 < kMaxDecisions)) return;
  std::string names;
  if (const auto* const compare = llvm::dyn_cast<llvm::ICmpInst>(branch.getCondition())) {
    for (const llvm::Use& side : compare->operands()) {
      const MachineValue value = value_of(*side);
      if (value.IsInteger()) StrAppend(names, FunctionRun::Text(value.integer), " ");
    }
    names = NamesIn(names);
  }
  const std::string name = names.empty() ? "a name" : names;
  throw FunctionUnknown{
      StrCat("the loop at ", PlaceOf(branch), " runs as often as ", name,
             " says, and no closed form of it was found: give a small bound",
             names.empty() ? "" : StrCat(", such as --assume '", names.substr(0, names.find(',')), " <= 8'"),
             ", or a number in its place")};
}

namespace {

// Returns true if all variables that the choice sets or reads have a value: behind one way only, the use of one without
// a value may be undefined behavior.
bool HaveValues(const GuardedRegions::Choice& choice, const Locals& locals, IrMemory& memory) {
  size_t set = 0;  // number of variables
  for (const auto& [object, variable] : locals) {
    const auto* const local = llvm::dyn_cast<llvm::AllocaInst>(variable);
    const bool is_set = choice.variables.contains(local);
    if (!is_set && !choice.read.contains(local)) continue;
    auto& scalars = memory.contents(static_cast<size_t>(object)).scalars();
    if (scalars.size() != 1 || scalars.begin()->second.value.IsPoison()) return false;
    if (is_set) ++set;
  }
  return set == choice.variables.size();
}

const GuardedRegions::Choice* ChoiceAt(const llvm::BranchInst& branch, const ModuleRegions& regions) {
  const auto known = regions.find(branch.getFunction());
  return known == regions.end() ? nullptr : known->second.ChoiceAt(branch);
}

}  // namespace

const llvm::BasicBlock* EnterChoice(const llvm::BranchInst& branch, const ModuleRegions& regions, const Locals& locals,
                                    IrMemory& memory) {
  const GuardedRegions::Choice* const choice = ChoiceAt(branch, regions);
  if (choice == nullptr || !HaveValues(*choice, locals, memory)) return nullptr;
  if (choice->body != nullptr) return choice->body;
  LeaveChoice(branch, regions, locals, memory);
  return choice->end;
}

void LeaveChoice(const llvm::BranchInst& branch, const ModuleRegions& regions, const Locals& locals, IrMemory& memory) {
  const GuardedRegions::Choice& choice = *ChoiceAt(branch, regions);
  for (const auto& [object, variable] : locals) {
    if (!choice.variables.contains(llvm::dyn_cast<llvm::AllocaInst>(variable))) continue;
    for (auto& [offset, scalar] : memory.contents(static_cast<size_t>(object)).scalars()) {
      scalar.value = MachineValue::Unknown(StrCat("what a value that is not followed decides, at ", PlaceOf(branch)));
    }
  }
}

}  // namespace layoutcheck
