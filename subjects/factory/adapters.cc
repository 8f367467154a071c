// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/subjects/factory/adapters.h"
#include <unistd.h>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <system_error>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/process/child_process.h"
#include "layoutcheck/properties/model/shell_word.h"

namespace layoutcheck {
namespace {

namespace fs = std::filesystem;

bool Exists(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error);
}

// Returns the directory of this program, or an empty path if unknown.
fs::path ProgramDirectory() { return fs::path(PathOfThisProgram().value_or("")).parent_path(); }

std::optional<fs::path> SourceTreeWith(std::string_view file) {
  for (fs::path directory = ProgramDirectory(); directory.has_relative_path(); directory = directory.parent_path()) {
    if (Exists(directory / file)) return directory;
  }
  const fs::path built_from = LAYOUTCHECK_SOURCE_TREE;
  return Exists(built_from / file) ? std::optional(built_from) : std::nullopt;
}

std::unexpected<Error> NoTree(std::string_view script) {
  return MakeError(ErrorKind::kUnavailable, StrCat("its adapter, ", script,
                                                   ", is in the source tree of layoutcheck, which is not here; "
                                                   "`./run subjects` there sets it up"));
}

// Returns the value of an environment variable, or an empty text.
std::string Variable(std::string_view name) {
  const char* const value = std::getenv(std::string(name).c_str());
  return value == nullptr ? "" : value;
}

// Returns an error unless the variable names a folder that has the file.
Expected<void> CheckCheckout(const Checkout& checkout) {
  const fs::path folder = Variable(checkout.variable);
  if (!folder.empty() && Exists(folder / checkout.file)) return {};
  return MakeError(ErrorKind::kUnavailable,
                   StrCat(folder.empty() ? StrCat(checkout.variable, " is not set")
                                         : StrCat(checkout.variable, "=", folder.string(), " has no ", checkout.file),
                          "; expected the folder of a checkout of ", checkout.project));
}

}  // namespace

Expected<std::string> CheckoutAdapter(std::string_view script, std::string_view arguments, const Checkout& checkout) {
  const auto tree = SourceTreeWith(script);
  if (!tree) return NoTree(script);
  LAYOUTCHECK_RETURN_IF_ERROR(CheckCheckout(checkout));
  const fs::path interpreter = *tree / ".venv" / "bin" / "python";
  return StrCat("exec ", Exists(interpreter) ? ShellWord(interpreter.string()) : "python3", " ",
                ShellWord((*tree / script).string()), arguments.empty() ? "" : " ", arguments);
}

Expected<std::string> PythonAdapter(std::string_view script, std::string_view module, const Checkout& checkout) {
  return Variable(checkout.variable).empty() ? PythonAdapter(script, module) : CheckoutAdapter(script, "", checkout);
}

Expected<std::string> PythonAdapter(std::string_view script, std::string_view module) {
  const auto tree = SourceTreeWith(script);
  if (!tree) return NoTree(script);
  const fs::path environment = *tree / ".venv";
  const fs::path interpreter = environment / "bin" / "python";
  // The packages are in lib/python3.N/site-packages; an environment has one N.
  std::error_code error;
  bool installed = false;
  for (const fs::path& library : fs::directory_iterator(environment / "lib", error)) {
    installed = installed || Exists(library / "site-packages" / module);
  }
  if (!installed || !Exists(interpreter)) {
    return MakeError(
        ErrorKind::kUnavailable,
        StrCat("its Python package, ", module, ", is not installed; `./run subjects` in ", tree->string(), " does it"));
  }
  return StrCat("exec ", ShellWord(interpreter.string()), " ", ShellWord((*tree / script).string()));
}

Expected<std::string> SystemAdapter(std::string_view script, std::string_view file, std::string_view package) {
  const auto tree = SourceTreeWith(script);
  if (!tree) return NoTree(script);
  if (!Exists(file)) {
    return MakeError(ErrorKind::kUnavailable,
                     StrCat(file, " is not there; `apt install ", package, "`, which `./run subjects` does"));
  }
  // Only Debian's own interpreter finds the package's modules, but another may be first in PATH.
  return StrCat("exec ", Exists("/usr/bin/python3") ? "/usr/bin/python3 " : "python3 ",
                ShellWord((*tree / script).string()));
}

Expected<std::string> ProgramAdapter(std::string_view name, std::string_view package) {
  const fs::path directory = ProgramDirectory();
  const std::string program = StrCat(name, "_subject");
  for (const fs::path& path :
       {directory / ".." / "subjects" / name / program, directory / ".." / "libexec" / "layoutcheck" / program}) {
    if (Exists(path)) return StrCat("exec ", ShellWord(path.lexically_normal().string()));
  }
  return MakeError(ErrorKind::kUnavailable, StrCat("it was not there when layoutcheck was built; `apt install ",
                                                   package, "` and build again, which `./run subjects` does"));
}

}  // namespace layoutcheck
