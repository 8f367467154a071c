// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Saved findings as a document: a page for people, or a file that CI systems read.
#pragma once

#include <span>
#include <string>
#include "layoutcheck/properties/run/findings_file.h"

namespace layoutcheck {

// Returns a self-contained page without scripts: a table of the findings, then each finding with its law, the expected
// value, the picture of memory and the command that repeats it.
std::string HtmlReport(std::span<const SavedFinding> findings);

// Returns JUnit's XML: one testsuite per subject, one testcase per finding. A failure of the subject itself (a crash, a
// hang, a broken answer) is an error; every other finding is a failure.
std::string JunitReport(std::span<const SavedFinding> findings);

// Returns SARIF 2.1.0: laws are rules, and findings are results, located at a line of the findings file and, logically,
// at the layout of their subject.
std::string SarifReport(std::span<const SavedFinding> findings);

}  // namespace layoutcheck
