// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Saved findings as a document: a page for a person, or a file that CI systems read.
#ifndef LAYOUTCHECK_CLI_REPORTS_REPORT_H_
#define LAYOUTCHECK_CLI_REPORTS_REPORT_H_

#include <span>
#include <string>

#include "layoutcheck/properties/run/findings_file.h"

namespace layoutcheck {

// Returns a page without scripts or other files: a table of the findings, then each finding with its law, the expected
// value, the picture of memory and the command that repeats it.
std::string HtmlReport(std::span<const SavedFinding> findings);

// Returns JUnit's XML: one testsuite per subject, one testcase per finding. A failure of the subject itself (a crash, a
// hang, a broken answer) is an error; every other finding is a failure.
std::string JunitReport(std::span<const SavedFinding> findings);

// Returns SARIF 2.1.0: the laws as rules, the findings as results. The location of a result is its line in the findings
// file; its logical location is the layout of its subject.
std::string SarifReport(std::span<const SavedFinding> findings);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_CLI_REPORTS_REPORT_H_
