// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/code_proof/native_run.h"
#include <sys/wait.h>
#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/process/child_process.h"
#include "layoutcheck/core/process/temporary_directory.h"

namespace layoutcheck {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds kCompileLimit{60};
constexpr size_t kOutputLimit = 1 << 26;  // bytes; a function may print
constexpr std::string_view kMarker = "\nlayoutcheck-result";

// Reads the values from the command line and prints the results of layoutcheck_call, which the generated caller
// defines. No header of the system is included where the user's source is, whose own definitions may differ from
// theirs.
constexpr std::string_view kSupport = R"(#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>
void layoutcheck_call(const unsigned long long* values);
void layoutcheck_begin(void) { printf("\nlayoutcheck-result"); }
void layoutcheck_signed(long long value) { printf(" %lld", value); }
void layoutcheck_unsigned(unsigned long long value) { printf(" %llu", value); }
// Returns memory that ends where a page begins that can be neither read nor written. Its bytes are none that a test
// expects, such as zeros.
void* layoutcheck_place(unsigned long bytes) {
  unsigned long page = (unsigned long)sysconf(_SC_PAGESIZE);
  unsigned long whole = (bytes + page - 1) / page * page;
  char* start = mmap(0, whole + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (start == MAP_FAILED || mprotect(start + whole, page, PROT_NONE) != 0) _exit(125);
  for (unsigned long at = 0; at < whole; ++at) start[at] = (char)0xa5;
  return start + whole - bytes;
}
int main(int count, char** texts) {
  struct rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  unsigned long long* values = calloc((unsigned long)count, sizeof *values);
  for (int k = 1; k < count; ++k) values[k - 1] = strtoull(texts[k], 0, 10);
  layoutcheck_call(values);
  printf("\n");
  fflush(stdout);
  _exit(0);
}
)";

// The function may write more of the memory of a result than what is asked for.
constexpr int64_t kMoreBytes = 4096;
constexpr int64_t kPageBytes = 4096;

bool IsMemory(const NativeParameter& parameter) {
  return parameter.kind == NativeParameter::Kind::kArray || parameter.kind == NativeParameter::Kind::kResult;
}

bool IsLlvmFile(const std::string& file) { return file.ends_with(".ll") || file.ends_with(".bc"); }

// Returns the text as a string literal of C.
std::string Quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

std::string TypeText(const NativeType& type) {
  if (type.bits == 1) return "layoutcheck_bool";
  return StrCat("__", type.is_signed ? "INT" : "UINT", type.bits, "_TYPE__");
}

// Writes the C code that calls the function. Struct types with the fields that the function expects take the place of
// its own types, so that no name of a type is needed.
class CallerWriter {
 public:
  explicit CallerWriter(const NativeFunction& function) : function_(function) {}

  std::string Write() {
    if (IsLlvmFile(function_.file)) {
      out_ = "typedef _Bool layoutcheck_bool;\n";
    } else {
      out_ = StrCat(function_.prelude, "\n#define main layoutcheck_main_of_the_source\n#include ",
                    Quoted(std::filesystem::absolute(function_.file).string()),
                    "\n#undef main\n#ifdef __cplusplus\nextern \"C\" {\ntypedef bool layoutcheck_bool;\n#else\n"
                    "typedef _Bool layoutcheck_bool;\n#endif\n");
    }
    out_ +=
        "void* layoutcheck_place(unsigned long);\nvoid layoutcheck_begin(void);\n"
        "void layoutcheck_signed(long long);\nvoid layoutcheck_unsigned(unsigned long long);\n";
    for (size_t k = 0; k < function_.parameters.size(); ++k) AddStruct(StrCat("p", k), function_.parameters[k].types);
    if (function_.returns.size() > 1) AddStruct("r", function_.returns);
    std::string callee = function_.name;
    if (IsLlvmFile(function_.file)) {
      callee = "layoutcheck_callee";
      StrAppend(out_, Prototype("layoutcheck_callee"), " __asm__(", Quoted(function_.name), ");\n");
    }
    out_ += "void layoutcheck_call(const unsigned long long* layoutcheck_values) {\n";
    std::string arguments;
    for (size_t k = 0; k < function_.parameters.size(); ++k) {
      AddValues(k);
      const NativeParameter::Kind kind = function_.parameters[k].kind;
      StrAppend(arguments, k == 0 ? "" : ", ", kind == NativeParameter::Kind::kStruct ? "*" : "", "layoutcheck_p", k,
                kind == NativeParameter::Kind::kInteger ? "->layoutcheck_m0" : "");
    }
    AddCall(callee, arguments);
    out_ += "}\n";
    if (!IsLlvmFile(function_.file)) out_ += "#ifdef __cplusplus\n}\n#endif\n";
    return std::move(out_);
  }

 private:
  void AddStruct(std::string_view name, const std::vector<NativeType>& types) {
    StrAppend(out_, "struct layoutcheck_", name, " {");
    for (size_t k = 0; k < types.size(); ++k) StrAppend(out_, " ", TypeText(types[k]), " layoutcheck_m", k, ";");
    out_ += " };\n";
  }

  std::string ReturnText() const {
    if (function_.returns.empty()) return "void";
    return function_.returns.size() == 1 ? TypeText(function_.returns[0]) : "struct layoutcheck_r";
  }

  // Returns the declaration of a function, or with "(*)" the type of a pointer to it.
  std::string Prototype(std::string_view name) const {
    std::string text = StrCat(ReturnText(), " ", name, "(");
    for (size_t k = 0; k < function_.parameters.size(); ++k) {
      const NativeParameter& parameter = function_.parameters[k];
      if (k > 0) text += ", ";
      if (parameter.kind == NativeParameter::Kind::kInteger) text += TypeText(parameter.types[0]);
      if (parameter.kind == NativeParameter::Kind::kStruct) StrAppend(text, "struct layoutcheck_p", k);
      if (IsMemory(parameter)) text += "void*";
    }
    return text + (function_.parameters.empty() ? "void)" : ")");
  }

  void AddValues(size_t parameter) {
    const std::string name = StrCat("layoutcheck_p", parameter);
    const NativeParameter& one = function_.parameters[parameter];
    if (one.kind == NativeParameter::Kind::kResult) {
      // A multiple of the page's size, so that its beginning is aligned.
      StrAppend(out_, "  char* ", name, " = (char*)layoutcheck_place(",
                (one.offset + kMoreBytes) / kPageBytes * kPageBytes + kPageBytes, ");\n");
      return;
    }
    const bool is_empty = one.types.empty();
    StrAppend(out_, "  struct ", name, "* ", name, " = (struct ", name, "*)layoutcheck_place(",
              is_empty ? "0" : StrCat("sizeof(struct ", name, ")"), ");\n");
    for (size_t k = 0; k < one.types.size(); ++k) {
      StrAppend(out_, "  ", name, "->layoutcheck_m", k, " = (", TypeText(one.types[k]), ")layoutcheck_values[",
                values_++, "]", one.types[k].bits == 1 ? " & 1" : "", ";\n");
    }
  }

  void AddCall(const std::string& callee, const std::string& arguments) {
    out_ += "  ";
    if (!function_.returns.empty()) StrAppend(out_, ReturnText(), " layoutcheck_result = ");
    StrAppend(out_, "((", Prototype("(*)"), ")", callee, ")(", arguments, ");\n  layoutcheck_begin();\n");
    const bool is_struct = function_.returns.size() > 1;
    for (size_t k = 0; k < function_.returns.size(); ++k) {
      AddOutput(function_.returns[k], is_struct ? StrCat("layoutcheck_result.layoutcheck_m", k) : "layoutcheck_result");
    }
    for (size_t p = 0; p < function_.parameters.size(); ++p) {
      const NativeParameter& parameter = function_.parameters[p];
      if (!IsMemory(parameter)) continue;
      std::string memory = StrCat("layoutcheck_p", p);
      if (parameter.kind == NativeParameter::Kind::kResult) {
        const std::string type = StrCat("struct layoutcheck_p", p);
        StrAppend(out_, "  ", type, " layoutcheck_out", p, ";\n  __builtin_memcpy(&layoutcheck_out", p, ", ", memory,
                  " + ", parameter.offset, ", sizeof(", type, "));\n");
        memory = StrCat("(&layoutcheck_out", p, ")");
      }
      for (size_t k = 0; k < parameter.types.size(); ++k) {
        AddOutput(parameter.types[k], StrCat(memory, "->layoutcheck_m", k));
      }
    }
  }

  void AddOutput(const NativeType& type, const std::string& value) {
    StrAppend(out_, "  layoutcheck_", type.is_signed ? "signed" : "unsigned", "(", value, ");\n");
  }

  const NativeFunction& function_;
  std::string out_;
  size_t values_ = 0;  // the number of values of the parameters so far
};

// Returns the first line with an error, or the first line.
std::string ErrorLine(const std::string& text) {
  const size_t error = std::min(text.find("error"), text.find("undefined reference"));
  const size_t start = error == std::string::npos ? 0 : text.rfind('\n', error) + 1;
  return text.substr(start, text.find('\n', start) - start);
}

// Runs one step of the compilation. The message of its error begins with `failure`.
Expected<void> RunStep(const std::vector<std::string>& arguments, std::string_view failure) {
  const auto run = RunProgram(arguments, "", ErrorStream::kWithOutput, {.silence = kCompileLimit, .output = 1 << 24});
  if (!run) return MakeError(ErrorKind::kUnavailable, StrCat("clang 19 is needed: ", run.error().message));
  if (run->exit_code == 0) return {};
  return MakeError(ErrorKind::kUnavailable, StrCat(failure, ": ", ErrorLine(run->out)));
}

Expected<void> WriteFile(const std::string& path, std::string_view text) {
  std::ofstream out(path, std::ios::binary);
  out << text;
  if (out.flush()) return {};
  return MakeError(ErrorKind::kUnavailable, StrCat("cannot write ", path));
}

// Each function and variable has a section, so that the program has only those that the call needs: others may use
// symbols of files that are not here.
constexpr std::array kSections = {"-ffunction-sections", "-fdata-sections"};

bool IsC(const std::string& file) { return file.ends_with(".c"); }

// Returns the command that compiles the caller, which includes the source.
std::vector<std::string> SourceCommand(const NativeFunction& function, const std::string& folder) {
  std::vector<std::string> command{"clang-19", "-x", IsC(function.file) ? "c" : "c++"};
  // A function is called through a type of its own making, and `vptr` needs a library at run time. The caller's flags
  // may leave out more checks.
  if (function.has_traps) {
    command.insert(command.end(), {"-fsanitize=undefined", "-fsanitize-trap=undefined", "-fno-sanitize=function,vptr"});
  }
  command.insert(command.end(), function.compiler_flags.begin(), function.compiler_flags.end());
  // A local variable that is read before it is written has a value that no test expects.
  if (function.has_traps) command.insert(command.end(), {"-O0", "-ftrivial-auto-var-init=pattern"});
  command.insert(command.end(), {"-w", kSections[0], kSections[1], "-c", "-o"});
  command.push_back(folder + "/function.o");
  command.push_back(folder + "/caller.c");
  return command;
}

Expected<void> Build(const NativeFunction& function, const std::string& folder) {
  const bool is_llvm = IsLlvmFile(function.file);
  const std::string object = folder + "/function.o";
  const std::string failure = StrCat("clang does not compile ", function.file, " with a call of ", function.name);
  if (auto step = WriteFile(folder + "/support.c", StrCat(kSupport, function.support)); !step) return step;
  if (auto step = WriteFile(folder + "/caller.c", CallerWriter(function).Write()); !step) return step;
  const std::string no_link = StrCat("clang cannot link a call of ", function.name, " of ", function.file);
  std::vector<std::string> link{"clang-19", "-w", "-Wl,--gc-sections", folder + "/support.c", object};
  if (is_llvm) {
    if (auto step = RunStep({"clang-19", "-w", kSections[0], kSections[1], "-c", "-o", object, function.file}, failure);
        !step)
      return step;
    // A static function has a local symbol.
    if (auto step = RunStep({"objcopy", "--globalize-symbol=" + function.name, object}, failure); !step) return step;
    link.push_back(folder + "/caller.c");
    // Functions that end the process, such as those of Rust's checks, are in other files. A call of one is a signal.
    link.insert(link.end(), {"-no-pie", "-Wl,--unresolved-symbols=ignore-all"});
  } else {
    if (auto step = RunStep(SourceCommand(function, folder), failure); !step) return step;
  }
  if (!IsC(function.file)) link.emplace_back("-lstdc++");
  link.insert(link.end(), {"-lm", "-o", folder + "/program"});
  return RunStep(link, no_link);
}

// Reads the results from the output. Returns false if the call has not returned.
bool ReadResults(const NativeFunction& function, const std::string& out, NativeResult& result) {
  const size_t marker = out.rfind(kMarker);
  if (marker == std::string::npos) return false;
  std::istringstream words(out.substr(marker + kMarker.size()));
  const auto read = [&](const std::vector<NativeType>& types) {
    std::vector<Int128> values;
    for (const NativeType& type : types) {
      int64_t number = 0;
      uint64_t natural = 0;
      if (type.is_signed ? words >> number : words >> natural)
        values.push_back(type.is_signed ? Int128{number} : Int128{natural});
    }
    return values;
  };
  result.returned = read(function.returns);
  for (const NativeParameter& parameter : function.parameters) {
    if (IsMemory(parameter)) result.arrays.push_back(read(parameter.types));
  }
  return !words.fail();
}

NativeResult ResultOf(const NativeFunction& function, int status, const std::string& out) {
  NativeResult result;
  if (WIFSIGNALED(status)) {
    result.code = WTERMSIG(status);
    const bool is_trap = result.code == SIGILL || result.code == SIGTRAP;
    result.end =
        is_trap && !IsLlvmFile(function.file) ? NativeResult::End::kUndefinedBehavior : NativeResult::End::kSignal;
    return result;
  }
  result.code = WEXITSTATUS(status);
  result.end = result.code == 0 && ReadResults(function, out, result) ? NativeResult::End::kReturned
                                                                      : NativeResult::End::kExited;
  return result;
}

}  // namespace

std::string NativeResult::ToString() const {
  switch (end) {
    case End::kReturned: break;
    case End::kUndefinedBehavior: return "ran into undefined behavior (a trap of -fsanitize=undefined)";
    case End::kSignal: return StrCat("was killed by signal ", code, " (", strsignal(code), ")");
    case End::kExited: return StrCat("ended the process with exit code ", code);
    case End::kTimedOut: return "did not return in time";
  }
  const auto join = [](const std::vector<Int128>& values) {
    std::string text;
    for (const Int128 value : values) StrAppend(text, text.empty() ? "" : ", ", ToDecimal(value));
    return text;
  };
  std::string text = StrCat("returned", returned.empty() ? "" : " ", join(returned));
  for (const std::vector<Int128>& array : arrays) StrAppend(text, " [", join(array), "]");
  return text;
}

NativeProgram::NativeProgram(const NativeFunction& function, std::shared_ptr<const TemporaryDirectory> directory)
    : function_(function), directory_(std::move(directory)) {}

Expected<NativeProgram> NativeProgram::Compile(const NativeFunction& function) {
  auto directory = std::make_shared<TemporaryDirectory>();
  if (directory->path().empty()) return MakeError(ErrorKind::kUnavailable, "no temporary directory could be made");
  LAYOUTCHECK_RETURN_IF_ERROR(Build(function, directory->path()));
  return NativeProgram(function, std::move(directory));
}

Expected<NativeResult> NativeProgram::Call(std::span<const std::vector<Int128>> values,
                                           std::chrono::milliseconds limit) const {
  std::vector<std::string> arguments{directory_->path() + "/program"};
  const auto has_size = [&](size_t k) {
    const NativeParameter& parameter = function_.parameters[k];
    return values[k].size() == (parameter.kind == NativeParameter::Kind::kResult ? 0 : parameter.types.size());
  };
  for (size_t k = 0; k < std::max(values.size(), function_.parameters.size()); ++k) {
    if (k >= values.size() || k >= function_.parameters.size() || !has_size(k)) {
      return MakeError(ErrorKind::kInvalidArgument,
                       StrCat("the values do not fit parameter ", k + 1, " of ", function_.name));
    }
    for (const Int128 value : values[k]) arguments.push_back(StrCat(static_cast<uint64_t>(value)));
  }
  LAYOUTCHECK_TRY(auto started, ChildProcess::Start(arguments, {.own_group = true}));
  ChildProcess& child = *started;
  child.CloseInput();
  const Clock::time_point deadline = Clock::now() + limit;
  std::string out;
  while (child.output_open() && Clock::now() < deadline && out.size() < kOutputLimit) {
    if (!child.Wait(std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()), false)) break;
    child.ReadOutput(out);
  }
  if (child.output_open() || !child.ReapWithin(std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()))) {
    child.KillAndReap();
    return NativeResult{.end = NativeResult::End::kTimedOut};
  }
  return ResultOf(function_, *child.wait_status(), out);
}

}  // namespace layoutcheck
