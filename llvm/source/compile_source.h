// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sources of C, C++, CUDA and HIP, compiled to LLVM text by clang 19.
#pragma once

#include <string>
#include <vector>
#include "layoutcheck/core/base/error.h"

namespace layoutcheck {

struct CompileOptions {
  std::vector<std::string> flags;  // flags after those that the file's ending asks for
  // Compile for a GPU, not for this machine: .cu as CUDA for NVPTX, .hip and C++ as HIP for AMDGPU.
  bool for_device = false;
  std::string instance;  // an instance of a template to compile, such as "transpose<float, 32>"; empty for none
};

// A function that is left out of a module, because it does not compile or is not followed.
struct LeftOutFunction {
  std::string name;
  std::string message;  // clang's first message about it, "tile.cu:7:3: error: ...", or what is not followed
  std::string what = "does not compile";  // or "is not followed"
};

struct CompiledSource {
  std::string ir;      // LLVM text
  std::string source;  // the text that was compiled, with the lines of the file
  std::vector<LeftOutFunction> left_out;
};

// Compiles C, C++, CUDA or HIP (.c, .cc, .cpp, .cxx, .cu, .hip), unoptimized and with lines. For a GPU, a function that
// does not compile is left out: it is declared only, and where its declaration does not compile either, it is removed
// with the bodies of all functions that name it: they might call another overload. Headers of the GPU's toolkit are
// empty. Errors: another ending; clang's message about a source for this machine, about a place in no function, or
// about the declaration of an operator, of a constructor, or of a function that a macro names (invalid argument); no
// clang (unavailable).
Expected<CompiledSource> CompileSource(const std::string& path, const CompileOptions& options);

// Returns the files that a compilation of the source reads: the source itself and all that it includes, the toolchain's
// headers among them. Errors: those of CompileSource about the file's ending and about clang; a header that is not
// found (invalid argument).
Expected<std::vector<std::string>> FindCompiledFiles(const std::string& path, const CompileOptions& options);

// Returns the text in which the compiler names its version, or nothing if it cannot be run.
std::string CompilerVersion();

}  // namespace layoutcheck
