// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The findings of a scan as SARIF and as testcases, for modules and for TTGIR.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/cli/reports/report_parts.h"
#include "layoutcheck/json/json.h"

namespace layoutcheck {

struct ScanRule {
  std::string_view name;
  std::string_view statement;
};

// Returns SARIF 2.1.0: each finding is a result of its rule, or of the rule "unreadable", which needs no entry in
// `rules`. It is located at the line of its instruction. Errors have the level error, undecided findings have warning,
// and advice has note.
std::string FindingsSarif(std::vector<ScanRule> rules, std::span<const Json> findings);

// Adds a testcase with the findings of its name, which is that of a rule, or a rule and a budget. An error makes it
// fail, an undecided finding makes it an error, and advice is output of a testcase that passes.
void AddTestcase(std::span<const Json> findings, const std::string& name, JunitSuite& suite);

}  // namespace layoutcheck
