// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/properties/module/computation_buffers.h"
#include <algorithm>
#include "layoutcheck/core/tiling/sizes.h"

namespace layoutcheck {
namespace {

bool NamesWholeOperand(std::string_view opcode) {
  return opcode == "bitcast" || opcode == "while" || opcode == "opt-barrier" || opcode == "domain" ||
         opcode == "add-dependency" || opcode == "async-update" || opcode == "all-reduce-done";
}

}  // namespace

ComputationBuffers::ComputationBuffers(const ModuleComputation& computation, ModuleFacts& facts, ShapeArrays& arrays,
                                       const ComputationMemories& callees)
    : computation_(computation), facts_(facts), arrays_(arrays), callees_(callees) {
  values_.reserve(computation.instructions.size());
  for (const ModuleInstruction& instruction : computation.instructions) values_.push_back(MakeValue(instruction));
}

ComputationBuffers::Value ComputationBuffers::Element(const ModuleOperand& operand, int64_t index) const {
  const Value value = ValueOf(operand.instruction);
  if (operand.defined == nullptr || !operand.defined->IsTuple() || index < 0) return {};
  const std::vector<size_t>& offsets = arrays_.Offsets(*operand.defined);
  const auto element = static_cast<size_t>(index);
  if (element + 1 >= offsets.size()) return {};
  return {value.begin + offsets[element], offsets[element + 1] - offsets[element]};
}

size_t ComputationBuffers::NewBuffer(const ModuleInstruction& instruction, const Shape& shape) {
  const auto position = static_cast<int64_t>(&instruction - computation_.instructions.data());
  const Shape& array = shape.IsBuffer() && !shape.elements.empty() ? shape.elements[0] : shape;
  ModuleBuffer buffer{.array = {&computation_, &instruction, &shape, 0, 0}, .first = position, .last = position};
  if (const LayoutSizes* const sizes = facts_.Sizes(&array)) {
    if (array.layout->memory_space == 0) {
      buffer.array.bytes = sizes->bytes;
      buffer.array.needed_bytes = facts_.NeededBytes(&array);
    }
  } else if (array.IsArray() && array.dimensions.empty()) {
    // A scalar is printed without a layout.
    buffer.array.bytes = buffer.array.needed_bytes = PackedBytes(1, ElementSizeInBits(array)).value_or(0);
  }
  buffer.fixed = instruction.opcode == "constant" || (computation_.is_entry && instruction.opcode == "parameter");
  if (instruction.opcode == "constant") buffer.counted = computation_.is_entry;
  buffers_.push_back(buffer);
  return buffers_.size() - 1;
}

void ComputationBuffers::AppendArrays(const ModuleInstruction& instruction, const Shape& shape,
                                      std::span<const size_t> named, size_t& next) {
  if (shape.IsTuple()) {
    for (const Shape& element : shape.elements) AppendArrays(instruction, element, named, next);
    return;
  }
  const size_t known = next < named.size() ? named[next] : kNoBuffer;
  ++next;
  named_.push_back(known != kNoBuffer ? known : NewBuffer(instruction, shape));
}

ComputationBuffers::Value ComputationBuffers::NewValue(const ModuleInstruction& instruction,
                                                       std::span<const size_t> named) {
  if (instruction.shape == nullptr) return {};
  const size_t begin = named_.size();
  // `named` may be a part of named_, which grows.
  const auto kept = named.first(std::min(named.size(), arrays_.Count(*instruction.shape)));
  const std::vector<size_t> known(kept.begin(), kept.end());
  size_t next = 0;
  AppendArrays(instruction, *instruction.shape, known, next);
  return {begin, named_.size() - begin};
}

void ComputationBuffers::AppendOperands(const ModuleInstruction& instruction, size_t most,
                                        std::vector<size_t>& named) const {
  for (const ModuleOperand& operand : instruction.operands) {
    const auto names = Names(operand.instruction);
    const auto taken = names.first(std::min(names.size(), most - std::min(named.size(), most)));
    named.insert(named.end(), taken.begin(), taken.end());
  }
}

// The result of most starts is (operands, results, ...), of copy-start (result, operand, ...), and of all-reduce-start
// only the results.
ComputationBuffers::Value ComputationBuffers::Start(const ModuleInstruction& instruction) {
  const Shape& shape = *instruction.shape;
  if (!shape.IsTuple() || shape.elements.size() < 2 || instruction.opcode == "all-reduce-start") {
    return NewValue(instruction, {});
  }
  const std::vector<size_t>& offsets = arrays_.Offsets(shape);
  const size_t element = instruction.opcode == "copy-start" ? 1 : 0;
  std::vector<size_t> named(offsets[element], kNoBuffer);
  AppendOperands(instruction, offsets[element + 1], named);
  return NewValue(instruction, named);
}

ComputationBuffers::Value ComputationBuffers::Call(const ModuleInstruction& instruction) {
  std::vector<size_t> named;
  const size_t count = arrays_.Count(*instruction.shape);
  for (const ComputationCall& call : instruction.calls) {
    if (call.computation < 0 || !callees_[static_cast<size_t>(call.computation)]) continue;
    for (const ParameterArray& part : callees_[static_cast<size_t>(call.computation)]->result) {
      if (named.size() == count) break;
      named.push_back(kNoBuffer);
      if (part.parameter < 0 || static_cast<size_t>(part.parameter) >= instruction.operands.size()) continue;
      const auto names = Names(instruction.operands[static_cast<size_t>(part.parameter)].instruction);
      if (part.array < names.size()) named.back() = names[part.array];
    }
    break;
  }
  return NewValue(instruction, named);
}

ComputationBuffers::Value ComputationBuffers::MakeValue(const ModuleInstruction& instruction) {
  const std::string_view opcode = instruction.opcode;
  if (instruction.shape == nullptr) return {};
  if (opcode == "tuple") {
    std::vector<size_t> named;
    AppendOperands(instruction, arrays_.Count(*instruction.shape), named);
    return NewValue(instruction, named);
  }
  if (opcode == "call") return Call(instruction);
  if (opcode.ends_with("-start") || opcode == "send") return Start(instruction);
  if (instruction.operands.empty()) return NewValue(instruction, {});
  const ModuleOperand& operand = instruction.operands[0];
  if (opcode == "get-tuple-element") return NewValue(instruction, Names(Element(operand, instruction.number)));
  if (NamesWholeOperand(opcode)) return NewValue(instruction, Names(operand.instruction));
  if (opcode == "copy-done" || opcode == "recv-done") return NewValue(instruction, Names(Element(operand, 0)));
  if (opcode.ends_with("-done")) return NewValue(instruction, Names(Element(operand, 1)));
  return NewValue(instruction, {});
}

size_t ComputationBuffers::AtPath(int64_t instruction, const std::vector<int64_t>& path) const {
  if (instruction < 0) return kNoBuffer;
  const Shape* shape = computation_.instructions[static_cast<size_t>(instruction)].shape;
  Value value = ValueOf(instruction);
  for (const int64_t index : path) {
    if (shape == nullptr || index < 0 || static_cast<size_t>(index) >= shape->elements.size()) return kNoBuffer;
    value.begin += arrays_.Offsets(*shape)[static_cast<size_t>(index)];
    shape = &shape->elements[static_cast<size_t>(index)];
  }
  return shape == nullptr || shape->IsTuple() || value.count == 0 ? kNoBuffer : named_[value.begin];
}

const std::vector<size_t>& ShapeArrays::Offsets(const Shape& shape) {
  if (const auto known = offsets_.find(&shape); known != offsets_.end()) return known->second;
  std::vector<size_t> offsets = {0};
  if (!shape.IsTuple()) offsets.push_back(1);
  for (const Shape& element : shape.elements) {
    if (shape.IsTuple()) offsets.push_back(offsets.back() + Count(element));
  }
  return offsets_.emplace(&shape, std::move(offsets)).first->second;
}

}  // namespace layoutcheck
