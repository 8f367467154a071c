// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The arguments with which a compiled function is asked: `i0,N,[A,B],{M,1},_`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/base/wide_integer.h"
#include "layoutcheck/llvm/code_proof/native_run.h"
#include "layoutcheck/llvm/ir/interpreter.h"

namespace layoutcheck {

struct CodeArgument {
  enum class Kind : uint8_t {
    kValue,   // a name or a number
    kArray,   // [A,B]: a pointer to integers
    kStruct,  // {M,1}: a struct of integers, by value or by reference
    kUnused,  // _: any value, which must not matter
    kResult,  // the name in --result: a pointer to memory that the function writes
    kTensor,  // the name of an array of a kernel
  };
  Kind kind = Kind::kValue;
  std::vector<std::string> values;  // names and numbers; `_1` for an unused argument
};

// Parses the list of --args. `result` is the name of the memory that the function writes, if any. No argument becomes
// kTensor. Errors (syntax), with a column: brackets that do not match, an argument that is neither a name nor a number.
Expected<std::vector<CodeArgument>> ParseCodeArguments(std::string_view text, std::string_view result);

// The values that a name can have by the type of a parameter.
struct ArgumentLimit {
  std::string name;
  Int128 least = 0;
  Int128 largest = 0;
  bool is_sign_known = true;  // false if the range is that of the signed type, and may be that of the unsigned one
};

// A function with its arguments. `code` numbers the values of all arguments from left to right.
struct CodeCall {
  BoundCode code;
  std::vector<std::string> values;
  std::vector<ArgumentLimit> limits;  // one limit per name at each of its places, `_1` included
  NativeType result;
  bool is_sign_known = true;  // false if the result may be read as signed or unsigned
  // The parameters as the source has them, to call the function on the machine, and the number of each one's values in
  // `values`; none for the memory of the result. Empty if it cannot be called: it takes something of another type.
  std::vector<NativeParameter> parameters;
  std::vector<std::vector<size_t>> parameter_values;
};

// Binds the arguments to the parameters of the function; sizes of elements and fields are those of the debug
// information, or of the code's accesses where there is none. `element` is the number of the result in the memory that
// is written. Errors (invalid argument): another number of arguments, an argument that does not fit its parameter, no
// result.
Expected<CodeCall> BindCode(const llvm::Function& function, const std::vector<CodeArgument>& arguments,
                            std::optional<int64_t> element);

}  // namespace layoutcheck
