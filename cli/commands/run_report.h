// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The output that `check` and `fuzz` share: findings, warnings and the last line.
#ifndef LAYOUTCHECK_CLI_COMMANDS_RUN_REPORT_H_
#define LAYOUTCHECK_CLI_COMMANDS_RUN_REPORT_H_

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "layoutcheck/cli/base/command.h"
#include "layoutcheck/properties/model/finding.h"
#include "layoutcheck/properties/model/subject.h"
#include "layoutcheck/properties/run/findings_file.h"
#include "layoutcheck/properties/run/known_differences.h"

namespace layoutcheck {

// The report of one run: findings are saved while the run goes on and printed at its end.
class RunReport {
 public:
  // `command` is "check" or "fuzz"; findings are saved in `directory`.
  RunReport(std::string_view command, std::string directory, bool json)
      : command_(command), directory_(std::move(directory)), json_(json) {}

  // Makes the directory and opens its findings.jsonl. Errors: as FindingsFile::Open.
  Expected<void> Open();

  // Saves a finding; it is on disk when this returns. Opens the file if it is not open. An error is kept in error().
  void Add(Finding& finding);
  const std::optional<Error>& error() const { return error_; }

  void Print(const Finding& finding) const;
  // Prints the last line from the members cases, laws, findings, known and declined; with --json all members.
  void PrintTotals(const Json& totals) const;

  void Warn(std::string_view message) const;
  // Names the patterns of the file `known_file` that no failure matched, under the laws that `asked` accepts.
  void WarnOfUnseen(const KnownDifferences& known, std::string_view known_file,
                    const std::function<bool(std::string_view law)>& asked) const;

 private:
  std::string_view command_;
  std::string directory_;
  bool json_;
  std::optional<FindingsFile> file_;
  std::optional<Error> error_;
};

// Returns the one finding about a subject that was started but does not answer hello as the protocol says.
Finding HelloFinding(std::string_view subject, uint64_t seed, const Failed& failed);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_CLI_COMMANDS_RUN_REPORT_H_
