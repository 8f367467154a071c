// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/ir/code_module.h"
#include <llvm/Demangle/Demangle.h>
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
#include <fstream>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/process/child_process.h"
#include "layoutcheck/core/process/temporary_directory.h"
#include "layoutcheck/llvm/ir/gpu_prelude.h"

namespace layoutcheck {
namespace {

constexpr const char* kCompiler = "clang-19";

bool IsCpp(std::string_view ending) { return ending == ".cc" || ending == ".cpp" || ending == ".cxx"; }

// Returns the GPU for which a kernel's source is compiled.
GpuTarget TargetOf(const std::string& path) { return path.ends_with(".cu") ? GpuTarget::kNvidia : GpuTarget::kAmd; }

// Returns the command that compiles the file to LLVM text on standard output, or nothing for another kind of file.
std::vector<std::string> CompileCommand(const std::string& path, const CompileOptions& options) {
  const std::string ending = std::filesystem::path(path).extension();
  const bool is_gpu = ending == ".cu" || ending == ".hip";
  if (!is_gpu && !IsCpp(ending) && (ending != ".c" || options.for_device)) return {};
  // Without optimization no undefined behavior is used up, and functions that nothing calls are kept. The ends of
  // variables in blocks are marked as for AddressSanitizer.
  std::vector<std::string> command{kCompiler,
                                   "-S",
                                   "-emit-llvm",
                                   "-g",
                                   "-O0",
                                   "-Xclang",
                                   "-disable-O0-optnone",
                                   "-Xclang",
                                   "-fsanitize-address-use-after-scope",
                                   "-femit-all-decls",
                                   "-fno-discard-value-names",
                                   "-fdebug-compilation-dir=/",  // names files as the user does
                                   "-o",
                                   "-"};
  if (options.for_device && TargetOf(path) == GpuTarget::kNvidia) {
    command.insert(command.end(), {"-x", "cuda", "--cuda-device-only", "--cuda-gpu-arch=sm_80", "-nocudainc",
                                   "-nocudalib", "-fdeclspec"});
  } else if (options.for_device) {
    command.insert(command.end(), {"-x", "hip", "--offload-device-only", "--offload-arch=gfx90a", "-nogpuinc",
                                   "-nogpulib", "-fdeclspec"});
  } else if (is_gpu) {
    command.insert(command.end(), {"-x", "c++"});
  }
  if (options.for_device) command.emplace_back("-w");  // among others a warning of the version of CUDA
  // Undefined behavior that is gone when there is code: an index outside of a row of a table, a bool that is neither
  // true nor false.
  if (!options.for_device) {
    command.insert(command.end(), {"-fsanitize=array-bounds,bool", "-fsanitize-trap=array-bounds,bool"});
  }
  command.insert(command.end(), options.flags.begin(), options.flags.end());
  command.push_back(path);
  return command;
}

Expected<std::string> Compile(std::vector<std::string> command, const std::string& path, bool for_device) {
  std::optional<TemporaryDirectory> directory;
  if (for_device) {
    directory.emplace();
    const std::string prelude = directory->path() + "/prelude.h";
    std::ofstream(prelude) << GpuPrelude(TargetOf(path));
    if (!WriteGpuHeaders(directory->path())) {
      return MakeError(ErrorKind::kUnavailable, "no temporary files could be written");
    }
    command.insert(command.end() - 1, {"-isystem", directory->path(), "-include", prelude});
  }
  const auto run = RunProgram(command, "", ErrorStream::kPipe);
  if (!run) {
    return MakeError(ErrorKind::kUnavailable, StrCat(path, ": ", kCompiler, " cannot be run: ", run.error().message));
  }
  if (run->exit_code == 127) {
    return MakeError(ErrorKind::kUnavailable, StrCat(path, ": ", kCompiler, " is not installed; it compiles the code"));
  }
  if (run->exit_code != 0) {
    const size_t error = run->err.find("error: ");
    const size_t begin = error == std::string::npos ? 0 : run->err.rfind('\n', error) + 1;
    const std::string line = run->err.substr(begin, run->err.find('\n', begin) - begin);
    return MakeError(ErrorKind::kInvalidArgument, StrCat(path, ": ", kCompiler, " does not compile it: ", line));
  }
  return run->out;
}

// Returns `tile_offset` for a function that the source calls so, whatever the name in the IR.
std::string SourceName(const llvm::Function& function) {
  if (const llvm::DISubprogram* const program = function.getSubprogram()) return program->getName().str();
  llvm::ItaniumPartialDemangler demangler;
  std::string name = function.getName().str();
  if (demangler.partialDemangle(name.c_str())) return name;
  char* const base = demangler.getFunctionBaseName(nullptr, nullptr);
  std::string result = base == nullptr ? name : base;
  std::free(base);
  return result;
}

// Gives each instruction without a line its text, which messages name in place of the line. Once per module, because a
// print numbers all values of the function.
void NamePlaces(llvm::Module& module) {
  constexpr size_t kMostCharacters = 200;
  llvm::ModuleSlotTracker numbers(&module);
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    numbers.incorporateFunction(function);
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      if (instruction.getDebugLoc()) continue;
      std::string text;
      llvm::raw_string_ostream stream(text);
      instruction.print(stream, numbers);
      text = text.substr(0, std::min(text.find(", !"), text.find('\n')));
      text = text.substr(text.find_first_not_of(' '), kMostCharacters);
      llvm::LLVMContext& context = module.getContext();
      instruction.setMetadata(kPlaceMetadata, llvm::MDNode::get(context, llvm::MDString::get(context, text)));
    }
  }
}

}  // namespace

CodeModule::CodeModule(std::unique_ptr<llvm::LLVMContext> context, std::unique_ptr<llvm::Module> module)
    : context_(std::move(context)), module_(std::move(module)) {}
CodeModule::CodeModule(CodeModule&&) noexcept = default;
CodeModule& CodeModule::operator=(CodeModule&& other) noexcept {
  module_ = std::move(other.module_);  // before the context that owns its types
  context_ = std::move(other.context_);
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
  const std::string ending = std::filesystem::path(path).extension();
  if (ending == ".ll" || ending == ".bc") {
    module = llvm::parseIRFile(path, problem, *context);
  } else {
    const std::vector<std::string> command = CompileCommand(path, options);
    if (command.empty()) {
      return MakeError(ErrorKind::kInvalidArgument, StrCat(path, ": expected a file ", options.for_device ? "" : ".c, ",
                                                           ".cc, .cpp, .cxx, .cu, .hip, .ll or .bc"));
    }
    const Expected<std::string> text = Compile(command, path, options.for_device);
    if (!text) return std::unexpected(text.error());
    module = llvm::parseIR(llvm::MemoryBufferRef(*text, path), problem, *context);
  }
  if (module == nullptr) {
    std::string message;
    llvm::raw_string_ostream stream(message);
    problem.print(nullptr, stream, /*ShowColors=*/false);
    return MakeError(ErrorKind::kInvalidArgument, StrCat(path, ": LLVM 19 cannot read it: ", message));
  }
  std::string broken;
  llvm::raw_string_ostream stream(broken);
  bool has_broken_lines = false;
  if (llvm::verifyModule(*module, &stream, &has_broken_lines)) {
    return MakeError(ErrorKind::kInvalidArgument, StrCat(path, ": LLVM 19 finds it broken: ", broken));
  }
  if (has_broken_lines) llvm::StripDebugInfo(*module);
  if (module->getDataLayout().isBigEndian()) {
    return MakeError(ErrorKind::kInvalidArgument, StrCat(path, ": its target '", module->getTargetTriple(),
                                                         "' is big-endian; expected code for a little-endian machine"));
  }
  NamePlaces(*module);
  return CodeModule(std::move(context), std::move(module));
}

Expected<const llvm::Function*> CodeModule::Find(const std::string& name) const {
  std::vector<const llvm::Function*> found;
  std::set<std::string> known;
  for (const llvm::Function& function : *module_) {
    if (function.isDeclaration()) continue;
    if (function.getName() == name) return &function;
    if (SourceName(function) == name) found.push_back(&function);
    if (!function.getName().contains("layoutcheck_")) known.insert(SourceName(function));
  }
  if (found.size() == 1) return found[0];
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
