// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a compiled function on the machine at one point, so that a refutation is shown by what the function does.
// A source is compiled by clang 19 without optimization and with traps where C or C++ leaves the behavior undefined
// (-fsanitize=undefined); LLVM text and bitcode is compiled as it is. The call happens in a child process.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/base/wide_integer.h"

namespace layoutcheck {

class TemporaryDirectory;

// An integer type of C with 1 (bool), 8, 16, 32 or 64 bits.
struct NativeType {
  int bits = 32;
  bool is_signed = true;
};

// A parameter of the function, as its caller sees it.
struct NativeParameter {
  enum class Kind {
    kInteger,  // one integer
    kStruct,   // a struct of integers, passed by value
    kArray,    // a pointer to integers, which the function may read and write. Accesses past their end are trapped
    kResult,   // a pointer to memory that the function writes and that holds nothing before; it has no values
  };
  Kind kind = Kind::kInteger;
  std::vector<NativeType> types = {{}};  // one type, or one per field of the struct or element of the array
  int64_t offset = 0;                    // in bytes, of the kResult parameter's type in its memory
};

// The function to call. Names of types are not needed: a struct of the same fields is passed in the same way.
struct NativeFunction {
  std::string file;  // a C, C++ or CUDA source by its extension, or LLVM's .ll or .bc
  std::string name;  // name in the source (`tiles::Offset`); in LLVM's files, the symbol
  std::vector<NativeParameter> parameters;
  // Type of the return value: none for void, one for an integer, several for a struct of integers.
  std::vector<NativeType> returns = {{}};
  std::vector<std::string> compiler_flags;
  // Compile a source without optimization and with traps for undefined behavior, whatever the flags say.
  bool has_traps = true;
  // Lines before the source, such as `#define __device__`. Not used for LLVM's files.
  std::string prelude;
  // More C code, which is compiled on its own. It may include headers and use the functions of native_run.cc's support.
  std::string support;
};

// The end of one call.
struct NativeResult {
  enum class End {
    kReturned,
    kUndefinedBehavior,  // a trap of -fsanitize=undefined
    kSignal,             // killed by a signal, such as SIGSEGV after an access past the end of an array
    kExited,             // the function ended the process
    kTimedOut,
  };
  End end = End::kReturned;
  int code = 0;                             // the signal or the exit code
  std::vector<Int128> returned;             // one per entry of NativeFunction::returns
  std::vector<std::vector<Int128>> arrays;  // contents of each kArray and kResult parameter after it

  // Returns a clause for a message: "returned 17", "ran into undefined behavior (trapped by UBSan)".
  std::string ToString() const;
};

// A program that calls one function, in a temporary directory that is removed with the object.
class NativeProgram {
 public:
  // Compiles the function with a caller. Error (kUnavailable): clang 19 is missing, or does not compile or link
  // the file; the message quotes its first error.
  static Expected<NativeProgram> Compile(const NativeFunction& function);

  // Calls the function in a child process. `values` has one entry per parameter, each with one value per type and none
  // for a kResult parameter. A value is taken modulo 2^bits. Error (kInvalidArgument): the numbers of values do not
  // fit; (kUnavailable): no process.
  Expected<NativeResult> Call(std::span<const std::vector<Int128>> values,
                              std::chrono::milliseconds limit = std::chrono::seconds(10)) const;

 private:
  NativeProgram(const NativeFunction& function, std::shared_ptr<const TemporaryDirectory> directory);

  NativeFunction function_;
  std::shared_ptr<const TemporaryDirectory> directory_;
};

}  // namespace layoutcheck
