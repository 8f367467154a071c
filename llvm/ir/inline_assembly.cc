// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/ir/inline_assembly.h"
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstrTypes.h>
#include <algorithm>
#include <array>
#include <string_view>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

// Instructions of PTX that change registers alone, by the word before the first dot. Those that move numbers between
// the threads of a warp are among them.
constexpr std::array kOfRegisters = std::to_array<std::string_view>(
    {"abs",   "activemask", "add",  "and",   "bfe",   "bfi",   "bfind", "brev", "clz", "copysign", "cos",  "cvt",
     "cvta",  "div",        "dp2a", "dp4a",  "elect", "ex2",   "fma",   "fns",  "lg2", "lop3",     "mad",  "mad24",
     "match", "max",        "min",  "mma",   "mov",   "mul",   "mul24", "neg",  "not", "or",       "popc", "prmt",
     "rcp",   "redux",      "rem",  "rsqrt", "sad",   "selp",  "set",   "setp", "shf", "shfl",     "shl",  "shr",
     "sin",   "slct",       "sqrt", "sub",   "tanh",  "testp", "vote",  "xor"});
// Instructions that change nothing that is followed: fences, waits for copies that are not followed, and hints.
constexpr std::array kWithoutEffect = std::to_array<std::string_view>(
    {"cp.async.commit_group", "cp.async.wait_", "fence", "griddepcontrol", "membar", "nanosleep", "prefetch"});

// Returns true if the instruction, without its predicate, changes nothing but registers.
bool ChangesRegistersAlone(std::string_view instruction) {
  if (instruction.starts_with('.')) return true;  // a declaration
  if (std::ranges::any_of(kWithoutEffect, [&](std::string_view name) { return instruction.starts_with(name); })) {
    return true;
  }
  const std::string_view word = instruction.substr(0, instruction.find_first_of(". \t"));
  return std::ranges::find(kOfRegisters, word) != kOfRegisters.end();
}

// Returns the instructions of the text, without braces and predicates (`@p `).
std::vector<std::string_view> InstructionsOf(std::string_view text) {
  constexpr std::string_view kBetween = " \t\n{}";
  std::vector<std::string_view> instructions;
  while (!text.empty()) {
    std::string_view instruction = text.substr(0, text.find_first_of(";\n"));
    text.remove_prefix(std::min(instruction.size() + 1, text.size()));
    instruction.remove_prefix(std::min(instruction.find_first_not_of(kBetween), instruction.size()));
    if (instruction.starts_with('@')) {
      instruction.remove_prefix(std::min(instruction.find(' '), instruction.size()));
      instruction.remove_prefix(std::min(instruction.find_first_not_of(' '), instruction.size()));
    }
    if (!instruction.empty()) instructions.push_back(instruction);
  }
  return instructions;
}

MachineValue UnknownOf(const llvm::Type& type, const std::string& why) {
  if (const auto* const structure = llvm::dyn_cast<llvm::StructType>(&type)) {
    MachineValue value{.kind = MachineValue::Kind::kAggregate};
    for (const llvm::Type* const element : structure->elements()) value.elements.push_back(UnknownOf(*element, why));
    return value;
  }
  return type.isFloatingPointTy() ? MachineValue::Computed(why) : MachineValue::Unknown(why);
}

}  // namespace

bool CallAssembly(const llvm::CallBase& call, const std::string& place, std::optional<MachineValue>& result) {
  const auto* const assembly = llvm::dyn_cast<llvm::InlineAsm>(call.getCalledOperand());
  if (assembly == nullptr) return false;
  // An operand in memory is written through its pointer.
  for (unsigned k = 0; k < call.arg_size(); ++k) {
    if (call.getParamElementType(k) != nullptr) return false;
  }
  if (!std::ranges::all_of(InstructionsOf(assembly->getAsmString()), ChangesRegistersAlone)) return false;
  if (!call.getType()->isVoidTy()) {
    result = UnknownOf(*call.getType(), StrCat("what assembly computes at ", place));
  }
  return true;
}

}  // namespace layoutcheck
