// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Saved findings as a document: a page for people, or a file that CI systems read.
#pragma once

#include <span>
#include <string>
#include <vector>
#include "layoutcheck/properties/run/findings_file.h"

namespace layoutcheck {

// Returns a self-contained page without scripts: a table of the findings, then each finding with its law, the expected
// value, the picture of memory and the command that repeats it.
std::string HtmlReport(std::span<const SavedFinding> findings);

// Returns JUnit's XML: one testsuite per subject, one testcase per finding. A failure of the subject itself (a crash, a
// hang, a broken answer) is an error; every other finding is a failure. Without findings it is one testcase that
// passes, because CI systems take a file without testcases for a run that did not happen.
std::string JunitReport(std::span<const SavedFinding> findings);

// The outcome of a run of `check`, for a report that also says what was kept.
struct RunOutcome {
  struct LeftOut {
    std::string law;
    std::string why;
  };
  std::string subject;
  std::vector<std::string> kept;  // laws that were answered and that no case broke, but for known differences
  std::vector<LeftOut> left_out;  // laws that were not answered, or that count with another finding
  std::string undecided;          // why the run leaves something open, or empty
};

// Returns JUnit's XML of a run: the testcases of JunitReport, one that passes per law that was kept, one that is
// skipped per law that was left out, and an error if something is undecided.
std::string JunitReportOfRun(const RunOutcome& outcome, std::span<const SavedFinding> findings);

// Returns SARIF 2.1.0: laws are rules, and findings are results, located at a line of the findings file and, logically,
// at the layout of their subject.
std::string SarifReport(std::span<const SavedFinding> findings);

}  // namespace layoutcheck
