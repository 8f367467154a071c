// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HLO modules as values: computations, their instructions in order, and what operands and attributes name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>
#include "layoutcheck/core/hlo/shape.h"

namespace layoutcheck {

// A place in a file. Lines and columns count from 1, columns in bytes.
struct TextPlace {
  int64_t line = 1;
  int64_t column = 1;

  bool operator==(const TextPlace&) const = default;
};

// One operand of an instruction.
struct ModuleOperand {
  static constexpr int64_t kUnknown = -1;

  // The number of the instruction in its computation that the operand names, or kUnknown.
  int64_t instruction = kUnknown;
  const Shape* printed = nullptr;  // the shape in front of the name; null if the text has none
  const Shape* defined = nullptr;  // the shape of the instruction that it names; null if unknown
};

enum class CallRole {
  kCalls,      // calls={...}, called_computations={...}: fusion, call, async, custom-call
  kApply,      // to_apply, select, scatter: applied to elements
  kBody,       // body of a while
  kCondition,  // condition of a while
  kBranch,     // branch of a conditional, one call per branch in order
};

// A computation that an attribute names.
struct ComputationCall {
  CallRole role = CallRole::kCalls;
  int64_t computation = ModuleOperand::kUnknown;  // number in its module, or kUnknown
  std::string_view name;
};

// `output: (parameter, index, kind)` of the attribute input_output_alias, or `output: (operand, index)` of
// output_to_operand_aliasing: a part of the result has the buffer of a part of a parameter or operand.
struct BufferAlias {
  std::vector<int64_t> output;  // index path in the result
  int64_t parameter = 0;        // number of the parameter or operand
  std::vector<int64_t> index;   // index path in it
  bool must_alias = false;
};

// One instruction. Its texts belong to the module.
struct ModuleInstruction {
  TextPlace place;        // place of the first character
  std::string_view text;  // from its name (or ROOT) to the end of its attributes
  std::string_view name;  // without `%`
  std::string_view opcode;
  const Shape* shape = nullptr;  // null if the text leaves it to be inferred
  bool is_root = false;
  int64_t number =
      ModuleOperand::kUnknown;  // parameter number, or index of a get-tuple-element; kUnknown for other opcodes
  std::vector<ModuleOperand> operands;
  std::vector<ComputationCall> calls;
  std::vector<int64_t> dimensions;             // the attribute `dimensions={...}`, as of a transpose
  std::vector<const Shape*> attribute_shapes;  // shapes of the attribute operand_layout_constraints
  std::vector<BufferAlias> aliases;            // entries of the attribute output_to_operand_aliasing
  std::string_view sharding;                   // the attribute sharding={...}; empty if there is none
  TextPlace sharding_place;                    // of its opening brace
  std::string_view source_file;  // source_file of `metadata`, or that of its stack frame; empty if unknown
  int64_t source_line = 0;       // 0 if unknown
};

struct ModuleComputation {
  TextPlace place;
  std::string_view name;
  bool is_entry = false;
  bool is_closed = false;                     // its `}` has been read, or its head is missing or unreadable
  bool has_lost_lines = false;                // a line of it could not be read
  std::vector<const Shape*> head_parameters;  // the shapes of the head; empty if it has none
  const Shape* head_result = nullptr;         // null if the head has none
  std::vector<ModuleInstruction> instructions;
  // The instruction marked ROOT, or else the last one. kUnknown if none is marked and a part of the computation is
  // missing, in which the root may be.
  int64_t root = ModuleOperand::kUnknown;
  std::vector<int64_t> parameters;  // the instruction of each parameter number; kUnknown where none is

  const ModuleInstruction* Root() const { return root < 0 ? nullptr : &instructions[static_cast<size_t>(root)]; }
};

// A place that could not be read, or that names what the text does not define. The rest of the module was read.
struct ReadProblem {
  TextPlace place;
  std::string message;
};

// Values without duplicates: equal values have one address, which stays.
template <class T>
class Pool {
 public:
  const T* Add(T value) { return &*values_.insert(std::move(value)).first; }
  const std::unordered_set<T>& values() const { return values_; }

 private:
  std::unordered_set<T> values_;
};

// One module. Its parts refer to its text, shapes and names, so it can be moved but not copied.
struct HloModule {
  std::unique_ptr<const std::string> text;
  std::unique_ptr<Pool<Shape>> shapes = std::make_unique<Pool<Shape>>();
  std::unique_ptr<Pool<std::string>> names = std::make_unique<Pool<std::string>>();

  TextPlace place;
  std::string_view name;
  bool is_scheduled = false;
  int64_t num_partitions = 0;  // devices among which the program is partitioned; 0 if the header does not say
  bool is_log = false;         // read from a log: only places, names and shapes of arrays are known
  // The attribute entry_computation_layout; empty and null if there is none.
  std::vector<const Shape*> entry_parameters;
  const Shape* entry_result = nullptr;
  std::vector<BufferAlias> aliases;
  std::vector<ModuleComputation> computations;  // in the order of the text
  // The first computation marked ENTRY, or else the last one. kUnknown if none is marked and the text lacks a part.
  int64_t entry = ModuleOperand::kUnknown;
  std::vector<ReadProblem> problems;  // in the order of the text

  const ModuleComputation* Entry() const { return entry < 0 ? nullptr : &computations[static_cast<size_t>(entry)]; }
};

// Returns the part of a shape at an index path through tuples, or null if there is none.
const Shape* PartAt(const Shape* shape, const std::vector<int64_t>& path);

// Finds the entry of a module whose lines have been read, and the computations that its instructions call. Adds a
// problem for each second entry, second computation of a name, second root or parameter of a computation, and index of
// a get-tuple-element that its operand does not have. If no line is lost, a missing `}` is a problem, too; if there
// also is a header, so are a text without computations and a call of a computation that the text lacks. If then none is
// marked ENTRY, the last computation is the entry, unless the header describes the entry as XLA's dumps do, which mark
// it: that is a problem, too. What is not unique, or may stand in a part that is missing, stays unknown.
void CompleteModule(HloModule& module, bool has_lost_lines);

}  // namespace layoutcheck
