// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The output that `check` and `fuzz` share: findings, warnings and the last line.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/cli/base/command.h"
#include "layoutcheck/cli/reports/report.h"
#include "layoutcheck/cli/run/manifest.h"
#include "layoutcheck/cli/run/subject_arguments.h"
#include "layoutcheck/properties/model/finding.h"
#include "layoutcheck/properties/model/subject.h"
#include "layoutcheck/properties/run/findings_file.h"
#include "layoutcheck/properties/run/known_differences.h"

namespace layoutcheck {

// Returns the directory of the findings of a run: that of --out, or "layoutcheck-out/NAME" with a name for the subject,
// such as "mine" for exec:./mine. Subjects of one name share a directory, and each finding names its subject.
std::string DirectoryOfFindings(const RunArguments& arguments);

// The report of one run: findings are saved and printed during the run, counts at its end.
class RunReport {
 public:
  // `command` is "check" or "fuzz"; findings are saved in `directory`. A quiet report has no warnings.
  RunReport(std::string_view command, std::string directory, bool json, bool quiet = false)
      : command_(command), directory_(std::move(directory)), json_(json), quiet_(quiet) {}

  // Makes the directory and opens its findings.jsonl. Errors: as of FindingsFile::Open.
  Expected<void> Open();

  // Begins a share of a run: the directory gets a manifest, which PrintTotals completes. Errors: as of BeginShare.
  Expected<void> BeginShare(Work work, const Shard& shard);

  // Returns true if the run is a share that `merge` puts together with others.
  bool is_share() const { return share_ && share_->shard.count > 1; }
  // Adds a member to the details of the share's manifest.
  void AddDetail(const char* name, Json detail);

  // Saves a finding to disk before it returns; opens the file if necessary. Keeps an error in error().
  void Add(Finding& finding);
  const std::optional<Error>& error() const { return error_; }

  // Writes the findings and the outcome of the run as JUnit's XML and as SARIF to the files that are not empty. Keeps
  // an error in error().
  void WriteDocuments(const std::string& junit, const std::string& sarif, const RunOutcome& outcome);

  // Prints a finding so that a reader has it at once.
  void Print(const Finding& finding) const;
  // Writes the counts of all findings of the run to disk, and prints those above 1. Keeps an error in error().
  void AddCounts(const std::vector<Finding>& findings);
  // Prints the last line from the members cases, laws, findings, known and declined; with --json, all members. Ends the
  // share, which is complete unless the member "complete" is false. Keeps an error in error().
  void PrintTotals(const Json& totals);

  void Warn(std::string_view message) const;
  // Warns of the patterns in `known_file` under laws accepted by `asked` that no failure matched. A share does not
  // warn, because another share may have seen them.
  void WarnOfUnseen(const KnownDifferences& known, std::string_view known_file,
                    const std::function<bool(std::string_view law)>& asked);
  // Warns of the laws and layouts that a user named and the subject did not answer. A share leaves that to `merge`.
  void WarnOfUnanswered(const std::vector<std::string>& unanswered);
  // Warns of findings about the subject that earlier runs left in the file and this run did not find.
  void WarnOfEarlierFindings(std::string_view subject, const std::vector<Finding>& findings) const;
  void WarnOfUnseenLines(std::string_view known_file, const std::vector<int64_t>& lines) const;

 private:
  std::string_view command_;
  std::string directory_;
  bool json_;
  bool quiet_;
  std::optional<FindingsFile> file_;
  std::vector<SavedFinding> saved_;  // findings of this run
  std::optional<Error> error_;
  std::optional<Manifest> share_;
};

// Sets the directory in which the run was started, unless the finding has one. Subjects that are found from everywhere
// have none.
void SetDirectory(Finding& finding);

// Returns the one finding about a subject that was started but does not answer hello as the protocol says.
Finding HelloFinding(std::string_view subject, uint64_t seed, const Failed& failed);
// Returns the finding about a subject that failed at its end (Subject::Finish).
Finding EndFinding(std::string_view subject, uint64_t seed, const Failed& failed);

}  // namespace layoutcheck
