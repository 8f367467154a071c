// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TTIR, the dialect of MLIR to which Triton compiles a kernel first: operations on tensors of constant shapes, each of
// which a program computes as a whole. TTGIR, the next one, has the same syntax; its tensors and buffers have layouts.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/core/base/error.h"

namespace layoutcheck {

struct TtirOp;

// Texts of attributes by their names.
using TtirAttributes = std::map<std::string, std::string, std::less<>>;

// The type of a value: a number, a pointer, or a tensor of either.
struct TtirType {
  std::vector<int64_t> shape;  // none for a scalar
  std::string element;         // "f32"; for a pointer, the type it points to
  bool is_pointer = false;
  std::string encoding = {};  // the layout of a tensor as it is written, "#blocked"; empty in TTIR

  bool is_tensor() const { return !shape.empty(); }
  bool operator==(const TtirType&) const = default;
};

// Returns the type in MLIR's syntax.
std::string TypeText(const TtirType& type);

// A result of an operation, an argument of a block, or an argument of a function.
struct TtirValue {
  std::string name;  // without `%`
  TtirType type;
  const TtirOp* definition = nullptr;  // null for arguments
  size_t number = 0;                   // among the results of the operation
};

struct TtirBlock {
  std::string name;  // "bb1", empty for the first one
  std::vector<TtirValue*> arguments;
  std::vector<std::unique_ptr<TtirOp>> ops;
};

// A jump of `cf.br` or `cf.cond_br`.
struct TtirSuccessor {
  std::string block;
  std::vector<TtirValue*> arguments;
};

struct TtirOp {
  std::string name;  // "tt.load"
  std::vector<TtirValue*> operands;
  std::vector<TtirValue*> results;
  std::vector<TtirType> operand_types;
  TtirAttributes attributes;       // texts of the values, "1 : i32"
  std::vector<std::string> words;  // other words between the name and the types, such as "slt"
  std::vector<std::vector<TtirBlock>> regions;
  std::vector<TtirSuccessor> successors;
  std::string place;  // "kernel.py:7", or the line of the TTIR if that is not known
  size_t line = 0;    // line and column of its name in the text, from 1
  size_t column = 0;
};

struct TtirFunction {
  std::string name;
  size_t line = 0;  // from 1
  std::vector<TtirValue*> arguments;
  std::vector<TtirBlock> blocks;
  std::deque<TtirValue> values;  // the values of the function, which all pointers point into
};

struct TtirModule {
  std::deque<TtirFunction> functions;
  TtirAttributes aliases;     // by "#blocked", without locations; aliases in the texts are not replaced
  TtirAttributes attributes;  // "4 : i32" of "ttg.num-warps"
};

// Parses a module as Triton prints it, with or without locations. Attributes and words of operations are not
// interpreted. `file` names the text in places. Errors (syntax), with line and column: another text than operations of
// MLIR, a name that is not defined before its use, and regions more than 64 deep.
Expected<TtirModule> ParseTtir(std::string_view text, std::string_view file);

}  // namespace layoutcheck
