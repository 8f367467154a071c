// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The part of `layoutcheck prove` that asks about code: --code and --kernel.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>
#include "layoutcheck/cli/run/certificate_file.h"
#include "layoutcheck/cli/run/code_run.h"

namespace layoutcheck {

struct CodeOptions {
  CodeRequest code;      // whose file is empty without --code
  KernelRequest kernel;  // whose file is empty without --kernel
  std::vector<std::string> arrays;
  std::string clang_flags;
  std::string max_bytes;
  std::string emit;  // "formula", or empty

  bool AsksAboutCode() const { return !code.file.empty() || !kernel.file.empty(); }
};

// The rest of the command: the options that do not speak of code alone.
struct CodeQuestion {
  std::vector<std::string> layouts;
  std::optional<std::string> formula;
  std::vector<std::string> assumptions;
  ProveOptions prove;
  bool json = false;
};

void AddCodeOptions(CLI::App& command, CodeOptions& options);

// Returns the reason why the options do not fit together, or an empty text if they do.
std::string ContradictionOfCode(const CodeOptions& options, const CodeQuestion& question);

// Asks about the function, for each layout, or about the kernel. Gives the certificates to the file, which is still to
// be written. Requires AsksAboutCode().
ExitCode ProveCodeCommand(CodeOptions options, const CodeQuestion& question, CertificateFile& certificates);

}  // namespace layoutcheck
