// Saved findings as a document: a page for a person, or what CI systems read.
#ifndef LAYOUTCHECK_CLI_REPORTS_REPORT_H_
#define LAYOUTCHECK_CLI_REPORTS_REPORT_H_

#include <span>
#include <string>

#include "layoutcheck/properties/run/findings_file.h"

namespace layoutcheck {

// A page without scripts or other files: a table of the findings, then each with its law, what was expected, the
// picture of memory and the command that repeats it.
std::string HtmlReport(std::span<const SavedFinding> findings);

// JUnit's XML: one testsuite for each subject, one testcase for each finding. A failure of the subject itself (a crash,
// a hang, a broken answer) is an error, everything else a failure.
std::string JunitReport(std::span<const SavedFinding> findings);

// SARIF 2.1.0: the laws as rules, the findings as results; each is at its line of the findings file and, as a logical
// location, at the layout of its subject.
std::string SarifReport(std::span<const SavedFinding> findings);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_CLI_REPORTS_REPORT_H_
