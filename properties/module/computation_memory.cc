// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/properties/module/computation_memory.h"
#include <algorithm>
#include <string_view>
#include "layoutcheck/properties/module/computation_buffers.h"

namespace layoutcheck {
namespace {

constexpr int64_t kUnknown = ModuleOperand::kUnknown;

bool IsNoUse(std::string_view opcode) {
  return opcode == "bitcast" || opcode == "tuple" || opcode == "get-tuple-element" || opcode == "opt-barrier" ||
         opcode == "domain" || opcode == "add-dependency";
}

bool WritesOperand0(std::string_view opcode) { return opcode == "dynamic-update-slice" || opcode == "scatter"; }

// Returns the number of the fusion's operand into which an element of its root writes, or kUnknown.
int64_t OperandWritten(const ModuleComputation& fused, int64_t instruction) {
  const auto at = [&](int64_t number) {
    return number < 0 ? nullptr : &fused.instructions[static_cast<size_t>(number)];
  };
  const auto skip_bitcasts = [&](int64_t number) {
    constexpr int kMostBitcasts = 8;
    for (int k = 0; k < kMostBitcasts; ++k) {
      if (at(number) == nullptr || at(number)->opcode != "bitcast" || at(number)->operands.empty()) break;
      number = at(number)->operands[0].instruction;
    }
    return at(number);
  };
  const ModuleInstruction* const writer = skip_bitcasts(instruction);
  if (writer == nullptr || !WritesOperand0(writer->opcode) || writer->operands.empty()) return kUnknown;
  const ModuleInstruction* const target = skip_bitcasts(writer->operands[0].instruction);
  return target != nullptr && target->opcode == "parameter" ? target->number : kUnknown;
}

// When the buffers of a computation are alive.
class Liveness {
 public:
  Liveness(const ModuleComputation& computation, ModuleFacts& facts, ShapeArrays& arrays,
           const ComputationMemories& callees)
      : computation_(computation), facts_(facts), callees_(callees), values_(computation, facts, arrays, callees) {}

  std::optional<ComputationMemory> Measure(const std::vector<ArrayCost>& constants) {
    UseAll();
    ComputationMemory memory;
    for (ModuleBuffer& buffer : buffers()) {
      const bool is_constant = buffer.array.instruction->opcode == "constant";
      if (is_constant) memory.constants.push_back(buffer.array);
      if (computation_.is_entry && buffer.fixed) buffer.first = 0, buffer.last = Last();
    }
    MergeInPlace();
    if (computation_.is_entry) {
      MergeAliases();
      for (const ArrayCost& constant : constants) buffers().push_back({.array = constant, .first = 0, .last = Last()});
    } else {
      memory.result = ResultParameters();
      LeaveOutCallersBuffers();
    }
    if (!Sum(memory)) return std::nullopt;
    const auto peak = static_cast<int64_t>(memory.peak);
    for (const ModuleBuffer& buffer : buffers()) {
      if (buffer.counted && buffer.same == kNoBuffer && buffer.first <= peak && peak <= buffer.last &&
          buffer.array.bytes > 0) {
        memory.peak_arrays.push_back(buffer.array);
      }
    }
    return memory;
  }

 private:
  int64_t Last() const { return static_cast<int64_t>(computation_.instructions.size()) - 1; }
  std::vector<ModuleBuffer>& buffers() { return values_.buffers(); }
  void UseAll() {
    std::vector<int64_t> last_uses(computation_.instructions.size(), kUnknown);
    const auto use_operands = [&](const ModuleInstruction& instruction, int64_t at) {
      for (const ModuleOperand& operand : instruction.operands) {
        if (operand.instruction >= 0) last_uses[static_cast<size_t>(operand.instruction)] = at;
      }
    };
    for (int64_t at = 0; at <= Last(); ++at) {
      const ModuleInstruction& instruction = computation_.instructions[static_cast<size_t>(at)];
      if (IsNoUse(instruction.opcode)) continue;
      use_operands(instruction, at);
      if (!instruction.opcode.ends_with("-done")) continue;
      // An asynchronous operation reads its operands to the end.
      for (const ModuleOperand& start : instruction.operands) {
        if (start.instruction >= 0) use_operands(computation_.instructions[static_cast<size_t>(start.instruction)], at);
      }
    }
    if (computation_.root >= 0) last_uses[static_cast<size_t>(computation_.root)] = Last();
    for (size_t k = 0; k < last_uses.size(); ++k) {
      for (const size_t buffer : values_.Names(static_cast<int64_t>(k)))
        buffers()[buffer].last = std::max(buffers()[buffer].last, last_uses[k]);
    }
  }

  size_t Find(size_t buffer) const {
    while (values_.buffers()[buffer].same != kNoBuffer) buffer = values_.buffers()[buffer].same;
    return buffer;
  }

  void Merge(size_t into, size_t buffer) {
    into = Find(into);
    buffer = Find(buffer);
    if (into == buffer) return;
    ModuleBuffer& kept = buffers()[into];
    ModuleBuffer& gone = buffers()[buffer];
    kept.first = std::min(kept.first, gone.first);
    kept.last = std::max(kept.last, gone.last);
    kept.counted = kept.counted && gone.counted;
    if (gone.array.bytes > kept.array.bytes) kept.array = gone.array;
    gone.same = into;
  }

  // Merges them if both are known.
  void MergeParts(size_t into, size_t buffer) {
    if (into != kNoBuffer && buffer != kNoBuffer) Merge(into, buffer);
  }
  void WriteInPlace(const ModuleInstruction& instruction, int64_t at, size_t array, int64_t operand) {
    if (operand < 0 || static_cast<size_t>(operand) >= instruction.operands.size()) return;
    const auto target = values_.Names(instruction.operands[static_cast<size_t>(operand)].instruction);
    const auto result = values_.Names(at);
    if (target.size() != 1 || array >= result.size()) return;
    const size_t written = Find(target[0]);
    const size_t writer = Find(result[array]);
    if (buffers()[written].fixed || buffers()[written].last > at || buffers()[writer].first != at) return;
    if (buffers()[written].array.bytes == buffers()[writer].array.bytes) Merge(written, writer);
  }

  void MergeInPlace() {
    for (int64_t at = 0; at <= Last(); ++at) {
      const ModuleInstruction& instruction = computation_.instructions[static_cast<size_t>(at)];
      for (const BufferAlias& alias : instruction.aliases) {
        if (alias.parameter < 0 || static_cast<size_t>(alias.parameter) >= instruction.operands.size()) continue;
        const int64_t operand = instruction.operands[static_cast<size_t>(alias.parameter)].instruction;
        MergeParts(values_.AtPath(operand, alias.index), values_.AtPath(at, alias.output));
      }
      if (WritesOperand0(instruction.opcode)) WriteInPlace(instruction, at, 0, 0);
      if (instruction.opcode != "fusion") continue;
      for (const ComputationCall& call : instruction.calls) {
        if (call.role != CallRole::kCalls || call.computation < 0) continue;
        const ModuleComputation& fused = facts_.module().computations[static_cast<size_t>(call.computation)];
        const ModuleInstruction* const root = fused.Root();
        if (root == nullptr) continue;
        if (root->opcode != "tuple") WriteInPlace(instruction, at, 0, OperandWritten(fused, fused.root));
        const size_t results = std::min(root->operands.size(), values_.ValueOf(at).count);
        for (size_t k = 0; root->opcode == "tuple" && k < results; ++k) {
          WriteInPlace(instruction, at, k, OperandWritten(fused, root->operands[k].instruction));
        }
      }
    }
  }

  void MergeAliases() {
    for (const BufferAlias& alias : facts_.module().aliases) {
      if (alias.parameter < 0 || static_cast<size_t>(alias.parameter) >= computation_.parameters.size()) continue;
      const size_t parameter =
          values_.AtPath(computation_.parameters[static_cast<size_t>(alias.parameter)], alias.index);
      const size_t result = values_.AtPath(computation_.root, alias.output);
      MergeParts(parameter, result);
    }
  }

  std::vector<ParameterArray> ResultParameters() const {
    if (computation_.root < 0) return {};
    std::unordered_map<size_t, ParameterArray> parameters;
    for (const int64_t parameter : computation_.parameters) {
      if (parameter < 0) continue;
      const auto names = values_.Names(parameter);
      for (size_t k = 0; k < names.size(); ++k) {
        parameters.emplace(Find(names[k]),
                           ParameterArray{computation_.instructions[static_cast<size_t>(parameter)].number, k});
      }
    }
    std::vector<ParameterArray> result;
    for (const size_t buffer : values_.Names(computation_.root)) {
      const auto known = parameters.find(Find(buffer));
      result.push_back(known == parameters.end() ? ParameterArray() : known->second);
    }
    return result;
  }

  // The caller counts parameters and results.
  void LeaveOutCallersBuffers() {
    const auto leave_out = [&](int64_t instruction) {
      if (instruction < 0) return;
      for (const size_t buffer : values_.Names(instruction)) buffers()[Find(buffer)].counted = false;
    };
    for (const int64_t parameter : computation_.parameters) leave_out(parameter);
    leave_out(computation_.root);
  }

  bool Sum(ComputationMemory& memory) const {
    // The changes of the live bytes before each instruction. No sum of a part of all buffers can leave int64.
    std::vector<LiveBytes> changes(computation_.instructions.size() + 1);
    int64_t total = 0;
    for (const ModuleBuffer& buffer : values_.buffers()) {
      if (!buffer.counted || buffer.same != kNoBuffer) continue;
      if (__builtin_add_overflow(total, buffer.array.bytes, &total)) return false;
      LiveBytes& born = changes[static_cast<size_t>(buffer.first)];
      LiveBytes& gone = changes[static_cast<size_t>(buffer.last) + 1];
      born.bytes += buffer.array.bytes;
      born.needed_bytes += buffer.array.needed_bytes;
      gone.bytes -= buffer.array.bytes;
      gone.needed_bytes -= buffer.array.needed_bytes;
    }
    changes.pop_back();
    LiveBytes alive;
    for (size_t at = 0; at < changes.size(); ++at) {
      alive.bytes += changes[at].bytes;
      alive.needed_bytes += changes[at].needed_bytes;
      const ModuleInstruction& instruction = computation_.instructions[at];
      LiveBytes most;
      int64_t callee = kUnknown;
      for (const ComputationCall& call : instruction.calls) {
        if (!RunsComputations(instruction.opcode) || call.computation < 0) continue;
        const auto& known = callees_[static_cast<size_t>(call.computation)];
        if (!known || known->PeakBytes().bytes <= most.bytes) continue;
        most = known->PeakBytes();
        callee = call.computation;
      }
      LiveBytes& point = memory.curve.emplace_back();
      if (__builtin_add_overflow(alive.bytes, most.bytes, &point.bytes)) return false;
      point.needed_bytes = alive.needed_bytes + most.needed_bytes;
      if (at == 0 || point.bytes > memory.curve[memory.peak].bytes) {
        memory.peak = at;
        memory.peak_callee = callee;
      }
    }
    return true;
  }

  const ModuleComputation& computation_;
  ModuleFacts& facts_;
  const ComputationMemories& callees_;
  ComputationBuffers values_;
};

}  // namespace

std::optional<ComputationMemory> MemoryOf(const ModuleComputation& computation, ModuleFacts& facts, ShapeArrays& arrays,
                                          const ComputationMemories& callees, const std::vector<ArrayCost>& constants) {
  return Liveness(computation, facts, arrays, callees).Measure(constants);
}

}  // namespace layoutcheck
