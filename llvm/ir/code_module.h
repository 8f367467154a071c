// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A module of LLVM IR, read from a file or compiled from source.
#pragma once

#include <memory>
#include <string>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/llvm/source/compile_source.h"

namespace llvm {
class Function;
class LLVMContext;
class Module;
}  // namespace llvm

namespace layoutcheck {

// Kind of the metadata of an instruction without a line: its text in quotation marks, or the place in another source.
inline constexpr const char* kPlaceMetadata = "layoutcheck.place";
// Attribute of a function whose body was left out of the source, because it does not compile.
inline constexpr const char* kLeftOutAttribute = "layoutcheck-left-out";

// Attributes of a function whose threads per block its source says, as of a Triton kernel: the numbers, "64,32,1", and
// names for the numbers of blocks in the directions of which it reads a number, "programs_x,programs_y".
inline constexpr const char* kBlockAttribute = "layoutcheck-block";
inline constexpr const char* kGridAttribute = "layoutcheck-grid";

// A module with the context that owns its types.
class CodeModule {
 public:
  // Reads LLVM text or bitcode (.ll, .bc), or compiles a source, as CompileSource() does. Errors: a file that cannot be
  // read or that LLVM 19 does not accept (invalid argument), and those of CompileSource().
  static Expected<CodeModule> Read(const std::string& path, const CompileOptions& options);

  // Takes a module that was built. `left_out` are functions that it could not be built of.
  static Expected<CodeModule> FromModule(std::unique_ptr<llvm::LLVMContext> context,
                                         std::unique_ptr<llvm::Module> module, std::vector<LeftOutFunction> left_out);

  CodeModule(CodeModule&&) noexcept;
  CodeModule& operator=(CodeModule&&) noexcept;
  ~CodeModule();

  // Returns the function with a body of this name, as in the IR or as in the source: of an instance of a template,
  // "transpose<float, 32>", or "transpose" if there is one. Errors (invalid argument): none,
  // one that was left out of the source, or several (a template's instances), with the names that there are.
  Expected<const llvm::Function*> Find(const std::string& name) const;
  const llvm::Module& module() const { return *module_; }
  // Returns the source as it was compiled, without the functions that do not compile; empty if LLVM text was read.
  const std::string& source() const { return source_; }

 private:
  CodeModule(std::unique_ptr<llvm::LLVMContext> context, std::unique_ptr<llvm::Module> module);

  std::unique_ptr<llvm::LLVMContext> context_;
  std::unique_ptr<llvm::Module> module_;
  std::string source_;
  std::vector<LeftOutFunction> left_out_;
};

}  // namespace layoutcheck
