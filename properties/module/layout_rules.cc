// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// illegal-layout and layout-mismatch.
#include <algorithm>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/hlo/opcode.h"
#include "layoutcheck/core/hlo/printer.h"
#include "layoutcheck/properties/module/rules_internal.h"

namespace layoutcheck {
namespace {

// Returns the order of the dimensions that have more than one index; the place of the others means nothing.
std::vector<int64_t> OrderOfSizes(const Shape& shape) {
  std::vector<int64_t> order = shape.layout->minor_to_major;
  std::erase_if(order, [&](int64_t dimension) { return shape.dimensions[static_cast<size_t>(dimension)] == 1; });
  return order;
}

// Compares the two ends of each way that a value takes through the module.
class MismatchCheck {
 public:
  MismatchCheck(ModuleFacts& facts, std::vector<RuleFinding>& findings)
      : module_(facts.module()), facts_(facts), findings_(findings) {}

  void CheckHeader() {
    computation_ = nullptr;
    instruction_ = nullptr;
    const ModuleComputation* const entry = module_.Entry();
    if (entry == nullptr) return;
    for (size_t k = 0; k < std::min(module_.entry_parameters.size(), entry->parameters.size()); ++k) {
      const int64_t parameter = entry->parameters[k];
      if (parameter < 0) continue;
      Compare(module_.entry_parameters[k], StrCat("parameter ", k, " in entry_computation_layout"),
              entry->instructions[static_cast<size_t>(parameter)].shape, "the instruction", MissingTiles::kAgree);
    }
    if (entry->Root() != nullptr) {
      Compare(module_.entry_result, "the result in entry_computation_layout", entry->Root()->shape, "the root",
              MissingTiles::kAgree);
    }
    for (const BufferAlias& alias : module_.aliases) CheckHeaderAlias(alias);
  }

  void CheckComputation(const ModuleComputation& computation) {
    computation_ = &computation;
    instruction_ = nullptr;
    for (size_t k = 0; k < std::min(computation.head_parameters.size(), computation.parameters.size()); ++k) {
      const int64_t parameter = computation.parameters[k];
      if (parameter < 0) continue;
      Compare(computation.head_parameters[k], StrCat("parameter ", k, " in the computation's head"),
              computation.instructions[static_cast<size_t>(parameter)].shape, "the instruction");
    }
    if (computation.Root() != nullptr) {
      Compare(computation.head_result, "the result in the computation's head", computation.Root()->shape, "the root");
    }
    for (const ModuleInstruction& instruction : computation.instructions) {
      instruction_ = &instruction;
      CheckOperands();
      CheckCalls();
      if (!facts_.IsMaterialized(computation)) continue;
      CheckElementwise();
      CheckInPlace();
      for (const BufferAlias& alias : instruction.aliases) {
        if (alias.parameter >= static_cast<int64_t>(instruction.operands.size())) continue;
        const ModuleOperand& operand = instruction.operands[static_cast<size_t>(alias.parameter)];
        CheckAlias(alias, instruction.shape, ShapeOf(operand), "operand");
      }
    }
  }

 private:
  void CheckOperands() {
    for (size_t k = 0; k < instruction_->operands.size(); ++k) {
      const ModuleOperand& operand = instruction_->operands[k];
      Compare(operand.printed, StrCat("operand ", k), operand.defined, "its definition");
    }
    if (instruction_->opcode == "get-tuple-element" && instruction_->operands.size() == 1) {
      Compare(instruction_->shape, "the result", PartAt(ShapeOf(instruction_->operands[0]), {instruction_->number}),
              "the element of the tuple");
    }
    const bool is_tuple = instruction_->opcode == "tuple" && instruction_->shape != nullptr;
    for (size_t k = 0; is_tuple && k < instruction_->operands.size(); ++k) {
      Compare(PartAt(instruction_->shape, {static_cast<int64_t>(k)}), StrCat("element ", k),
              ShapeOf(instruction_->operands[k]), StrCat("operand ", k));
    }
  }

  void CheckCalls() {
    size_t branch = 0;
    for (const ComputationCall& call : instruction_->calls) {
      if (call.role == CallRole::kBranch) ++branch;
      if (call.computation < 0) continue;
      CheckCall(call, module_.computations[static_cast<size_t>(call.computation)], branch);
    }
  }

  void CheckCall(const ComputationCall& call, const ModuleComputation& callee, size_t branch) {
    const std::string_view opcode = instruction_->opcode;
    const std::vector<ModuleOperand>& operands = instruction_->operands;
    if (opcode == "fusion" || opcode == "call" || opcode == "async-start") {
      const bool is_async = opcode == "async-start";
      for (size_t k = 0; k < operands.size(); ++k) {
        CompareParameter(callee, k, operands[k], opcode, is_async ? MissingTiles::kAgree : MissingTiles::kDiffer);
      }
      if (!is_async) CompareRoot(callee, opcode);
    } else if (opcode == "while" && operands.size() == 1) {
      const bool is_body = call.role == CallRole::kBody;
      CompareParameter(callee, 0, operands[0], is_body ? "the body" : "the condition");
      if (is_body) CompareRoot(callee, "the body");
    } else if (opcode == "conditional" && call.role == CallRole::kBranch && branch < operands.size()) {
      CompareParameter(callee, 0, operands[branch], "the branch");
      CompareRoot(callee, "the branch");
    }
  }

  void CheckElementwise() {
    const Shape* const result = instruction_->shape;
    if (!IsElementwise(instruction_->opcode) || facts_.Sizes(result) == nullptr) return;
    for (size_t k = 0; k < instruction_->operands.size(); ++k) {
      const Shape* const operand = ShapeOf(instruction_->operands[k]);
      if (facts_.Sizes(operand) == nullptr || operand->dimensions != result->dimensions) continue;
      if (OrderOfSizes(*operand) == OrderOfSizes(*result)) continue;
      Compare(result, StrCat("the result of an elementwise ", instruction_->opcode), operand, StrCat("operand ", k));
    }
  }

  void CheckInPlace() {
    const std::string_view opcode = instruction_->opcode;
    if (opcode != "dynamic-update-slice" && opcode != "scatter") return;
    if (instruction_->shape == nullptr || instruction_->operands.empty()) return;
    const bool is_tuple = instruction_->shape->IsTuple();
    const size_t arrays = is_tuple ? instruction_->shape->elements.size() : 1;
    for (size_t k = 0; k < std::min(arrays, instruction_->operands.size()); ++k) {
      Compare(is_tuple ? &instruction_->shape->elements[k] : instruction_->shape,
              StrCat("the result, which replaces operand ", k, ","), ShapeOf(instruction_->operands[k]), "the operand");
    }
  }

  void CheckHeaderAlias(const BufferAlias& alias) {
    const ModuleComputation& entry = *module_.Entry();
    if (alias.parameter >= static_cast<int64_t>(entry.parameters.size()) || entry.Root() == nullptr) return;
    const int64_t parameter = entry.parameters[static_cast<size_t>(alias.parameter)];
    if (parameter < 0) return;
    CheckAlias(alias, entry.Root()->shape, entry.instructions[static_cast<size_t>(parameter)].shape, "parameter");
  }

  // Compares the part of a result with the part of a parameter or operand, `source`, whose buffer it has.
  void CheckAlias(const BufferAlias& alias, const Shape* result, const Shape* source, std::string_view what) {
    const Shape* const output = PartAt(result, alias.output);
    const Shape* const input = PartAt(source, alias.index);
    const LayoutSizes* const before = facts_.Sizes(input);
    const LayoutSizes* const after = facts_.Sizes(output);
    if (before == nullptr || after == nullptr) return;
    // A buffer that may be used again has room for any array of its size; the same array is handed on in its layout.
    const bool is_same_array = input->dimensions == output->dimensions && input->element_type == output->element_type;
    if (!alias.must_alias && !is_same_array && before->bytes == after->bytes) return;
    Compare(output, StrCat("output {", StrJoin(alias.output, ","), "}"), input,
            StrCat(what, " ", alias.parameter, " {", StrJoin(alias.index, ","), "}, which has the same buffer,"));
  }

  // Compares the root of a computation with the result of the instruction.
  void CompareRoot(const ModuleComputation& callee, std::string_view what) {
    if (callee.Root() == nullptr) return;
    Compare(instruction_->shape, "the result", callee.Root()->shape, StrCat("the root of ", what, " ", callee.name));
  }

  void CompareParameter(const ModuleComputation& callee, size_t number, const ModuleOperand& operand,
                        std::string_view what, MissingTiles missing = MissingTiles::kDiffer) {
    if (number >= callee.parameters.size() || callee.parameters[number] < 0) return;
    Compare(ShapeOf(operand), "the operand", callee.instructions[static_cast<size_t>(callee.parameters[number])].shape,
            StrCat("parameter ", number, " of ", what, " ", callee.name), missing);
  }

  // Adds a finding unless both are known and agree. `here` and `there` describe them.
  void Compare(const Shape* a, std::string_view here, const Shape* b, std::string_view there,
               MissingTiles missing = MissingTiles::kDiffer) {
    if (a == nullptr || b == nullptr || LayoutsAgree(*a, *b, missing)) return;
    findings_.push_back(FindingAt(Severity::kError, module_, computation_, instruction_, a,
                                  StrCat(here, " is ", ToString(*a), ", and ", there, " is ", ToString(*b))));
  }

  const HloModule& module_;
  ModuleFacts& facts_;
  std::vector<RuleFinding>& findings_;
  const ModuleComputation* computation_ = nullptr;
  const ModuleInstruction* instruction_ = nullptr;
};

}  // namespace

void CheckLayoutMismatch(ModuleFacts& facts, std::vector<RuleFinding>& findings) {
  MismatchCheck check(facts, findings);
  check.CheckHeader();
  for (const ModuleComputation& computation : facts.module().computations) check.CheckComputation(computation);
}

void CheckIllegalLayout(ModuleFacts& facts, std::vector<RuleFinding>& findings) {
  const HloModule& module = facts.module();
  const auto judge = [&](const Shape* shape, std::string_view where, const ModuleComputation* computation = nullptr,
                         const ModuleInstruction* instruction = nullptr) {
    if (shape == nullptr || facts.Problem(shape).empty()) return;
    findings.push_back(FindingAt(Severity::kError, module, computation, instruction, shape,
                                 StrCat(where, " ", ToString(*shape), ": ", facts.Problem(shape))));
  };
  for (const Shape* shape : module.entry_parameters) judge(shape, "parameter");
  judge(module.entry_result, "result");
  for (const ModuleComputation& computation : module.computations) {
    for (const Shape* shape : computation.head_parameters) {
      judge(shape, "parameter", &computation);
    }
    judge(computation.head_result, "result", &computation);
    for (const ModuleInstruction& instruction : computation.instructions) {
      judge(instruction.shape, "result", &computation, &instruction);
      for (const ModuleOperand& operand : instruction.operands) {
        judge(operand.printed, "operand", &computation, &instruction);
      }
      for (const Shape* shape : instruction.attribute_shapes) {
        judge(shape, "operand_layout_constraints", &computation, &instruction);
      }
    }
  }
}

}  // namespace layoutcheck
