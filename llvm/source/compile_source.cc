// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/source/compile_source.h"
#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <iterator>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/process/child_process.h"
#include "layoutcheck/core/process/temporary_directory.h"
#include "layoutcheck/llvm/source/gpu_prelude.h"
#include "layoutcheck/llvm/source/source_functions.h"

namespace layoutcheck {
namespace {

constexpr const char* kCompiler = "clang-19";
constexpr int kMostRounds = 30;

bool IsCpp(std::string_view ending) { return ending == ".cc" || ending == ".cpp" || ending == ".cxx"; }

// Returns the GPU for which a kernel's source is compiled.
GpuTarget TargetOf(const std::string& path) { return path.ends_with(".cu") ? GpuTarget::kNvidia : GpuTarget::kAmd; }

// Returns the command that compiles such a file to LLVM text on standard output, or nothing for another kind of file.
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
  if (options.for_device) {
    // -w: among others a warning of the version of CUDA. All errors are needed, one per line.
    command.insert(command.end(), {"-w", "-ferror-limit=0", "-fno-caret-diagnostics", "-fno-color-diagnostics"});
  }
  // Undefined behavior that is gone when there is code: an index outside of a row of a table, a bool that is neither
  // true nor false.
  if (!options.for_device) {
    command.insert(command.end(), {"-fsanitize=array-bounds,bool", "-fsanitize-trap=array-bounds,bool"});
  }
  command.insert(command.end(), options.flags.begin(), options.flags.end());
  return command;
}

// A message of clang: "tile.cu:7:3: error: ...".
struct Diagnostic {
  std::string text;
  std::string file;
  size_t line = 0;
};

// Reads "FILE:LINE:COLUMN: " at the beginning of a line.
std::optional<Diagnostic> ReadPlace(std::string_view line, std::string_view kind) {
  const size_t at = line.find(StrCat(": ", kind, ": "));
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view place = line.substr(0, at);
  const size_t column = place.rfind(':');
  const size_t row = column == std::string_view::npos || column == 0 ? column : place.rfind(':', column - 1);
  if (row == std::string_view::npos) return std::nullopt;
  Diagnostic result{.text = std::string(line), .file = std::string(place.substr(0, row))};
  std::from_chars(place.data() + row + 1, place.data() + column, result.line);
  return result;
}

// Returns the errors. One in another file, such as a header with templates, is at the first line of `path` that the
// notes below it name.
std::vector<Diagnostic> ReadErrors(std::string_view messages, const std::string& path) {
  std::vector<Diagnostic> errors;
  while (!messages.empty()) {
    const std::string_view line = messages.substr(0, messages.find('\n'));
    messages.remove_prefix(std::min(line.size() + 1, messages.size()));
    auto error = ReadPlace(line, "error");
    if (!error) error = ReadPlace(line, "fatal error");
    if (error) {
      errors.push_back(*std::move(error));
    } else if (const auto note = ReadPlace(line, "note");
               note && !errors.empty() && errors.back().file != path && note->file == path) {
      errors.back().file = path;
      errors.back().line = note->line;
    }
  }
  return errors;
}

// A source without the functions that clang does not accept.
class ReducedSource {
 public:
  ReducedSource(std::string path, std::string text)
      : path_(std::move(path)), text_(std::move(text)), functions_(FindSourceFunctions(text_)) {}

  // Leaves out the functions that have the errors. Returns false if one of them is in no function, or in the
  // declaration of a function that others may call without its name: without it, they might call another.
  bool LeaveOut(const std::vector<Diagnostic>& errors) {
    std::set<std::string> removed;
    bool is_smaller = false;
    for (const Diagnostic& error : errors) {
      if (error.file != path_) return false;
      const auto function = std::ranges::find_if(
          functions_, [&](const SourceFunction& f) { return error.line >= f.first_line && error.line <= f.last_line; });
      if (function == functions_.end() && (RemoveInstantiation(error.line) || RemoveUsing(error.line))) {
        is_smaller = true;
        continue;
      }
      if (function == functions_.end()) return false;
      const size_t number = static_cast<size_t>(function - functions_.begin());
      if (IsOperatorOfVectors(error, *function)) {
        is_smaller = removed_.insert(number).second || is_smaller;
        continue;
      }
      const bool is_declared = bodies_.contains(number);
      if (is_declared || error.line < function->body_line) {
        is_smaller = removed_.insert(number).second || is_smaller;
        if (!function->is_called_by_name || HasWordInDirective(text_, function->name)) return false;
        removed.insert(function->name);
      } else {
        is_smaller = bodies_.insert(number).second || is_smaller;
      }
      Report(*function, error.text);
    }
    for (size_t k = 0; k < functions_.size(); ++k) {
      const SourceFunction& function = functions_[k];
      const std::string_view body = std::string_view(text_).substr(function.body, function.end - function.body);
      for (const std::string& name : removed) {
        if (!HasWord(body, name) || !bodies_.insert(k).second) continue;
        Report(function, StrCat("it names ", name, ", which does not compile"));
      }
    }
    return is_smaller;
  }

  // Removes the #include at an error about a missing header of a toolkit. Functions that need the header are left out
  // then. Returns false if there is no such error.
  bool RemoveMissingHeader(const std::vector<Diagnostic>& errors) {
    constexpr std::string_view kBefore = "fatal error: '";
    for (const Diagnostic& error : errors) {
      const size_t begin = error.text.find(kBefore);
      if (begin == std::string::npos || !error.text.contains("' file not found") || error.file != path_) continue;
      if (!IsToolkitHeader(std::string_view(error.text).substr(begin + kBefore.size()))) continue;
      for (size_t at = BeginOf(error.line); at < text_.size() && text_[at] != '\n'; ++at) text_[at] = ' ';
      return true;
    }
    return false;
  }

  std::string text() const {
    std::vector<SourceFunction> bodies;
    std::vector<SourceFunction> whole;
    for (size_t k = 0; k < functions_.size(); ++k) {
      if (removed_.contains(k)) {
        whole.push_back(functions_[k]);
      } else if (bodies_.contains(k)) {
        bodies.push_back(functions_[k]);
      }
    }
    return WithoutFunctions(WithoutFunctions(text_, bodies, /*with_declarations=*/true), whole,
                            /*with_declarations=*/false);
  }
  std::vector<LeftOutFunction> left_out() && { return std::move(left_out_); }

 private:
  // Returns the offset of a line, which counts from 1.
  size_t BeginOf(size_t line) const {
    size_t at = 0;
    for (size_t k = 1; k < line && at < text_.size(); ++k) at = text_.find('\n', at) + 1;
    return at;
  }

  // Removes `template ... f<float>(...);` if the line begins so: a function that does not compile has no instance.
  bool RemoveInstantiation(size_t line) {
    size_t at = text_.find_first_not_of(" \t", BeginOf(line));
    constexpr std::string_view kTemplate = "template ";
    if (at == std::string::npos || text_.compare(at, kTemplate.size(), kTemplate) != 0) return false;
    const size_t next = text_.find_first_not_of(' ', at + kTemplate.size());
    const size_t end = text_.find(';', at);
    if (next == std::string::npos || text_[next] == '<' || end == std::string::npos) return false;
    for (; at <= end; ++at) text_[at] = text_[at] == '\n' ? '\n' : ' ';
    return true;
  }

  // Returns true for an operator of vectors of floating point, such as float4 + float4, which code for CUDA defines and
  // the vectors of the prelude have already. Nothing is known of such results.
  bool IsOperatorOfVectors(const Diagnostic& error, const SourceFunction& function) const {
    static constexpr std::array kIntegers =
        std::to_array<std::string_view>({"int", "unsigned", "uint", "int2", "int3", "int4", "uint2", "uint3", "uint4"});
    const std::string_view text = std::string_view(text_).substr(function.begin, function.end - function.begin);
    return error.text.contains("overloaded 'operator") &&
           error.text.contains("parameter of class or enumeration type") &&
           std::ranges::none_of(kIntegers, [&](std::string_view word) { return HasWord(text, word); });
  }

  // Removes `using namespace nvcuda;` if the line begins so: functions that need what does not exist are left out.
  bool RemoveUsing(size_t line) {
    const size_t at = text_.find_first_not_of(" \t", BeginOf(line));
    const size_t end = text_.find(';', std::min(at, text_.size()));
    if (end == std::string::npos || text_.compare(at, 6, "using ") != 0) return false;
    for (size_t k = at; k <= end; ++k) text_[k] = text_[k] == '\n' ? '\n' : ' ';
    return true;
  }

  void Report(const SourceFunction& function, const std::string& message) {
    if (std::ranges::find(left_out_, function.name, &LeftOutFunction::name) != left_out_.end()) return;
    left_out_.push_back({function.name, message});
  }

  std::string path_;
  std::string text_;
  std::vector<SourceFunction> functions_;
  std::set<size_t> bodies_;   // functions without a body
  std::set<size_t> removed_;  // functions without a declaration
  std::vector<LeftOutFunction> left_out_;
};

// Runs the compiler. Errors (unavailable): it is not installed, or cannot be run.
Expected<ProgramResult> RunCompiler(const std::vector<std::string>& command, const std::string& path) {
  auto run = RunProgram(command, "", ErrorStream::kPipe);
  if (!run) {
    return MakeError(ErrorKind::kUnavailable, StrCat(path, ": ", kCompiler, " cannot be run: ", run.error().message));
  }
  if (run->exit_code == 127) {
    return MakeError(ErrorKind::kUnavailable, StrCat(path, ": ", kCompiler, " is not installed; it compiles the code"));
  }
  return run;
}

std::unexpected<Error> DoesNotCompile(const std::string& path, std::string_view messages) {
  const size_t error = messages.find("error: ");
  const size_t begin = error == std::string_view::npos ? 0 : messages.rfind('\n', error) + 1;
  const std::string_view line = messages.substr(begin, messages.find('\n', begin) - begin);
  return MakeError(ErrorKind::kInvalidArgument, StrCat(path, ": ", kCompiler, " does not compile it: ", line));
}

// Adds what stands in for the headers of a GPU's toolkit, in files of the folder, and the source to the command. Error
// (unavailable): the files cannot be written.
Expected<void> AddDeviceSource(const std::string& path, const std::string& folder, std::vector<std::string>& command) {
  const std::string prelude = folder + "/prelude.h";
  if (!(std::ofstream(prelude) << "#line 1 \"prelude.h\"\n"
                               << GpuPrelude(TargetOf(path)))
           .flush() ||
      !WriteGpuHeaders(folder)) {
    return MakeError(ErrorKind::kUnavailable, "no temporary files could be written");
  }
  command.insert(command.end(), {"-isystem", folder, "-include", prelude, "-iquote",
                                 std::filesystem::absolute(path).parent_path().string(), path});
  return {};
}

// Returns the files of a rule of make, "source.o: source.c \\\n  header.h", that are not in the folder.
std::vector<std::string> FilesOfRule(std::string_view rule, const std::string& folder) {
  rule.remove_prefix(std::min(rule.find(": ") + 2, rule.size()));
  std::vector<std::string> files;
  std::string file;
  const auto end_file = [&] {
    if (!file.empty() && !file.starts_with(folder + "/")) files.push_back(file);
    file.clear();
  };
  for (size_t k = 0; k < rule.size(); ++k) {
    const char next = k + 1 < rule.size() ? rule[k + 1] : '\0';
    const bool is_escape = (rule[k] == '\\' && (next == ' ' || next == '#' || next == '\n')) ||
                           (rule[k] == '$' && next == '$');  // the rest of backslashes stand for themselves
    if (is_escape) ++k;
    if (rule[k] == '\n' || (rule[k] == ' ' && !is_escape)) {
      end_file();
    } else {
      file += rule[k];
    }
  }
  end_file();
  return files;
}

// Compiles until all functions that do not compile are left out.
Expected<CompiledSource> CompileForDevice(std::vector<std::string> command, const std::string& path,
                                          const std::string& instance) {
  const TemporaryDirectory directory;
  const std::string reduced = StrCat(directory.path(), "/source", std::filesystem::path(path).extension().string());
  LAYOUTCHECK_RETURN_IF_ERROR(AddDeviceSource(path, directory.path(), command));
  std::ifstream in(path, std::ios::binary);
  ReducedSource source(path, std::string((std::istreambuf_iterator<char>(in)), {}));
  const auto write = [&] {
    std::ofstream out(reduced);
    out << "#line 1 " << std::quoted(path) << "\n" << source.text();
    // The host's code that takes the address of a kernel has the device compile it.
    if (!instance.empty())
      out << "\n#line 1 \"--function\"\nvoid layoutcheck_instance() { (void)&" << instance << "; }\n";
    command.back() = reduced;
  };
  if (!instance.empty()) write();
  for (int round = 0;; ++round) {
    LAYOUTCHECK_TRY(auto run, RunCompiler(command, path));
    if (run.exit_code == 0) return CompiledSource{std::move(run.out), source.text(), std::move(source).left_out()};
    const std::vector<Diagnostic> errors = ReadErrors(run.err, path);
    const bool is_smaller = source.RemoveMissingHeader(errors) || (!errors.empty() && source.LeaveOut(errors));
    if (!is_smaller || round == kMostRounds) return DoesNotCompile(path, run.err);
    write();
  }
}

std::unexpected<Error> NoSource(const std::string& path, const CompileOptions& options) {
  return MakeError(ErrorKind::kInvalidArgument, StrCat(path, ": expected a file ", options.for_device ? "" : ".c, ",
                                                       ".cc, .cpp, .cxx, .cu, .hip, .ll or .bc"));
}

}  // namespace

Expected<std::vector<std::string>> FindCompiledFiles(const std::string& path, const CompileOptions& options) {
  std::vector<std::string> command = CompileCommand(path, options);
  if (command.empty()) return NoSource(path, options);
  command.emplace_back("-M");
  const TemporaryDirectory directory;
  if (options.for_device) {
    LAYOUTCHECK_RETURN_IF_ERROR(AddDeviceSource(path, directory.path(), command));
  } else {
    command.push_back(path);
  }
  LAYOUTCHECK_TRY(const auto run, RunCompiler(command, path));
  if (run.exit_code != 0) return DoesNotCompile(path, run.err);
  return FilesOfRule(run.out, directory.path());
}

std::string CompilerVersion() {
  const auto run = RunProgram(std::vector<std::string>{kCompiler, "--version"}, "", ErrorStream::kDiscard);
  return run && run->exit_code == 0 ? run->out : "";
}

Expected<CompiledSource> CompileSource(const std::string& path, const CompileOptions& options) {
  std::vector<std::string> command = CompileCommand(path, options);
  if (command.empty()) return NoSource(path, options);
  if (options.for_device) return CompileForDevice(std::move(command), path, options.instance);
  command.push_back(path);
  LAYOUTCHECK_TRY(auto run, RunCompiler(command, path));
  if (run.exit_code != 0) return DoesNotCompile(path, run.err);
  return CompiledSource{std::move(run.out), "", {}};
}

}  // namespace layoutcheck
