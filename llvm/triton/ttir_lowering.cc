// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/triton/ttir_lowering.h"
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MemoryBuffer.h>
#include <memory>
#include <utility>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/llvm/triton/function_lowering.h"
#include "layoutcheck/llvm/triton/tensor_descriptors.h"
#include "layoutcheck/llvm/ttir/ttir.h"

namespace layoutcheck {

Expected<CodeModule> ReadTtir(const std::string& path) {
  const auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!buffer) {
    return MakeError(ErrorKind::kInvalidArgument, StrCat(path, ": cannot be read: ", buffer.getError().message()));
  }
  return LowerTtir((*buffer)->getBuffer(), path);
}

Expected<CodeModule> LowerTtir(std::string_view text, const std::string& path) {
  const std::string file = path.substr(path.rfind('/') == std::string::npos ? 0 : path.rfind('/') + 1);
  auto parsed = ParseTtir(text, file);
  if (!parsed) return MakeError(parsed.error().kind, StrCat(path, ": ", parsed.error().message));
  auto context = std::make_unique<llvm::LLVMContext>();
  auto module = std::make_unique<llvm::Module>(path, *context);
  module->setTargetTriple("nvptx64-nvidia-cuda");
  module->setDataLayout("e-i64:64-i128:128-v16:16-v32:32-n16:32:64");
  std::vector<LeftOutFunction> left_out;
  for (TtirFunction& function : parsed->functions) {
    ExpandDescriptors(function);
    if (auto lowered = FunctionLowering::Lower(function, *module); !lowered) {
      left_out.push_back({.name = function.name, .message = lowered.error().message, .what = "is not followed"});
    }
  }
  return CodeModule::FromModule(std::move(context), std::move(module), std::move(left_out));
}

}  // namespace layoutcheck
