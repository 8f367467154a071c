// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/ir/code_module.h"
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Metadata.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/ModuleSlotTracker.h>
#include <llvm/IR/Verifier.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>
#include <algorithm>
#include <filesystem>
#include <set>
#include <string_view>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/llvm/ir/instructions.h"

namespace layoutcheck {
namespace {

// Gives each instruction without a line its text, which messages name in place of the line. Once per module, because a
// print numbers all values of the function.
void NamePlaces(llvm::Module& module) {
  constexpr size_t kMostCharacters = 200;
  llvm::ModuleSlotTracker numbers(&module);
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    numbers.incorporateFunction(function);
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      if (instruction.getDebugLoc() || instruction.getMetadata(kPlaceMetadata) != nullptr) continue;
      std::string text;
      llvm::raw_string_ostream stream(text);
      instruction.print(stream, numbers);
      text = text.substr(0, std::min(text.find(", !"), text.find('\n')));
      text = StrCat("'", text.substr(text.find_first_not_of(' '), kMostCharacters), "'");
      llvm::LLVMContext& context = module.getContext();
      instruction.setMetadata(kPlaceMetadata, llvm::MDNode::get(context, llvm::MDString::get(context, text)));
    }
  }
}

// Has calls of functions that were left out of the source end the run: nobody knows what they do.
void MarkLeftOut(llvm::Module& module, const std::vector<LeftOutFunction>& left_out) {
  for (llvm::Function& function : module) {
    if (!function.isDeclaration() || function.isIntrinsic()) continue;
    const bool is_left_out =
        std::ranges::find(left_out, SourceName(function), &LeftOutFunction::name) != left_out.end();
    if (is_left_out) function.addFnAttr(kLeftOutAttribute);
  }
}

// Returns the name as two spellings of it have in common: without blanks, and with the types that names of the toolkits
// stand for.
std::string CommonName(std::string name) {
  std::erase(name, ' ');
  for (const auto& [alias, type] : {std::pair("__half", "_Float16"), std::pair("__nv_bfloat16", "__bf16"),
                                    std::pair("half", "_Float16"), std::pair("unsignedint", "unsigned")}) {
    const std::string_view word(alias);
    for (size_t at = name.find(word); at != std::string::npos; at = name.find(word, at))
      name.replace(at, word.size(), type);
  }
  // 256u and 256 are one argument of a template.
  for (size_t at = name.find('<'); at != std::string::npos && at < name.size(); ++at) {
    const auto is_digit = [&](size_t k) { return name[k] >= '0' && name[k] <= '9'; };
    if (!is_digit(at) || (name[at - 1] != '<' && name[at - 1] != ',' && name[at - 1] != '-')) continue;
    while (at < name.size() && is_digit(at)) ++at;
    while (at < name.size() && std::string_view("uUlL").contains(name[at])) name.erase(at, 1);
  }
  return name;
}

}  // namespace

CodeModule::CodeModule(std::unique_ptr<llvm::LLVMContext> context, std::unique_ptr<llvm::Module> module)
    : context_(std::move(context)), module_(std::move(module)) {}
CodeModule::CodeModule(CodeModule&&) noexcept = default;
CodeModule& CodeModule::operator=(CodeModule&& other) noexcept {
  module_ = std::move(other.module_);  // before the context that owns its types
  context_ = std::move(other.context_);
  source_ = std::move(other.source_);
  left_out_ = std::move(other.left_out_);
  return *this;
}
CodeModule::~CodeModule() = default;

Expected<CodeModule> CodeModule::Read(const std::string& path, const CompileOptions& options) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) {
    return MakeError(ErrorKind::kInvalidArgument, StrCat(path, ": cannot be read: expected a file"));
  }
  auto context = std::make_unique<llvm::LLVMContext>();
  llvm::SMDiagnostic problem;
  std::unique_ptr<llvm::Module> module;
  std::string source;
  std::vector<LeftOutFunction> left_out;
  const std::string ending = std::filesystem::path(path).extension();
  if (ending == ".ll" || ending == ".bc") {
    module = llvm::parseIRFile(path, problem, *context);
  } else {
    LAYOUTCHECK_TRY(auto compiled, CompileSource(path, options));
    module = llvm::parseIR(llvm::MemoryBufferRef(compiled.ir, path), problem, *context);
    source = std::move(compiled.source);
    left_out = std::move(compiled.left_out);
  }
  if (module == nullptr) {
    std::string message;
    llvm::raw_string_ostream stream(message);
    problem.print(nullptr, stream, /*ShowColors=*/false);
    return MakeError(ErrorKind::kInvalidArgument, StrCat(path, ": LLVM 19 cannot read it: ", message));
  }
  if (module->getDataLayout().isBigEndian()) {
    return MakeError(ErrorKind::kInvalidArgument, StrCat(path, ": its target '", module->getTargetTriple(),
                                                         "' is big-endian; expected code for a little-endian machine"));
  }
  LAYOUTCHECK_TRY(CodeModule result, FromModule(std::move(context), std::move(module), std::move(left_out)));
  result.source_ = std::move(source);
  return result;
}

Expected<CodeModule> CodeModule::FromModule(std::unique_ptr<llvm::LLVMContext> context,
                                            std::unique_ptr<llvm::Module> module,
                                            std::vector<LeftOutFunction> left_out) {
  CodeModule result(std::move(context), std::move(module));  // also on an error, the module ends before its context
  llvm::Module& code = *result.module_;
  std::string broken;
  llvm::raw_string_ostream stream(broken);
  bool has_broken_lines = false;
  if (llvm::verifyModule(code, &stream, &has_broken_lines)) {
    return MakeError(ErrorKind::kInvalidArgument, StrCat(code.getName().str(), ": LLVM 19 finds it broken: ", broken));
  }
  if (has_broken_lines) llvm::StripDebugInfo(code);
  NamePlaces(code);
  MarkLeftOut(code, left_out);
  result.left_out_ = std::move(left_out);
  return result;
}

Expected<const llvm::Function*> CodeModule::Find(const std::string& name) const {
  std::vector<const llvm::Function*> found;
  const std::string common_name = CommonName(name);
  std::vector<const llvm::Function*> instances;
  std::set<std::string> known;
  for (const llvm::Function& function : *module_) {
    if (function.isDeclaration()) continue;
    if (function.getName() == name) return &function;
    const std::string source_name = CommonName(SourceName(function));
    if (source_name == common_name) found.push_back(&function);
    if (source_name.substr(0, source_name.find('<')) == common_name) instances.push_back(&function);
    const llvm::DISubprogram* const program = function.getSubprogram();
    const bool is_of_prelude = program != nullptr && program->getFilename() == "prelude.h";
    if (!is_of_prelude) known.insert(SourceName(function));
  }
  if (found.empty()) found = std::move(instances);
  if (found.size() == 1) return found[0];
  const auto left_out = std::ranges::find(left_out_, name, &LeftOutFunction::name);
  if (found.empty() && left_out != left_out_.end()) {
    return MakeError(ErrorKind::kInvalidArgument, StrCat(name, " ", left_out->what, ": ", left_out->message));
  }
  if (found.empty()) {
    return MakeError(
        ErrorKind::kInvalidArgument,
        StrCat("no function '", name, "' with a body; there are: ", known.empty() ? "none" : StrJoin(known, ", ")));
  }
  std::string names;
  for (const llvm::Function* function : found) StrAppend(names, names.empty() ? "" : ", ", function->getName().str());
  return MakeError(ErrorKind::kInvalidArgument, StrCat("several functions '", name, "': expected one of ", names));
}

}  // namespace layoutcheck
