// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// layoutcheck merge DIR...
#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>
#include "layoutcheck/cli/base/overwriting.h"
#include "layoutcheck/cli/commands/commands.h"
#include "layoutcheck/cli/run/merge.h"
#include "layoutcheck/cli/run/proof_output.h"
#include "layoutcheck/cli/run/prove_run.h"
#include "layoutcheck/cli/run/run_report.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/json/json.h"

namespace layoutcheck {
namespace {

struct MergeCommandLine {
  std::vector<std::string> directories;
  std::string out;
  bool json = false;
};

// Writes the manifest of the whole run, as the only share of itself.
ExitCode WriteWhole(const MergeCommandLine& options, const Work& work, const Json& totals, Json details,
                    ExitCode code) {
  if (options.out.empty()) return code;
  const Manifest whole{work, Shard(), totals["complete"].get<bool>(), totals, std::move(details)};
  if (auto written = WriteManifest(options.out, whole); !written) return Unusable("merge", "--out", written.error());
  return code;
}

ExitCode MergeProofs(const MergeCommandLine& options, const std::vector<ShareDirectory>& shares, Json totals,
                     const RunReport& report) {
  const auto proofs = MergedProofs(shares);
  if (!proofs) return Unusable("merge", proofs.error());
  const std::string& asked = shares.front().manifest.details["asked"].text();
  ProveResultsFile file;
  if (!options.out.empty()) {
    std::error_code error;
    std::filesystem::create_directories(options.out, error);  // If it fails, so does Open.
    if (auto open = file.Open(ResultsPath(options.out), asked); !open) {
      return Unusable("merge", "--out", open.error());
    }
  }
  ProofTable table(options.json);
  ExitCode code = ExitCode::kAccepted;
  Json entries = Json::array();
  for (const auto& [entry, results, missing] : *proofs) {
    entries.push_back(entry);
    if (missing) {
      report.Warn(StrCat(entry, " was not decided: its share has no result"));
      code = WorseExitCode(code, ExitCode::kUndecided);
      continue;
    }
    code = WorseExitCode(code, table.Print(entry, results));
    if (file.Find(entry) != nullptr) continue;
    if (auto written = file.Write(entry, results); !written) return Unusable("merge", "--out", written.error());
  }
  table.PrintTotal();
  const bool complete = totals["complete"].get<bool>();
  if (!complete || proofs->empty()) code = WorseExitCode(code, ExitCode::kUndecided);
  totals = table.Totals();
  totals["complete"] = complete;
  return WriteWhole(options, shares.front().manifest.work, totals, {{"asked", asked}, {"entries", entries}}, code);
}

// Returns the items, in the order of the first share, that the list `name` of every share's details has.
template <class T>
std::vector<T> InEveryShare(const std::vector<ShareDirectory>& shares, const char* name) {
  const auto list_of = [name](const ShareDirectory& share) {
    return share.manifest.details.value(name, std::vector<T>());
  };
  std::vector<T> all = list_of(shares.front());
  for (const ShareDirectory& share : shares) {
    const std::vector<T> list = list_of(share);
    std::erase_if(all, [&](const T& item) { return std::ranges::find(list, item) == list.end(); });
  }
  return all;
}

// Warns of known differences that no share has seen.
void WarnOfUnseen(const std::vector<ShareDirectory>& shares, const RunReport& report) {
  const Json& options = shares.front().manifest.work.options;
  if (!options.contains("--known")) return;
  report.WarnOfUnseenLines(options["--known"].at(0).text(), InEveryShare<int64_t>(shares, "unseen_known"));
}

// Returns true if a law, or a text, was neither declined nor outside of the domain.
bool AnythingChecked(const Json& totals) {
  const auto count = [](const Json& object, std::string_view name) { return object.at(name).get<int64_t>(); };
  if (count(totals, "known") > 0) return true;
  if (!totals.contains("by_law")) return count(totals, "cases") > count(totals, "declined");
  return std::ranges::any_of(totals["by_law"].items(), [&](const auto& law) {
    return count(law.value, "agreed") > 0 || count(law.value, "disagreed") > 0;
  });
}

ExitCode MergeChecks(const MergeCommandLine& options, const std::vector<ShareDirectory>& shares, Json totals,
                     RunReport& report) {
  auto merged = MergeFindings(shares, std::move(totals));
  if (!merged) return Unusable("merge", merged.error());
  auto& [findings, all] = *merged;
  for (Finding& finding : findings) {
    if (!options.out.empty()) report.Add(finding);
    report.Print(finding);
  }
  WarnOfUnseen(shares, report);
  const auto unanswered = InEveryShare<std::string>(shares, "unanswered");
  report.WarnOfUnanswered(unanswered);
  if (all.contains("by_law")) all["unanswered"] = unanswered;
  report.PrintTotals(all);
  if (report.error()) return Unusable("merge", *report.error());
  ExitCode code = findings.empty() ? ExitCode::kAccepted : ExitCode::kRejected;
  const bool checked = AnythingChecked(all);
  if (findings.empty() && !checked) report.Warn("nothing was checked");
  if (!checked || !unanswered.empty() || !all["complete"].get<bool>()) code = WorseExitCode(code, ExitCode::kUndecided);
  return WriteWhole(options, shares.front().manifest.work, all, Json::object(), code);
}

ExitCode RunMergeCommand(const MergeCommandLine& options) {
  const auto shares = ReadShares(options.directories);
  if (!shares) return Unusable("merge", shares.error());
  for (const std::string& directory : options.directories) {
    const auto other = RequireNotOverwritten({"DIR", directory}, {"--out", options.out});
    if (!other) return Unusable("merge", other.error());
  }
  RunReport report("merge", options.out, options.json);
  for (const auto& [directory, manifest] : *shares) {
    if (!manifest.complete) {
      report.Warn(StrCat(directory, ": share ", manifest.shard.ToString(), " is incomplete: run it again"));
    }
    for (const std::string& file : EarlierFindings(directory)) {
      report.Warn(StrCat(file, " has findings of a run of the share that did not end; they are not listed"));
    }
  }
  const Json totals = MergedTotals(*shares);
  const std::string& command = shares->front().manifest.work.command;
  if (command == "prove") return MergeProofs(options, *shares, totals, report);
  return MergeChecks(options, *shares, totals, report);
}

}  // namespace

Command MergeCommand() {
  auto options = std::make_shared<MergeCommandLine>();
  return {.name = "merge",
          .description = R"(put the shares of a run together

Each DIR is the --out of a run of check, fuzz or prove with --shard K/N. Prints the result of all of them as one
run would: each finding once, with added counts, or the proofs in the order of the tile set. Shares of different
runs, a share that is missing and a share that is there twice are refused. If a share is incomplete and nothing
was found, the exit code is 3.)",
          .example = R"(
  $ layoutcheck check --subject exec:./mine --shard 1/2 --out share.1
  $ layoutcheck check --subject exec:./mine --shard 2/2 --out share.2
  $ layoutcheck merge share.1 share.2 --out whole)",
          .options = {{"DIR", "the directories of all shares, in any order", &options->directories, kRequired},
                      {"--out DIR", "write the findings or results and a manifest into this directory", &options->out},
                      {"--json", "print findings and totals, or proofs, as JSON Lines", &options->json}},
          .run = [options] { return RunMergeCommand(*options); }};
}

}  // namespace layoutcheck
