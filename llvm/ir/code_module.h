// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A module of LLVM IR, read from a file or compiled from source.
#pragma once

#include <memory>
#include <string>
#include <vector>
#include "layoutcheck/core/base/error.h"

namespace llvm {
class Function;
class LLVMContext;
class Module;
}  // namespace llvm

namespace layoutcheck {

// Kind of the metadata of an instruction without a line: its text.
inline constexpr const char* kPlaceMetadata = "layoutcheck.place";

struct CompileOptions {
  std::vector<std::string> flags;  // flags after those that the file's ending asks for
  // Compile for a GPU, not for this machine: .cu as CUDA for NVPTX, .hip and C++ as HIP for AMDGPU.
  bool for_device = false;
};

// A module with the context that owns its types.
class CodeModule {
 public:
  // Reads LLVM text or bitcode (.ll, .bc), or compiles C, C++, CUDA or HIP (.c, .cc, .cpp, .cxx, .cu, .hip) with clang
  // 19, unoptimized and with lines. Errors: a file that cannot be read, another ending, clang's own messages (invalid
  // argument); no clang (unavailable).
  static Expected<CodeModule> Read(const std::string& path, const CompileOptions& options);

  CodeModule(CodeModule&&) noexcept;
  CodeModule& operator=(CodeModule&&) noexcept;
  ~CodeModule();

  // Returns the function with a body of this name, as in the IR or as in the source. Errors (invalid argument): none,
  // or several (a template's instances), with the names that there are.
  Expected<const llvm::Function*> Find(const std::string& name) const;
  const llvm::Module& module() const { return *module_; }

 private:
  CodeModule(std::unique_ptr<llvm::LLVMContext> context, std::unique_ptr<llvm::Module> module);

  std::unique_ptr<llvm::LLVMContext> context_;
  std::unique_ptr<llvm::Module> module_;
};

}  // namespace layoutcheck
