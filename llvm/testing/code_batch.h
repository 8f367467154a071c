// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of C in one file, compiled at several levels of optimization and called on the machine.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>
#include "layoutcheck/core/process/temporary_directory.h"
#include "layoutcheck/llvm/ir/interpreter.h"
#include "layoutcheck/llvm/testing/random_code.h"
#include "layoutcheck/solver/paths/function_run.h"

namespace layoutcheck {

// A call of a function of the file. The driver reads and writes the bytes of these two types.
struct CodePoint {
  static constexpr size_t kMostValues = 8;  // of the arguments of one function

  int64_t function = 0;
  int64_t values[kMostValues] = {};
};
struct CodeOutcome {
  int64_t is_undefined = 0;
  int64_t value = 0;
};

// Returns a point of the function near the borders of the integer types.
CodePoint DrawPoint(size_t function, std::mt19937& random);

// The directory has functions.c, O0.ll, O1.ll, O2.ll and the programs checked (-O0 with UBSan), O1 and O2. The
// machine's code of O1 and O2 is made of the .ll files. A step that fails is a failure of the test.
class CodeBatch {
 public:
  explicit CodeBatch(std::vector<RandomFunction> functions);

  const std::vector<RandomFunction>& functions() const { return functions_; }
  const RandomFunction& function(const CodePoint& point) const {
    return functions_[static_cast<size_t>(point.function)];
  }
  std::string Path(const std::string& name) const;
  std::string Text(const std::string& name) const;
  void Write(const std::string& name, const std::string& text) const;
  // Makes a program of this name that calls the functions, compiled with these options.
  void Link(const std::string& program, std::vector<std::string> options) const;
  // Returns the results of the program at the points.
  std::vector<CodeOutcome> Run(const std::string& program, const std::vector<CodePoint>& points) const;

 private:
  std::string Driver() const;

  TemporaryDirectory directory_;
  std::vector<RandomFunction> functions_;
};

// A file of random functions in the interpreter.
class InterpretedFile {
 public:
  explicit InterpretedFile(const std::string& path);

  bool is_valid() const { return module_.has_value(); }
  // Returns the function, whose arguments are its parameters and then the elements of its array.
  const BoundCode& CodeOf(const RandomFunction& function);
  FunctionResult Call(const RandomFunction& function, const CodePoint& point);

 private:
  std::optional<CodeModule> module_;
  std::map<std::string, BoundCode> codes_;
};

}  // namespace layoutcheck
