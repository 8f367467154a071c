// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/module/module.h"
#include <unordered_map>
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

class ModuleCompletion {
 public:
  ModuleCompletion(HloModule& module, bool has_lost_lines)
      : module_(module), has_lost_lines_(has_lost_lines), is_whole_(!has_lost_lines && !module.name.empty()) {}

  void Run() {
    for (size_t i = 0; i < module_.computations.size(); ++i) NameComputation(static_cast<int64_t>(i));
    if (is_whole_ && module_.computations.empty()) {
      AddProblem(module_.place, "expected computations after the header, found none");
    } else if (is_whole_ && module_.Entry() == nullptr && !module_.computations.back().name.empty()) {
      AssumeEntry();
    }
    for (ModuleComputation& computation : module_.computations) {
      const bool lacks_a_part = computation.has_lost_lines || !computation.is_closed;
      if (lacks_a_part && computation.Root() != nullptr && !computation.Root()->is_root) {
        computation.root = ModuleOperand::kUnknown;
      }
      CheckUniqueness(computation);
      for (ModuleInstruction& instruction : computation.instructions) {
        CheckTupleIndex(instruction);
        ResolveCalls(instruction);
      }
    }
  }

 private:
  void NameComputation(int64_t number) {
    const ModuleComputation& computation = module_.computations[static_cast<size_t>(number)];
    if (!computation.is_closed && !has_lost_lines_) {
      AddProblem(computation.place, "expected '}' at the end of the computation that begins here, found none");
    }
    const auto [known, is_new] = numbers_.emplace(computation.name, number);
    if (!is_new && !computation.name.empty()) {
      known->second = ModuleOperand::kUnknown;
      AddProblem(computation.place, StrCat("this is a second computation with the name '", computation.name, "'"));
    }
    if (!computation.is_entry) return;
    if (module_.Entry() == nullptr) {
      module_.entry = number;
    } else {
      AddProblem(computation.place,
                 StrCat("this is a second ENTRY; only the first, '", module_.Entry()->name, "', is counted"));
    }
  }

  // Makes the last computation the entry, as XLA does if none is marked.
  void AssumeEntry() {
    if (module_.entry_result != nullptr) {
      AddProblem(module_.place,
                 "expected a computation marked ENTRY, which entry_computation_layout describes, found none");
      return;
    }
    module_.entry = static_cast<int64_t>(module_.computations.size()) - 1;
    module_.computations.back().is_entry = true;
  }

  void CheckUniqueness(const ModuleComputation& computation) {
    bool has_root = false;
    for (size_t i = 0; i < computation.instructions.size(); ++i) {
      const ModuleInstruction& instruction = computation.instructions[i];
      if (instruction.is_root && std::exchange(has_root, true)) {
        AddProblem(instruction.place, "this is a second ROOT in its computation");
      }
      const bool is_parameter = instruction.opcode == "parameter" && instruction.number >= 0;
      if (is_parameter && computation.parameters[static_cast<size_t>(instruction.number)] != static_cast<int64_t>(i)) {
        AddProblem(instruction.place, StrCat("the computation has another parameter(", instruction.number, ")"));
      }
    }
  }

  void CheckTupleIndex(const ModuleInstruction& instruction) {
    if (instruction.opcode != "get-tuple-element" || instruction.operands.empty()) return;
    const ModuleOperand& operand = instruction.operands.front();
    const Shape* const tuple = operand.defined != nullptr ? operand.defined : operand.printed;
    if (tuple == nullptr || PartAt(tuple, {instruction.number}) != nullptr) return;
    AddProblem(instruction.place,
               StrCat("expected the index of one of the ", tuple->elements.size(), " elements of the operand, found ",
                      instruction.number < 0 ? "none" : StrCat("index=", instruction.number)));
  }

  void ResolveCalls(ModuleInstruction& instruction) {
    for (ComputationCall& call : instruction.calls) {
      const auto found = numbers_.find(call.name);
      if (found != numbers_.end()) {
        call.computation = found->second;
      } else if (is_whole_) {
        AddProblem(instruction.place,
                   StrCat("the instruction calls '", call.name, "', which is no computation of the module"));
      }
    }
  }

  void AddProblem(TextPlace place, std::string message) { module_.problems.push_back({place, std::move(message)}); }

  HloModule& module_;
  bool has_lost_lines_;
  bool is_whole_;
  std::unordered_map<std::string_view, int64_t> numbers_;  // number of each computation, by name
};

}  // namespace

void CompleteModule(HloModule& module, bool has_lost_lines) { ModuleCompletion(module, has_lost_lines).Run(); }

const Shape* PartAt(const Shape* shape, const std::vector<int64_t>& path) {
  for (const int64_t index : path) {
    if (shape == nullptr || !shape->IsTuple() || index < 0 || index >= static_cast<int64_t>(shape->elements.size())) {
      return nullptr;
    }
    shape = &shape->elements[static_cast<size_t>(index)];
  }
  return shape;
}

}  // namespace layoutcheck
