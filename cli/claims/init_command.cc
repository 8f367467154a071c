// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// layoutcheck init [DIR]
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include "layoutcheck/cli/base/count.h"
#include "layoutcheck/cli/claims/claim_commands.h"
#include "layoutcheck/cli/claims/claims_file.h"
#include "layoutcheck/cli/claims/proposal.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/json/json.h"

namespace layoutcheck {
namespace {

struct InitCommandLine {
  std::string folder = ".";
  bool json = false;
};

// Writes a file that does not exist. Error (unavailable): it exists, or cannot be written.
Expected<void> WriteNewFile(const std::string& name, const std::string& content) {
  FILE* const file = std::fopen(name.c_str(), "wbx");
  bool written = file != nullptr;
  if (written) {
    written = std::fwrite(content.data(), 1, content.size(), file) == content.size();
    written = std::fclose(file) == 0 && written;
  }
  if (!written) return UnavailableError("cannot write ", name, ": ", std::strerror(errno));
  return {};
}

ExitCode RunInitCommand(const InitCommandLine& options) {
  const std::string file = (std::filesystem::path(options.folder) / kClaimsFile).lexically_normal().string();
  std::error_code error;
  if (std::filesystem::exists(file, error)) return Unusable("init", file + " is there already, and is kept as it is");
  const auto proposal = ProposeClaims(options.folder);
  if (!proposal) return Unusable("init", proposal.error());
  if (const auto done = WriteNewFile(file, proposal->text); !done) return Unusable("init", done.error());
  if (options.json) {
    PrintJson({{"file", file},
               {"functions", proposal->functions},
               {"kernels", proposal->kernels},
               {"dumps", proposal->dumps}});
    return ExitCode::kAccepted;
  }
  PrintText(StrCat(file, ": ", Counted(proposal->functions, "function"), ", ", Counted(proposal->kernels, "kernel"),
                   ", ", Counted(proposal->dumps, "HLO dump"), "\n"));
  if (proposal->functions + proposal->kernels > 0) {
    PrintText("Entries of functions and kernels are comments: complete those that matter, then `layoutcheck run`.\n");
  }
  return ExitCode::kAccepted;
}

}  // namespace

Command InitCommand() {
  auto options = std::make_shared<InitCommandLine>();
  return {.name = "init",
          .description = R"(write a layoutcheck.toml from what is in a repository

Looks for functions of C, C++, CUDA and HIP that compute indices, for kernels, and for HLO dumps. Functions and
kernels become entries in comments: remove the # before those that matter, and complete their layouts. Dumps
become an entry that `run` checks at once. A file that exists is kept as it is, and the exit code is then 2.)",
          .example = R"(
  $ layoutcheck init
  $ layoutcheck run)",
          .options = {{"DIR", "the folder in which to look and to write (default: this one)", &options->folder},
                      {"--json", "print one JSON document: file, functions, kernels, dumps", &options->json}},
          .run = [options] { return RunInitCommand(*options); }};
}

}  // namespace layoutcheck
