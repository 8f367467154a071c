// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// layoutcheck run [FILE]
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <tuple>
#include <utility>
#include "layoutcheck/cli/base/overwriting.h"
#include "layoutcheck/cli/base/read_content.h"
#include "layoutcheck/cli/base/shared_options.h"
#include "layoutcheck/cli/base/stop_signals.h"
#include "layoutcheck/cli/claims/claim_commands.h"
#include "layoutcheck/cli/claims/claim_reports.h"
#include "layoutcheck/cli/claims/claim_run.h"
#include "layoutcheck/cli/claims/claims_file.h"
#include "layoutcheck/core/base/nearest_name.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/process/child_process.h"
#include "layoutcheck/core/process/ordered_work.h"

namespace layoutcheck {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostClaimBytes = size_t{16} << 20;  // of the file of claims

struct RunCommandLine {
  std::vector<Command> kinds;
  std::string file;
  std::vector<std::string> only;
  uint64_t jobs = 1;
  bool no_cache = false;
  std::string junit;
  std::string sarif;
  std::string markdown;
  bool json = false;
};

// Returns the file that the user names, or the nearest one in this folder or above, as a path from this folder. Error
// (unavailable): there is none.
Expected<fs::path> FindClaimsFile(const std::string& named) {
  if (!named.empty()) return fs::path(named);
  std::error_code error;
  fs::path up;
  for (fs::path folder = fs::current_path(error); !error; folder = folder.parent_path(), up /= "..") {
    if (fs::exists(folder / kClaimsFile, error)) return up / kClaimsFile;
    if (folder == folder.parent_path()) break;
  }
  return UnavailableError("no ", kClaimsFile, " in this folder or above; `layoutcheck init` writes one");
}

// Returns the claims that --only names, or all. Error (invalid argument): a name that no claim has.
Expected<std::vector<Claim>> SelectClaims(std::vector<Claim> claims, const std::vector<std::string>& only) {
  if (only.empty()) return claims;
  std::vector<std::string> names;
  for (const Claim& claim : claims) names.push_back(claim.name);
  for (const std::string& name : only) {
    if (std::ranges::find(names, name) != names.end()) continue;
    return ArgumentError("no claim has the name '", name, "'", DidYouMean(name, {names.begin(), names.end()}));
  }
  std::erase_if(claims, [&](const Claim& claim) { return std::ranges::find(only, claim.name) == only.end(); });
  return claims;
}

// A document that the user asks for.
struct ReportFile {
  std::string_view option;
  std::string path;
  std::string (*render)(const ClaimReport&);
};

ExitCode CheckClaims(const std::vector<Claim>& claims, const RunCommandLine& options, ClaimReport& report) {
  const auto program = PathOfThisProgram();
  if (!program) return Unusable("run", program.error());
  ClaimRunOptions run{.program = *program, .uses_memory = !options.no_cache};
  const size_t at_once = std::clamp<size_t>(claims.size(), 1, options.jobs);
  run.jobs = options.jobs / at_once;
  const StopSignals signals({.command = "run", .ends_without_reader = true});
  const ClaimTable table(claims, report.folder);
  if (!options.json) PrintText(table.Head());
  std::fflush(stdout);
  size_t next_claim = 0;
  const auto next = [&]() -> std::optional<const Claim*> {
    if (next_claim == claims.size()) return std::nullopt;
    return &claims[next_claim++];
  };
  const auto check = [&](size_t, const Claim* claim) { return std::pair(claim, CheckClaim(*claim, run)); };
  const auto take = [&](std::pair<const Claim*, ClaimResult> checked) {
    const auto& [claim, result] = report.results.emplace_back(*checked.first, std::move(checked.second));
    PrintText(options.json ? ToJson(claim, result).Dump() + "\n" : table.Row(claim, result));
    std::fflush(stdout);
    return true;
  };
  WorkInOrder({.jobs = at_once}, next, check, take);
  // Version control leaves out what was found and what is remembered.
  std::error_code error;
  if (const fs::path ignore = fs::path(kClaimsFolder) / ".gitignore"; fs::exists(kClaimsFolder, error)) {
    if (!fs::exists(ignore, error)) std::ignore = WriteFile(ignore.string(), "*\n");
  }
  if (options.json) {
    PrintJson(report.Totals());
  } else {
    PrintText(report.TotalsText() + "\n");
  }
  return report.code();
}

ExitCode RunRunCommand(const RunCommandLine& options) {
  const auto file = FindClaimsFile(options.file);
  if (!file) return Unusable("run", file.error());
  const auto text = ReadContent(file->string(), kMostClaimBytes);
  if (!text) return Unusable("run", text.error());
  const auto read = ReadClaims(*text, options.kinds);
  if (!read) return Unusable("run", StrCat(file->string(), ":", read.error().message));
  const auto claims = SelectClaims(*read, options.only);
  if (!claims) return Unusable("run", "--only", claims.error());
  std::vector<ReportFile> files;
  for (const ReportFile& one : {ReportFile{"--junit", options.junit, ClaimsJunit},
                                {"--sarif", options.sarif, ClaimsSarif},
                                {"--markdown", options.markdown, ClaimsMarkdown}}) {
    if (one.path.empty()) continue;
    if (auto other = RequireNotOverwritten({"FILE", file->string()}, {one.option, one.path}); !other) {
      return Unusable("run", other.error());
    }
    files.push_back({one.option, fs::absolute(one.path).string(), one.render});
  }
  if (claims->empty()) {
    std::fputs(StrCat("layoutcheck run: nothing was asked: ", file->string(), " has no claim\n").c_str(), stderr);
    return ExitCode::kUndecided;
  }
  // Paths in the file are relative to its folder.
  ClaimReport report{.file = file->string(), .folder = file->parent_path().string()};
  std::error_code error;
  if (!report.folder.empty()) fs::current_path(report.folder, error);
  if (error) return Unusable("run", StrCat(report.folder, ": ", error.message()));
  ExitCode code = CheckClaims(*claims, options, report);
  for (const ReportFile& one : files) {
    if (const auto done = WriteFile(one.path, one.render(report)); !done) code = Unusable("run", done.error());
  }
  return code;
}

}  // namespace

Command RunClaimsCommand(std::vector<Command> kinds) {
  auto options = std::make_shared<RunCommandLine>();
  options->kinds = std::move(kinds);
  return {.name = "run",
          .description = R"(check the claims of a project, those of layoutcheck.toml

Runs the commands that layoutcheck.toml lists, several at a time, in the folder of the file. Prints a row per
claim and, where it does not hold, why, and the command that repeats the result. The exit code is the worst of
all claims: 2 if one cannot be asked, otherwise 1 if one is refuted or rejected, otherwise 3 if one is undecided.

A claim that was proved or accepted is not checked again while nothing has changed: its entry, the contents of the
files that it reads, this program. Claims about a subject that is another program are always checked.)",
          .details = R"(
A table [KIND.NAME] is the claim NAME: the command KIND with its options and arguments as keys. The option
--formula TEXT is the key formula, and the argument LAYOUT the key layout; an option that can be repeated takes an
array, and one without a value is true or false. Kinds are check, compare, fuzz, prove, prove-code, prove-kernel,
replay, scan and verify. Findings about subjects, and what is remembered, are in .layoutcheck/ beside the file.)",
          .example = R"(
  # layoutcheck.toml
  [prove.row-major]
  layout = "f32[M,N]{1,0}"
  formula = "i0*N + i1"
  $ layoutcheck run
  $ layoutcheck run --only row-major --json)",
          .options = {{"FILE", "the file of claims (default: layoutcheck.toml in this folder or the nearest one above)",
                       &options->file},
                      {"--only NAME", "check only claims of this name; can be repeated", &options->only},
                      JobsOption(options->jobs),
                      {"--no-cache", "check all claims, and remember nothing", &options->no_cache},
                      {"--junit FILE", "write JUnit's XML, one testcase per claim, to this file", &options->junit},
                      {"--sarif FILE", "write SARIF 2.1.0 to this file", &options->sarif},
                      {"--markdown FILE", "write the table in Markdown to this file, such as the summary of an Action",
                       &options->markdown},
                      {"--json", "print a JSON line per claim, then one with totals", &options->json}},
          .run = [options] { return RunRunCommand(*options); },
          .reports_interruption = true};
}

}  // namespace layoutcheck
